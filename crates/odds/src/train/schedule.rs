//! What is asked next: what one got wrong comes back sooner.
//!
//! Whatever is asked lies in a box. A right answer moves it to the next box, which is asked later, and a
//! wrong one to the first. Time is counted in questions, so that a break costs nothing.

use std::collections::BTreeMap;

use rules::shoe::{Numbers, below};

/// After how many questions what lies in each box is asked again.
pub const WAITS: [u32; 6] = [3, 8, 20, 60, 180, 500];

/// The most things that are scheduled.
pub const MOST_ITEMS: usize = 1_000;

/// Where something lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// The box, counted from 0.
    pub place: usize,
    /// After how many questions it is due.
    pub due: u32,
}

/// Everything that was asked, and when it is asked again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// How many questions were answered.
    pub(super) asked: u32,
    pub(super) items: BTreeMap<String, Item>,
}

impl Schedule {
    /// How many questions were answered.
    pub fn asked(&self) -> u32 {
        self.asked
    }

    /// Where something lies; none where it was never asked.
    pub fn item(&self, name: &str) -> Option<Item> {
        self.items.get(name).copied()
    }

    /// How many things lie in each box.
    pub fn boxes(&self) -> [usize; WAITS.len()] {
        let mut boxes = [0; WAITS.len()];
        self.items.values().for_each(|item| boxes[item.place.min(WAITS.len() - 1)] += 1);
        boxes
    }

    /// Takes an answer.
    pub fn note(&mut self, name: &str, is_right: bool) {
        self.asked = self.asked.saturating_add(1);
        let before = self.items.get(name).copied();
        if before.is_none() && self.items.len() >= MOST_ITEMS {
            return;
        }
        let place = match before {
            _ if !is_right => 0,
            // What is known at once need not be asked soon.
            None => 2,
            Some(item) => (item.place + 1).min(WAITS.len() - 1),
        };
        let due = self.asked.saturating_add(WAITS[place]);
        self.items.insert(name.to_owned(), Item { place, due });
    }

    /// The next one of these names: what is due first, then what was never asked, then what is due
    /// soonest; never `last`, unless there is no other.
    pub fn next<'a>(
        &self,
        names: &'a [String],
        last: Option<&str>,
        numbers: &mut impl Numbers,
    ) -> Option<&'a str> {
        let others: Vec<&'a str> =
            names.iter().map(String::as_str).filter(|&name| Some(name) != last).collect();
        let due = |name: &str| self.items.get(name).map(|item| item.due);
        let soonest = others.iter().copied().filter_map(|name| Some((due(name)?, name))).min();
        if let Some((_, name)) = soonest.filter(|(due, _)| *due <= self.asked) {
            return Some(name);
        }
        let new: Vec<&str> = others.iter().copied().filter(|name| due(name).is_none()).collect();
        let count = u32::try_from(new.len()).unwrap_or(u32::MAX);
        match count {
            0 => soonest.map(|(_, name)| name).or_else(|| names.first().map(String::as_str)),
            count => new.get(below(count, numbers) as usize).copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|n| format!("n{n}")).collect()
    }

    /// Numbers that always draw the first; nothing would be drawn with 0, which is never accepted.
    fn first() -> impl Numbers {
        || 1_u64
    }

    #[test]
    fn what_was_wrong_comes_back_after_three_questions() {
        let (mut schedule, names) = (Schedule::default(), names(100));
        schedule.note("n7", false);
        let mut asked = Vec::new();
        for _ in 0..5 {
            let last = asked.last().copied();
            let next = schedule.next(&names, last, &mut first()).unwrap();
            schedule.note(next, true);
            asked.push(next);
        }
        assert_eq!(asked, ["n0", "n1", "n2", "n7", "n3"]);
    }

    #[test]
    fn right_answers_make_the_wait_longer_and_a_wrong_one_the_shortest() {
        let mut schedule = Schedule::default();
        let wait = |schedule: &Schedule| schedule.item("a").unwrap().due - schedule.asked();
        schedule.note("a", false);
        assert_eq!(wait(&schedule), 3);
        let waits: Vec<u32> = (0..6)
            .map(|_| {
                schedule.note("a", true);
                wait(&schedule)
            })
            .collect();
        assert_eq!(waits, [8, 20, 60, 180, 500, 500]);
        schedule.note("a", false);
        assert_eq!(wait(&schedule), 3);
        // What was never wrong waits from the beginning.
        schedule.note("b", true);
        assert_eq!(schedule.item("b").unwrap().due - schedule.asked(), 20);
        assert_eq!(schedule.boxes(), [1, 0, 1, 0, 0, 0]);
    }

    #[test]
    fn nothing_is_asked_twice_in_a_row_unless_there_is_nothing_else() {
        let mut schedule = Schedule::default();
        let two = names(2);
        let mut last = None;
        for _ in 0..20 {
            let next = schedule.next(&two, last, &mut first()).unwrap();
            assert_ne!(Some(next), last);
            schedule.note(next, false);
            last = Some(next);
        }
        let one = names(1);
        assert_eq!(schedule.next(&one, Some("n0"), &mut first()), Some("n0"));
        assert_eq!(schedule.next(&[], None, &mut first()), None);
    }

    #[test]
    fn everything_is_asked_before_anything_comes_back_that_was_right() {
        let (mut schedule, names) = (Schedule::default(), names(15));
        let mut asked = Vec::new();
        for _ in 0..15 {
            let next = schedule.next(&names, None, &mut first()).unwrap();
            schedule.note(next, true);
            asked.push(next.to_owned());
        }
        asked.sort();
        let mut all = names;
        all.sort();
        assert_eq!(asked, all);
    }

    #[test]
    fn no_more_is_kept_than_there_is_room_for() {
        let mut schedule = Schedule::default();
        for name in names(MOST_ITEMS + 5) {
            schedule.note(&name, true);
        }
        assert_eq!(schedule.items.len(), MOST_ITEMS);
        assert_eq!(schedule.asked() as usize, MOST_ITEMS + 5);
    }
}
