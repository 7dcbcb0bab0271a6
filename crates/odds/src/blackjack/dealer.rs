//! How the dealer's hand ends, by what is left to draw from.

use rules::games::blackjack::{Book, Points, compare, is_natural, on_lammer};
use rules::money::{Breakage, Chips};
use rules::round::Ruling;
use rules::wager::Game;

use super::draws::{ACE, CARDS, Counts, DRAWS, Draw, Room, TEN, VALUES};
use super::tree::{Batch, GoneCards, KINDS, LANES, Tree, path};

/// What a ruling gains for each unit at stake.
pub(super) fn gain(ruling: Ruling) -> f64 {
    const UNIT: Chips = Chips::dollars(2);
    ruling.gain(UNIT, Breakage::EXACT).get() as f64 / f64::from(UNIT.get())
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

/// What hands gain that stand against a dealer without a natural, counted as nothing if there is
/// one; by the cards drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct StandValues {
    /// A unit of money.
    pub(super) money: Vec<f64>,
    /// A lammer, which is how likely the hand wins; where there are any.
    pub(super) lammers: Vec<f64>,
}

/// The dealer with one up card.
pub(super) struct Dealer {
    /// The value that makes a natural.
    natural: Option<usize>,
    /// By the player's total.
    shortfalls: Vec<Shortfall>,
    /// Whether lammers are valued.
    lammers: bool,
}

/// For some totals of the player: how much less than a win they are.
struct Shortfall {
    /// The totals it holds for.
    totals: std::ops::RangeInclusive<u8>,
    /// What money and lammers lack against each kind of the dealer's final hands.
    lacks: [[f64; 2]; KINDS],
    tree: Tree,
}

impl Dealer {
    /// The dealer behind an up card.
    pub(super) fn behind<B: Book>(book: B, up: usize) -> Dealer {
        Dealer::new(book, Points::of(&[CARDS[up]]), Some(up))
    }

    /// The same with lammers valued even in games without them: they tell wins from pushes.
    pub(super) fn with_wins<B: Book>(book: B, up: usize) -> Dealer {
        let dealer = Dealer::behind(book, up);
        let finals = finals(book, Points::of(&[CARDS[up]]), Some(dealer.natural));
        Dealer { shortfalls: shortfalls(book, &finals, true), lammers: true, ..dealer }
    }

    /// The dealer with open cards that count so much: an up card alone, or more of them.
    pub(super) fn new<B: Book>(book: B, open: Points, up: Option<usize>) -> Dealer {
        let natural_with =
            |up: usize| [ACE, TEN].into_iter().find(|&value| is_natural(CARDS[up], CARDS[value]));
        let natural = up.map(natural_with);
        let finals = finals(book, open, natural);
        let lammers = B::GAME == Game::FreeBet;
        let shortfalls = shortfalls(book, &finals, lammers);
        Dealer { natural: natural.flatten(), shortfalls, lammers }
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

    /// What hands gain that stand and whose cards are there; of so many sets of drawn cards.
    pub(super) fn expect(
        &self,
        asked: (&ByTotal, usize),
        shoe: &Counts,
        is_possible: impl Fn(usize) -> bool,
    ) -> StandValues {
        self.expect_as_cards_go(asked, shoe, is_possible, GoneCards::NONE).swap_remove(0)
    }

    /// The same as more and more cards of a value are gone from the shoe, as far as there are any.
    pub(super) fn expect_as_cards_go(
        &self,
        (stands, sets): (&ByTotal, usize),
        shoe: &Counts,
        is_possible: impl Fn(usize) -> bool,
        gone: GoneCards,
    ) -> Vec<StandValues> {
        let there = |&cards: &u16| cards == 0 || cards <= shoe.of[gone.value];
        let shoes: Vec<Counts> = (0..)
            .take(gone.most + 1)
            .take_while(there)
            .map(|cards| if cards == 0 { *shoe } else { shoe.without(gone.value, cards) })
            .collect();
        let none = StandValues {
            money: vec![0.0; sets],
            lammers: vec![0.0; if self.lammers { sets } else { 0 }],
        };
        let mut values = vec![none; shoes.len()];
        let mut batch = Batch::empty();
        let mut places: Vec<u16> = Vec::new();
        let cards = shoe.of.map(f64::from);
        for Shortfall { totals, lacks, tree } in &self.shortfalls {
            places.clear();
            for (_, some) in stands.iter().filter(|(total, _)| totals.contains(total)) {
                places.extend(some.iter().filter(|&&place| is_possible(place.into())));
            }
            for places in places.chunks(LANES) {
                let drawn = places.iter().map(|&place| &DRAWS.all[usize::from(place)].of);
                let sums = tree.sums_as_cards_go(&mut batch, &cards, drawn, gone);
                for ((values, shoe), [one, other]) in values.iter_mut().zip(&shoes).zip(sums) {
                    let room = Room::new(shoe);
                    let places = places.iter().map(|&place| usize::from(place)).enumerate();
                    for (lane, place) in places.filter(|&(_, place)| room.has(&DRAWS.all[place])) {
                        let none = 1.0 - self.natural(shoe, &DRAWS.all[place]);
                        let lacking =
                            |i: usize| lacks[0][i] * one.0[lane] + lacks[1][i] * other.0[lane];
                        values.money[place] = none - lacking(0);
                        if let Some(lammer) = values.lammers.get_mut(place) {
                            *lammer = none - lacking(1);
                        }
                    }
                }
            }
        }
        values
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

/// What hands lack against final hands of the dealer. Money and lammers lack the same against a push,
/// and differ against a loss: where both are asked for, these are summed apart.
fn shortfalls<B: Book>(book: B, finals: &[Final], lammers: bool) -> Vec<Shortfall> {
    let lacks = |total: u8, end: &Final| {
        let (ruling, _) = compare(book, total, end.total);
        [ruling, on_lammer(ruling)].map(|ruling| 1.0 - gain(ruling))
    };
    let mut shortfalls: Vec<(Vec<[f64; 2]>, std::ops::RangeInclusive<u8>)> = Vec::new();
    for total in 2..=21 {
        let all: Vec<[f64; 2]> = finals.iter().map(|end| lacks(total, end)).collect();
        match shortfalls.last_mut() {
            Some((same, totals)) if *same == all => *totals = *totals.start()..=total,
            _ => shortfalls.push((all, total..=total)),
        }
    }
    let shortfall = |(all, totals): (Vec<[f64; 2]>, std::ops::RangeInclusive<u8>)| {
        let mut lacks = [[1.0, 0.0], [0.0; 2]];
        if lammers {
            let mut kinds: Vec<[f64; 2]> =
                all.iter().copied().filter(|lack| lack[0] != 0.0).collect();
            kinds.sort_by(|a, b| a[0].total_cmp(&b[0]));
            kinds.dedup();
            assert!(kinds.len() <= KINDS, "a push and a loss");
            lacks.iter_mut().zip(kinds).for_each(|(lacks, kind)| *lacks = kind);
        }
        let weigh = |(end, &lack): (&Final, &[f64; 2])| {
            let kind = usize::from(lammers && lack == lacks[1]);
            let weight = match lammers {
                true => f64::from(u8::from(lack[0] != 0.0)),
                false => lack[0],
            };
            (DRAWS.all[end.draw].of, kind, end.ways * weight)
        };
        let tree = Tree::new(finals.iter().zip(&all).map(weigh));
        Shortfall { totals, lacks, tree }
    };
    shortfalls.into_iter().map(shortfall).collect()
}
