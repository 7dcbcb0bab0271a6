//! Dependencies that a manifest names and no code uses.

use std::fs;
use std::path::Path;

use crate::root;
use crate::step::Failure;

/// The tables of a manifest that name dependencies, and the folders whose code may use them.
const TABLES: [(&str, &[&str]); 3] = [
    ("[dependencies]", &["src"]),
    ("[dev-dependencies]", &["src", "tests", "examples", "benches"]),
    ("[build-dependencies]", &["build", "build.rs"]),
];

/// Checks all crates, and that each common version is asked for by one of them.
pub(crate) fn check() -> Result<(), Failure> {
    let read = |path: &Path| {
        let wrong = |error| Failure::Found(format!("cannot read {}: {error}", path.display()));
        fs::read_to_string(path).map_err(wrong)
    };
    let workspace = read(&root().join("Cargo.toml"))?;
    let mut unused = Vec::new();
    let mut asked_for = String::new();
    for member in members(&workspace) {
        let folder = root().join(member);
        let manifest = read(&folder.join("Cargo.toml"))?;
        for (table, folders) in TABLES {
            let code: String = folders.iter().map(|name| code(&folder.join(name))).collect();
            let unused_here = names(&manifest, table).filter(|name| !is_used(name, &code));
            unused.extend(unused_here.map(|name| format!("{name} in {member}")));
        }
        asked_for += &manifest;
    }
    let all: Vec<&str> = TABLES.iter().flat_map(|(table, _)| names(&asked_for, table)).collect();
    let common = names(&workspace, "[workspace.dependencies]");
    unused.extend(
        common.filter(|name| !all.contains(name)).map(|name| format!("{name} in Cargo.toml")),
    );
    match unused.is_empty() {
        true => Ok(()),
        false => Err(Failure::Found(format!("nothing uses {}.", unused.join(", ")))),
    }
}

/// The folders of the crates.
fn members(workspace: &str) -> Vec<&str> {
    let line = workspace.lines().find(|line| line.starts_with("members = ["));
    line.into_iter().flat_map(|line| line.split('"').skip(1).step_by(2)).collect()
}

/// The names in all tables of this kind.
fn names<'a>(manifest: &'a str, table: &'a str) -> impl Iterator<Item = &'a str> {
    let mut is_inside = false;
    let end = table.replace('[', ".");
    manifest.lines().filter_map(move |line| {
        if line.starts_with('[') {
            // Or those of one platform: `[target.'cfg(unix)'.dependencies]`.
            let of_a_platform = line.starts_with("[target.") && line.trim().ends_with(&end);
            is_inside = line.trim() == table || of_a_platform;
            return None;
        }
        let name = line.split(['.', ' ', '=']).next().filter(|name| !name.is_empty());
        name.filter(|name| is_inside && !name.starts_with('#'))
    })
}

/// Whether code says `name::`, `name;` or `name as`, in the spelling of code.
fn is_used(name: &str, code: &str) -> bool {
    let name = name.replace('-', "_");
    code.match_indices(&name).any(|(at, _)| {
        let is_whole = !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let rest = &code[at + name.len()..];
        is_whole && ["::", ";", " as "].iter().any(|after| rest.starts_with(after))
    })
}

/// All code of a file or folder.
fn code(path: &Path) -> String {
    if path.is_dir() {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        return entries.map(|entry| code(&entry.path())).collect();
    }
    match path.extension().is_some_and(|extension| extension == "rs") {
        true => fs::read_to_string(path).unwrap_or_default(),
        false => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_named_that_no_code_uses() {
        check().unwrap();
    }

    #[test]
    fn names_are_read_from_their_own_table() {
        let manifest =
            "[dependencies]\n# one\nrust-embed.workspace = true\nserde = \"1\"\n\n[lints]\nx = 1\n";
        assert_eq!(names(manifest, "[dependencies]").collect::<Vec<_>>(), ["rust-embed", "serde"]);
        let of_a_platform = "[target.'cfg(unix)'.dependencies]\nrustix = \"1\"\n";
        assert_eq!(names(of_a_platform, "[dependencies]").collect::<Vec<_>>(), ["rustix"]);
        assert_eq!(names(of_a_platform, "[dev-dependencies]").count(), 0);
        assert_eq!(members("members = [\"a/b\", \"c\"]\n"), ["a/b", "c"]);
    }

    #[test]
    fn a_name_is_used_as_a_whole_word_in_a_path() {
        assert!(is_used("rust-embed", "use rust_embed::Embed;"));
        assert!(is_used("proptest", "use proptest as p;"));
        assert!(!is_used("serde", "use serde_json::Value;"));
        assert!(!is_used("time", "let time = 7; use std::timer::T;"));
        assert!(!is_used("rand", "// rand is not used"));
    }
}
