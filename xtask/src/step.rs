//! Commands as named steps, and how they fail.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus, Output};
use std::time::Instant;

/// One command of a longer job.
pub(crate) struct Step {
    name: &'static str,
    command: Command,
    /// What a person would type to repeat it.
    line: String,
}

impl Step {
    pub(crate) fn new(name: &'static str, command: Command) -> Step {
        let line = line(&command);
        Step { name, command, line }
    }

    /// Shows a shorter line than the command itself.
    pub(crate) fn shown_as(self, line: impl Into<String>) -> Step {
        Step { line: line.into(), ..self }
    }

    /// Gives the command another temporary folder than that of the system.
    pub(crate) fn with_temporary_folder(mut self, folder: &Path) -> Step {
        self.command.env("TMPDIR", folder);
        self
    }

    /// Runs the command in sight of the user and says how long it took.
    pub(crate) fn run(mut self) -> Result<(), Failure> {
        println!("\n{}: {}", self.name, self.line);
        let start = Instant::now();
        let ended = self.command.status();
        let elapsed = start.elapsed();
        let status = ended.map_err(|error| Failure::not_started(&self.command, error))?;
        if !status.success() {
            return Err(self.failed(status));
        }
        println!("{}: passed in {elapsed:.1?}", self.name);
        Ok(())
    }

    /// Runs the command out of sight; what it printed is shown only when it fails.
    pub(crate) fn output(mut self) -> Result<Output, Failure> {
        let ended = self.command.output();
        let output = ended.map_err(|error| Failure::not_started(&self.command, error))?;
        if !output.status.success() {
            eprint!("{}", String::from_utf8_lossy(&output.stdout));
            eprint!("{}", String::from_utf8_lossy(&output.stderr));
            return Err(self.failed(output.status));
        }
        Ok(output)
    }

    fn failed(self, status: ExitStatus) -> Failure {
        Failure::Step { name: self.name, line: self.line, status }
    }
}

/// Runs a command that has the last word: it speaks for itself, and its exit status is ours.
pub(crate) fn hand_over(mut command: Command) -> Result<ExitCode, Failure> {
    let status = command.status().map_err(|error| Failure::not_started(&command, error))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// A tool that was not found, and how a user gets it.
#[derive(Debug)]
pub(crate) struct Missing {
    pub(crate) tool: &'static str,
    pub(crate) line: String,
}

/// Why a command of this program did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line makes no sense.
    Usage(String),
    /// A step ran and failed.
    Step { name: &'static str, line: String, status: ExitStatus },
    /// Tools are needed that may not be installed for the user.
    Missing(Vec<Missing>),
    /// A program could not be started.
    NotStarted { line: String, error: io::Error },
    /// Something was not as it should be.
    Found(String),
}

impl Failure {
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Failure::Usage(_) => 2,
            _ => 1,
        }
    }

    fn not_started(command: &Command, error: io::Error) -> Failure {
        Failure::NotStarted { line: line(command), error }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(sentence) | Failure::Found(sentence) => f.write_str(sentence),
            Failure::Step { name, line, status } => {
                write!(f, "the step `{name}` failed ({status}): {line}")
            }
            Failure::Missing(tools) => {
                f.write_str("these are missing:")?;
                tools.iter().try_for_each(|Missing { tool, line }| write!(f, "\n  {tool}: {line}"))
            }
            Failure::NotStarted { line, error } => write!(f, "cannot start `{line}`: {error}"),
        }
    }
}

/// A command as it would be typed into a shell.
fn line(command: &Command) -> String {
    let settings = command.get_envs().filter_map(|(name, value)| {
        Some(format!("{}={}", name.to_string_lossy(), quoted(&value?.to_string_lossy())))
    });
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words = words.map(|word| quoted(&word.to_string_lossy()));
    settings.chain(words).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shown_line_can_be_typed() {
        let mut command = Command::new("cargo");
        command.env("RUSTDOCFLAGS", "-D warnings").args(["doc", "it's", ""]);
        assert_eq!(line(&command), r"RUSTDOCFLAGS='-D warnings' cargo doc 'it'\''s' ''");
    }

    #[test]
    fn a_step_fails_by_name_and_command() {
        let step = Step::new("lints", Command::new("false"));
        let failure = step.run().expect_err("false fails");
        assert_eq!(failure.exit_code(), 1);
        assert!(failure.to_string().starts_with("the step `lints` failed"));
        assert!(failure.to_string().ends_with(": false"));
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let step = Step::new("docs", Command::new("/no/such/program"));
        let failure = step.run().expect_err("cannot start");
        assert!(failure.to_string().contains("cannot start `/no/such/program`"));
    }
}
