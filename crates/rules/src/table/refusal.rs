//! What a table does not allow, beyond what a round refuses.

use std::fmt;

use super::TableAwaits;
use super::cards::Method;
use super::pit::{Choice, PitRefusal};
use crate::book::{Citation, Kind};
use crate::card::Card;
use crate::money::Chips;
use crate::refusal::{Parameter, Refusal, Source, parameters, refusals};
use crate::round::{Awaits, Place};
use crate::wager::{Bettor, Circle, Game};

refusals! {
    /// Why a table refuses an input. A refused input changes nothing.
    TableRefusal with Round(Refusal), Pit(PitRefusal) {
        "table-awaits" NotAwaited { awaits: TableAwaits } "the table is waiting for {awaits}"

        // Seats and money
        "seat-taken" SeatTaken "that seat is taken"
        "already-seated" AlreadySeated "you already have a seat at this table"
        "not-in-front" NotInFront "a player on several boxes must be the first bettor on each"
        "not-seated" NotSeated "take a seat first"
        "nothing-bought" NothingBought "buy chips before placing a wager"
        "buy-in-too-small" BuyInTooSmall { least: Chips } "the smallest buy-in is {least}"
        "buy-in-too-large" BuyInTooLarge { most: Chips } "the largest buy-in is {most}"
        "wager-in-play" WagerInPlay "you cannot leave while your wagers are in play"
        "no-wagers" NoWagers "nobody has placed a wager"
        "nothing-to-clear" NothingToClear "there is no wager to take back"
        "circle-twice" CircleTwice { circle: Circle } "the wager names '{circle}' twice"
        "own-box" OwnBox "the first bettor on a box needs no consent"
        "no-consent" NoConsent "the first bettor on this box has not consented"
        "has-consent" HasConsent "the first bettor on this box has already consented"
        "mid-shoe" MidShoe "players who sat out must wait for the shuffle"
        "not-barred" NotBarred "nothing keeps this player from betting"
        "supervisor-decides" SupervisorDecides "a supervisor decides for a player who lets a tie time out"
        "own-meter" OwnMeter "this table does not share a progressive meter"

        // Cards
        "shoe-empty" ShoeEmpty "every card of the shoe is dealt"
        "card-used-up" NoMoreOfThese { card: Card, decks: usize } "the {card} has already come {decks} of {decks} times"
        "round-in-play" RoundInPlay "wait until the round is over"
        "same-dealer" SameDealer "that dealer is already at the table"
        "cards-come-shuffled" CardsComeShuffled "cards come to this table inspected and shuffled, with a reference"
        "cards-are-inspected" CardsAreInspected "cards are inspected at this table"
        "are-pre-shuffled" ArePreShuffled "these cards came shuffled: the one step is 'pre-shuffled'"
        "decks-stay" DecksStay "this game sets no schedule for changing cards"
        "nothing-to-spread" NothingToSpread "there is no unseen stack from an idle table's machine to spread"
        "not-idle" NotIdle "the table is not idle: a wager is placed"
        "no-reshuffle" NoReshuffle "this table shuffles only when the cut card comes out"
        "no-round-yet" NoRoundYet "play a round before reshuffling"
        "not-committed" NotCommitted { bettor: Bettor } "seat {bettor} is not in the list of commitments"
        "committed-twice" CommittedTwice { bettor: Bettor } "seat {bettor} has already committed, or one commitment is equal to another"
        "list-not-in-order" ListNotInOrder "commitments and openings go from seat to seat, each one once"
        "cut-is-named" CutIsNamed "the cut of a sealed order is named with the commitments, or drawn"
        "burn-stays-hidden" BurnStaysHidden "burned cards are not shown at this table"
        "other-burn" OtherBurn { burned: usize } "the burned cards are all shown together: {burned} of this shoe"
        "burn-seen" BurnSeen { seen: Card } "the burned card was seen: it is the {seen}"
        "other-hole" OtherHole { seen: Card } "the face-down card was seen: it is the {seen}"

        // The shuffle and the cut
        "other-method" OtherMethod { method: Method } "the shuffle at this table is {method}"
        "not-washed" NotWashed "spread cards must be washed before the shuffle"
        "washed-late" WashedLate "a wash comes only after a spread, before all other steps"
        "no-plug" NoPlug "a shuffle by hand needs a plug"
        "no-riffle" NoRiffle "a shuffle by hand needs a riffle"
        "no-turn" NoTurn "a shuffle by hand needs a turn"
        "no-strip" NoStrip "a shuffle by hand needs a strip"
        "no-cut" NoCut "a shuffle by hand needs a cut"
        "strip-too-early" StripTooEarly "a strip comes after two riffles"
        "turn-not-riffled" TurnNotRiffled "a riffle must follow the turn"
        "cut-not-last" CutNotLast "the cut is the last step of a shuffle"
        "cut-outside-bounds" CutOutsideBounds { least: usize, most: usize } "the cut must take {least} to {most} cards from the front"
        "recut-too-late" RecutTooLate "cards can be cut again only after a cut, before any is dealt; a sealed order once, before the first wager"
    }
}

/// The steps that a table awaits, as codes: each book cites what puts them first.
const STEPS: &[&str] = &[
    "decks-awaited",
    "inspection-awaited",
    "shuffle-awaited",
    "commitments-awaited",
    "cut-awaited",
    "burn-awaited",
    "choice-awaited",
    "reveal-awaited",
];

/// The answer to an input: accepted, or why not.
pub(super) type Answer = Result<(), TableRefusal>;

impl TableRefusal {
    /// What the refusal rests on.
    pub fn citation(self, game: Game) -> Citation {
        match self {
            TableRefusal::Round(refusal) => refusal.citation(game),
            TableRefusal::Pit(refusal) => refusal.citation(game),
            TableRefusal::NotAwaited { awaits } => awaits.citation(game),
            _ => game.book().citation(self.code()),
        }
    }
}

impl TableAwaits {
    /// What puts the awaited step first.
    fn citation(self, game: Game) -> Citation {
        game.book().citation(match self {
            TableAwaits::Decks => "decks-awaited",
            TableAwaits::Player | TableAwaits::Inspection(_) => "inspection-awaited",
            TableAwaits::Shuffle => "shuffle-awaited",
            TableAwaits::Commitments(Some(_)) => "cut-awaited",
            TableAwaits::Commitments(None) | TableAwaits::Openings => "commitments-awaited",
            TableAwaits::Cut(_) => "cut-awaited",
            TableAwaits::Round(Awaits::FaceDown(Place::Burn)) => "burn-awaited",
            TableAwaits::Choice(_) => "choice-awaited",
            TableAwaits::Reveal => "reveal-awaited",
            TableAwaits::Wagers => return Refusal::RoundNotStarted.citation(game),
            TableAwaits::Round(_) => return Refusal::NotAwaited.citation(game),
            TableAwaits::Supervisor(kind) => return PitRefusal::Frozen { kind }.citation(game),
            TableAwaits::Repair => return PitRefusal::ReaderBroken.citation(game),
        })
    }
}

/// The codes of all refusals.
const CODES: [&[&str]; 4] = [Refusal::CODES, TableRefusal::CODES, PitRefusal::CODES, STEPS];

// A book cites every refusal once, or says that it never happens; the compiler names the code.
const _: () = {
    let mut game = 0;
    while game < Game::ALL.len() {
        if let Some(code) = Game::ALL[game].book().miscited(&CODES) {
            panic!("{}", code);
        }
        game += 1;
    }
};

parameters! {
    TableAwaits: awaits => Parameter::Word(awaits.to_string());
    Method: method => Parameter::Word(method.to_string());
    Kind: kind => Parameter::Word(kind.to_string());
    Choice: choice => Parameter::Word(choice.to_string());
}
