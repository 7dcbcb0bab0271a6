//! `pitboss completions` and `pitboss man`: what a shell and `man` know of this program.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Command};
use clap_complete::Shell;

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  pitboss completions bash > ~/.local/share/bash-completion/completions/pitboss
  pitboss completions fish > ~/.config/fish/completions/pitboss.fish
  pitboss completions zsh > _pitboss       in a folder of $fpath";

const MAN_EXAMPLES: &str = "\
Examples:
  pitboss man ~/.local/share/man/man1      then: man pitboss";

/// Prints completions.
#[derive(Args)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(crate) struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

/// Writes manual pages.
#[derive(Args)]
#[command(after_help = MAN_EXAMPLES)]
pub(crate) struct ManArguments {
    /// The directory for the pages, created if missing
    to: PathBuf,
}

/// Prints what the shell reads.
pub(crate) fn completions(
    arguments: &CompletionsArguments,
    mut program: Command,
    out: &mut impl Write,
) -> io::Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "pitboss", &mut text);
    out.write_all(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a page for the program and one for each command.
pub(crate) fn man(arguments: &ManArguments, program: Command) -> io::Result<ExitCode> {
    let ManArguments { to } = arguments;
    let written = fs::create_dir_all(to).and_then(|()| clap_mangen::generate_to(program, to));
    match written {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(error) => {
            Ok(crate::failed(&format!("the directory {} cannot be used: {error}", to.display())))
        }
    }
}
