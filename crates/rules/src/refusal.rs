//! Refusals: what the rules do not allow, and what a dealer would point to.
//!
//! A refusal has a stable code, its parameters and one sentence. The [book](crate::book::RuleBook)
//! of the game says what it rests on.

use std::fmt;

use crate::book::Citation;
use crate::card::Card;
use crate::money::{Cents, Chips};
use crate::round::Call;
use crate::wager::{Bettor, Circle, Game};

/// Defines refusals: variant, parameters, code and sentence, each in one line.
macro_rules! refusals {
    ($(#[$doc:meta])* $Name:ident $(with $($Outer:ident($Inner:ident)),+)? {
        $($code:literal $Variant:ident $({ $($field:ident: $Type:ty),+ })? $words:literal)+
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)] // the fields are in the sentence
        pub enum $Name {
            $($(#[doc = "A refusal of its own kind."] $Outer($Inner),)+)?
            $(#[doc = concat!("`", $code, "`: ", $words, ".")] $Variant $({ $($field: $Type),+ })?),+
        }

        impl $Name {
            /// Every code, in the order of the variants.
            pub const CODES: &'static [&'static str] = &[$($code),+];

            /// The code that programs tell refusals apart by; it never changes.
            pub const fn code(self) -> &'static str {
                match self {
                    $($($Name::$Outer(inner) => inner.code(),)+)?
                    $($Name::$Variant { .. } => $code),+
                }
            }

            /// The parameters of the sentence, by name.
            pub fn parameters(self) -> Vec<(&'static str, Parameter)> {
                match self {
                    $($($Name::$Outer(inner) => inner.parameters(),)+)?
                    $($Name::$Variant $({ $($field),+ })? => {
                        vec![$($((stringify!($field), Parameter::from($field))),+)?]
                    }),+
                }
            }

            /// What a dealer would point to: the source that decides.
            pub fn source(self, game: Game) -> Source {
                self.citation(game).source()
            }

            /// Whether it rests on this clause, ruling or term, as the deciding source or one to see also.
            pub fn rests_on(self, game: Game, id: &str) -> bool {
                self.citation(game).names(id)
            }

            /// The refusal in one sentence, with its source.
            pub fn in_words(self, game: Game) -> String {
                format!("{self} ({})", self.source(game))
            }
        }

        impl fmt::Display for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $($($Name::$Outer(inner) => inner.fmt(f),)+)?
                    $($Name::$Variant $({ $($field),+ })? => write!(f, $words)),+
                }
            }
        }

        impl std::error::Error for $Name {}

        $($(impl From<$Inner> for $Name {
            fn from(inner: $Inner) -> $Name {
                $Name::$Outer(inner)
            }
        })+)?
    };
}

pub(crate) use refusals;

refusals! {
    /// Why a round refuses an input. A refused input changes nothing.
    Refusal {
        // Placing wagers
        "bets-closed" BetsClosed "bets are closed: the first card is dealt"
        "round-not-started" RoundNotStarted "no round is in progress yet"
        "main-wager-missing" MainWagerMissing "place a main wager to take part"
        "no-such-seat" NoSuchSeat { seats: u8 } "this table has boxes 1 to {seats}"
        "box-not-shared" BoxNotShared { most: u8 } "bettors per box: {most} at most"
        "box-has-no-first-bettor" BoxHasNoFirstBettor "the box needs a first bettor before others join"
        "too-many-boxes" TooManyBoxes { most: u8 } "boxes per player: {most} at most"
        "boxes-apart" BoxesApart "a player's boxes must be next to each other"
        "circle-not-open" CircleNotOpen { circle: Circle } "{circle} cannot be wagered before the first card of this game"
        "side-wagers-prohibited" SideWagersProhibited "this game has no side wagers"
        "side-wager-not-offered" SideWagerNotOffered "this table does not offer that side wager"
        "progressive-not-offered" ProgressiveNotOffered "this table does not offer the progressive"
        "progressive-off-five" ProgressiveOffFive "the progressive wager must be a multiple of 5"
        "progressive-not-five" ProgressiveNotFive "the progressive wager must be exactly 5"
        "off-chip-unit" OffChipUnit { unit: Chips } "the amount must be a multiple of the {unit} chip"
        "below-table-minimum" BelowTableMinimum { least: Chips } "the table minimum is {least}"
        "above-table-maximum" AboveTableMaximum { most: Chips } "the table maximum is {most}"
        "below-side-minimum" BelowSideMinimum { least: Chips } "the minimum for this side wager is {least}"
        "above-side-maximum" AboveSideMaximum { most: Chips } "the maximum for this side wager is {most}"
        "bonus-above-initial" BonusAboveInitial { most: Chips } "the bonus wager cannot exceed the initial wager of {most}"
        "above-rack" AboveRack { left: Cents } "the rack has only {left} left"

        // Any input
        "not-awaited" NotAwaited "the round is waiting for something else"
        "round-over" RoundOver "the round is over"
        "out-of-turn" OutOfTurn "it is not your turn"
        "not-in-the-round" NotInTheRound "this box has no wager in the round"
        "already-answered" AlreadyAnswered "you have already answered, and wagers stand"
        "call-foreign" CallForeign { call: Call } "this game has no {call}"
        "not-open-now" NotOpenNow { call: Call } "you cannot {call} now"
        "card-not-in-deck" CardNotInDeck "this game's deck has no such card"
        "reader-contradicted" ReaderContradicted "the card contradicts the card reader"

        // Amounts of a decision
        "amount-not-taken" AmountNotTaken { call: Call } "{call} takes no amount"
        "split-takes-no-amount" SplitTakesNoAmount "split takes no amount: the new hand's wager equals the first"
        "free-double-takes-no-amount" FreeDoubleTakesNoAmount "a free double takes no amount"
        "amount-too-small" AmountTooSmall { least: Chips } "the minimum is {least}"
        "double-above-wager" DoubleAboveWager { most: Chips } "the most you can double by is {most}"
        "attack-above-initial" AttackAboveInitial { most: Chips } "the double attack wager cannot exceed {most}"
        "insurance-above-half" InsuranceAboveHalf { most: Chips } "insurance cannot exceed {most}"

        // Casino War, Double Down Stud
        "not-tied" NotTied "only a tie leads to war or surrender"
        "tie-decided" TieDecided "a tie is decided once: war or surrender"
        "double-closed" DoubleClosed "doubling opens once all cards are dealt, and closes when the hole card is turned"

        // The blackjacks
        "natural-stands" NaturalStands "a blackjack stands automatically"
        "natural-not-doubled" NaturalNotDoubled "a blackjack cannot be doubled"
        "twenty-one-stands" TwentyOneStands "21 stands automatically"
        "bust-is-final" BustIsFinal "the hand is bust"
        "one-card-after-double" OneCardAfterDouble "a doubled hand gets one card only"
        "after-standing" AfterStanding "the hand has stood"
        "after-surrender" AfterSurrender "the hand is surrendered"
        "hand-is-dead" HandIsDead "the hand is dead"
        "no-more-cards" NoMoreCards "you refused a card and get no more this round"
        "total-not-doubled" TotalNotDoubled "only a total of 9, 10 or 11 can be doubled"
        "double-needs-two-cards" DoubleNeedsTwoCards "only the first two cards can be doubled"
        "split-ace-has-its-card" SplitAceHasItsCard "a split ace gets one card only"
        "not-a-pair" NotAPair "only a pair can be split"
        "split-limit" SplitLimit { hands: u8 } "hands per box after splitting: {hands} at most"
        "aces-split-once" AcesSplitOnce "aces can be split only once"
        "insurance-needs-ace" InsuranceNeedsAce "insurance is offered only when the dealer shows an ace"
        "insurance-closed" InsuranceClosed "insurance is open only right after the second cards"
        "even-money-not-offered" EvenMoneyNotOffered "this table does not offer even money"
        "even-money-needs-natural" EvenMoneyNeedsNatural "even money is for a blackjack against a dealer's ace"
        "attack-closed" AttackClosed "the double attack is open only right after the dealer's first card"
        "surrender-not-offered" SurrenderNotOffered "this game has no surrender"
        "not-the-decider" NotTheDecider "the first bettor on the box decides"

        // Remedies
        "remedy-foreign" RemedyForeign "this game has no such remedy"
        "nobody-let-out" NobodyLetOut "this table releases nobody from a round"
        "nothing-to-cure" NothingToCure "that remedy does not apply now"
        "round-is-void-instead" RoundIsVoidInstead "this game voids the round instead"
        "reader-stops-the-table" ReaderStopsTheTable "repair the card reader or void the round"
    }
}

impl Refusal {
    /// What the refusal rests on.
    pub fn citation(self, game: Game) -> Citation {
        game.book().citation(self.code())
    }
}

/// What an input leads to: usually nothing to tell, or a refusal.
pub type Result<T = (), E = Refusal> = std::result::Result<T, E>;

/// Refuses unless a condition holds.
#[inline(always)]
pub(crate) fn ensure<R>(holds: bool, refusal: R) -> Result<(), R> {
    if holds { Ok(()) } else { Err(refusal) }
}

/// A parameter of a sentence, for a program that words it differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// An amount of money.
    Amount(Cents),
    /// A number of things.
    Count(usize),
    /// A word of the notation, such as a circle or a call.
    Word(String),
}

/// States which parameter a type becomes.
macro_rules! parameters {
    ($($Type:ty: $value:ident => $parameter:expr;)+) => {
        $(impl From<$Type> for Parameter {
            fn from($value: $Type) -> Parameter {
                $parameter
            }
        })+
    };
}

pub(crate) use parameters;

parameters! {
    Chips: amount => Parameter::Amount(amount.into());
    Cents: amount => Parameter::Amount(amount);
    u8: count => Parameter::Count(count.into());
    u32: count => Parameter::Count(count as usize);
    usize: count => Parameter::Count(count);
    Bettor: bettor => Parameter::Word(bettor.to_string());
    Circle: circle => Parameter::Word(circle.to_string());
    Call: call => Parameter::Word(call.to_string());
    Card: card => Parameter::Word(card.to_string());
}

/// What a refusal rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A clause of the rule book.
    Clause(&'static str),
    /// A ruling, where the book is silent.
    Ruling(&'static str),
    /// An option of the house, by its term.
    HouseOption(&'static str),
}

impl Source {
    /// The source of an id, whose form tells what it is: `CW-8-c`, `CW-R06` or `G-07`, `side_max`.
    pub const fn of(id: &'static str) -> Source {
        let bytes = id.as_bytes();
        if bytes[0].is_ascii_lowercase() {
            return Source::HouseOption(id);
        }
        let mut dash = 0;
        while bytes[dash] != b'-' {
            dash += 1;
        }
        match bytes[dash + 1] == b'R' || dash == 1 {
            true => Source::Ruling(id),
            false => Source::Clause(id),
        }
    }

    /// The id of the clause or ruling, or the name of the term.
    pub const fn id(self) -> &'static str {
        match self {
            Source::Clause(id) | Source::Ruling(id) | Source::HouseOption(id) => id,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Clause(id) | Source::Ruling(id) => f.write_str(id),
            Source::HouseOption(term) => write!(f, "house option {term}"),
        }
    }
}
