//! What happens at a table, one line each.

use std::fmt::{self, Display, Formatter};

use super::account::{Name, Transfer, WrittenReason};
use super::cards::Batch;
use super::input::{Cutter, Decks, Seal};
use super::pit::{Choice, Order, Report};
use super::rounds::Announcement;
use crate::card::Card;
use crate::money::Cents;
use crate::names::names;
use crate::notation::{Line, Or};
use crate::refusal::Source;
use crate::round::{Audience, Event, Place, Ruling, Settlement};
use crate::wager::{Bettor, Bettors, Circle};

/// Something that happened at a table. Seats are counted from 0, and printed from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub enum TableEvent {
    /// A dealer came to the table: `dealer eve`.
    DealerCame(Name),
    /// Cards came to the table: `decks inspected`.
    Received(Decks),
    /// The cards are to be changed before the next round (FBB-2-c): `decks due`.
    DecksDue,
    /// Cards lie spread on the table (CW-4-b): `spread face-up`, `spread face-up first`.
    Spread {
        face_up: bool,
        /// Which ones, where there are two batches.
        batch: Option<Batch>,
    },
    /// The first player has seen the spread cards: `inspected 3`.
    Inspected { bettor: Bettor },
    /// A player took a seat, or a place behind it: `sat 3 ann`.
    SatDown { bettor: Bettor, player: Name },
    /// A player left: `left 3 ann`.
    Left { bettor: Bettor, player: Name },
    /// Another person may bet on a box (DAB-13-a): `consented 3 bob`.
    Consented { seat: usize, player: Name },
    /// Another person may no longer bet on a box: `revoked 3 bob`.
    Revoked { seat: usize, player: Name },
    /// Someone calls the decisions of a box from now on (DAB-13-c): `in-front 3 bob`.
    InFront { bettor: Bettor, player: Name },
    /// The chips of a bettor after this input: `rack 3 90`.
    Rack { bettor: Bettor, rack: Cents },
    /// Money moved: `moved 10 from rack:3 to escrow`.
    Moved(Transfer),
    /// The cards were shuffled: `shuffled 1 312 9f86…`, `shuffled 1 312 physical`.
    Shuffled {
        /// The shoe, counted from 1.
        shoe: u32,
        /// The commitment to its order; none at a physical table.
        seal: Option<Seal>,
        /// How many cards it holds.
        cards: u16,
    },
    /// Cards came out of the machine that shuffled them (CW-2-d-4): `loaded 2 second`.
    Loaded { shoe: u32, batch: Batch },
    /// The list of commitments is closed, and has this many: `committed 2`.
    Committed { commitments: usize },
    /// The order is mixed from this many openings: `mixed 2`, `mixed 1 missing 5`.
    Mixed {
        openings: usize,
        /// Who did not open: the commitment stands in for the bytes.
        missing: Bettors,
    },
    /// A player is offered the cut (CW-5-c): `cut-offered 3`.
    CutOffered { bettor: Bettor },
    /// A player refused the cut (CW-5-d): `cut-refused 3`.
    CutRefused { bettor: Bettor },
    /// The cards were cut: `cut 3 120`.
    Cut {
        by: Cutter,
        /// How many cards went from the front to the back.
        at: usize,
    },
    /// A card went unseen to the discard rack (CW-7-a): `burned`.
    Burned,
    /// The burned cards of the shoe were shown to everyone (DAB-7-c): `burn-shown 9d 4c`.
    BurnShown(Vec<Card>),
    /// Someone may bet in mid-shoe (DAB-5-h): `admitted 3`.
    Admitted { bettor: Bettor },
    /// A wager was placed, replacing any earlier one: `placed 3 main 10 tie 5`.
    Placed {
        bettor: Bettor,
        /// How much on which circle.
        amounts: Vec<(Circle, Cents)>,
    },
    /// A wager was taken back: `cleared 3`.
    Cleared { bettor: Bettor },
    /// Betting is closed and a round begins (CW-7-b): `bets-closed`.
    BetsClosed,
    /// What happened in the round.
    Round(Event),
    /// The cut card came out (CW-7-d): `cut-card-reached`.
    CutCardReached,
    /// The round is over: `settled`.
    Settled,
    /// Cards were picked up together, an unseen one without its face (CW-8-d): `collected 3 9d 4c`.
    Collected {
        place: Place,
        /// The cards, the first one dealt first.
        cards: Vec<Option<Card>>,
    },
    /// A shoe is retired with this many cards left in it: `retired 1 77`.
    Retired { shoe: u32, left: usize },
    /// Salt and order of a retired shoe were revealed: `revealed 1`.
    Revealed { shoe: u32 },
    /// The progressive meter after this input: `meter 10000.75`.
    Meter(Cents),
    /// What the dealer says: `said No more bets.`
    Announcement(Announcement),
    /// Something went wrong: `reported face-up 9d by dealer (CW-10-b)`.
    Reported {
        /// What, and who says so.
        report: Report,
        source: Source,
    },
    /// A supervisor decided: `ordered discard by eve (CW-10-b)`.
    Ordered { order: Order, by: Name, because: Option<WrittenReason>, source: Source },
    /// A player chose after something went wrong: `chose 3 refund`.
    Chose { bettor: Bettor, choice: Choice },
    /// A card left the shoe out of turn, and everyone saw it: `drawn 9d`.
    Drawn(Card),
    /// A card that was seen is not used: `discarded 9d`.
    Discarded(Card),
    /// A card that was never one of the shoe's left the table (DAB-15-c): `removed Td`.
    Removed(Card),
    /// The next card lies beside the shoe, unseen (CW-10-c): `pinned`.
    Pinned,
    /// A card was not burned (CW-10-f): `burn-forgotten`.
    BurnForgotten,
    /// What was done with the shuffling machine (DAB-15-l): `device removed`.
    Device(Device),
    /// The card reader is out of use (DAB-15-n): `reader out`.
    ReaderOut,
    /// The card reader works again (FBB-11-k): `reader repaired`.
    ReaderRepaired,
    /// A tied player gave no answer, and is left to the supervisor (G-06): `held 3`.
    Held { bettor: Bettor },
    /// A player gets more time (G-06): `extended 3`.
    Extended { bettor: Bettor },
    /// An earlier round was corrected (G-28):
    /// `corrected 12 5 from house to rack:3 by eve because the hand was 20`.
    Corrected { round: u32, transfer: Transfer, by: Name, because: WrittenReason },
}

names! {
    /// What was done with a shuffling machine that failed.
    Device {
        /// It shuffles again (CW-10-e).
        Restarted "restarted"
        /// It left the table (DAB-15-l).
        Removed "removed"
        /// It is covered, or has a sign on it (FBB-11-m).
        Covered "covered"
    }
}

/// The events of an input, in order.
pub(super) type Events = Vec<TableEvent>;

impl TableEvent {
    /// Who may see it.
    pub fn audience(&self) -> Audience {
        match self {
            TableEvent::Round(event) => event.audience(),
            _ => Audience::Everyone,
        }
    }
}

impl Display for TableEvent {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            TableEvent::DealerCame(name) => write!(f, "dealer {name}"),
            TableEvent::Received(decks) => write!(f, "decks {decks}"),
            TableEvent::DecksDue => f.write_str("decks due"),
            TableEvent::Spread { face_up, batch } => {
                f.write_str(if *face_up { "spread face-up" } else { "spread face-down" })?;
                batch.iter().try_for_each(|batch| write!(f, " {batch}"))
            }
            TableEvent::Inspected { bettor } => write!(f, "inspected {bettor}"),
            TableEvent::SatDown { bettor, player } => write!(f, "sat {bettor} {player}"),
            TableEvent::Left { bettor, player } => write!(f, "left {bettor} {player}"),
            TableEvent::Consented { seat, player } => write!(f, "consented {} {player}", seat + 1),
            TableEvent::Revoked { seat, player } => write!(f, "revoked {} {player}", seat + 1),
            TableEvent::InFront { bettor, player } => write!(f, "in-front {bettor} {player}"),
            TableEvent::Rack { bettor, rack } => write!(f, "rack {bettor} {rack}"),
            TableEvent::Moved(transfer) => write!(f, "moved {transfer}"),
            TableEvent::Shuffled { shoe, seal, cards } => {
                write!(f, "shuffled {shoe} {cards} {}", Or(*seal, "physical"))
            }
            TableEvent::Loaded { shoe, batch } => write!(f, "loaded {shoe} {batch}"),
            TableEvent::Committed { commitments } => write!(f, "committed {commitments}"),
            TableEvent::Mixed { openings, missing } => {
                write!(f, "mixed {openings}")?;
                let missing = missing.iter().map(|bettor| format!(" {bettor}"));
                let missing: String = missing.collect();
                if missing.is_empty() { Ok(()) } else { write!(f, " missing{missing}") }
            }
            TableEvent::CutOffered { bettor } => write!(f, "cut-offered {bettor}"),
            TableEvent::CutRefused { bettor } => write!(f, "cut-refused {bettor}"),
            TableEvent::Cut { by, at } => write!(f, "cut {by} {at}"),
            TableEvent::Burned => f.write_str("burned"),
            TableEvent::BurnShown(cards) => {
                f.write_str("burn-shown")?;
                cards.iter().try_for_each(|card| write!(f, " {card}"))
            }
            TableEvent::Admitted { bettor } => write!(f, "admitted {bettor}"),
            TableEvent::Placed { bettor, amounts } => {
                write!(f, "placed {bettor}")?;
                amounts.iter().try_for_each(|(circle, amount)| write!(f, " {circle} {amount}"))
            }
            TableEvent::Cleared { bettor } => write!(f, "cleared {bettor}"),
            TableEvent::BetsClosed => f.write_str("bets-closed"),
            TableEvent::Round(event) => InRound(event).fmt(f),
            TableEvent::CutCardReached => f.write_str("cut-card-reached"),
            TableEvent::Settled => f.write_str("settled"),
            TableEvent::Collected { place, cards } => {
                write!(f, "collected {}", PlaceWord(*place))?;
                cards.iter().try_for_each(|card| write!(f, " {}", Or(*card, "??")))
            }
            TableEvent::Retired { shoe, left } => write!(f, "retired {shoe} {left}"),
            TableEvent::Revealed { shoe } => write!(f, "revealed {shoe}"),
            TableEvent::Meter(amount) => write!(f, "meter {amount}"),
            TableEvent::Announcement(words) => write!(f, "said {words}"),
            TableEvent::Reported { report, source } => write!(f, "reported {report} ({source})"),
            TableEvent::Ordered { order, by, because, source } => {
                write!(f, "ordered {order} by {by}")?;
                because.iter().try_for_each(|words| write!(f, " because {words}"))?;
                write!(f, " ({source})")
            }
            TableEvent::Chose { bettor, choice } => write!(f, "chose {bettor} {choice}"),
            TableEvent::Drawn(card) => write!(f, "drawn {card}"),
            TableEvent::Discarded(card) => write!(f, "discarded {card}"),
            TableEvent::Removed(card) => write!(f, "removed {card}"),
            TableEvent::Pinned => f.write_str("pinned"),
            TableEvent::BurnForgotten => f.write_str("burn-forgotten"),
            TableEvent::Device(device) => write!(f, "device {device}"),
            TableEvent::ReaderOut => f.write_str("reader out"),
            TableEvent::ReaderRepaired => f.write_str("reader repaired"),
            TableEvent::Held { bettor } => write!(f, "held {bettor}"),
            TableEvent::Extended { bettor } => write!(f, "extended {bettor}"),
            TableEvent::Corrected { round, transfer, by, because } => {
                write!(f, "corrected {round} {transfer} by {by} because {because}")
            }
        }
    }
}

/// An event of a round as one line.
struct InRound<'a>(&'a Event);

impl Display for InRound<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self.0 {
            Event::Staked { bettor, hand, circle, amount } => {
                write!(f, "staked {} {circle} {amount}", OnHand(bettor, hand))
            }
            Event::Lammer { bettor, hand, circle, value } => {
                write!(f, "lammer {} {circle} {value}", OnHand(bettor, hand))
            }
            Event::Dealt { place, card, .. } => write!(f, "card {} {card}", PlaceWord(place)),
            Event::FaceDown(place) => write!(f, "card {} ??", PlaceWord(place)),
            Event::Turned(card) => write!(f, "turned {card}"),
            Event::Peeked { natural } => {
                f.write_str(if natural { "peeked yes" } else { "peeked no" })
            }
            Event::Acted(bettor, act) => Line::Act { bettor, act }.fmt(f),
            Event::BoughtIn { bettor, amount } => Line::BuyIn(bettor, amount).fmt(f),
            Event::Split { seat, hand } => {
                write!(f, "split {}", OnHand(Bettor::at(seat.into()), hand))
            }
            Event::Shown { seat, hand } => {
                write!(f, "shown {}", OnHand(Bettor::at(seat.into()), hand))
            }
            Event::Settled(settlement) => SettlementWords(settlement).fmt(f),
            Event::PickedUp { seat, hand } => {
                write!(f, "picked-up {}", OnHand(Bettor::at(seat.into()), hand))
            }
            Event::Awarded { bettor, circle, amount, clause } => {
                write!(f, "awarded {bettor} {circle} {amount:+} ({clause})")
            }
            Event::Remedied(remedy) => Line::Remedy(remedy).fmt(f),
            Event::Reversed => f.write_str("reversed"),
        }
    }
}

/// A bettor, and the hand where it is not the first one.
struct OnHand(Bettor, u8);

impl Display for OnHand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.1 {
            0 => self.0.fmt(f),
            hand => write!(f, "{} {}", self.0, hand + 1),
        }
    }
}

/// Where a card goes.
pub(super) struct PlaceWord(pub(super) Place);

impl Display for PlaceWord {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Place::Hand { seat, hand } => OnHand(Bettor::at(seat.into()), hand).fmt(f),
            Place::Dealer => f.write_str("dealer"),
            Place::Burn => f.write_str("burn"),
        }
    }
}

/// A decided wager: `net 1 main +10 on 10, pays 1 to 1 (CW-8-a-2)`.
struct SettlementWords(Settlement);

impl Display for SettlementWords {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Settlement { bettor, hand, circle, stake, lammer, ruling, gain, reason } = self.0;
        write!(f, "net {} {circle} {gain:+} on {stake}", OnHand(bettor, hand))?;
        if lammer {
            f.write_str(" lammer")?;
        }
        match ruling {
            Ruling::Pay(odds) => write!(f, ", pays {odds}")?,
            Ruling::PayAndCollect(odds) => write!(f, ", pays {odds} and is collected")?,
            Ruling::Push => f.write_str(", pushes")?,
            Ruling::Take => f.write_str(", is lost")?,
            Ruling::TakeHalf => f.write_str(", half is lost")?,
            Ruling::Return => f.write_str(", is returned")?,
        }
        write!(f, " ({})", reason.clause)
    }
}
