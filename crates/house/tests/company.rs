//! Company at a table: nobody waits for nobody, and the lobby says where there is room.

use crate::client;
use crate::staffed;

use client::{Client, Guest, export_of};
use house::Config;
use house::config::{Expectation, Setup};
use rules::wager::{Circle, Game};
use serde_json::{Value, json};
use staffed::{Open, new_data, sql};

/// A house with one Double Deck table, where nobody may begin in mid-shoe (DDB-P22).
fn double_deck(name: &str) -> Open {
    let mut config = Config::new(new_data(name));
    config.tables = vec![Setup::new("deck-1", Game::DoubleDeck)];
    Open::with(config)
}

/// What the lobby knows of the table.
fn listed(house: &Open) -> Value {
    let (status, tables) = house.ask("GET", "/api/tables", "", &Value::Null);
    assert_eq!(status, 200);
    tables[0].clone()
}

/// Waits until the lobby knows something of the table.
fn until_listed(house: &Open, is_so: impl Fn(&Value) -> bool) {
    let since = std::time::Instant::now();
    while !is_so(&listed(house)) {
        assert!(since.elapsed().as_secs() < 20, "{}", listed(house));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn a_newcomer_to_cards_that_nobody_may_be_dealt_gets_a_fresh_shuffle() {
    let house = double_deck("newcomer");
    let [ann, bob] = [(); 2].map(|()| Guest::new(house.address));
    let mut first = Client::at(house.address, "deck-1", &ann, None);
    assert_eq!(listed(&house)["open"], true);
    first.sit(1, "100");
    first.play_until(|client| client.round() == 2);

    // Ann may go on, so bob waits; he is told about how long.
    let mut second = Client::at(house.address, "deck-1", &bob, None);
    let barred = |client: &Client| client.view["barred"]["code"].clone();
    assert_eq!(barred(&second), "mid-shoe");
    assert!(second.view["shuffle_in"].as_u64() >= Some(10), "{}", second.view["shuffle_in"]);
    assert_eq!(first.view["shuffle_in"], Value::Null);
    until_listed(&house, |table| table["open"] == false && table["spectators"] == 1);
    second.sit(2, "100");
    let is_ordered = || export_of(house.address, "deck-1").contains("order reshuffle");
    second.until(|client| client.seat(2)["waits"] == true);
    assert!(!is_ordered());

    // Ann leaves: nobody at the table may bet, and so the cards are shuffled for bob.
    first.done(json!({ "type": "leave" }));
    second.until(|client| client.awaited() != "wagers");
    second.play_until(|client| client.round() == 3);
    let log = export_of(house.address, "deck-1");
    let order = " order reshuffle by house because nobody seated may bet before the shuffle";
    assert_eq!(log.matches(order).count(), 1, "{log}");
    assert!(audit::verify(log.as_bytes(), &[]).unwrap().is_clean());

    // At an empty table it is the same for whoever sits down first.
    second.done(json!({ "type": "leave" }));
    first.until(|client| client.seat(2)["name"].is_null());
    assert_eq!(first.view["barred"], Value::Null);
    until_listed(&house, |table| table["open"] == true);
    first.sit(1, "50");
    first.until(|client| client.awaited() != "wagers");
    first.play_until(|client| client.round() == 4);
    assert_eq!(export_of(house.address, "deck-1").matches(order).count(), 2);
    house.close();
}

#[test]
fn cards_that_somebody_may_be_dealt_or_that_the_house_keeps_are_not_shuffled() {
    let mut config = Config::new(new_data("no-newcomer"));
    let mut setup = Setup::new("deck-1", Game::DoubleDeck);
    setup.sheet.set([("discretionary_reshuffle", "off")]).unwrap();
    config.tables = vec![setup];
    let house = Open::with(config);
    let [ann, bob] = [(); 2].map(|()| Guest::new(house.address));
    let mut first = Client::at(house.address, "deck-1", &ann, None);
    first.sit(1, "100");
    first.play_until(|client| client.round() == 2);
    first.done(json!({ "type": "leave" }));
    let mut second = Client::at(house.address, "deck-1", &bob, None);
    second.sit(2, "100");
    // This house shuffles only when the cut card comes out (G-27), or when the table is idle.
    std::thread::sleep(std::time::Duration::from_millis(300));
    second.listen();
    assert_eq!(second.seat(2)["waits"], true);
    assert!(!export_of(house.address, "deck-1").contains("reshuffle by"));
    house.close();
}

/// A table of the house, by its name.
fn table(house: &Open, name: &str) -> Option<Value> {
    let (_, tables) = house.ask("GET", "/api/tables", "", &Value::Null);
    tables.as_array().unwrap().iter().find(|table| table["table"] == name).cloned()
}

/// Waits for a table.
fn until_open(house: &Open, name: &str) -> Value {
    let since = std::time::Instant::now();
    loop {
        if let Some(table) = table(house, name) {
            return table;
        }
        assert!(since.elapsed().as_secs() < 20, "{name} is not opened");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[test]
fn another_table_of_the_same_terms_is_opened_where_none_has_room_and_chips_there_outlive_a_restart()
{
    let house = double_deck("spare");
    let [ann, bob] = [(); 2].map(|()| Guest::new(house.address));
    let mut lobby = Client::in_lobby(house.address);
    let mut first = Client::at(house.address, "deck-1", &ann, None);
    first.sit(1, "100");
    assert_eq!(table(&house, "deck-2"), None, "deck-1 has room");
    first.play_until(|client| client.round() == 2);

    // Ann plays on, so nobody may begin there; the house opens another table, and only one.
    let spare = until_open(&house, "deck-2");
    assert_eq!((&spare["open"], &spare["about"]["terms"]), (&json!(true), &first.about["terms"]));
    loop {
        let message = lobby.hear().unwrap();
        let tables = message["tables"].as_array().cloned().unwrap_or_default();
        if tables.iter().any(|table| table["table"] == "deck-2") {
            break;
        }
    }
    let mut second = Client::at(house.address, "deck-2", &bob, None);
    second.sit(3, "100");
    second.play_until(|client| client.round() == 2);
    until_open(&house, "deck-3");
    std::thread::sleep(std::time::Duration::from_millis(2500));
    assert_eq!(table(&house, "deck-4"), None, "deck-3 has room");
    let before = house.me(&bob.cookie)["racks"].clone();
    assert_eq!(before[0]["table"], "deck-2");

    // Bob's chips lie there, so that table is opened again, and the empty one is not.
    let mut config = Config::new(house.close());
    config.tables = vec![Setup::new("deck-1", Game::DoubleDeck)];
    let house = Open::with(config);
    assert_eq!(house.me(&bob.cookie)["racks"], before);
    assert!(table(&house, "deck-2").is_some());
    let mut second = Client::at(house.address, "deck-2", &bob, None);
    let round = second.round();
    second.play_until(|client| client.round() > round);
    let log = export_of(house.address, "deck-2");
    assert!(audit::verify(log.as_bytes(), &[]).unwrap().is_clean());
    house.close();
}

#[test]
fn a_private_table_has_terms_of_its_own_and_is_found_by_its_name_alone() {
    let mut config = Config::new(new_data("private"));
    config.tables.truncate(1);
    config.limits.private_tables = 3;
    let house = Open::with(config);
    let [ann, bob] = [(); 2].map(|()| Guest::new(house.address));
    let open = |by: &Guest, body: &Value| house.ask("POST", "/api/tables", &by.cookie, body);
    let (status, made) = open(&ann, &json!({ "game": "free-bet", "terms": { "decks": "8" } }));
    assert_eq!((status, &made["game"]), (200, &json!("free-bet")), "{made}");
    let name = made["table"].as_str().unwrap().to_owned();
    assert!(name.starts_with("private-") && name.len() == 24, "{name}");
    let terms = made["about"]["terms"].as_array().unwrap();
    assert!(terms.iter().any(|term| term["key"] == "decks" && term["value"] == "8"), "{made}");
    assert_eq!(table(&house, &name), None, "it is in no list");
    let path = format!("/api/tables/{name}");
    assert_eq!(house.ask("GET", &path, "", &Value::Null).0, 200);

    // Whoever has the name plays there.
    let mut client = Client::at(house.address, &name, &bob, None);
    client.sit(2, "100");
    client.play_until(|client| client.round() == 2);
    // The book decides about terms (FBB-2-a), and the progressive is the house's alone (CW-11-b).
    for (body, word) in [
        (json!({ "game": "free-bet", "terms": { "decks": "5" } }), "FBB-"),
        (json!({ "game": "free-bet", "terms": { "deck": "6" } }), "deck"),
        (json!({ "game": "casino-war", "terms": { "progressive_seed": "0" } }), "progressive"),
        (json!({ "game": "casino-war", "terms": { "action_timeout_s": "601" } }), "at most 600"),
        (json!({ "game": "casino-war", "terms": { "idle_timeout_s": "1000000000" } }), "idle_"),
    ] {
        let (status, refusal) = open(&ann, &body);
        assert_eq!((status, &refusal["code"]), (400, &json!("bad-terms")), "{body}");
        assert!(refusal["sentence"].as_str().unwrap().contains(word), "{refusal}");
    }
    let war = json!({ "game": "casino-war" });
    assert_eq!(open(&ann, &war).0, 200);
    // One person, and one address, has two of them.
    for by in [&ann, &bob] {
        let (status, refusal) = open(by, &war);
        assert_eq!((status, &refusal["code"]), (409, &json!("own-private-tables")), "{refusal}");
    }

    // Bob's chips outlive a restart, and so does the table.
    let before = house.me(&bob.cookie)["racks"].clone();
    let house = Open::again(house.close());
    assert_eq!(house.me(&bob.cookie)["racks"], before);
    let client = Client::at(house.address, &name, &bob, None);
    assert_eq!(client.view["me"], 2);
    assert_eq!(table(&house, &name), None);
    house.close();
}

/// In cents, with or without a sign.
fn cents(amount: &Value) -> i64 {
    let amount = amount.as_str().unwrap().trim_start_matches('+');
    amount.parse::<rules::money::Cents>().unwrap().get()
}

#[test]
fn statistics_are_what_the_ledger_says_also_after_a_restart() {
    let config = |data| {
        let mut config = Config::new(data);
        config.tables.retain(|table| ["war-1", "free-1"].contains(&table.name.as_str()));
        // A Casino War wager costs a fiftieth here, and of no other is anything known.
        config.expectations = std::sync::Arc::new(|sheet| {
            let added = vec![Circle::War];
            let main = Expectation { circle: Circle::Main, millionths: -20_000, added };
            Some(if sheet.game() == Game::CasinoWar { [main].into() } else { [].into() })
        });
        config
    };
    let house = Open::with(config(new_data("statistics")));
    let ann = Guest::new(house.address);
    for (table, rounds) in [("war-1", 6), ("free-1", 4)] {
        let mut client = Client::at(house.address, table, &ann, None);
        client.sit(1, "200");
        client.play_until(|client| client.round() == rounds + 1);
        client.done(json!({ "type": "leave" }));
    }
    // Bob's rounds there are not Ann's.
    let bob = Guest::new(house.address);
    let mut client = Client::at(house.address, "war-1", &bob, None);
    client.sit(2, "200");
    client.play_until(|client| client.round() == 8);
    client.done(json!({ "type": "leave" }));
    // A round of Casino War took 20 seconds and one of Free Bet 50; they began every minute, and before
    // round 5 of Casino War came a break of an hour.
    for line in [
        "UPDATE rounds SET at = 1000000 + 60 * round + CASE WHEN round < 5 THEN 0 ELSE 3600 END",
        "UPDATE rounds SET at = at + 36000 WHERE table_id = 'free-1'",
        "UPDATE ended SET at = CASE table_id WHEN 'free-1' THEN 50 ELSE 20 END + (SELECT at FROM rounds \
         WHERE rounds.table_id = ended.table_id AND rounds.round = ended.round)",
    ] {
        sql(&house.data, line).unwrap();
    }
    let ask = |house: &Open, path: &str| house.ask("GET", path, &ann.cookie, &Value::Null).1;
    let statistics = ask(&house, "/api/me/statistics");
    let games = statistics["games"].clone();
    let figures: Vec<_> = statistics["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| ["table", "game", "since", "seconds", "rounds"].map(|key| one[key].clone()))
        .collect();
    let expected = json!([
        ["free-1", "free-bet", 1_036_060, 3 * 60 + 50, 4],
        ["war-1", "casino-war", 1_003_900, 60 + 20, 2],
        ["war-1", "casino-war", 1_000_060, 3 * 60 + 20, 4],
    ]);
    assert_eq!(json!(figures), expected);
    let all = ask(&house, "/api/rounds?limit=100");
    let all = all["rounds"].as_array().unwrap();
    let mut sum = 0;
    for (game, rounds, seconds) in [("casino-war", 6, 280), ("free-bet", 4, 230)] {
        let games = games.as_array().unwrap();
        let one = games.iter().find(|one| one["game"] == game).unwrap();
        let own: Vec<_> = all.iter().filter(|round| round["game"] == game).collect();
        let listed = u64::try_from(own.len()).unwrap();
        assert_eq!((one["rounds"].as_u64(), listed), (Some(rounds), rounds));
        assert_eq!(one["seconds"], seconds, "{one}");
        let nets: Vec<i64> = own.iter().map(|round| cents(&round["net"])).collect();
        assert_eq!(cents(&one["net"]), nets.iter().sum::<i64>(), "{one}");
        assert_eq!(Some(cents(&one["best"]["net"])), nets.iter().copied().max(), "{one}");
        assert_eq!(Some(cents(&one["worst"]["net"])), nets.iter().copied().min(), "{one}");
        // By session, each with the rounds since it began, from the latest.
        let mut later = nets.iter();
        let sessions = statistics["sessions"].as_array().unwrap().iter();
        for session in sessions.filter(|session| session["game"] == game) {
            let rounds = usize::try_from(session["rounds"].as_u64().unwrap()).unwrap();
            let net: i64 = later.by_ref().take(rounds).sum();
            assert_eq!(cents(&session["net"]), net, "{session}");
        }
        // By wager, as each was settled.
        let wagers = || own.iter().flat_map(|round| round["wagers"].as_array().unwrap());
        let wars = wagers().filter(|wager| wager["circle"] == "war");
        let wars: i64 = wars.map(|wager| cents(&wager["gain"])).sum();
        let mut net = 0;
        for circle in one["wagers"].as_array().unwrap() {
            let own = || wagers().filter(|wager| wager["circle"] == circle["circle"]);
            let staked: i64 = own()
                .filter(|wager| !wager["stake"].is_null())
                .map(|wager| cents(&wager["stake"]))
                .sum();
            let gains: i64 = own().map(|wager| cents(&wager["gain"])).sum();
            let found = (
                circle["wagers"].as_u64().unwrap(),
                cents(&circle["staked"]),
                cents(&circle["net"]),
            );
            let wagers = u64::try_from(own().count()).unwrap();
            assert_eq!(found, (wagers, staked, gains), "{circle}");
            net += gains;
            let is_known = game == "casino-war" && circle["circle"] == "main";
            assert_eq!(circle["expected"].is_null(), !is_known, "{circle}");
            if is_known {
                assert_eq!(cents(&circle["expected"]), -staked / 50, "{circle}");
                assert_eq!(cents(&circle["net_with_added"]), gains + wars, "{circle}");
            }
        }
        assert_eq!(net, cents(&one["net"]), "{one}");
        sum += net;
    }
    assert_eq!(cents(&house.me(&ann.cookie)["balance"]), 100_000 + sum);
    let house = Open::with(config(house.close()));
    let after = ask(&house, "/api/me/statistics");
    assert_eq!((&after["games"], &after["sessions"]), (&games, &statistics["sessions"]));
    house.close();
}
