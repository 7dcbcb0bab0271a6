//! The tools that the commands need: found, installed where we may, or asked for by the exact line.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::step::{Failure, Missing, Step};
use crate::test::Browser;
use crate::{cluster, python, web};

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

/// Looks for everything that the tests need, before the first of them: lists what the user has to
/// install, and says what will be installed otherwise.
pub(crate) fn look_for_all(browser: Browser) -> Result<(), Failure> {
    let mut missing: Vec<Missing> = [("fmt", "rustfmt"), ("clippy", "clippy")]
        .into_iter()
        .filter(|(tool, _)| !answers("cargo", &[tool, "--version"]))
        .map(|(_, tool)| Missing { tool, line: format!("rustup component add {tool}") })
        .collect();
    missing.extend(web::missing_node());
    missing.extend(python::missing_python());
    let without_browser = " (or leave the browser out with --no-browser)";
    let packages = [
        ("chromium", browser == Browser::LeftOut || chromium().is_some(), without_browser),
        ("postgresql", has_postgresql(), ""),
        ("nats-server", nats_server().is_some(), ""),
    ];
    for (tool, _, otherwise) in packages.into_iter().filter(|(_, is_there, _)| !is_there) {
        match installation(tool) {
            Installation::Here(line) => {
                println!("{tool} is missing and will be installed: {line}")
            }
            Installation::ByUser(line) => {
                missing.push(Missing { tool, line: format!("{line}{otherwise}") });
            }
        }
    }
    if !missing.is_empty() {
        return Err(Failure::Missing(missing));
    }
    if !web::has_packages() {
        println!("The packages of the page will be installed from npm in web/node_modules.");
    }
    if !python::has_packages() {
        println!(
            "The packages of python/requirements.txt will be installed from PyPI in target/python."
        );
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

/// Installs a PostgreSQL server where none is.
pub(crate) fn need_postgresql() -> Result<(), Failure> {
    if has_postgresql() { Ok(()) } else { install("postgresql") }
}

fn has_postgresql() -> bool {
    cluster::postgres_server::installed().is_some()
}

/// Where the NATS server is, which is installed where there is none.
pub(crate) fn need_nats_server() -> Result<PathBuf, Failure> {
    if let Some(server) = nats_server() {
        return Ok(server);
    }
    install("nats-server")?;
    let missing = "nats-server was installed and is not found.";
    nats_server().ok_or_else(|| Failure::Found(missing.to_owned()))
}

/// Debian installs it where only root's PATH leads.
pub(crate) fn nats_server() -> Option<PathBuf> {
    ["nats-server", "/usr/sbin/nats-server"].into_iter().find_map(place)
}

/// Where a browser is that can be driven: the one that `CHROMIUM` names, or the first one found.
pub(crate) fn need_chromium() -> Result<PathBuf, Failure> {
    if let Some(browser) = chromium() {
        return Ok(browser);
    }
    install("chromium")?;
    let missing = "chromium was installed and does not answer; \
                   `cargo xtask test --no-browser` does without it.";
    chromium().ok_or_else(|| Failure::Found(missing.to_owned()))
}

fn chromium() -> Option<PathBuf> {
    let named = std::env::var("CHROMIUM").ok();
    let usual = ["chromium", "chromium-browser", "google-chrome"].map(str::to_owned);
    let mut browsers = named.into_iter().chain(usual);
    browsers.find(|browser| answers(browser, &["--version"])).and_then(|name| place(&name))
}

/// The file of a program.
fn place(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut files = std::env::split_paths(&folders).map(|folder| folder.join(program));
    files.find(|file| file.is_file())
}

/// How a package of the system is installed.
enum Installation {
    /// By this program, which runs as root.
    Here(String),
    /// By the user, who types this.
    ByUser(String),
}

fn installation(package: &str) -> Installation {
    match package_manager() {
        Some((manager, args)) if cluster::postgres_server::is_root() => {
            Installation::Here(format!("{manager} {} {package}", args.join(" ")))
        }
        Some((manager, args)) => {
            Installation::ByUser(format!("sudo {manager} {} {package}", args.join(" ")))
        }
        None => Installation::ByUser(format!("install {package} with your package manager")),
    }
}

fn package_manager() -> Option<&'static (&'static str, &'static [&'static str])> {
    PACKAGE_MANAGERS.iter().find(|(manager, _)| answers(manager, &["--version"]))
}

/// Installs a package of the system as root, and otherwise says what root would have to type.
fn install(package: &'static str) -> Result<(), Failure> {
    if let Installation::ByUser(line) = installation(package) {
        return Err(Failure::Missing(vec![Missing { tool: package, line }]));
    }
    let Some((manager, args)) = package_manager() else { return Ok(()) };
    if *manager == "apt-get" {
        let mut update = Command::new(manager);
        update.arg("update");
        Step::new("update package lists", update).run()?;
    }
    let mut command = Command::new(manager);
    command.args(*args).arg(package);
    Step::new("install", command).run()
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
