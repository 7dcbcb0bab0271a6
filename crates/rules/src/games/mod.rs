//! The games, and a round of any of them.

pub mod blackjack;
pub mod casino_war;
pub mod double_down_stud;

use crate::book::RuleBook;
use crate::card::Card;
use crate::money::{Cents, Chips, Odds};
use crate::refusal::Result;
use crate::round::{
    Act, Amounts, Awaits, Call, Calls, Decision, Event, Record, Remedy, Round, Ruling, Why,
};
use crate::terms::TermSheet;
use crate::wager::{Bettor, Circle, MOST_BETTORS, MOST_SEATS, Opening, SideWager, Wagers};

use blackjack::{Blackjack, DoubleAttack, DoubleDeck, FreeBet, HoleCard, Points};
use casino_war::{CasinoWar, Outcome};
use double_down_stud::{Category, DoubleDownStud};

/// The wagers of a full layout.
pub type TableWagers = Wagers<MOST_SEATS, MOST_BETTORS>;

/// What a table asks of a game besides playing a round.
pub(crate) trait TableGame: Round {
    /// What the rule book says apart from how a round is played.
    const BOOK: &'static RuleBook;
    /// Whether hands are counted towards 21.
    const IS_BLACKJACK: bool = false;
    /// Whether a round can begin while the card reader is out of use.
    const PLAYS_WITHOUT_READER: bool = true;

    /// What may be placed before the first card.
    fn opening(sheet: &TermSheet) -> Opening;
    /// The pay tables.
    fn pays(sheet: &TermSheet) -> Vec<Pay>;
    /// Begins a round with the wagers that have been placed.
    fn begin(sheet: &TermSheet, wagers: &TableWagers, record: &mut impl Record) -> Self;
    /// Whether the cards that everyone begins with are still being dealt.
    fn is_first_deal(&self) -> bool;

    // See AnyRound for these. A game answers those that apply to it.
    fn hole_card(_: &TermSheet) -> Option<HoleCard> {
        None
    }
    fn points(&self, _seat: usize, _hand: usize) -> Option<Points> {
        None
    }
    fn dealer_points(&self) -> Option<Points> {
        None
    }
    fn shows_half_a_natural(&self) -> bool {
        false
    }
    fn exposed_hole_voids(&self) -> bool {
        false
    }
    fn hands(&self, _seat: usize) -> usize {
        1
    }
    fn current_hand(&self, _seat: usize) -> Option<usize> {
        None
    }
    fn gave_up(&self, _seat: usize, _hand: usize) -> bool {
        false
    }
    fn decider(&self, seat: usize) -> Bettor {
        Bettor::at(seat)
    }
    fn category(&self, _seat: usize) -> Option<Category> {
        None
    }
    fn outcome(&self, _seat: usize) -> Option<Outcome> {
        None
    }
    fn tell_meter(&mut self, _shows: Cents) {}
    fn forget_others(&mut self, _seats: &[usize]) {}
}

/// Defines `Game`, `AnyRound` and the dispatch over them; `$d` is a dollar sign.
macro_rules! games {
    ($d:tt $($Game:ident($Round:ty)),+ $(,)?) => {
        /// One of the games. Its [book](Game::book) says what there is to know about it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)] // the names of the games
        pub enum Game {
            $($Game),+
        }

        /// A round of any game on a full layout.
        ///
        /// The games themselves are generic over their size; the notation, a table and the wire use
        /// this without knowing which game it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(clippy::large_enum_variant, missing_docs)]
        pub enum AnyRound {
            $($Game($Round)),+
        }

        impl Game {
            /// Every game.
            pub const ALL: [Game; [$(stringify!($Game)),+].len()] = [$(Game::$Game),+];

            /// The rule book of the game.
            pub const fn book(self) -> &'static RuleBook {
                match self {
                    $(Game::$Game => <$Round>::BOOK),+
                }
            }

            /// Whether hands are counted towards 21.
            pub const fn is_blackjack(self) -> bool {
                match self {
                    $(Game::$Game => <$Round>::IS_BLACKJACK),+
                }
            }
        }

        impl AnyRound {
            /// Begins a round with the wagers that have been placed.
            pub fn start(
                sheet: &TermSheet,
                wagers: &TableWagers,
                record: &mut impl Record,
            ) -> AnyRound {
                match sheet.game() {
                    $(Game::$Game => AnyRound::$Game(<$Round>::begin(sheet, wagers, record))),+
                }
            }
        }

        /// What may be placed before the first card at a table with these terms.
        pub fn opening(sheet: &TermSheet) -> Opening {
            match sheet.game() {
                $(Game::$Game => <$Round>::opening(sheet)),+
            }
        }

        /// The pay tables of a table with these terms.
        pub fn pays(sheet: &TermSheet) -> Vec<Pay> {
            match sheet.game() {
                $(Game::$Game => <$Round>::pays(sheet)),+
            }
        }

        /// How the dealer's second card is dealt at a table with these terms, in a blackjack.
        pub fn hole_card(sheet: &TermSheet) -> Option<HoleCard> {
            match sheet.game() {
                $(Game::$Game => <$Round as TableGame>::hole_card(sheet)),+
            }
        }

        /// Whether a round can begin while the card reader is out of use.
        pub fn plays_without_reader(game: Game) -> bool {
            match game {
                $(Game::$Game => <$Round>::PLAYS_WITHOUT_READER),+
            }
        }

        /// Does the same with a round of any game.
        macro_rules! each {
            ($d any:expr, $d round:ident => $d body:expr) => {
                match $d any {
                    $(AnyRound::$Game($d round) => $d body),+
                }
            };
        }
    };
}

games! { $
    CasinoWar(CasinoWar<MOST_SEATS>),
    DoubleDownStud(DoubleDownStud<MOST_SEATS>),
    DoubleDeck(Blackjack<DoubleDeck, MOST_SEATS, 1>),
    DoubleAttack(Blackjack<DoubleAttack, MOST_SEATS, MOST_BETTORS>),
    FreeBet(Blackjack<FreeBet, MOST_SEATS, 1>),
}

/// One line of a pay table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pay {
    /// The circle of the wager.
    pub circle: Circle,
    /// What a program tells the lines of a game apart by; it never changes.
    pub code: &'static str,
    /// What is paid, in a few words.
    pub what: &'static str,
    /// The same where there is little room.
    pub brief: &'static str,
    /// The odds.
    pub odds: Odds,
    /// The clause that says so.
    pub clause: &'static str,
}

impl Pay {
    const fn new(
        circle: Circle,
        code: &'static str,
        what: &'static str,
        odds: Odds,
        clause: &'static str,
    ) -> Pay {
        Pay { circle, code, what, brief: what, odds, clause }
    }

    /// The line with other words where there is little room.
    const fn briefly(self, brief: &'static str) -> Pay {
        Pay { brief, ..self }
    }

    /// The line as a decision.
    pub(crate) const fn decision(self) -> Decision {
        (Ruling::Pay(self.odds), Why::PayTable.by(self.clause))
    }
}

impl AnyRound {
    /// Tells the round what a meter shared with other tables shows now, its own contributions
    /// included.
    pub(crate) fn tell_meter(&mut self, shows: Cents) {
        each!(self, round => round.tell_meter(shows));
    }

    /// The round as whoever has these boxes knows it while one of them is asked: where players keep their
    /// cards to themselves, nobody else takes part.
    #[must_use]
    pub fn seen_from(&self, seats: &[usize]) -> AnyRound {
        let mut seen = *self;
        each!(&mut seen, round => round.forget_others(seats));
        seen
    }

    /// Begins a round of one main wager on box 1, under the default terms.
    pub fn one(game: Game, main: Chips, record: &mut impl Record) -> Result<AnyRound> {
        let (sheet, mut wagers) = (TermSheet::new(game), TableWagers::NONE);
        wagers.place(&opening(&sheet), Bettor::at(0), &[(Circle::Main, main.into())])?;
        Ok(AnyRound::start(&sheet, &wagers, record))
    }
}

/// Passes questions on to whichever round it is.
macro_rules! asks {
    ($($(#[$doc:meta])* $vis:vis fn $name:ident(&self $(, $given:ident: $Given:ty)*) -> $Answer:ty;)+) => {
        $($(#[$doc])*
        $vis fn $name(&self $(, $given: $Given)*) -> $Answer {
            each!(self, round => round.$name($($given),*))
        })+
    };
}

/// Passes inputs on to whichever round it is.
macro_rules! takes {
    ($(fn $name:ident($($given:ident: $Given:ty),*);)+) => {
        $(fn $name(&mut self, $($given: $Given,)* record: &mut impl Record) -> Result {
            each!(self, round => round.$name($($given,)* record))
        })+
    };
}

/// Hands are counted from 0.
impl AnyRound {
    asks! {
        /// The points of a hand in a blackjack.
        pub fn points(&self, seat: usize, hand: usize) -> Option<Points>;
        /// The points of the dealer's open cards in a blackjack.
        pub fn dealer_points(&self) -> Option<Points>;
        /// Whether the dealer's up card may be half of a natural, in a blackjack.
        pub fn shows_half_a_natural(&self) -> bool;
        /// Whether a hole card seen too early voids the round, in a blackjack.
        pub fn exposed_hole_voids(&self) -> bool;
        /// How many hands a box has.
        pub fn hands(&self, seat: usize) -> usize;
        /// The hand of a box that is being played.
        pub fn current_hand(&self, seat: usize) -> Option<usize>;
        /// Whether a hand has been surrendered and is not settled yet.
        pub fn gave_up(&self, seat: usize, hand: usize) -> bool;
        /// Whether the cards that everyone begins with are still being dealt.
        pub fn is_first_deal(&self) -> bool;
        /// Who decides for a box.
        pub fn decider(&self, seat: usize) -> Bettor;
        /// The poker hand of a seat in Double Down Stud, once all five cards are known.
        pub fn category(&self, seat: usize) -> Option<Category>;
        /// The progressive outcome of a seat in Casino War, by the cards dealt so far.
        pub fn outcome(&self, seat: usize) -> Option<Outcome>;
    }
}

impl Round for AnyRound {
    asks! {
        fn game(&self) -> Game;
        fn awaits(&self) -> Awaits;
        fn offers(&self, bettor: Bettor) -> Calls;
        fn amounts(&self, bettor: Bettor, call: Call) -> Amounts;
        fn reader_answer(&self, hole: Card) -> bool;
    }
    takes! {
        fn deal(card: Card);
        fn deal_face_down();
        fn peek(natural: bool);
        fn turn(card: Card);
        fn act(bettor: Bettor, act: Act);
        fn remedy(remedy: Remedy);
        fn buy_in(bettor: Bettor, amount: Cents);
    }
}

/// A side wager within the limits of the house, whatever the main wager is.
fn side_wager(sheet: &TermSheet, circle: Circle) -> SideWager {
    let (min, max) = (sheet.chips("side_min"), sheet.chips("side_max"));
    SideWager { circle, offered: true, min, max, up_to_main: false }
}

/// A seat, a circle, and the chips placed there.
type Stake = (usize, Circle, Chips);

/// Notes chips placed on a circle, if there are any.
fn stake(seat: usize, circle: Circle, amount: Chips, record: &mut impl Record) {
    if !amount.is_zero() {
        record.note(Event::staked((Bettor::at(seat), 0, circle), amount));
    }
}

/// Refusals that happen only in Casino War.
#[rustfmt::skip]
const IN_CASINO_WAR: &str =
    "progressive-not-offered progressive-off-five progressive-not-five not-tied tie-decided \
    supervisor-decides";

/// Refusals that happen only in a blackjack.
#[rustfmt::skip]
const IN_BLACKJACK: &str =
    "box-has-no-first-bettor side-wagers-prohibited side-wager-not-offered bonus-above-initial \
    out-of-turn card-not-in-deck reader-contradicted split-takes-no-amount \
    free-double-takes-no-amount attack-above-initial insurance-above-half natural-stands \
    natural-not-doubled twenty-one-stands bust-is-final one-card-after-double after-standing \
    after-surrender hand-is-dead no-more-cards total-not-doubled double-needs-two-cards \
    split-ace-has-its-card not-a-pair split-limit aces-split-once insurance-needs-ace \
    insurance-closed even-money-not-offered even-money-needs-natural attack-closed \
    surrender-not-offered not-the-decider reader-stops-the-table";
