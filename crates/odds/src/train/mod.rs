//! Drills: decisions of the strategy, whole hands, and counting, each answer graded by exact values.
//!
//! A question is its name: whoever knows the name, the table and this program knows the question, so
//! that nothing has to be kept between a question and its answer.
//!
//! ```
//! use odds::Valuation;
//! use odds::train::{Drill, Record, Trainer};
//! use rules::terms::TermSheet;
//! use rules::wager::Game;
//!
//! let trainer = Trainer::new(&Valuation::new(TermSheet::new(Game::CasinoWar))?);
//! let question = trainer.next(Drill::Decision, &Record::default(), None, 7)?;
//! let grade = question.grade("war")?;
//! assert!(grade.is_right && grade.cost == 0.0);
//! let grade = question.grade("surrender")?;
//! assert!(!grade.is_right && grade.cost > 0.0);
//! # Ok::<(), odds::train::TrainRefusal>(())
//! ```

mod hand;
mod record;
mod schedule;

use std::fmt;

use rules::card::Card;
use rules::money::{Cents, Chips};
use rules::round::Call;
use rules::shoe::{self, Numbers, Shoe, below};
use rules::terms::TermSheet;
use rules::wager::Game;

use crate::count::{CountSystem, DeckEstimate, Rounding, TableCount, cards_left, typical_shoes};
use crate::fields::{Example, Field, Fields};
use crate::game::{Valuation, ValuationRefusal};
use crate::simulate::Wyrand;
use crate::value::ActValue;

pub use record::{Day, LONGEST_ANSWER_MS, LONGEST_RECORD, Mark, NotARecord, Record};
pub use schedule::{Item, MOST_ITEMS, Schedule, WAITS};

/// What is drilled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Drill {
    /// One decision of the strategy.
    Decision,
    /// Every decision of a hand, to its end.
    Hand,
    /// The running count of some cards.
    Running,
    /// The true count of a running count.
    True,
    /// A decision at a true count.
    Deviation,
}

impl Drill {
    /// Every drill.
    pub const ALL: [Drill; 5] =
        [Drill::Decision, Drill::Hand, Drill::Running, Drill::True, Drill::Deviation];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Drill::Decision => "decision",
            Drill::Hand => "hand",
            Drill::Running => "running",
            Drill::True => "true",
            Drill::Deviation => "deviation",
        }
    }

    /// The drill of a name.
    pub fn named(name: &str) -> Option<Drill> {
        Drill::ALL.into_iter().find(|drill| drill.name() == name)
    }

    /// Whether it is about the count.
    pub const fn counts(self) -> bool {
        matches!(self, Drill::Running | Drill::True | Drill::Deviation)
    }
}

/// Why something is not drilled.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub enum TrainRefusal {
    /// The table cannot be valued.
    Table(ValuationRefusal),
    /// Every round has its own shuffle, or all ranks are alike.
    NothingToCount(Game, &'static str),
    /// There is no question of this name.
    NoQuestion(String),
    /// The answer is none of those that are open.
    NotOpen { answer: String, open: String },
    /// The answer is no whole number.
    NotANumber(String),
}

impl fmt::Display for TrainRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrainRefusal::Table(refusal) => refusal.fmt(f),
            TrainRefusal::NothingToCount(game, why) => {
                write!(f, "there is nothing to count in {}: {why}", game.title())
            }
            TrainRefusal::NoQuestion(name) => {
                write!(f, "there is no question '{}'", name.escape_debug())
            }
            TrainRefusal::NotOpen { answer, open } => {
                write!(f, "'{}' is not open; answer {open}", answer.escape_debug())
            }
            TrainRefusal::NotANumber(answer) => {
                write!(f, "expected a whole number such as -3, found '{}'", answer.escape_debug())
            }
        }
    }
}

impl std::error::Error for TrainRefusal {}

impl From<ValuationRefusal> for TrainRefusal {
    fn from(refusal: ValuationRefusal) -> TrainRefusal {
        TrainRefusal::Table(refusal)
    }
}

/// The longest name of a question.
const LONGEST_NAME: usize = 600;

/// Cards of a running count.
const COUNTED: std::ops::RangeInclusive<u32> = 8..=24;

/// True counts of deviations go this far from nothing.
pub const FARTHEST: i32 = 5;

/// A deviation is asked about decisions that are as close as this, in units of the main wager.
const CLOSE: f64 = 0.12;

/// How many fields are looked at for a close decision.
const LOOKS: usize = 40;

/// Drills at a table.
pub struct Trainer {
    fields: Fields,
    names: Vec<String>,
    count: Result<TableCount, TrainRefusal>,
}

/// A question.
#[derive(Clone, Debug)]
pub struct Question {
    /// Its name.
    pub name: String,
    /// The drill.
    pub drill: Drill,
    /// What is shown, and what is right.
    pub asked: Asked,
}

/// What is asked.
#[derive(Clone, Debug)]
pub enum Asked {
    /// What to do.
    Act {
        /// The cards, and what every open act is worth.
        shown: Example,
        /// The field of the strategy, where it is one.
        field: Option<String>,
        /// What the strategy says there.
        chart: Option<Call>,
        /// The true count, where it matters.
        true_count: Option<i32>,
    },
    /// A whole number.
    Number {
        /// The cards to be counted; none where the running count is given.
        cards: Vec<Card>,
        /// The running count, where it is given.
        running: Option<i32>,
        /// Cards that have been seen, and that are left.
        seen: u16,
        /// How many cards are left.
        left: u16,
        /// Cards in a deck.
        deck: u16,
        /// What is right.
        answer: i32,
    },
    /// The hand is over.
    Over {
        /// The cards as they lie.
        own: Vec<Vec<Card>>,
        /// The dealer's.
        dealer: Vec<Card>,
        /// What was won or lost.
        net: Cents,
        /// The main wager.
        main: Chips,
    },
}

/// What an answer was worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Grade {
    /// Whether it was right: the best, or what the strategy says.
    pub is_right: bool,
    /// What it costs compared with the best, in units of the main wager.
    pub cost: f64,
    /// What would have been best.
    pub best: String,
}

/// The true count from which on another act is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index {
    /// The lowest true count at which `above` is the best.
    pub from: i32,
    /// What is best below it.
    pub below: Call,
    /// What is best from there on.
    pub above: Call,
}

impl Trainer {
    /// Drills at a table, with the high-low count.
    pub fn new(table: &Valuation) -> Trainer {
        let fields = Fields::of(table);
        let is_shown = |field: &&Field| fields.has_example(field);
        let names = fields.iter().filter(is_shown).map(Field::name).collect();
        Trainer { names, count: high_low(table.sheet()), fields }
    }

    /// The table.
    pub fn table(&self) -> &Valuation {
        self.fields.table()
    }

    /// The drills that there are.
    pub fn drills(&self) -> impl Iterator<Item = Drill> {
        Drill::ALL.into_iter().filter(|drill| !drill.counts() || self.count.is_ok())
    }

    /// How many decisions can be asked.
    pub fn decisions(&self) -> usize {
        self.names.len()
    }

    /// The next question of a drill, after another one; a seed chooses whatever is left to chance.
    pub fn next(
        &self,
        drill: Drill,
        record: &Record,
        last: Option<&str>,
        seed: u32,
    ) -> Result<Question, TrainRefusal> {
        let name = match drill {
            Drill::Decision => {
                let last = last.and_then(|name| name.strip_prefix("decision "));
                let last = last.and_then(|rest| rest.split_once(' ')).map(|(_, field)| field);
                let mut numbers = Wyrand::of(seed.into(), 1);
                let field = record.schedule.next(&self.names, last, &mut numbers);
                format!("decision {seed} {}", field.unwrap_or_default())
            }
            drill => format!("{} {seed}", drill.name()),
        };
        self.question(&name)
    }

    /// The question of a name.
    pub fn question(&self, name: &str) -> Result<Question, TrainRefusal> {
        let none = || TrainRefusal::NoQuestion(name.chars().take(LONGEST_NAME).collect());
        let mut words = name.splitn(3, ' ');
        let drill = words.next().and_then(Drill::named).filter(|_| name.len() <= LONGEST_NAME);
        let seed = words.next().and_then(|word| word.parse::<u32>().ok());
        let ((drill, seed), rest) = (drill.zip(seed).ok_or_else(none)?, words.next());
        let asked = match (drill, rest) {
            (Drill::Decision, Some(field)) => {
                let field = self.fields.named(field).ok_or_else(none)?;
                let shown = self.fields.example(field, seed.into()).ok_or_else(none)?;
                let chart = chart_call(field, &shown);
                Asked::Act { shown, field: Some(field.name()), chart, true_count: None }
            }
            (Drill::Hand, rest) => {
                let acts = rest.unwrap_or_default().split_whitespace().map(Call::named);
                let acts: Vec<Call> = acts.collect::<Option<_>>().ok_or_else(none)?;
                hand::play(self.table(), seed, &acts).ok_or_else(none)?
            }
            (Drill::Running, None) => self.running(seed)?,
            (Drill::True, None) => self.true_count(seed)?,
            (Drill::Deviation, None) => self.deviation(seed)?.ok_or_else(none)?,
            _ => return Err(none()),
        };
        Ok(Question { name: name.to_owned(), drill, asked })
    }

    /// The count, where there is something to count.
    fn count(&self) -> Result<&TableCount, TrainRefusal> {
        self.count.as_ref().map_err(Clone::clone)
    }

    /// Some cards off a shuffled shoe.
    fn drawn(&self, seed: u32, cards: usize) -> Vec<Card> {
        let mut numbers = Wyrand::of(seed.into(), 2);
        let mut shoe = Shoe::new(self.table().sheet()).without_cut_card();
        (0..cards).filter_map(|_| shoe.draw(&mut numbers)).collect()
    }

    fn running(&self, seed: u32) -> Result<Asked, TrainRefusal> {
        let count = self.count()?;
        let mut numbers = Wyrand::of(seed.into(), 3);
        let cards = COUNTED.start() + below(COUNTED.end() - COUNTED.start() + 1, &mut numbers);
        let cards = self.drawn(seed, cards as usize);
        let (seen, all) = (u16::try_from(cards.len()).unwrap_or(0), self.table().unseen().total());
        Ok(Asked::Number {
            answer: points(count, &cards),
            cards,
            running: None,
            seen,
            left: all - seen,
            deck: deck(self.table().sheet()),
        })
    }

    fn true_count(&self, seed: u32) -> Result<Asked, TrainRefusal> {
        let count = self.count()?;
        let sheet = self.table().sheet();
        let (half, all) = (usize::from(deck(sheet)) / 2, shoe::cards(sheet));
        let behind = shoe::behind_cut_card(sheet).unwrap_or(0);
        let most = u32::try_from((all - behind) / half).unwrap_or(1).max(1);
        let mut numbers = Wyrand::of(seed.into(), 4);
        // Half decks are what a counter sees in the discard rack.
        let gone = (1 + below(most, &mut numbers) as usize) * half;
        let cards = self.drawn(seed, gone);
        let running = points(count, &cards);
        let (seen, left) = (
            u16::try_from(cards.len()).unwrap_or(0),
            u16::try_from(all - cards.len()).unwrap_or(0),
        );
        let answer = count.true_count(100 * running, seen);
        let deck = deck(sheet);
        Ok(Asked::Number { cards: Vec::new(), running: Some(running), seen, left, deck, answer })
    }

    /// A decision that is close, or insurance, at a true count.
    fn deviation(&self, seed: u32) -> Result<Option<Asked>, TrainRefusal> {
        let count = self.count()?;
        let mut numbers = Wyrand::of(seed.into(), 5);
        for _ in 0..LOOKS {
            let wide = 2 * FARTHEST.unsigned_abs() + 1;
            let true_count = below(wide, &mut numbers).cast_signed() - FARTHEST;
            let choice = numbers.next() >> 16;
            let insurance = match below(6, &mut numbers) {
                0 => self.fields.insurance(choice),
                _ => None,
            };
            let found = match insurance {
                Some(shown) => Some((shown, None, Some(Call::Pass))),
                None => self.close_decision(choice, &mut numbers),
            };
            let Some((shown, field, chart)) = found else { continue };
            if let Some(shown) = self.at_count(count, &shown, true_count) {
                let true_count = Some(true_count);
                return Ok(Some(Asked::Act { shown, field, chart, true_count }));
            }
        }
        Ok(None)
    }

    /// A decision of the strategy, if it is close: the hand, its field, and what the chart says.
    fn close_decision(
        &self,
        choice: u64,
        numbers: &mut Wyrand,
    ) -> Option<(Example, Option<String>, Option<Call>)> {
        let fields = u32::try_from(self.names.len()).ok().filter(|fields| *fields > 0)?;
        let field = self.fields.named(&self.names[below(fields, numbers) as usize])?;
        // Hands of a split pair depend on their siblings too.
        let is_plain = !field.table.contains(' ') && field.up.is_some();
        let shown = is_plain.then(|| self.fields.example(field, choice)).flatten()?;
        let chart = chart_call(field, &shown);
        (shown.margin() <= CLOSE).then(|| (shown, Some(field.name()), chart))
    }

    /// What the acts of a hand are worth on average in shoes that are typical of a true count. The count
    /// is that at the decision, with the cards of the hand counted.
    fn at_count(&self, count: &TableCount, shown: &Example, true_count: i32) -> Option<Example> {
        let sheet = self.table().sheet();
        let (mut points, mut cards) = (0.0, 0.0);
        for card in shown.own.iter().flatten().chain(&shown.dealer) {
            points += count.system.tag(card.rank());
            cards += 1.0;
        }
        let left = cards_left(sheet);
        let middle = count.rounding.middle(true_count);
        let before = (middle * (left - cards) - points * count.deck()) / left;
        self.fields.on_average(shown, &typical_shoes(sheet, count, before, left))
    }

    /// The index of a question at a true count; none where the same act is the best at every true count
    /// that is asked about, or where more than two acts are the best at some.
    pub fn index(&self, question: &Question) -> Option<Index> {
        let Asked::Act { shown, true_count: Some(_), .. } = &question.asked else { return None };
        let count = self.count.as_ref().ok()?;
        let best =
            |true_count: i32| Some(self.at_count(count, shown, true_count)?.best()?.act.call());
        let (mut low, mut high) = (-FARTHEST, FARTHEST);
        let (below, above) = (best(low)?, best(high)?);
        if below == above {
            return None;
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match best(middle)? {
                call if call == above => high = middle,
                call if call == below => low = middle,
                _ => return None,
            }
        }
        Some(Index { from: high, below, above })
    }
}

impl Question {
    /// What an answer is worth: the name of a call, or a whole number.
    pub fn grade(&self, answer: &str) -> Result<Grade, TrainRefusal> {
        match &self.asked {
            Asked::Act { shown, chart, true_count, .. } => {
                let named = |value: &&ActValue| value.act.call().name() == answer;
                let Some(given) = best_of(shown.acts.iter().filter(named)) else {
                    let mut open: Vec<&str> =
                        shown.acts.iter().map(|value| value.act.call().name()).collect();
                    open.dedup();
                    let (answer, open) = (answer.to_owned(), open.join(" or "));
                    return Err(TrainRefusal::NotOpen { answer, open });
                };
                let best = best_of(shown.acts.iter()).unwrap_or(given);
                let cost = (best.gain - given.gain) / f64::from(shown.main.get());
                let by_chart = true_count.is_none() && *chart == Some(given.act.call());
                Ok(Grade {
                    is_right: cost < NOTHING || by_chart,
                    cost: if cost < NOTHING { 0.0 } else { cost },
                    best: best.act.call().name().to_owned(),
                })
            }
            Asked::Number { answer: right, .. } => {
                let given: i32 = answer
                    .trim()
                    .trim_start_matches('+')
                    .replace('−', "-")
                    .parse()
                    .map_err(|_| TrainRefusal::NotANumber(answer.to_owned()))?;
                let best = format!("{right:+}").replace("+0", "0");
                Ok(Grade { is_right: given == *right, cost: 0.0, best })
            }
            Asked::Over { .. } => Err(TrainRefusal::NoQuestion(self.name.clone())),
        }
    }

    /// What it is scheduled by, where it is.
    pub fn item(&self) -> Option<&str> {
        match &self.asked {
            Asked::Act { field: Some(field), true_count: None, .. } => Some(field),
            _ => None,
        }
    }

    /// What is asked of a hand after this answer, in the name of the question.
    pub fn after(&self, answer: &str) -> Option<String> {
        (self.drill == Drill::Hand).then(|| format!("{} {answer}", self.name))
    }
}

impl Example {
    /// How much better the best act is than the next, in units of the main wager.
    pub fn margin(&self) -> f64 {
        let mut gains: Vec<f64> = self.acts.iter().map(|value| value.gain).collect();
        gains.sort_by(|one, other| other.total_cmp(one));
        match gains[..] {
            [best, next, ..] => (best - next) / f64::from(self.main.get()),
            _ => f64::INFINITY,
        }
    }
}

/// Smaller differences are those of rounding.
const NOTHING: f64 = 1e-9;

fn best_of<'a>(values: impl Iterator<Item = &'a ActValue>) -> Option<&'a ActValue> {
    values.max_by(|one, other| one.gain.total_cmp(&other.gain))
}

/// What the strategy says of a hand: the first call that is open.
fn chart_call(field: &Field, shown: &Example) -> Option<Call> {
    let is_open = |call: &&Call| shown.acts.iter().any(|value| value.act.call() == **call);
    field.calls.iter().find(is_open).copied()
}

/// The sum of the numbers of cards.
#[allow(clippy::cast_possible_truncation)]
fn points(count: &TableCount, cards: &[Card]) -> i32 {
    cards.iter().map(|card| count.system.tag(card.rank())).sum::<f64>().round() as i32
}

/// Cards in a deck of the game.
fn deck(sheet: &TermSheet) -> u16 {
    u16::try_from(shoe::deck(sheet.game()).count()).expect("a deck is small")
}

/// The high-low count at a table, where something can be counted.
fn high_low(sheet: &TermSheet) -> Result<TableCount, TrainRefusal> {
    let nothing = |why| Err(TrainRefusal::NothingToCount(sheet.game(), why));
    if shoe::behind_cut_card(sheet).is_none() {
        return nothing("every round has its own shuffle");
    }
    if !sheet.game().is_blackjack() {
        return nothing("no rank matters more than another");
    }
    let system = CountSystem::named("hi-lo").expect("it is one of the well-known counts");
    Ok(TableCount::new(sheet, system, Rounding::Floor, DeckEstimate::Exact))
}
