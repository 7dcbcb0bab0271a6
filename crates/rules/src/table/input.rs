//! The inputs of a table, one line of the notation each.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use super::account::{Name, Transfer, WrittenReason};
use super::cards::ShuffleStep;
use super::pit::{Choice, Order, Report};
use crate::card::Card;
use crate::money::Cents;
use crate::notation::{self, Line, Or, Reading, Unreadable, Word, Words, from_word, quoted};
use crate::round::Act;
use crate::wager::{Bettor, Circle};

/// 32 bytes in lower-case hex: the commitment to a shoe's order, its salt, or a player's commitment or
/// opening. Opaque here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seal(pub [u8; 32]);

impl Display for Seal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digit = |four: u8| char::from(DIGITS[usize::from(four)]);
        let digits = self.0.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
        f.write_str(&digits.collect::<String>())
    }
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl Word for Seal {
    fn expected() -> String {
        "a seal of 64 hexadecimal digits in lower case".to_owned()
    }

    fn read(word: &str) -> Option<Seal> {
        let digit = |letter: u8| match letter {
            b'0'..=b'9' => Some(letter - b'0'),
            b'a'..=b'f' => Some(letter - b'a' + 10),
            _ => None,
        };
        let mut seal = [0; 32];
        if word.len() != 2 * seal.len() {
            return None;
        }
        for (byte, pair) in seal.iter_mut().zip(word.as_bytes().chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(Seal(seal))
    }
}

from_word!(Seal);

/// A commitment; none at a physical table.
impl Word for Option<Seal> {
    fn expected() -> String {
        "a seal of 64 hexadecimal digits, or physical".to_owned()
    }

    fn read(word: &str) -> Option<Option<Seal>> {
        if word == "physical" { Some(None) } else { Seal::read(word).map(Some) }
    }
}

/// Who cuts the cards. Printed as `3`, `3b` for someone behind a seat, or `dealer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cutter {
    /// The player at a seat, or behind one.
    Seat(Bettor),
    /// The dealer.
    Dealer,
}

impl Display for Cutter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Cutter::Seat(bettor) => bettor.fmt(f),
            Cutter::Dealer => f.write_str("dealer"),
        }
    }
}

/// The players' commitments to bytes of their own. Printed as `house 5d41… 3 77ab… 5 9c1d…`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitmentList {
    /// The house to which they were made.
    pub house: Name,
    /// Whose, from the dealer's far left; each person once.
    pub commitments: Vec<(Bettor, Seal)>,
}

impl Display for CommitmentList {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "house {}", self.house)?;
        self.commitments.iter().try_for_each(|(bettor, seal)| write!(f, " {bettor} {seal}"))
    }
}

impl CommitmentList {
    /// Reads what follows the word `house`.
    fn read(words: &mut Words<'_>) -> Reading<CommitmentList> {
        Ok(CommitmentList { house: words.read()?, commitments: seals(words)? })
    }
}

/// How cards arrive at the table (CW-4-a, G-30).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decks {
    /// Inspected by the dealer and verified by the floorperson: `inspected`.
    Inspected,
    /// Inspected and shuffled elsewhere, with a reference: `pre-shuffled q4-117`.
    PreShuffled(Name),
}

impl Display for Decks {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Decks::Inspected => f.write_str("inspected"),
            Decks::PreShuffled(reference) => write!(f, "pre-shuffled {reference}"),
        }
    }
}

/// An input of a table. Seats are counted from 0, and printed from 1.
///
/// Printing and reading are exact inverses: an input has one spelling and no other is read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub enum Input {
    /// A dealer comes to the table (G-13): `dealer eve`.
    Dealer {
        name: Name,
        /// The supervisor who ordered it; none for the first dealer.
        by: Option<Name>,
    },
    /// Cards come to the table (CW-4-a): `decks inspected`, `decks pre-shuffled q4-117`.
    Decks(Decks),
    /// The cards are to be changed before another round (FBB-2-c): `decks due`.
    DecksDue,
    /// The first player has looked at the spread cards (CW-4-b): `inspect 3`.
    Inspect { bettor: Bettor },
    /// A player asks for the stored cards to be spread first (CW-5-h-2): `spread 3`.
    Spread { bettor: Bettor },
    /// A player takes a seat, or stands behind it: `sit 3 ann`, `sit 3b bob`.
    Sit { bettor: Bettor, player: Name },
    /// The first person on a box lets another bet on it (DAB-13-a): `consent 3 bob`.
    Consent { seat: usize, player: Name },
    /// That consent is withdrawn between rounds (DAB-R28): `revoke 3 bob`.
    Revoke { seat: usize, player: Name },
    /// A player buys chips: `buy-in 3 100`.
    BuyIn { bettor: Bettor, amount: Cents },
    /// A player leaves a box, and with the last one takes all chips: `leave 3`.
    Leave { bettor: Bettor },
    /// The cards were shuffled, and their order committed to: `shuffle 9f86… riffle …`; at a
    /// physical table nobody knows the order: `shuffle physical riffle …`.
    Shuffle {
        /// The commitment; none at a physical table.
        seal: Option<Seal>,
        steps: Vec<ShuffleStep>,
    },
    /// The list of the players' commitments is closed, with the cut that was named: `commit`,
    /// `commit cut 3 120`, `commit cut 3 120 house 5d41… 3 77ab… 5 9c1d…`.
    Commit {
        /// The cut that a player named, if one did.
        cut: Option<(Bettor, usize)>,
        /// Nothing where nobody committed.
        list: Option<CommitmentList>,
    },
    /// All openings of the commitments, together: `open 3 00fe… 5 81c2…`; whoever is missing here did
    /// not open.
    Open {
        /// Whose bytes, from the dealer's far left.
        openings: Vec<(Bettor, Seal)>,
    },
    /// The cut, or its refusal: `cut 3 120`, `cut 3 pass`, `cut dealer 120`. The cut of a sealed order
    /// is named in `commit`; only its refusal, or a drawn cut, comes like this.
    Cut {
        by: Cutter,
        /// How many cards go from the front to the back; none where the cut is refused.
        at: Option<usize>,
    },
    /// A player asks for the burned cards of this shoe, and they are shown (DAB-7-c):
    /// `show-burn 3 9d`.
    ShowBurn {
        bettor: Bettor,
        /// The cards, the first one burned first.
        cards: Vec<Card>,
    },
    /// Wagers, replacing earlier ones, all or nothing: `wager 3 main 10 tie 5`.
    Wager {
        bettor: Bettor,
        /// How much on which circle.
        amounts: Vec<(Circle, Cents)>,
    },
    /// A wager is taken back while betting is open: `clear 3`.
    Clear { bettor: Bettor },
    /// "No more bets": `deal`.
    Deal,
    /// A card leaves the shoe, perhaps face down: `card 9d`, `card ??`.
    Card(Option<Card>),
    /// A decision: `act 3 war 5`.
    Act { bettor: Bettor, act: Act },
    /// The card reader's answer: `peek yes`.
    Peek(bool),
    /// The face-down card, turned over: `turn 9d`.
    Turn(Card),
    /// A player gave no answer in time (G-06): `time-out 3`.
    TimeOut { bettor: Bettor },
    /// What a shared meter shows now: `meter 10000.75`.
    Meter(Cents),
    /// Nobody has wagered for some time, and the cards are spread (G-14): `idle`.
    Idle,
    /// What was committed to, once the shoe is retired: `reveal SALT 9d4cAs…`.
    ///
    /// The order is the one before the cut. It is recorded here, and checked in an audit.
    Reveal {
        /// The salt of the commitment.
        salt: Seal,
        /// Every card of the shoe, the front one first.
        order: Vec<Card>,
    },
    /// A report that something went wrong: `report face-up 9d by dealer`.
    Report(Report),
    /// A supervisor's order: `order recut by eve because the cut was shallow`; with the card that was
    /// reported as it truly is, where the order moves or shows it: `order discard by eve showing 9d`.
    Order { order: Order, by: Name, card: Option<Card>, because: Option<WrittenReason> },
    /// A player's answer to what went wrong: `choose 3 refund`.
    Choose { bettor: Bettor, choice: Choice },
    /// A correction of an earlier round (G-28):
    /// `correct 12 5 from house to rack:3 by eve because the hand was 20`.
    Correct {
        /// The round, counted from 1.
        round: u32,
        transfer: Transfer,
        by: Name,
        because: WrittenReason,
    },
}

impl Display for Input {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Input::Dealer { name, by: None } => write!(f, "dealer {name}"),
            Input::Dealer { name, by: Some(by) } => write!(f, "dealer {name} by {by}"),
            Input::Decks(decks) => write!(f, "decks {decks}"),
            Input::DecksDue => f.write_str("decks due"),
            Input::Inspect { bettor } => write!(f, "inspect {bettor}"),
            Input::Spread { bettor } => write!(f, "spread {bettor}"),
            Input::Sit { bettor, player } => write!(f, "sit {bettor} {player}"),
            Input::Consent { seat, player } => write!(f, "consent {} {player}", seat + 1),
            Input::Revoke { seat, player } => write!(f, "revoke {} {player}", seat + 1),
            Input::BuyIn { bettor, amount } => write!(f, "buy-in {bettor} {amount}"),
            Input::Leave { bettor } => write!(f, "leave {bettor}"),
            Input::Shuffle { seal, steps } => {
                write!(f, "shuffle {}", Or(*seal, "physical"))?;
                steps.iter().try_for_each(|step| write!(f, " {step}"))
            }
            Input::Commit { cut, list } => {
                f.write_str("commit")?;
                cut.iter().try_for_each(|(bettor, at)| write!(f, " cut {bettor} {at}"))?;
                list.iter().try_for_each(|list| write!(f, " {list}"))
            }
            Input::Open { openings } => {
                f.write_str("open")?;
                openings.iter().try_for_each(|(bettor, bytes)| write!(f, " {bettor} {bytes}"))
            }
            Input::Cut { by, at: Some(at) } => write!(f, "cut {by} {at}"),
            Input::Cut { by, at: None } => write!(f, "cut {by} pass"),
            Input::ShowBurn { bettor, cards } => {
                write!(f, "show-burn {bettor}")?;
                cards.iter().try_for_each(|card| write!(f, " {card}"))
            }
            Input::Clear { bettor } => write!(f, "clear {bettor}"),
            Input::Deal => f.write_str("deal"),
            Input::Card(Some(card)) => write!(f, "card {card}"),
            Input::Card(None) => f.write_str("card ??"),
            Input::TimeOut { bettor } => write!(f, "time-out {bettor}"),
            Input::Meter(amount) => write!(f, "meter {amount}"),
            Input::Idle => f.write_str("idle"),
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
            Input::Report(report) => write!(f, "report {report}"),
            Input::Order { order, by, card, because } => {
                write!(f, "order {order} by {by}")?;
                card.iter().try_for_each(|card| write!(f, " showing {card}"))?;
                because.iter().try_for_each(|words| write!(f, " because {words}"))
            }
            Input::Choose { bettor, choice } => write!(f, "choose {bettor} {choice}"),
            Input::Correct { round, transfer, by, because } => {
                write!(f, "correct {round} {transfer} by {by} because {because}")
            }
        }
    }
}

impl FromStr for Input {
    type Err = Unreadable;

    /// Reads the one spelling that an input has.
    fn from_str(line: &str) -> Reading<Input> {
        let mut words = Words::new(line);
        let input = Input::read(&mut words)?;
        words.end()?;
        match input.to_string() {
            spelled if spelled == line => Ok(input),
            spelled => Err(Unreadable::new(quoted(&spelled), quoted(line))),
        }
    }
}

impl Input {
    /// Reads an input in any spelling.
    pub(crate) fn read(words: &mut Words<'_>) -> Reading<Input> {
        let expected = "an input of a table, such as 'sit 3 ann' or 'deal'";
        Ok(match words.word(expected)? {
            "dealer" => Input::Dealer {
                name: words.read()?,
                by: words.skip("by").then(|| words.read()).transpose()?,
            },
            "decks" if words.skip("due") => Input::DecksDue,
            "decks" if words.skip("inspected") => Input::Decks(Decks::Inspected),
            "decks" => Input::Decks(Decks::PreShuffled(words.after("pre-shuffled")?)),
            "inspect" => Input::Inspect { bettor: words.bettor()? },
            "spread" => Input::Spread { bettor: words.bettor()? },
            "sit" => Input::Sit { bettor: words.bettor()?, player: words.read()? },
            "consent" => Input::Consent { seat: words.seat()?.into(), player: words.read()? },
            "revoke" => Input::Revoke { seat: words.seat()?.into(), player: words.read()? },
            "buy-in" => Input::BuyIn { bettor: words.bettor()?, amount: words.read()? },
            "leave" => Input::Leave { bettor: words.bettor()? },
            "shuffle" => Input::Shuffle { seal: words.read()?, steps: words.rest()? },
            "commit" => Input::Commit {
                cut: words.skip("cut").then(|| Ok((words.bettor()?, words.read()?))).transpose()?,
                list: words.skip("house").then(|| CommitmentList::read(words)).transpose()?,
            },
            "open" => Input::Open { openings: seals(words)? },
            "cut" => Input::Cut {
                by: Cutter::read(words)?,
                at: (!words.skip("pass")).then(|| words.read()).transpose()?,
            },
            "show-burn" => Input::ShowBurn { bettor: words.bettor()?, cards: words.rest()? },
            "wager" => {
                let (bettor, amounts) = notation::wager(words)?;
                Input::Wager { bettor, amounts }
            }
            "clear" => Input::Clear { bettor: words.bettor()? },
            "deal" => Input::Deal,
            "card" => Input::Card(words.read()?),
            "act" => {
                let (bettor, act) = notation::act(words)?;
                Input::Act { bettor, act }
            }
            "peek" => Input::Peek(words.read()?),
            "turn" => Input::Turn(words.read()?),
            "time-out" => Input::TimeOut { bettor: words.bettor()? },
            "meter" => Input::Meter(words.money()?),
            "idle" => Input::Idle,
            "reveal" => Input::Reveal { salt: words.read()?, order: cards(words)? },
            "report" => Input::Report(Report::read(words)?),
            "order" => Input::Order {
                order: Order::read(words)?,
                by: words.after("by")?,
                card: words.skip("showing").then(|| words.read()).transpose()?,
                because: words.skip("because").then(|| WrittenReason::rest(words)).transpose()?,
            },
            "choose" => Input::Choose { bettor: words.bettor()?, choice: words.read()? },
            "correct" => Input::Correct {
                round: words.read()?,
                transfer: Transfer {
                    amount: words.read()?,
                    from: words.after("from")?,
                    to: words.after("to")?,
                },
                by: words.after("by")?,
                because: {
                    words.exactly("because")?;
                    WrittenReason::rest(words)?
                },
            },
            other => return Err(Unreadable::new(expected, quoted(other))),
        })
    }
}

impl Cutter {
    pub(super) fn read(words: &mut Words<'_>) -> Reading<Cutter> {
        match words.skip("dealer") {
            true => Ok(Cutter::Dealer),
            false => words.bettor().map(Cutter::Seat),
        }
    }
}

/// Reads places with 32 bytes each, as many as there are.
fn seals(words: &mut Words<'_>) -> Reading<Vec<(Bettor, Seal)>> {
    let mut read = Vec::new();
    while words.peek().is_some() {
        read.push((words.bettor()?, words.read()?));
    }
    Ok(read)
}

/// Reads cards without blanks between them, possibly none.
fn cards(words: &mut Words<'_>) -> Reading<Vec<Card>> {
    if words.peek().is_none() {
        return Ok(Vec::new());
    }
    let all = |word: &str| -> Option<Vec<Card>> {
        let pairs = word.as_bytes().chunks(2);
        pairs.map(|pair| std::str::from_utf8(pair).ok()?.parse().ok()).collect()
    };
    words.next_by(|| "cards without blanks, such as 9d4cAs".to_owned(), all)
}
