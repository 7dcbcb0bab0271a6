//! What each house option costs: its other values, tried one at a time.

use rules::games::{AnyRound, TableWagers, opening};
use rules::terms::{Term, TermSheet};
use rules::wager::{Bettor, Circle};

use crate::game::{Expectation, Valuation, ValuationRefusal, Wager};
use crate::setting::Setting;
use crate::unseen::Unseen;

/// Of ranges longer than this only the ends are tried.
const LONG: u32 = 8;

/// What the options of a game cost.
#[derive(Clone, Debug)]
pub struct WhatIf {
    /// What every wager is worth at the table as it is.
    pub now: Vec<Expectation>,
    /// Options that bear on some wager.
    pub lines: Vec<TriedValue>,
    /// Options that bear on none.
    pub idle: Vec<&'static Term>,
    /// Values that a table with these options and cards cannot have.
    pub refused: Vec<UntriedValue>,
    /// Options that are amounts or times, which are not tried.
    pub amounts: Vec<&'static Term>,
}

/// One other value of one option.
#[derive(Clone, Debug)]
pub struct TriedValue {
    /// The option.
    pub term: &'static Term,
    /// The value it has now.
    pub from: String,
    /// The value tried.
    pub to: String,
    /// What it does to the wagers that it bears on.
    pub changes: Vec<Change>,
}

/// A value that could not be tried.
#[derive(Clone, Debug)]
pub struct UntriedValue {
    /// The option.
    pub term: &'static Term,
    /// The value.
    pub to: String,
    /// Why not, in a sentence with its source.
    pub why: String,
}

impl WhatIf {
    /// The lines, with values of one option that do the same side by side.
    pub fn alike(&self) -> impl Iterator<Item = &[TriedValue]> {
        self.lines
            .chunk_by(|one, other| one.term.key == other.term.key && one.changes == other.changes)
    }
}

/// What an option does to a wager.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The wager.
    pub wager: Wager,
    /// Its new expectation; none if the wager is no longer offered.
    pub ev: Option<f64>,
    /// How much the expectation rises for the player.
    pub change: Option<f64>,
}

/// Smaller differences are those of rounding.
const NOTHING: f64 = 1e-12;

/// Tries every option; `progress` hears how many of how many values are done.
pub fn what_if(table: &Valuation, progress: &mut dyn FnMut(usize, usize)) -> WhatIf {
    let trials = Trials::new(table);
    let (mut lines, mut refused) = (Vec::new(), Vec::new());
    let (now, all) = (trials.now().to_vec(), trials.left());
    for (done, trial) in trials.enumerate() {
        match trial.found {
            Ok(line) => lines.extend(line),
            Err(why) => refused.push(UntriedValue { term: trial.term, to: trial.to, why }),
        }
        progress(done + 1, all);
    }
    let bears = |term: &Term| {
        let in_line = lines.iter().any(|line: &TriedValue| line.term.key == term.key);
        in_line || refused.iter().any(|refused| refused.term.key == term.key)
    };
    let (amounts, tried): (Vec<_>, Vec<_>) =
        tried(table.sheet()).into_iter().partition(|(_, values)| values.is_empty());
    let terms = |of: Vec<(&'static Term, _)>| of.into_iter().map(|(term, _)| term);
    let idle = terms(tried).filter(|term| !bears(term)).collect();
    WhatIf { now, idle, amounts: terms(amounts).collect(), lines, refused }
}

/// The values of all options, tried one after the other.
pub struct Trials<'a> {
    table: &'a Valuation,
    /// What every wager is worth under sheets that have been tried, the table's own first.
    known: Vec<(TermSheet, Vec<Expectation>)>,
    left: std::vec::IntoIter<(&'static Term, String)>,
}

/// One value of one option, tried.
pub struct Trial {
    /// The option.
    pub term: &'static Term,
    /// The value.
    pub to: String,
    /// What it does, if it does anything, or why a table with these options and cards cannot have it.
    pub found: Result<Option<TriedValue>, String>,
}

impl<'a> Trials<'a> {
    /// Everything there is to try at a table.
    pub fn new(table: &'a Valuation) -> Trials<'a> {
        Trials::from(table, table.expectations())
    }

    /// The same where it is known already what every wager is worth at the table as it is.
    pub fn from(table: &'a Valuation, now: Vec<Expectation>) -> Trials<'a> {
        let each = |(term, values): (&'static Term, Vec<String>)| {
            values.into_iter().map(move |value| (term, value))
        };
        let left: Vec<_> = tried(table.sheet()).into_iter().flat_map(each).collect();
        Trials { table, known: vec![(table.sheet().clone(), now)], left: left.into_iter() }
    }

    /// What every wager is worth at the table as it is.
    pub fn now(&self) -> &[Expectation] {
        &self.known[0].1
    }

    /// How many values are left to try.
    pub fn left(&self) -> usize {
        self.left.len()
    }
}

impl Iterator for Trials<'_> {
    type Item = Trial;

    fn next(&mut self) -> Option<Trial> {
        let (term, to) = self.left.next()?;
        let found = line(self.table, &mut self.known, term, &to);
        Some(Trial { term, to, found })
    }
}

/// The options of a game with the values to try; none for an amount.
fn tried(sheet: &TermSheet) -> Vec<(&'static Term, Vec<String>)> {
    let other = |term: &'static Term, own: &str| {
        let mut values: Vec<_> = values(term, own);
        values.retain(|value| value != own);
        (term, values)
    };
    sheet.entries().map(|(term, own)| other(term, own)).collect()
}

/// The values of an option to try.
fn values(term: &Term, own: &str) -> Vec<String> {
    if matches!(term.kind.as_str(), "amount" | "seconds") {
        return term.values.split('|').filter(|v| is_word(v)).map(str::to_owned).collect();
    }
    term.values.split('|').flat_map(|part| listed(part, own)).collect()
}

fn is_word(value: &str) -> bool {
    value.starts_with(|first: char| first.is_ascii_alphabetic())
}

/// The values of one part: a range such as `1..7`, a bound such as `>=8`, or itself.
fn listed(part: &str, own: &str) -> Vec<String> {
    let number = |word: &str| word.parse::<u32>().ok();
    if let Some((Some(least), Some(most))) =
        part.split_once("..").map(|(least, most)| (number(least), number(most)))
    {
        return match most - least {
            ..LONG => (least..=most).map(|n| n.to_string()).collect(),
            _ => vec![least.to_string(), most.to_string()],
        };
    }
    match part.strip_prefix(">=") {
        Some(_) => number(own).map(|own| (own + 1).to_string()).into_iter().collect(),
        None => vec![part.to_owned()],
    }
}

/// What another value of an option does, unless it does nothing.
///
/// `known` has what was found before, the table's own sheet first.
fn line(
    table: &Valuation,
    known: &mut Vec<(TermSheet, Vec<Expectation>)>,
    term: &'static Term,
    to: &str,
) -> Result<Option<TriedValue>, String> {
    let mut sheet = table.sheet().clone();
    sheet.set([(term.key.as_str(), to)]).map_err(|refusal| refusal.to_string())?;
    let same = known.iter().position(|(other, _)| plays_alike(other, &sheet));
    let found = match same {
        Some(found) => found,
        None => {
            let changed = changed(table, sheet.clone()).map_err(|refusal| refusal.to_string())?;
            let then = changed.expectations();
            known.push((sheet, then));
            known.len() - 1
        }
    };
    let (now, then) = (&known[0].1, &known[found].1);
    let change = |before: &Expectation| {
        let ev = then.iter().find(|after| after.wager == before.wager).map(|after| after.ev);
        Change { wager: before.wager.clone(), ev, change: ev.map(|ev| ev - before.ev) }
    };
    let bears = |change: &Change| change.change.is_none_or(|change| change.abs() > NOTHING);
    let changes: Vec<_> = now.iter().map(change).filter(bears).collect();
    let own = table.sheet().entries().find(|(other, _)| other.key == term.key);
    let line = |(_, from): (_, &str)| TriedValue {
        term,
        from: from.to_owned(),
        to: to.to_owned(),
        changes,
    };
    Ok(own.map(line).filter(|line| !line.changes.is_empty()))
}

/// The same table under another sheet.
///
/// Cards that have been seen are missing there too; a meter that stood at its seed stands at the
/// new one.
fn changed(table: &Valuation, sheet: TermSheet) -> Result<Valuation, ValuationRefusal> {
    let (old, usual) = (table.setting(), Setting::of(table.sheet())?);
    let full = Unseen::full(table.sheet());
    let seen = full.iter().flat_map(|(card, count)| {
        std::iter::repeat_n(card, usize::from(count - table.unseen().of(card)))
    });
    let new = Valuation::new(sheet)?;
    let mut setting = new.setting();
    if old.main != usual.main {
        setting = setting.with_main(new.sheet(), old.main.into())?;
    }
    if old.meter != usual.meter {
        setting.meter = old.meter;
    }
    if old.others != usual.others {
        setting = setting.with_others(new.sheet(), old.others)?;
    }
    new.with_setting(setting).without(&seen.collect::<Vec<_>>())
}

/// Whether rounds under two sheets are the same: then no wager can be worth more or less.
fn plays_alike(one: &TermSheet, other: &TermSheet) -> bool {
    let start = |sheet: &TermSheet| {
        let mut wagers = TableWagers::NONE;
        let setting = Setting::of(sheet).ok()?;
        let main = [(Circle::Main, setting.main.into())];
        wagers.place(&opening(sheet), Bettor::at(0), &main).ok()?;
        Some((AnyRound::start(sheet, &wagers, &mut ()), setting))
    };
    Unseen::full(one) == Unseen::full(other) && start(one) == start(other)
}
