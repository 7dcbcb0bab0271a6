//! What a revealed shoe proves: every card that was seen is the one that was committed to.

use std::collections::BTreeMap;

use rules::card::Card;
use rules::table::{Input, Seal, What};
use rules::terms::TermSheet;

use crate::custody::{SealedShoe, Shows, Sight, Trail, full_shoe};
use crate::finding::{Finding, Matter};
use crate::seal::seal;
use crate::walk::Step;

/// The shoes on a table, and what the log has shown of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cards {
    trail: Trail,
    seen: Vec<(u64, Sight)>,
    /// The entry with the commitment to a shoe.
    shuffled: BTreeMap<u32, u64>,
    /// The last shoe that was revealed, as it was dealt.
    last: Option<(u32, Vec<Card>)>,
    revealed: u32,
}

impl Cards {
    /// How many shoes were revealed, whatever that showed.
    pub(crate) fn revealed(&self) -> u32 {
        self.revealed
    }

    /// The numbers of the shoes that are not revealed yet.
    pub(crate) fn unrevealed(&self) -> Vec<u32> {
        self.trail.shoes.iter().map(|shoe| shoe.number).collect()
    }

    /// Follows an input, and finds what it shows to be wrong. Where nothing more is played, nobody
    /// knows which card is which.
    pub(crate) fn take(&mut self, step: &Step<'_>) -> Option<Finding> {
        let Step { seq, input, outcome, .. } = step;
        let (before, after) = step.before.as_ref().zip(step.after)?;
        let revealed = outcome.events.iter().find_map(|event| match event.what {
            What::Revealed { shoe } => Some(shoe),
            _ => None,
        });
        let shoe = revealed
            .and_then(|number| self.trail.shoes.iter().find(|shoe| shoe.number == number).cloned());
        let seen = self.trail.follow(before, input, &outcome.events, after);
        self.seen.extend(seen.into_iter().map(|sight| (*seq, sight)));
        for event in &outcome.events {
            if let What::Shuffled { shoe, .. } = event.what {
                self.shuffled.insert(shoe, *seq);
            }
        }
        let (shoe, Input::Reveal { salt, order }) = (shoe?, input) else { return None };
        self.revealed += 1;
        let (number, cards) = (shoe.number, shoe.as_dealt(order));
        let matter = self.check(&shoe, (salt, order), &cards, step.sheet);
        self.last = Some((number, cards));
        self.seen.retain(|(_, sight)| sight.spot.shoe != number);
        let (at, matter) = matter?;
        Some(Finding { seq: at.unwrap_or(*seq), matter })
    }

    /// Compares what was seen with what is revealed, and as it was dealt; without its seal an order
    /// proves nothing. Tells where the entry with the reveal is not the wrong one.
    fn check(
        &self,
        shoe: &SealedShoe,
        (salt, order): (&Seal, &[Card]),
        cards: &[Card],
        sheet: &TermSheet,
    ) -> Option<(Option<u64>, Matter)> {
        let number = shoe.number;
        if seal(&salt.0, order) != shoe.seal {
            let shuffled = self.shuffled.get(&number).copied().unwrap_or(0);
            return Some((None, Matter::SealBroken { shoe: number, shuffled }));
        }
        if let Some(matter) = self.other_cards(shoe, order, sheet) {
            return Some((None, matter));
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
    fn other_cards(&self, shoe: &SealedShoe, order: &[Card], sheet: &TermSheet) -> Option<Matter> {
        let number = shoe.number;
        let Some(layout) = &shoe.refill else {
            return (!are_same(order, &full_shoe(sheet)))
                .then_some(Matter::OtherCards { shoe: number });
        };
        let face = |spot: crate::custody::Spot| match &self.last {
            Some((shoe, cards)) if *shoe == spot.shoe => cards.get(spot.at).copied(),
            _ => None,
        };
        let discards = layout.discards(sheet, face);
        let are_discards = discards.is_some_and(|discards| are_same(order, &discards));
        (!are_discards).then_some(Matter::NotTheDiscards { shoe: number })
    }
}

/// What there is to say where a card was seen that is another one.
fn other_card(sight: &Sight, cards: &[Card], more: usize) -> Matter {
    let (shoe, at) = (sight.spot.shoe, sight.spot.at);
    let (place, committed) = (at + 1, cards.get(at).copied());
    match sight.shows {
        Shows::Face(found) => Matter::OtherCard { shoe, place, committed, found, more },
        Shows::Answer { natural: found, .. } => {
            Matter::OtherAnswer { shoe, place, committed, found, more }
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
