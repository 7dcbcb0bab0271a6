//! When the players of a crowd were answered, at which table: what shows how long a table stood still.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// An answer that was on its way when something broke may still arrive for so long.
const IN_FLIGHT: Duration = Duration::from_millis(100);

/// A table where nobody was answered for so long is one where nobody plays.
const PLAYED_WITHIN: Duration = Duration::from_secs(5);

/// The answers, by table, each with its Unix time.
pub(super) struct Timeline {
    file: File,
    /// The beginning of a line of which the rest is not written yet.
    begun: String,
    answers: BTreeMap<String, Vec<Duration>>,
}

/// Unix time.
pub(super) fn now() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

impl Timeline {
    /// What is written into a file from its beginning.
    pub(super) fn of(file: &Path) -> io::Result<Timeline> {
        Ok(Timeline { file: File::open(file)?, begun: String::new(), answers: BTreeMap::new() })
    }

    /// Reads what was added.
    pub(super) fn read(&mut self) -> io::Result<()> {
        self.file.read_to_string(&mut self.begun)?;
        let Some((lines, rest)) = self.begun.rsplit_once('\n') else { return Ok(()) };
        for line in lines.lines() {
            let mut words = line.split(' ');
            let time = words.next().and_then(|word| word.parse().ok());
            if let Some((time, table)) = time.zip(words.next()) {
                let times = self.answers.entry(table.to_owned()).or_default();
                times.push(Duration::from_millis(time));
            }
        }
        self.begun = rest.to_owned();
        Ok(())
    }

    /// How many answers there were.
    pub(super) fn count(&self) -> usize {
        self.answers.values().map(Vec::len).sum()
    }

    /// Whether somebody played at a table just before a moment.
    pub(super) fn was_played(&self, table: &str, at: Duration) -> bool {
        let is_before = |time: &&Duration| **time <= at && **time + PLAYED_WITHIN > at;
        self.answers.get(table).is_some_and(|times| times.iter().rev().any(|time| is_before(&time)))
    }

    /// All tables where somebody played just before a moment.
    pub(super) fn played(&self, at: Duration) -> Vec<String> {
        self.answers.keys().filter(|table| self.was_played(table, at)).cloned().collect()
    }

    /// How long after a moment somebody was answered again at a table.
    pub(super) fn gap(&self, table: &str, at: Duration) -> Option<Duration> {
        let after = |time: &&Duration| **time > at + IN_FLIGHT;
        self.answers.get(table)?.iter().filter(after).min().map(|time| *time - at)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    #[test]
    fn a_gap_ends_with_the_first_answer_that_was_not_on_its_way() {
        let path = std::env::temp_dir().join(format!("pitboss-timeline-{}", std::process::id()));
        fs::write(&path, "1000 war-1 ann\n1000 deck-1 bob\n8000 war-1 ann\n8150 war-").unwrap();
        let mut timeline = Timeline::of(&path).unwrap();
        timeline.read().unwrap();
        let at = Duration::from_millis(7900);
        assert_eq!(timeline.gap("war-1", at), None, "it was on its way");
        assert_eq!((timeline.count(), timeline.played(Duration::from_millis(8000)).len()), (3, 1));
        let mut file = File::options().append(true).open(&path).unwrap();
        file.write_all(b"1 cid\n10250 war-1 ann\n").unwrap();
        timeline.read().unwrap();
        assert_eq!(timeline.gap("war-1", at), Some(Duration::from_millis(250)));
        assert!(timeline.was_played("deck-1", Duration::from_millis(5900)));
        assert!(!timeline.was_played("deck-1", at));
        fs::remove_file(path).unwrap();
    }
}
