//! Times in a log: how long after the last one an input came, what the clock was, who was there; and
//! whether whatever rests on a clock came when the paces in force allow it.
//!
//! No rule reads a clock. A house writes the time before an input (`< +1250 act 3 hit`), and the lines
//! that begin with `@` for what is no input.

use std::fmt;
use std::str::FromStr;

use rules::notation::Words;
use rules::round::Awaits;
use rules::table::{Chair, Input, Name, Table, TableAwaits};
use rules::wager::Bettor;

use crate::finding::{Finding, Problem};

/// How much earlier than allowed something may be in milliseconds: clocks are read after they ring.
const SLACK: u64 = 5;

/// How far two clocks may drift apart before one of them jumped: so many milliseconds, and a
/// thousandth of the time.
const DRIFT: u64 = 2_000;

/// When a line was written: `+1250`, or `+1250@1763297000123` with the time of day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineTime {
    /// Milliseconds since the last line with a time.
    pub after: u64,
    /// Milliseconds of Unix time, where the line says so.
    pub at: Option<u64>,
}

impl fmt::Display for LineTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{}", self.after)?;
        self.at.iter().try_for_each(|at| write!(f, "@{at}"))
    }
}

impl LineTime {
    /// Reads the time that a text begins with, and gives the rest.
    pub fn split(text: &str) -> Option<(LineTime, &str)> {
        let (time, rest) = text.strip_prefix('+')?.split_once(' ')?;
        let (after, at) = match time.split_once('@') {
            Some((after, at)) => (after, Some(number(at)?)),
            None => (time, None),
        };
        Some((LineTime { after: number(after)?, at }, rest))
    }
}

fn number(word: &str) -> Option<u64> {
    word.parse().ok().filter(|number: &u64| number.to_string() == word)
}

/// How far the time of day is off what it should be after so many milliseconds, where that is more
/// than clocks drift: it jumped.
pub fn jump(before: u64, after: u64, now: u64) -> Option<i64> {
    let is = i128::from(now) - i128::from(before) - i128::from(after);
    let jumped = is.unsigned_abs() > u128::from(DRIFT) + u128::from(after / 1_000);
    jumped.then(|| i64::try_from(is).unwrap_or(if is < 0 { i64::MIN } else { i64::MAX }))
}

/// How long a house waits, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what is waited for")]
pub struct PaceLine {
    pub card: u64,
    pub betting: u64,
    pub inspection: u64,
    pub contributions: u64,
    pub answer: u64,
    /// Once more for an answer of somebody who is away.
    pub grace: u64,
    pub absence: u64,
    pub idle: u64,
}

/// What a log says about time, apart from inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClockLine {
    /// A program runs the table from now on, and nobody is there yet: `owner`.
    Owner,
    /// How long it waits: `pace card=350 betting=15000 …`.
    Pace(PaceLine),
    /// The connection of a seat is lost: `away 3`.
    Away(Bettor),
    /// It is there again: `back 3`.
    Back(Bettor),
    /// Whoever has a seat places no further wager: `ready 3`.
    Ready(Bettor),
    /// The time of day changed by so many milliseconds without time passing: `jump -3600000`.
    Jump(i64),
}

impl fmt::Display for ClockLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClockLine::Owner => f.write_str("owner"),
            ClockLine::Pace(pace) => {
                let PaceLine { card, betting, inspection, contributions, .. } = pace;
                let PaceLine { answer, grace, absence, idle, .. } = pace;
                write!(f, "pace card={card} betting={betting} inspection={inspection} ")?;
                write!(f, "contributions={contributions} answer={answer} grace={grace} ")?;
                write!(f, "absence={absence} idle={idle}")
            }
            ClockLine::Away(bettor) => write!(f, "away {bettor}"),
            ClockLine::Back(bettor) => write!(f, "back {bettor}"),
            ClockLine::Ready(bettor) => write!(f, "ready {bettor}"),
            ClockLine::Jump(by) => write!(f, "jump {by:+}"),
        }
    }
}

/// A line that is not about time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAClockLine;

impl FromStr for ClockLine {
    type Err = NotAClockLine;

    fn from_str(text: &str) -> Result<ClockLine, NotAClockLine> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let bettor = || Bettor::read(rest).ok_or(NotAClockLine);
        let read = match word {
            "owner" => ClockLine::Owner,
            "pace" => ClockLine::Pace(pace(rest).ok_or(NotAClockLine)?),
            "away" => ClockLine::Away(bettor()?),
            "back" => ClockLine::Back(bettor()?),
            "ready" => ClockLine::Ready(bettor()?),
            "jump" => ClockLine::Jump(rest.parse().map_err(|_| NotAClockLine)?),
            _ => return Err(NotAClockLine),
        };
        // There is one way to write it.
        if read.to_string() == text { Ok(read) } else { Err(NotAClockLine) }
    }
}

fn pace(text: &str) -> Option<PaceLine> {
    let mut words = Words::new(text);
    let mut next = |key: &str| -> Option<u64> {
        let word: String = words.read().ok()?;
        number(word.strip_prefix(key)?.strip_prefix('=')?)
    };
    Some(PaceLine {
        card: next("card")?,
        betting: next("betting")?,
        inspection: next("inspection")?,
        contributions: next("contributions")?,
        answer: next("answer")?,
        grace: next("grace")?,
        absence: next("absence")?,
        idle: next("idle")?,
    })
}

/// What a table waits for that ends by a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait {
    /// A look at the cards.
    Inspection(Bettor),
    /// An answer or a choice.
    Answer(Bettor),
    /// Further wagers.
    Betting,
    /// A first wager, of so many people.
    Idle(usize),
}

impl Wait {
    fn all(table: &Table) -> Vec<Wait> {
        let people = || table.everyone().count();
        match table.awaits() {
            TableAwaits::Inspection(bettor) => vec![Wait::Inspection(bettor)],
            TableAwaits::Choice(bettor) => vec![Wait::Answer(bettor)],
            TableAwaits::Round(Awaits::Acts(bettors)) => bettors.iter().map(Wait::Answer).collect(),
            TableAwaits::Wagers if table.everyone().any(has_wager) => vec![Wait::Betting],
            TableAwaits::Wagers | TableAwaits::Player => vec![Wait::Idle(people())],
            _ => Vec::new(),
        }
    }

    /// Whether the same clock runs on.
    fn goes_on_as(self, now: Wait) -> bool {
        match (self, now) {
            (Wait::Idle(before), Wait::Idle(people)) => people <= before,
            (before, now) => before == now,
        }
    }

    const fn within(self, pace: &PaceLine) -> u64 {
        match self {
            Wait::Inspection(_) => pace.inspection,
            Wait::Answer(_) => pace.answer,
            Wait::Betting => pace.betting,
            Wait::Idle(_) => pace.idle,
        }
    }
}

fn has_wager((_, chair): (Bettor, &Chair)) -> bool {
    !chair.wager.is_empty()
}

/// The clock of a log on its way through a verification.
#[derive(Debug, Default)]
pub(crate) struct Times {
    /// Whether the log has times: it does from the first line about an owner on.
    pub(crate) is_timed: bool,
    /// Milliseconds since then.
    now: u64,
    /// What the time of day was, and when.
    day: Option<(u64, u64)>,
    pace: Option<PaceLine>,
    /// What the table waits for, and since when.
    waits: Vec<(Wait, u64)>,
    away: Vec<Name>,
    ready: Vec<Name>,
}

impl Times {
    /// Takes a line about time, and finds what is wrong with it.
    pub(crate) fn note(&mut self, seq: u64, text: &str, table: Option<&Table>) -> Option<Finding> {
        let found = |problem| Some(Finding { seq, problem });
        let line = LineTime::split(text);
        let Some((time, Ok(line))) = line.map(|(time, line)| (time, line.parse())) else {
            return found(Problem::NotAClockLine);
        };
        let seated = |bettor: Bettor| {
            table.and_then(|table| table.chair(bettor)).map(|chair| chair.player.clone())
        };
        match line {
            ClockLine::Owner => {
                self.is_timed = true;
                // How long nobody ran the table is known by the time of day alone.
                let before =
                    self.day.map_or(0, |(day, since)| day.saturating_add(self.now - since));
                let Some(at) = time.at else { return found(Problem::TimeMissing) };
                let went_back = at < before;
                self.now = self.now.saturating_add(at.saturating_sub(before));
                self.day = Some((at, self.now));
                self.waits.iter_mut().for_each(|(_, since)| *since = self.now);
                let people = table.into_iter().flat_map(Table::everyone);
                self.away = people.map(|(_, chair)| chair.player.clone()).collect();
                self.ready.clear();
                return went_back.then_some(Finding { seq, problem: Problem::ClockWentBack });
            }
            ClockLine::Jump(by) => {
                let day = self.day.map_or(0, |(day, since)| day.saturating_add(self.now - since));
                self.now = self.now.saturating_add(time.after);
                let day = day.saturating_add(time.after).saturating_add_signed(by);
                self.day = Some((day, self.now));
                return None;
            }
            ClockLine::Pace(pace) => self.pace = Some(pace),
            ClockLine::Away(bettor) => self.away.extend(seated(bettor)),
            ClockLine::Back(bettor) => {
                let name = seated(bettor);
                self.away.retain(|away| Some(away) != name.as_ref());
            }
            ClockLine::Ready(bettor) => self.ready.extend(seated(bettor)),
        }
        self.pass(seq, time)
    }

    /// Time goes on.
    fn pass(&mut self, seq: u64, time: LineTime) -> Option<Finding> {
        self.now = self.now.saturating_add(time.after);
        let (at, (day, since)) = (time.at?, self.day?);
        let jumped = jump(day, self.now - since, at);
        self.day = Some((at, self.now));
        jumped.map(|by| Finding { seq, problem: Problem::ClockJumped { by } })
    }

    /// Takes an input, and finds whether it came too early.
    pub(crate) fn take(
        &mut self,
        seq: u64,
        time: Option<LineTime>,
        input: &Input,
        before: &Table,
        after: &Table,
    ) -> Option<Finding> {
        if !self.is_timed {
            return None;
        }
        let Some(time) = time.filter(|time| time.at.is_some() || *input != Input::Deal) else {
            return Some(Finding { seq, problem: Problem::TimeMissing });
        };
        let passed = self.pass(seq, time);
        let early = self.too_early(input, before);
        self.follow(input, before, after);
        passed.or(early.map(|problem| Finding { seq, problem }))
    }

    fn too_early(&self, input: &Input, before: &Table) -> Option<Problem> {
        let pace = self.pace?;
        let is_it = |wait: &Wait| match (input, wait) {
            (Input::TimeOut { bettor }, Wait::Inspection(asked) | Wait::Answer(asked)) => {
                bettor == asked
            }
            (Input::Idle, Wait::Idle(_)) => true,
            (Input::Deal, Wait::Betting) => !self.is_everyone_ready(before),
            _ => false,
        };
        let (wait, since) = self.waits.iter().find(|(wait, _)| is_it(wait))?;
        let (waited, within) = (self.now - since, wait.within(&pace));
        (waited.saturating_add(SLACK) < within).then_some(Problem::TooEarly { waited, within })
    }

    /// Whether somebody is ready, and nobody who is there could still place a wager. At a physical
    /// table the dealer closes the bets.
    fn is_everyone_ready(&self, table: &Table) -> bool {
        let is_physical = table.shoe_in_use().is_none_or(|shoe| shoe.seal.is_none());
        let has_part = |name: &Name| {
            let own = || table.everyone().filter(|(_, chair)| chair.player == *name);
            let may_bet = || own().any(|(bettor, _)| table.may_bet_next(Some(bettor)).is_ok());
            own().any(has_wager) || own().any(|(_, chair)| chair.rack.get() > 0) && may_bet()
        };
        let is_done =
            |name: &Name| self.ready.contains(name) || self.away.contains(name) || !has_part(name);
        is_physical
            || !self.ready.is_empty() && table.everyone().all(|(_, chair)| is_done(&chair.player))
    }

    /// Follows what the table waits for, and who is there.
    fn follow(&mut self, input: &Input, before: &Table, after: &Table) {
        match input {
            // Whoever sits down is there.
            Input::Sit { player, .. } => self.away.retain(|away| away != player),
            Input::Deal => self.ready.clear(),
            Input::Wager { bettor, .. } | Input::Clear { bettor } => {
                let name = before.chair(*bettor).map(|chair| &chair.player);
                self.ready.retain(|ready| Some(ready) != name);
            }
            _ => {}
        }
        let is_seated = |name: &Name| after.everyone().any(|(_, chair)| chair.player == *name);
        self.away.retain(is_seated);
        self.ready.retain(is_seated);
        let waits = Wait::all(after).into_iter().map(|now| {
            let before = self.waits.iter().find(|(before, _)| before.goes_on_as(now));
            (now, before.map_or(self.now, |(_, since)| *since))
        });
        self.waits = waits.collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_lines_about_them_read_back_as_they_are_printed() {
        for (text, after, at) in [("+0 deal", 0, None), ("+12@34 deal", 12, Some(34))] {
            let time = LineTime { after, at };
            assert_eq!(LineTime::split(text), Some((time, "deal")));
            assert_eq!(format!("{time} deal"), text);
        }
        for wrong in ["deal", "+ deal", "+x deal", "+1", "+01 deal", "+1@ deal", "-1 deal"] {
            assert_eq!(LineTime::split(wrong), None, "{wrong}");
        }
        let pace = "pace card=350 betting=15000 inspection=10000 contributions=1000 answer=30000 \
                    grace=15000 absence=300000 idle=1800000";
        for text in ["owner", pace, "away 3", "back 3b", "ready 1", "jump -3600000", "jump +5"] {
            let read: ClockLine = text.parse().unwrap();
            assert_eq!(read.to_string(), text);
        }
        for wrong in ["", "owner 3", "away", "away x", "jump", "jump 5", "pace card=1", "deal"] {
            assert_eq!(wrong.parse::<ClockLine>(), Err(NotAClockLine), "{wrong}");
        }
    }

    #[test]
    fn a_clock_jumps_by_more_than_clocks_drift() {
        assert_eq!(jump(1_000_000, 60_000, 1_060_000), None);
        assert_eq!(jump(1_000_000, 60_000, 1_062_060), None);
        assert_eq!(jump(1_000_000, 60_000, 1_062_061), Some(2_061));
        assert_eq!(jump(10_000_000, 60_000, 6_460_000), Some(-3_600_000));
    }
}
