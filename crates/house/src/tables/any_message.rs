//! Whatever a client sends is read, or refused in one sentence.

use audit::custody::Custody;
use proptest::prelude::*;
use rules::table::{Input, Table, TableAwaits};
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
        "company",
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
        "players",
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
    let parts = (groups, prop::sample::select(kinds.to_vec()), parts);
    let of_parts = parts.prop_map(|(group, kind, parts)| {
        let mut command = json!({ "type": kind });
        for (key, part) in parts {
            command[key] = part;
        }
        json!({ group: command })
    });
    prop_oneof![6 => of_parts, 1 => wager(), 1 => report()]
}

/// Wagers on any circles, or on none.
fn wager() -> impl Strategy<Value = Value> {
    let circle = prop::sample::select(vec!["main", "tie", "bonus", "push22", "progressive"]);
    let amount = prop::sample::select(vec!["0", "1", "5", "10", "200"]);
    let on_circle =
        (circle, amount).prop_map(|(circle, amount)| json!({ "circle": circle, "amount": amount }));
    prop::collection::vec(on_circle, 0..4)
        .prop_map(|amounts| json!({ "player": { "type": "wager", "amounts": amounts } }))
}

/// A report of anything, at any hand.
fn report() -> impl Strategy<Value = Value> {
    let kind = prop::sample::select(vec!["misdealt", "no-card", "one-card", "missed-hit"]);
    let card = prop::option::of(Just("Kd"));
    (kind, card, 0..10_usize, 0..10_usize).prop_map(|(kind, card, seat, hand)| {
        let mut irregularity = json!({ "kind": kind });
        irregularity["place"] = json!({ "hand": { "seat": seat, "hand": hand } });
        if let Some(card) = card {
            irregularity["card"] = card.into();
        }
        json!({ "supervisor": { "type": "report", "irregularity": irregularity } })
    })
}

/// A table at which ann and bob sit: the cards are prepared, bets are open, or a round is in play.
fn table(game: Game, lines: usize) -> Table {
    let mut table = Table::new(TermSheet::new(game));
    let cards = ["sit 1 ann", "buy-in 1 100", "sit 2 bob", "inspect 1", "shuffle", "cut 1 60"];
    let round = ["card ??", "wager 1 main 10", "deal", "card 9d"];
    for line in cards.into_iter().chain(round).take(lines) {
        let input = match line {
            "shuffle" => Input::Shuffle { seal: None, steps: table.usual_shuffle() },
            line => line.parse().unwrap(),
        };
        let _ = table.apply(&input, &mut Vec::new());
    }
    table
}

#[test]
fn bets_are_open_and_a_round_is_in_play_at_these_tables() {
    assert_eq!(table(Game::CasinoWar, 7).awaits(), TableAwaits::Wagers);
    assert!(table(Game::CasinoWar, 9).round().is_some());
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
        lines in 0_usize..11,
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
                        | Meaning::Company { .. }
                        | Meaning::NameCut { .. },
                    ) => return Ok(()),
                    Err(refusal) => Err(refusal),
                }
            }
        };
        match input {
            Ok(input) => {
                // What it means is a line of the log, and the table takes it or refuses it; a wager of
                // nothing, or twice on a circle, has no line, and no table takes it.
                let line = input.to_string();
                let reads_back = line.parse().as_ref() == Ok(&input);
                prop_assert!(reads_back || matches!(input, Input::Wager { .. }), "{line}");
                let (mut after, mut events) = (table.clone(), Vec::new());
                match after.apply(&input, &mut events) {
                    Ok(()) => prop_assert!(reads_back, "{line}"),
                    Err(refusal) => {
                        prop_assert!(is_one_sentence(&refusal.in_words(game)));
                        prop_assert!(events.is_empty() && after == table);
                    }
                }
            }
            Err(refused) => prop_assert!(is_one_sentence(&refused.sentence)),
        }
    }
}
