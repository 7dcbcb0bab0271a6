//! The dealer's voice: what the table waits for, in a sentence.

use rules::round::{Awaits, Place};
use rules::table::{Cutter, Reporter, Table, TableAwaits};
use rules::wager::Bettors;

/// What the dealer says while the table waits, to somebody who sees all cards of these boxes.
pub(crate) fn prompt(table: &Table, sees: impl Fn(usize) -> bool) -> String {
    match table.awaits() {
        TableAwaits::Player => "Welcome. Please take a seat.".to_owned(),
        TableAwaits::Decks => "New cards are brought to the table.".to_owned(),
        TableAwaits::Inspection(bettor) => {
            format!("Seat {bettor}, please look at the cards before they are shuffled.")
        }
        TableAwaits::Commitments(None) => {
            "The order is sealed. Players commit to bytes of their own.".to_owned()
        }
        TableAwaits::Openings => "Players open their commitments.".to_owned(),
        TableAwaits::Supervisor(kind) => {
            let by = table.reported().map_or_else(String::new, |report| by_whom(&report.by));
            format!("The table waits for a supervisor: {}{by}.", kind.in_words())
        }
        TableAwaits::Choice(bettor) => format!("Seat {bettor}, please choose."),
        TableAwaits::Repair => "The table waits for a working card reader.".to_owned(),
        TableAwaits::Shuffle => "The cards are shuffled.".to_owned(),
        TableAwaits::Cut(Cutter::Seat(bettor)) | TableAwaits::Commitments(Some(bettor)) => {
            format!("Seat {bettor}, please cut the cards.")
        }
        TableAwaits::Cut(Cutter::Dealer) => "The dealer cuts the cards.".to_owned(),
        TableAwaits::Wagers => "Place your wagers, please.".to_owned(),
        TableAwaits::Round(Awaits::Acts(bettors)) => question(table, bettors, sees),
        TableAwaits::Round(Awaits::FaceDown(Place::Burn)) => "Cards are burned.".to_owned(),
        TableAwaits::Round(_) => "No more bets.".to_owned(),
        TableAwaits::Reveal => "The shoe is done. Its order is revealed.".to_owned(),
    }
}

/// Who said that something went wrong.
fn by_whom(reporter: &Reporter) -> String {
    match reporter {
        Reporter::System => ", found by the house".to_owned(),
        Reporter::Dealer => ", reported by the dealer".to_owned(),
        Reporter::Player(bettor) => format!(", reported by seat {bettor}"),
        Reporter::Supervisor(name) => format!(", reported by {name}"),
    }
}

/// Who is asked, and what: `Seats 1 and 2: surrender or go to war?` What is open to a hand tells
/// something of its cards, so that it is for whoever sees them.
fn question(table: &Table, asked: Bettors, sees: impl Fn(usize) -> bool) -> String {
    let seats: Vec<_> = asked.iter().map(|bettor| bettor.to_string()).collect();
    let seats = match &seats[..] {
        [seat] => format!("Seat {seat}"),
        seats => format!("Seats {}", listed(seats, "and")),
    };
    let Some(bettor) = asked.iter().find(|bettor| sees(bettor.seat())) else {
        return format!("{seats}, please decide.");
    };
    let calls: Vec<_> =
        table.offers(bettor).iter().map(|call| call.in_words().to_lowercase()).collect();
    format!("{seats}: {}?", listed(&calls, "or"))
}

/// `a, b and c`.
fn listed(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        [words @ .., word] => format!("{} {last} {word}", words.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use rules::terms::TermSheet;
    use rules::wager::Game;

    use super::*;

    /// A tie at seats 1 and 2.
    fn tied() -> Table {
        let mut table = Table::new(TermSheet::new(Game::CasinoWar));
        let steps = "wash plug riffle riffle strip turn riffle cut";
        let shuffle = format!("shuffle {} {steps}", "0".repeat(64));
        for line in [
            "sit 1 ann",
            "buy-in 1 100",
            "sit 2 bob",
            "buy-in 2 100",
            "inspect 1",
            &shuffle,
            "commit cut 1 60",
            "card ??",
            "wager 1 main 10",
            "wager 2 main 10 tie 5",
            "deal",
            "card 9d",
            "card 9c",
            "card 9h",
        ] {
            table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
        }
        table
    }

    #[test]
    fn the_dealer_asks_who_is_awaited() {
        let table = tied();
        assert_eq!(prompt(&table, |_| true), "Seats 1 and 2: surrender or go to war?");
        assert_eq!(prompt(&table, |_| false), "Seats 1 and 2, please decide.");
        let empty = Table::new(TermSheet::new(Game::CasinoWar));
        assert_eq!(prompt(&empty, |_| true), "Welcome. Please take a seat.");
    }
}
