//! SHA-256 over a text that begins with its purpose.

use std::fmt;
use std::str::FromStr;

use rules::table::Seal;
use sha2::{Digest, Sha256};

/// The SHA-256 of a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hash([u8; 32]);

impl Hash {
    /// The hash of these parts, put together.
    ///
    /// The first part says what is hashed, so that nothing can stand for something else.
    pub(crate) fn of(parts: &[&str]) -> Hash {
        let mut digest = Sha256::new();
        parts.iter().for_each(|part| digest.update(part));
        Hash(digest.finalize().into())
    }

    /// Its bytes.
    pub const fn bytes(self) -> [u8; 32] {
        self.0
    }
}

impl From<[u8; 32]> for Hash {
    fn from(bytes: [u8; 32]) -> Hash {
        Hash(bytes)
    }
}

/// 64 hexadecimal digits in lower case.
impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Seal(self.0).fmt(f)
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A word that is not a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAHash;

impl fmt::Display for NotAHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a hash is 64 hexadecimal digits in lower case")
    }
}

impl std::error::Error for NotAHash {}

impl FromStr for Hash {
    type Err = NotAHash;

    fn from_str(word: &str) -> Result<Hash, NotAHash> {
        word.parse().map(|Seal(bytes)| Hash(bytes)).map_err(|_| NotAHash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_the_sha_256_of_its_parts_in_a_row() {
        // The example of FIPS 180-2, appendix B.1.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Hash::of(&["a", "bc"]).to_string(), abc);
        assert_eq!(abc.parse(), Ok(Hash::of(&["abc"])));
    }

    #[test]
    fn only_64_digits_in_lower_case_are_a_hash() {
        let right = "0123456789abcdef".repeat(4);
        assert_eq!(right.parse::<Hash>().map(|hash| hash.to_string()), Ok(right.clone()));
        let [short, long] = [&right[1..], &format!("{right}0")];
        for wrong in ["", short, long, &right[2..], &right.to_uppercase(), &right.replace('0', "g")]
        {
            assert_eq!(wrong.parse::<Hash>(), Err(NotAHash), "{wrong}");
        }
    }
}
