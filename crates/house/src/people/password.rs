//! Passwords, as Argon2id keeps them.

use std::fmt;

use argon2::{Algorithm, Argon2, Params, Version};
use rules::table::Seal;

/// The fewest letters of a password.
pub const SHORTEST: usize = 10;

/// The longest password, in bytes.
pub const LONGEST: usize = 256;

/// The memory that a password costs, in KiB.
pub const MEMORY: u32 = 19 * 1024;

/// How often that memory is gone through.
pub const PASSES: u32 = 2;

/// How many work on one password.
pub const LANES: u32 = 1;

/// What the text of a password's hash begins with.
const ARGON2ID: &str = "argon2id";

/// A password that somebody typed.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password")
    }
}

/// A text that is no password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPassword;

impl fmt::Display for NoPassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a password has at least {SHORTEST} letters and at most {LONGEST} bytes")
    }
}

impl std::error::Error for NoPassword {}

impl Password {
    /// A password for an account, which is long enough.
    pub fn new(text: String) -> Result<Password, NoPassword> {
        match text.chars().count() >= SHORTEST && text.len() <= LONGEST {
            true => Ok(Password(text)),
            false => Err(NoPassword),
        }
    }
}

/// What the store keeps of a password: `argon2id MEMORY PASSES LANES SALT HASH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordHash {
    memory: u32,
    passes: u32,
    lanes: u32,
    salt: Seal,
    hash: Seal,
}

impl PasswordHash {
    /// Hashes a password under a salt that nothing else has. It takes a while: not for a thread that
    /// others wait for.
    pub fn new(password: &Password, salt: [u8; 32]) -> PasswordHash {
        let (memory, passes, lanes, hash) = (MEMORY, PASSES, LANES, Seal([0; 32]));
        let kept = PasswordHash { memory, passes, lanes, salt: Seal(salt), hash };
        let hash = kept.hash_of(password).expect("the house's own parameters are good ones");
        PasswordHash { hash, ..kept }
    }

    /// The password of nobody: it costs what others cost, and is never the right one.
    pub fn nobody() -> PasswordHash {
        let (memory, passes, lanes) = (MEMORY, PASSES, LANES);
        PasswordHash { memory, passes, lanes, salt: Seal([0; 32]), hash: Seal([0; 32]) }
    }

    /// Whether this is the password, found out in the same time either way. It takes a while.
    pub fn is(&self, password: &Password) -> bool {
        self.hash_of(password).is_some_and(|hash| {
            let pairs = hash.0.iter().zip(&self.hash.0);
            pairs.fold(0, |differs, (one, other)| differs | (one ^ other)) == 0
        })
    }

    fn hash_of(&self, password: &Password) -> Option<Seal> {
        let params = Params::new(self.memory, self.passes, self.lanes, Some(32)).ok()?;
        let mut hash = [0; 32];
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        argon2.hash_password_into(password.0.as_bytes(), &self.salt.0, &mut hash).ok()?;
        Some(Seal(hash))
    }

    /// Reads what the store keeps.
    pub fn read(text: &str) -> Option<PasswordHash> {
        let mut words = text.split(' ');
        let is_ours = words.next() == Some(ARGON2ID);
        let mut number = || words.next()?.parse().ok();
        let (memory, passes, lanes) = (number()?, number()?, number()?);
        let (salt, hash) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let kept = PasswordHash { memory, passes, lanes, salt, hash };
        // No more than the house itself would ask for by far: memory that is not there ends a program.
        let is_usual = memory <= 16 * MEMORY && passes <= 16 * PASSES && lanes <= 16 * LANES;
        (is_ours && is_usual && words.next().is_none()).then_some(kept)
    }
}

impl fmt::Display for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PasswordHash { memory, passes, lanes, salt, hash } = self;
        write!(f, "{ARGON2ID} {memory} {passes} {lanes} {salt} {hash}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn password(text: &str) -> Password {
        Password::new(text.to_owned()).unwrap()
    }

    #[test]
    fn a_password_is_known_again_and_no_other() {
        let kept = PasswordHash::new(&password("nine of diamonds"), [7; 32]);
        let text = kept.to_string();
        assert!(text.starts_with("argon2id 19456 2 1 0707"), "{text}");
        assert!(!text.contains("nine"));
        let kept = PasswordHash::read(&text).unwrap();
        assert!(kept.is(&password("nine of diamonds")));
        assert!(!kept.is(&password("nine of diamondz")));
        assert!(!PasswordHash::nobody().is(&password("nine of diamonds")));
        assert_ne!(PasswordHash::new(&password("nine of diamonds"), [8; 32]).to_string(), text);
        for wrong in ["", "argon2id", "argon2i 19456 2 1", &text[..text.len() - 1]] {
            assert_eq!(PasswordHash::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_password_has_some_length() {
        for (text, fits) in
            [("", false), ("äöüäöüäöü", false), ("äöüäöüäöüä", true), (&"x".repeat(257), false)]
        {
            assert_eq!(Password::new(text.to_owned()).is_ok(), fits, "{text}");
        }
        assert_eq!(format!("{:?}", password("nine of diamonds")), "Password");
    }
}
