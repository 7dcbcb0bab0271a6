//! The codes of the refusals that are the house's own. Those of the rules are in the rules.

/// Every code with which the house itself refuses something, and what it means, by the alphabet. A code
/// never changes, and a new refusal gets a new one.
pub const HOUSE_CODES: &[(&str, &str)] = &[
    ("account-in-progress", "an account is being made for the guest under another name"),
    ("already-committed", "the player has already answered with another commitment"),
    ("asked-before", "the player has already asked to bet on this box"),
    ("bad-amount", "an amount cannot be read"),
    ("bad-body", "the body of a request is not what the route takes"),
    ("bad-bytes", "a commitment or an opening is not 64 hexadecimal digits"),
    ("bad-card", "a card cannot be read"),
    ("bad-id", "the id of a command is empty or too long"),
    ("bad-irregularity", "a report lacks its place or card, or has one too many"),
    ("bad-label", "the label of a token is empty, too long or more than a line"),
    ("bad-limit", "a page of rounds would be empty or too long"),
    ("bad-loss", "a loss limit cannot be read or is out of range"),
    ("bad-message", "a message on the socket is not what the protocol has"),
    ("bad-minutes", "a time limit is out of range"),
    ("bad-name", "a name cannot be one"),
    ("bad-password", "a password is too short or too long"),
    ("bad-place", "a place at a table cannot be read"),
    ("bad-query", "a query parameter cannot be read"),
    ("bad-reason", "a reason is missing, too long or more than a line"),
    ("bad-terms", "the rule book does not allow a term of a private table"),
    ("bad-until", "a moment is not in the range that is allowed"),
    ("body-cut-short", "the body of a request did not arrive"),
    ("body-too-long", "the body of a request is too long"),
    ("body-too-slow", "the body of a request came too slowly"),
    ("books-unbalanced", "the accounts do not sum to zero"),
    ("bot-role", "a bot cannot have that role"),
    ("bot-token", "a bot has tokens and no sessions"),
    ("box-is-free", "nobody has the box that somebody asks to share"),
    ("box-is-yours", "the box that somebody asks to share is their own"),
    ("changed", "somebody else changed it meanwhile"),
    ("correction-above-round", "a correction is more than the round moved"),
    ("cross-site", "a page of another site asked"),
    ("disk-full", "the disk of the house is full"),
    ("equal-commitment", "another player has the same commitment"),
    ("exclusion-not-shortened", "a self-exclusion would end earlier than before"),
    ("guest-role", "a guest needs an account to have a role"),
    ("guest-without-account", "a guest who signs out could not come back"),
    ("hand-with-pass-alone", "a hand is named with another call than pass"),
    ("has-account", "somebody with an account asks for another one"),
    ("history-busy", "too many look up rounds, shoes or logs at the moment"),
    ("house-closing", "the house is closing"),
    ("house-deals", "a dealer's command at a table that the house deals"),
    ("house-full", "the house has no room for more"),
    ("id-of-another-command", "the id of a command was used for another one"),
    ("id-used", "the id of a command was used before"),
    ("keeps-name", "only a guest can take another name"),
    ("label-taken", "a bot has a token with this label"),
    ("method-not-allowed", "the address takes other methods"),
    ("name-taken", "somebody has this name"),
    ("no-account", "only an account has a password"),
    ("no-backups", "the folder of the backups cannot be used"),
    ("no-entropy", "the random source of the system is unavailable"),
    ("no-name", "a new account needs a name"),
    ("no-password", "a new account needs a password"),
    ("no-such-box", "there is no such seat or hand"),
    ("no-such-call", "there is no such call"),
    ("no-such-choice", "there is no such choice"),
    ("no-such-circle", "there is no such circle"),
    ("no-such-clause", "there is no such clause, ruling or term"),
    ("no-such-correction", "no such correction waits for a second supervisor"),
    ("no-such-game", "there is no such game"),
    ("no-such-kind", "there is no such irregularity"),
    ("no-such-order", "there is no such order"),
    ("no-such-person", "there is no such person"),
    ("no-such-shoe", "there is no such shoe"),
    ("no-such-table", "there is no such table"),
    ("no-such-token", "a bot has no such token"),
    ("no-upgrade", "a request for the socket does not ask for one"),
    ("nobody-there", "nobody is at that place"),
    ("not-a-bot", "only a bot has tokens"),
    ("not-a-dealer", "only a dealer enters cards"),
    ("not-a-supervisor", "only a supervisor decides this"),
    ("not-broke", "the cashier helps only below an amount"),
    ("not-committed-here", "the player has no commitment in the closed list"),
    ("not-found", "there is nothing at this address"),
    ("not-in-that-round", "a correction is for somebody without a wager in the round"),
    ("not-json", "the body of a request is not JSON, or does not say so"),
    ("not-signed-in", "the house does not know who asks"),
    ("not-suspended", "that person is not suspended"),
    ("not-watching", "a command on a socket that shows no table"),
    ("not-your-box", "only the first bettor on a box lets others bet on it"),
    ("not-your-place", "the player has no such place"),
    ("not-your-rounds", "the rounds of others are for staff"),
    ("official-name", "only an operator gives this name"),
    ("other-dealer", "another dealer deals at this table"),
    ("other-host", "a request was sent to a name that is none of the house"),
    ("other-opening", "bytes are not those that the player committed to"),
    ("other-rules", "it was played by another version of the rules"),
    ("overdrawn", "the account does not hold that much"),
    ("own-correction", "whoever asked for a correction cannot approve it"),
    ("own-loss", "the player's own loss limit"),
    ("own-minutes", "the player's own time limit"),
    ("own-money", "nobody corrects their own money"),
    ("own-private-tables", "somebody has as many private tables open as one can have"),
    ("own-role", "nobody changes their own role"),
    ("own-suspension", "nobody suspends themselves; there is self-exclusion"),
    ("plays-here", "whoever is seated here does not act for the house here"),
    ("program-failed", "the program made a mistake while it answered"),
    ("reserved-name", "nobody is given this name"),
    ("round-not-found", "there is no such round, or it is not over"),
    ("self-excluded", "the player is excluded by their own decision"),
    ("session-ended", "the session has ended, or the role is another one"),
    ("several-boxes", "the player has several boxes and must say which one"),
    ("several-hosts", "a request has several Host headers"),
    ("sign-in-busy", "too many passwords are checked at the moment"),
    ("staff-never-mixes", "somebody who works for the house would add to the order or cut"),
    ("still-seated", "a guest who is seated cannot take another name"),
    ("store-damaged", "a value in the store cannot be read; the sentence says where"),
    ("store-not-read", "the house could not look something up"),
    ("store-not-writable", "the store cannot be written"),
    ("store-not-written", "the house could not save it"),
    ("store-silent", "the store does not answer"),
    ("suspended", "an operator suspended the player"),
    ("table-closed", "a table is closed"),
    ("table-disk-full", "a table is paused because the disk is full"),
    ("table-failed", "a table is closed because it failed too often"),
    ("table-loading", "a table was interrupted and is loading again"),
    ("table-not-loaded", "a table is paused because it cannot be loaded"),
    ("table-paused", "a table is paused because the disk fails"),
    ("table-unbalanced", "a table is closed because its books do not agree"),
    ("too-many-ask", "too many people ask to share boxes at this table"),
    ("too-many-backups", "the folder of the backups is full"),
    ("too-many-exports", "an address saves too many logs at a time"),
    ("too-many-guests", "too many guests came in from one address"),
    ("too-many-lookups", "an address looks up too much at a time"),
    ("too-many-passwords", "too many wrong passwords"),
    ("too-many-private-tables", "the house has no room for another private table"),
    ("too-many-requests", "an address has too many requests at a time"),
    ("too-many-sockets", "an address has too many sockets open"),
    ("too-many-spectators", "the spectator limit of the table is reached"),
    ("too-many-tokens", "a bot has as many tokens as it can have"),
    ("wrong-password", "the name or the password is wrong"),
    ("wrong-role", "whoever asks has another role"),
];

/// Whether a code is one of the house's own.
pub fn is_house_code(code: &str) -> bool {
    HOUSE_CODES.binary_search_by_key(&code, |(code, _)| code).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_there_once_and_in_order() {
        for pair in HOUSE_CODES.windows(2) {
            assert!(pair[0].0 < pair[1].0, "{} is not before {}", pair[0].0, pair[1].0);
        }
        let is_word = |code: &str| code.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        assert!(HOUSE_CODES.iter().all(|(code, _)| is_word(code) && is_house_code(code)));
        assert!(!is_house_code("no-such-code"));
    }

    /// `RENEW=1 cargo test -p pitboss-wire the_codes_are_documented` writes the table again.
    #[test]
    fn the_codes_are_documented() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/refusals.md");
        let text = std::fs::read_to_string(file).unwrap();
        let head = "| code | meaning |\n| --- | --- |\n";
        let (before, _) = text.split_once(head).expect("the page has a table of codes");
        let rows: String =
            HOUSE_CODES.iter().map(|(code, means)| format!("| `{code}` | {means} |\n")).collect();
        let fresh = format!("{before}{head}{rows}");
        if std::env::var_os("RENEW").is_some() {
            std::fs::write(file, fresh).unwrap();
        } else {
            assert_eq!(text, fresh, "renew docs/refusals.md");
        }
    }
}
