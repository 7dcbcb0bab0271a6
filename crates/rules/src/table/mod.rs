//! A table: seats and racks, the shuffle and the cut, the shoe, and one round after the other.
//!
//! A pure machine like the round in it: it says what it [awaits](Table::awaits), accepts an
//! [`Input`] or refuses it and stays as it was, and reports what happened, with the audience of each
//! event. It never learns a card that nobody has seen; whoever has custody of the cards feeds them
//! in. Nothing here knows a game: what differs is asked of the [`RuleBook`](crate::RuleBook) and
//! [`AnyRound`].
//!
//! ```
//! use rules::table::{Input, Table};
//! use rules::terms::TermSheet;
//! use rules::wager::Game;
//!
//! let mut table = Table::new(TermSheet::new(Game::CasinoWar));
//! let mut events = Vec::new();
//! for line in ["sit 3 ann", "buy-in 3 100"] {
//!     let input: Input = line.parse().unwrap();
//!     table.apply(&input, &mut events)?;
//! }
//! assert_eq!(table.awaits().to_string(), "seat 3 to look at the spread cards");
//! assert_eq!(events.last().unwrap().to_string(), "rack 3 100");
//!
//! // No wager before the cards are shuffled, and the refusal knows its clause.
//! let wager: Input = "wager 3 main 10".parse().unwrap();
//! let refusal = table.apply(&wager, &mut events).unwrap_err();
//! assert_eq!(refusal.source(Game::CasinoWar).id(), "CW-4-b");
//! # Ok::<(), rules::table::TableRefusal>(())
//! ```

mod account;
mod awaits;
mod cards;
mod event;
mod input;
mod note;
mod pit;
mod refusal;
mod rounds;
mod seats;
mod standing;

use std::sync::Arc;

use crate::card::Card;
use crate::games::AnyRound;
use crate::money::Cents;
use crate::round::{Amounts, Awaits, Call, Calls, Place, Round};
use crate::terms::TermSheet;
use crate::wager::Bettor;

use cards::{CardHandling, CardStage, CutOffer};
use event::Events;
use pit::Pit;
use refusal::Answer;
use rounds::Rounds;
use seats::Seats;

pub use account::{Account, Name, Transfer, WrittenReason};
pub use awaits::{COMMITMENT_SECONDS, TableAwaits};
pub use cards::{Batch, Commitment, Method, ShuffleStep, TableShoe};
pub use event::{Device, TableEvent};
pub use input::{CommitmentList, Cutter, Decks, Input, Seal};
pub use note::Note;
pub use pit::{Choice, Irregularity, Kind, Order, PitRefusal, Report, Reporter};
pub use refusal::TableRefusal;
pub use rounds::Announcement;
pub use seats::Chair;

/// A table of one game. Each part owns its state, and the table coordinates them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    sheet: Arc<TermSheet>,
    seats: Seats,
    cards: CardHandling,
    rounds: Rounds,
    pit: Pit,
}

impl Table {
    /// An empty table, open to whoever sits down.
    pub fn new(sheet: TermSheet) -> Table {
        Table {
            seats: Seats::new(&sheet),
            cards: CardHandling::new(&sheet),
            rounds: Rounds::default(),
            pit: Pit::default(),
            sheet: Arc::new(sheet),
        }
    }

    /// What the table waits for.
    ///
    /// Sitting down, buying in and leaving are possible at any time.
    pub fn awaits(&self) -> TableAwaits {
        if let Some(awaits) = self.pit.awaits() {
            return awaits;
        }
        let deserted = self.seats.is_deserted();
        match (self.cards.stage(), self.rounds.play()) {
            (CardStage::Bare, _) => TableAwaits::Decks,
            (CardStage::Spread(_) | CardStage::Stacked(_) | CardStage::Dealing, None)
                if deserted =>
            {
                TableAwaits::Player
            }
            (CardStage::Spread(_), _) => match self.seats.first_arrival() {
                Some(bettor) => TableAwaits::Inspection(bettor),
                None => TableAwaits::Player,
            },
            (CardStage::Stacked(_), _) => TableAwaits::Shuffle,
            (CardStage::Commit(cut), _) => TableAwaits::Commitments(cut.and_then(CutOffer::seat)),
            (CardStage::Open(_), _) => TableAwaits::Openings,
            (CardStage::Cut(offer), _) => TableAwaits::Cut(offer.asked),
            (CardStage::Burning(_), _) => TableAwaits::Round(Awaits::FaceDown(Place::Burn)),
            (CardStage::Dealing, None) if self.needs_repair() => TableAwaits::Repair,
            (CardStage::Dealing, None) => TableAwaits::Wagers,
            (CardStage::Dealing, Some(_)) if self.needs_refill() => TableAwaits::Shuffle,
            (CardStage::Dealing, Some(play)) => TableAwaits::Round(play.round().awaits()),
            (CardStage::Retired(_), _) => TableAwaits::Reveal,
        }
    }

    /// Accepts an input and reports its events, or refuses it and changes nothing.
    pub fn apply(
        &mut self,
        input: &Input,
        events: &mut Vec<TableEvent>,
    ) -> Result<(), TableRefusal> {
        let mut table = self.clone();
        let mut new = Vec::new();
        table.check_frozen(input)?;
        table.take(input, &mut new)?;
        table.follow_exposed(&mut new)?;
        table.count_faces(input, &new)?;
        table.forget_holds();
        table.seats.forget_stakes();
        table.seats.tell_balances(&self.seats, &mut new);
        *self = table;
        events.append(&mut new);
        Ok(())
    }

    fn take(&mut self, input: &Input, events: &mut Events) -> Answer {
        match input {
            Input::Dealer { name, .. } => self.change_dealer(name, events),
            Input::Decks(decks) => self.receive(decks, events),
            Input::DecksDue => self.decks_due(events),
            Input::Inspect { bettor } => self.inspect(*bettor, events),
            Input::Spread { bettor } => self.spread_on_request(*bettor, events),
            Input::Sit { bettor, player } => self.sit(*bettor, player, events),
            Input::Consent { seat, player } => self.seats.consent(*seat, player, events),
            Input::Revoke { seat, player } => self.revoke(*seat, player, events),
            Input::BuyIn { bettor, amount } => {
                let player = self.seats.buy_in(*bettor, *amount, events)?;
                self.buy_in_for_round(&player, *amount, events)
            }
            Input::Leave { bettor } => self.leave(*bettor, events),
            Input::Shuffle { seal, steps } => self.shuffle(*seal, steps, events),
            Input::Commit { cut, list } => self.close_commitments(*cut, list.as_ref(), events),
            Input::Open { openings } => self.open_commitments(openings, events),
            Input::Cut { by, at } => self.cut(*by, *at, events),
            Input::ShowBurn { bettor, cards } => self.show_burn(*bettor, cards, events),
            Input::Wager { bettor, amounts } => self.wager(*bettor, amounts, events),
            Input::Clear { bettor } => self.clear(*bettor, events),
            Input::Deal => self.close_bets(events),
            Input::Card(card) => self.card(*card, events),
            Input::Act { bettor, act } => self.act(*bettor, *act, events),
            Input::Peek(natural) => self.ask(events, |round, record| round.peek(*natural, record)),
            Input::Turn(card) => self.turn(*card, events),
            Input::TimeOut { bettor } => self.time_out(*bettor, events),
            Input::Meter(shows) => self.tell_meter(*shows),
            Input::Idle => self.idle(events),
            Input::Reveal { .. } => self.reveal(events),
            Input::Report(report) => self.report(report, events),
            Input::Order { order, by, card, because } => {
                self.show_reported(*card)?;
                self.order(*order, by, because.as_ref(), events)
            }
            Input::Choose { bettor, choice } => self.choose(*bettor, *choice, events),
            Input::Correct { round, transfer, by, because } => {
                self.correct(*round, transfer, by, because, events)
            }
        }
    }

    /// What the round in play, or else the one that would begin now, starts from: `round N` and
    /// `shoe N at POSITION`, then lines of the round notation.
    ///
    /// [`check`](crate::transcript::check) plays those lines, followed by the inputs of the round.
    pub fn opening_lines(&self) -> Vec<String> {
        match self.rounds.play() {
            Some(play) => play.opening_lines().to_vec(),
            None => self.opening_lines_now(),
        }
    }

    /// The terms of the table.
    pub fn sheet(&self) -> &TermSheet {
        &self.sheet
    }

    /// The seats from the dealer's far left (G-05).
    pub fn seats(&self) -> &[Option<Chair>] {
        self.seats.seats()
    }

    /// Everyone at the table, box by box from the dealer's far left.
    pub fn everyone(&self) -> impl Iterator<Item = (Bettor, &Chair)> {
        self.seats.everyone()
    }

    /// Whoever has this place, seated or behind a seat.
    pub fn chair(&self, bettor: Bettor) -> Option<&Chair> {
        self.seats.chair(bettor)
    }

    /// The first bettor on a box, who may let others bet on it (DAB-13-a); boxes count from 0.
    pub fn first_on_box(&self, seat: usize) -> Option<Bettor> {
        self.seats.first_on_box(seat)
    }

    /// The progressive meter, where the table has one.
    pub fn meter(&self) -> Option<Cents> {
        self.seats.meter()
    }

    /// Every card on the layout, with its face if somebody at the table has seen it.
    pub fn layout(&self) -> Vec<Option<Card>> {
        let lying = self.rounds.play().map_or(Vec::new(), |play| play.felt.lying());
        lying.into_iter().chain(self.pit.lying().map(Some)).collect()
    }

    /// The round in play.
    pub fn round(&self) -> Option<&AnyRound> {
        self.rounds.play().map(|play| play.round())
    }

    /// The round just settled, as long as it can be undone.
    pub fn last_round(&self) -> Option<&AnyRound> {
        self.rounds.last().map(|play| play.round())
    }

    /// How many rounds are over.
    pub fn rounds_played(&self) -> u32 {
        self.rounds.played()
    }

    /// The calls open to a bettor now.
    pub fn offers(&self, bettor: Bettor) -> Calls {
        self.round().map_or(Calls::NONE, |round| round.offers(bettor))
    }

    /// The amounts that may go with a call that is open to a bettor.
    pub fn amounts(&self, bettor: Bettor, call: Call) -> Amounts {
        self.round().map_or(Amounts::None, |round| round.amounts(bettor, call))
    }

    fn not_awaited(&self) -> TableRefusal {
        TableRefusal::NotAwaited { awaits: self.awaits() }
    }
}
