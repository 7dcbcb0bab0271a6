//! The Python package: its wheel, its tests, and the benchmarks that it comes with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::step::{Failure, Missing, Step};
use crate::{cargo, root, target_dir, tools};

/// What is done with the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// All tests.
    Test,
    /// The tests that take little time, as part of all other tests.
    ShortTest,
    /// The tests on every version of Python that is installed.
    EveryVersion,
    /// Steps a second of the environments, and of Gymnasium's own blackjack.
    Bench,
    /// The table of baselines.
    Baselines,
    /// The cluster runs on Ray.
    Ray,
}

impl Task {
    /// The task of an argument of `cargo xtask python`.
    pub(crate) fn of(rest: &[String]) -> Result<Task, Failure> {
        let words: Vec<&str> = rest.iter().map(String::as_str).collect();
        match words[..] {
            [] => Ok(Task::Test),
            ["short"] => Ok(Task::ShortTest),
            ["every-version"] => Ok(Task::EveryVersion),
            ["bench"] => Ok(Task::Bench),
            ["baselines"] => Ok(Task::Baselines),
            ["ray"] => Ok(Task::Ray),
            _ => Err(Failure::Usage(format!(
                "`cargo xtask python` takes short, every-version, bench, baselines, ray or nothing, \
                 but was given `{}`.",
                rest.join(" ")
            ))),
        }
    }
}

/// How the compiled part is built.
#[derive(Clone, Copy)]
enum Profile {
    /// With the checks of a development build.
    Checked,
    /// As users get it.
    Released,
}

/// The versions of Python that the package supports.
const VERSIONS: [&str; 5] = ["3.10", "3.11", "3.12", "3.13", "3.14"];

pub(crate) fn run(task: Task) -> Result<(), Failure> {
    if let Some(missing) = missing_python() {
        return Err(Failure::Missing(vec![missing]));
    }
    match task {
        Task::Test => {
            let environment = Environment::new("python3", &[])?;
            environment.build(Profile::Checked)?;
            checks(&environment)?;
            program()?;
            environment.pytest("Python tests", &[]).run()
        }
        Task::ShortTest => {
            let environment = Environment::new("python3", &[])?;
            environment.build(Profile::Checked)?;
            checks(&environment)?;
            environment.pytest("Python tests", &["-m", "not slow"]).run()
        }
        Task::EveryVersion => {
            let versions = found(|version| tools::answers(version, &["-m", "venv", "--help"]))?;
            program()?;
            for version in versions {
                let environment = Environment::new(&version, &[])?;
                environment.build(Profile::Checked)?;
                environment.pytest("Python tests", &[]).shown_as(version).run()?;
            }
            Ok(())
        }
        Task::Bench => {
            let environment = Environment::new("python3", &[])?;
            environment.build(Profile::Released)?;
            environment.module("Python benchmark", "pitboss.bench.speed").run()
        }
        Task::Baselines => {
            let environment = Environment::new("python3", &["sb3-contrib>=2.6,<3"])?;
            environment.build(Profile::Released)?;
            environment.module("Python baselines", "pitboss.bench.baselines").run()
        }
        Task::Ray => {
            let environment = Environment::new("python3", &["ray>=2.30,<3"])?;
            environment.build(Profile::Checked)?;
            environment.pytest("Python on Ray", &["tests/on_ray.py"]).run()
        }
    }
}

/// The programs of the supported versions that answer; at least one must.
fn found(answers: impl Fn(&str) -> bool) -> Result<Vec<String>, Failure> {
    let all = VERSIONS.map(|version| format!("python{version}"));
    let (found, missing): (Vec<_>, Vec<_>) = all.into_iter().partition(|version| answers(version));
    for version in &missing {
        println!("{version} is not here");
    }
    match found.is_empty() {
        true => Err(Failure::Found(format!("none of {} is here", missing.join(", ")))),
        false => Ok(found),
    }
}

/// What is missing of Python.
pub(crate) fn missing_python() -> Option<Missing> {
    let script = "import sys, venv; sys.exit(sys.version_info < (3, 10))";
    (!tools::answers("python3", &["-c", script])).then(|| Missing {
        tool: "Python",
        line: "install Python 3.10 or newer with its module venv (for the Python package)".into(),
    })
}

/// Format, lints and types.
fn checks(environment: &Environment) -> Result<(), Failure> {
    let in_folder = |words: &[&str]| {
        let mut command = cargo(words);
        command.current_dir(folder());
        command
    };
    Step::new("Python format", in_folder(&["fmt", "--check"])).run()?;
    let lints = ["clippy", "--quiet", "--locked", "--", "-D", "warnings"];
    Step::new("Python lints", in_folder(&lints)).run()?;
    Step::new("Python types", environment.command(&["-m", "mypy"])).run()?;
    // The types of the compiled part are those that it has.
    let mut stubs = environment.command(&["-m", "mypy.stubtest", "pitboss._pitboss"]);
    stubs.current_dir(root());
    Step::new("Python stubs", stubs).run()
}

/// The program that results are compared with.
fn program() -> Result<(), Failure> {
    let build = ["build", "--quiet", "--profile", "test", "--package", "pitboss", "--bin"];
    let mut command = cargo(&build);
    command.arg("pitboss");
    Step::new("the program for Python", command).run()
}

/// A virtual environment in the target folder.
struct Environment {
    path: PathBuf,
}

impl Environment {
    /// Makes it, and brings its packages to what `requirements.txt` and `extra` name.
    fn new(python: &str, extra: &[&str]) -> Result<Environment, Failure> {
        let environment = Environment::of(python);
        if !environment.python().exists() {
            let mut make = Command::new(python);
            make.args(["-m", "venv"]).arg(&environment.path);
            Step::new("Python environment", make).run()?;
        }
        if !environment.has(extra) {
            let mut install =
                environment.command(&["-m", "pip", "install", "--quiet", "--upgrade"]);
            install.args(["-r", "requirements.txt"]).args(extra);
            Step::new("Python packages", install).run()?;
            let stamp = environment.stamp(extra);
            let written = fs::write(&stamp, wanted(extra));
            let unwritable = |error| format!("cannot write {}: {error}", stamp.display());
            written.map_err(|error| Failure::Found(unwritable(error)))?;
        }
        Ok(environment)
    }

    /// The one of a Python, made or not.
    fn of(python: &str) -> Environment {
        Environment { path: target_dir().join("python").join(python) }
    }

    /// Where it says which packages it has.
    fn stamp(&self, extra: &[&str]) -> PathBuf {
        self.path.join(format!("installed-{}.txt", extra.len()))
    }

    /// Whether it has the packages that are wanted now.
    fn has(&self, extra: &[&str]) -> bool {
        fs::read_to_string(self.stamp(extra)).is_ok_and(|installed| installed == wanted(extra))
    }

    fn python(&self) -> PathBuf {
        self.path.join("bin/python")
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(self.python());
        command.args(args).current_dir(folder());
        command
    }

    /// Builds the wheel and installs it. The wheel is that of all versions of Python.
    fn build(&self, profile: Profile) -> Result<(), Failure> {
        let wheels = target_dir().join("python/wheels");
        let _ = fs::remove_dir_all(&wheels);
        let mut build = self.command(&["-m", "maturin", "build", "--quiet", "--locked"]);
        let profile = match profile {
            Profile::Checked => "dev",
            Profile::Released => "release",
        };
        build.args(["--profile", profile, "--out"]).arg(&wheels);
        Step::new("Python wheel", build).run()?;
        let wheel = one_wheel(&wheels)?;
        let mut install = self.command(&["-m", "pip", "install", "--quiet", "--no-deps"]);
        install.arg("--force-reinstall").arg(wheel);
        Step::new("Python package", install).run()
    }

    /// Runs tests of the installed package: the program does not look into the current folder, as the
    /// module would.
    fn pytest(&self, name: &'static str, args: &[&str]) -> Step {
        let mut command = Command::new(self.path.join("bin/pytest"));
        command.args(["-p", "no:cacheprovider"]).args(args);
        command.current_dir(folder()).stdin(Stdio::null());
        command.env("PITBOSS_PROGRAM", target_dir().join("debug/pitboss"));
        Step::new(name, command)
    }

    /// Runs a module of the installed package.
    fn module(&self, name: &'static str, module: &str) -> Step {
        let mut command = self.command(&["-m", module]);
        command.current_dir(root());
        Step::new(name, command)
    }
}

/// Whether the packages of the tests are installed.
pub(crate) fn has_packages() -> bool {
    Environment::of("python3").has(&[])
}

/// What pip is to install.
fn wanted(extra: &[&str]) -> String {
    let named = fs::read_to_string(folder().join("requirements.txt")).unwrap_or_default();
    named + &extra.join("\n")
}

/// The wheel that was built.
fn one_wheel(folder: &Path) -> Result<PathBuf, Failure> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut wheels = entries.map(|entry| entry.path());
    let missing = || Failure::Found(format!("there is no wheel in {}", folder.display()));
    wheels.find(|file| file.extension().is_some_and(|end| end == "whl")).ok_or_else(missing)
}

fn folder() -> PathBuf {
    root().join("python")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_has_a_word() {
        let task = |words: &[&str]| {
            Task::of(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(task(&[]).ok(), Some(Task::Test));
        assert_eq!(task(&["short"]).ok(), Some(Task::ShortTest));
        assert_eq!(task(&["bench"]).ok(), Some(Task::Bench));
        assert_eq!(task(&["fly"]).expect_err("unknown").exit_code(), 2);
        assert_eq!(task(&["ray", "bench"]).expect_err("two").exit_code(), 2);
    }

    #[test]
    fn a_version_of_python_must_be_found() {
        let one = found(|version| version == "python3.12").expect("one");
        assert_eq!(one, ["python3.12"]);
        let none = found(|_| false).expect_err("none");
        assert!(none.to_string().contains("none of python3.10, python3.11"), "{none}");
        assert_eq!(none.exit_code(), 1);
    }

    #[test]
    fn packages_are_there_once_those_that_are_wanted_now_were_installed() {
        let environment = Environment { path: target_dir().join("tmp/python-packages") };
        let _ = fs::remove_dir_all(&environment.path);
        assert!(!environment.has(&[]));
        fs::create_dir_all(&environment.path).unwrap();
        fs::write(environment.stamp(&[]), wanted(&[])).unwrap();
        assert!(environment.has(&[]) && !environment.has(&["one"]));
        fs::write(environment.stamp(&[]), "others").unwrap();
        assert!(!environment.has(&[]));
    }
}
