//! The five games, and one type that is any of them.

pub mod blackjack;
pub mod casino_war;
pub mod double_down_stud;
#[cfg(test)]
mod testing;

use crate::card::Card;
use crate::money::{Cents, Chips, Odds};
use crate::refusal::Refusal;
use crate::round::{Act, Amounts, Awaits, Call, Calls, Decision, Record, Remedy, Round, Ruling};
use crate::terms::TermSheet;
use crate::wager::{Bettor, Circle, Game, MOST_BETTORS, MOST_SEATS, Opening, Wagers};

use blackjack::{Blackjack, Book, DoubleAttack, DoubleDeck, FreeBet, HoleCard, Points};
use casino_war::{CasinoWar, Outcome};
use double_down_stud::{Category, DoubleDownStud};

/// The wagers of a full layout.
pub type TableWagers = Wagers<MOST_SEATS, MOST_BETTORS>;

/// A round of any game on a full layout.
///
/// The games themselves are generic over their size; this is where the notation, a table and the
/// wire meet them without knowing which one it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant)]
pub enum AnyRound {
    /// Casino War.
    CasinoWar(CasinoWar<MOST_SEATS>),
    /// Double Down Stud.
    DoubleDownStud(DoubleDownStud<MOST_SEATS>),
    /// Double Deck Blackjack.
    DoubleDeck(Blackjack<DoubleDeck, MOST_SEATS, 1>),
    /// Double Attack Blackjack.
    DoubleAttack(Blackjack<DoubleAttack, MOST_SEATS, MOST_BETTORS>),
    /// Free Bet Blackjack.
    FreeBet(Blackjack<FreeBet, MOST_SEATS, 1>),
}

/// Does the same with whichever round it is.
macro_rules! each {
    ($any:expr, $round:ident => $body:expr) => {
        match $any {
            AnyRound::CasinoWar($round) => $body,
            AnyRound::DoubleDownStud($round) => $body,
            AnyRound::DoubleDeck($round) => $body,
            AnyRound::DoubleAttack($round) => $body,
            AnyRound::FreeBet($round) => $body,
        }
    };
}

/// Does the same with whichever blackjack it is.
macro_rules! each_blackjack {
    ($any:expr, $round:ident => $body:expr) => {
        match $any {
            AnyRound::DoubleDeck($round) => Some($body),
            AnyRound::DoubleAttack($round) => Some($body),
            AnyRound::FreeBet($round) => Some($body),
            _ => None,
        }
    };
}

/// Asks the book of whichever blackjack it is.
macro_rules! by_book {
    ($game:expr, $book:ident => $body:expr) => {
        match $game {
            Game::DoubleDeck => {
                type $book = DoubleDeck;
                Some($body)
            }
            Game::DoubleAttack => {
                type $book = DoubleAttack;
                Some($body)
            }
            Game::FreeBet => {
                type $book = FreeBet;
                Some($body)
            }
            Game::CasinoWar | Game::DoubleDownStud => None,
        }
    };
}

/// What may be placed before the first card at a table with these terms.
pub fn opening(sheet: &TermSheet) -> Opening {
    match sheet.game() {
        Game::CasinoWar => casino_war::opening(sheet),
        Game::DoubleDownStud => double_down_stud::opening(sheet),
        Game::DoubleDeck => blackjack::opening::<DoubleDeck>(sheet),
        Game::DoubleAttack => blackjack::opening::<DoubleAttack>(sheet),
        Game::FreeBet => blackjack::opening::<FreeBet>(sheet),
    }
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
        (Ruling::Pay(self.odds), self.clause)
    }
}

/// What pays what at a table with these terms.
pub fn pays(sheet: &TermSheet) -> Vec<Pay> {
    match sheet.game() {
        Game::CasinoWar => casino_war::pays(),
        Game::DoubleDownStud => double_down_stud::pays(sheet),
        Game::DoubleDeck => blackjack::pays::<DoubleDeck>(sheet),
        Game::DoubleAttack => blackjack::pays::<DoubleAttack>(sheet),
        Game::FreeBet => blackjack::pays::<FreeBet>(sheet),
    }
}

/// How the dealer's second card is dealt at a table with these terms; none where the game is no
/// blackjack.
pub fn hole_card(sheet: &TermSheet) -> Option<HoleCard> {
    by_book!(sheet.game(), B => B::read(sheet).hole_card())
}

/// Whether a round can begin while the card reader is out of use.
pub fn plays_without_reader(game: Game) -> bool {
    by_book!(game, B => B::PLAYS_WITHOUT_READER).unwrap_or(true)
}

impl AnyRound {
    /// Begins a round of one main wager on box 1, under the default terms.
    pub fn one(game: Game, main: Chips, record: &mut impl Record) -> Result<AnyRound, Refusal> {
        let (sheet, mut wagers) = (TermSheet::new(game), TableWagers::NONE);
        wagers.place(&opening(&sheet), Bettor::at(0), &[(Circle::Main, main.into())])?;
        Ok(AnyRound::start(&sheet, &wagers, record))
    }

    /// Begins a round with the wagers that have been placed.
    pub fn start(sheet: &TermSheet, wagers: &TableWagers, record: &mut impl Record) -> AnyRound {
        match sheet.game() {
            Game::CasinoWar => {
                let terms = casino_war::Terms::read(sheet);
                AnyRound::CasinoWar(CasinoWar::start(terms, wagers, record))
            }
            Game::DoubleDownStud => {
                let terms = double_down_stud::Terms::read(sheet);
                AnyRound::DoubleDownStud(DoubleDownStud::start(terms, wagers, record))
            }
            Game::DoubleDeck => {
                let terms = blackjack::Terms::read(sheet);
                AnyRound::DoubleDeck(Blackjack::start(terms, wagers, record))
            }
            Game::DoubleAttack => {
                let terms = blackjack::Terms::read(sheet);
                AnyRound::DoubleAttack(Blackjack::start(terms, wagers, record))
            }
            Game::FreeBet => {
                let terms = blackjack::Terms::read(sheet);
                AnyRound::FreeBet(Blackjack::start(terms, wagers, record))
            }
        }
    }

    /// The points of a hand in a blackjack; the hand is counted from 0.
    pub fn points(&self, seat: usize, hand: usize) -> Option<Points> {
        each_blackjack!(self, round => round.points(seat, hand)).flatten()
    }

    /// The points of the dealer's open cards in a blackjack.
    pub fn dealer_points(&self) -> Option<Points> {
        each_blackjack!(self, round => round.dealer_points()).flatten()
    }

    /// Whether the dealer's up card may be half of a natural, in a blackjack.
    pub fn shows_half_a_natural(&self) -> bool {
        each_blackjack!(self, round => round.shows_half_a_natural()).unwrap_or(false)
    }

    /// Whether a blackjack's hole card that is seen too early voids the round.
    pub fn exposed_hole_voids(&self) -> bool {
        each_blackjack!(self, round => round.exposed_hole_voids()).unwrap_or(false)
    }

    /// How many hands a box has.
    pub fn hands(&self, seat: usize) -> usize {
        each_blackjack!(self, round => round.hands(seat)).unwrap_or(1)
    }

    /// The hand of a box that is being played, counted from 0.
    pub fn current_hand(&self, seat: usize) -> Option<usize> {
        each_blackjack!(self, round => round.current_hand(seat)).flatten()
    }

    /// Whether a hand is surrendered and not settled; the hand is counted from 0.
    pub fn gave_up(&self, seat: usize, hand: usize) -> bool {
        match self {
            AnyRound::CasinoWar(round) => round.gave_up(seat),
            _ => each_blackjack!(self, round => round.gave_up(seat, hand)).unwrap_or(false),
        }
    }

    /// Whether the cards that everyone begins with are still being dealt.
    pub fn is_first_deal(&self) -> bool {
        match self {
            AnyRound::CasinoWar(round) => round.is_first_deal(),
            AnyRound::DoubleDownStud(round) => round.is_first_deal(),
            _ => each_blackjack!(self, round => round.is_first_deal()).unwrap_or(false),
        }
    }

    /// Who decides for a box.
    pub fn decider(&self, seat: usize) -> Bettor {
        each_blackjack!(self, round => round.decider(seat)).unwrap_or(Bettor::at(seat))
    }

    /// The poker category of a seat in Double Down Stud, once all five cards are known.
    pub fn category(&self, seat: usize) -> Option<Category> {
        match self {
            AnyRound::DoubleDownStud(round) => round.category(seat),
            _ => None,
        }
    }

    /// The progressive outcome of a seat in Casino War, as far as the cards lie.
    pub fn outcome(&self, seat: usize) -> Option<Outcome> {
        match self {
            AnyRound::CasinoWar(round) => round.outcome(seat),
            _ => None,
        }
    }
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
