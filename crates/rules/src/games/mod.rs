//! The games, and one type that is any of them.

pub mod blackjack;
pub mod casino_war;
pub mod double_down_stud;
#[cfg(test)]
mod testing;

use crate::book::RuleBook;
use crate::card::Card;
use crate::money::{Cents, Chips, Odds};
use crate::refusal::Refusal;
use crate::round::{
    Act, Amounts, Awaits, Call, Calls, Decision, Event, Record, Remedy, Round, Ruling, Why,
};
use crate::terms::TermSheet;
use crate::wager::{Bettor, Circle, MOST_BETTORS, MOST_SEATS, Opening, Wagers};

use blackjack::{Blackjack, DoubleAttack, DoubleDeck, FreeBet, HoleCard, Points};
use casino_war::{CasinoWar, Outcome};
use double_down_stud::{Category, DoubleDownStud};

/// The wagers of a full layout.
pub type TableWagers = Wagers<MOST_SEATS, MOST_BETTORS>;

/// What a table asks of a game, besides playing a round. Most games have no answer to some of it.
pub(crate) trait TableGame: Round {
    /// What the rule book says besides.
    const BOOK: &'static RuleBook;
    /// Whether hands are counted towards 21.
    const IS_BLACKJACK: bool = false;
    /// Whether a round can begin while the card reader is out of use.
    const PLAYS_WITHOUT_READER: bool = true;

    /// What may be placed before the first card.
    fn opening(sheet: &TermSheet) -> Opening;
    /// What pays what.
    fn pays(sheet: &TermSheet) -> Vec<Pay>;
    /// Begins a round with the wagers that have been placed.
    fn begin(sheet: &TermSheet, wagers: &TableWagers, record: &mut impl Record) -> Self;
    /// Whether the cards that everyone begins with are still being dealt.
    fn is_first_deal(&self) -> bool;

    // What AnyRound is asked too; a game answers where it has such a thing.
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
}

/// Defines what is any of the games, from their rounds on a full layout; `$d` is a dollar sign.
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
        /// The games themselves are generic over their size; this is where the notation, a table and
        /// the wire meet them without knowing which one it is.
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

        /// What pays what at a table with these terms.
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

        /// Does the same with whichever round it is.
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

/// One line of what a game pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pay {
    /// The circle of the wager.
    pub circle: Circle,
    /// What is paid, in a few words.
    pub what: &'static str,
    /// The odds.
    pub odds: Odds,
    /// The clause that says so.
    pub clause: &'static str,
}

impl Pay {
    /// The line as a decision.
    pub(crate) const fn decision(self) -> Decision {
        (Ruling::Pay(self.odds), Why::PayTable.by(self.clause))
    }
}

impl AnyRound {
    /// A meter that other tables share shows this by now, this round's contributions included.
    pub(crate) fn tell_meter(&mut self, shows: Cents) {
        each!(self, round => TableGame::tell_meter(round, shows));
    }

    /// Begins a round of one main wager on box 1, under the default terms.
    pub fn one(game: Game, main: Chips, record: &mut impl Record) -> Result<AnyRound, Refusal> {
        let (sheet, mut wagers) = (TermSheet::new(game), TableWagers::NONE);
        wagers.place(&opening(&sheet), Bettor::at(0), &[(Circle::Main, main.into())])?;
        Ok(AnyRound::start(&sheet, &wagers, record))
    }
}

/// Passes questions on to whichever round it is. Hands are counted from 0.
macro_rules! asks {
    ($($(#[$doc:meta])* $name:ident($($given:ident),*) -> $Answer:ty;)+) => {
        impl AnyRound {
            $($(#[$doc])*
            pub fn $name(&self, $($given: usize),*) -> $Answer {
                each!(self, round => TableGame::$name(round, $($given),*))
            })+
        }
    };
}

asks! {
    /// The points of a hand in a blackjack.
    points(seat, hand) -> Option<Points>;
    /// The points of the dealer's open cards in a blackjack.
    dealer_points() -> Option<Points>;
    /// Whether the dealer's up card may be half of a natural, in a blackjack.
    shows_half_a_natural() -> bool;
    /// Whether a blackjack's hole card that is seen too early voids the round.
    exposed_hole_voids() -> bool;
    /// How many hands a box has.
    hands(seat) -> usize;
    /// The hand of a box that is being played.
    current_hand(seat) -> Option<usize>;
    /// Whether a hand is surrendered and not settled.
    gave_up(seat, hand) -> bool;
    /// Whether the cards that everyone begins with are still being dealt.
    is_first_deal() -> bool;
    /// Who decides for a box.
    decider(seat) -> Bettor;
    /// The poker category of a seat in Double Down Stud, once all five cards are known.
    category(seat) -> Option<Category>;
    /// The progressive outcome of a seat in Casino War, as far as the cards lie.
    outcome(seat) -> Option<Outcome>;
}

impl Round for AnyRound {
    fn game(&self) -> Game {
        each!(self, round => round.game())
    }

    fn awaits(&self) -> Awaits {
        each!(self, round => round.awaits())
    }

    fn offers(&self, bettor: Bettor) -> Calls {
        each!(self, round => round.offers(bettor))
    }

    fn amounts(&self, bettor: Bettor, call: Call) -> Amounts {
        each!(self, round => round.amounts(bettor, call))
    }

    fn deal(&mut self, card: Card, record: &mut impl Record) -> Result<(), Refusal> {
        each!(self, round => round.deal(card, record))
    }

    fn deal_face_down(&mut self, record: &mut impl Record) -> Result<(), Refusal> {
        each!(self, round => round.deal_face_down(record))
    }

    fn reader_answer(&self, hole: Card) -> bool {
        each!(self, round => round.reader_answer(hole))
    }

    fn peek(&mut self, natural: bool, record: &mut impl Record) -> Result<(), Refusal> {
        each!(self, round => round.peek(natural, record))
    }

    fn turn(&mut self, card: Card, record: &mut impl Record) -> Result<(), Refusal> {
        each!(self, round => round.turn(card, record))
    }

    fn act(&mut self, bettor: Bettor, act: Act, record: &mut impl Record) -> Result<(), Refusal> {
        each!(self, round => round.act(bettor, act, record))
    }

    fn remedy(&mut self, remedy: Remedy, record: &mut impl Record) -> Result<(), Refusal> {
        each!(self, round => round.remedy(remedy, record))
    }

    fn buy_in(
        &mut self,
        bettor: Bettor,
        amount: Cents,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        each!(self, round => round.buy_in(bettor, amount, record))
    }
}

/// Notes chips that are laid on a circle; where there are none, nothing is noted.
fn stake(seat: usize, circle: Circle, amount: Chips, record: &mut impl Record) {
    if !amount.is_zero() {
        record.note(Event::staked((Bettor::at(seat), 0, circle), amount));
    }
}

#[cfg(test)]
mod tests {
    use super::testing::sheet;
    use super::*;

    /// The pay table of each game, as the books have it.
    #[test]
    fn the_pay_tables_are_those_of_the_books() {
        let odds = |game, choices: &[_]| -> Vec<String> {
            let line = |pay: &Pay| format!("{} {} {}", pay.clause, pay.circle, pay.odds);
            pays(&sheet(game, choices)).iter().map(line).collect()
        };
        assert_eq!(
            odds(Game::CasinoWar, &[]),
            [
                "CW-9-a-1 main 1 to 1",
                "CW-9-a-2 tie 10 to 1",
                "CW-9-a-3 war 1 to 1",
                "CW-9-a-3 war 2 to 1",
                "CW-9-a-2 war-tie 10 to 1",
                "CW-11-c-T6 progressive 5 to 1",
                "CW-11-c-T5 progressive 15 to 1",
                "CW-11-c-T4 progressive 30 to 1",
                "CW-11-c-T3 progressive 150 to 1",
                "CW-11-c-T2 progressive 200 to 1",
                "CW-11-c-T1 progressive 1000 to 1",
            ]
        );
        assert_eq!(
            odds(Game::DoubleDownStud, &[("pays_flush", "9")]),
            [
                "DDS-10-b-T1 main 1000 to 1",
                "DDS-10-b-T2 main 100 to 1",
                "DDS-10-b-T3 main 25 to 1",
                "DDS-10-b-T4 main 10 to 1",
                "DDS-10-b-T5 main 9 to 1",
                "DDS-10-b-T6 main 5 to 1",
                "DDS-10-b-T7 main 3 to 1",
                "DDS-10-b-T8 main 2 to 1",
                "DDS-10-b-T9 main 1 to 1",
            ]
        );
        assert_eq!(
            odds(Game::DoubleDeck, &[]),
            ["DDB-P3 main 1 to 1", "DDB-P9 main 3 to 2", "DDB-P21 insurance 2 to 1"]
        );
        assert_eq!(
            odds(Game::DoubleAttack, &[]),
            [
                "DAB-5-a-2 main 1 to 1",
                "DAB-5-a-3 main 1 to 1",
                "DAB-11-c insurance 5 to 2",
                "DAB-6-d-2-T5 bonus 15 to 1",
                "DAB-6-d-2-T4 bonus 10 to 1",
                "DAB-6-d-2-T3 bonus 8 to 1",
                "DAB-6-d-2-T2 bonus 6 to 1",
                "DAB-6-d-2-T1 bonus 3 to 1",
                "DAB-6-d-3-T1 bonus 50 to 1",
                "DAB-6-d-3-T2 bonus 200 to 1",
            ]
        );
        assert_eq!(
            odds(Game::FreeBet, &[("push22_paytable", "B")]),
            [
                "FBB-6-o-2 main 1 to 1",
                "FBB-6-h-1 main 3 to 2",
                "FBB-10-b insurance 2 to 1",
                "FBB-10-c-T1 push22 50 to 1",
                "FBB-10-c-T2 push22 20 to 1",
                "FBB-10-c-T3 push22 7 to 1",
            ]
        );
    }
}
