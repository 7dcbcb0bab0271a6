//! Names that nobody is given, and those that guests are given.

use rules::table::Name;

use super::pseudonym::is_pseudonym;

/// The name under which the command line acts, and nobody else.
pub const COMMAND_LINE: &str = "command-line";

/// The name under which the house itself acts, and nobody else.
pub const HOUSE: &str = "house";

/// What the names of guests began with in earlier versions, and no other does.
const GUEST: &str = "guest-";

/// What the names of house players begin with, and no other does.
const HOUSE_PLAYER: &str = "house-";

/// The rest of their names; no two of them sit at one table.
const HOUSE_PLAYERS: [&str; 32] = [
    "ada", "basil", "clara", "dexter", "edith", "felix", "greta", "hugo", "ines", "jasper", "kira",
    "leo", "mabel", "nico", "olive", "pablo", "quinn", "rosa", "silas", "tess", "ugo", "vera",
    "walt", "xenia", "yuri", "zelda", "amos", "bruno", "cora", "diego", "elsa", "frida",
];

/// The most house players that a house can have.
pub const MOST_HOUSE_PLAYERS: usize = HOUSE_PLAYERS.len();

/// Names that stand for no person.
const NOBODY: [&str; 9] = [
    "anonymous",
    "commandline",
    "everybody",
    "everyone",
    "house",
    "me",
    "nobody",
    "null",
    "unknown",
];

/// The first word of a guest's name.
const FIRST: [&str; 64] = [
    "amber", "brave", "bright", "brisk", "calm", "candid", "cheery", "civil", "clear", "clever",
    "copper", "coral", "cosy", "crisp", "daring", "eager", "early", "earnest", "easy", "fair",
    "fine", "fleet", "fond", "frank", "fresh", "gentle", "glad", "golden", "grand", "happy",
    "hardy", "hazel", "honest", "jolly", "keen", "kind", "lively", "loyal", "lucky", "mellow",
    "merry", "mild", "misty", "modest", "neat", "nimble", "noble", "patient", "plucky", "proud",
    "quick", "quiet", "rapid", "ready", "rosy", "rustic", "sage", "silver", "sleek", "steady",
    "sunny", "swift", "velvet", "warm",
];

/// The second word of it.
const SECOND: [&str; 64] = [
    "badger", "beaver", "bison", "bobcat", "camel", "cicada", "condor", "corgi", "crane",
    "cricket", "curlew", "dingo", "dolphin", "donkey", "eagle", "egret", "falcon", "ferret",
    "finch", "gecko", "gibbon", "gopher", "heron", "hornet", "ibis", "iguana", "jackal", "jaguar",
    "kestrel", "koala", "lemur", "linnet", "llama", "lobster", "lynx", "magpie", "marlin",
    "marmot", "marten", "mole", "moose", "newt", "ocelot", "osprey", "otter", "owl", "panda",
    "parrot", "pelican", "penguin", "pigeon", "plover", "puffin", "puma", "rabbit", "raven",
    "robin", "salmon", "seal", "sparrow", "stork", "toucan", "turtle", "walrus",
];

/// A name for a guest, by random bytes: two words, such as `amber-otter`. Each time that it is taken there
/// is a longer number behind it.
pub fn friendly(random: [u8; 32], taken: usize) -> Name {
    let [first, second, number @ ..] = random;
    let word = |words: &[&'static str; 64], byte: u8| words[usize::from(byte) % words.len()];
    let (first, second) = (word(&FIRST, first), word(&SECOND, second));
    let number = u64::from_be_bytes(*number.first_chunk().expect("thirty bytes are left"));
    let name = match taken {
        0 => format!("{first}-{second}"),
        1 => format!("{first}-{second}-{}", number % 10_000),
        _ => format!("{first}-{second}-{}", number % 1_000_000_000),
    };
    name.parse().expect("letters, digits and hyphens")
}

/// The names of house players: programs that keep people company.
pub fn house_players() -> impl Iterator<Item = Name> {
    let name = |rest| format!("{HOUSE_PLAYER}{rest}").parse().expect("letters and a hyphen");
    HOUSE_PLAYERS.into_iter().map(name)
}

/// Whether a bot of this name is a house player: nobody else is given such a name.
pub fn is_house_player(name: &Name) -> bool {
    name.as_str().starts_with(HOUSE_PLAYER)
}

/// Words that speak for the house: a player with such a name, alone or numbered, could be taken for
/// somebody who works there.
const OFFICIAL: [&str; 28] = [
    "admin",
    "administrator",
    "auditor",
    "bank",
    "boss",
    "cage",
    "cashier",
    "casino",
    "croupier",
    "dealer",
    "floor",
    "help",
    "helpdesk",
    "management",
    "manager",
    "mod",
    "moderator",
    "office",
    "official",
    "operator",
    "owner",
    "pitboss",
    "root",
    "security",
    "staff",
    "supervisor",
    "support",
    "system",
];

/// Words that go before or after one of those without making it another name.
const FILLERS: [&str; 6] = ["the", "a", "my", "our", "team", "desk"];

/// Whether nobody is given this name: it looks like a guest's, like the house's own, or like nobody's.
/// A guest who makes an account may keep the name.
pub fn is_reserved(name: &Name) -> bool {
    let word = name.as_str();
    let begins = word.starts_with(GUEST)
        || word.split_once('-').is_some_and(|(first, _)| skeleton(first) == skeleton(HOUSE));
    let is_blank = word.bytes().all(|letter| letter == b'-');
    begins || is_blank || is_pseudonym(word) || word == "guest" || looks_like(name, &NOBODY)
}

/// Whether only an operator gives this name, because it looks like somebody's who works for the house.
pub fn is_official(name: &Name) -> bool {
    looks_like(name, &OFFICIAL)
}

/// Whether a name looks like some words. A name has only small letters, digits and hyphens, so
/// look-alikes are made of digits, doubled letters and other words: `h0use`, `dea1er-2`, `the-house`.
fn looks_like(name: &Name, words: &[&str]) -> bool {
    let parts: Vec<String> = name.as_str().split('-').map(skeleton).collect();
    let is_filler = |part: &&String| part.is_empty() || is_one_of(&FILLERS, part);
    let core: Vec<&String> = parts.iter().filter(|part| !is_filler(part)).collect();
    let is_together = |parts: Vec<&str>| is_one_of(words, &skeleton(&parts.concat()));
    is_together(parts.iter().map(String::as_str).collect())
        || is_together(core.iter().map(|part| part.as_str()).collect())
        || !core.is_empty() && core.iter().all(|part| is_one_of(words, part))
}

/// Whether a word looks like one of some, or like several of it.
fn is_one_of(words: &[&str], looks: &str) -> bool {
    let one = looks.strip_suffix('s').unwrap_or(looks);
    words.iter().map(|word| skeleton(word)).any(|word| word == looks || word == one)
}

/// What a word looks like: digits as the letters they stand for, digits at the end left out, `l` for
/// `i`, and no letter twice in a row.
fn skeleton(word: &str) -> String {
    let word = word.trim_end_matches(|digit: char| digit.is_ascii_digit());
    let letters = word.chars().map(|letter| match letter {
        '0' => 'o',
        '1' | 'i' => 'l',
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        '7' => 't',
        '8' => 'b',
        letter => letter,
    });
    let mut skeleton = String::new();
    for letter in letters {
        if !skeleton.ends_with(letter) {
            skeleton.push(letter);
        }
    }
    skeleton
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_names_stand_for_nobody() {
        for name in [
            "house",
            "the-house",
            "house-1",
            "house-ada",
            "house-of-cards",
            "h0use-ada",
            "-",
            "--",
            "player-0123456789abcdef",
            "h0use",
            "h00use",
            "house2",
            "command-line",
            "commandline",
            "c0mmand-line",
            "guest-1",
            "guest",
            "nobody",
            "everyone",
            "me",
            "null",
        ] {
            assert!(is_reserved(&name.parse().unwrap()), "{name}");
        }
    }

    #[test]
    fn who_speaks_for_the_house_is_no_player() {
        for name in [
            "cashier",
            "cash1er",
            "cashiers",
            "dealer",
            "dea1er",
            "dealer-2",
            "d-e-a-l-e-r",
            "office",
            "0ff1ce",
            "offlce",
            "operator",
            "0perator",
            "supervisor",
            "auditor",
            "admin",
            "4dmin",
            "pit-boss",
            "pitboss",
            "pitbos",
            "system",
            "support-desk",
            "root",
            "staff-manager",
            "mod",
            "helpdesk",
            "help-desk",
            "casino",
        ] {
            let name = name.parse().unwrap();
            assert!(is_official(&name) && !is_reserved(&name), "{name}");
        }
    }

    #[test]
    fn a_guest_is_given_two_words_that_nobody_may_not_have() {
        let mut bytes = [0; 32];
        let mut names = std::collections::BTreeSet::new();
        for first in 0..64 {
            for second in 0..64 {
                bytes[..2].copy_from_slice(&[first, second]);
                let name = friendly(bytes, 0);
                assert!(!is_reserved(&name) && !is_official(&name), "{name}");
                assert_eq!(name.as_str().split('-').count(), 2, "{name}");
                names.insert(name.to_string());
            }
        }
        assert_eq!(names.len(), 64 * 64, "no two are the same");
        assert_eq!(friendly([255; 32], 1).as_str().split('-').count(), 3);
        assert!(friendly([255; 32], 2).as_str().len() <= Name::LONGEST);
    }

    #[test]
    fn other_names_are_free() {
        for free in [
            "ann",
            "ann-2",
            "max",
            "bob",
            "eve",
            "dealermax",
            "housewife",
            "robo",
            "warehouse",
            "ann-banks",
            "kim",
            "1",
            "777",
            "a",
            "the",
            "rooster",
            "officer-bob",
            "stafford",
            "bot-1",
            "guestbook",
            "mel",
            "modesty",
        ] {
            let name = free.parse().unwrap();
            assert!(!is_reserved(&name) && !is_official(&name), "{free}");
        }
    }

    /// Case, spaces and letters of other alphabets are in no name at all.
    #[test]
    fn names_have_small_letters_digits_and_hyphens() {
        let other_letters = ["h\u{43e}use", "ho\u{200b}use", "\u{ff48}ouse", "hou\u{17f}e"];
        for none in ["House", "HOUSE", "ho use", "house ", " house"].iter().chain(&other_letters) {
            assert!(none.parse::<Name>().is_err(), "{none:?}");
        }
    }
}
