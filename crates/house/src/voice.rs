//! The dealer's voice: what the table waits for, and what happened, one sentence each.

use rules::card::Card;
use rules::round::{Awaits, Event, Place, award_in_words};
use rules::table::{Account, Cutter, Table, TableAwaits, Transfer, What};
use rules::wager::{Bettor, Bettors, Circle, Game};

/// What the dealer says while the table waits.
pub(crate) fn prompt(table: &Table) -> String {
    match table.awaits() {
        TableAwaits::Player => "Welcome. Please take a seat.".to_owned(),
        TableAwaits::Shuffle => "The cards are shuffled.".to_owned(),
        TableAwaits::Cut(Cutter::Seat(seat)) => {
            format!("Seat {}, please cut the cards.", seat + 1)
        }
        TableAwaits::Cut(Cutter::Dealer) => "The dealer cuts the cards.".to_owned(),
        TableAwaits::Wagers => "Place your wagers, please.".to_owned(),
        TableAwaits::Round(Awaits::Acts(bettors)) => question(table, bettors),
        TableAwaits::Round(Awaits::FaceDown(Place::Burn)) => "Cards are burned.".to_owned(),
        TableAwaits::Round(_) => "No more bets.".to_owned(),
        TableAwaits::Reveal => "The shoe is done. Its order is revealed.".to_owned(),
    }
}

/// Who is asked, and what: `Seats 1 and 2: surrender or go to war?`
fn question(table: &Table, asked: Bettors) -> String {
    let seats: Vec<_> = asked.iter().map(|bettor| bettor.to_string()).collect();
    let calls = asked.iter().next().into_iter().flat_map(|bettor| table.offers(bettor).iter());
    let calls: Vec<_> = calls.map(|call| call.in_words().to_lowercase()).collect();
    let plural = if seats.len() == 1 { "Seat" } else { "Seats" };
    format!("{plural} {}: {}?", listed(&seats, "and"), listed(&calls, "or"))
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
pub(crate) fn sentence(game: Game, what: &What) -> Option<String> {
    Some(match what {
        What::SatDown { seat, player } => format!("{player} takes seat {}.", seat + 1),
        What::Left { seat, player } => format!("{player} leaves seat {}.", seat + 1),
        What::Moved(Transfer { from: Account::Player(_), to: Account::Rack(seat), amount }) => {
            format!("Seat {} buys chips for {amount}.", seat + 1)
        }
        What::Shuffled { cards, .. } => format!("{cards} cards are shuffled and sealed."),
        What::CutRefused { seat } => format!("Seat {} leaves the cut to the next.", seat + 1),
        What::Cut { by: Cutter::Seat(seat), .. } => format!("Seat {} cuts the cards.", seat + 1),
        What::Cut { by: Cutter::Dealer, .. } => "The dealer cuts the cards.".to_owned(),
        What::Burned => "A card is burned.".to_owned(),
        What::CutCardReached => {
            "The cut card comes out: this is the last round of the shoe.".to_owned()
        }
        What::Revealed { shoe } => format!("Shoe {shoe} is done, and its order is revealed."),
        What::Said(words) => (*words).to_owned(),
        What::Round(event) => return in_round(game, *event),
        What::Rack { .. }
        | What::Moved(_)
        | What::CutOffered { .. }
        | What::Placed { .. }
        | What::Cleared { .. }
        | What::BetsClosed
        | What::Settled
        | What::Meter(_) => return None,
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
        | Event::Remedied(_) => return None,
    })
}

/// `Seat 3, tie: wins 10 to 1 (+50).`
fn decided(game: Game, (bettor, circle): (Bettor, Circle), words: &str, gain: String) -> String {
    let title = circle.title(game).unwrap_or(circle.name()).to_lowercase();
    format!("Seat {bettor}, {title}: {words} ({gain}).")
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
        let (shuffle, mut events) = (format!("shuffle {}", "0".repeat(64)), Vec::new());
        for line in [
            "sit 1 ann",
            "buy-in 1 100",
            "sit 2 bob",
            "buy-in 2 100",
            &shuffle,
            "cut 1 60",
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
        let told = events.iter().filter_map(|event| sentence(Game::CasinoWar, &event.what));
        (table, told.collect())
    }

    #[test]
    fn the_dealer_asks_who_is_awaited() {
        let (table, _) = tied();
        assert_eq!(prompt(&table), "Seats 1 and 2: surrender or go to war?");
        let empty = Table::new(TermSheet::new(Game::CasinoWar));
        assert_eq!(prompt(&empty), "Welcome. Please take a seat.");
    }

    #[test]
    fn what_matters_is_told_once() {
        assert_eq!(
            tied().1,
            [
                "ann takes seat 1.",
                "Seat 1 buys chips for 100.",
                "bob takes seat 2.",
                "Seat 2 buys chips for 100.",
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
