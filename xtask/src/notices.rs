//! `cargo xtask notices`: whose work is in the program, and under which licences.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::step::{Failure, Step};
use crate::{cargo, root};

const FILE: &str = "THIRD-PARTY.md";
/// The same for the wheel of the Python package, which has it with it.
const WHEEL_FILE: &str = "python/THIRD-PARTY.md";

/// The platform whose packages are listed, so that the list is the same wherever it is made.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// The packages of the page that are in what the browser loads.
const IN_THE_PAGE: [&str; 4] = ["@noble/hashes", "clsx", "esm-env", "svelte"];

/// The licences that ask for nothing but a notice.
const PERMISSIVE: [&str; 10] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Zlib",
];

const HEAD: &str = "\
# Third-party notices

Pitboss is built from these packages, besides the standard library of Rust and SQLite, which is in the
public domain. The list is for Linux and made by `cargo xtask notices`. A release made by `cargo xtask
dist` has the text of each licence.

| package | version | licence | source |
| --- | --- | --- | --- |
";

const WHEEL_HEAD: &str = "\
# Third-party notices

The compiled part of the Python package is built from these packages, besides the standard library of
Rust. The list is for Linux and made by `cargo xtask notices`.

| package | version | licence | source |
| --- | --- | --- | --- |
";

/// A package that somebody else made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Package {
    name: String,
    version: String,
    licence: String,
    source: String,
}

/// Writes the lists.
pub(crate) fn write() -> Result<(), Failure> {
    for (file, text) in texts_of_lists()? {
        fs::write(root().join(file), text)
            .map_err(|error| Failure::Found(format!("cannot write {file}: {error}")))?;
    }
    Ok(())
}

/// Checks that the lists are as they would be written today.
pub(crate) fn check() -> Result<(), Failure> {
    for (file, wanted) in texts_of_lists()? {
        if fs::read_to_string(root().join(file)).ok() != Some(wanted) {
            let sentence = format!("{file} is out of date; `cargo xtask notices` writes it.");
            return Err(Failure::Found(sentence));
        }
    }
    Ok(())
}

fn texts_of_lists() -> Result<[(&'static str, String); 2], Failure> {
    let wheel = crates("pitboss-python", &root().join("python"))?;
    Ok([(FILE, text(HEAD, &packages()?)?), (WHEEL_FILE, text(WHEEL_HEAD, &wheel)?)])
}

fn text(head: &str, packages: &BTreeSet<Package>) -> Result<String, Failure> {
    let mut text = head.to_owned();
    for Package { name, version, licence, source } in packages {
        if !is_permissive(licence) {
            return Err(Failure::Found(format!(
                "the licence of {name} {version} is not known to be permissive: '{licence}'"
            )));
        }
        text += &format!("| {name} | {version} | {licence} | {source} |\n");
    }
    Ok(text)
}

fn packages() -> Result<BTreeSet<Package>, Failure> {
    let mut packages = crates("pitboss", root())?;
    let lock = fs::read_to_string(root().join("web/package-lock.json"))
        .map_err(|error| Failure::Found(format!("cannot read web/package-lock.json: {error}")))?;
    for name in IN_THE_PAGE {
        let package = page_package(&lock, name);
        let missing = || Failure::Found(format!("web/package-lock.json has no {name}"));
        packages.insert(package.ok_or_else(missing)?);
    }
    Ok(packages)
}

/// What one of our packages is built from, in the workspace of a folder.
fn crates(package: &str, workspace: &Path) -> Result<BTreeSet<Package>, Failure> {
    let mut command = cargo(&["tree", "--locked", "--package", package, "--edges", "normal"]);
    command.args(["--target", PLATFORM, "--prefix", "none", "--format", "{p}|{l}|{r}"]);
    command.current_dir(workspace);
    let printed = Step::new("packages", command).output()?.stdout;
    Ok(String::from_utf8_lossy(&printed).lines().filter_map(crate_on).collect())
}

/// The package on a line such as `ryu v1.0.20|Apache-2.0 OR BSL-1.0|https://…`; none of ours, and none
/// that was there before.
fn crate_on(line: &str) -> Option<Package> {
    let line = line.trim_end_matches(" (*)");
    let mut parts = line.split('|').map(str::trim);
    let (package, licence, source) = (parts.next()?, parts.next()?, parts.next()?);
    let mut words = package.split(' ');
    let (name, version) = (words.next()?, words.next()?.trim_start_matches('v'));
    // Ours have a path.
    let is_ours = words.any(|word| word.starts_with("(/"));
    // The notation before SPDX had a slash.
    let licence = licence.replace('/', " OR ").replace("  ", " ");
    let package = Package {
        name: name.to_owned(),
        version: version.to_owned(),
        licence,
        source: source.trim_end_matches(" (*)").to_owned(),
    };
    (!is_ours).then_some(package)
}

/// A package as the lock file of the page has it.
fn page_package(lock: &str, name: &str) -> Option<Package> {
    let (_, entry) = lock.split_once(&format!("\"node_modules/{name}\": {{"))?;
    let (entry, _) = entry.split_once("\n    }")?;
    let field = |field: &str| {
        let (_, rest) = entry.split_once(&format!("\"{field}\": \""))?;
        Some(rest.split_once('"')?.0.to_owned())
    };
    Some(Package {
        name: name.to_owned(),
        version: field("version")?,
        licence: field("license")?,
        source: format!("https://www.npmjs.com/package/{name}"),
    })
}

/// Whether one of the licences that one may choose is a permissive one, in each part.
fn is_permissive(licence: &str) -> bool {
    let is_known = |one: &str| PERMISSIVE.contains(&one.trim_matches(|c| "() ".contains(c)));
    licence.split(" AND ").all(|part| part.split(" OR ").any(is_known))
}

/// Copies the texts of all licences, each package in a folder of its own; names the packages that have
/// none with them.
pub(crate) fn copy_licences(to: &Path) -> Result<Vec<String>, Failure> {
    let wrong = |error: std::io::Error| Failure::Found(format!("cannot copy licences: {error}"));
    let mut without = Vec::new();
    for Package { name, version, licence, .. } in packages()? {
        let folder = to.join(format!("{}-{version}", name.replace(['@', '/'], "")));
        let texts: Vec<PathBuf> = source_of(&name, &version).into_iter().flat_map(texts).collect();
        if texts.is_empty() {
            without.push(format!("{name} {version} ({licence})"));
            continue;
        }
        fs::create_dir_all(&folder).map_err(wrong)?;
        for text in texts {
            let file = text.file_name().unwrap_or_default().to_owned();
            fs::copy(&text, folder.join(file)).map_err(wrong)?;
        }
    }
    Ok(without)
}

/// Where the source of a package lies that was built.
fn source_of(name: &str, version: &str) -> Option<PathBuf> {
    if IN_THE_PAGE.contains(&name) {
        return Some(root().join("web/node_modules").join(name));
    }
    let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = || std::env::home_dir().map(|home| home.join(".cargo"));
    let registries = fs::read_dir(cargo_home.or_else(home)?.join("registry/src")).ok()?;
    let folders = registries.flatten().map(|entry| entry.path().join(format!("{name}-{version}")));
    folders.into_iter().find(|folder| folder.is_dir())
}

/// The files in the folder of a package that tell its licence.
fn texts(folder: PathBuf) -> Vec<PathBuf> {
    let is_text = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        let starts = ["LICEN", "COPY", "NOTICE", "UNLICENSE"];
        path.is_file() && starts.iter().any(|start| name.starts_with(start))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(is_text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_read_from_a_line_of_the_tree() {
        let package = crate_on("ryu v1.0.20|Apache-2.0/BSL-1.0|https://x.y/ryu (*)").unwrap();
        let wanted = ["ryu", "1.0.20", "Apache-2.0 OR BSL-1.0", "https://x.y/ryu"];
        let Package { name, version, licence, source } = package;
        assert_eq!([name, version, licence, source], wanted);
        let serde = crate_on("serde_derive v1.0.228 (proc-macro)|MIT OR Apache-2.0|").unwrap();
        assert_eq!(serde.version, "1.0.228");
        assert_eq!(crate_on("pitboss v0.1.0 (/home/x/pitboss)|MIT|"), None);
    }

    #[test]
    fn a_package_is_read_from_the_lock_file_of_the_page() {
        let lock = "{\n    \"node_modules/clsx\": {\n      \"version\": \"2.1.1\",\n      \"license\": \"MIT\"\n    },\n";
        let package = page_package(lock, "clsx").unwrap();
        assert_eq!((package.version.as_str(), package.licence.as_str()), ("2.1.1", "MIT"));
        assert_eq!(page_package(lock, "svelte"), None);
    }

    #[test]
    fn a_licence_that_asks_for_more_is_found() {
        for good in ["MIT", "MIT OR GPL-3.0", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
            assert!(is_permissive(good), "{good}");
        }
        for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "Proprietary"] {
            assert!(!is_permissive(bad), "{bad}");
        }
    }
}
