//! The codes of the refusals that are the house's own. Those of the rules are in the rules.

/// Every code with which the house itself refuses something, and what it means, by the alphabet. A code
/// never changes, and a new refusal gets a new one.
pub const HOUSE_CODES: &[(&str, &str)] = &[
    ("account-in-progress", "an account is being created for the guest under another name"),
    ("already-committed", "the player has already answered with another commitment"),
    ("amount-too-large", "an amount has too many digits"),
    ("asked-before", "the player has already asked to bet on this box"),
    ("bad-amount", "an amount cannot be read"),
    ("bad-body", "the body of a request does not fit the route"),
    ("bad-bytes", "a commitment or an opening is not 64 hexadecimal digits"),
    ("bad-card", "a card cannot be read"),
    ("bad-id", "the id of a command is empty or too long"),
    ("bad-irregularity", "a report lacks its place or card, or has one too many"),
    ("bad-label", "the label of a token is empty, too long or more than a line"),
    ("bad-limit", "a page of rounds would be empty or too long"),
    ("bad-loss", "a loss limit cannot be read or is out of range"),
    ("bad-message", "a message on the socket does not fit the protocol"),
    ("bad-minutes", "a time limit is out of range"),
    ("bad-name", "a name is not valid"),
    ("bad-password", "a password is too short or too long"),
    ("bad-place", "a place at a table cannot be read"),
    ("bad-query", "a query parameter cannot be read"),
    ("bad-reason", "a reason is missing, too long or more than a line"),
    ("bad-terms", "the rule book does not allow a term of a private table"),
    ("bad-until", "a time is out of range"),
    ("body-cut-short", "the body of a request did not arrive"),
    ("body-too-long", "the body of a request is too long"),
    ("body-too-slow", "the body of a request arrived too slowly"),
    ("books-unbalanced", "the accounts do not sum to zero"),
    ("bot-role", "a bot cannot have that role"),
    ("bot-token", "a bot has tokens and no sessions"),
    ("box-is-free", "the box that somebody asks to share is free"),
    ("box-is-yours", "the box that somebody asks to share is their own"),
    ("changed", "somebody else changed it meanwhile"),
    ("coach-after-round", "the coach at the table speaks after the round"),
    ("coach-busy", "too many decisions wait for the coach"),
    ("coach-failed", "the coach failed at a position (a bug)"),
    ("company-asks", "a house player asks for company"),
    ("correction-above-round", "a correction is more than the round moved"),
    ("cross-site", "the request came from a page of another site"),
    ("decision-over", "the table moved on before the coach had an answer"),
    ("disk-full", "the disk of the house is full"),
    ("equal-commitment", "another player has the same commitment"),
    ("exclusion-not-shortened", "a self-exclusion would end earlier than before"),
    ("guest-role", "a guest needs an account to have a role"),
    ("guest-without-account", "a guest who signs out could not come back"),
    ("hand-with-pass-alone", "a hand is named with another call than pass"),
    ("has-account", "the caller already has an account"),
    ("history-busy", "too many lookups of rounds, shoes or logs at the moment"),
    ("house-closing", "the house is closing"),
    ("house-deals", "a dealer's command at a table that the house deals"),
    ("house-full", "the house has no room for more"),
    ("house-player-progressive", "a house player bets on the progressive"),
    ("id-of-another-command", "the id of a command was used for another one"),
    ("id-used", "the id of a command was used before"),
    ("keeps-name", "only a guest can take another name"),
    ("label-taken", "a bot has a token with this label"),
    ("method-not-allowed", "the address does not allow this method"),
    ("name-taken", "somebody has this name"),
    ("no-account", "only an account has a password"),
    ("no-backups", "the folder of the backups cannot be used"),
    ("no-coach", "the table has no coach"),
    ("no-company", "the table has no house players"),
    ("no-entropy", "the random source of the system is unavailable"),
    ("no-name", "a new account needs a name"),
    ("no-odds", "the house does not tell odds"),
    ("no-password", "a new account needs a password"),
    ("no-question", "there is no such question, or the answer is not open"),
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
    ("no-upgrade", "a request to the socket is not a WebSocket upgrade"),
    ("no-value", "the value of a decision cannot be found"),
    ("nobody-there", "nobody is at that place"),
    ("node-cut-off", "a node of the house cannot reach the others, or the store"),
    ("not-a-bot", "only a bot has tokens"),
    ("not-a-dealer", "only a dealer enters cards"),
    ("not-a-supervisor", "only a supervisor decides this"),
    ("not-broke", "the cashier helps only below an amount"),
    ("not-committed-here", "the player has no commitment in the closed list"),
    ("not-found", "there is nothing at this address"),
    ("not-in-that-round", "the correction is for somebody who had no wager in the round"),
    ("not-json", "the body of a request is not JSON, or does not say so"),
    ("not-signed-in", "the caller is not signed in"),
    ("not-suspended", "that person is not suspended"),
    ("not-watching", "a command on a socket that watches no table"),
    ("not-your-box", "only the first bettor on a box lets others bet on it"),
    ("not-your-place", "the player has no such place"),
    ("not-your-rounds", "the rounds of others are for staff"),
    ("odds-busy", "too many explore the odds at the moment"),
    ("odds-failed", "the odds could not be found, by a mistake of the program"),
    ("official-name", "only an operator can give this name"),
    ("other-dealer", "another dealer deals at this table"),
    ("other-host", "the Host of a request is not one of the house's names"),
    ("other-opening", "bytes are not those that the player committed to"),
    ("other-rules", "it was played under another version of the rules"),
    ("overdrawn", "the account does not hold that much"),
    ("own-correction", "whoever asked for a correction cannot approve it"),
    ("own-loss", "the player's own loss limit"),
    ("own-minutes", "the player's own time limit"),
    ("own-money", "nobody corrects their own money"),
    ("own-private-tables", "somebody has reached the limit of private tables"),
    ("own-role", "nobody changes their own role"),
    ("own-suspension", "nobody suspends themselves; there is self-exclusion"),
    ("plays-here", "somebody who is seated cannot act for the house at the same table"),
    ("program-failed", "the program failed while answering (a bug)"),
    ("reserved-name", "nobody is given this name"),
    ("review-in-progress", "another review of somebody's rounds is not finished"),
    ("round-not-found", "there is no such round, or it is not over"),
    ("self-excluded", "the player is excluded by their own decision"),
    ("session-ended", "the session has ended, or the role has changed"),
    ("several-boxes", "the player has several boxes and must say which one"),
    ("several-hosts", "a request has several Host headers"),
    ("sign-in-busy", "too many sign-ins at the moment"),
    ("staff-never-mixes", "somebody who works for the house tries to add to the order or cut"),
    ("still-seated", "a guest who is seated cannot take another name"),
    ("store-damaged", "a value in the store cannot be read; the sentence says where"),
    ("store-not-read", "the house could not look something up"),
    ("store-not-writable", "the store cannot be written"),
    ("store-not-written", "the house could not save it"),
    ("store-silent", "the store does not answer"),
    ("suspended", "an operator suspended the player"),
    ("table-closed", "a table is closed"),
    ("table-damaged", "a table is closed because its log is damaged"),
    ("table-disk-full", "a table is paused because the disk is full"),
    ("table-failed", "a table is closed because it failed too often"),
    ("table-loading", "a table was interrupted and is loading again"),
    ("table-moving", "a table goes from one node of the house to another"),
    ("table-not-loaded", "a table is paused because it cannot be loaded"),
    ("table-paused", "a table is paused because the disk fails"),
    ("table-stuck", "a table is closed because it cannot go on from its log"),
    ("table-unbalanced", "a table is closed because its books do not agree"),
    ("too-many-ask", "too many people ask to share boxes at this table"),
    ("too-many-backups", "the folder of the backups is full"),
    ("too-many-exports", "too many exports for one address at a time"),
    ("too-many-guests", "too many guests came in from one address"),
    ("too-many-lookups", "too many lookups from one address at a time"),
    ("too-many-passwords", "too many wrong passwords"),
    ("too-many-private-tables", "the house has no room for another private table"),
    ("too-many-questions", "somebody asks the coach too often"),
    ("too-many-requests", "too many requests from one address at a time"),
    ("too-many-sign-ins", "an account or an address signs in too often"),
    ("too-many-sockets", "an address has too many sockets open"),
    ("too-many-spectators", "the spectator limit of the table is reached"),
    ("too-many-studies", "an address explores or drills too much at a time"),
    ("too-many-tokens", "a bot has reached the limit of tokens"),
    ("too-much-company", "more house players are asked for than come to a table"),
    ("wrong-password", "the name or the password is wrong"),
    ("wrong-role", "the caller's role does not allow this"),
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
