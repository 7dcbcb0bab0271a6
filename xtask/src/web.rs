//! The browser client: what building and testing it needs, and the steps.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use crate::step::{Failure, Missing, Step};
use crate::{root, test, tools};

/// What the built client is made from.
const SOURCES: [&str; 9] = [
    ".npmrc",
    "index.html",
    "package-lock.json",
    "package.json",
    "public",
    "src",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.ts",
];

/// A copy of the lock file that the installed packages were taken from.
const INSTALLED: &str = "node_modules/.installed-lock.json";

/// Builds the client, where it is older than what it is made from.
pub(crate) fn build_if_stale() -> Result<(), Failure> {
    if is_fresh(&folder()).unwrap_or(false) {
        return Ok(());
    }
    packages()?;
    build().run()
}

/// Brings the packages to what the lock file names.
pub(crate) fn packages() -> Result<(), Failure> {
    if let Some(missing) = missing_node() {
        return Err(Failure::Missing(vec![missing]));
    }
    if has_packages() {
        return Ok(());
    }
    Step::new("web packages", npm(&["ci", "--no-audit", "--no-fund"])).run()?;
    let kept = fs::copy(folder().join("package-lock.json"), folder().join(INSTALLED));
    kept.map(drop).map_err(|error| Failure::Found(format!("cannot write {INSTALLED}: {error}")))
}

/// Whether the packages are those that the lock file names.
pub(crate) fn has_packages() -> bool {
    let read = |file: &str| fs::read(folder().join(file)).ok();
    let lock = read("package-lock.json");
    lock.is_some() && lock == read(INSTALLED)
}

pub(crate) fn lint() -> Step {
    Step::new("web lint", npm(&["run", "--silent", "lint"]))
}

pub(crate) fn check() -> Step {
    Step::new("web check", npm(&["run", "--silent", "check"]))
}

pub(crate) fn tests() -> Step {
    Step::new("web tests", npm(&["test", "--silent"]))
}

pub(crate) fn build() -> Step {
    Step::new("web build", npm(&["run", "--silent", "build"]))
}

/// Plays in real browsers, against a house whose cards are known, with the programs that the tests have built.
pub(crate) fn browser(temporary: &Path) -> Result<(), Failure> {
    let browser = tools::need_chromium()?;
    let mut command = npm(&["run", "--silent", "e2e"]);
    command.env("CHROMIUM", browser);
    command.env("PITBOSS_KNOWN_SHOE", test::built("examples/known_shoe"));
    command.env("PITBOSS_PROGRAM", test::built("pitboss"));
    let step = Step::new("browser", command).shown_as("npm run e2e");
    step.with_temporary_folder(temporary).run()
}

fn folder() -> PathBuf {
    root().join("web")
}

fn npm(args: &[&str]) -> Command {
    let mut command = Command::new("npm");
    // Node's cache of compiled scripts would stay in the temporary folder.
    command.args(args).current_dir(folder()).env("NODE_DISABLE_COMPILE_CACHE", "1");
    command
}

/// Whether a built client is there that is newer than everything it is made from.
fn is_fresh(web: &Path) -> io::Result<bool> {
    let built = fs::metadata(web.join("dist/index.html"))?.modified()?;
    let made_from = SOURCES.iter().map(|source| web.join(source)).filter(|path| path.exists());
    let newest = made_from.map(|path| newest(&path)).collect::<io::Result<Vec<_>>>()?;
    Ok(newest.into_iter().all(|time| time <= built))
}

/// When a file, or anything in a folder, was changed last.
fn newest(path: &Path) -> io::Result<SystemTime> {
    let mut time = fs::metadata(path)?.modified()?;
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            time = time.max(newest(&entry?.path())?);
        }
    }
    Ok(time)
}

/// What is missing of Node.js, which builds the page.
pub(crate) fn missing_node() -> Option<Missing> {
    let output = Command::new("node").arg("--version").stderr(Stdio::null()).output();
    let version = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let found = match version {
        Ok(version) if is_new_enough(&version) => match tools::answers("npm", &["--version"]) {
            true => return None,
            false => ", and its npm was not found".to_owned(),
        },
        Ok(version) if !version.is_empty() => format!(", and this is {version}"),
        _ => String::new(),
    };
    let line = format!(
        "install 20.19, 22.12 or newer from https://nodejs.org{found} (it builds the page; \
         `cargo xtask run play` needs none)"
    );
    Some(Missing { tool: "Node.js", line })
}

/// What the tools of the client run on: 20.19 and later of 20, and everything from 22.12.
fn is_new_enough(version: &str) -> bool {
    let mut numbers = version.trim_start_matches('v').split('.').map(str::parse::<u32>);
    let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else { return false };
    match major {
        20 => minor >= 19,
        22 => minor >= 12,
        _ => major > 22,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_is_new_enough_or_not() {
        for version in ["v20.19.0", "v22.12.0", "v24.0.1", "v23.1.0"] {
            assert!(is_new_enough(version), "{version}");
        }
        for version in ["v18.20.1", "v20.18.3", "v21.7.0", "v22.11.0", "", "node"] {
            assert!(!is_new_enough(version), "{version}");
        }
    }

    #[test]
    fn a_client_is_built_again_when_its_source_changed() {
        let web = crate::root().join("target/tmp/stale-web");
        let _ = fs::remove_dir_all(&web);
        fs::create_dir_all(web.join("src/felt")).unwrap();
        fs::create_dir_all(web.join("dist")).unwrap();
        assert!(is_fresh(&web).is_err());
        let written = |name: &str, seconds: u64| {
            let file = fs::File::create(web.join(name)).unwrap();
            let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
            file.set_modified(time).unwrap();
        };
        written("src/felt/Card.svelte", 1);
        let soon = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs() + 60;
        written("dist/index.html", soon);
        assert!(is_fresh(&web).unwrap());
        written("src/felt/Card.svelte", soon + 60);
        assert!(!is_fresh(&web).unwrap());
    }
}
