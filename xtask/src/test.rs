//! `cargo xtask test`: everything that must hold before a change is done.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::step::{Failure, Step};
use crate::{cargo, root, tools, web};

const ROUNDS: &str = "crates/rules/tests/rounds";

/// Whether the steps in a real browser are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Browser {
    /// They are.
    Driven,
    /// They are left out.
    LeftOut,
}

/// Runs all steps and stops at the first that fails.
pub(crate) fn run(browser: Browser) -> Result<(), Failure> {
    let start = Instant::now();
    tools::need_rustup_components()?;
    format().run()?;
    web::packages()?;
    for step in [web::check(), web::tests(), web::build()] {
        step.run()?;
    }
    lints().run()?;
    docs().run()?;
    for step in tests() {
        step.run()?;
    }
    rounds()?.run()?;
    if browser == Browser::Driven {
        web::browser()?;
    }
    println!("\nall steps passed in {:.1?}", start.elapsed());
    Ok(())
}

fn format() -> Step {
    Step::new("format", cargo(&["fmt", "--all", "--check"]))
}

fn lints() -> Step {
    let args = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    Step::new("lints", cargo(&args))
}

fn docs() -> Step {
    let mut command = cargo(&["doc", "--workspace", "--no-deps"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    Step::new("docs", command)
}

/// Nextest where it is installed; it does not run the examples in the docs, so they follow.
fn tests() -> Vec<Step> {
    if tools::has_nextest() {
        vec![
            Step::new("tests", cargo(&["nextest", "run", "--workspace"])),
            Step::new("doc tests", cargo(&["test", "--workspace", "--doc"])),
        ]
    } else {
        vec![Step::new("tests", cargo(&["test", "--workspace"]))]
    }
}

/// Plays every test round with the program itself.
fn rounds() -> Result<Step, Failure> {
    let files = round_files(&root().join(ROUNDS))
        .map_err(|error| Failure::Found(format!("cannot read {ROUNDS}: {error}")))?;
    if files.is_empty() {
        return Err(Failure::Found(format!("there is no .round file in {ROUNDS}")));
    }
    let play = ["run", "--quiet", "--profile", "test", "--package", "pitboss", "--", "check"];
    let mut command = cargo(&play);
    command.args(files);
    let found = format!("$(find {ROUNDS} -name '*.round')");
    Ok(Step::new("rounds", command).shown_as(format!("cargo {} {found}", play.join(" "))))
}

/// All `.round` files in a folder and the folders in it, in order of their names.
fn round_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    let mut files = Vec::new();
    for path in entries {
        if path.is_dir() {
            files.extend(round_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "round") {
            files.push(path);
        }
    }
    Ok(files)
}
