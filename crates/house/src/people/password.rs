//! Passwords, as Argon2id keeps them.

use std::fmt;

use argon2::password_hash::phc;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
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
        write!(f, "a password must have at least {SHORTEST} characters and at most {LONGEST} bytes")
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

/// What the store keeps of a password: a PHC string such as `$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordHash {
    phc: phc::PasswordHash,
    is_outdated: bool,
}

impl PasswordHash {
    /// Hashes a password under a salt that nothing else has. It takes a while: not for a thread that
    /// others wait for.
    pub fn new(password: &Password, salt: [u8; 32]) -> PasswordHash {
        let hashed = argon2().hash_password_with_salt(password.0.as_bytes(), &salt);
        let phc = hashed.expect("the house's own parameters are good ones");
        PasswordHash { phc, is_outdated: false }
    }

    /// The password of nobody: it costs what others cost, and is never the right one.
    pub fn nobody() -> PasswordHash {
        let phc = written(argon2().params(), &[0; 32], &[0; 32]);
        PasswordHash { phc: phc.expect("the lengths are good ones"), is_outdated: false }
    }

    /// Whether this is the password, found out in the same time either way. It takes a while.
    pub fn is(&self, password: &Password) -> bool {
        argon2().verify_password(password.0.as_bytes(), &self.phc).is_ok()
    }

    /// Whether the house would keep the same password in another way today: it should be hashed again
    /// when it is next given.
    pub fn is_outdated(&self) -> bool {
        self.is_outdated
    }

    /// Reads what the store keeps.
    pub fn read(text: &str) -> Option<PasswordHash> {
        let today = PasswordHash::nobody().phc;
        let is_as_today = |phc: &phc::PasswordHash| {
            (phc.algorithm, phc.version) == (today.algorithm, today.version)
                && phc.params == today.params
        };
        let is_older = !text.starts_with('$');
        let phc = match is_older {
            true => read_older(text)?,
            false => phc::PasswordHash::new(text).ok().filter(|phc| phc.hash.is_some())?,
        };
        // No more than the house itself would ask for by far: memory that is not there ends a program.
        let params = Params::try_from(&phc).ok()?;
        let is_usual = params.m_cost() <= 16 * MEMORY
            && params.t_cost() <= 16 * PASSES
            && params.p_cost() <= 16 * LANES;
        let is_outdated = is_older || !is_as_today(&phc);
        is_usual.then_some(PasswordHash { phc, is_outdated })
    }
}

/// How the house hashes a password.
fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY, PASSES, LANES, Some(32)).expect("they are good ones");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// What hashing with these parameters has led to.
fn written(params: &Params, salt: &[u8], hash: &[u8]) -> Option<phc::PasswordHash> {
    Some(phc::PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: params.try_into().ok()?,
        salt: Some(phc::Salt::new(salt).ok()?),
        hash: Some(phc::Output::new(hash).ok()?),
    })
}

/// Reads `argon2id MEMORY PASSES LANES SALT HASH`, as stores had it first.
fn read_older(text: &str) -> Option<phc::PasswordHash> {
    let mut words = text.strip_prefix("argon2id ")?.split(' ');
    let mut number = || words.next()?.parse().ok();
    let params = Params::new(number()?, number()?, number()?, None).ok()?;
    let (salt, hash): (Seal, Seal) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    written(&params, &salt.0, &hash.0).filter(|_| words.next().is_none())
}

impl fmt::Display for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phc.fmt(f)
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
        assert!(text.starts_with("$argon2id$v=19$m=19456,t=2,p=1$BwcHBwcH"), "{text}");
        assert!(!text.contains("nine"));
        let kept = PasswordHash::read(&text).unwrap();
        assert!(kept.is(&password("nine of diamonds")) && !kept.is_outdated());
        assert!(!kept.is(&password("nine of diamondz")));
        assert!(!PasswordHash::nobody().is(&password("nine of diamonds")));
        assert_ne!(PasswordHash::new(&password("nine of diamonds"), [8; 32]).to_string(), text);
        for wrong in ["", "argon2id", "$argon2id$v=19$m=19456,t=2", "argon2id 19456 2 1", "x y"] {
            assert_eq!(PasswordHash::read(wrong), None, "{wrong}");
        }
    }

    /// What an earlier version kept of "nine of diamonds", under a salt of sevens.
    const OLDER: &str = "argon2id 19456 2 1 0707070707070707070707070707070707070707070707070707070707070707 \
        a30634b4147114fb9ded682df8b7edbe7fefcf04a28ab8b1026ccfc9b0568869";

    #[test]
    fn an_older_hash_is_read_and_should_be_made_again() {
        let kept = PasswordHash::read(OLDER).unwrap();
        assert!(kept.is(&password("nine of diamonds")) && kept.is_outdated());
        let today = PasswordHash::new(&password("nine of diamonds"), [7; 32]);
        assert_eq!(kept.to_string(), today.to_string());
        assert_eq!(PasswordHash::read(&OLDER[..OLDER.len() - 1]), None);

        let weaker = today.to_string().replace("m=19456", "m=8192");
        assert!(PasswordHash::read(&weaker).unwrap().is_outdated());
        let dearer = today.to_string().replace("m=19456", "m=4000000000");
        assert_eq!(PasswordHash::read(&dearer), None);
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
