//! A table that fails by a mistake of the program: the house and the other tables go on, the table is
//! loaded again from its log, and one that fails again and again is closed.

use crate::client;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use client::open::{Open, data, quick};
use client::{Client, Guest, export_of, http};
use house::Config;
use house::config::Setup;
use house::tables::dealer::{Orders, entropy};
use house::tables::task::MOST_FAILURES;
use rules::wager::Game;
use serde_json::json;

/// The cards of a shoe of Casino War, by default.
const SHOE: usize = 6 * 52;

/// Orders of the house, where the first so many shuffles of Casino War panic.
fn orders(panics: usize) -> (Orders, Arc<AtomicUsize>) {
    let (shuffles, usual) = (Arc::new(AtomicUsize::new(0)), entropy());
    let counted = shuffles.clone();
    let orders = move |cards: Vec<rules::card::Card>| {
        if cards.len() == SHOE && counted.fetch_add(1, Ordering::Relaxed) < panics {
            // Without a word on the terminal.
            std::panic::resume_unwind(Box::new("a mistake"));
        }
        usual(cards)
    };
    (Arc::new(orders), shuffles)
}

fn open(name: &str, orders: Orders) -> Open {
    let mut config = Config::new(data(name));
    config.orders = orders;
    config.tables =
        vec![Setup::new("war-1", Game::CasinoWar), Setup::new("deck-1", Game::DoubleDeck)];
    for table in &mut config.tables {
        table.pace = quick();
    }
    Open::with(config)
}

/// Plays until so many rounds are over, always the first choice.
fn play(client: &mut Client, rounds: u64) {
    let end = client.round() + rounds;
    client.play_until(|client| client.round() >= end);
}

/// Whether somebody was shown this sentence as the trouble of the table.
fn was_told(client: &Client, words: &str) -> bool {
    client.heard.iter().any(|message| message.contains("\"trouble\"") && message.contains(words))
}

#[test]
fn a_table_that_panics_is_loaded_again_and_nothing_acknowledged_is_lost() {
    let (orders, shuffles) = orders(2);
    let house = open("panics", orders);
    let guests = [(); 2].map(|()| Guest::new(house.address));
    let mut ann = Client::at(house.address, "war-1", &guests[0], None);
    let mut bob = Client::at(house.address, "deck-1", &guests[1], None);
    ann.sit(1, "100");
    bob.sit(1, "100");
    // The other table does not notice.
    play(&mut bob, 2);

    // The shuffle fails twice; then the cards are cut, and ann has what she was told that she has.
    ann.until_awaited("cut");
    assert_eq!(shuffles.load(Ordering::Relaxed), 3);
    assert!(was_told(&ann, "Play was interrupted, and the table is loading again."));
    assert!(ann.view["trouble"].is_null());
    assert_eq!(
        (&ann.seat(1)["name"], &ann.seat(1)["rack"]),
        (&json!(guests[0].name), &json!("100"))
    );
    assert_eq!(guests[0].balance(house.address), "900");
    play(&mut ann, 2);
    for table in ["war-1", "deck-1"] {
        let verdict = audit::verify(export_of(house.address, table).as_bytes(), &[]).unwrap();
        assert!(verdict.is_clean(), "{verdict}");
    }
    let (_, metrics) = http(house.address, "GET", "/metrics", "");
    assert!(metrics.contains("\npitboss_table_failures_total 2\n"), "{metrics}");
    let (health, _) = http(house.address, "GET", "/health", "");
    assert!(health.starts_with("HTTP/1.1 200"), "{health}");
    house.close();
}

#[test]
fn a_table_that_panics_again_and_again_is_closed_with_a_reason() {
    let (orders, shuffles) = orders(usize::MAX);
    let house = open("panics-on", orders);
    let guests = [(); 2].map(|()| Guest::new(house.address));
    let mut ann = Client::at(house.address, "war-1", &guests[0], None);
    ann.sit(1, "100");
    ann.until(|client| client.view["trouble"]["code"] == "table-failed");
    assert_eq!(shuffles.load(Ordering::Relaxed), MOST_FAILURES + 1);
    assert_eq!(
        ann.view["trouble"]["sentence"],
        "This table is closed: it failed 4 times within 60 seconds. Your chips are safe."
    );
    let refused = ann.ask(&json!({ "type": "leave" }));
    assert_eq!(refused["refusal"], ann.view["trouble"]);
    assert_eq!(client::in_list(house.address, "war-1")["trouble"], ann.view["trouble"]);
    assert_eq!(client::in_list(house.address, "deck-1")["trouble"], serde_json::Value::Null);
    assert_eq!(guests[0].balance(house.address), "900");
    let (health, body) = http(house.address, "GET", "/health", "");
    assert!(health.starts_with("HTTP/1.1 503") && body.contains("table-closed"), "{health}{body}");

    // The other table is open to everybody.
    let mut bob = Client::at(house.address, "deck-1", &guests[1], None);
    bob.sit(1, "100");
    play(&mut bob, 2);
    house.close();
}
