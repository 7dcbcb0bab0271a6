//! The program as a process, which does not outlive its test.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::process::{Child, Command};

pub(crate) struct Process(pub(crate) Child);

impl Process {
    /// `SIGKILL`: the program learns nothing of it.
    pub(crate) fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// `SIGTERM`: the house closes in good order.
    pub(crate) fn close(mut self) {
        let id = self.0.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        assert!(self.0.wait().unwrap().success());
    }
}

/// Where a test ends early, no house stays open.
impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
