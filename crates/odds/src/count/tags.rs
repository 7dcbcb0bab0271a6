//! Counts: what each rank adds when a card of it is seen, and the true count made from that.

use std::fmt;

use rules::card::Rank;
use rules::shoe::deck;
use rules::terms::TermSheet;

use crate::countable::{Count, Countable, correlation};
use crate::unseen::Unseen;

/// The high-low count: +1 for twos to sixes, −1 for ten-value cards and aces.
pub const HIGH_LOW: [i32; RANKS] = [1, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1, -1];

/// How many ranks there are, from the two to the ace.
const RANKS: usize = Rank::ALL.len();
/// Points are kept in hundredths, so that half points are whole numbers.
const HUNDREDTHS: i32 = 100;
/// The largest number that a card can have.
const MOST_POINTS: f64 = 100.0;

/// Well-known counts: the numbers of 2, 3, 4, 5, 6, 7, 8, 9, ten-value cards and aces, in half points.
const NAMED: [(&str, [i32; 10]); 11] = [
    ("hi-lo", [2, 2, 2, 2, 2, 0, 0, 0, -2, -2]),
    ("hi-opt-1", [0, 2, 2, 2, 2, 0, 0, 0, -2, 0]),
    ("hi-opt-2", [2, 2, 4, 4, 2, 2, 0, 0, -4, 0]),
    ("ko", [2, 2, 2, 2, 2, 2, 0, 0, -2, -2]),
    ("silver-fox", [2, 2, 2, 2, 2, 2, 0, -2, -2, -2]),
    ("omega-2", [2, 2, 4, 4, 4, 2, 0, -2, -4, 0]),
    ("zen", [2, 2, 4, 4, 4, 2, 0, 0, -4, -2]),
    ("mentor", [2, 4, 4, 4, 4, 2, 0, -2, -4, -2]),
    ("halves", [1, 2, 2, 3, 2, 1, 0, -1, -2, -2]),
    ("uston-apc", [2, 4, 4, 6, 4, 4, 2, -2, -6, 0]),
    ("ace-five", [0, 0, 0, 2, 0, 0, 0, 0, 0, -2]),
];

/// A count: the number of a card's rank is added when the card is seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountSystem {
    name: String,
    /// In hundredths of a point, from the two to the ace.
    tags: [i32; RANKS],
}

/// Numbers that make no count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotACount;

impl fmt::Display for NotACount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expected the numbers of 2 3 4 5 6 7 8 9 T A, or of 2 3 4 5 6 7 8 9 T J Q K A, each from \
             -{MOST_POINTS} to {MOST_POINTS} with at most two decimals and not all the same"
        )
    }
}

impl std::error::Error for NotACount {}

impl CountSystem {
    /// The names of the well-known counts.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED.into_iter().map(|(name, _)| name)
    }

    /// The well-known count of a name.
    pub fn named(name: &str) -> Option<CountSystem> {
        let (name, halves) = NAMED.into_iter().find(|(known, _)| *known == name)?;
        let tags = for_all_ranks(halves.map(|halves| halves * HUNDREDTHS / 2));
        Some(CountSystem { name: name.to_owned(), tags })
    }

    /// A count of one's own: ten numbers from the two to the ace with one for all ten-value cards, or
    /// thirteen.
    pub fn own(name: &str, numbers: &[f64]) -> Result<CountSystem, NotACount> {
        let hundredths = numbers.iter().map(|&number| in_hundredths(number));
        let tags: Vec<i32> = hundredths.collect::<Option<_>>().ok_or(NotACount)?;
        let tags = match *tags {
            [t2, t3, t4, t5, t6, t7, t8, t9, ten, ace] => {
                for_all_ranks([t2, t3, t4, t5, t6, t7, t8, t9, ten, ace])
            }
            _ => <[i32; RANKS]>::try_from(tags).map_err(|_| NotACount)?,
        };
        match tags.iter().all(|tag| *tag == tags[0]) {
            true => Err(NotACount),
            false => Ok(CountSystem { name: name.to_owned(), tags }),
        }
    }

    /// The best count for a wager with whole numbers up to a level, by the exact effects of removal;
    /// none where no rank matters more than another.
    pub fn best(countable: &Countable, level: i8) -> Option<CountSystem> {
        let is_within = |count: &&Count| count.tags.iter().all(|tag| tag.abs() <= level);
        let count = countable.counts.iter().rfind(is_within)?;
        let mut tags = [0; RANKS];
        for ((rank, _), tag) in countable.removal.iter().zip(&count.tags) {
            tags[place(*rank)] = i32::from(*tag) * HUNDREDTHS;
        }
        Some(CountSystem { name: format!("best-{level}"), tags })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What a rank adds when a card of it is seen.
    pub fn tag(&self, rank: Rank) -> f64 {
        f64::from(self.tags[place(rank)]) / f64::from(HUNDREDTHS)
    }

    /// The same in hundredths.
    #[inline]
    pub(crate) fn hundredths(&self, rank: Rank) -> i32 {
        self.tags[place(rank)]
    }

    /// The sum of the numbers of these cards, in hundredths.
    pub(crate) fn sum(&self, cards: &Unseen) -> i64 {
        cards
            .iter()
            .map(|(card, count)| i64::from(self.tags[place(card.rank())]) * i64::from(count))
            .sum()
    }

    /// How closely it follows the best linear estimate of a wager's expectation: the correlation of its
    /// numbers with the effects of removal, over the cards of a full shoe.
    pub fn correlation(&self, countable: &Countable, shoe: &Unseen) -> f64 {
        let ranks = countable.removal.iter();
        let tags: Vec<f64> = ranks.clone().map(|(rank, _)| self.tag(*rank)).collect();
        let effects: Vec<f64> = ranks.clone().map(|(_, effect)| *effect).collect();
        let weights: Vec<f64> = ranks.map(|(rank, _)| shoe.of_rank(*rank).into()).collect();
        correlation(&tags, &effects, &weights)
    }
}

/// One number for all four ten-value ranks.
fn for_all_ranks([t2, t3, t4, t5, t6, t7, t8, t9, ten, ace]: [i32; 10]) -> [i32; RANKS] {
    [t2, t3, t4, t5, t6, t7, t8, t9, ten, ten, ten, ten, ace]
}

#[allow(clippy::cast_possible_truncation)]
fn in_hundredths(number: f64) -> Option<i32> {
    let scaled = number * f64::from(HUNDREDTHS);
    let is_whole = (scaled - scaled.round()).abs() < 1e-6;
    (number.abs() <= MOST_POINTS && is_whole).then(|| scaled.round() as i32)
}

/// The place of a rank, the two first.
#[inline]
fn place(rank: Rank) -> usize {
    (rank as usize).wrapping_sub(2) % RANKS
}

/// How a true count becomes a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// The next whole number below.
    Floor,
    /// The next whole number towards nothing.
    Truncate,
    /// The nearest whole number.
    Nearest,
}

impl Rounding {
    /// Every way.
    pub const ALL: [Rounding; 3] = [Rounding::Floor, Rounding::Truncate, Rounding::Nearest];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Rounding::Floor => "floor",
            Rounding::Truncate => "truncate",
            Rounding::Nearest => "nearest",
        }
    }

    /// The middle of the true counts that become a whole number.
    pub(crate) fn middle(self, whole: i32) -> f64 {
        match self {
            Rounding::Floor => f64::from(whole) + 0.5,
            Rounding::Truncate => f64::from(whole) + 0.5 * f64::from(whole.signum()),
            Rounding::Nearest => f64::from(whole),
        }
    }
}

/// How well a counter sees how many decks are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeckEstimate {
    /// To the card.
    Exact,
    /// To the nearest half deck.
    HalfDecks,
    /// To the nearest deck.
    Decks,
}

impl DeckEstimate {
    /// Every way.
    pub const ALL: [DeckEstimate; 3] =
        [DeckEstimate::Exact, DeckEstimate::HalfDecks, DeckEstimate::Decks];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            DeckEstimate::Exact => "exact",
            DeckEstimate::HalfDecks => "half-decks",
            DeckEstimate::Decks => "decks",
        }
    }
}

/// True counts beyond this are taken for it.
pub const MOST_TRUE_COUNT: i32 = 20;

/// A count at a table: the true count of what has been seen.
///
/// The true count is the running count divided by the decks not seen yet. A count whose numbers do not
/// add up to nothing over the shoe is balanced first, so that a full shoe always has a true count of
/// nothing.
#[derive(Clone, Debug)]
pub struct TableCount {
    /// The count.
    pub system: CountSystem,
    /// How a true count becomes a whole number.
    pub rounding: Rounding,
    /// How well the decks left are seen.
    pub estimate: DeckEstimate,
    /// Cards in the shoe, and in a deck.
    cards: i64,
    deck: i64,
    /// The sum over the shoe, in hundredths.
    total: i64,
}

impl TableCount {
    /// A count at a table with these terms.
    pub fn new(
        sheet: &TermSheet,
        system: CountSystem,
        rounding: Rounding,
        estimate: DeckEstimate,
    ) -> TableCount {
        let shoe = Unseen::full(sheet);
        let total = system.sum(&shoe);
        let deck = i64::try_from(deck(sheet.game()).count()).expect("a deck is small");
        TableCount { system, rounding, estimate, cards: shoe.total().into(), deck, total }
    }

    /// Cards in a deck.
    pub(crate) fn deck(&self) -> f64 {
        self.deck as f64
    }

    /// The true count of a running count, in hundredths, after a number of cards; a whole number.
    #[allow(clippy::cast_possible_truncation)]
    pub fn true_count(&self, running: i32, seen: u16) -> i32 {
        let seen = i64::from(seen);
        let left = match self.estimate {
            DeckEstimate::Exact => self.cards - seen,
            DeckEstimate::HalfDecks => {
                nearest(2 * (self.cards - seen), self.deck).max(1) * self.deck / 2
            }
            DeckEstimate::Decks => nearest(self.cards - seen, self.deck).max(1) * self.deck,
        };
        // All cards can have been seen where a shoe ran out in the middle of a round.
        let left = left.max(1);
        let points = (i64::from(running) * self.cards - self.total * seen) * self.deck;
        let one = i64::from(HUNDREDTHS) * self.cards * left;
        let whole = match self.rounding {
            Rounding::Floor => points.div_euclid(one),
            Rounding::Truncate => points / one,
            Rounding::Nearest => nearest(points, one),
        };
        whole.clamp(-i64::from(MOST_TRUE_COUNT), MOST_TRUE_COUNT.into()) as i32
    }
}

/// The whole number nearest to a fraction; of two the larger.
fn nearest(numerator: i64, denominator: i64) -> i64 {
    (2 * numerator + denominator).div_euclid(2 * denominator)
}

#[cfg(test)]
mod tests {
    use rules::wager::Game;

    use super::*;

    fn at(game: Game, name: &str, rounding: Rounding, estimate: DeckEstimate) -> TableCount {
        let system = CountSystem::named(name).unwrap();
        TableCount::new(&TermSheet::new(game), system, rounding, estimate)
    }

    #[test]
    fn known_counts_are_balanced_but_for_those_that_are_known_not_to_be() {
        let shoe = Unseen::decks(Game::DoubleDeck, 1);
        for name in CountSystem::names() {
            let sum = CountSystem::named(name).unwrap().sum(&shoe);
            // Knock-Out counts the four sevens and nothing against them.
            let expected = if name == "ko" { 400 } else { 0 };
            assert_eq!(sum, expected, "{name}");
        }
        assert_eq!(CountSystem::named("halves").unwrap().tag(Rank::Five), 1.5);
        assert!(CountSystem::named("no such").is_none());
        let high_low = CountSystem::named("hi-lo").unwrap();
        assert_eq!(high_low.tags.map(|tag| tag / HUNDREDTHS), HIGH_LOW);
    }

    #[test]
    fn own_numbers_are_read_or_refused() {
        let ten = CountSystem::own("own", &[0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, -0.25, 1.0]);
        let ten = ten.unwrap();
        assert_eq!(
            [Rank::Five, Rank::Ten, Rank::King, Rank::Ace].map(|r| ten.tag(r)),
            [0.5, -0.25, -0.25, 1.0]
        );
        for wrong in [&[1.0; 9][..], &[1.0; 13], &[f64::NAN; 10], &[0.001; 10]] {
            assert_eq!(CountSystem::own("own", wrong), Err(NotACount));
        }
        let mut too_large = [0.0; 10];
        too_large[3] = 101.0;
        assert_eq!(CountSystem::own("own", &too_large), Err(NotACount));
    }

    /// Two decks. After 26 cards three of four half decks are left: 6 points are 6 / 1.5 = 4 a deck,
    /// and 5 points 3.33.
    #[test]
    fn the_true_count_is_the_count_for_each_deck_left() {
        let count = at(Game::DoubleDeck, "hi-lo", Rounding::Floor, DeckEstimate::Exact);
        assert_eq!(count.true_count(600, 26), 4);
        assert_eq!(count.true_count(500, 26), 3);
        assert_eq!(count.true_count(-500, 26), -4);
        assert_eq!(count.true_count(0, 0), 0);
        assert_eq!(count.true_count(5000, 100), MOST_TRUE_COUNT);
        assert_eq!(count.true_count(100, 104), MOST_TRUE_COUNT);
        let truncated = at(Game::DoubleDeck, "hi-lo", Rounding::Truncate, DeckEstimate::Exact);
        assert_eq!(truncated.true_count(-500, 26), -3);
        let nearest = at(Game::DoubleDeck, "hi-lo", Rounding::Nearest, DeckEstimate::Exact);
        assert_eq!([500, -500, 525].map(|r| nearest.true_count(r, 26)), [3, -3, 4]);
    }

    /// 70 of 104 cards left are 1.35 decks: one and a half to the half deck, one to the deck.
    #[test]
    fn decks_are_estimated() {
        let half = at(Game::DoubleDeck, "hi-lo", Rounding::Floor, DeckEstimate::HalfDecks);
        assert_eq!(half.true_count(600, 34), 4);
        let whole = at(Game::DoubleDeck, "hi-lo", Rounding::Floor, DeckEstimate::Decks);
        assert_eq!(whole.true_count(600, 34), 6);
        // Never nothing.
        assert_eq!(whole.true_count(600, 100), 6);
    }

    /// Double Attack's decks have no tens: the high-low count of a whole shoe is +4 for each deck, and
    /// after half of it 16 points mean nothing.
    #[test]
    fn a_full_shoe_has_a_true_count_of_nothing() {
        let count = at(Game::DoubleAttack, "hi-lo", Rounding::Floor, DeckEstimate::Exact);
        assert_eq!(count.true_count(1600, 192), 0);
        // Eight points more with four decks left.
        assert_eq!(count.true_count(2400, 192), 2);
        let ko = at(Game::DoubleDeck, "ko", Rounding::Floor, DeckEstimate::Exact);
        assert_eq!([ko.true_count(0, 0), ko.true_count(400, 52)], [0, 0]);
    }
}
