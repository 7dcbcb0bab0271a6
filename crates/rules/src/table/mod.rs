//! A table: seats and racks, the shuffle and the cut, the shoe, and one round after the other.
//!
//! A pure machine like the round in it: it says what it [awaits](Table::awaits), takes an
//! [`Input`] or refuses it and stays as it was, and tells what happened, with the audience of each
//! event. It never learns a card that nobody has seen; whoever has custody of the cards feeds them
//! in. Nothing here knows a game: what differs is asked of [`TermSheet`], [`Opening`] and
//! [`AnyRound`], and of the short list in `procedure`.
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
//! // A wager waits until they were shuffled, and the refusal knows its clause.
//! let wager: Input = "wager 3 main 10".parse().unwrap();
//! let refusal = table.apply(&wager, &mut events).unwrap_err();
//! assert_eq!(refusal.source(Game::CasinoWar).id(), "CW-4-b");
//! # Ok::<(), rules::table::TableRefusal>(())
//! ```

mod account;
mod awaits;
mod boxes;
mod cut;
mod event;
mod felt;
mod input;
mod irregularity;
mod meter;
mod money;
mod note;
mod opening;
mod order;
mod play;
mod procedure;
mod reconstruct;
mod refusal;
mod said;
mod seat;
mod shoe;
mod shuffle;
mod standing;

use std::sync::Arc;

use crate::card::Card;
use crate::games::{AnyRound, casino_war, opening};
use crate::progressive::Meter;
use crate::round::{Amounts, Audience, Awaits, Call, Calls, Place, Round};
use crate::terms::TermSheet;
use crate::wager::{Bettor, MOST_BETTORS, MOST_SEATS, Opening, ProgressiveStakes};

use cut::{Cutting, FirstAsked};
use felt::Collected;
use irregularity::Pit;
use meter::TableMeter;
use opening::{Next, Spread};
use play::Play;
use procedure::Procedure;
use seat::{Gone, index};
use shuffle::{Mixing, Stack};

pub use account::{Account, Name, NotAName, NotAReason, NotAnAccount, Reason, Transfer};
pub use awaits::TableAwaits;
pub use event::{Device, TableEvent, What};
pub use input::{Cutter, Decks, Input, NotASeal, Seal};
pub use irregularity::{Irregularity, Kind, PitRefusal, Report, Reporter};
pub use note::Note;
pub use order::{Choice, Order};
pub use procedure::Method;
pub use reconstruct::Reconstruction;
pub use refusal::TableRefusal;
pub use said::Said;
pub use seat::Chair;
pub use shoe::TableShoe;
pub use shuffle::{Batch, ShuffleFault, ShuffleStep};

/// A table of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    sheet: Arc<TermSheet>,
    opening: Opening,
    procedure: Procedure,
    dealer: Option<Name>,
    /// The seats first, then the places behind them.
    chairs: [Option<Chair>; MOST_SEATS * MOST_BETTORS],
    /// The last people who left, the latest last.
    gone: Vec<Gone>,
    /// Who may join whoever is at a box (DAB-13-a).
    consents: [Vec<Name>; MOST_SEATS],
    /// Who has placed a wager, in this order (DAB-R28).
    stakes: Vec<Bettor>,
    /// How many players have ever sat down.
    arrivals: u32,
    phase: Phase,
    /// The round, from "No more bets" to the last settlement.
    play: Option<Box<Play>>,
    /// The round before it, until the next one begins or somebody leaves.
    last: Option<Arc<Play>>,
    shoe: Option<TableShoe>,
    /// What the machine has shuffled meanwhile (CW-2-d-4).
    stored: Option<TableShoe>,
    /// The shoes whose order is not known yet though no card comes from them.
    retired: Vec<TableShoe>,
    /// The cards of the shoe that were burned before a round, with those faces that were seen.
    burned: Vec<Option<Card>>,
    /// The faces that a physical shoe has shown.
    faces: Vec<Card>,
    /// How many times cards were shuffled.
    shoes: u32,
    /// The cards that are shuffled next (CW-2-d-5).
    next_batch: Batch,
    /// The batches that lay spread and are not washed yet.
    unwashed: [bool; 2],
    /// Whether the cards came out of the machine of an idle table (CW-5-h-2).
    unseen: bool,
    /// Whether a continuous shuffler has had its burn card (FBB-R19).
    is_loaded: bool,
    /// Whether other cards come before the next round (FBB-2-c).
    decks_due: bool,
    first_asked: FirstAsked,
    last_cut: Option<Cutting>,
    rounds_played: u32,
    rounds_of_shoe: u32,
    meter: Option<TableMeter>,
    pit: Pit,
}

/// What is done with the cards, round or no round.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Phase {
    /// There are none.
    Bare,
    /// They lie spread, to be looked at (CW-4-b, CW-5-h).
    Spread(Spread),
    /// They are to be shuffled (CW-5-a).
    Stacked(Stack),
    /// Their order is committed to, and players may add to it.
    Mixing(Mixing),
    /// They are offered for the cut (CW-5-b).
    Cutting(Cutting),
    /// So many are still to be burned before the next round, or before a round goes on (CW-7-a).
    Burning(usize),
    /// They lie in the shoe: wagers are placed, and a round is dealt (CW-6-b, CW-7-c).
    Dealing,
    /// They have left the shoe, and its order is to be revealed (CW-5-g).
    Retired(Next),
}

impl Table {
    /// An empty table, open to whoever sits down. Its cards are inspected and spread; where they
    /// come shuffled, they are still to come.
    pub fn new(sheet: TermSheet) -> Table {
        let opening = opening(&sheet);
        let procedure = Procedure::read(&sheet);
        let has_meter = opening.progressive.is_some_and(|p| p != ProgressiveStakes::NotOffered);
        Table {
            opening,
            dealer: None,
            chairs: [const { None }; MOST_SEATS * MOST_BETTORS],
            gone: Vec::new(),
            consents: Default::default(),
            stakes: Vec::new(),
            arrivals: 0,
            phase: match procedure.pre_shuffled {
                true => Phase::Bare,
                false => Phase::Spread(Spread::New),
            },
            play: None,
            last: None,
            shoe: None,
            stored: None,
            retired: Vec::new(),
            burned: Vec::new(),
            faces: Vec::new(),
            shoes: 0,
            next_batch: Batch::First,
            unwashed: [false; 2],
            unseen: false,
            is_loaded: false,
            decks_due: false,
            first_asked: FirstAsked::FirstArrival,
            last_cut: None,
            rounds_played: 0,
            rounds_of_shoe: 0,
            meter: has_meter.then(|| TableMeter::Own(Meter::new(casino_war::seed(&sheet)))),
            pit: Pit::default(),
            procedure,
            sheet: Arc::new(sheet),
        }
    }

    /// What the table waits for.
    ///
    /// Sitting down, buying in and leaving are possible besides, whatever it is.
    pub fn awaits(&self) -> TableAwaits {
        if let Some(awaits) = self.pit.awaits() {
            return awaits;
        }
        let deserted = self.is_deserted();
        match (&self.phase, &self.play) {
            (Phase::Bare, _) => TableAwaits::Decks,
            (Phase::Spread(_) | Phase::Stacked(_) | Phase::Dealing, None) if deserted => {
                TableAwaits::Player
            }
            (Phase::Spread(_), _) => match self.first_arrival() {
                Some(bettor) => TableAwaits::Inspection(bettor),
                None => TableAwaits::Player,
            },
            (Phase::Stacked(_), _) => TableAwaits::Shuffle,
            (Phase::Mixing(_), _) => TableAwaits::Contributions,
            (Phase::Cutting(cutting), _) => TableAwaits::Cut(cutting.asked()),
            (Phase::Burning(_), _) => TableAwaits::Round(Awaits::FaceDown(Place::Burn)),
            (Phase::Dealing, None) if self.needs_repair() => TableAwaits::Repair,
            (Phase::Dealing, None) => TableAwaits::Wagers,
            (Phase::Dealing, Some(_)) if self.needs_refill() => TableAwaits::Shuffle,
            (Phase::Dealing, Some(play)) => TableAwaits::Round(play.round().awaits()),
            (Phase::Retired(_), _) => TableAwaits::Reveal,
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
        table.check_frozen(input)?;
        table.take(input, &mut told)?;
        table.follow_exposed(&mut told)?;
        table.count_faces(input, &told)?;
        table.forget_holds();
        table.forget_stakes();
        table.tell_balances(self, &mut told);
        *self = table;
        events.append(&mut told.0);
        Ok(())
    }

    fn take(&mut self, input: &Input, told: &mut Told) -> Result<(), TableRefusal> {
        match input {
            Input::Dealer { name, .. } => self.change_dealer(name, told),
            Input::Decks(decks) => self.receive(decks, told),
            Input::DecksDue => self.decks_due(told),
            Input::Inspect { bettor } => self.inspect(*bettor, told),
            Input::Spread { bettor } => self.spread_on_request(*bettor, told),
            Input::Sit { bettor, player } => self.sit(*bettor, player, told),
            Input::Consent { seat, player } => self.consent(*seat, player, told),
            Input::Revoke { seat, player } => self.revoke(*seat, player, told),
            Input::BuyIn { bettor, amount } => self.buy_in(*bettor, *amount, told),
            Input::Leave { bettor } => self.leave(*bettor, told),
            Input::Shuffle { seal, steps } => self.shuffle(*seal, steps, told),
            Input::Contribute { bettor, .. } => self.contribute(*bettor, told),
            Input::Mix => self.mix(told),
            Input::Cut { by, at } => self.cut(*by, *at, told),
            Input::ShowBurn { bettor, cards } => self.show_burn(*bettor, cards, told),
            Input::Wager { bettor, amounts } => self.wager(*bettor, amounts, told),
            Input::Clear { bettor } => self.clear(*bettor, told),
            Input::Deal => self.close_bets(told),
            Input::Card(card) => self.card(*card, told),
            Input::Act { bettor, act } => self.act(*bettor, *act, told),
            Input::Peek(natural) => self.ask(told, |round, record| round.peek(*natural, record)),
            Input::Turn(card) => self.turn(*card, told),
            Input::TimeOut { bettor } => self.time_out(*bettor, told),
            Input::Meter(shows) => self.tell_meter(*shows),
            Input::Idle => self.idle(told),
            Input::Reveal { .. } => self.reveal(told),
            Input::Report(report) => self.report(report, told),
            Input::Order { order, by, because } => self.order(*order, by, because.as_ref(), told),
            Input::Choose { bettor, choice } => self.choose(*bettor, *choice, told),
            Input::Correct { round, transfer, by, because } => {
                self.correct(*round, transfer, by, because, told)
            }
        }
    }

    /// What the round in play, or else the one that would begin now, starts from: `round N` and
    /// `shoe N at POSITION`, then lines of the round notation.
    ///
    /// Without the first two, and followed by what goes into the round,
    /// [`check`](crate::transcript::check) plays them.
    pub fn opening_lines(&self) -> Vec<String> {
        match &self.play {
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
        &self.chairs[..usize::from(self.opening.seats)]
    }

    /// Whoever has this place, seated or behind a seat.
    pub fn chair(&self, bettor: Bettor) -> Option<&Chair> {
        let known = Some(bettor).filter(|bettor| bettor.seat() < MOST_SEATS);
        known.and_then(|bettor| self.chairs[index(bettor)].as_ref())
    }

    /// The dealer, where one was named.
    pub fn dealer(&self) -> Option<&Name> {
        self.dealer.as_ref()
    }

    /// Every card on the layout: its face, where somebody at the table has seen it.
    pub fn layout(&self) -> Vec<Option<Card>> {
        let lying = self.play.as_ref().map_or(Vec::new(), |play| play.felt.lying());
        lying.into_iter().chain(self.pit.lying().map(Some)).collect()
    }

    /// The shoe that waits in the machine.
    pub fn stored(&self) -> Option<&TableShoe> {
        self.stored.as_ref()
    }

    /// The shoe in use, or the last one.
    pub fn shoe(&self) -> Option<&TableShoe> {
        self.shoe.as_ref()
    }

    /// The round in play.
    pub fn round(&self) -> Option<&AnyRound> {
        self.play.as_ref().map(|play| play.round())
    }

    /// The round just settled, as long as it may be undone.
    pub(crate) fn last_round(&self) -> Option<&AnyRound> {
        self.last.as_ref().map(|play| play.round())
    }

    /// How many times cards were shuffled.
    pub fn shoes(&self) -> u32 {
        self.shoes
    }

    /// How many rounds are over.
    pub fn rounds_played(&self) -> u32 {
        self.rounds_played
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

/// What an input led to, so far.
struct Told(Vec<TableEvent>);

impl Told {
    /// Tells everyone.
    fn all(&mut self, what: What) {
        self.0.push(TableEvent { audience: Audience::Everyone, what });
    }

    /// Tells what was picked up.
    fn collected(&mut self, hands: Vec<Collected>) {
        for (place, cards) in hands {
            self.all(What::Collected { place, cards });
        }
    }
}
