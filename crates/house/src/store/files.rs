//! The files of a house, which only their owner may read: folders are 0700 and files 0600. A symbolic link
//! where the house has a file or folder of its own is refused: what it names would be changed instead.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::StoreError;

/// What a file is called until all of it is written.
const UNFINISHED: &str = ".new";

/// The file of this name with an ending of SQLite's.
pub(super) fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Makes a folder of the house where there is none. One that others may use is closed to them.
pub(crate) fn private_folder(folder: &Path) -> io::Result<()> {
    refuse_link(folder)?;
    new_folder(folder)?;
    close_to_others(folder, 0o700)
}

/// Makes the folder of a store. One with other things in it is somebody's own and stays as it is; the
/// files of the store are closed to others there, too.
pub(crate) fn store_folder(folder: &Path) -> io::Result<()> {
    new_folder(folder)?;
    for entry in std::fs::read_dir(folder)? {
        if !is_of_house(&entry?.file_name()) {
            return Ok(());
        }
    }
    close_to_others(folder, 0o700)
}

/// Whether a house makes something with this name in its folder.
fn is_of_house(name: &OsStr) -> bool {
    let beside_store = |name: &str| name.starts_with(crate::STORE_FILE);
    name.to_str().is_some_and(|name| {
        let others = [crate::LOCK_FILE, crate::HOUSE_FILE, crate::BACKUPS, super::ROOM_FILE];
        let name = name.strip_suffix(UNFINISHED).unwrap_or(name);
        beside_store(name) || others.contains(&name)
    })
}

/// Makes a folder where there is none, for its owner alone. One that is there stays as it is.
pub fn new_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Makes a file of the house where there is none. One that others may read is closed to them.
pub(crate) fn private_file(file: &Path) -> io::Result<File> {
    refuse_link(file)?;
    let opened = options().read(true).write(true).create(true).truncate(false).open(file)?;
    close_to_others(file, 0o600)?;
    Ok(opened)
}

/// Refuses a symbolic link where a file or folder of the house is, or will be.
pub(super) fn refuse_link(path: &Path) -> io::Result<()> {
    match std::fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => {
            let sentence = format!(
                "{} is a symbolic link, which the house does not follow; put the file or folder itself \
                 there, or remove the link",
                path.display()
            );
            Err(io::Error::new(LINK, sentence))
        }
        _ => Ok(()),
    }
}

/// What a refused link is among the errors of files.
const LINK: io::ErrorKind = io::ErrorKind::InvalidInput;

/// Why a file cannot be used, for whoever named it.
pub(super) fn refused(error: &io::Error) -> StoreError {
    match error.kind() {
        LINK => StoreError::Unsuitable(error.to_string()),
        _ => StoreError::Failed(error.to_string()),
    }
}

/// Makes a file that is not there yet, for its owner alone.
pub(super) fn new_file(file: &Path) -> io::Result<File> {
    options().write(true).create_new(true).open(file)
}

/// Writes a file of the house as a whole: it is there with all of its text, or as it was before.
pub(crate) fn whole_file(file: &Path, text: &str) -> io::Result<()> {
    refuse_link(file)?;
    let unfinished = beside(file, UNFINISHED);
    let write = || {
        let mut begun = empty_file(&unfinished)?;
        begun.write_all(text.as_bytes())?;
        begun.sync_all()?;
        std::fs::rename(&unfinished, file)
    };
    write().inspect_err(|_| drop(std::fs::remove_file(&unfinished)))?;
    // The new name is in the folder.
    #[cfg(unix)]
    File::open(file.parent().unwrap_or(Path::new(".")))?.sync_all()?;
    Ok(())
}

/// Begins a file anew, for its owner alone.
pub(super) fn empty_file(file: &Path) -> io::Result<File> {
    let opened = private_file(file)?;
    opened.set_len(0)?;
    Ok(opened)
}

/// How a file is opened: for its owner alone, and never through a link, even one that was put there a
/// moment ago.
fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let no_follow = rustix::fs::OFlags::NOFOLLOW.bits().cast_signed();
        options.mode(0o600).custom_flags(no_follow);
    }
    options
}

/// Takes the rights of others away, and says so.
#[cfg(unix)]
pub(super) fn close_to_others(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let is = std::fs::metadata(path)?.permissions().mode() & 0o777;
    if is & !mode == 0 {
        return Ok(());
    }
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).map_err(|error| {
        let why = format!(
            "other users can read it ({is:03o}), and its permissions cannot be changed: {error}"
        );
        io::Error::new(error.kind(), why)
    })?;
    let path = path.display();
    tracing::warn!(what = "rights", %path, before = format!("{is:03o}"), now = format!("{mode:03o}"), "other users could read this; its permissions are tightened");
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn close_to_others(_path: &Path, _mode: u32) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_others_could_read_is_closed_to_them() {
        let folder = crate::scratch::file("rights").with_file_name("folder");
        private_folder(&folder).unwrap();
        let file = folder.join("file");
        drop(private_file(&file).unwrap());
        assert_eq!((mode(&folder), mode(&file)), (0o700, 0o600));
        for (path, looser) in [(&folder, 0o755), (&file, 0o644)] {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(looser)).unwrap();
        }
        private_folder(&folder).unwrap();
        drop(private_file(&file).unwrap());
        assert_eq!((mode(&folder), mode(&file)), (0o700, 0o600));
        assert!(new_file(&file).is_err(), "no file is written over");

        // All of a text or nothing, also after a start that broke off.
        let (named, begun) = (folder.join("pitboss.house"), folder.join("pitboss.house.new"));
        std::fs::write(&begun, "some of what was").unwrap();
        for text in ["one\n", "other\n"] {
            whole_file(&named, text).unwrap();
            assert_eq!(
                (std::fs::read_to_string(&named).unwrap(), mode(&named)),
                (text.into(), 0o600)
            );
            assert!(!begun.exists());
        }
        new_folder(&begun).unwrap();
        assert!(whole_file(&named, "third\n").is_err());
        assert_eq!(std::fs::read_to_string(&named).unwrap(), "other\n");
        std::fs::remove_dir(&begun).unwrap();

        // A link is refused, and what it names stays as it is.
        let (letter, link) = (folder.with_file_name("letter"), folder.join("link"));
        std::fs::write(&letter, "dear ann").unwrap();
        std::fs::set_permissions(&letter, std::fs::Permissions::from_mode(0o644)).unwrap();
        std::os::unix::fs::symlink(&letter, &link).unwrap();
        let refused = empty_file(&link).unwrap_err().to_string();
        assert!(
            refused.contains("link is a symbolic link, which the house does not follow"),
            "{refused}"
        );
        assert!(private_file(&link).is_err() && options().write(true).open(&link).is_err());
        assert_eq!((mode(&letter), std::fs::read(&letter).unwrap().len()), (0o644, 8));
        let (open, link) = (folder.with_file_name("open"), folder.join("folder-link"));
        new_folder(&open).unwrap();
        std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o755)).unwrap();
        std::os::unix::fs::symlink(&open, &link).unwrap();
        assert!(private_folder(&link).is_err());
        assert_eq!(mode(&open), 0o755);

        // Somebody's folder stays as it is.
        let other = folder.with_file_name("other");
        new_folder(&other).unwrap();
        std::fs::write(other.join("letter"), "").unwrap();
        std::fs::set_permissions(&other, std::fs::Permissions::from_mode(0o755)).unwrap();
        store_folder(&other).unwrap();
        assert_eq!(mode(&other), 0o755);
        // Also once a store is in it.
        for name in ["pitboss.db", "pitboss.db-wal", "pitboss.db-shm", "pitboss.lock", "backups"] {
            std::fs::write(other.join(name), "").unwrap();
        }
        store_folder(&other).unwrap();
        assert_eq!(mode(&other), 0o755);
        std::fs::remove_file(other.join("letter")).unwrap();
        store_folder(&other).unwrap();
        assert_eq!(mode(&other), 0o700);
    }
}
