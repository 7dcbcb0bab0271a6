//! Files for tests, beside what cargo builds and not in the temporary folder of the system.

use std::path::PathBuf;

/// A file in a new folder of its own, in the place of the files of integration tests. What an earlier
/// run left there is gone.
pub(crate) fn file(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a running program has a path");
    let target = test.ancestors().nth(3).expect("tests lie in TARGET/PROFILE/deps");
    let folder = target.join("tmp/house").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("cargo can write there too");
    folder.join(crate::STORE_FILE)
}
