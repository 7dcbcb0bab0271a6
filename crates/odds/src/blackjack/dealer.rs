//! How the dealer's hand ends, by what is left to draw from.

use rules::games::blackjack::{Book, Points, compare, is_natural, on_lammer};
use rules::money::{Breakage, Chips};
use rules::round::Ruling;
use rules::wager::Game;

use super::draws::{ACE, CARDS, Counts, DRAWS, Draw, TEN, VALUES};
use super::tree::{Batch, LANES, Tree, path};

/// What a ruling gains for each unit at stake.
pub(super) fn gain(ruling: Ruling) -> f64 {
    const UNIT: Chips = Chips::dollars(2);
    ruling.gain(UNIT, Breakage::EXACT).get() as f64 / f64::from(UNIT.get())
}

/// What is asked about a completed hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StakeKind {
    /// What a unit of money gains.
    Money,
    /// What a lammer gains.
    Lammer,
}

/// Sets of drawn cards by the total that they make of a hand.
pub(super) type ByTotal = Vec<(u8, Vec<u16>)>;

/// One final hand of the dealer that does not end like most busts do.
struct Final {
    draw: usize,
    /// In how many orders it can be drawn.
    ways: f64,
    total: u8,
}

/// The dealer with one up card.
pub(super) struct Dealer {
    /// The value that makes a natural.
    natural: Option<usize>,
    /// For money and for lammers, by the player's total.
    books: [Vec<Shortfall>; 2],
}

/// For some totals of the player: how much less than a win they are.
struct Shortfall {
    /// The totals it holds for.
    totals: std::ops::RangeInclusive<u8>,
    tree: Tree,
}

impl Dealer {
    /// The dealer behind an up card.
    pub(super) fn behind<B: Book>(book: B, up: usize) -> Dealer {
        Dealer::new(book, Points::of(&[CARDS[up]]), Some(up))
    }

    /// The same with lammers valued even in games without them: they tell wins from pushes.
    pub(super) fn with_wins<B: Book>(book: B, up: usize) -> Dealer {
        let mut dealer = Dealer::behind(book, up);
        let finals = finals(book, Points::of(&[CARDS[up]]), Some(dealer.natural));
        dealer.books[StakeKind::Lammer as usize] = shortfalls(book, &finals, StakeKind::Lammer);
        dealer
    }

    /// The dealer with open cards that count so much: an up card alone, or more of them.
    pub(super) fn new<B: Book>(book: B, open: Points, up: Option<usize>) -> Dealer {
        let natural_with =
            |up: usize| [ACE, TEN].into_iter().find(|&value| is_natural(CARDS[up], CARDS[value]));
        let natural = up.map(natural_with);
        let finals = finals(book, open, natural);
        let asked = [StakeKind::Money, StakeKind::Lammer].map(|asked| match asked {
            StakeKind::Lammer if B::GAME != Game::FreeBet => Vec::new(),
            asked => shortfalls(book, &finals, asked),
        });
        Dealer { natural: natural.flatten(), books: asked }
    }

    /// How likely the dealer's second card makes a natural.
    #[inline]
    pub(super) fn natural(&self, shoe: &Counts, drawn: &Draw) -> f64 {
        self.natural.map_or(0.0, |value| {
            let left = shoe.of[value].saturating_sub(drawn.of[value].into());
            f64::from(left) / f64::from(shoe.total - u16::from(drawn.cards))
        })
    }

    /// The value of the card that makes a natural with the up card.
    pub(super) fn natural_value(&self) -> Option<usize> {
        self.natural
    }

    /// What a unit is expected to gain if the dealer has no natural, counted as nothing if there is
    /// one, for hands that are complete; by the cards drawn from the shoe.
    pub(super) fn expect(
        &self,
        asked: StakeKind,
        stands: &ByTotal,
        shoe: &Counts,
        is_possible: impl Fn(usize) -> bool,
        out: &mut [f64],
    ) {
        let mut left = Batch::empty();
        let mut places: Vec<u16> = Vec::new();
        let cards = shoe.of.map(f64::from);
        for shortfall in &self.books[asked as usize] {
            places.clear();
            for (_, some) in stands.iter().filter(|(total, _)| shortfall.totals.contains(total)) {
                places.extend(some.iter().filter(|&&place| is_possible(place.into())));
            }
            for places in places.chunks(LANES) {
                let drawn = places.iter().map(|&place| &DRAWS.all[usize::from(place)].of);
                let lacking = shortfall.tree.sums(&mut left, &cards, drawn).0;
                for (&place, lacking) in places.iter().zip(lacking) {
                    let draw = &DRAWS.all[usize::from(place)];
                    out[usize::from(place)] = 1.0 - self.natural(shoe, draw) - lacking;
                }
            }
        }
    }
}

/// Every final hand of the dealer but a natural; busts only where they are not simply a
/// win for the player. Behind an up card, `natural` is the value that would make one.
fn finals<B: Book>(book: B, open: Points, natural: Option<Option<usize>>) -> Vec<Final> {
    let draws = &*DRAWS;
    let mut ways = vec![0.0; draws.all.len()];
    ways[0] = 1.0;
    let mut finals = Vec::new();
    for (place, draw) in draws.all.iter().enumerate() {
        if ways[place] == 0.0 {
            continue;
        }
        let points = (0..VALUES).fold(open, |points, value| {
            (0..draw.of[value]).fold(points, |points, _| points.with(CARDS[value]))
        });
        let seen = natural.is_none() || draw.cards > 0;
        if seen && !book.dealer_draws(points) {
            let makes_natural = |value| draw.cards == 1 && draw.of[value] == 1;
            if !natural.flatten().is_some_and(makes_natural) {
                finals.push(Final { draw: place, ways: ways[place], total: points.total() });
            }
            continue;
        }
        for value in 0..VALUES {
            if let Some(next) = draws.with(place, value) {
                ways[next] += ways[place];
            }
        }
    }
    // As trees take them.
    finals.sort_by_cached_key(|end: &Final| path(&draws.all[end.draw].of));
    finals
}

fn shortfalls<B: Book>(book: B, finals: &[Final], asked: StakeKind) -> Vec<Shortfall> {
    let gain_of = |total: u8, dealer: u8| {
        let (ruling, _) = compare(book, total, dealer);
        match asked {
            StakeKind::Money => gain(ruling),
            StakeKind::Lammer => gain(on_lammer(ruling)),
        }
    };
    let lacking = |total: u8| -> Vec<f64> {
        let lack = |end: &Final| end.ways * (1.0 - gain_of(total, end.total));
        finals.iter().map(lack).collect()
    };
    let mut parts: Vec<(Vec<f64>, std::ops::RangeInclusive<u8>)> = Vec::new();
    for total in 2..=21 {
        let weights = lacking(total);
        match parts.last_mut() {
            Some((same, totals)) if *same == weights => *totals = *totals.start()..=total,
            _ => parts.push((weights, total..=total)),
        }
    }
    let tree = |weights: &[f64]| {
        Tree::new(finals.iter().zip(weights).map(|(f, &w)| (DRAWS.all[f.draw].of, w)))
    };
    parts.into_iter().map(|(weights, totals)| Shortfall { totals, tree: tree(&weights) }).collect()
}
