//! Whatever a client sends is read, or refused in one sentence.

use audit::custody::Custody;
use proptest::prelude::*;
use rules::table::Table;
use rules::terms::TermSheet;
use rules::wager::Game;
use serde_json::{Value, json};
use wire::{Command, FromClient, LONGEST_MESSAGE};

use super::commands::{self, Decree, Meaning};
use crate::people::{Person, Role};

/// Words of the wire, and what is none of them.
fn word() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
        ".{0,12}".prop_map(Value::from),
        "[0-9]{1,19}(\\.[0-9]{1,3})?".prop_map(Value::from),
        "[1-9][a-c]?".prop_map(Value::from),
        prop::sample::select(vec!["main", "tie", "double", "hit", "war", "take", "recut", "ann"])
            .prop_map(Value::from),
        "(order|report|face-up|rack:[0-9]|house|player:[a-z]{1,9}| |[2-9TJQKA][cdhs]){0,6}"
            .prop_map(Value::from),
        Just(json!({ "order": "recut" })),
        Just(json!({ "order": "admit", "at": "1" })),
        Just(json!({ "kind": "face-up", "card": "9d" })),
        Just(json!({ "kind": "no-card", "place": { "hand": { "seat": 1, "hand": 1 } } })),
        Just(json!({ "rack": "1" })),
        Just(json!({ "player": "ann" })),
    ]
}

/// A command of the wire whose parts are anything.
fn command() -> impl Strategy<Value = Value> {
    let kinds = [
        "watch",
        "ping",
        "sit",
        "leave",
        "buy_in",
        "wager",
        "clear",
        "ready",
        "ask",
        "inspect",
        "spread",
        "commit",
        "open",
        "show_burn",
        "consent",
        "revoke",
        "cut",
        "act",
        "choose",
        "report",
        "order",
        "correct",
        "change_dealer",
        "approve",
        "refuse",
        "unseat",
        "decks",
        "shuffle",
        "deal",
        "card",
        "peek",
        "turn",
        "win",
    ];
    let keys = [
        "seat",
        "behind",
        "at",
        "amount",
        "amounts",
        "bytes",
        "player",
        "call",
        "hand",
        "choice",
        "irregularity",
        "order",
        "because",
        "round",
        "correction",
        "from",
        "to",
        "dealer",
        "table",
        "injected",
        "card",
        "cards",
        "natural",
        "reference",
    ];
    let key = prop::sample::select(keys.to_vec());
    let part = prop_oneof![
        4 => word(),
        1 => prop::collection::vec(word(), 0..3).prop_map(Value::from),
        1 => (word(), word()).prop_map(|(circle, amount)| {
            json!([{ "circle": circle, "amount": amount }])
        }),
    ];
    let parts = prop::collection::vec((key, part), 0..5);
    let groups = prop::sample::select(vec!["client", "player", "player", "dealer", "supervisor"]);
    (groups, prop::sample::select(kinds.to_vec()), parts).prop_map(|(group, kind, parts)| {
        let mut command = json!({ "type": kind });
        for (key, part) in parts {
            command[key] = part;
        }
        json!({ group: command })
    })
}

/// A table at which ann and bob sit, and bets are open or a round is in play.
fn table(game: Game, lines: usize) -> Table {
    let mut table = Table::new(TermSheet::new(game));
    for line in ["sit 1 ann", "buy-in 1 100", "sit 2 bob", "inspect 1"].into_iter().take(lines) {
        let _ = table.apply(&line.parse().unwrap(), &mut Vec::new());
    }
    table
}

fn is_one_sentence(text: &str) -> bool {
    !text.is_empty() && !text.contains('\n')
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_bytes_are_a_message_or_refused_in_one_sentence(
        bytes in prop::collection::vec(any::<u8>(), 0..LONGEST_MESSAGE),
        depth in 0_usize..600,
    ) {
        let deep = format!("{}{}", r#"{"id":"1","do":"#, "[".repeat(depth));
        for text in [String::from_utf8_lossy(&bytes).into_owned(), deep] {
            if let Err(sentence) = wire::read::<FromClient>(text.as_bytes()) {
                prop_assert!(is_one_sentence(&sentence));
            }
        }
    }

    #[test]
    fn any_command_is_an_input_or_refused_in_one_sentence(
        command in command(),
        game in prop::sample::select(Game::ALL.to_vec()),
        lines in 0_usize..5,
        role in prop::sample::select(vec![Role::Player, Role::Supervisor, Role::Dealer]),
        name in prop::sample::select(vec!["ann", "eve"]),
    ) {
        let message = json!({ "id": "1", "do": command }).to_string();
        let read: FromClient = match wire::read(message.as_bytes()) {
            Ok(read) => read,
            Err(sentence) => {
                prop_assert!(is_one_sentence(&sentence) && !sentence.contains('`'), "{sentence}");
                return Ok(());
            }
        };
        let table = table(game, lines);
        let who = Person { role, ..Person::player(name.parse().unwrap()) };
        let input = match read.command {
            // This is not about a game.
            Command::Client(_) => return Ok(()),
            Command::Dealer(command) => commands::by_dealer(&table, true, &who, command),
            Command::Supervisor(command) => {
                match commands::by_supervisor(&table, &who, command) {
                    Ok(Decree::Input(input)) => Ok(input),
                    // These are no inputs.
                    Ok(Decree::Correction { .. } | Decree::Unseat { .. }) => return Ok(()),
                    Err(refusal) => Err(refusal),
                }
            }
            Command::Player(command) => {
                match commands::by_player(&table, &Custody::default(), &who, command) {
                    Ok(Meaning::Input(input)) => Ok(input),
                    // These are no inputs.
                    Ok(
                        Meaning::Ready
                        | Meaning::Ask { .. }
                        | Meaning::Commit { .. }
                        | Meaning::Open { .. }
                        | Meaning::NameCut { .. },
                    ) => return Ok(()),
                    Err(refusal) => Err(refusal),
                }
            }
        };
        match input {
            Ok(input) => {
                // What it means is a line of the log, and the table takes it or refuses it.
                let line = input.to_string();
                prop_assert!(line.parse().as_ref() == Ok(&input), "{line}");
                let (mut after, mut events) = (table.clone(), Vec::new());
                if let Err(refusal) = after.apply(&input, &mut events) {
                    prop_assert!(is_one_sentence(&refusal.in_words(game)));
                    prop_assert!(events.is_empty() && after == table);
                }
            }
            Err(refused) => prop_assert!(is_one_sentence(&refused.sentence)),
        }
    }
}
