//! When things happen at a table: the times of its inputs, and what the log says of clocks, paces and
//! who is there. It is written together with the next input.

use std::time::Duration;

use audit::chain::{Chain, Entry};
use audit::log::Kind;
use audit::time::{ClockLine, LineTime, PaceLine, jump};
use rules::table::{Input, Name, Table, TableAwaits};
use rules::wager::{Bettor, Bettors};
use tokio::time::Instant;

use super::TableTask;
use crate::store::TableStore;
use crate::tables::commands::places;
use crate::tables::dealer::{Due, Pace, TimeOfDay};

/// The most lines that wait to be written. A connection that is lost and there again between two inputs
/// is left out when more would.
const MOST_WAITING: usize = 64;

/// The clock of a table.
pub(super) struct Times {
    /// When the table was opened.
    opened: Instant,
    time_of_day: TimeOfDay,
    /// What the time of day was, so many milliseconds after the opening.
    day: (u64, u64),
    /// When the last line of the log was written, in milliseconds after the opening.
    last: u64,
    /// What is to be written before the next input, and when it was.
    waiting: Vec<(u64, ClockLine)>,
    /// Who is away by the log.
    away: Vec<(Bettor, Name)>,
    /// What was tried to be written last, and where the log ends if it is there.
    tried: Option<(Chain, Stamp)>,
}

/// What is written before an input, and what is known once it is.
pub(super) struct Stamp {
    /// The lines about time.
    pub(super) entries: Vec<Entry>,
    /// When the input came.
    pub(super) time: LineTime,
    day: (u64, u64),
    now: u64,
    /// How much of what was waiting is in it.
    waited: usize,
}

impl Times {
    /// The clock of a table that is opened now, where the log ends at this time of day.
    pub(super) fn new(
        time_of_day: TimeOfDay,
        pace: &Pace,
        table: &Table,
        before: Option<u64>,
    ) -> Times {
        let day = time_of_day();
        let mut waiting = Vec::new();
        let jumped = before.and_then(|before| jump(before, 0, day));
        waiting.extend(jumped.filter(|by| *by < 0).map(|by| (0, ClockLine::Jump(by))));
        waiting.push((0, ClockLine::Owner));
        waiting.push((0, ClockLine::Pace(in_line(pace, table))));
        let everyone = table.everyone().map(|(bettor, chair)| (bettor, chair.player.clone()));
        let (opened, day, last, away) = (Instant::now(), (day, 0), 0, everyone.collect());
        Times { opened, time_of_day, day, last, waiting, away, tried: None }
    }

    /// Milliseconds since the table was opened.
    fn now(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Notes something for the log.
    fn note(&mut self, line: ClockLine) {
        if let (ClockLine::Back(at), true) = (&line, self.waiting.len() >= MOST_WAITING) {
            let gone = ClockLine::Away(*at);
            if let Some(at) = self.waiting.iter().rposition(|(_, noted)| *noted == gone) {
                self.waiting.remove(at);
                return;
            }
        }
        let is_known = self.waiting.last().is_some_and(|(_, last)| *last == line);
        if !is_known {
            self.waiting.push((self.now(), line));
        }
    }

    /// Notes who has gone and who has come back.
    fn note_absence(&mut self, table: &Table, is_here: impl Fn(&Name) -> bool) {
        let is_at = |(bettor, name): &(Bettor, Name)| {
            table.chair(*bettor).is_some_and(|chair| chair.player == *name)
        };
        self.away.retain(is_at);
        for (bettor, chair) in table.everyone() {
            let before = self.away.iter().position(|(at, _)| *at == bettor);
            match (before, is_here(&chair.player)) {
                (None, false) => {
                    self.away.push((bettor, chair.player.clone()));
                    self.note(ClockLine::Away(bettor));
                }
                (Some(at), true) => {
                    self.away.remove(at);
                    self.note(ClockLine::Back(bettor));
                }
                _ => {}
            }
        }
    }

    /// What is written before an input that comes now, where these did not keep the table waiting. A
    /// round says the time of day.
    fn stamp(&self, input: &Input, done: Bettors, chain: &mut Chain) -> Stamp {
        let (now, at) = (self.now(), (self.time_of_day)());
        let (mut last, mut day, mut entries) = (self.last, self.day, Vec::new());
        let mut line = |when: u64, line: &ClockLine, last: &mut u64| {
            let at = (*line == ClockLine::Owner).then_some(self.day.0);
            let time = LineTime { after: when.saturating_sub(*last), at, done: Bettors::NONE };
            *last = when.max(*last);
            entries.push(chain.append(Kind::Clock.line(format_args!("{time} {line}"))));
        };
        self.waiting.iter().for_each(|(when, noted)| line(*when, noted, &mut last));
        if let Some(by) = jump(day.0, now.saturating_sub(day.1), at) {
            line(now, &ClockLine::Jump(by), &mut last);
            day = (at, now);
        }
        let is_round = *input == Input::Deal;
        if is_round {
            day = (at, now);
        }
        let at = is_round.then_some(at);
        let time = LineTime { after: now.saturating_sub(last), at, done };
        Stamp { entries, time, day, now, waited: self.waiting.len() }
    }

    /// What is tried to be written ends the log so.
    pub(super) fn is_tried(&mut self, chain: Chain, stamp: Stamp) {
        self.tried = Some((chain, stamp));
    }

    /// What was tried to be written last is in the log, if that ends so.
    pub(super) fn is_written(&mut self, chain: Chain) {
        let tried = self.tried.take().filter(|(tried, _)| *tried == chain);
        let Some((_, stamp)) = tried else { return };
        (self.day, self.last) = (stamp.day, stamp.now);
        self.waiting.drain(..stamp.waited);
    }
}

impl<A: TableStore> TableTask<A> {
    /// Notes who has gone and who has come back.
    pub(super) fn note_absence(&mut self) {
        let viewers = &self.viewers;
        let is_here = |name: &Name| super::clock::is_among(viewers, name);
        self.times.note_absence(&self.live.table, is_here);
    }

    /// Notes that a seat is cleared because its player did not come back.
    pub(super) fn note_absent(&mut self, bettor: Bettor) {
        self.times.note(ClockLine::Absent(bettor));
    }

    /// What is written before an input that comes now.
    pub(super) fn stamp(&mut self, input: &Input, chain: &mut Chain) -> Stamp {
        self.note_absence();
        self.times.stamp(input, self.done_before(input), chain)
    }

    /// Who did not keep the table waiting for an input, one place for each of them: whoever was ready,
    /// or adds nothing to the order of the cards.
    fn done_before(&self, input: &Input) -> Bettors {
        let table = &self.live.table;
        let people: Vec<&Name> = match (input, table.awaits()) {
            (Input::Deal, _) => self.ready.iter().collect(),
            (Input::Commit { .. }, _)
            | (Input::TimeOut { .. }, TableAwaits::Commitments(_))
            | (Input::Open { .. }, _) => {
                let people = table.everyone().map(|(_, chair)| &chair.player);
                people.filter(|player| self.adds_nothing(player)).collect()
            }
            _ => Vec::new(),
        };
        let first = |player: &Name| places(table, player).first().copied();
        people.into_iter().filter_map(first).collect()
    }
}

/// The pace of a table as the log has it.
fn in_line(pace: &Pace, table: &Table) -> PaceLine {
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    PaceLine {
        card: ms(pace.card),
        betting: ms(pace.betting),
        inspection: ms(pace.inspection),
        contributions: ms(pace.contributions),
        answer: ms(Due::Unchosen(Bettor::at(0)).after(pace, table)),
        grace: ms(pace.grace),
        absence: ms(pace.absence),
        idle: ms(Due::Idle(0).after(pace, table)),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use rules::terms::TermSheet;
    use rules::wager::Game;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn paces_absences_and_a_clock_that_jumps_are_written_before_the_next_input() {
        let day = Arc::new(AtomicU64::new(1_700_000_000_000));
        let (reads, pace) = (day.clone(), Pace::default());
        let mut table = Table::new(TermSheet::new(Game::CasinoWar));
        let clock: TimeOfDay = Arc::new(move || reads.load(Ordering::Relaxed));
        let mut times = Times::new(clock.clone(), &pace, &table, None);
        let mut chain = Chain::new("war-1");
        let written = |times: &mut Times, line: &str, chain: &mut Chain| {
            let done = Bettors::only(Bettor::at(3));
            let done = if line == "deal" { done } else { Bettors::NONE };
            let stamp = times.stamp(&line.parse().unwrap(), done, chain);
            let lines = stamp.entries.iter().map(|entry| entry.line.clone());
            let written = (lines.collect::<Vec<_>>(), stamp.time.to_string());
            times.is_tried(*chain, stamp);
            // What did not get into the log is written again.
            let before = times.waiting.len();
            times.is_written(Chain::new("war-2"));
            assert_eq!(times.waiting.len(), before);
            let stamp = times.stamp(&line.parse().unwrap(), done, &mut Chain::new("war-1"));
            times.is_tried(*chain, stamp);
            times.is_written(*chain);
            assert_eq!(times.waiting, []);
            written
        };
        let (lines, time) = written(&mut times, "sit 1 ann", &mut chain);
        assert_eq!(lines[0], "@ +0@1700000000000 owner");
        assert!(lines[1].starts_with("@ +0 pace card=350 betting=15000 "), "{}", lines[1]);
        assert_eq!((lines.len(), time.as_str()), (2, "+0"));

        table.apply(&"sit 1 ann".parse().unwrap(), &mut Vec::new()).unwrap();
        tokio::time::advance(Duration::from_millis(700)).await;
        times.note_absence(&table, |_| false);
        tokio::time::advance(Duration::from_millis(300)).await;
        day.fetch_add(1_000, Ordering::Relaxed);
        let (lines, time) = written(&mut times, "deal", &mut chain);
        assert_eq!(lines, ["@ +700 away 1"]);
        assert_eq!(time, "+300@1700000001000!4");

        // An hour is put back.
        tokio::time::advance(Duration::from_millis(500)).await;
        day.fetch_sub(3_599_500, Ordering::Relaxed);
        times.note_absence(&table, |_| true);
        let (lines, time) = written(&mut times, "idle", &mut chain);
        assert_eq!(lines, ["@ +500 back 1", "@ +0 jump -3600000"]);
        assert_eq!(time, "+0");
        // So it is where a program begins before the last one ended.
        let later = Some(1_700_000_001_500);
        let mut times = Times::new(clock, &pace, &table, later);
        let (lines, _) = written(&mut times, "idle", &mut chain);
        assert_eq!(lines[..2], ["@ +0 jump -3600000", "@ +0@1699996401500 owner"]);
        // Whoever comes and goes while nobody plays fills no memory.
        for _ in 0..1_000 {
            times.note_absence(&table, |_| true);
            times.note_absence(&table, |_| false);
        }
        assert!(times.waiting.len() <= MOST_WAITING + 1, "{}", times.waiting.len());
        assert_eq!(times.waiting.last().unwrap().1, ClockLine::Away(Bettor::at(0)));
    }
}
