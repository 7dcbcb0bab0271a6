//! Lines of a log that only some may see: the chain covers a salted commitment to them, so that no
//! hash of anything published tells what they say.
//!
//! The house writes such a line as `opened SALT LINE`. Whoever may not see it yet gets `private
//! COMMITMENT` in its place. The chain is the same for both.

use std::borrow::Cow;
use std::fmt;

use crate::hash::Hash;

/// The first word of a line with its salt.
const OPENED: &str = "opened ";

/// The first word of a line in whose place a commitment stands.
const PRIVATE: &str = "private ";

/// What keeps a line from being guessed by its commitment: 16 bytes that nobody can foresee.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LineSalt([u8; 16]);

impl LineSalt {
    /// The salt of these bytes.
    pub const fn new(bytes: [u8; 16]) -> LineSalt {
        LineSalt(bytes)
    }

    fn read(word: &str) -> Option<LineSalt> {
        let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if word.len() != 32 || !word.as_bytes().iter().all(is_digit) {
            return None;
        }
        let mut bytes = [0; 16];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&word[2 * at..2 * at + 2], 16).ok()?;
        }
        Some(LineSalt(bytes))
    }

    /// The commitment to a line: nobody who does not know the salt can tell the line from it.
    pub fn commitment(self, text: &str) -> Hash {
        Hash::of(&["pitboss private\n", &self.to_string(), "\n", text])
    }

    /// A line that only some may see, as the house writes it.
    pub fn seal(self, text: &str) -> String {
        format!("{OPENED}{self} {text}")
    }
}

/// 32 hexadecimal digits in lower case.
impl fmt::Display for LineSalt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Prints nothing: a salt must not leak into logs.
impl fmt::Debug for LineSalt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LineSalt")
    }
}

/// A line of a log, as far as it may be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legible<'a> {
    /// A line for everybody.
    Public(&'a str),
    /// A line that only some could see when it was written, with what proves it.
    Opened {
        /// Its salt.
        salt: LineSalt,
        /// What it says.
        text: &'a str,
    },
    /// The commitment to a line that is not told yet.
    Private(Hash),
}

impl<'a> Legible<'a> {
    /// How a line of an export reads.
    pub fn of(line: &'a str) -> Legible<'a> {
        let opened = |line: &'a str| {
            let (salt, text) = line.strip_prefix(OPENED)?.split_once(' ')?;
            Some(Legible::Opened { salt: LineSalt::read(salt)?, text })
        };
        let private = |line: &str| line.strip_prefix(PRIVATE)?.parse().ok().map(Legible::Private);
        opened(line).or_else(|| private(line)).unwrap_or(Legible::Public(line))
    }

    /// What it says; none where that is not told yet.
    pub const fn text(self) -> Option<&'a str> {
        match self {
            Legible::Public(text) | Legible::Opened { text, .. } => Some(text),
            Legible::Private(_) => None,
        }
    }

    /// Whether it was written for everybody.
    pub const fn is_public(self) -> bool {
        matches!(self, Legible::Public(_))
    }

    /// The line for whoever may not see what only some may see. The chain covers this one.
    pub fn closed(self) -> Cow<'a, str> {
        match self {
            Legible::Public(text) => Cow::Borrowed(text),
            Legible::Opened { salt, text } => {
                Cow::Owned(format!("{PRIVATE}{}", salt.commitment(text)))
            }
            Legible::Private(commitment) => Cow::Owned(format!("{PRIVATE}{commitment}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SALT: &str = "000102030405060708090a0b0c0d0e0f";

    #[test]
    fn a_commitment_is_the_one_that_any_other_program_computes() {
        // printf 'pitboss private\n000102030405060708090a0b0c0d0e0f\n< card 9d' | sha256sum
        let line = format!("opened {SALT} < card 9d");
        let Legible::Opened { salt, text } = Legible::of(&line) else { panic!("{line}") };
        assert_eq!((salt.to_string().as_str(), text), (SALT, "< card 9d"));
        assert_eq!(salt.commitment(text).to_string(), COMMITMENT);
        assert_eq!(salt.seal(text), line);
        assert_eq!(Legible::of(&line).closed(), format!("private {COMMITMENT}"));
        let closed = Legible::of(&line).closed().into_owned();
        assert_eq!(Legible::of(&closed).closed(), closed);
        assert_eq!(Legible::of(&closed).text(), None);
        assert!(!format!("{salt:?}").contains("01"));
    }

    const COMMITMENT: &str = "7c860328853d9caa75890b5a49b4a966bf51d216d58475c2020823a93d142160";

    #[test]
    fn what_is_neither_opened_nor_private_is_for_everybody() {
        for line in [
            "< card 9d",
            "opened",
            "opened 00 < card 9d",
            &format!("opened {} < card 9d", SALT.to_uppercase()),
            &format!("opened {SALT}"),
            "private 00",
            "",
        ] {
            assert_eq!(Legible::of(line), Legible::Public(line));
            assert_eq!(Legible::of(line).closed(), line);
        }
    }
}
