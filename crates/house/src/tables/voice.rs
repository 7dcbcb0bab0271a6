//! The dealer's voice: what the table waits for, and what happened, one sentence each.

use rules::card::Card;
use rules::round::{Awaits, Event, Place, award_in_words};
use rules::table::{Account, Cutter, Reporter, Table, TableAwaits, TableEvent, Transfer};
use rules::wager::{Bettor, Bettors, Circle, Game};

/// What the dealer says while the table waits, to somebody who sees all cards of these boxes.
pub(crate) fn prompt(table: &Table, sees: impl Fn(usize) -> bool) -> String {
    match table.awaits() {
        TableAwaits::Player => "Welcome. Please take a seat.".to_owned(),
        TableAwaits::Decks => "New cards come to the table.".to_owned(),
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

/// What happened, where it is worth a sentence. Who may not know the event may not hear it.
pub(crate) fn sentence(game: Game, what: &TableEvent) -> Option<String> {
    Some(match what {
        TableEvent::SatDown { bettor, player } => format!("{player} takes seat {bettor}."),
        TableEvent::Left { bettor, player } => format!("{player} leaves seat {bettor}."),
        TableEvent::InFront { bettor, player } => format!("{player} decides for seat {bettor}."),
        TableEvent::Consented { seat, player } => format!("{player} may bet on seat {}.", seat + 1),
        TableEvent::Revoked { seat, player } => {
            format!("{player} may no longer bet on seat {}.", seat + 1)
        }
        TableEvent::Admitted { bettor } => format!("Seat {bettor} may bet in mid-shoe."),
        TableEvent::Moved(Transfer {
            from: Account::Player(_),
            to: Account::Rack(bettor),
            amount,
        }) => {
            format!("Seat {bettor} buys chips for {amount}.")
        }
        TableEvent::Round(event) => return in_round(game, *event),
        TableEvent::Announcement(words) => words.to_string(),
        what => return with_the_cards(what).or_else(|| in_the_pit(what)),
    })
}

/// What was done with the cards.
fn with_the_cards(what: &TableEvent) -> Option<String> {
    Some(match what {
        TableEvent::DealerCame(name) => format!("{name} is the dealer now."),
        TableEvent::Received(_) => "New cards are here.".to_owned(),
        TableEvent::DecksDue => {
            "These cards have been used for a day and will be replaced.".to_owned()
        }
        TableEvent::Spread { face_up: true, .. } => "The cards lie spread, face up.".to_owned(),
        TableEvent::Spread { face_up: false, .. } => "The cards lie spread, face down.".to_owned(),
        TableEvent::Inspected { bettor } => format!("Seat {bettor} has seen the cards."),
        TableEvent::Shuffled { cards, seal: Some(_), .. } => {
            format!("{cards} cards are shuffled and sealed.")
        }
        TableEvent::Shuffled { cards, seal: None, .. } => format!("{cards} cards are shuffled."),
        TableEvent::Loaded { .. } => "The other cards come out of the machine.".to_owned(),
        TableEvent::Committed { commitments: 1 } => "1 player commits to the order.".to_owned(),
        TableEvent::Committed { commitments } => {
            format!("{commitments} players commit to the order.")
        }
        TableEvent::Mixed { missing, .. } if missing.iter().next().is_some() => {
            let seats: Vec<_> = missing.iter().map(|bettor| bettor.to_string()).collect();
            let plural = if seats.len() == 1 { "seat" } else { "seats" };
            format!("The opening of {plural} {} is missing.", listed(&seats, "and"))
        }
        TableEvent::CutRefused { bettor } => format!("Seat {bettor} declines to cut."),
        TableEvent::Cut { by: Cutter::Seat(bettor), .. } => {
            format!("Seat {bettor} cuts the cards.")
        }
        TableEvent::Cut { by: Cutter::Dealer, .. } => "The dealer cuts the cards.".to_owned(),
        TableEvent::Burned => "A card is burned.".to_owned(),
        TableEvent::BurnShown(cards) => {
            let cards: Vec<_> = cards.iter().map(|card| name(*card)).collect();
            format!("Burned: {}.", listed(&cards, "and"))
        }
        TableEvent::CutCardReached => {
            "The cut card comes out: this is the last round of the shoe.".to_owned()
        }
        TableEvent::Revealed { shoe } => format!("Shoe {shoe} is done, and its order is revealed."),
        _ => return None,
    })
}

/// What went wrong, and what was done about it.
fn in_the_pit(what: &TableEvent) -> Option<String> {
    Some(match what {
        TableEvent::Reported { report, .. } => {
            let kind = report.irregularity.kind().in_words();
            format!("Reported: {kind}. The table waits for a supervisor.")
        }
        TableEvent::Ordered { by, because: Some(words), .. } => format!("{by} decides: {words}."),
        TableEvent::Chose { bettor, choice } => {
            format!("Seat {bettor} chooses: {}.", choice.to_string().replace('-', " "))
        }
        TableEvent::Drawn(card) => format!("The {} has left the shoe.", name(*card)),
        TableEvent::Discarded(card) => format!("The {} is not used.", name(*card)),
        TableEvent::Removed(card) => format!("The {} leaves the table.", name(*card)),
        TableEvent::BurnForgotten => "No card is burned.".to_owned(),
        TableEvent::ReaderOut => "The card reader is out of use.".to_owned(),
        TableEvent::ReaderRepaired => "The card reader works again.".to_owned(),
        TableEvent::Held { bettor } => format!("Seat {bettor}: a supervisor decides."),
        TableEvent::Extended { bettor } => format!("Seat {bettor} has more time."),
        TableEvent::Corrected { round, transfer, .. } => {
            format!("Round {round} is corrected: {transfer}.")
        }
        _ => return None,
    })
}

fn in_round(game: Game, event: Event) -> Option<String> {
    Some(match event {
        Event::Dealt { place: Place::Hand { seat, .. }, card, .. } => {
            format!("Seat {}: {}.", seat + 1, name(card))
        }
        Event::Dealt { card, .. } => format!("Dealer: {}.", name(card)),
        Event::FaceDown(Place::Burn) => "A card is burned.".to_owned(),
        Event::FaceDown(_) => "The dealer takes a card face down.".to_owned(),
        Event::Turned(card) => format!("The dealer turns the {}.", name(card)),
        Event::Peeked { natural: true } => "The dealer has a blackjack.".to_owned(),
        Event::Peeked { natural: false } => "The dealer has no blackjack.".to_owned(),
        Event::Acted(bettor, act) => {
            format!("Seat {bettor}: {}.", act.call().in_words().to_lowercase())
        }
        Event::Settled(settled) => {
            let wager = (settled.bettor, settled.circle);
            decided(game, wager, &settled.in_words().to_string(), format!("{:+}", settled.gain))
        }
        Event::Awarded { bettor, circle, amount, .. } => {
            decided(game, (bettor, circle), award_in_words(circle), format!("{amount:+}"))
        }
        Event::Reversed => "Everything settled in this round is undone.".to_owned(),
        Event::Staked { .. }
        | Event::Lammer { .. }
        | Event::Split { .. }
        | Event::Shown { .. }
        | Event::BoughtIn { .. }
        | Event::PickedUp { .. }
        | Event::Remedied(_) => return None,
    })
}

/// `Seat 3, tie: wins 10 to 1 (+50).`, with a minus sign where it is lost.
fn decided(game: Game, (bettor, circle): (Bettor, Circle), words: &str, gain: String) -> String {
    let title = circle.title(game).unwrap_or(circle.name()).to_lowercase();
    format!("Seat {bettor}, {title}: {words} ({}).", gain.replace('-', "−"))
}

/// `nine of diamonds`.
fn name(card: Card) -> String {
    let suit = match card.suit() {
        rules::card::Suit::Clubs => "clubs",
        rules::card::Suit::Diamonds => "diamonds",
        rules::card::Suit::Hearts => "hearts",
        rules::card::Suit::Spades => "spades",
    };
    format!("{} of {suit}", card.rank().name())
}

#[cfg(test)]
mod tests {
    use rules::terms::TermSheet;

    use super::*;

    /// A tie at seats 1 and 2, and what was said on the way.
    fn tied() -> (Table, Vec<String>) {
        let mut table = Table::new(TermSheet::new(Game::CasinoWar));
        let steps = "wash plug riffle riffle strip turn riffle cut";
        let (shuffle, mut events) = (format!("shuffle {} {steps}", "0".repeat(64)), Vec::new());
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
            table.apply(&line.parse().unwrap(), &mut events).unwrap();
        }
        let told = events.iter().filter_map(|event| sentence(Game::CasinoWar, event));
        (table, told.collect())
    }

    #[test]
    fn the_dealer_asks_who_is_awaited() {
        let (table, _) = tied();
        assert_eq!(prompt(&table, |_| true), "Seats 1 and 2: surrender or go to war?");
        assert_eq!(prompt(&table, |_| false), "Seats 1 and 2, please decide.");
        let empty = Table::new(TermSheet::new(Game::CasinoWar));
        assert_eq!(prompt(&empty, |_| true), "Welcome. Please take a seat.");
    }

    #[test]
    fn what_matters_is_told_once() {
        assert_eq!(
            tied().1,
            [
                "ann takes seat 1.",
                "The cards lie spread, face up.",
                "Seat 1 buys chips for 100.",
                "bob takes seat 2.",
                "Seat 2 buys chips for 100.",
                "Seat 1 has seen the cards.",
                "312 cards are shuffled and sealed.",
                "Seat 1 cuts the cards.",
                "A card is burned.",
                "No more bets.",
                "Seat 1: nine of diamonds.",
                "Seat 2: nine of clubs.",
                "Dealer: nine of hearts.",
                "Seat 2, tie: wins 10 to 1 (+50).",
            ]
        );
    }
}
