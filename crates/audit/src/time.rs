//! Times in a log: how long after the last one an input came, what the clock was, who was there; and
//! whether whatever rests on a clock came when the paces in force allow it.
//!
//! No rule reads a clock. A house writes the time before an input (`< +1250 act 3 hit`), and the lines
//! that begin with `@` for what is no input.

use std::fmt;
use std::str::FromStr;

use rules::money::Cents;
use rules::notation::Words;
use rules::round::Awaits;
use rules::table::{Chair, Cutter, Input, Name, Table, TableAwaits};
use rules::wager::{Bettor, Bettors};

use crate::finding::{Finding, Problem};

/// How much earlier than allowed something may be in milliseconds: clocks are read after they ring.
const SLACK: u64 = 5;

/// How far two clocks may drift apart before one of them jumped: so many milliseconds, and a
/// thousandth of the time.
const DRIFT: u64 = 2_000;

/// When a line was written: `+1250`; with the time of day `+1250@1763297000123`; with who did not
/// keep the table waiting `+1250!3,5b`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineTime {
    /// Milliseconds since the last line with a time.
    pub after: u64,
    /// Milliseconds of Unix time, where the line says so.
    pub at: Option<u64>,
    /// Who, one place for each person, had said that no further wager comes, where bets are closed; who
    /// adds nothing to the order of the cards, where commitments are or the cut is passed on.
    pub done: Bettors,
}

impl fmt::Display for LineTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{}", self.after)?;
        self.at.iter().try_for_each(|at| write!(f, "@{at}"))?;
        let mut between = '!';
        self.done
            .iter()
            .try_for_each(|bettor| write!(f, "{}{bettor}", std::mem::replace(&mut between, ',')))
    }
}

impl LineTime {
    /// The time of day when the line was written, in milliseconds of Unix time, after the one before it
    /// was.
    pub fn day(self, before: Option<u64>) -> Option<u64> {
        self.at.or_else(|| before?.checked_add(self.after))
    }

    /// Reads the time that a text begins with, and gives the rest.
    pub fn split(text: &str) -> Option<(LineTime, &str)> {
        let (word, rest) = text.split_once(' ')?;
        let (time, done) = match word.strip_prefix('+')?.split_once('!') {
            Some((time, done)) => {
                (time, done.split(',').map(Bettor::read).collect::<Option<Bettors>>()?)
            }
            None => (&word[1..], Bettors::NONE),
        };
        let (after, at) = match time.split_once('@') {
            Some((after, at)) => (after, Some(at.parse().ok()?)),
            None => (time, None),
        };
        let time = LineTime { after: after.parse().ok()?, at, done };
        // There is one way to write it.
        (time.to_string() == word).then_some((time, rest))
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

impl PaceLine {
    /// The shorter of each two times.
    fn shortest(self, other: PaceLine) -> PaceLine {
        PaceLine {
            card: self.card.min(other.card),
            betting: self.betting.min(other.betting),
            inspection: self.inspection.min(other.inspection),
            contributions: self.contributions.min(other.contributions),
            answer: self.answer.min(other.answer),
            grace: self.grace.min(other.grace),
            absence: self.absence.min(other.absence),
            idle: self.idle.min(other.idle),
        }
    }
}

/// `card=350 betting=15000 …`.
impl fmt::Display for PaceLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PaceLine { card, betting, inspection, contributions, .. } = self;
        let PaceLine { answer, grace, absence, idle, .. } = self;
        write!(f, "card={card} betting={betting} inspection={inspection} ")?;
        write!(f, "contributions={contributions} answer={answer} grace={grace} ")?;
        write!(f, "absence={absence} idle={idle}")
    }
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
    /// The seat is cleared, since its player did not come back in time: `absent 3`.
    Absent(Bettor),
    /// The time of day changed by so many milliseconds without time passing: `jump -3600000`.
    Jump(i64),
}

impl fmt::Display for ClockLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClockLine::Owner => f.write_str("owner"),
            ClockLine::Pace(pace) => write!(f, "pace {pace}"),
            ClockLine::Away(bettor) => write!(f, "away {bettor}"),
            ClockLine::Back(bettor) => write!(f, "back {bettor}"),
            ClockLine::Absent(bettor) => write!(f, "absent {bettor}"),
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
            "absent" => ClockLine::Absent(bettor()?),
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
    /// An answer, a choice, or a cut.
    Answer(Bettor),
    /// Commitments to the order of the cards.
    Commitments,
    /// Their openings.
    Openings,
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
            TableAwaits::Choice(bettor) | TableAwaits::Cut(Cutter::Seat(bettor)) => {
                vec![Wait::Answer(bettor)]
            }
            TableAwaits::Round(Awaits::Acts(bettors)) => bettors.iter().map(Wait::Answer).collect(),
            TableAwaits::Commitments(_) => vec![Wait::Commitments],
            TableAwaits::Openings => vec![Wait::Openings],
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
            Wait::Commitments | Wait::Openings => pace.contributions,
            Wait::Betting => pace.betting,
            Wait::Idle(_) => pace.idle,
        }
    }

    /// Who is asked, and has more time where their connection is lost.
    const fn asked(self) -> Option<Bettor> {
        match self {
            Wait::Inspection(bettor) | Wait::Answer(bettor) => Some(bettor),
            Wait::Commitments | Wait::Openings | Wait::Betting | Wait::Idle(_) => None,
        }
    }
}

fn has_wager((_, chair): (Bettor, &Chair)) -> bool {
    !chair.wager.is_empty()
}

fn player(table: &Table, bettor: Bettor) -> Option<&Name> {
    table.chair(bettor).map(|chair| &chair.player)
}

/// What the log has said of who runs the table, and how long they wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Owned {
    /// Nothing.
    #[default]
    Unsaid,
    /// Who; how long they wait comes next.
    PaceNext,
    /// Both; or it was found that it does not.
    Settled,
}

/// The clock of a log on its way through a verification. Times are in milliseconds since its first line
/// about an owner.
#[derive(Debug, Default)]
pub(crate) struct Times {
    /// Whether the log has times: it does from that line on.
    pub(crate) is_timed: bool,
    /// How many inputs have no time, because the log had none yet.
    pub(crate) untimed: u64,
    /// The shortest time of each kind that was ever in force.
    pub(crate) shortest: Option<PaceLine>,
    owned: Owned,
    now: u64,
    /// What the time of day was, and when.
    day: Option<(u64, u64)>,
    pace: Option<PaceLine>,
    /// What the table waits for, and since when.
    waits: Vec<(Wait, u64)>,
    /// Who is away, and since when.
    away: Vec<(Name, u64)>,
    /// Who was away when an answer was due in this round, and since when that was waited for: they get
    /// more time once.
    graced: Vec<(Name, u64)>,
    /// When the cards came: the time of day, and when.
    decks: Option<(u64, u64)>,
}

impl Times {
    /// Takes a line about time, and finds what is wrong with it.
    pub(crate) fn note(&mut self, seq: u64, text: &str, table: Option<&Table>) -> Option<Finding> {
        let found = |problem| Some(Finding { seq, problem });
        let line = LineTime::split(text);
        let owned = std::mem::replace(&mut self.owned, Owned::Settled);
        let Some((time, Ok(line))) = line.map(|(time, line)| (time, line.parse())) else {
            return found(Problem::NotAClockLine);
        };
        let is_pace = matches!(line, ClockLine::Pace(_));
        let unowned = match owned {
            Owned::PaceNext if !is_pace => Some(Problem::PaceMissing),
            Owned::Unsaid | Owned::Settled if is_pace => Some(Problem::PaceChanged),
            _ => None,
        };
        if let ClockLine::Owner = line {
            self.owned = Owned::PaceNext;
            let problem = self.begins(time, table);
            return unowned.or(problem).and_then(found);
        }
        if owned == Owned::Unsaid {
            self.owned = owned;
        }
        let jumped = self.pass(time);
        self.note_grace(table);
        let name = |bettor| table.and_then(|table| player(table, bettor)).cloned();
        let early = match line {
            ClockLine::Jump(by) => {
                self.day = self.day_now().map(|day| (day.saturating_add_signed(by), self.now));
                None
            }
            ClockLine::Pace(pace) if owned == Owned::PaceNext => {
                self.pace = Some(pace);
                self.shortest = Some(self.shortest.map_or(pace, |before| before.shortest(pace)));
                None
            }
            ClockLine::Pace(_) => None,
            ClockLine::Away(bettor) => {
                let gone = name(bettor).filter(|name| self.away_since(name).is_none());
                self.away.extend(gone.map(|name| (name, self.now)));
                None
            }
            ClockLine::Back(bettor) => {
                let name = name(bettor);
                self.away.retain(|(away, _)| Some(away) != name.as_ref());
                None
            }
            ClockLine::Absent(bettor) => {
                let since = name(bettor).and_then(|name| self.away_since(&name));
                self.pace.and_then(|pace| self.early(since.unwrap_or(self.now), pace.absence))
            }
            ClockLine::Owner => None,
        };
        unowned.or(jumped).or(early).and_then(found)
    }

    /// Another program runs the table. How long none did is known by the time of day alone.
    fn begins(&mut self, time: LineTime, table: Option<&Table>) -> Option<Problem> {
        self.is_timed = true;
        let Some(at) = time.at else { return Some(Problem::TimeMissing) };
        let before = self.day_now().unwrap_or(at);
        let jumped = self.day.and_then(|(day, since)| jump(day, self.now - since, at));
        self.now = self.now.saturating_add(at.saturating_sub(before));
        self.day = Some((at, self.now));
        let waits = table.map(Wait::all).unwrap_or_default();
        self.waits = waits.into_iter().map(|wait| (wait, self.now)).collect();
        let people = table.into_iter().flat_map(Table::everyone);
        self.away = people.map(|(_, chair)| (chair.player.clone(), self.now)).collect();
        jumped.filter(|by| *by < 0).map(|_| Problem::ClockWentBack)
    }

    /// A program with other rules ran the table: what it wrote is not followed.
    pub(crate) fn forget(&mut self) {
        let Times { is_timed, untimed, shortest, .. } = *self;
        *self = Times { is_timed, untimed, shortest, ..Times::default() };
    }

    /// The time of day by the last time that was told.
    fn day_now(&self) -> Option<u64> {
        self.day.map(|(day, since)| day.saturating_add(self.now - since))
    }

    fn away_since(&self, name: &Name) -> Option<u64> {
        self.away.iter().find(|(away, _)| away == name).map(|(_, since)| *since)
    }

    /// Time goes on.
    fn pass(&mut self, time: LineTime) -> Option<Problem> {
        self.now = self.now.saturating_add(time.after);
        let (at, (day, since)) = (time.at?, self.day?);
        let jumped = jump(day, self.now - since, at);
        self.day = Some((at, self.now));
        jumped.map(|by| Problem::ClockJumped { by })
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
        if !self.is_timed && time.is_none() {
            self.untimed += 1;
            return None;
        }
        self.is_timed = true;
        let unowned = match std::mem::replace(&mut self.owned, Owned::Settled) {
            Owned::Unsaid => Some(Problem::OwnerMissing),
            Owned::PaceNext => Some(Problem::PaceMissing),
            Owned::Settled => None,
        };
        let Some(time) = time.filter(|time| time.at.is_some() || *input != Input::Deal) else {
            let problem = unowned.unwrap_or(Problem::TimeMissing);
            return Some(Finding { seq, problem });
        };
        let jumped = self.pass(time);
        let early = self.too_early(time.done, input, before);
        self.note_grace(Some(before));
        self.follow(input, after);
        unowned.or(jumped).or(early).map(|problem| Finding { seq, problem })
    }

    /// Whether so much time has not passed since then.
    fn early(&self, since: u64, within: u64) -> Option<Problem> {
        let waited = self.now - since;
        (waited.saturating_add(SLACK) < within).then_some(Problem::TooEarly { waited, within })
    }

    fn too_early(&self, done: Bettors, input: &Input, before: &Table) -> Option<Problem> {
        let pace = self.pace?;
        if let (Input::DecksDue, Some((day, since))) = (input, self.decks) {
            return self.decks_early(day, since, before.hours_of_decks()?);
        }
        let waits_for_wager = |wait: &Wait| matches!(wait, Wait::Idle(_));
        if *input == Input::Idle && !Wait::all(before).iter().any(waits_for_wager) {
            return Some(Problem::NotIdle);
        }
        let is_done: Vec<&Name> = done.iter().filter_map(|at| player(before, at)).collect();
        let is_out = |name: &Name| is_done.contains(&name) || self.away_since(name).is_some();
        let ends = |wait: Wait| match (input, wait) {
            (Input::TimeOut { bettor }, Wait::Inspection(asked) | Wait::Answer(asked)) => {
                *bettor == asked
            }
            // The next player is asked for the cut at once, where one is not there.
            (Input::TimeOut { bettor }, Wait::Commitments) => {
                player(before, *bettor).is_some_and(|name| !is_out(name))
            }
            (Input::Idle, Wait::Idle(_)) => true,
            (Input::Deal, Wait::Betting) => !is_betting_over(before, !done.is_empty(), is_out),
            (Input::Commit { cut, list }, Wait::Commitments) => {
                let list = list.iter().flat_map(|list| &list.commitments);
                let list: Vec<_> = list.filter_map(|(at, _)| player(before, *at)).collect();
                let is_missing = |name: &Name| !list.contains(&name) && !is_out(name);
                let is_cut = cut.is_some() || before.awaits() == TableAwaits::Commitments(None);
                !is_cut || before.everyone().any(|(_, chair)| is_missing(&chair.player))
            }
            (Input::Open { openings }, Wait::Openings) => {
                let is_open = |at: Bettor| openings.iter().any(|(opened, _)| *opened == at);
                // Of somebody who has left the table nobody knows whether they are there.
                let mut list = before.commitments().iter().filter(|committed| {
                    player(before, committed.bettor) == Some(&committed.player)
                });
                list.any(|committed| !is_open(committed.bettor) && !is_out(&committed.player))
            }
            _ => false,
        };
        let (wait, since) = self.waits.iter().find(|(wait, _)| ends(*wait))?;
        let within = wait.within(&pace);
        self.early(*since, within.saturating_add(self.grace(*wait, *since, &pace, before)))
    }

    /// How much longer than for others is waited for the answer of somebody who is away.
    fn grace(&self, wait: Wait, since: u64, pace: &PaceLine, table: &Table) -> u64 {
        let Some(name) = wait.asked().and_then(|asked| player(table, asked)) else { return 0 };
        let due = since.saturating_add(wait.within(pace));
        let is_gone = self.away_since(name).is_some_and(|gone| gone.saturating_add(SLACK) < due);
        let had_grace = self.graced.iter().any(|(had, of)| had == name && *of != since);
        if is_gone && !had_grace { pace.grace } else { 0 }
    }

    /// Notes who is away when an answer is due.
    fn note_grace(&mut self, table: Option<&Table>) {
        let (Some(pace), Some(table)) = (self.pace, table) else { return };
        for (wait, since) in &self.waits {
            let is_due = self.early(*since, wait.within(&pace)).is_none();
            let asked = wait.asked().and_then(|asked| player(table, asked));
            let gone = asked.filter(|name| is_due && self.away_since(name).is_some());
            if let Some(name) = gone
                && !self.graced.iter().any(|(had, _)| had == name)
            {
                self.graced.push((name.clone(), *since));
            }
        }
    }

    /// Whether the same cards are not as old as they may be: by the time of day, or by the time that
    /// passed where that jumped.
    fn decks_early(&self, day: u64, since: u64, hours: u32) -> Option<Problem> {
        let by_day = self.day_now().map_or(0, |now| now.saturating_sub(day));
        let (waited, within) = (by_day.max(self.now - since), u64::from(hours) * 3_600_000);
        let is_early = waited.saturating_add(DRIFT + within / 1_000) < within;
        is_early.then_some(Problem::TooEarly { waited, within })
    }

    /// Follows what the table waits for, and who is there.
    fn follow(&mut self, input: &Input, after: &Table) {
        match input {
            // Whoever sits down is there.
            Input::Sit { player, .. } => self.away.retain(|(away, _)| away != player),
            Input::Decks(_) => self.decks = self.day_now().map(|day| (day, self.now)),
            Input::Deal | Input::Shuffle { .. } => self.graced.clear(),
            _ => {}
        }
        let is_seated = |name: &Name| after.everyone().any(|(_, chair)| chair.player == *name);
        self.away.retain(|(name, _)| is_seated(name));
        let waits = Wait::all(after).into_iter().map(|now| {
            let before = self.waits.iter().find(|(before, _)| before.goes_on_as(now));
            (now, before.map_or(self.now, |(_, since)| *since))
        });
        self.waits = waits.collect();
    }
}

/// Whether somebody is ready, and nobody who is there could still place a wager. At a physical table the
/// dealer closes the bets.
fn is_betting_over(table: &Table, is_begun: bool, is_out: impl Fn(&Name) -> bool) -> bool {
    let is_physical = table.shoe_in_use().is_none_or(|shoe| shoe.seal.is_none());
    let has_part = |name: &Name| {
        let own = || table.everyone().filter(|(_, chair)| chair.player == *name);
        let may_bet = || own().any(|(bettor, _)| table.may_bet_next(Some(bettor)).is_ok());
        own().any(has_wager) || own().any(|(_, chair)| chair.rack > Cents::ZERO) && may_bet()
    };
    let is_done = |name: &Name| is_out(name) || !has_part(name);
    is_physical || is_begun && table.everyone().all(|(_, chair)| is_done(&chair.player))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_lines_about_them_read_back_as_they_are_printed() {
        let done = |words: &[&str]| words.iter().filter_map(|word| Bettor::read(word)).collect();
        for (text, after, at, done) in [
            ("+0 deal", 0, None, done(&[])),
            ("+12@34 deal", 12, Some(34), done(&[])),
            ("+12@34!1,3b deal", 12, Some(34), done(&["1", "3b"])),
            ("+5!7 deal", 5, None, done(&["7"])),
        ] {
            let time = LineTime { after, at, done };
            assert_eq!(LineTime::split(text), Some((time, "deal")));
            assert_eq!(format!("{time} deal"), text);
        }
        for wrong in ["deal", "+ deal", "+x deal", "+1", "+01 deal", "+1@ deal", "-1 deal"]
            .into_iter()
            .chain(["+1! deal", "+1!3,1 deal", "+1!1,1 deal", "+1!x deal", "+1!3@4 deal"])
        {
            assert_eq!(LineTime::split(wrong), None, "{wrong}");
        }
        let pace = "pace card=350 betting=15000 inspection=10000 contributions=1000 answer=30000 \
                    grace=15000 absence=300000 idle=1800000";
        for text in ["owner", pace, "away 3", "back 3b", "absent 1", "jump -3600000", "jump +5"] {
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
