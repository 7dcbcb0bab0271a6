//! The best play of a round in progress, found by trying every act in every way the cards may lie.

use std::collections::BTreeMap;
use std::iter::Sum;

use odds::ledger::Ledger;
use odds::open_acts;
use odds::unseen::Unseen;
use rules::card::{Card, Rank};
use rules::games::AnyRound;
use rules::money::Cents;
use rules::round::{Act, Awaits, Event, Place, Round};
use rules::wager::{Bettor, Circle};

const ONE: Bettor = Bettor::at(0);

/// One way in which the cards that nobody has seen may lie: the hole card, the rest, how likely.
#[derive(Clone, Debug)]
pub(crate) struct World {
    hole: Option<Card>,
    left: BTreeMap<Card, u32>,
    weight: f64,
}

impl World {
    /// Every next card.
    fn draws(&self) -> impl Iterator<Item = (Card, World)> + '_ {
        let total: u32 = self.left.values().sum();
        assert!(total > 0, "the shoe is too small");
        self.left.iter().filter(|(_, count)| **count > 0).map(move |(&card, &count)| {
            let mut world = self.clone();
            *world.left.get_mut(&card).unwrap() -= 1;
            world.weight *= f64::from(count) / f64::from(total);
            (card, world)
        })
    }
}

/// What a play gains on average, and how likely the hand wins and is pushed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Brute {
    pub(crate) gain: f64,
    pub(crate) win: f64,
    pub(crate) push: f64,
}

impl Sum for Brute {
    fn sum<I: Iterator<Item = Brute>>(all: I) -> Brute {
        all.fold(Brute::default(), |sum, one| Brute {
            gain: sum.gain + one.gain,
            win: sum.win + one.win,
            push: sum.push + one.push,
        })
    }
}

/// The best play, which knows what is on the table but not in which world it is; none if it is not
/// found in so many steps.
fn best(round: AnyRound, ledger: Ledger, worlds: &[World], steps: &mut u64) -> Option<Brute> {
    *steps = steps.checked_sub(worlds.len() as u64)?;
    let mut seen = |by: BTreeMap<Card, Vec<World>>,
                    input: &dyn Fn(&mut AnyRound, Card, &mut Ledger)| {
        by.into_iter()
            .map(|(card, worlds)| {
                let (mut round, mut ledger) = (round, ledger);
                input(&mut round, card, &mut ledger);
                best(round, ledger, &worlds, steps)
            })
            .sum::<Option<Brute>>()
    };
    match round.awaits() {
        Awaits::Nobody => {
            let weight: f64 = worlds.iter().map(|world| world.weight).sum();
            // Insurance and side wagers are apart from the hand.
            let apart = [
                Circle::Insurance,
                Circle::Progressive,
                Circle::Envy,
                Circle::Tie,
                Circle::WarTie,
                Circle::Bonus,
                Circle::Push22,
            ];
            let apart: Cents = apart.into_iter().map(|circle| ledger.gain(circle)).sum();
            let hand = ledger.total() - apart;
            Some(Brute {
                gain: ledger.total().get() as f64 * weight,
                win: if hand > Cents::ZERO { weight } else { 0.0 },
                push: if hand == Cents::ZERO { weight } else { 0.0 },
            })
        }
        Awaits::Card(_) => {
            let mut by: BTreeMap<Card, Vec<World>> = BTreeMap::new();
            for (card, world) in worlds.iter().flat_map(World::draws) {
                by.entry(card).or_default().push(world);
            }
            seen(by, &|round, card, ledger| round.deal(card, ledger).unwrap())
        }
        Awaits::FaceDown(place) => {
            let hidden = worlds.iter().flat_map(World::draws).map(|(card, world)| match place {
                Place::Burn => world,
                _ => World { hole: Some(card), ..world },
            });
            let (mut round, mut ledger) = (round, ledger);
            round.deal_face_down(&mut ledger).unwrap();
            best(round, ledger, &hidden.collect::<Vec<_>>(), steps)
        }
        Awaits::Peek => [false, true]
            .into_iter()
            .map(|natural| {
                let fits = |world: &&World| round.reader_answer(world.hole.unwrap()) == natural;
                let worlds: Vec<World> = worlds.iter().filter(fits).cloned().collect();
                let (mut round, mut ledger) = (round, ledger);
                round.peek(natural, &mut ledger).unwrap();
                match worlds.is_empty() {
                    true => Some(Brute::default()),
                    false => best(round, ledger, &worlds, steps),
                }
            })
            .sum(),
        Awaits::Turn => {
            let mut by: BTreeMap<Card, Vec<World>> = BTreeMap::new();
            for world in worlds {
                by.entry(world.hole.unwrap()).or_default().push(world.clone());
            }
            seen(by, &|round, card, ledger| round.turn(card, ledger).unwrap())
        }
        Awaits::Acts(_) => {
            let acts = open_acts(&round, ONE).into_iter();
            let played: Option<Vec<Brute>> =
                acts.map(|act| after(round, ledger, act, worlds, steps)).collect();
            played?.into_iter().reduce(|best, one| if one.gain > best.gain { one } else { best })
        }
    }
}

/// An act and the best play after it; none if it is not found in so many steps.
pub(crate) fn after(
    round: AnyRound,
    ledger: Ledger,
    act: Act,
    worlds: &[World],
    steps: &mut u64,
) -> Option<Brute> {
    let (mut round, mut ledger) = (round, ledger);
    round.act(ONE, act, &mut ledger).unwrap();
    best(round, ledger, worlds, steps)
}

/// The worlds that a position leaves open, by the rule that aces and ten-value cards make naturals.
pub(crate) fn worlds(events: &[Event], unseen: &Unseen) -> Vec<World> {
    let left: BTreeMap<Card, u32> = unseen.iter().map(|(card, n)| (card, u32::from(n))).collect();
    let whole = World { hole: None, left, weight: 1.0 };
    if !events.contains(&Event::FaceDown(Place::Dealer)) {
        return vec![whole];
    }
    let up = events.iter().find_map(|event| match event {
        Event::Dealt { place: Place::Dealer, card, .. } => Some(*card),
        _ => None,
    });
    let peeked = events.contains(&Event::Peeked { natural: false });
    let value = |card: Card| match card.rank() {
        Rank::Ace => 11,
        rank if rank >= Rank::Ten => 10,
        _ => 0,
    };
    let natural = |hole: Card| up.is_some_and(|up| value(up) + value(hole) == 21);
    let worlds = whole.draws().filter(|(card, _)| !(peeked && natural(*card)));
    let mut worlds: Vec<World> =
        worlds.map(|(card, world)| World { hole: Some(card), ..world }).collect();
    let weight: f64 = worlds.iter().map(|world| world.weight).sum();
    worlds.iter_mut().for_each(|world| world.weight /= weight);
    worlds
}
