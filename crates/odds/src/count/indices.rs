//! Index plays: where the count makes another play better than the chart's.
//!
//! The best chart is found anew for shoes that are typical of each true count, by the exact values of
//! all hands. Where a choice changes for good, there is an index play. Its index is the true count when
//! the decision is made: the cards of the hand and the up card are seen by then, and shift the count.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use rules::card::{Card, Rank, Suit};
use rules::games::blackjack::Points;
use rules::money::Chips;
use rules::shoe;
use rules::terms::TermSheet;
use rules::wager::Game;

use super::edge::CountRow;
use super::tags::TableCount;
use super::tally::{place, true_counts};
use crate::main_wager;
use crate::setting::Setting;
use crate::side_bets;
use crate::strategy::{Chart, Choice, CompiledChart, Page, Row, VALUES};
use crate::unseen::Unseen;

/// What is decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decision {
    /// What a hand does.
    Hand {
        /// The page of the chart.
        page: Page,
        /// The row.
        row: Row,
        /// The place of the up card's value: the ace is 0, the ten 9.
        up: usize,
        /// What the chart does.
        usual: Choice,
        /// What is better.
        better: Choice,
    },
    /// Whether an up card is attacked.
    Attack {
        /// The place of the up card's value.
        up: usize,
        /// Whether the chart attacks it.
        usual: bool,
    },
    /// Insurance is taken.
    Insurance,
}

/// A play that differs from the chart from a true count on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IndexPlay {
    /// What is decided.
    pub decision: Decision,
    /// The true count at the decision, as a whole number.
    pub index: i32,
    /// Whether it is for the index and above, or for the index and below.
    pub is_above: bool,
    /// The true count at which both plays are worth the same, as closely as it is known.
    pub break_even: f64,
    /// What it adds to a flat bet, in units for each round.
    pub gain: f64,
}

/// A play by the count: a chart for every true count, for the seat that counts. Others follow the
/// chart.
#[derive(Clone, Debug)]
pub struct CountedPlay {
    pub(crate) count: TableCount,
    pub(crate) game: Game,
    pub(crate) usual: CompiledChart,
    /// By the place of the true count.
    charts: Vec<CompiledChart>,
    insures: Vec<bool>,
}

impl CountedPlay {
    /// A chart with index plays.
    pub fn new(chart: &Chart, count: TableCount, plays: &[IndexPlay]) -> CountedPlay {
        let with = |true_count: i32| {
            let mut changed = chart.clone();
            for play in plays.iter().filter(|play| play.holds_at(true_count)) {
                play.change(&mut changed);
            }
            changed.compile()
        };
        let insures = |true_count: i32| {
            let insurance = |play: &&IndexPlay| play.decision == Decision::Insurance;
            plays.iter().filter(insurance).any(|play| play.holds_at(true_count))
        };
        CountedPlay {
            count,
            game: chart.game(),
            usual: chart.compile(),
            charts: true_counts().map(with).collect(),
            insures: true_counts().map(insures).collect(),
        }
    }

    #[inline]
    pub(crate) fn chart_at(&self, true_count: i32) -> &CompiledChart {
        &self.charts[place(true_count)]
    }

    #[inline]
    pub(crate) fn insures_at(&self, true_count: i32) -> bool {
        self.insures[place(true_count)]
    }
}

impl IndexPlay {
    fn holds_at(&self, true_count: i32) -> bool {
        match self.is_above {
            true => true_count >= self.index,
            false => true_count <= self.index,
        }
    }

    fn change(&self, chart: &mut Chart) {
        match self.decision {
            Decision::Hand { page, row, up, better, .. } => chart.set(page, row, up, better),
            Decision::Attack { up, usual } => chart.attack[up] = !usual,
            Decision::Insurance => {}
        }
    }
}

/// Looks for index plays.
pub struct IndexSearch<'a> {
    /// The table's terms.
    pub sheet: &'a TermSheet,
    /// The main wager.
    pub wager: Chips,
    /// The count.
    pub count: &'a TableCount,
    /// The chart that is played otherwise.
    pub chart: &'a Chart,
    /// How often each true count comes before a round.
    pub rows: &'a [CountRow],
    /// How many threads look.
    pub threads: usize,
}

/// True counts that are looked at: those that come at least this often, within these limits.
const SELDOM: f64 = 0.001;
const FARTHEST: f64 = 10.0;
/// The steps between true counts, and the shoes looked at for each.
const STEP: f64 = 0.5;
const SHOES: usize = 3;
/// A play that adds less is left out.
const LEAST_GAIN: f64 = 1e-7;

/// What is best in one typical shoe.
struct BestHere {
    chart: Chart,
    /// What insurance of one unit gains.
    insurance: Option<f64>,
}

impl IndexSearch<'_> {
    /// The index plays, the most valuable first; none where the answer to the progress is false. It is
    /// told how many steps of how many are done.
    pub fn find(&self, mut progress: impl FnMut(usize, usize) -> bool) -> Vec<IndexPlay> {
        let counts = self.true_counts();
        let tasks: Vec<(f64, usize)> =
            counts.iter().flat_map(|&t| (0..SHOES).map(move |shoe| (t, shoe))).collect();
        let best = in_parallel(
            self.threads,
            &tasks,
            |&(t, shoe)| self.best_at(t, shoe),
            |done| progress(done, 2 * tasks.len()),
        );
        let Some(best) = best else { return Vec::new() };
        let by_count: Vec<(f64, &[BestHere])> =
            counts.iter().copied().zip(best.chunks(SHOES)).collect();
        let mut plays = self.hand_plays(&by_count);
        plays.extend(self.attack_plays(&by_count));
        let insurance = self.insurance(&by_count);
        let from = tasks.len();
        let gains = in_parallel(
            self.threads,
            &plays,
            |play| self.gain(play),
            |done| progress(from + from * done / plays.len().max(1), 2 * from),
        );
        let Some(gains) = gains else { return Vec::new() };
        for (play, gain) in plays.iter_mut().zip(gains) {
            play.gain = gain;
        }
        plays.extend(insurance);
        plays.retain(|play| play.gain > LEAST_GAIN);
        plays.sort_by(|one, other| other.gain.total_cmp(&one.gain));
        plays
    }

    /// The true counts before a round that are looked at.
    fn true_counts(&self) -> Vec<f64> {
        let common = self.rows.iter().filter(|row| row.share >= SELDOM);
        let middles = common.map(|row| self.count.rounding.middle(row.true_count));
        let (least, most) =
            middles.fold((0.0, 0.0), |(low, high): (f64, f64), t| (low.min(t), high.max(t)));
        let (least, most) = (least.max(-FARTHEST) - 1.0, most.min(FARTHEST) + 1.0);
        let first = (least / STEP).floor();
        let mut counts = Vec::new();
        let mut step = first;
        while step * STEP <= most {
            counts.push(step * STEP);
            step += 1.0;
        }
        counts
    }

    fn cards_left(&self) -> f64 {
        cards_left(self.sheet)
    }

    /// The best chart at a true count before a round, in one of the typical shoes.
    fn best_at(&self, true_count: f64, variant: usize) -> BestHere {
        let shoe = typical_shoe(self.sheet, self.count, true_count, self.cards_left(), variant);
        let chart = main_wager::chart(self.sheet, self.wager, &shoe);
        let chart = chart.unwrap_or_else(|| self.chart.clone());
        BestHere { chart, insurance: insurance_gain(self.sheet, &shoe) }
    }

    /// A true count at a decision, after cards worth so many points have been seen.
    fn at_decision(&self, before: f64, points: f64, cards: f64) -> f64 {
        let (left, deck) = (self.cards_left(), self.count.deck());
        (before * left / deck + points) * deck / (left - cards)
    }

    fn hand_plays(&self, by_count: &[(f64, &[BestHere])]) -> Vec<IndexPlay> {
        let mut plays = Vec::new();
        for &page in Page::of(self.chart.game()) {
            let rows = page.tables().iter().flat_map(|table| table.rows());
            for (row, up) in rows.flat_map(|row| (0..VALUES).map(move |up| (row, up))) {
                let usual = self.chart.choice(page, row, up);
                let seen = self.visible_points(row, up);
                let choice = |here: &BestHere| here.chart.choice(page, row, up);
                for (before, is_above, better) in changes(by_count, usual, choice) {
                    let break_even = self.at_decision(before, seen, 3.0);
                    let decision = Decision::Hand { page, row, up, usual, better };
                    plays.push(self.play(decision, break_even, is_above));
                }
            }
        }
        plays
    }

    fn attack_plays(&self, by_count: &[(f64, &[BestHere])]) -> Vec<IndexPlay> {
        let mut plays = Vec::new();
        if self.chart.game() != Game::DoubleAttack {
            return plays;
        }
        for up in 0..VALUES {
            let usual = self.chart.attack[up];
            let seen = self.tag_of_value(up);
            for (before, is_above, _) in changes(by_count, usual, |here| here.chart.attack[up]) {
                let break_even = self.at_decision(before, seen, 1.0);
                plays.push(self.play(Decision::Attack { up, usual }, break_even, is_above));
            }
        }
        plays
    }

    /// Insurance: its gain is a straight line of the share of tens, and so of the true count.
    fn insurance(&self, by_count: &[(f64, &[BestHere])]) -> Option<IndexPlay> {
        let gain = |shoes: &[BestHere]| {
            let gains: Option<Vec<f64>> = shoes.iter().map(|here| here.insurance).collect();
            gains.map(|gains| gains.iter().sum::<f64>() / shoes.len() as f64)
        };
        let points: Vec<(f64, f64)> =
            by_count.iter().filter_map(|(t, shoes)| Some((*t, gain(shoes)?))).collect();
        let crossing = points.windows(2).find(|two| two[0].1 <= 0.0 && two[1].1 > 0.0)?;
        let [(t0, g0), (t1, g1)] = [crossing[0], crossing[1]];
        let before = t0 + (t1 - t0) * (-g0 / (g1 - g0));
        let break_even = self.at_decision(before, self.tag_of_value(0), 1.0);
        let mut play = self.play(Decision::Insurance, break_even, true);
        let deck = Unseen::decks(self.sheet.game(), 1);
        let aces = f64::from(deck.of_rank(Rank::Ace)) / f64::from(deck.total());
        for row in self.rows {
            let t = self.count.rounding.middle(row.true_count);
            let near = points.iter().min_by(|a, b| (a.0 - t).abs().total_cmp(&(b.0 - t).abs()));
            // Half a unit can be insured.
            play.gain += row.share * aces * 0.5 * near.map_or(0.0, |(_, gain)| gain.max(0.0));
        }
        Some(play)
    }

    #[allow(clippy::cast_possible_truncation)]
    fn play(&self, decision: Decision, break_even: f64, is_above: bool) -> IndexPlay {
        let from = |whole: i32| self.count.rounding.middle(whole);
        let fits = |whole: &i32| match is_above {
            true => from(*whole) >= break_even,
            false => from(*whole) <= break_even,
        };
        let index = match is_above {
            true => true_counts().find(fits),
            false => true_counts().rfind(fits),
        };
        let index = index.unwrap_or(break_even as i32);
        IndexPlay { decision, index, is_above, break_even, gain: 0.0 }
    }

    /// What a play adds: at each true count at which it holds, how much more the chart is worth with it.
    fn gain(&self, play: &IndexPlay) -> f64 {
        let mut changed = self.chart.clone();
        play.change(&mut changed);
        let seen = match play.decision {
            Decision::Hand { row, up, .. } => (self.visible_points(row, up), 3.0),
            Decision::Attack { up, .. } => (self.tag_of_value(up), 1.0),
            Decision::Insurance => (self.tag_of_value(0), 1.0),
        };
        let common = self.rows.iter().filter(|row| row.share >= SELDOM);
        let gain = |row: &CountRow| {
            let before = self.count.rounding.middle(row.true_count);
            let holds =
                (self.at_decision(before, seen.0, seen.1) >= play.break_even) == play.is_above;
            if !holds {
                return 0.0;
            }
            let shoe = typical_shoe(self.sheet, self.count, before, self.cards_left(), 1);
            let worth = |chart: &Chart| main_wager::by_chart(self.sheet, self.wager, &shoe, chart);
            let more = worth(&changed).zip(worth(self.chart)).map(|(with, without)| with - without);
            row.share * more.unwrap_or(0.0)
        };
        common.map(gain).sum()
    }

    /// The points of a value, the ace being 0 and the ten 9.
    fn tag_of_value(&self, value: usize) -> f64 {
        let deck = Unseen::decks(self.sheet.game(), 1);
        let ranks = Rank::ALL.into_iter().filter(|&rank| value_of(rank) == value);
        let weighed =
            ranks.map(|rank| (self.count.system.tag(rank), f64::from(deck.of_rank(rank))));
        let (points, cards) =
            weighed.fold((0.0, 0.0), |(p, c), (tag, count)| (p + tag * count, c + count));
        if cards > 0.0 { points / cards } else { 0.0 }
    }

    /// The points that are seen on average when two cards of a row meet an up card.
    fn visible_points(&self, row: Row, up: usize) -> f64 {
        let own = match row {
            Row::Pair(value) => 2.0 * self.tag_of_value(value),
            Row::Soft(total) => {
                self.tag_of_value(0) + self.tag_of_value(usize::from(total - 12).min(VALUES - 1))
            }
            Row::Hard(total) => self.points_of_hard(usize::from(total)),
        };
        own + self.tag_of_value(up)
    }

    fn points_of_hard(&self, total: usize) -> f64 {
        let deck = Unseen::decks(self.sheet.game(), 1);
        let weight = |value: usize| {
            let ranks = Rank::ALL.into_iter().filter(|&rank| value_of(rank) == value);
            ranks.map(|rank| f64::from(deck.of_rank(rank))).sum::<f64>()
        };
        let (mut sum, mut all) = (0.0, 0.0);
        for one in 1..VALUES {
            let Some(other) =
                total.checked_sub(one + 2).filter(|other| (1..VALUES).contains(other))
            else {
                continue;
            };
            let ways = weight(one) * weight(other);
            sum += ways * (self.tag_of_value(one) + self.tag_of_value(other));
            all += ways;
        }
        if all > 0.0 { sum / all } else { 0.0 }
    }
}

/// The place of a rank's value: the ace is 0, the ten 9.
fn value_of(rank: Rank) -> usize {
    usize::from(Points::pips(Card::new(rank, Suit::Spades))) - 1
}

/// Where a choice differs from the usual one for good: the true count before the round, whether above
/// it, and the choice. Several shoes vote at each true count.
fn changes<C: Copy + PartialEq>(
    by_count: &[(f64, &[BestHere])],
    usual: C,
    choice: impl Fn(&BestHere) -> C,
) -> Vec<(f64, bool, C)> {
    let voted = |shoes: &[BestHere]| {
        let others: Vec<C> = shoes.iter().map(&choice).filter(|other| *other != usual).collect();
        let most = others.iter().max_by_key(|one| others.iter().filter(|o| o == one).count());
        most.copied().filter(|_| 2 * others.len() > shoes.len())
    };
    let votes: Vec<(f64, Option<C>)> =
        by_count.iter().map(|(t, shoes)| (*t, voted(shoes))).collect();
    let mut found = Vec::new();
    if let Some(from) = votes.iter().rposition(|(_, vote)| vote.is_none())
        && let Some((t, Some(better))) = votes.get(from + 1)
    {
        found.push((t - STEP / 2.0, true, *better));
    }
    if let Some(to) = votes.iter().position(|(_, vote)| vote.is_none())
        && let Some((t, Some(better))) = to.checked_sub(1).and_then(|to| votes.get(to))
    {
        found.push((t + STEP / 2.0, false, *better));
    }
    found
}

/// The shoes that are typical of a true count, between which cards are rounded to whole ones.
pub(crate) fn typical_shoes(
    sheet: &TermSheet,
    count: &TableCount,
    true_count: f64,
    left: f64,
) -> [Unseen; SHOES] {
    std::array::from_fn(|variant| typical_shoe(sheet, count, true_count, left, variant))
}

/// Cards left when half of those are gone that are dealt from a shoe.
pub(crate) fn cards_left(sheet: &TermSheet) -> f64 {
    let all = shoe::cards(sheet) as f64;
    let behind = shoe::behind_cut_card(sheet).unwrap_or(0) as f64;
    all - (all - behind) / 2.0
}

/// Cards left that are typical of a true count: of each rank as many as are expected, rounded in one of
/// several ways that average to that.
fn typical_shoe(
    sheet: &TermSheet,
    count: &TableCount,
    true_count: f64,
    left: f64,
    variant: usize,
) -> Unseen {
    let full = Unseen::full(sheet);
    let all = f64::from(full.total());
    let share = |rank: Rank| f64::from(full.of_rank(rank)) / all;
    let mean: f64 = Rank::ALL.iter().map(|&rank| share(rank) * count.system.tag(rank)).sum();
    let tag = |rank: Rank| count.system.tag(rank) - mean;
    let square: f64 = Rank::ALL.iter().map(|&rank| share(rank) * tag(rank).powi(2)).sum();
    let mut shoe = Unseen::NONE;
    let mut sum = 0.0;
    let offset = (variant as f64 + 0.5) / SHOES as f64;
    for rank in Rank::ALL {
        let expected = left * share(rank) * (1.0 - tag(rank) * true_count / count.deck() / square);
        let before = (sum + offset).floor();
        sum += expected.max(0.0);
        let cards = (sum + offset).floor() - before;
        let suits = Suit::ALL.into_iter().cycle().skip(variant);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        for suit in suits.take(cards as usize) {
            shoe.add(Card::new(rank, suit));
        }
    }
    shoe
}

/// What one unit of insurance gains with an ace up; none where there is none.
fn insurance_gain(sheet: &TermSheet, shoe: &Unseen) -> Option<f64> {
    let setting = Setting::of(sheet).ok()?;
    let bets = side_bets::insurances(sheet, setting, shoe);
    bets.first().map(|value| value.ev)
}

/// Does tasks on several threads, with the results in their order; none where it is told to stop.
fn in_parallel<T: Sync, R: Send>(
    threads: usize,
    tasks: &[T],
    work: impl Fn(&T) -> R + Sync,
    mut tell: impl FnMut(usize) -> bool,
) -> Option<Vec<R>> {
    let next = AtomicUsize::new(0);
    let mut results: Vec<Option<R>> = tasks.iter().map(|_| None).collect();
    thread::scope(|scope| {
        let (sender, done) = mpsc::channel();
        let worker = || {
            let (sender, next, work) = (sender.clone(), &next, &work);
            move || {
                while let Some((at, task)) = {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    tasks.get(at).map(|task| (at, task))
                } {
                    if sender.send((at, work(task))).is_err() {
                        return;
                    }
                }
            }
        };
        // If the system does not allow that many threads, those that it allows work, or else this one.
        let begins = |_: &usize| thread::Builder::new().spawn_scoped(scope, worker()).is_ok();
        let threads = (0..threads.clamp(1, tasks.len().max(1))).take_while(begins).count();
        if threads == 0 {
            worker()();
        }
        drop(sender);
        for (finished, (at, result)) in done.iter().enumerate() {
            results[at] = Some(result);
            if !tell(finished + 1) {
                next.store(usize::MAX / 2, Ordering::Relaxed);
            }
        }
    });
    results.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use rules::round::Call;

    use super::*;
    use crate::count::{CountSystem, DeckEstimate, Rounding};

    fn count(sheet: &TermSheet, system: CountSystem) -> TableCount {
        TableCount::new(sheet, system, Rounding::Floor, DeckEstimate::Exact)
    }

    /// A deck of 52 left of two at a high-low count of +2 a deck: 21 high cards, 19 low ones.
    #[test]
    fn a_typical_shoe_has_its_true_count() {
        let sheet = TermSheet::new(Game::DoubleDeck);
        let count = count(&sheet, CountSystem::named("hi-lo").unwrap());
        for variant in 0..SHOES {
            let shoe = typical_shoe(&sheet, &count, 2.0, 52.0, variant);
            let of = |ranks: &[Rank]| ranks.iter().map(|&rank| shoe.of_rank(rank)).sum::<u16>();
            assert_eq!(shoe.total(), 52);
            assert_eq!(of(&[Rank::Two, Rank::Three, Rank::Four, Rank::Five, Rank::Six]), 19);
            assert_eq!(of(&[Rank::Seven, Rank::Eight, Rank::Nine]), 12);
            assert_eq!(of(&[Rank::Ten, Rank::Jack, Rank::Queen, Rank::King, Rank::Ace]), 21);
        }
    }

    fn search<'a>(
        sheet: &'a TermSheet,
        count: &'a TableCount,
        chart: &'a Chart,
    ) -> IndexSearch<'a> {
        let wager = Setting::of(sheet).unwrap().main;
        IndexSearch { sheet, wager, count, chart, rows: &[], threads: 1 }
    }

    fn insurance_index(game: Game, non_ten: f64, ten: f64) -> IndexPlay {
        let sheet = TermSheet::new(game);
        let mut tags = [non_ten; 10];
        tags[8] = ten;
        let count = count(&sheet, CountSystem::own("tens", &tags).unwrap());
        let chart = Chart::new(game);
        let search = search(&sheet, &count, &chart);
        let shoes: Vec<(f64, Vec<BestHere>)> = (-4..=16)
            .map(|t| {
                let here = |variant| {
                    let left = search.cards_left();
                    let shoe = typical_shoe(&sheet, &count, t.into(), left, variant);
                    BestHere { chart: chart.clone(), insurance: insurance_gain(&sheet, &shoe) }
                };
                (f64::from(t), (0..SHOES).map(here).collect())
            })
            .collect();
        let by_count: Vec<_> = shoes.iter().map(|(t, shoes)| (*t, &shoes[..])).collect();
        search.insurance(&by_count).unwrap()
    }

    /// Insurance pays 2 to 1, so it is even where a third of the cards are tens. With +1 for all others
    /// and −2.25 for tens, that is a true count of −52 (1 − 3.25 / 3) = 4.33.
    #[test]
    fn insurance_is_even_where_a_third_are_tens() {
        let play = insurance_index(Game::DoubleDeck, 1.0, -2.25);
        assert!((play.break_even - 52.0 / 12.0).abs() < 0.15, "{}", play.break_even);
        assert_eq!((play.index, play.is_above), (4, true));
    }

    /// Double Attack pays 5 to 2 and has decks of 48 with 12 tens: even where 2 of 7 cards are tens. With
    /// +1 and −3 that is −48 (1 − 4 × 2 / 7) = 6.86.
    #[test]
    fn insurance_at_5_to_2_is_even_where_two_sevenths_are_tens() {
        let play = insurance_index(Game::DoubleAttack, 1.0, -3.0);
        assert!((play.break_even - 48.0 / 7.0).abs() < 0.15, "{}", play.break_even);
    }

    /// A choice must change for good, and most of the shoes must say so.
    #[test]
    fn a_change_is_one_that_stays() {
        let row = Row::Hard(16);
        let with = |call: Call| {
            let mut chart = Chart::new(Game::DoubleDeck);
            chart.set(Page::Paid, row, 9, Choice::of([call]));
            BestHere { chart, insurance: None }
        };
        let shoes = |calls: [Call; 3]| calls.map(with);
        let (hit, stand) = (Call::Hit, Call::Stand);
        let votes = [
            (-1.0, shoes([hit, hit, hit])),
            (-0.5, shoes([stand, stand, hit])),
            (0.0, shoes([hit, hit, stand])),
            (0.5, shoes([stand, hit, stand])),
            (1.0, shoes([stand, stand, stand])),
        ];
        let by_count: Vec<_> = votes.iter().map(|(t, shoes)| (*t, &shoes[..])).collect();
        let choice = |here: &BestHere| here.chart.choice(Page::Paid, row, 9);
        let found = changes(&by_count, Choice::of([hit]), choice);
        assert_eq!(found, [(0.25, true, Choice::STAND)]);
        let found = changes(&by_count, Choice::STAND, choice);
        assert_eq!(found, [(-0.75, false, Choice::of([hit]))]);
    }

    /// 16 against a ten is seen with 10 + 6 (or 9 + 7) and the ten: 3 of 4 such hands hold a ten, so the
    /// high-low count moves by −1 for the up card and 0 for either hand.
    #[test]
    fn cards_of_the_hand_are_counted_at_the_decision() {
        let sheet = TermSheet::new(Game::DoubleDeck);
        let count = count(&sheet, CountSystem::named("hi-lo").unwrap());
        let chart = Chart::new(Game::DoubleDeck);
        let search = search(&sheet, &count, &chart);
        assert!((search.visible_points(Row::Hard(16), 9) + 1.0).abs() < 1e-12);
        assert!((search.visible_points(Row::Pair(4), 5) - 3.0).abs() < 1e-12);
        assert!((search.visible_points(Row::Soft(17), 9) + 1.0).abs() < 1e-12);
        // 69.5 cards left: a count of 1 a deck is 1.34 points; one less is 0.34, over 66.5 cards.
        let expected = (69.5 / 52.0 - 1.0) * 52.0 / 66.5;
        assert!((search.at_decision(1.0, -1.0, 3.0) - expected).abs() < 1e-12);
    }

    #[test]
    fn a_counted_play_changes_its_chart_at_the_index() {
        let sheet = TermSheet::new(Game::DoubleDeck);
        let chart = Chart::new(Game::DoubleDeck);
        let count = count(&sheet, CountSystem::named("hi-lo").unwrap());
        let insurance = IndexPlay {
            decision: Decision::Insurance,
            index: 3,
            is_above: true,
            break_even: 2.9,
            gain: 0.0,
        };
        let play = CountedPlay::new(&chart, count, &[insurance]);
        assert_eq!([2, 3, 20].map(|t| play.insures_at(t)), [false, true, true]);
    }
}
