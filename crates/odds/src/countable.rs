//! How countable a wager is: the effect of each card removed.

use rules::card::{Card, Rank, Suit};
use rules::games::blackjack::Points;
use rules::shoe;

use crate::game::{Expectation, Valuation, Wager};

/// The effect of removal, and the counts made from it.
#[derive(Clone, Debug)]
pub struct Countable {
    /// The wager.
    pub wager: Wager,
    /// Its expectation with a full shoe.
    pub ev: f64,
    /// The change of the expectation with one card of the rank removed, for ranks in the shoe.
    pub removal: Vec<(Rank, f64)>,
    /// Counts with whole numbers, the simplest first.
    pub counts: Vec<Count>,
    /// The standard deviation of the expectation when the cut card comes, as the linear count
    /// estimates it; none where each round has its own shuffle.
    pub spread_at_cut_card: Option<f64>,
}

/// A count: the number of a card's rank is added when the card is seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Count {
    /// The numbers, in the order of [`Countable::removal`].
    pub tags: Vec<i8>,
    /// How closely it follows the best linear estimate: the correlation of its numbers with the
    /// effects of removal.
    pub correlation: f64,
}

/// Values each wager again with one card of each rank removed; `progress` is told how many ranks of
/// how many are done. `basic` keeps the chart of the full shoe.
///
/// Suits matter for some wagers, but a full shoe has the same number of each, so the effect of a rank
/// is the same in every suit.
pub fn countable(table: &Valuation, progress: &mut dyn FnMut(usize, usize)) -> Vec<Countable> {
    let mut removals = Removals::new(table);
    while let Some((done, of)) = removals.step() {
        progress(done, of);
    }
    removals.counted()
}

/// The removal of one card of each rank, one rank after the other.
pub struct Removals {
    table: Valuation,
    full: Vec<Expectation>,
    /// How many ranks are done, and what those in the shoe change.
    done: usize,
    gone: Vec<(Rank, Vec<f64>)>,
}

impl Removals {
    /// Nothing has been removed yet.
    pub fn new(table: &Valuation) -> Removals {
        let table = table.clone().keeping_its_chart();
        let full = table.expectations();
        Removals { table, full, done: 0, gone: Vec::new() }
    }

    /// What every wager is worth before a card is removed.
    pub fn full(&self) -> &[Expectation] {
        &self.full
    }

    /// Removes a card of the next rank, and says how many ranks of how many are done; none where all are.
    pub fn step(&mut self) -> Option<(usize, usize)> {
        let rank = *Rank::ALL.get(self.done)?;
        let known = self.gone.iter().find(|(other, _)| are_alike(&self.table, rank, *other));
        let changes = match known {
            Some((_, changes)) => Some(changes.clone()),
            None => without_one(&self.table, &self.full, rank),
        };
        self.gone.extend(changes.map(|changes| (rank, changes)));
        self.done += 1;
        Some((self.done, Rank::ALL.len()))
    }

    /// How countable every wager is, by the ranks that are done.
    pub fn counted(&self) -> Vec<Countable> {
        let Removals { table, full, gone, .. } = self;
        let of = |i: usize| gone.iter().map(|(rank, changes)| (*rank, changes[i])).collect();
        let each = full.iter().enumerate();
        each.map(|(i, e)| Countable::new(table, e.wager.clone(), e.ev, of(i))).collect()
    }
}

/// The change of every wager with one card of the rank removed.
fn without_one(table: &Valuation, full: &[Expectation], rank: Rank) -> Option<Vec<f64>> {
    let mut cards = Suit::ALL.into_iter().map(|suit| Card::new(rank, suit));
    let card = cards.find(|&card| table.unseen().of(card) > 0)?;
    let after = table.clone().without(&[card]).ok()?.expectations();
    let change = |before: &Expectation| {
        let same = after.iter().find(|other| other.wager == before.wager);
        same.map_or(0.0, |other| other.ev - before.ev)
    };
    Some(full.iter().map(change).collect())
}

/// Whether two ranks are interchangeable: in a blackjack, with the same points and number left.
fn are_alike(table: &Valuation, one: Rank, other: Rank) -> bool {
    let pips = |rank| Points::pips(Card::new(rank, Suit::Clubs));
    let left = |rank| Suit::ALL.map(|suit| table.unseen().of(Card::new(rank, suit)));
    table.sheet().game().is_blackjack() && pips(one) == pips(other) && left(one) == left(other)
}

impl Countable {
    fn new(table: &Valuation, wager: Wager, ev: f64, removal: Vec<(Rank, f64)>) -> Countable {
        let weights: Vec<f64> =
            removal.iter().map(|(rank, _)| f64::from(table.unseen().of_rank(*rank))).collect();
        let effects: Vec<f64> = removal.iter().map(|(_, effect)| *effect).collect();
        let mut counts: Vec<Count> = Vec::new();
        for count in
            [1, 2, 3].map(|level| Count::best(level, &effects, &weights)).into_iter().flatten()
        {
            if counts.last().is_none_or(|simpler| count.is_closer_than(simpler)) {
                counts.push(count);
            }
        }
        let spread = spread_at_cut_card(table, &effects, &weights);
        Countable { wager, ev, removal, counts, spread_at_cut_card: spread }
    }
}

impl Count {
    /// The best count with numbers up to a level: effects of removal, scaled and rounded.
    fn best(level: i8, effects: &[f64], weights: &[f64]) -> Option<Count> {
        let largest = effects.iter().fold(0.0_f64, |most, effect| most.max(effect.abs()));
        if largest < 1e-12 {
            return None;
        }
        let steps = 1..=400;
        let counts = steps.map(|step| {
            let scale = f64::from(level) * f64::from(step) / 100.0 / largest;
            let tags = effects.iter().map(|effect| tag(effect * scale, level)).collect();
            Count::new(tags, effects, weights)
        });
        counts.reduce(|best, count| if count.is_closer_than(&best) { count } else { best })
    }

    /// Whether it is better by more than rounding.
    fn is_closer_than(&self, other: &Count) -> bool {
        self.correlation > other.correlation + 1e-9
    }

    fn new(tags: Vec<i8>, effects: &[f64], weights: &[f64]) -> Count {
        let numbers: Vec<f64> = tags.iter().map(|&tag| tag.into()).collect();
        let correlation = correlation(&numbers, effects, weights);
        Count { tags, correlation }
    }
}

/// The nearest whole number within a level.
#[allow(clippy::cast_possible_truncation)]
fn tag(number: f64, level: i8) -> i8 {
    number.round().clamp(f64::from(-level), f64::from(level)) as i8
}

/// The correlation over all cards of the shoe.
pub(crate) fn correlation(one: &[f64], other: &[f64], weights: &[f64]) -> f64 {
    let all: f64 = weights.iter().sum();
    let mean = |of: &[f64]| of.iter().zip(weights).map(|(x, w)| x * w).sum::<f64>() / all;
    let (mean_one, mean_other) = (mean(one), mean(other));
    let product = |a: &[f64], mean_a: f64, b: &[f64], mean_b: f64| -> f64 {
        let terms = a.iter().zip(b).zip(weights);
        terms.map(|((a, b), w)| w * (a - mean_a) * (b - mean_b)).sum()
    };
    let spreads =
        product(one, mean_one, one, mean_one) * product(other, mean_other, other, mean_other);
    if spreads > 0.0 { product(one, mean_one, other, mean_other) / spreads.sqrt() } else { 0.0 }
}

/// The standard deviation of the linear estimate when the cut card comes.
///
/// With `n` of `N` cards gone the estimate is `(N − 1) / (N − n)` times the sum of their effects.
#[allow(clippy::cast_precision_loss)]
fn spread_at_cut_card(table: &Valuation, effects: &[f64], weights: &[f64]) -> Option<f64> {
    let behind = shoe::behind_cut_card(table.sheet())? as f64;
    let all: f64 = weights.iter().sum();
    let gone = all - behind;
    let mean = effects.iter().zip(weights).map(|(e, w)| e * w).sum::<f64>() / all;
    let squares: f64 = effects.iter().zip(weights).map(|(e, w)| w * (e - mean).powi(2)).sum();
    let of_sum = (squares / all * gone * (all - gone) / (all - 1.0)).max(0.0).sqrt();
    (gone > 0.0).then(|| of_sum * (all - 1.0) / (all - gone))
}
