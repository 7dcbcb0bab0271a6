//! Where a store lies that no option names.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A user's data directory, and a working directory.
struct Place {
    user: PathBuf,
    work: PathBuf,
}

impl Place {
    fn new(name: &str) -> Place {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        let (user, work) = (folder.join("user"), folder.join("work"));
        fs::create_dir_all(&work).unwrap();
        Place { user, work }
    }

    fn pitboss(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pitboss"));
        command.args(words).current_dir(&self.work).env("XDG_DATA_HOME", &self.user);
        command
    }

    fn output(&self, words: &[&str]) -> Output {
        let mut command = self.pitboss(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(b"nine of diamonds\n");
        child.wait_with_output().unwrap()
    }

    /// What a house says when it opens, after its tables.
    fn opening_lines(&self) -> Vec<String> {
        let mut serve =
            self.pitboss(&["serve", "--port", "0"]).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(serve.stdout.take().unwrap()).lines().map(Result::unwrap);
        let mut said: Vec<String> = Vec::new();
        for line in lines {
            said.push(line);
            if said.last().is_some_and(|line| line.starts_with("Ctrl-C")) {
                break;
            }
        }
        serve.kill().unwrap();
        serve.wait().unwrap();
        said.into_iter().skip_while(|line| !line.starts_with("Its store")).collect()
    }
}

#[test]
fn a_store_lies_in_the_data_directory_of_the_user() {
    let place = Place::new("of-a-user");
    let store = place.user.join("pitboss");
    let missing = place.output(&["export", "out"]);
    assert_eq!(missing.status.code(), Some(2));
    let store_name = store.display();
    assert_eq!(
        String::from_utf8(missing.stderr).unwrap(),
        format!("pitboss: there is no store in {store_name}; --data names another directory\n")
    );
    assert!(place.output(&["operator", "max"]).status.success());
    assert!(store.join("pitboss.db").exists());
    let lines = place.opening_lines();
    assert_eq!(lines[0], format!("Its store is in {store_name}"));
    assert!(lines[1].starts_with("Ctrl-C"), "{lines:?}");
    assert!(place.output(&["backup", "copies"]).status.success());
    assert_eq!(fs::read_dir(&place.work).unwrap().count(), 1, "the copies alone");
}

#[test]
fn a_store_that_an_earlier_version_made_here_is_used_and_named() {
    let place = Place::new("of-before");
    assert!(place.output(&["operator", "max", "--data", "pitboss-data"]).status.success());
    let lines = place.opening_lines();
    assert_eq!(lines[0], "Its store is in pitboss-data");
    let user = place.user.join("pitboss");
    assert!(lines[1].ends_with(&format!("mv pitboss-data {}", user.display())), "{lines:?}");
    assert!(place.output(&["export", "out"]).status.success());
    assert!(!place.user.exists());
}
