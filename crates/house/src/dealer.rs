//! The dealer: shuffles, keeps the cards nobody has seen, and knows what the table waits for.
//!
//! The dealer decides nothing. Where the table awaits a card, the next one of the sealed order comes;
//! where a player is silent for too long, that is an input like any other (G-06).

use std::io;
use std::sync::Arc;
use std::time::Duration;

use audit::seal::seal;
use rand::TryRng;
use rand::rngs::SysRng;
use rules::card::Card;
use rules::round::{Awaits, Place, Round};
use rules::shoe;
use rules::table::{Cutter, Input, Seal, Table, TableAwaits};
use rules::terms::TermSheet;
use rules::wager::Bettors;

/// An order of cards that the house has committed to, and the salt of the commitment.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedOrder {
    /// The salt.
    pub salt: [u8; 32],
    /// Every card before the cut, the front one first.
    pub order: Vec<Card>,
}

impl SealedOrder {
    /// The commitment to it.
    pub fn seal(&self) -> Seal {
        seal(&self.salt, &self.order)
    }
}

/// Tells nothing: an order must not reach a trace.
impl std::fmt::Debug for SealedOrder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SealedOrder")
    }
}

/// Where shuffled orders come from: [`entropy`], or a test.
pub type Orders = Arc<dyn Fn(&TermSheet) -> io::Result<SealedOrder> + Send + Sync>;

/// Orders from the operating system's entropy.
pub fn entropy() -> Orders {
    Arc::new(shuffled)
}

/// The cards of a shoe in an order of which each is equally likely.
fn shuffled(sheet: &TermSheet) -> io::Result<SealedOrder> {
    let one_deck = || shoe::deck(sheet.game());
    let mut order: Vec<Card> = (0..shoe::decks(sheet)).flat_map(|_| one_deck()).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, random_below(last + 1)?);
    }
    Ok(SealedOrder { salt: random_bytes()?, order })
}

/// 32 bytes of the operating system's entropy.
pub(crate) fn random_bytes() -> io::Result<[u8; 32]> {
    let mut bytes = [0; 32];
    SysRng.try_fill_bytes(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes)
}

/// A number below a bound, each one equally likely.
fn random_below(bound: usize) -> io::Result<usize> {
    let bound = u32::try_from(bound).expect("a shoe has fewer cards than that");
    let mut failure = None;
    let chosen = shoe::below(bound, &mut || {
        SysRng.try_next_u64().unwrap_or_else(|error| {
            failure = Some(error);
            // Never rejected, so that the failure is told at once.
            u64::from(u32::MAX)
        })
    });
    match failure {
        Some(error) => Err(io::Error::other(error)),
        None => Ok(usize::try_from(chosen).expect("a small number")),
    }
}

/// The cards of the shoe on the table, of which nobody knows the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Custody {
    sealed: SealedOrder,
    /// Where in the shoe the card lay that is face down before the dealer.
    hole: Option<usize>,
}

impl Custody {
    pub(crate) fn new(sealed: SealedOrder) -> Custody {
        Custody { sealed, hole: None }
    }

    /// Remembers where a face-down card lay: `before` is the table that this input is put to.
    pub(crate) fn follow(&mut self, before: &Table, input: &Input) {
        if let (Input::Card(None), TableAwaits::Round(Awaits::FaceDown(Place::Dealer))) =
            (input, before.awaits())
        {
            self.hole = before.shoe().map(|shoe| shoe.dealt);
        }
    }

    /// The card at a place of the shoe after the cut.
    fn card(&self, table: &Table, at: usize) -> Option<Card> {
        let cut = table.shoe()?.cut.unwrap_or(0);
        let size = self.sealed.order.len();
        (at < size).then(|| self.sealed.order[(cut + at) % size])
    }

    fn next(&self, table: &Table) -> Option<Card> {
        self.card(table, table.shoe()?.dealt)
    }

    fn hole(&self, table: &Table) -> Option<Card> {
        self.card(table, self.hole?)
    }
}

/// How long this house keeps the seat of somebody who is gone and has no wager.
pub const ABSENCE: Duration = Duration::from_secs(300);

/// How fast the house is.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Between two cards.
    pub card: Duration,
    /// For further wagers, after the first one.
    pub betting: Duration,
    /// For an answer; where there is none, the term `action_timeout_s` decides.
    pub answer: Option<Duration>,
    /// For somebody who is gone to come back to a seat without a wager.
    pub absence: Duration,
}

/// The time that a term gives.
fn seconds(sheet: &TermSheet, key: &str) -> Duration {
    Duration::from_secs(sheet.number(key).expect("such a term is always a number").into())
}

impl Default for Pace {
    fn default() -> Pace {
        let (card, betting) = (Duration::from_millis(350), Duration::from_secs(15));
        Pace { card, betting, answer: None, absence: ABSENCE }
    }
}

/// What happens by itself if nobody does anything before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// The cards are shuffled.
    Shuffle,
    /// A step of the dealer's own: a card, a turn, a cut, a reveal.
    Dealer,
    /// Betting is closed.
    Deal,
    /// A cut that nobody makes.
    CutRefused(usize),
    /// Questions that nobody answers.
    Unanswered(Bettors),
}

impl Due {
    /// What is due at a table.
    pub(crate) fn at(table: &Table) -> Option<Due> {
        match table.awaits() {
            TableAwaits::Player | TableAwaits::Round(Awaits::Nobody) => None,
            TableAwaits::Shuffle => Some(Due::Shuffle),
            TableAwaits::Cut(Cutter::Seat(seat)) => Some(Due::CutRefused(seat)),
            TableAwaits::Round(Awaits::Acts(bettors)) => Some(Due::Unanswered(bettors)),
            TableAwaits::Wagers => {
                let placed = table.seats().iter().flatten().any(|chair| !chair.wager.is_empty());
                placed.then_some(Due::Deal)
            }
            TableAwaits::Cut(Cutter::Dealer) | TableAwaits::Reveal | TableAwaits::Round(_) => {
                Some(Due::Dealer)
            }
        }
    }

    /// How long the dealer waits for it.
    pub(crate) fn after(self, pace: &Pace, table: &Table) -> Duration {
        match self {
            Due::Shuffle | Due::Dealer => pace.card,
            Due::Deal => pace.betting,
            Due::CutRefused(_) | Due::Unanswered(_) => {
                pace.answer.unwrap_or_else(|| seconds(table.sheet(), "action_timeout_s"))
            }
        }
    }

    /// Whether a clock that runs for `before` goes on: for further wagers, and for those of whom an
    /// answer is still missing.
    pub(crate) fn goes_on_from(self, before: Due) -> bool {
        match (before, self) {
            (Due::Unanswered(asked), Due::Unanswered(left)) => {
                left.iter().all(|bettor| asked.contains(bettor))
            }
            (Due::Deal, Due::Deal) => true,
            (Due::CutRefused(asked), Due::CutRefused(seat)) => asked == seat,
            _ => false,
        }
    }
}

/// The dealer's next step, where the table waits for one.
pub(crate) fn step(table: &Table, custody: &Custody) -> io::Result<Option<Input>> {
    Ok(match table.awaits() {
        TableAwaits::Cut(Cutter::Dealer) => {
            let (least, most) = table.cut_bounds().into_inner();
            let at = least + random_below(most - least + 1)?;
            Some(Input::Cut { by: Cutter::Dealer, at: Some(at) })
        }
        TableAwaits::Round(Awaits::Card(_)) => {
            custody.next(table).map(|card| Input::Card(Some(card)))
        }
        TableAwaits::Round(Awaits::FaceDown(_)) => Some(Input::Card(None)),
        TableAwaits::Round(Awaits::Peek) => {
            let hole = custody.hole(table).zip(table.round());
            hole.map(|(hole, round)| Input::Peek(round.reader_answer(hole)))
        }
        TableAwaits::Round(Awaits::Turn) => custody.hole(table).map(Input::Turn),
        TableAwaits::Reveal => {
            let SealedOrder { salt, order } = custody.sealed.clone();
            Some(Input::Reveal { salt: Seal(salt), order })
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use rules::wager::Game;

    use super::*;

    #[test]
    fn a_shuffled_shoe_has_every_card_and_its_own_salt() {
        let sheet = TermSheet::new(Game::CasinoWar);
        let [one, other] = [(); 2].map(|()| shuffled(&sheet).unwrap());
        for card in Card::DECK {
            assert_eq!(one.order.iter().filter(|&&c| c == card).count(), 6);
        }
        assert_ne!(one.order, other.order);
        assert_ne!(one.salt, other.salt);
        assert_eq!(format!("{one:?}"), "SealedOrder");
    }

    #[test]
    fn cards_come_in_the_order_after_the_cut() {
        let sealed = shuffled(&TermSheet::new(Game::CasinoWar)).unwrap();
        let mut table = Table::new(TermSheet::new(Game::CasinoWar));
        let shuffle = format!("shuffle {}", sealed.seal());
        for line in ["sit 1 ann", "buy-in 1 100", &shuffle, "cut 1 60", "card ??"] {
            table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
        }
        assert_eq!(Due::at(&table), None);
        for line in ["wager 1 main 10", "deal"] {
            table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
        }
        assert_eq!(Due::at(&table), Some(Due::Dealer));
        let card = sealed.order[61];
        let next = step(&table, &Custody::new(sealed)).unwrap();
        assert_eq!(next, Some(Input::Card(Some(card))));
    }
}
