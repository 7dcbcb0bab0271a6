//! `cargo xtask test`: everything that must hold before a change is done.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::step::{Failure, Step};
use crate::{cargo, dependencies, notices, root, target_dir, tools, web};

const ROUNDS: &str = "crates/rules/tests/rounds";

/// What is built for all tests, so that nothing is built twice: nothing of it happens unless a test asks.
const FEATURES: [&str; 2] = ["--features", "pitboss/failpoints"];

const FEATURES_TO_LINT: &str = "pitboss/gpu,pitboss/failpoints";

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
    tools::look_for_all(browser)?;
    tools::need_postgresql()?;
    tools::need_nats_server()?;
    let temporary = TemporaryFolder::new(target_dir().join("temporary"))?;
    let run = |step: Step| step.with_temporary_folder(&temporary.path).run();
    run(format())?;
    dependencies::check()?;
    notices::check()?;
    web::packages()?;
    for step in [web::lint(), web::check(), web::tests(), web::build(), lints(), docs()] {
        run(step)?;
    }
    tests().into_iter().try_for_each(run)?;
    run(rounds()?)?;
    run(command("cluster", &["cluster", "--test"])?)?;
    run(command("Python", &["python", "short"])?)?;
    if browser == Browser::Driven {
        web::browser(&temporary.path)?;
    }
    temporary.remove()?;
    println!("\nall steps passed in {:.1?}", start.elapsed());
    Ok(())
}

/// The temporary folder of all steps, which shows what they leave behind.
struct TemporaryFolder {
    path: PathBuf,
}

impl TemporaryFolder {
    /// An empty folder.
    fn new(path: PathBuf) -> Result<TemporaryFolder, Failure> {
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).map_err(|error| unusable(&path, &error))?;
        Ok(TemporaryFolder { path })
    }

    /// Removes the folder with what tools have left in it. Our own tests must leave nothing.
    fn remove(self) -> Result<(), Failure> {
        let wrong = |error: io::Error| unusable(&self.path, &error);
        let mut left = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(wrong)? {
            left.push(entry.map_err(wrong)?.file_name().to_string_lossy().into_owned());
        }
        left.sort();
        let own: Vec<&str> =
            left.iter().map(String::as_str).filter(|name| name.starts_with("pitboss")).collect();
        if !own.is_empty() {
            let own = own.join(", ");
            return Err(Failure::Found(format!("tests left in the temporary folder: {own}")));
        }
        if !left.is_empty() {
            println!("\nremoved from the temporary folder: {}", left.join(", "));
        }
        fs::remove_dir_all(&self.path).map_err(wrong)
    }
}

fn unusable(folder: &Path, error: &io::Error) -> Failure {
    Failure::Found(format!("{} cannot be used: {error}", folder.display()))
}

/// Another command of this program. It is a process of its own, so that it has the temporary folder too.
fn command(name: &'static str, words: &[&str]) -> Result<Step, Failure> {
    let program = std::env::current_exe();
    let unknown = |error| Failure::Found(format!("this program cannot be found: {error}"));
    let mut command = Command::new(program.map_err(unknown)?);
    command.args(words);
    Ok(Step::new(name, command).shown_as(format!("cargo xtask {}", words.join(" "))))
}

fn format() -> Step {
    Step::new("format", cargo(&["fmt", "--all", "--check"]))
}

fn lints() -> Step {
    let what = ["clippy", "--workspace", "--all-targets", "--features", FEATURES_TO_LINT];
    let args = [&what[..], &["--", "-D", "warnings"]].concat();
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
            Step::new("tests", with_features(&["nextest", "run", "--workspace"])),
            Step::new("doc tests", with_features(&["test", "--workspace", "--doc"])),
        ]
    } else {
        vec![Step::new("tests", with_features(&["test", "--workspace"]))]
    }
}

fn with_features(args: &[&str]) -> Command {
    cargo(&[args, &FEATURES].concat())
}

/// Plays every test round with the program itself, which the tests have built.
fn rounds() -> Result<Step, Failure> {
    let files = round_files(&root().join(ROUNDS))
        .map_err(|error| Failure::Found(format!("cannot read {ROUNDS}: {error}")))?;
    if files.is_empty() {
        return Err(Failure::Found(format!("there is no .round file in {ROUNDS}")));
    }
    let mut command = Command::new(built("pitboss"));
    command.arg("check").args(files).current_dir(root());
    Ok(Step::new("rounds", command)
        .shown_as(format!("pitboss check $(find {ROUNDS} -name '*.round')")))
}

/// A program or example that building all tests has built as well.
pub(crate) fn built(name: &str) -> PathBuf {
    target_dir().join("debug").join(name)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tests_leave_behind_is_found_and_what_tools_leave_is_removed() {
        let temporary = || TemporaryFolder::new(root().join("target/tmp/temporary")).unwrap();
        let folder = temporary();
        fs::write(folder.path.join("rustcAbc"), "").unwrap();
        let path = folder.path.clone();
        folder.remove().unwrap();
        assert!(!path.exists());
        let folder = temporary();
        fs::create_dir(folder.path.join("pitboss-7-kept")).unwrap();
        let failure = folder.remove().expect_err("ours").to_string();
        assert!(failure.ends_with(": pitboss-7-kept"), "{failure}");
        fs::remove_dir_all(path).unwrap();
    }
}
