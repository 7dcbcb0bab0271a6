//! What is told of an event at the table, in codes.

use rules::round::{Event, Place};
use rules::table::{Account, Announcement, Cutter, TableEvent, Transfer};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game};
use wire::{OddsView, StoryLine, WagerEnd};

use super::felt::{award_end, end, holds_of, may_see, odds_of};

/// What the viewer of events is told of them, in lines and in codes.
pub(crate) fn told(
    sheet: &TermSheet,
    (events, timed_out): (&[TableEvent], bool),
    eyes: &[usize],
) -> (Vec<String>, Vec<StoryLine>) {
    let known = || events.iter().filter(|event| may_see(event.audience(), eyes));
    let told = |event: &TableEvent| match (line(sheet.game(), event)?, timed_out) {
        (StoryLine::Acted { at, call, words, .. }, timed_out) => {
            Some(StoryLine::Acted { at, call, words, timed_out })
        }
        (other, _) => Some(other),
    };
    (known().map(ToString::to_string).collect(), known().filter_map(told).collect())
}

/// What happened, where it is worth a sentence. Who may not know the event may not hear it.
fn line(game: Game, what: &TableEvent) -> Option<StoryLine> {
    let named = |bettor: &Bettor, player: &dyn ToString| (bettor.to_string(), player.to_string());
    Some(match what {
        TableEvent::SatDown { bettor, player } => {
            let (at, player) = named(bettor, player);
            StoryLine::SatDown { at, player }
        }
        TableEvent::Left { bettor, player } => {
            let (at, player) = named(bettor, player);
            StoryLine::Left { at, player }
        }
        TableEvent::InFront { bettor, player } => {
            let (at, player) = named(bettor, player);
            StoryLine::InFront { at, player }
        }
        TableEvent::Consented { seat, player } => {
            StoryLine::Consented { seat: seat + 1, player: player.to_string() }
        }
        TableEvent::Revoked { seat, player } => {
            StoryLine::Revoked { seat: seat + 1, player: player.to_string() }
        }
        TableEvent::Admitted { bettor } => StoryLine::Admitted { at: bettor.to_string() },
        TableEvent::Moved(Transfer {
            from: Account::Player(_),
            to: Account::Rack(bettor),
            amount,
        }) => {
            let (at, amount) = named(bettor, amount);
            StoryLine::BoughtIn { at, amount }
        }
        TableEvent::Round(event) => return in_round(game, *event),
        TableEvent::Announcement(announcement) => announced(*announcement),
        what => return with_the_cards(what).or_else(|| in_the_pit(what)),
    })
}

/// What was done with the cards.
fn with_the_cards(what: &TableEvent) -> Option<StoryLine> {
    Some(match what {
        TableEvent::DealerCame(name) => StoryLine::Dealer { player: name.to_string() },
        TableEvent::Received(_) => StoryLine::NewCards,
        TableEvent::DecksDue => StoryLine::CardsDue,
        TableEvent::Spread { face_up: true, .. } => StoryLine::SpreadFaceUp,
        TableEvent::Spread { face_up: false, .. } => StoryLine::SpreadFaceDown,
        TableEvent::Inspected { bettor } => StoryLine::Inspected { at: bettor.to_string() },
        TableEvent::Shuffled { cards, seal: Some(_), .. } => StoryLine::Sealed { cards: *cards },
        TableEvent::Shuffled { cards, seal: None, .. } => StoryLine::Shuffled { cards: *cards },
        TableEvent::Loaded { .. } => StoryLine::Loaded,
        TableEvent::Committed { commitments } => StoryLine::Committed { players: *commitments },
        TableEvent::Mixed { missing, .. } if missing.iter().next().is_some() => {
            let places = missing.iter().map(|bettor| bettor.to_string());
            StoryLine::NotOpened { places: places.collect() }
        }
        TableEvent::CutRefused { bettor } => StoryLine::CutRefused { at: bettor.to_string() },
        TableEvent::Cut { by: Cutter::Seat(bettor), .. } => {
            StoryLine::Cut { at: bettor.to_string() }
        }
        TableEvent::Cut { by: Cutter::Dealer, .. } => StoryLine::CutByDealer,
        TableEvent::Burned => StoryLine::Burned,
        TableEvent::BurnShown(cards) => {
            StoryLine::BurnShown { cards: cards.iter().map(ToString::to_string).collect() }
        }
        TableEvent::CutCardReached => StoryLine::CutCard,
        TableEvent::Revealed { shoe } => StoryLine::Revealed { shoe: *shoe },
        _ => return None,
    })
}

/// What the dealer announces.
fn announced(what: Announcement) -> StoryLine {
    match what {
        Announcement::NoMoreBets => StoryLine::NoMoreBets,
        Announcement::DealersCard => StoryLine::DealersCard,
        Announcement::Total { place: Place::Hand { seat, hand: 0 }, points } => {
            StoryLine::Total { seat: usize::from(seat) + 1, holds: holds_of(points) }
        }
        Announcement::Total { place: Place::Hand { seat, hand }, points } => {
            let (seat, hand) = (usize::from(seat) + 1, usize::from(hand) + 1);
            StoryLine::HandTotal { seat, hand, holds: holds_of(points) }
        }
        Announcement::Total { place: Place::Dealer | Place::Burn, points } => {
            StoryLine::DealerTotal { holds: holds_of(points) }
        }
        Announcement::Blackjack { seat } => StoryLine::Blackjack { seat: seat + 1 },
        Announcement::Decision(order) => {
            StoryLine::Decision { order: order.name().into(), words: what.to_string() }
        }
    }
}

/// What went wrong, and what was done about it.
fn in_the_pit(what: &TableEvent) -> Option<StoryLine> {
    Some(match what {
        TableEvent::Reported { report, .. } => {
            let kind = report.irregularity.kind();
            StoryLine::Reported { kind: kind.name().into(), words: kind.in_words().into() }
        }
        TableEvent::Ordered { by, because: Some(words), .. } => {
            StoryLine::Ordered { by: by.to_string(), because: words.to_string() }
        }
        TableEvent::Chose { bettor, choice } => StoryLine::Chose {
            at: bettor.to_string(),
            choice: choice.name().into(),
            words: choice.name().replace('-', " "),
        },
        TableEvent::Drawn(card) => StoryLine::Drawn { card: card.to_string() },
        TableEvent::Discarded(card) => StoryLine::Discarded { card: card.to_string() },
        TableEvent::Removed(card) => StoryLine::Removed { card: card.to_string() },
        TableEvent::BurnForgotten => StoryLine::BurnForgotten,
        TableEvent::ReaderOut => StoryLine::ReaderOut,
        TableEvent::ReaderRepaired => StoryLine::ReaderRepaired,
        TableEvent::Held { bettor } => StoryLine::Held { at: bettor.to_string() },
        TableEvent::Extended { bettor } => StoryLine::Extended { at: bettor.to_string() },
        TableEvent::Corrected { round, transfer, .. } => StoryLine::Corrected {
            round: *round,
            amount: transfer.amount.to_string(),
            from: transfer.from.to_string(),
            to: transfer.to.to_string(),
        },
        _ => return None,
    })
}

fn in_round(game: Game, event: Event) -> Option<StoryLine> {
    Some(match event {
        Event::Dealt { place: Place::Hand { seat, .. }, card, .. } => {
            StoryLine::Card { seat: usize::from(seat) + 1, card: card.to_string() }
        }
        Event::Dealt { card, .. } => StoryLine::DealerCard { card: card.to_string() },
        Event::FaceDown(Place::Burn) => StoryLine::Burned,
        Event::FaceDown(_) => StoryLine::FaceDown,
        Event::Turned(card) => StoryLine::Turned { card: card.to_string() },
        Event::Peeked { natural: true } => StoryLine::DealerBlackjack,
        Event::Peeked { natural: false } => StoryLine::NoDealerBlackjack,
        Event::Acted(bettor, act) => StoryLine::Acted {
            at: bettor.to_string(),
            call: act.call().name().into(),
            words: act.call().in_words().into(),
            timed_out: false,
        },
        Event::Settled(settled) => {
            let (wager, became) =
                ((settled.bettor, settled.circle), (end(&settled), odds_of(&settled)));
            decided(game, wager, became, format!("{:+}", settled.gain))
        }
        Event::Awarded { bettor, circle, amount, .. } => {
            decided(game, (bettor, circle), (award_end(circle), None), format!("{amount:+}"))
        }
        Event::Reversed => StoryLine::Reversed,
        Event::Staked { .. }
        | Event::Lammer { .. }
        | Event::Split { .. }
        | Event::Shown { .. }
        | Event::BoughtIn { .. }
        | Event::PickedUp { .. }
        | Event::Remedied(_) => return None,
    })
}

fn decided(
    game: Game,
    (bettor, circle): (Bettor, Circle),
    (end, odds): (WagerEnd, Option<OddsView>),
    gain: String,
) -> StoryLine {
    let title = circle.title(game).unwrap_or(circle.name()).into();
    StoryLine::Settled {
        at: bettor.to_string(),
        circle: circle.name().into(),
        title,
        end,
        odds,
        gain,
    }
}

#[cfg(test)]
mod tests {
    use rules::games::blackjack::Points;
    use rules::round::{Act, Audience, Call};
    use rules::table::Table;
    use serde_json::json;

    use super::*;

    /// As in Double Deck.
    #[test]
    fn a_card_for_one_box_is_told_there_and_nowhere_else() {
        let sheet = TermSheet::new(Game::DoubleDeck);
        let card = "9d".parse().unwrap();
        let dealt = Event::Dealt { place: Place::hand(0, 0), card, audience: Audience::Box(0) };
        let told = |eyes: &[usize]| told(&sheet, (&[TableEvent::Round(dealt)], false), eyes);
        let own = StoryLine::Card { seat: 1, card: "9d".to_owned() };
        assert_eq!(told(&[0]), (vec!["card 1 9d".to_owned()], vec![own]));
        for stranger in [&[1][..], &[]] {
            assert_eq!(told(stranger), (Vec::new(), Vec::new()));
        }
    }

    #[test]
    fn what_matters_is_told_once() {
        let mut table = Table::new(TermSheet::new(Game::CasinoWar));
        let steps = "wash plug riffle riffle strip turn riffle cut";
        let (shuffle, mut events) = (format!("shuffle {} {steps}", "0".repeat(64)), Vec::new());
        for line in [
            "sit 1 ann",
            "buy-in 1 100",
            "inspect 1",
            &shuffle,
            "commit cut 1 60",
            "card ??",
            "wager 1 main 10 tie 5",
            "deal",
            "card 9d",
            "card 9h",
            "act 1 surrender",
        ] {
            table.apply(&line.parse().unwrap(), &mut events).unwrap();
        }
        let told: Vec<_> = events.iter().filter_map(|event| line(Game::CasinoWar, event)).collect();
        assert_eq!(
            serde_json::to_value(told).unwrap(),
            json!([
                { "type": "sat-down", "at": "1", "player": "ann" },
                { "type": "spread-face-up" },
                { "type": "bought-in", "at": "1", "amount": "100" },
                { "type": "inspected", "at": "1" },
                { "type": "sealed", "cards": 312 },
                { "type": "cut", "at": "1" },
                { "type": "burned" },
                { "type": "no-more-bets" },
                { "type": "card", "seat": 1, "card": "9d" },
                { "type": "dealer-card", "card": "9h" },
                {
                    "type": "settled", "at": "1", "circle": "tie", "title": "Tie", "end": "pay",
                    "odds": { "pays": 10, "to": 1 }, "gain": "+50",
                },
                {
                    "type": "acted", "at": "1", "call": "surrender", "words": "Surrender",
                    "timed_out": false,
                },
                {
                    "type": "settled", "at": "1", "circle": "main", "title": "Initial",
                    "end": "take-half", "odds": null, "gain": "-5",
                },
            ])
        );
    }

    #[test]
    fn a_decision_that_the_clock_made_says_so() {
        let act = Act::Call(Call::Stand);
        let stands = TableEvent::Round(Event::Acted(Bettor::at(0), act));
        for timed_out in [false, true] {
            let sheet = TermSheet::new(Game::DoubleDeck);
            let (_, told) = told(&sheet, (std::slice::from_ref(&stands), timed_out), &[]);
            let (at, call, words) = ("1".to_owned(), "stand".into(), "Stand".into());
            assert_eq!(told, [StoryLine::Acted { at, call, words, timed_out }]);
        }
    }

    #[test]
    fn what_the_dealer_announces_names_its_hand() {
        let told = |place, cards: [&str; 2]| {
            let points = Points::of(&cards.map(|card| card.parse().unwrap()));
            serde_json::to_value(announced(Announcement::Total { place, points })).unwrap()
        };
        assert_eq!(
            told(Place::hand(1, 0), ["As", "6d"]),
            json!({ "type": "total", "seat": 2, "holds": { "soft": 17 } })
        );
        assert_eq!(
            told(Place::hand(1, 2), ["Ts", "6d"]),
            json!({ "type": "hand-total", "seat": 2, "hand": 3, "holds": { "hard": 16 } })
        );
        assert_eq!(
            told(Place::Dealer, ["Ts", "6d"]),
            json!({ "type": "dealer-total", "holds": { "hard": 16 } })
        );
    }
}
