//! The tools that the commands need: found, installed where we may, or asked for by the exact line.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::step::{Failure, Step};

/// The package managers we know, and how each installs a package without asking back.
const PACKAGE_MANAGERS: [(&str, &[&str]); 5] = [
    ("apt-get", &["install", "--yes"]),
    ("dnf", &["install", "--assumeyes"]),
    ("zypper", &["--non-interactive", "install"]),
    ("pacman", &["-S", "--noconfirm"]),
    ("apk", &["add"]),
];

pub(crate) fn has_nextest() -> bool {
    answers("cargo", &["nextest", "--version"])
}

/// Formatter and linter, which only the user's own toolchain can add.
pub(crate) fn need_rustup_components() -> Result<(), Failure> {
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if !answers("cargo", &[tool, "--version"]) {
            let line = format!("rustup component add {component}");
            return Err(Failure::Missing { tool: component, line });
        }
    }
    Ok(())
}

pub(crate) fn need_cargo_mutants() -> Result<(), Failure> {
    if answers("cargo", &["mutants", "--version"]) {
        return Ok(());
    }
    let mut install = Command::new("cargo");
    install.args(["install", "cargo-mutants", "--locked"]);
    Step::new("install cargo-mutants", install).run()
}

pub(crate) fn need_valgrind() -> Result<(), Failure> {
    if answers("valgrind", &["--version"]) { Ok(()) } else { install("valgrind") }
}

/// Where a browser is that can be driven: the one that `CHROMIUM` names, or the first one found.
pub(crate) fn need_chromium() -> Result<PathBuf, Failure> {
    let found = || {
        let named = std::env::var("CHROMIUM").ok();
        let usual = ["chromium", "chromium-browser", "google-chrome"].map(str::to_owned);
        let mut browsers = named.into_iter().chain(usual);
        browsers.find(|browser| answers(browser, &["--version"])).and_then(|name| place(&name))
    };
    if let Some(browser) = found() {
        return Ok(browser);
    }
    install("chromium")?;
    let missing = "chromium was installed and does not answer; \
                   `cargo xtask test --no-browser` does without it.";
    found().ok_or_else(|| Failure::Found(missing.to_owned()))
}

/// The file of a program.
fn place(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut files = std::env::split_paths(&folders).map(|folder| folder.join(program));
    files.find(|file| file.is_file())
}

/// Installs a package of the system as root, and otherwise says what root would have to type.
fn install(package: &'static str) -> Result<(), Failure> {
    let known = PACKAGE_MANAGERS.iter().find(|(manager, _)| answers(manager, &["--version"]));
    let Some((manager, args)) = known else {
        return Err(Failure::Found(format!(
            "{package} is missing, and so is a package manager that could install it."
        )));
    };
    if !is_root() {
        let line = format!("sudo {manager} {} {package}", args.join(" "));
        return Err(Failure::Missing { tool: package, line });
    }
    if *manager == "apt-get" {
        let mut update = Command::new(manager);
        update.arg("update");
        Step::new("update package lists", update).run()?;
    }
    let mut command = Command::new(manager);
    command.args(*args).arg(package);
    Step::new("install", command).run()
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout.trim_ascii() == b"0")
}

/// Whether a program is there and answers without complaint.
pub(crate) fn answers(program: &str, args: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_by_its_name_or_its_path() {
        let cargo = place("cargo").expect("cargo runs this");
        assert!(cargo.is_absolute());
        assert_eq!(place(&cargo.display().to_string()), Some(cargo));
        assert_eq!(place("no-such-program"), None);
    }
}
