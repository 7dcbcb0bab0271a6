//! `cargo xtask dist`: a folder with everything that a release consists of.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::{Failure, Step};
use crate::{cargo, notices, root, target_dir, web};

/// The profile that a release is built with.
const PROFILE: &str = "release";

/// What is copied as it is, where it is there.
const COPIED: [&str; 6] =
    ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "SECURITY.md", "THIRD-PARTY.md", "deploy"];

/// The shells that have completions, and the file of each.
const SHELLS: [(&str, &str); 3] =
    [("bash", "pitboss.bash"), ("fish", "pitboss.fish"), ("zsh", "_pitboss")];

/// Builds the folder anew, and says where it is and what the program needs.
pub(crate) fn run() -> Result<(), Failure> {
    web::build_if_stale()?;
    notices::check()?;
    let build = ["build", "--locked", "--profile", PROFILE, "--package", "pitboss"];
    Step::new("build", cargo(&build)).run()?;
    let host = host()?;
    let folder =
        target_dir().join("dist").join(format!("pitboss-{}-{host}", env!("CARGO_PKG_VERSION")));
    let _ = fs::remove_dir_all(&folder);
    let program = target_dir().join(PROFILE).join("pitboss");
    let wrong = |error: io::Error| Failure::Found(format!("cannot write the release: {error}"));
    fill(&folder, &program).map_err(wrong)?;
    from_the_program(&program, &folder)?;
    let without = notices::copy_licences(&folder.join("licences"))?;
    if !without.is_empty() {
        let names = without.join("\n");
        fs::write(folder.join("licences/without-a-text.txt"), format!("{names}\n"))
            .map_err(wrong)?;
    }
    let needs = needs(&program, &host)?;
    fs::write(folder.join("BUILD.txt"), &needs).map_err(wrong)?;
    sums(&folder)?;
    println!("\n{needs}\nThe release is in {}", folder.display());
    Ok(())
}

/// Copies the program and what goes with it.
fn fill(folder: &Path, program: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::copy(program, folder.join("pitboss"))?;
    let there = COPIED.iter().filter(|name| root().join(name).exists());
    for name in there {
        copy(&root().join(name), &folder.join(name))?;
    }
    Ok(())
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        return fs::copy(from, to).map(drop);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// Completions and manual pages, which the program writes itself.
fn from_the_program(program: &Path, folder: &Path) -> Result<(), Failure> {
    let wrong = |error: io::Error| Failure::Found(format!("cannot write the release: {error}"));
    let completions = folder.join("completions");
    fs::create_dir_all(&completions).map_err(wrong)?;
    for (shell, file) in SHELLS {
        let mut command = Command::new(program);
        command.args(["completions", shell]);
        let text = Step::new("completions", command).output()?.stdout;
        fs::write(completions.join(file), text).map_err(wrong)?;
    }
    let mut command = Command::new(program);
    command.arg("man").arg(folder.join("man/man1"));
    Step::new("manual pages", command).output().map(drop)
}

/// What the program was built with and what it needs to run.
fn needs(program: &Path, host: &str) -> Result<String, Failure> {
    let mut rustc = Command::new("rustc");
    rustc.arg("--version");
    let rustc = Step::new("rustc", rustc).output()?.stdout;
    let mut text = format!(
        "pitboss {} for {host}, built with {}\n",
        env!("CARGO_PKG_VERSION"),
        String::from_utf8_lossy(&rustc).trim()
    );
    let bytes = fs::read(program)
        .map_err(|error| Failure::Found(format!("cannot read the program: {error}")))?;
    if let Some((major, minor)) = newest_glibc(&bytes) {
        text += &format!("It needs glibc {major}.{minor} or newer, and links against\n");
        let mut ldd = Command::new("ldd");
        ldd.arg(program);
        let libraries = Step::new("ldd", ldd).output()?.stdout;
        let libraries = String::from_utf8_lossy(&libraries);
        let names = libraries.lines().filter_map(|line| line.split_whitespace().next());
        text += &names.map(|name| format!("  {name}\n")).collect::<String>();
    }
    Ok(text)
}

/// The newest version of glibc whose functions a program names.
fn newest_glibc(program: &[u8]) -> Option<(u32, u32)> {
    const MARK: &[u8] = b"GLIBC_";
    let starts = program.windows(MARK.len()).enumerate().filter(|(_, bytes)| *bytes == MARK);
    let versions = starts.filter_map(|(at, _)| {
        let rest = &program[at + MARK.len()..];
        let end = rest.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'.')?;
        let text = std::str::from_utf8(&rest[..end]).ok()?;
        let mut numbers = text.split('.').map(str::parse::<u32>);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    });
    versions.max()
}

/// Writes `SHA256SUMS`, which `sha256sum --check` reads.
fn sums(folder: &Path) -> Result<(), Failure> {
    let mut files = Vec::new();
    let wrong = |error: io::Error| Failure::Found(format!("cannot read the release: {error}"));
    collect(folder, folder, &mut files).map_err(wrong)?;
    files.sort();
    // The one is of Linux, the other of macOS; both print the same.
    let mut command = match cfg!(target_os = "macos") {
        true => Command::new("shasum"),
        false => Command::new("sha256sum"),
    };
    if cfg!(target_os = "macos") {
        command.args(["-a", "256"]);
    }
    command.args(files).current_dir(folder);
    let text = Step::new("sums", command).output()?.stdout;
    fs::write(folder.join("SHA256SUMS"), text).map_err(wrong)
}

/// All files in a folder, by their paths from the root.
fn collect(folder: &Path, root: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, root, files)?;
        } else if let Ok(file) = path.strip_prefix(root) {
            files.push(file.to_owned());
        }
    }
    Ok(())
}

/// The platform that this is.
fn host() -> Result<String, Failure> {
    let mut rustc = Command::new("rustc");
    rustc.arg("-vV");
    let printed = Step::new("rustc", rustc).output()?.stdout;
    let printed = String::from_utf8_lossy(&printed);
    let host = printed.lines().find_map(|line| line.strip_prefix("host: "));
    let none = || Failure::Found("rustc does not name its platform".to_owned());
    host.map(str::to_owned).ok_or_else(none)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_that_a_program_names_is_what_it_needs() {
        let program = b"\0GLIBC_2.9\0GLIBC_2.34\0GLIBC_2.2.5\0GLIBC_PRIVATE\0";
        assert_eq!(newest_glibc(program), Some((2, 34)));
        assert_eq!(newest_glibc(b"static"), None);
    }

    #[test]
    fn a_folder_is_copied_with_all_that_is_in_it() {
        let folder = root().join("target/tmp/dist");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("from/a/b")).unwrap();
        fs::write(folder.join("from/a/b/unit"), "x").unwrap();
        copy(&folder.join("from"), &folder.join("to")).unwrap();
        let mut files = Vec::new();
        collect(&folder.join("to"), &folder.join("to"), &mut files).unwrap();
        assert_eq!(files, [Path::new("a/b/unit")]);
    }
}
