//! What goes into a table, one line of the notation each.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use super::account::{Name, read_seat};
use crate::card::Card;
use crate::money::Cents;
use crate::notation::{self, Line};
use crate::round::Act;
use crate::wager::{Bettor, Circle, Game};

/// 32 bytes in lower-case hex: the commitment to a shoe's order, or the salt in it. Opaque here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seal(pub [u8; 32]);

impl Display for Seal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

/// A word that is no seal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotASeal;

impl Display for NotASeal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a seal is 64 hexadecimal digits in lower case")
    }
}

impl std::error::Error for NotASeal {}

impl FromStr for Seal {
    type Err = NotASeal;

    fn from_str(word: &str) -> Result<Seal, NotASeal> {
        let digit = |letter: u8| match letter {
            b'0'..=b'9' => Ok(letter - b'0'),
            b'a'..=b'f' => Ok(letter - b'a' + 10),
            _ => Err(NotASeal),
        };
        let mut seal = [0; 32];
        if word.len() != 2 * seal.len() {
            return Err(NotASeal);
        }
        for (byte, pair) in seal.iter_mut().zip(word.as_bytes().chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Seal(seal))
    }
}

/// Who cuts the cards. Printed as `3`, or `dealer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cutter {
    /// The player at a seat, counted from 0.
    Seat(usize),
    /// The dealer.
    Dealer,
}

impl Display for Cutter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Cutter::Seat(seat) => write!(f, "{}", seat + 1),
            Cutter::Dealer => f.write_str("dealer"),
        }
    }
}

/// What a table is told. Seats are counted from 0, and printed from 1.
///
/// Printing and reading are exact inverses: an input has one spelling and no other is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A player takes a seat: `sit 3 ann`.
    Sit {
        /// The seat.
        seat: usize,
        /// Who.
        player: Name,
    },
    /// A player's money becomes chips in the rack: `buy-in 3 100`.
    BuyIn {
        /// The seat.
        seat: usize,
        /// How much.
        amount: Cents,
    },
    /// A player leaves with all chips: `leave 3`.
    Leave {
        /// The seat.
        seat: usize,
    },
    /// The cards were shuffled, and their order committed to: `shuffle 9f86…`.
    Shuffle {
        /// The commitment.
        seal: Seal,
    },
    /// The cut, or its refusal: `cut 3 120`, `cut 3 pass`, `cut dealer 120`.
    Cut {
        /// By whom.
        by: Cutter,
        /// How many cards go from the front to the back; none where the cut is refused.
        at: Option<usize>,
    },
    /// Wagers in place of earlier ones, all or nothing: `wager 3 main 10 tie 5`.
    Wager {
        /// Whose.
        bettor: Bettor,
        /// How much on which circle.
        amounts: Vec<(Circle, Cents)>,
    },
    /// A wager is taken back while betting is open: `clear 3`.
    Clear {
        /// Whose.
        bettor: Bettor,
    },
    /// "No more bets": `deal`.
    Deal,
    /// A card leaves the shoe, perhaps face down: `card 9d`, `card ??`.
    Card(Option<Card>),
    /// A decision: `act 3 war 5`.
    Act {
        /// Whose.
        bettor: Bettor,
        /// Which.
        act: Act,
    },
    /// The card reader's answer: `peek yes`.
    Peek(bool),
    /// The face-down card, turned over: `turn 9d`.
    Turn(Card),
    /// A player gave no answer in time (G-06): `time-out 3`.
    TimeOut {
        /// The seat.
        seat: usize,
    },
    /// What was committed to, once the shoe is retired: `reveal SALT 9d4cAs…`.
    ///
    /// The order is the one before the cut. It is recorded here, and checked by whoever audits.
    Reveal {
        /// The salt of the commitment.
        salt: Seal,
        /// Every card of the shoe, the front one first.
        order: Vec<Card>,
    },
}

impl Display for Input {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Input::Sit { seat, player } => write!(f, "sit {} {player}", seat + 1),
            Input::BuyIn { seat, amount } => write!(f, "buy-in {} {amount}", seat + 1),
            Input::Leave { seat } => write!(f, "leave {}", seat + 1),
            Input::Shuffle { seal } => write!(f, "shuffle {seal}"),
            Input::Cut { by, at: Some(at) } => write!(f, "cut {by} {at}"),
            Input::Cut { by, at: None } => write!(f, "cut {by} pass"),
            Input::Clear { bettor } => write!(f, "clear {bettor}"),
            Input::Deal => f.write_str("deal"),
            Input::Card(Some(card)) => write!(f, "card {card}"),
            Input::Card(None) => f.write_str("card ??"),
            Input::TimeOut { seat } => write!(f, "time-out {}", seat + 1),
            Input::Reveal { salt, order } => {
                write!(f, "reveal {salt} ")?;
                order.iter().try_for_each(|card| write!(f, "{card}"))
            }
            Input::Wager { bettor, amounts } => {
                Line::Wager { bettor: *bettor, amounts: amounts.clone() }.fmt(f)
            }
            Input::Act { bettor, act } => Line::Act { bettor: *bettor, act: *act }.fmt(f),
            Input::Peek(natural) => Line::Peek(*natural).fmt(f),
            Input::Turn(card) => Line::Turn(*card).fmt(f),
        }
    }
}

/// A line that is no input of a table, or one in another spelling than the one it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnInput;

impl Display for NotAnInput {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(
            "an input is sit, buy-in, leave, shuffle, cut, wager, clear, deal, card, act, peek, \
             turn, time-out or reveal with its words, spelled as it is printed",
        )
    }
}

impl std::error::Error for NotAnInput {}

impl FromStr for Input {
    type Err = NotAnInput;

    fn from_str(line: &str) -> Result<Input, NotAnInput> {
        let input = read(line).ok_or(NotAnInput)?;
        if input.to_string() == line { Ok(input) } else { Err(NotAnInput) }
    }
}

/// Reads an input in any spelling.
fn read(line: &str) -> Option<Input> {
    let words: Vec<&str> = line.split(' ').collect();
    Some(match words[..] {
        ["sit", seat, player] => {
            Input::Sit { seat: read_seat(seat)?, player: player.parse().ok()? }
        }
        ["buy-in", seat, amount] => {
            Input::BuyIn { seat: read_seat(seat)?, amount: amount.parse().ok()? }
        }
        ["leave", seat] => Input::Leave { seat: read_seat(seat)? },
        ["shuffle", seal] => Input::Shuffle { seal: seal.parse().ok()? },
        ["cut", by, at] => Input::Cut { by: cutter(by)?, at: cut_at(at)? },
        ["clear", bettor] => Input::Clear { bettor: Bettor::read(bettor)? },
        ["deal"] => Input::Deal,
        ["card", "??"] => Input::Card(None),
        ["card", card] => Input::Card(Some(card.parse().ok()?)),
        ["time-out", seat] => Input::TimeOut { seat: read_seat(seat)? },
        ["reveal", salt, order] => Input::Reveal { salt: salt.parse().ok()?, order: cards(order)? },
        _ => return in_a_round(line),
    })
}

/// Reads a line that the notation of a round has as well, as the only line of a round.
fn in_a_round(line: &str) -> Option<Input> {
    let rounds = notation::read(&format!("{}\n{line}", Line::Game(Game::ALL[0]))).ok()?;
    let [round] = &rounds[..] else { return None };
    Some(match round.lines().nth(1)? {
        Line::Wager { bettor, amounts } => {
            Input::Wager { bettor: *bettor, amounts: amounts.clone() }
        }
        Line::Act { bettor, act } => Input::Act { bettor: *bettor, act: *act },
        Line::Peek(natural) => Input::Peek(*natural),
        Line::Turn(card) => Input::Turn(*card),
        _ => return None,
    })
}

fn cutter(word: &str) -> Option<Cutter> {
    match word {
        "dealer" => Some(Cutter::Dealer),
        _ => read_seat(word).map(Cutter::Seat),
    }
}

fn cut_at(word: &str) -> Option<Option<usize>> {
    match word {
        "pass" => Some(None),
        _ => word.parse().ok().map(Some),
    }
}

/// Cards without blanks between them.
fn cards(word: &str) -> Option<Vec<Card>> {
    let pairs = word.as_bytes().chunks(2);
    pairs.map(|pair| std::str::from_utf8(pair).ok()?.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::round::Call;

    const SEAL: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    #[test]
    fn a_seal_is_its_bytes_in_hex() {
        let seal: Seal = SEAL.parse().unwrap();
        assert_eq!((seal.0[0], seal.0[1], seal.0[15], seal.0[31]), (0x00, 0x11, 0xff, 0xff));
        assert_eq!(seal.to_string(), SEAL);
        for word in ["", &SEAL[1..], &SEAL.to_uppercase(), &SEAL.replace('a', "g")] {
            assert_eq!(word.parse::<Seal>(), Err(NotASeal), "{word}");
        }
    }

    #[test]
    fn every_input_has_one_spelling() {
        let seal: Seal = SEAL.parse().unwrap();
        let nine: Card = "9d".parse().unwrap();
        let ace: Card = "As".parse().unwrap();
        let bettor = Bettor::at(2);
        let amounts = vec![(Circle::Main, Cents::new(1000)), (Circle::Tie, Cents::new(550))];
        for (input, line) in [
            (Input::Sit { seat: 2, player: "ann".parse().unwrap() }, "sit 3 ann"),
            (Input::BuyIn { seat: 6, amount: Cents::new(10_050) }, "buy-in 7 100.50"),
            (Input::Leave { seat: 0 }, "leave 1"),
            (Input::Shuffle { seal }, &format!("shuffle {SEAL}")),
            (Input::Cut { by: Cutter::Seat(2), at: Some(120) }, "cut 3 120"),
            (Input::Cut { by: Cutter::Seat(2), at: None }, "cut 3 pass"),
            (Input::Cut { by: Cutter::Dealer, at: Some(52) }, "cut dealer 52"),
            (Input::Wager { bettor, amounts }, "wager 3 main 10 tie 5.50"),
            (Input::Clear { bettor }, "clear 3"),
            (Input::Deal, "deal"),
            (Input::Card(Some(nine)), "card 9d"),
            (Input::Card(None), "card ??"),
            (Input::Act { bettor, act: Act::Call(Call::Surrender) }, "act 3 surrender"),
            (Input::Act { bettor, act: Act::With(Call::War, Cents::new(500)) }, "act 3 war 5"),
            (Input::Peek(true), "peek yes"),
            (Input::Turn(nine), "turn 9d"),
            (Input::TimeOut { seat: 2 }, "time-out 3"),
            (Input::Reveal { salt: seal, order: vec![nine, ace] }, &format!("reveal {SEAL} 9dAs")),
            (Input::Reveal { salt: seal, order: vec![] }, &format!("reveal {SEAL} ")),
        ] {
            assert_eq!(input.to_string(), line);
            assert_eq!(line.parse(), Ok(input));
        }
    }

    #[test]
    fn no_other_spelling_is_read() {
        for line in [
            "",
            " deal",
            "deal ",
            "deal\n",
            "deal # now",
            "Deal",
            "open",
            "done",
            "remedy void",
            "game casino-war",
            "sit 3",
            "sit 3  ann",
            "sit 0 ann",
            "sit 8 ann",
            "sit 3b ann",
            "sit 3 Ann",
            "buy-in 3 100.5",
            "buy-in 3 +100",
            "buy-in 3 ten",
            "cut 3 0120",
            "cut 3 +120",
            "cut 3 -1",
            "cut house 120",
            "wager 3 main 10.00",
            "wager 3 main 10 main 10",
            "wager 3 main 10\nact 3 war",
            "wager 3 main 10 # all in",
            "card",
            "card 9D",
            "card 9d 9d",
            "act 3 war 5.0",
            "act 3 fold",
            "reveal 00 9d",
            &format!("reveal {SEAL}"),
            &format!("reveal {SEAL} 9dA"),
            &format!("reveal {SEAL} 9d As"),
            &format!("reveal {SEAL} é"),
            &format!("shuffle {}", SEAL.to_uppercase()),
        ] {
            assert_eq!(line.parse::<Input>(), Err(NotAnInput), "{line}");
        }
    }
}
