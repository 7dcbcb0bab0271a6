//! How the dealer's hand ends, by what is left to draw from.

use rules::games::blackjack::{Book, Points, compare, is_natural, on_lammer};
use rules::money::{Breakage, Chips};
use rules::round::Ruling;
use rules::wager::Game;

use super::draws::{ACE, CARDS, Counts, DRAWS, Draw, MOST_POINTS, Room, TEN, VALUES};
use super::tree::{Batch, GoneCards, KINDS, LANES, Tree, path};

/// What a ruling gains for each unit at stake where no chip breaks.
pub(super) fn gain(ruling: Ruling) -> f64 {
    Payments::WHOLE.gain(ruling, 1.0)
}

/// What rulings pay on an original wager, with the fractions of a chip that they leave (G-04).
#[derive(Clone, Copy, Debug)]
pub(super) struct Payments {
    pub(super) wager: Chips,
    pub(super) breakage: Breakage,
}

impl Payments {
    const WHOLE: Payments = Payments { wager: Chips::dollars(2), breakage: Breakage::EXACT };

    /// What a ruling gains on so many units of the original wager, in units.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub(super) fn gain(self, ruling: Ruling, units: f64) -> f64 {
        let wager = f64::from(self.wager.get());
        let stake = Chips::new((units * wager + 0.5) as u32);
        ruling.gain(stake, self.breakage).get() as f64 / wager
    }

    /// Whether a ruling gains so many times as much on so many units as on one.
    pub(super) fn is_in_proportion(self, ruling: Ruling, units: f64) -> bool {
        let gains = |units| self.gain(ruling, units) == units * gain(ruling);
        gains(1.0) && gains(units)
    }
}

/// Sets of drawn cards by the total that they make of a hand.
pub(super) type ByTotal = Vec<(u8, Vec<u16>)>;

/// One final hand of the dealer that does not end like most busts do.
struct Final {
    /// The cards drawn, as a tree takes them.
    path: Vec<u8>,
    /// In how many orders they can be drawn.
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

    /// The dealer with open cards that count so much: an up card alone, or more of them.
    pub(super) fn new<B: Book>(book: B, open: Points, up: Option<usize>) -> Dealer {
        Dealer::valuing(book, (open, up), B::GAME == Game::FreeBet)
    }

    /// The same with lammers valued even in games without them: they tell wins from pushes.
    pub(super) fn with_wins<B: Book>(book: B, open: Points, up: Option<usize>) -> Dealer {
        Dealer::valuing(book, (open, up), true)
    }

    fn valuing<B: Book>(book: B, (open, up): (Points, Option<usize>), lammers: bool) -> Dealer {
        let natural_with =
            |up: usize| [ACE, TEN].into_iter().find(|&value| is_natural(CARDS[up], CARDS[value]));
        let natural = up.map(natural_with);
        let finals = finals(book, open, natural);
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
        let (draws, cards) = (&DRAWS.all[..sets], shoe.of.map(f64::from));
        let rooms: Vec<Room> = shoes.iter().map(Room::new).collect();
        for Shortfall { totals, lacks, tree } in &self.shortfalls {
            places.clear();
            for (_, some) in stands.iter().filter(|(total, _)| totals.contains(total)) {
                places.extend(some.iter().filter(|&&place| is_possible(place.into())));
            }
            for places in places.chunks(LANES) {
                let drawn = places.iter().map(|&place| &draws[usize::from(place)].of);
                let sums = tree.sums_as_cards_go(&mut batch, &cards, drawn, gone);
                let shoes = shoes.iter().zip(&rooms);
                for ((values, (shoe, room)), [one, other]) in values.iter_mut().zip(shoes).zip(sums)
                {
                    let sums = one.0.iter().zip(&other.0);
                    for (place, (one, other)) in places.iter().map(|&p| usize::from(p)).zip(sums) {
                        let draw = &draws[place];
                        if !room.has(draw) {
                            continue;
                        }
                        let none = 1.0 - self.natural(shoe, draw);
                        let lacking = |i: usize| lacks[0][i] * one + lacks[1][i] * other;
                        values.money[place] = none - lacking(0);
                        if self.lammers {
                            values.lammers[place] = none - lacking(1);
                        }
                    }
                }
            }
        }
        values
    }
}

/// Every final hand of the dealer but a natural, as trees take them; busts only where they are not simply
/// a win for the player. Behind an up card, `natural` is the value that would make one.
fn finals<B: Book>(book: B, open: Points, natural: Option<Option<usize>>) -> Vec<Final> {
    let draws = &*DRAWS;
    let mut ways = vec![0.0; draws.all.len()];
    let mut totals = vec![None; draws.all.len()];
    ways[0] = 1.0;
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
                totals[place] = Some(points.total());
            }
            continue;
        }
        for value in 0..VALUES {
            if let Some(next) = draws.with(place, value) {
                ways[next] += ways[place];
            }
        }
    }
    let end = |place: usize| {
        let total = totals[place]?;
        Some(Final { path: path(&draws.all[place].of), ways: ways[place], total })
    };
    draws.by_path.iter().filter_map(|&place| end(place.into())).collect()
}

/// One more than the most that the dealer's cards can count.
const TOTALS: usize = MOST_POINTS as usize + 1;

/// What hands lack against final hands of the dealer. Money and lammers lack the same against a push,
/// and differ against a loss: where both are asked for, these are summed apart.
fn shortfalls<B: Book>(book: B, finals: &[Final], lammers: bool) -> Vec<Shortfall> {
    let mut is_final = [false; TOTALS];
    finals.iter().for_each(|end| is_final[usize::from(end.total)] = true);
    // What money and lammers lack, by the dealer's total.
    let lacks = |total: u8| {
        let mut lacks = [[0.0; 2]; TOTALS];
        for (end, lacks) in (0..).zip(&mut lacks).filter(|&(end, _)| is_final[usize::from(end)]) {
            let (ruling, _) = compare(book, total, end);
            *lacks = [ruling, on_lammer(ruling)].map(|ruling| 1.0 - gain(ruling));
        }
        lacks
    };
    let mut shortfalls: Vec<([[f64; 2]; TOTALS], std::ops::RangeInclusive<u8>)> = Vec::new();
    for total in 2..=21 {
        let all = lacks(total);
        match shortfalls.last_mut() {
            Some((same, totals)) if *same == all => *totals = *totals.start()..=total,
            _ => shortfalls.push((all, total..=total)),
        }
    }
    let shortfall = |(all, totals): ([[f64; 2]; TOTALS], std::ops::RangeInclusive<u8>)| {
        let mut lacks = [[1.0, 0.0], [0.0; 2]];
        if lammers {
            let mut kinds: Vec<[f64; 2]> =
                all.iter().copied().filter(|lack| lack[0] != 0.0).collect();
            kinds.sort_by(|a, b| a[0].total_cmp(&b[0]));
            kinds.dedup();
            assert!(kinds.len() <= KINDS, "a push and a loss");
            lacks.iter_mut().zip(kinds).for_each(|(lacks, kind)| *lacks = kind);
        }
        let tree = Tree::new(finals.iter().map(|end| {
            let lack = all[usize::from(end.total)];
            let kind = usize::from(lammers && lack == lacks[1]);
            let weight = match lammers {
                true => f64::from(u8::from(lack[0] != 0.0)),
                false => lack[0],
            };
            (&end.path, kind, end.ways * weight)
        }));
        Shortfall { totals, lacks, tree }
    };
    shortfalls.into_iter().map(shortfall).collect()
}
