//! A log that is five times as long needs no more memory. A test of its own, because it looks at the
//! memory of its process.
#![cfg(target_os = "linux")]

#[allow(dead_code)]
#[path = "../examples/long_log.rs"]
mod long_log;

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use audit::{replay, verify};

/// What the memory may grow by, in kilobytes: a log of 50,000 entries is 5,000 of them as text.
const GROWTH: u64 = 500;

fn written(entries: u64) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("log-of-{entries}"));
    let mut out = BufWriter::new(File::create(&path).unwrap());
    long_log::write(entries, &mut out).unwrap();
    out.flush().unwrap();
    path
}

fn read(path: &Path) -> BufReader<File> {
    BufReader::new(File::open(path).unwrap())
}

/// The most memory that this process had, in kilobytes.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn a_longer_log_needs_no_more_memory() {
    let [short, long] = [10_000, 50_000].map(written);
    let mut peaks = Vec::new();
    for path in [&short, &long] {
        let verdict = verify(read(path), &[]).unwrap();
        assert!(verdict.is_clean(), "{verdict}");
        assert!(replay(read(path), verdict.rounds - 1).unwrap().steps.len() > 1);
        peaks.push(peak());
        println!("{} entries, {} rounds, {} kB", verdict.entries, verdict.rounds, peak());
    }
    assert!(fs::metadata(&long).unwrap().len() / 1024 > 5 * GROWTH);
    assert!(peaks[1] - peaks[0] < GROWTH, "{peaks:?}");
    [short, long].iter().for_each(|path| fs::remove_file(path).unwrap());
}
