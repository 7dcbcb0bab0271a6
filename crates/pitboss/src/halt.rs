//! Why a command ends before it has done anything.

use std::io;
use std::process::ExitCode;

use crate::BAD_INPUT;
use crate::text::grouped;

/// Why a command halts.
pub(crate) enum Halt {
    /// An argument, or a file that it names, makes no sense.
    BadInput(String),
    /// Reading, writing or chance failed.
    World(io::Error),
}

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Halt {
        Halt::World(error)
    }
}

impl From<String> for Halt {
    fn from(sentence: String) -> Halt {
        Halt::BadInput(sentence)
    }
}

/// Says why a command halted, if it did.
pub(crate) fn ended(result: Result<(), Halt>) -> io::Result<ExitCode> {
    match result {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(Halt::World(error)) => Err(error),
        Err(Halt::BadInput(sentence)) => {
            eprintln!("pitboss: {}", grouped(&sentence));
            Ok(ExitCode::from(BAD_INPUT))
        }
    }
}
