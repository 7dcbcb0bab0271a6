//! What a revealed shoe proves: every card that was seen is the one the house committed to.

use std::collections::BTreeMap;

use rules::card::Card;
use rules::table::{Cutter, Input, Seal, Table};
use rules::terms::TermSheet;
use rules::wager::Bettor;

use crate::custody::{
    CardFact, CardMove, Contents, SealedOrder, SealedShoe, Sight, Spot, Trail, full_shoe,
};
use crate::finding::{Finding, Problem};
use crate::log::{Claim, Kind};
use crate::mix::CommitmentPlace;
use crate::seal::seal;
use crate::walk::{PlayedStep, Step, WrittenStep};

/// The most shoes whose sizes are known: those in use, in the machine and just retired.
const MOST_SHOES: usize = 8;

/// The shoes on a table, and what the log has shown of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cards {
    /// The name of the table.
    table: String,
    /// The house to which commitments were made.
    house: String,
    trail: Trail,
    /// The front card of the shoe in use.
    next: Option<Spot>,
    /// How many cards the last shoes held.
    sizes: BTreeMap<u32, usize>,
    /// How many cards the largest one held.
    full: usize,
    seen: Vec<(u64, Sight)>,
    /// The entry with the commitment to a shoe.
    shuffled: BTreeMap<u32, u64>,
    /// The last shoe that was revealed, as it was dealt.
    last: Option<RevealedShoe>,
    revealed: u32,
}

/// A shoe that was revealed.
#[derive(Clone, Debug)]
struct RevealedShoe {
    shoe: SealedShoe,
    salt: [u8; 32],
    /// As it was dealt.
    cards: Vec<Card>,
}

impl Cards {
    pub(crate) fn new(table: &str) -> Cards {
        Cards { table: table.to_owned(), ..Cards::default() }
    }

    /// How many shoes were revealed, whatever that showed.
    pub(crate) fn revealed(&self) -> u32 {
        self.revealed
    }

    /// The numbers of the shoes that are not revealed yet.
    pub(crate) fn unrevealed(&self) -> Vec<u32> {
        self.trail.shoes.iter().map(|shoe| shoe.number).collect()
    }

    /// The shoes on a table between two rounds, as the lines of a custody say.
    pub(crate) fn resumed<'a>(
        name: &str,
        custody: impl IntoIterator<Item = &'a str>,
        table: &Table,
    ) -> Option<Cards> {
        let mut cards = Cards { trail: Trail::resumed(custody)?, ..Cards::new(name) };
        for shoe in table.shoe().into_iter().chain(table.stored()) {
            cards.note_size(shoe.number, shoe.size);
        }
        Some(cards)
    }

    /// What is wrong with the order of a shoe that is not revealed yet.
    pub(crate) fn compare_order(&self, shoe: u32, sealed: &SealedOrder) -> Option<Problem> {
        let shoe = self.trail.shoes.iter().find(|it| it.number == shoe)?;
        let (salt, cards) = (Seal(sealed.salt), shoe.as_dealt(&sealed.order));
        self.check(shoe, (&salt, &sealed.order), &cards, None).map(|(_, problem)| problem)
    }

    /// Follows an input, and finds what it shows to be wrong.
    pub(crate) fn take(&mut self, step: &Step<'_>) -> Option<Finding> {
        let (shoes, seq) = (self.trail.shoes.clone(), step.seq());
        let mut wrong = None;
        let seen = match step {
            Step::Played(played) => {
                wrong = self.not_drawn(played).or_else(|| self.other_opening(played));
                self.follow(played)
            }
            Step::Written(written) => self.read(written),
        };
        for sight in seen {
            self.note(seq, sight);
        }
        if let Some(problem) = wrong {
            return Some(Finding { seq, problem });
        }
        let is_new = |shoe: &&SealedShoe| !shoes.iter().any(|known| known.number == shoe.number);
        let new = self.trail.shoes.iter().filter(is_new).map(|shoe| (shoe.number, seq));
        self.shuffled.extend(new);
        let is_open = |shoe: &SealedShoe| !self.unrevealed().contains(&shoe.number);
        let opened = shoes.into_iter().find(is_open);
        let (shoe, Some(Input::Reveal { salt, order })) = (opened?, step.input()) else {
            return None;
        };
        self.revealed += 1;
        let (number, cards) = (shoe.number, shoe.as_dealt(order));
        let problem = self.check(&shoe, (salt, order), &cards, step.sheet());
        self.last = Some(RevealedShoe { shoe, salt: salt.0, cards });
        self.seen.retain(|(_, sight)| sight.spot.shoe != number);
        self.shuffled.remove(&number);
        let (at, problem) = problem?;
        Some(Finding { seq: at.unwrap_or(seq), problem })
    }

    /// A drawn cut that is not the one of the key.
    fn not_drawn(&self, step: &PlayedStep<'_>) -> Option<Problem> {
        let Input::Cut { by: Cutter::Dealer, at: Some(found) } = step.input else { return None };
        let shoe = self.trail.in_use(&step.before)?.number;
        let drawn = self.trail.drawn_cut(&step.before).filter(|drawn| *drawn != found)?;
        Some(Problem::CutNotDrawn { shoe, drawn, found })
    }

    /// An opening that does not fit its commitment, or commitments to another house than before.
    fn other_opening(&mut self, step: &PlayedStep<'_>) -> Option<Problem> {
        if let Input::Commit { list: Some(list), .. } = &step.input {
            let before = std::mem::replace(&mut self.house, list.house.to_string());
            let is_other = !before.is_empty() && before != self.house;
            return is_other.then(|| Problem::OtherHouse { before, now: self.house.clone() });
        }
        let Input::Open { openings } = &step.input else { return None };
        let shoe = self.trail.in_use(&step.before)?;
        let fits = |&&(seat, bytes): &&(Bettor, Seal)| {
            let (house, table) = (&self.house[..], &self.table[..]);
            let place = CommitmentPlace { house, table, shoe: shoe.number, seal: &shoe.seal, seat };
            shoe.committed.contains(&(seat, place.commitment(&bytes)))
        };
        let (bettor, _) = *openings.iter().find(|opening| !fits(opening))?;
        Some(Problem::OtherOpening { shoe: shoe.number, bettor })
    }

    /// Follows an input by the rules.
    fn follow(&mut self, step: &PlayedStep<'_>) -> Vec<Sight> {
        let PlayedStep { input, before, after, outcome, .. } = step;
        if let Some(shoe) = after.shoe() {
            self.note_size(shoe.number, shoe.size);
        }
        let in_use = after.shoe_in_use();
        self.next = in_use.map(|shoe| Spot { shoe: shoe.number, at: shoe.dealt });
        self.trail.follow(before, input, &outcome.events, after)
    }

    /// Follows an input by the result that the log gives.
    fn read(&mut self, step: &WrittenStep<'_>) -> Vec<Sight> {
        let moves = step.claims.iter().filter_map(|claim| self.card_move(claim)).collect();
        let input = step.input.as_ref();
        if let (None, Some(bytes)) = (input, contributed(&step.entry.line)) {
            let in_use = self.next.map_or(0, |spot| spot.shoe);
            self.trail.shoe_mut(in_use).into_iter().for_each(|shoe| shoe.add(bytes));
        }
        let seen = input.map(|input| self.trail.take(self.next, input, moves));
        let dealt = usize::from(matches!(input, Some(Input::Card(_))));
        let drawn = step.claims.iter().filter(|claim| matches!(claim, Claim::Drawn(_))).count();
        self.next = self.next.map(|spot| Spot { at: spot.at + dealt + drawn, ..spot });
        for claim in &step.claims {
            match *claim {
                Claim::Shuffled { shoe, cards, .. } => {
                    // A second shoe waits in the machine until it is loaded.
                    if self.next.is_none() || self.is_refill(cards) {
                        self.next = Some(Spot { shoe, at: 0 });
                    }
                    self.note_size(shoe, cards);
                }
                Claim::Loaded { shoe } => self.next = Some(Spot { shoe, at: 0 }),
                Claim::Retired => self.next = None,
                Claim::Cut { at } => {
                    let shoe = self.next.map_or(0, |spot| spot.shoe);
                    let size = self.sizes.get(&shoe).map_or(1, |size| *size.max(&1));
                    self.trail.cut(shoe, |cut| (cut + at) % size);
                }
                _ => {}
            }
        }
        seen.unwrap_or_default()
    }

    /// What the log says was done with cards.
    fn card_move(&self, claim: &Claim) -> Option<CardMove> {
        Some(match *claim {
            Claim::Shuffled { shoe, cards, seal: Some(seal) } => {
                let holds = if self.is_refill(cards) { Contents::Unknown } else { Contents::All };
                CardMove::Shuffled(SealedShoe::new(shoe, seal, holds))
            }
            Claim::Burned => CardMove::Burned,
            Claim::FaceDown => CardMove::FaceDown,
            Claim::HoleShown(card) => CardMove::HoleShown(card),
            Claim::Drawn(card) => CardMove::Drawn(card),
            Claim::Settled => CardMove::Settled,
            Claim::Revealed { shoe } => CardMove::Revealed(shoe),
            _ => return None,
        })
    }

    /// Whether so many cards are the discards of a round that ran out of cards.
    fn is_refill(&self, cards: usize) -> bool {
        cards < self.full
    }

    fn note_size(&mut self, shoe: u32, cards: usize) {
        self.sizes.insert(shoe, cards);
        if self.sizes.len() > MOST_SHOES {
            self.sizes.pop_first();
        }
        self.full = self.full.max(cards);
    }

    /// Keeps what was seen of a shoe that is to be revealed, once.
    fn note(&mut self, seq: u64, sight: Sight) {
        let is_sealed = self.trail.shoes.iter().any(|shoe| shoe.number == sight.spot.shoe);
        if is_sealed && !self.seen.iter().any(|(_, known)| *known == sight) {
            self.seen.push((seq, sight));
        }
    }

    /// Compares the cards that were seen with the revealed order as it was dealt; without its seal an
    /// order proves nothing. Gives the entry, unless it is the one with the reveal.
    fn check(
        &self,
        shoe: &SealedShoe,
        (salt, order): (&Seal, &[Card]),
        cards: &[Card],
        sheet: Option<&TermSheet>,
    ) -> Option<(Option<u64>, Problem)> {
        let number = shoe.number;
        if seal(&salt.0, order) != shoe.seal {
            let shuffled = self.shuffled.get(&number).copied().unwrap_or(0);
            return Some((None, Problem::SealBroken { shoe: number, shuffled }));
        }
        if let Some(problem) = sheet.and_then(|sheet| self.other_cards(shoe, order, sheet)) {
            return Some((None, problem));
        }
        let of_shoe = self.seen.iter().filter(|(_, sight)| sight.spot.shoe == number);
        let is_true =
            |sight: &Sight| cards.get(sight.spot.at).is_some_and(|card| sight.shows.is_true(*card));
        let mut wrong = of_shoe.filter(|(_, sight)| !is_true(sight));
        let (seq, sight) = wrong.next()?;
        let more = wrong.count();
        Some((Some(*seq), other_card(sight, cards, more)))
    }

    /// A shoe holds all cards of the table, or all that lay in the discard rack.
    fn other_cards(&self, shoe: &SealedShoe, order: &[Card], sheet: &TermSheet) -> Option<Problem> {
        let number = shoe.number;
        let (cards, problem) = match &shoe.holds {
            Contents::All => (Some(full_shoe(sheet)), Problem::OtherCards { shoe: number }),
            Contents::AllBut(layout) => {
                let face = |spot: Spot| {
                    let last = self.last.as_ref().filter(|last| last.shoe.number == spot.shoe)?;
                    last.cards.get(spot.at).copied()
                };
                let cards = layout.discards(sheet, face);
                let drawn = cards.clone().zip(self.last.as_ref());
                let drawn = drawn.map(|(cards, last)| last.shoe.drawn_discards(cards, &last.salt));
                let is_other = drawn.is_some_and(|drawn| drawn.order != order);
                if cards.as_ref().is_some_and(|cards| are_same(order, cards)) && is_other {
                    return Some(Problem::DiscardsNotDrawn { shoe: number });
                }
                (cards, Problem::NotTheDiscards { shoe: number })
            }
            Contents::Unknown => return None,
        };
        let are_those = cards.is_some_and(|cards| are_same(order, &cards));
        (!are_those).then_some(problem)
    }
}

/// The bytes of a line of older rules: `< contribute 3 77ab…`.
fn contributed(line: &str) -> Option<Seal> {
    let (Kind::Input, text) = Kind::of(line)? else { return None };
    match text.split(' ').collect::<Vec<_>>()[..] {
        ["contribute", _, bytes] => bytes.parse().ok(),
        _ => None,
    }
}

/// The problem with a card that differs from the revealed order.
fn other_card(sight: &Sight, cards: &[Card], more: usize) -> Problem {
    let (shoe, at) = (sight.spot.shoe, sight.spot.at);
    let (place, committed) = (at + 1, cards.get(at).copied());
    match sight.shows {
        CardFact::Face(found) => Problem::OtherCard { shoe, place, committed, found, more },
        CardFact::Answer { natural: found, .. } => {
            Problem::OtherAnswer { shoe, place, committed, found, more }
        }
    }
}

/// Whether these are the same cards, in whatever order.
fn are_same(one: &[Card], other: &[Card]) -> bool {
    let sorted = |cards: &[Card]| {
        let mut cards = cards.to_vec();
        cards.sort_unstable();
        cards
    };
    sorted(one) == sorted(other)
}
