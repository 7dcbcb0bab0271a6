//! What somebody has trained, as text that can be kept.
//!
//! ```text
//! training 1
//! asked 12
//! item 2 30 hard 16 T
//! day 20775 decision 12 9 40312 15000
//! ```
//!
//! An item has its box and when it is due; a day has the drill, the answers, the right ones, the
//! milliseconds that they took, and what mistakes cost in millionths of the main wager.

use std::fmt::{self, Write as _};

use super::Drill;
use super::schedule::{Item, MOST_ITEMS, Schedule, WAITS};

/// The longest record, in bytes; the oldest days are forgotten first.
pub const LONGEST_RECORD: usize = 32 * 1024;

/// The most days of all drills that are kept.
const MOST_DAYS: usize = 240;

/// Room for them, in bytes; the rest is for items.
const DAYS_ROOM: usize = 10 * 1024;

/// An answer takes at most this long, in milliseconds: beyond it somebody was away.
pub const LONGEST_ANSWER_MS: u32 = 120_000;

const HEAD: &str = "training 1";

/// What somebody has trained in a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Decisions, and when each is asked again.
    pub schedule: Schedule,
    /// The days, the earliest first.
    pub days: Vec<Day>,
}

/// What was answered in one drill on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    /// Days since 1970.
    pub day: u32,
    /// The drill.
    pub drill: Drill,
    /// Answers, and how many were right.
    pub answers: u32,
    /// How many of them were right.
    pub right: u32,
    /// How long they took in all, in milliseconds.
    pub milliseconds: u64,
    /// What mistakes cost in all, in millionths of the main wager.
    pub millionths: u64,
}

/// A text that is no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotARecord;

impl fmt::Display for NotARecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this is no record of training that this program can read")
    }
}

impl std::error::Error for NotARecord {}

/// An answer, as far as it is kept.
#[derive(Clone, Copy, Debug)]
pub struct Mark<'a> {
    /// The drill.
    pub drill: Drill,
    /// What was asked, where it is scheduled.
    pub item: Option<&'a str>,
    /// Whether the answer was right.
    pub is_right: bool,
    /// How long it took.
    pub milliseconds: u32,
    /// What it cost, in units of the main wager.
    pub cost: f64,
}

impl Record {
    /// Takes an answer.
    pub fn note(&mut self, day: u32, mark: Mark<'_>) {
        if let Some(item) = mark.item {
            self.schedule.note(item, mark.is_right);
        }
        let is_of = |one: &&mut Day| one.day == day && one.drill == mark.drill;
        let today = match self.days.iter_mut().find(is_of) {
            Some(today) => today,
            None => {
                let drill = mark.drill;
                let none = Day { day, drill, answers: 0, right: 0, milliseconds: 0, millionths: 0 };
                let excess = (self.days.len() + 1).saturating_sub(MOST_DAYS);
                self.days.drain(..excess);
                self.days.push(none);
                self.days.last_mut().expect("it has just been added")
            }
        };
        today.answers = today.answers.saturating_add(1);
        today.right = today.right.saturating_add(mark.is_right.into());
        let took = u64::from(mark.milliseconds.min(LONGEST_ANSWER_MS));
        today.milliseconds = today.milliseconds.saturating_add(took);
        today.millionths = today.millionths.saturating_add(millionths(mark.cost));
    }

    /// Reads a record.
    pub fn read(text: &str) -> Result<Record, NotARecord> {
        let mut lines = text.lines();
        if text.len() > LONGEST_RECORD || lines.next() != Some(HEAD) {
            return Err(NotARecord);
        }
        let mut record = Record::default();
        lines.try_for_each(|line| record.take(line)).ok_or(NotARecord)?;
        Ok(record)
    }

    fn take(&mut self, line: &str) -> Option<()> {
        let (kind, rest) = line.split_once(' ')?;
        match kind {
            "asked" => self.schedule.asked = rest.parse().ok()?,
            "item" => {
                let [place, due, name] = parts(rest)?;
                let place = place.parse().ok().filter(|place| *place < WAITS.len())?;
                let item = Item { place, due: due.parse().ok()? };
                let is_room = self.schedule.items.len() < MOST_ITEMS;
                is_room.then(|| self.schedule.items.insert(name.to_owned(), item))?;
            }
            "day" => {
                let [day, drill, answers, right, milliseconds, millionths] = parts(rest)?;
                let day = Day {
                    day: day.parse().ok()?,
                    drill: Drill::named(drill)?,
                    answers: answers.parse().ok()?,
                    right: right.parse().ok()?,
                    milliseconds: milliseconds.parse().ok()?,
                    millionths: millionths.parse().ok()?,
                };
                (self.days.len() < MOST_DAYS && day.right <= day.answers).then_some(())?;
                self.days.push(day);
            }
            _ => return None,
        }
        Some(())
    }

    /// The record as text, at most [`LONGEST_RECORD`] bytes.
    pub fn text(&self) -> String {
        let mut text = format!("{HEAD}\nasked {}\n", self.schedule.asked);
        for (name, Item { place, due }) in &self.schedule.items {
            let line = format!("item {place} {due} {name}\n");
            if text.len() + line.len() > LONGEST_RECORD - DAYS_ROOM {
                break;
            }
            text.push_str(&line);
        }
        let days = self.days.iter().map(|day| {
            let mut line = format!("day {} {} {}", day.day, day.drill.name(), day.answers);
            let (took, cost) = (day.milliseconds, day.millionths);
            let _ = writeln!(line, " {} {took} {cost}", day.right);
            line
        });
        let days: Vec<String> = days.collect();
        let mut room = LONGEST_RECORD - text.len();
        let fits = days.iter().rev().take_while(|line| {
            let is_room = line.len() <= room;
            room = room.saturating_sub(line.len());
            is_room
        });
        let fits = fits.count();
        days[days.len() - fits..].iter().for_each(|line| text.push_str(line));
        text
    }
}

/// The words of a line, the last of which may have spaces.
fn parts<const N: usize>(text: &str) -> Option<[&str; N]> {
    let words: Vec<&str> = text.splitn(N, ' ').collect();
    words.try_into().ok()
}

/// A cost in millionths.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn millionths(cost: f64) -> u64 {
    (cost * 1e6).round().clamp(0.0, 1e12) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(item: &str, is_right: bool) -> Mark<'_> {
        let (drill, cost) = (Drill::Decision, if is_right { 0.0 } else { 0.015 });
        Mark { drill, item: Some(item), is_right, milliseconds: 1_500, cost }
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let mut record = Record::default();
        record.note(20_775, mark("hard 16 T", false));
        record.note(20_775, mark("hard 12 3", true));
        let running = Mark { drill: Drill::Running, item: None, ..mark("", true) };
        record.note(20_775, running);
        record.note(20_776, Mark { milliseconds: u32::MAX, ..mark("hard 16 T", true) });
        let text = record.text();
        assert_eq!(
            text,
            "training 1\nasked 3\nitem 2 22 hard 12 3\nitem 1 11 hard 16 T\n\
             day 20775 decision 2 1 3000 15000\nday 20775 running 1 1 1500 0\n\
             day 20776 decision 1 1 120000 0\n"
        );
        assert_eq!(Record::read(&text), Ok(record));
    }

    #[test]
    fn what_is_no_record_is_refused() {
        let long = "x".repeat(LONGEST_RECORD + 1);
        for wrong in [
            "",
            "training 2\n",
            "training 1\nasked -1\n",
            "training 1\nitem 9 1 hard 16 T\n",
            "training 1\nitem 1 hard\n",
            "training 1\nday 1 decision 2 3 0 0\n",
            "training 1\nday 1 juggling 2 1 0 0\n",
            "training 1\nanything else\n",
            &long,
        ] {
            assert_eq!(Record::read(wrong), Err(NotARecord), "{wrong:.40}");
        }
    }

    #[test]
    fn a_record_stays_within_its_length_whatever_is_trained() {
        let mut record = Record::default();
        for day in 0..500 {
            for item in 0..4 {
                let name = format!("a rather long name of something asked {day} {item}");
                record.note(day, mark(&name, true));
            }
            for drill in Drill::ALL {
                record.note(day, Mark { drill, item: None, ..mark("", true) });
            }
        }
        assert_eq!(record.days.len(), MOST_DAYS);
        let text = record.text();
        assert!(text.len() <= LONGEST_RECORD);
        let read = Record::read(&text).unwrap();
        assert_eq!(read.days.last(), record.days.last());
    }
}
