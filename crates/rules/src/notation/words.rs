//! The one reader of words, for lines of rounds, tables, standings and the log.

use std::fmt::{self, Display, Formatter};
use std::iter::Peekable;
use std::str::SplitWhitespace;

use crate::card::Card;
use crate::games::casino_war::Outcome;
use crate::games::double_down_stud::Category;
use crate::money::Cents;
use crate::round::Call;
use crate::wager::{Bettor, Circle, Game, MOST_SEATS};

/// Why a line cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// What belongs there.
    pub expected: String,
    /// What is there instead.
    pub found: String,
}

impl Unreadable {
    pub(crate) fn new(expected: impl Into<String>, found: impl Into<String>) -> Unreadable {
        Unreadable { expected: expected.into(), found: found.into() }
    }
}

impl Display for Unreadable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

impl std::error::Error for Unreadable {}

/// A value that is written as one word.
pub trait Word: Sized {
    /// What is expected: `a card such as Td or As`.
    fn expected() -> String;

    /// The value of a word.
    fn read(word: &str) -> Option<Self>;
}

/// What was read, or why it cannot be.
pub type Reading<T> = Result<T, Unreadable>;

/// The end of a line, in words.
const END: &str = "the end of the line";

/// What is expected where a hand is named.
pub(super) const HAND: &str = "the number of a hand, counted from 1";

/// The words of a line that are still to be read.
pub struct Words<'a>(Peekable<SplitWhitespace<'a>>);

impl<'a> Words<'a> {
    /// All words of a line.
    pub fn new(line: &'a str) -> Words<'a> {
        Words(line.split_whitespace().peekable())
    }

    /// The next word, as written.
    pub fn word(&mut self, expected: &str) -> Reading<&'a str> {
        self.0.next().ok_or_else(|| Unreadable::new(expected, END))
    }

    /// The next word, as `read` understands it.
    pub(crate) fn next_by<T>(
        &mut self,
        expected: impl Fn() -> String,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Reading<T> {
        let word = self.0.next().ok_or_else(|| Unreadable::new(expected(), END))?;
        read(word).ok_or_else(|| Unreadable::new(expected(), quoted(word)))
    }

    /// The value of the next word.
    pub fn read<T: Word>(&mut self) -> Reading<T> {
        self.next_by(T::expected, T::read)
    }

    /// The value of the next word, where there is one.
    pub fn perhaps<T: Word>(&mut self) -> Reading<Option<T>> {
        self.0.peek().is_some().then(|| self.read()).transpose()
    }

    /// The values of all words that are left.
    pub fn rest<T: Word>(&mut self) -> Reading<Vec<T>> {
        std::iter::from_fn(|| self.perhaps().transpose()).collect()
    }

    /// The values of all words that are left, at least one.
    pub fn some<T: Word>(&mut self) -> Reading<Vec<T>> {
        self.some_by(T::expected, T::read)
    }

    /// All words that are left, as `read` understands them, at least one.
    pub(crate) fn some_by<T>(
        &mut self,
        expected: impl Fn() -> String,
        read: impl Fn(&'a str) -> Option<T>,
    ) -> Reading<Vec<T>> {
        let mut all = vec![self.next_by(&expected, &read)?];
        while self.peek().is_some() {
            all.push(self.next_by(&expected, &read)?);
        }
        Ok(all)
    }

    /// Exactly this word, and the value of the one after it: `rack 100`.
    pub fn after<T: Word>(&mut self, word: &str) -> Reading<T> {
        self.exactly(word)?;
        self.read()
    }

    /// Exactly this word.
    pub fn exactly(&mut self, word: &str) -> Reading<()> {
        self.next_by(|| format!("'{word}'"), |next| (next == word).then_some(()))
    }

    /// Whether the next word is the second of these two, and not the first.
    pub(crate) fn either(&mut self, [no, yes]: [&str; 2]) -> Reading<bool> {
        let read = |word| if word == yes { Some(true) } else { (word == no).then_some(false) };
        self.next_by(|| format!("{no} or {yes}"), read)
    }

    /// Takes the next word, if it is this one.
    pub fn skip(&mut self, word: &str) -> bool {
        self.0.next_if(|next| *next == word).is_some()
    }

    /// The next word, without taking it.
    pub fn peek(&mut self) -> Option<&'a str> {
        self.0.peek().copied()
    }

    /// All words that are left, with a blank between them, at least one.
    pub fn sentence(&mut self, expected: &str) -> Reading<String> {
        let words: Vec<_> = self.0.by_ref().collect();
        if words.is_empty() { Err(Unreadable::new(expected, END)) } else { Ok(words.join(" ")) }
    }

    /// Someone at a seat of the layout, or behind one.
    pub(crate) fn bettor(&mut self) -> Reading<Bettor> {
        self.next_by(Bettor::expected, |word| Bettor::read(word).filter(on_layout))
    }

    /// A seat of the layout, counted from 0.
    pub(crate) fn seat(&mut self) -> Reading<u8> {
        let read = |word| {
            let bettor = Bettor::read(word).filter(|b| b.decides() && on_layout(b))?;
            u8::try_from(bettor.seat()).ok()
        };
        self.next_by(|| "a seat from 1 to 7".to_owned(), read)
    }

    /// A box, and its hand where it is not the first one; both counted from 0.
    pub(crate) fn hand_of_box(&mut self) -> Reading<(u8, u8)> {
        let seat = self.seat()?;
        let hand = self.peek().is_some().then(|| self.hand()).transpose()?;
        Ok((seat, hand.unwrap_or(1) - 1))
    }

    /// An amount that is not negative.
    pub(crate) fn money(&mut self) -> Reading<Cents> {
        let expected = || "an amount in dollars that is not negative".to_owned();
        self.next_by(expected, |word| Cents::read(word).filter(|amount| *amount >= Cents::ZERO))
    }

    /// The number of a hand, counted from 1.
    pub(crate) fn hand(&mut self) -> Reading<u8> {
        self.next_by(|| HAND.to_owned(), |word| u8::read(word).filter(|number| *number > 0))
    }

    /// Nothing more.
    pub fn end(mut self) -> Reading<()> {
        match self.0.next() {
            Some(word) => Err(Unreadable::new(END, quoted(word))),
            None => Ok(()),
        }
    }
}

fn on_layout(bettor: &Bettor) -> bool {
    bettor.seat() < MOST_SEATS
}

/// The word in quotes, printable and not too long.
pub(crate) fn quoted(word: &str) -> String {
    const LONGEST: usize = 40;
    let shown: String = word.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    let more = if word.chars().nth(LONGEST).is_some() { "…" } else { "" };
    format!("'{shown}{more}'")
}

/// What is expected, with its words in brackets.
pub(crate) fn one_of(what: &str, words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let words: Vec<_> = words.into_iter().collect();
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match &words[..] {
        [words @ .., last] => format!("{what} ({} or {last})", words.join(", ")),
        [] => what.to_owned(),
    }
}

/// Makes a type a word by the names of its values.
macro_rules! named {
    ($($type:ty: $what:literal),+ $(,)?) => {$(
        impl $crate::notation::Word for $type {
            fn expected() -> String {
                $crate::notation::one_of($what, <$type>::ALL.map(<$type>::name))
            }

            fn read(word: &str) -> Option<Self> {
                <$type>::ALL.into_iter().find(|value| value.name() == word)
            }
        }
    )+};
}

/// Makes a type a word by parsing it.
macro_rules! parsed {
    ($($type:ty: $what:expr),+ $(,)?) => {$(
        impl $crate::notation::Word for $type {
            fn expected() -> String {
                $what.to_string()
            }

            fn read(word: &str) -> Option<Self> {
                word.parse().ok()
            }
        }
    )+};
}

/// Lets a word be parsed by itself, with a reason where it cannot be.
macro_rules! from_word {
    ($($type:ty),+) => {$(
        impl std::str::FromStr for $type {
            type Err = $crate::notation::Unreadable;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                use $crate::notation::{Unreadable, Word, quoted};
                Self::read(word).ok_or_else(|| Unreadable::new(Self::expected(), quoted(word)))
            }
        }
    )+};
}

/// Numbers without a sign, and `-` for none.
macro_rules! numbers {
    ($($type:ty),+) => {$(
        impl Word for $type {
            fn expected() -> String {
                "a number".to_owned()
            }

            fn read(word: &str) -> Option<Self> {
                word.bytes().all(|b| b.is_ascii_digit()).then(|| word.parse().ok()).flatten()
            }
        }

        impl Word for Option<$type> {
            fn expected() -> String {
                "a number, or -".to_owned()
            }

            fn read(word: &str) -> Option<Self> {
                if word == "-" { Some(None) } else { <$type>::read(word).map(Some) }
            }
        }
    )+};
}

pub(crate) use {from_word, named};

named! {
    Game: "a game",
    Circle: "a circle",
    Call: "an act",
    Category: "a hand",
    Outcome: "an outcome",
}

parsed! {
    Cents: "an amount in dollars with up to two decimals, such as 10 or 7.50",
    Card: "a card such as Td or As",
    String: "a word",
}

numbers!(u8, u32, u64, usize);

impl Word for Bettor {
    fn expected() -> String {
        "a seat from 1 to 7, or a bettor behind it such as 3b or 3c".to_owned()
    }

    fn read(word: &str) -> Option<Bettor> {
        Bettor::read(word)
    }
}

/// A yes-or-no answer.
impl Word for bool {
    fn expected() -> String {
        "yes or no".to_owned()
    }

    fn read(word: &str) -> Option<bool> {
        ["no", "yes"].iter().position(|answer| *answer == word).map(|at| at == 1)
    }
}

/// A card from the shoe; `None` stays face down.
impl Word for Option<Card> {
    fn expected() -> String {
        "a card such as Td, or ?? for one that stays face down".to_owned()
    }

    fn read(word: &str) -> Option<Option<Card>> {
        if word == "??" { Some(None) } else { Card::read(word).map(Some) }
    }
}

/// A value, or the word for its absence.
pub(crate) struct Or<T>(pub(crate) Option<T>, pub(crate) &'static str);

impl<T: Display> Display for Or<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str(self.1),
        }
    }
}
