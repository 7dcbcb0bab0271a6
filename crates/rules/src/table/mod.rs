//! A table: seats and racks, the shuffle and the cut, the shoe, and one round after the other.
//!
//! A pure machine like the round in it: it says what it [awaits](Table::awaits), takes an
//! [`Input`] or refuses it and stays as it was, and tells what happened, with the audience of each
//! event. It never learns a card that nobody has seen; whoever has custody of the cards feeds them
//! in. Nothing here knows a game: what differs is asked of [`TermSheet`], [`Opening`] and
//! [`AnyRound`], and of the short list in `procedure`.
//!
//! ```
//! use rules::table::{Input, Table, TableAwaits};
//! use rules::terms::TermSheet;
//! use rules::wager::Game;
//!
//! let mut table = Table::new(TermSheet::new(Game::CasinoWar));
//! let mut events = Vec::new();
//! for line in ["sit 3 ann", "buy-in 3 100"] {
//!     let input: Input = line.parse().unwrap();
//!     table.apply(&input, &mut events)?;
//! }
//! assert_eq!(table.awaits(), TableAwaits::Shuffle);
//! assert_eq!(events.last().unwrap().to_string(), "rack 3 100");
//!
//! // A wager waits for the shuffle, and the refusal knows its clause.
//! let wager: Input = "wager 3 main 10".parse().unwrap();
//! let refusal = table.apply(&wager, &mut events).unwrap_err();
//! assert_eq!(refusal.source(Game::CasinoWar).id(), "CW-5-a");
//! # Ok::<(), rules::table::TableRefusal>(())
//! ```

mod account;
mod cut;
mod event;
mod input;
mod money;
mod play;
mod procedure;
mod refusal;
mod seat;
mod shoe;
mod standing;

use std::fmt;
use std::sync::Arc;

use crate::games::{AnyRound, casino_war, opening};
use crate::money::Cents;
use crate::round::{Amounts, Audience, Awaits, Call, Calls, Place, Round};
use crate::terms::TermSheet;
use crate::wager::{Bettor, MOST_SEATS, Opening, ProgressiveStakes};

use cut::{Cutting, FirstAsked};
use play::Play;
use procedure::Procedure;

pub use account::{Account, Name, NotAName, NotAnAccount, Transfer};
pub use event::{TableEvent, What};
pub use input::{Cutter, Input, NotASeal, NotAnInput, Seal};
pub use refusal::TableRefusal;
pub use seat::Chair;
pub use shoe::TableShoe;

/// A table of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    sheet: Arc<TermSheet>,
    opening: Opening,
    procedure: Procedure,
    chairs: [Option<Chair>; MOST_SEATS],
    /// How many players have ever sat down.
    arrivals: u32,
    phase: Phase,
    shoe: Option<TableShoe>,
    first_asked: FirstAsked,
    rounds_played: u32,
    meter: Option<Cents>,
}

/// Where the table is between two shuffles.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Phase {
    /// The cards are to be shuffled (CW-5-a).
    Stacked,
    /// The shuffled cards are offered for the cut (CW-5-b).
    Cutting(Cutting),
    /// So many cards are still to be burned before the first round (CW-7-a).
    Burning(usize),
    /// Wagers are placed (CW-6-b).
    Betting,
    /// A round is dealt.
    Playing(Play),
    /// The cut card came out, and the shoe is done with (CW-5-g).
    Retired,
}

/// What a table waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableAwaits {
    /// Someone to sit down.
    Player,
    /// The shuffle, and the commitment to its order.
    Shuffle,
    /// The cut, or its refusal.
    Cut(Cutter),
    /// Wagers, and then the deal.
    Wagers,
    /// What the round waits for; also the burn card that begins a shoe.
    Round(Awaits),
    /// Salt and order of the shoe that is done with.
    Reveal,
}

impl fmt::Display for TableAwaits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TableAwaits::Player => "a player",
            TableAwaits::Shuffle => "the shuffle",
            TableAwaits::Cut(Cutter::Seat(seat)) => {
                return write!(f, "the cut by seat {}", seat + 1);
            }
            TableAwaits::Cut(Cutter::Dealer) => "the cut by the dealer",
            TableAwaits::Wagers => "wagers",
            TableAwaits::Round(Awaits::Card(_)) => "a card",
            TableAwaits::Round(Awaits::FaceDown(Place::Burn)) => "a burn card",
            TableAwaits::Round(Awaits::FaceDown(_)) => "a card face down",
            TableAwaits::Round(Awaits::Peek) => "the card reader",
            TableAwaits::Round(Awaits::Turn) => "the face-down card",
            TableAwaits::Round(Awaits::Acts(_)) => "a decision",
            TableAwaits::Round(Awaits::Nobody) => "the next round",
            TableAwaits::Reveal => "the order of the last shoe",
        })
    }
}

impl Table {
    /// An empty table, open to whoever sits down.
    pub fn new(sheet: TermSheet) -> Table {
        let opening = opening(&sheet);
        let has_meter = opening.progressive.is_some_and(|p| p != ProgressiveStakes::NotOffered);
        Table {
            opening,
            procedure: Procedure::read(&sheet),
            chairs: Default::default(),
            arrivals: 0,
            phase: Phase::Stacked,
            shoe: None,
            first_asked: FirstAsked::FirstArrival,
            rounds_played: 0,
            meter: has_meter.then(|| casino_war::seed(&sheet)),
            sheet: Arc::new(sheet),
        }
    }

    /// What the table waits for.
    ///
    /// Sitting down, buying in and leaving are possible besides, whatever it is.
    pub fn awaits(&self) -> TableAwaits {
        let deserted = self.chairs.iter().all(Option::is_none);
        match &self.phase {
            Phase::Stacked | Phase::Betting if deserted => TableAwaits::Player,
            Phase::Stacked => TableAwaits::Shuffle,
            Phase::Cutting(cutting) => TableAwaits::Cut(cutting.asked()),
            Phase::Burning(_) => TableAwaits::Round(Awaits::FaceDown(Place::Burn)),
            Phase::Betting => TableAwaits::Wagers,
            Phase::Playing(play) => TableAwaits::Round(play.round().awaits()),
            Phase::Retired => TableAwaits::Reveal,
        }
    }

    /// Takes an input and tells what it led to, or refuses it and changes and tells nothing.
    pub fn apply(
        &mut self,
        input: &Input,
        events: &mut Vec<TableEvent>,
    ) -> Result<(), TableRefusal> {
        let mut table = self.clone();
        let mut told = Told(Vec::new());
        table.take(input, &mut told)?;
        table.tell_balances(self, &mut told);
        *self = table;
        events.append(&mut told.0);
        Ok(())
    }

    fn take(&mut self, input: &Input, told: &mut Told) -> Result<(), TableRefusal> {
        match input {
            Input::Sit { seat, player } => self.sit(*seat, player, told),
            Input::BuyIn { seat, amount } => self.buy_in(*seat, *amount, told),
            Input::Leave { seat } => self.leave(*seat, told),
            Input::Shuffle { seal } => self.shuffle(*seal, told),
            Input::Cut { by, at } => self.cut(*by, *at, told),
            Input::Wager { bettor, amounts } => self.wager(*bettor, amounts, told),
            Input::Clear { bettor } => self.clear(*bettor, told),
            Input::Deal => self.close_bets(told),
            Input::Card(card) => self.card(*card, told),
            Input::Act { bettor, act } => self.act(*bettor, *act, told),
            Input::Peek(natural) => self.ask(told, |round, record| round.peek(*natural, record)),
            Input::Turn(card) => self.ask(told, |round, record| round.turn(*card, record)),
            Input::TimeOut { seat } => self.time_out(*seat, told),
            Input::Reveal { .. } => self.reveal(told),
        }
    }

    /// What the round in play, or else the one that would begin now, starts from: `round N` and
    /// `shoe N at POSITION`, then lines of the round notation.
    ///
    /// Without the first two, and followed by what goes into the round,
    /// [`check`](crate::notation::check) plays them.
    pub fn opening_lines(&self) -> Vec<String> {
        match &self.phase {
            Phase::Playing(play) => play.opening_lines().to_vec(),
            _ => self.opening_lines_now(),
        }
    }

    /// The terms of the table.
    pub fn sheet(&self) -> &TermSheet {
        &self.sheet
    }

    /// The seats from the dealer's far left (G-05).
    pub fn seats(&self) -> &[Option<Chair>] {
        &self.chairs[..usize::from(self.opening.seats)]
    }

    /// The shoe in use, or the last one.
    pub fn shoe(&self) -> Option<&TableShoe> {
        self.shoe.as_ref()
    }

    /// The round in play.
    pub fn round(&self) -> Option<&AnyRound> {
        match &self.phase {
            Phase::Playing(play) => Some(play.round()),
            _ => None,
        }
    }

    /// How many rounds are over.
    pub fn rounds_played(&self) -> u32 {
        self.rounds_played
    }

    /// The progressive meter, where the table has one.
    pub fn meter(&self) -> Option<Cents> {
        self.meter
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

    /// Records that the shoe's secret is known; the cards are shuffled next (CW-5-g).
    fn reveal(&mut self, told: &mut Told) -> Result<(), TableRefusal> {
        let (Phase::Retired, Some(shoe)) = (&self.phase, &self.shoe) else {
            return Err(self.not_awaited());
        };
        told.all(What::Revealed { shoe: shoe.number });
        self.phase = Phase::Stacked;
        Ok(())
    }
}

/// What an input led to, so far.
struct Told(Vec<TableEvent>);

impl Told {
    /// Tells everyone.
    fn all(&mut self, what: What) {
        self.0.push(TableEvent { audience: Audience::Everyone, what });
    }
}
