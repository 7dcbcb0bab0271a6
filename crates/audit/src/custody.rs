//! What a revealed shoe proves: every card that was seen is the one that was committed to.

use rules::card::Card;
use rules::games::AnyRound;
use rules::round::{Awaits, Place, Round};
use rules::shoe;
use rules::table::{Input, Seal, TableAwaits};
use rules::terms::TermSheet;

use crate::finding::{Finding, Matter};
use crate::seal::seal;
use crate::walk::Step;

/// The shoe on the table, and what the log has shown of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Custody {
    shoe: Option<Shoe>,
    /// How many shoes there were.
    shoes: u32,
    revealed: u32,
}

/// A shoe of which only a commitment is known.
#[derive(Clone, Debug)]
struct Shoe {
    number: u32,
    shuffled: u64,
    seal: Seal,
    /// How many cards went from the front to the back.
    cut: usize,
    /// How many cards have left it.
    drawn: usize,
    /// Where in the shoe the card lay that is face down before the dealer.
    hole: Option<usize>,
    seen: Vec<(u64, Sight)>,
}

/// What was seen of a card, by its place in the shoe after the cut.
#[derive(Clone, Debug)]
enum Sight {
    Face {
        at: usize,
        card: Card,
    },
    /// What the card reader said of it in a round.
    Peek {
        at: usize,
        round: Box<AnyRound>,
        natural: bool,
    },
}

impl Custody {
    /// How many shoes were revealed, whatever that showed.
    pub(crate) fn revealed(&self) -> u32 {
        self.revealed
    }

    /// The number of the shoe that is not revealed yet.
    pub(crate) fn in_play(&self) -> Option<u32> {
        self.shoe.as_ref().map(|shoe| shoe.number)
    }

    /// Follows an input, and finds what it shows to be wrong.
    pub(crate) fn take(&mut self, step: &Step<'_>) -> Option<Finding> {
        let Step { seq, input, .. } = step;
        let seq = *seq;
        if let Input::Shuffle { seal } = input {
            self.shoes += 1;
            let before = self.shoe.replace(Shoe::new(self.shoes, seq, *seal))?;
            return Some(Finding { seq, matter: Matter::NotRevealed { shoe: before.number } });
        }
        let shoe = self.shoe.as_mut()?;
        match input {
            Input::Cut { at: Some(at), .. } => shoe.cut = *at,
            Input::Card(card) => shoe.draw(seq, *card, step.awaited()),
            Input::Turn(card) => shoe.see_hole(seq, |at| Sight::Face { at, card: *card }),
            Input::Peek(natural) => {
                let round = Box::new(*step.before.as_ref()?.round()?);
                shoe.see_hole(seq, |at| Sight::Peek { at, round, natural: *natural });
            }
            Input::Reveal { salt, order } => {
                self.revealed += 1;
                return self.shoe.take()?.check(seq, salt, order, step.sheet);
            }
            _ => {}
        }
        None
    }
}

impl Shoe {
    fn new(number: u32, shuffled: u64, seal: Seal) -> Shoe {
        Shoe { number, shuffled, seal, cut: 0, drawn: 0, hole: None, seen: Vec::new() }
    }

    fn draw(&mut self, seq: u64, card: Option<Card>, awaited: Option<TableAwaits>) {
        let at = self.drawn;
        self.drawn += 1;
        match (card, awaited) {
            (Some(card), _) => self.seen.push((seq, Sight::Face { at, card })),
            (None, Some(TableAwaits::Round(Awaits::FaceDown(Place::Burn)))) => {}
            (None, Some(TableAwaits::Round(Awaits::FaceDown(_)))) => self.hole = Some(at),
            // Nobody knows any more which card it is that will be turned.
            (None, _) => self.hole = None,
        }
    }

    fn see_hole(&mut self, seq: u64, sight: impl FnOnce(usize) -> Sight) {
        self.seen.extend(self.hole.map(|at| (seq, sight(at))));
    }

    /// Compares what was seen with what is revealed; without its seal an order proves nothing.
    fn check(&self, seq: u64, salt: &Seal, order: &[Card], sheet: &TermSheet) -> Option<Finding> {
        let (shoe, shuffled) = (self.number, self.shuffled);
        if seal(&salt.0, order) != self.seal {
            return Some(Finding { seq, matter: Matter::SealBroken { shoe, shuffled } });
        }
        if !is_complete(order, sheet) {
            return Some(Finding { seq, matter: Matter::OtherCards { shoe } });
        }
        let (front, back) = order.split_at(self.cut.min(order.len()));
        let cards = [back, front].concat();
        let mut wrong = self.seen.iter().filter(|(_, sight)| !sight.is_true(&cards));
        let (seq, sight) = wrong.next()?;
        let more = wrong.count();
        Some(Finding { seq: *seq, matter: sight.matter(shoe, &cards, more) })
    }
}

impl Sight {
    fn is_true(&self, cards: &[Card]) -> bool {
        match self {
            Sight::Face { at, card } => cards.get(*at) == Some(card),
            Sight::Peek { at, round, natural } => {
                cards.get(*at).is_some_and(|card| round.reader_answer(*card) == *natural)
            }
        }
    }

    /// What there is to say where it is not true.
    fn matter(&self, shoe: u32, cards: &[Card], more: usize) -> Matter {
        let (Sight::Face { at, .. } | Sight::Peek { at, .. }) = *self;
        let (place, committed) = (at + 1, cards.get(at).copied());
        match *self {
            Sight::Face { card: found, .. } => {
                Matter::OtherCard { shoe, place, committed, found, more }
            }
            Sight::Peek { natural: found, .. } => {
                Matter::OtherAnswer { shoe, place, committed, found, more }
            }
        }
    }
}

/// Whether these are the cards that a shoe of the table holds, in whatever order.
fn is_complete(order: &[Card], sheet: &TermSheet) -> bool {
    let deck = || shoe::deck(sheet.game());
    let decks = std::iter::repeat_with(deck).take(shoe::decks(sheet));
    let mut expected: Vec<Card> = decks.flatten().collect();
    let mut found = order.to_vec();
    expected.sort_unstable();
    found.sort_unstable();
    expected == found
}
