//! People's rights: exclusion and suspension, sessions that an operator ends, seats that a supervisor
//! takes, corrections within bounds and by two, events that are kept, and a history that stays.

use crate::client;
use crate::staffed;

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime};

use client::{Client, Guest};
use house::Config;
use house::tables::dealer::Pace;
use serde_json::{Value, json};
use staffed::{Open, PASSWORD, new_data, quick, sql};

const DAY: i64 = 24 * 60 * 60;

fn unix_time() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    i64::try_from(since.as_secs()).unwrap()
}

/// In cents, with or without a sign.
fn cents(amount: &Value) -> i64 {
    let amount = amount.as_str().unwrap().trim_start_matches('+');
    amount.parse::<rules::money::Cents>().unwrap().get()
}

/// Waits until something is so.
fn until(what: &str, is_so: impl Fn() -> bool) {
    let since = Instant::now();
    while !is_so() {
        assert!(since.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Takes a seat at the Casino War table and waits for bets.
fn seated(house: &Open, who: &Guest, seat: usize) -> Client {
    let mut client = Client::watch(house.address, who, None);
    client.sit(seat, "100");
    client.until(|client| ["cut", "wagers"].contains(&client.awaited()));
    if client.awaited() == "cut" {
        client.done(json!({ "type": "cut", "at": null }));
        client.until_awaited("wagers");
    }
    client
}

/// Plays a round of Casino War with a bet of 10.
fn play_a_round(client: &mut Client) {
    let round = client.view["round"].as_u64().unwrap();
    client.bet("10");
    client.until(|client| client.view["round"] == round + 1 || client.is_asked());
    if client.is_asked() {
        client.act("surrender");
        client.until(|client| client.view["round"] == round + 1);
    }
}

/// The last events, as words.
fn events(house: &Open, by: &str) -> Vec<String> {
    let (status, kept) = house.ask("GET", "/api/office/events", by, &Value::Null);
    assert_eq!(status, 200, "{kept}");
    let word = |event: &Value, key: &str| event[key].as_str().unwrap_or("-").to_owned();
    let words = |event: &Value| ["who", "what", "whom", "more"].map(|key| word(event, key));
    kept["events"].as_array().unwrap().iter().map(|event| words(event).join(" ")).collect()
}

#[test]
fn whoever_excludes_themselves_leaves_sees_their_money_and_nobody_shortens_it() {
    let house = Open::new("excluded");
    let max = house.operator();
    let ann = json!({ "name": "ann", "password": PASSWORD });
    let account = house.enter("/api/account", "", &ann);
    let mut client = seated(&house, &account, 3);
    // A wager that is not in play yet comes back.
    let main = json!({ "circle": "main", "amount": "10" });
    client.done(json!({ "type": "wager", "amounts": [main] }));

    let week = unix_time() + 7 * DAY;
    let exclude = |by: &str, until: i64| {
        house.ask("POST", "/api/me/exclusion", by, &json!({ "until": until }))
    };
    for wrong in [0, unix_time() + DAY / 2, unix_time() + 6 * 365 * DAY, i64::MAX] {
        let (status, refusal) = exclude(&account.cookie, wrong);
        assert_eq!((status, &refusal["code"]), (400, &json!("bad-until")), "{wrong} {refusal}");
    }
    let (status, me) = exclude(&account.cookie, week);
    let held = &me["session"]["held"];
    assert_eq!((status, &held["code"]), (200, &json!("self-excluded")), "{me}");
    assert_eq!(held["parameters"]["until"], json!({ "time": week }));
    assert_eq!(held["source"]["type"], "own");

    // The socket says why, with a code and a sentence, and the session is over.
    let away = loop {
        let message = client.hear().expect("it is told before it is closed");
        if message["type"] == "away" {
            break message["refusal"].clone();
        }
    };
    assert_eq!(away["code"], "self-excluded");
    let sentence = away["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("You excluded yourself from play until 20"), "{sentence}");
    assert_eq!(client.parting(), (1008, sentence.to_owned()));
    assert_eq!(house.ask("GET", "/api/me", &account.cookie, &Value::Null).0, 401);

    // Signed in again, ann sees all her money, has no seat, and opens no socket.
    let again = house.enter("/api/login", "", &ann);
    until("the seat is left", || house.me(&again.cookie)["racks"] == json!([]));
    assert_eq!(house.me(&again.cookie)["balance"], "1000");
    assert_eq!(house.ask("GET", "/api/rounds", &again.cookie, &Value::Null).0, 200);
    assert_eq!(house.ask("POST", "/api/cashier", &again.cookie, &Value::Null).0, 403);
    let mut refused = Client::connect(house.address, &again);
    assert_eq!(refused.hear().unwrap()["refusal"]["code"], "self-excluded");
    assert_eq!(refused.parting().0, 1008);

    // It is extended, and never shortened: not by herself, nor by an operator, nor in the store.
    let (status, refusal) = exclude(&again.cookie, week - DAY);
    let code = json!("exclusion-not-shortened");
    assert_eq!((status, &refusal["code"]), (409, &code), "{refusal}");
    let path = "/api/people/ann/suspension";
    assert_eq!(house.ask("DELETE", path, &max, &Value::Null).0, 404);
    for wrong in ["UPDATE exclusions SET until = 1", "DELETE FROM exclusions"] {
        assert!(sql(&house.data, wrong).is_err(), "{wrong}");
    }
    assert_eq!(exclude(&again.cookie, week + DAY).0, 200);

    // It holds after a restart, until it is over.
    let house = Open::again(house.close());
    let again = house.enter("/api/login", "", &ann);
    let held = house.me(&again.cookie)["session"]["held"].clone();
    assert_eq!(held["parameters"]["until"], json!({ "time": week + DAY }));
    let data = house.close();
    sql(&data, "DROP TRIGGER self_exclusions_are_not_shortened").unwrap();
    sql(&data, "UPDATE exclusions SET until = unixepoch() - 1").unwrap();
    let trigger = "CREATE TRIGGER self_exclusions_are_not_shortened BEFORE UPDATE ON exclusions \
        WHEN OLD.decided = 'own' AND NEW.until < OLD.until \
        BEGIN SELECT RAISE(ABORT, 'a self-exclusion is never shortened'); END";
    sql(&data, trigger).unwrap();
    let house = Open::again(data);
    assert_eq!(house.me(&again.cookie)["session"]["held"], Value::Null);
    seated(&house, &again, 3);
    house.close();
}

#[test]
fn a_dealer_who_does_not_want_to_play_can_still_work() {
    let house = Open::new("excluded-dealer");
    let max = house.operator();
    let dan = house.staff(&max, "dan", "dealer");
    let until = json!({ "until": unix_time() + 7 * DAY });
    assert_eq!(house.ask("POST", "/api/me/exclusion", &dan, &until).0, 200);
    let name = json!({ "name": "dan", "password": PASSWORD });
    let dan = house.enter("/api/login", "", &name);
    let mut client = Client::watch(house.address, &dan, None);
    let refused = client.ask(&json!({ "type": "sit", "seat": 1 }));
    assert_eq!(refused["refusal"]["code"], "self-excluded", "{refused}");
    // A suspension is another matter.
    let why = json!({ "because": "he shouted at a player" });
    assert_eq!(house.ask("POST", "/api/people/dan/suspension", &max, &why).0, 200);
    assert_eq!(client.parting().0, 1008);
    house.close();
}

#[test]
fn a_suspended_guest_finishes_the_round_and_keeps_the_money_and_an_operator_lifts_it() {
    let mut config = Config::new(new_data("suspended"));
    config.tables.retain(|table| table.name == "stud-1");
    let answer = Some(Duration::from_millis(300));
    let house = Open::at_pace(config, Pace { answer, grace: Duration::ZERO, ..quick() });
    let max = house.operator();
    let guest = Guest::new(house.address);
    let mut client = Client::at(house.address, "stud-1", &guest, None);
    client.sit(1, "100");
    client.until_awaited("wagers");
    client.bet("10");
    client.until_awaited("act");

    let path = format!("/api/people/{}/suspension", guest.name);
    let suspension = json!({ "because": "he shouted at the dealer" });
    let (status, person) = house.ask("POST", &path, &max, &suspension);
    assert_eq!((status, &person["suspension"]), (200, &json!({ "until": null })), "{person}");
    assert_eq!(client.parting().1, "You are suspended. Ask the house why.");

    // The guest keeps the cookie, which is the only way to the money. The round is finished by the
    // clock, and then the seat is left with all chips.
    let staked = house.me(&guest.cookie)["racks"][0]["staked"].clone();
    assert!(["10", "0"].contains(&staked.as_str().unwrap_or("0")), "{staked}");
    until("the seat is left", || house.me(&guest.cookie)["racks"] == json!([]));
    let (_, rounds) = house.ask("GET", "/api/rounds", &guest.cookie, &Value::Null);
    let round = &rounds["rounds"][0];
    assert_eq!(round["round"], 1, "{rounds}");
    let balance = cents(&house.me(&guest.cookie)["balance"]);
    assert_eq!(balance, 100_000 + cents(&round["net"]), "{round}");

    assert_eq!(house.ask("DELETE", &path, &max, &Value::Null).0, 200);
    assert_eq!(house.ask("DELETE", &path, &max, &Value::Null).0, 404);
    let mut client = Client::at(house.address, "stud-1", &guest, None);
    client.sit(1, "50");
    let kept = events(&house, &max);
    let name = &guest.name;
    for event in
        [format!("max suspend {name} he shouted at the dealer"), format!("max reinstate {name} ")]
    {
        assert!(kept.contains(&event), "{event}: {kept:?}");
    }
    // Nobody but an operator does it.
    for by in [&guest.cookie, &house.staff(&max, "eve", "supervisor")] {
        assert_eq!(house.ask("POST", &path, by, &suspension).0, 403);
    }
    house.close();
}

#[test]
fn a_guest_who_is_suspended_and_makes_an_account_stays_suspended() {
    let house = Open::new("suspended-account");
    let max = house.operator();
    let guest = Guest::new(house.address);
    let path = format!("/api/people/{}/suspension", guest.name);
    let until = unix_time() + DAY;
    let suspension = json!({ "until": until, "because": "late" });
    assert_eq!(house.ask("POST", &path, &max, &suspension).0, 200);
    let ann = json!({ "name": "ann", "password": PASSWORD });
    let ann = house.enter("/api/account", &guest.cookie, &ann);
    let held = house.me(&ann.cookie)["session"]["held"].clone();
    assert_eq!(
        (&held["code"], &held["parameters"]["until"]),
        (&json!("suspended"), &json!({ "time": until }))
    );
    let (_, people) = house.ask("GET", "/api/people", &max, &Value::Null);
    let shown = people["people"].as_array().unwrap().iter().find(|one| one["name"] == "ann");
    assert_eq!(shown.unwrap()["suspension"], json!({ "until": until }), "{people}");
    house.close();
}

#[test]
fn an_operator_ends_the_sessions_of_a_guest() {
    let house = Open::new("end-sessions");
    let max = house.operator();
    let guest = Guest::new(house.address);
    let mut client = Client::connect(house.address, &guest);
    let path = format!("/api/people/{}/sessions", guest.name);
    assert_eq!(house.ask("DELETE", &path, &max, &Value::Null).0, 200);
    let told = loop {
        let message = client.hear().unwrap();
        if message["type"] == "away" {
            break message;
        }
    };
    assert_eq!(told["refusal"]["code"], "session-ended");
    assert_eq!(client.parting().0, 1008);
    assert_eq!(house.ask("GET", "/api/me", &guest.cookie, &Value::Null).0, 401);
    assert!(events(&house, &max).contains(&format!("max end-sessions {} ", guest.name)));
    house.close();
}

#[test]
fn a_supervisor_unseats_a_player_between_rounds() {
    let house = Open::new("unseated");
    let max = house.operator();
    let eve = house.staff(&max, "eve", "supervisor");
    let guest = Guest::new(house.address);
    let mut client = seated(&house, &guest, 3);
    let unseat = |by: &str, id: &str, at: &str, because: &str| {
        let what = json!({ "type": "unseat", "at": at, "because": because });
        house.ask("POST", "/api/tables/war-1/orders", by, &json!({ "id": id, "do": what }))
    };
    for (at, because, code) in
        [("4", "asleep", "nobody-there"), ("9", "asleep", "bad-place"), ("3", "", "bad-reason")]
    {
        let (status, refusal) = unseat(&eve, &format!("wrong-{at}"), at, because);
        assert_eq!((status, &refusal["code"]), (409, &json!(code)), "{refusal}");
    }
    assert_eq!(unseat(&max, "max", "3", "asleep").0, 403);
    assert_eq!(unseat(&guest.cookie, "guest", "3", "asleep").0, 403);
    assert_eq!(unseat(&eve, "one", "3", "asleep at the table").0, 200);
    client.until(|client| client.view["me"].is_null());
    assert_eq!(house.me(&guest.cookie)["balance"], "1000");
    let event = format!("eve unseat {} table war-1: place 3: asleep at the table", guest.name);
    assert!(events(&house, &max).contains(&event));
    // It is no exclusion: the player may sit down again.
    client.done(json!({ "type": "sit", "seat": 3 }));
    client.until(|client| client.view["me"] == 3);
    house.close();
}

#[test]
fn an_unseating_waits_for_the_round_also_where_the_house_is_closed_meanwhile() {
    let mut config = Config::new(new_data("unseated-later"));
    config.tables.retain(|table| table.name == "stud-1");
    let (tables, data) = (config.tables.clone(), config.data.clone());
    let house = Open::with(config);
    let eve = house.staff(&house.operator(), "eve", "supervisor");
    let guest = Guest::new(house.address);
    let mut client = Client::at(house.address, "stud-1", &guest, None);
    client.sit(1, "100");
    client.until_awaited("wagers");
    client.bet("10");
    client.until_awaited("act");
    let what = json!({ "type": "unseat", "at": "1", "because": "asleep at the table" });
    let order = json!({ "id": "one", "do": what });
    assert_eq!(house.ask("POST", "/api/tables/stud-1/orders", &eve, &order).0, 200);
    house.close();

    let house = Open::with(Config { tables, ..Config::new(data) });
    let mut client = Client::at(house.address, "stud-1", &guest, None);
    assert!(client.is_asked(), "{}", client.view);
    let call = client.view["offers"][0]["call"].as_str().unwrap().to_owned();
    client.act(&call);
    client.until(|client| client.view["me"].is_null());
    // It is done: the player may sit down again, and stays.
    client.sit(1, "50");
    let data = house.close();
    assert_eq!(sql(&data, "SELECT person FROM unseatings").unwrap(), [""; 0]);
}

/// A house where one supervisor corrects 5 dollars alone, with a round of 10 that is over.
fn corrected(name: &str) -> (Open, [String; 3], Guest, Client) {
    let mut config = Config::new(new_data(name));
    config.tables.truncate(1);
    config.limits.correction_alone = 5;
    let house = Open::with(config);
    let max = house.operator();
    let [eve, sue] = ["eve", "sue"].map(|name| house.staff(&max, name, "supervisor"));
    let guest = Guest::new(house.address);
    let mut client = seated(&house, &guest, 3);
    play_a_round(&mut client);
    (house, [max, eve, sue], guest, client)
}

fn correct(amount: &str, to: &str) -> Value {
    json!({
        "type": "correct", "round": 1, "amount": amount, "from": "house", "to": { "rack": to },
        "because": "the dealer paid too little",
    })
}

fn order(house: &Open, by: &str, id: &str, what: &Value) -> (u16, Value) {
    house.ask("POST", "/api/tables/war-1/orders", by, &json!({ "id": id, "do": what }))
}

#[test]
fn a_correction_is_at_most_what_was_staked_and_settled_and_for_whoever_had_a_part() {
    let (house, [_, eve, sue], guest, _client) = corrected("bounded");
    let (_, rounds) = house.ask("GET", "/api/rounds", &guest.cookie, &Value::Null);
    let wagers = rounds["rounds"][0]["wagers"].as_array().unwrap();
    let moved: i64 =
        wagers.iter().map(|wager| cents(&wager["stake"]) + cents(&wager["gain"]).abs()).sum();
    let most = rules::money::Cents::new(moved);

    let above = rules::money::Cents::new(moved + 1);
    let (status, refusal) = order(&house, &eve, "above", &correct(&above.to_string(), "3"));
    assert_eq!((status, &refusal["code"]), (409, &json!("correction-above-round")), "{refusal}");
    assert_eq!(refusal["parameters"]["most"], json!({ "amount": most.to_string() }));
    // Corrections of a round count together.
    assert_eq!(order(&house, &eve, "first", &correct("5", "3")).0, 200);
    let left = rules::money::Cents::new(moved - 500);
    let (_, refusal) = order(&house, &sue, "second", &correct(&most.to_string(), "3"));
    assert_eq!(refusal["parameters"]["most"], json!({ "amount": left.to_string() }), "{refusal}");
    // Small ones are no way around the second supervisor, and what was moved can be moved back.
    let mut back = correct("5", "3");
    (back["from"], back["to"]) = (back["to"].take(), back["from"].take());
    let (status, asked) = order(&house, &eve, "back", &back);
    assert_eq!(status, 200, "{asked}");
    let approve = json!({ "type": "approve", "correction": asked["waiting"][0]["id"] });
    assert_eq!(order(&house, &sue, "approved", &approve).0, 200);
    let (_, refusal) = order(&house, &eve, "above again", &correct(&above.to_string(), "3"));
    assert_eq!(refusal["parameters"]["most"], json!({ "amount": most.to_string() }), "{refusal}");

    let other = Guest::new(house.address);
    let _other = seated(&house, &other, 4);
    let (status, refusal) = order(&house, &eve, "other", &correct("1", "4"));
    assert_eq!((status, &refusal["code"]), (409, &json!("not-in-that-round")), "{refusal}");
    let sentence = format!("{} had no wager in round 1.", other.name);
    assert_eq!(refusal["sentence"], sentence);
    house.close();
}

#[test]
fn a_large_correction_needs_two_supervisors_and_the_log_names_both() {
    let (house, [max, eve, sue], guest, _client) = corrected("by-two");
    let before = cents(&house.me(&guest.cookie)["racks"][0]["chips"]);
    let (status, asked) = order(&house, &eve, "ask", &correct("6", "3"));
    assert_eq!((status, &asked["seq"]), (200, &Value::Null), "{asked}");
    // Sent again, it is asked for once.
    assert_eq!(order(&house, &eve, "ask", &correct("6", "3")).0, 200);
    let (_, now) = house.ask("GET", "/api/tables/war-1/orders", &sue, &Value::Null);
    let waiting = now["waiting"].as_array().unwrap();
    assert_eq!(waiting.len(), 1, "{now}");
    let told = ["round", "amount", "from", "to", "by", "because"].map(|key| &waiting[0][key]);
    let player = format!("player:{}", guest.name);
    let words = json!([1, "6", "house", player, "eve", "the dealer paid too little"]);
    assert_eq!(json!(told), words);
    assert_eq!(
        waiting[0]["until"].as_i64().unwrap() - waiting[0]["at"].as_i64().unwrap(),
        DAY,
        "{now}"
    );
    assert_eq!(cents(&house.me(&guest.cookie)["racks"][0]["chips"]), before);

    let id = waiting[0]["id"].as_i64().unwrap();
    let approve = json!({ "type": "approve", "correction": id });
    let (status, refusal) = order(&house, &eve, "own", &approve);
    assert_eq!((status, &refusal["code"]), (409, &json!("own-correction")), "{refusal}");
    assert_eq!(order(&house, &max, "max", &approve).0, 403);
    let (status, done) = order(&house, &sue, "yes", &approve);
    assert_eq!((status, &done["waiting"]), (200, &json!([])), "{done}");
    assert_eq!(cents(&house.me(&guest.cookie)["racks"][0]["chips"]), before + 600);
    let (status, refusal) = order(&house, &sue, "twice", &approve);
    assert_eq!((status, &refusal["code"]), (409, &json!("no-such-correction")), "{refusal}");

    let (_, rounds) = house.ask("GET", "/api/rounds", &guest.cookie, &Value::Null);
    let correction = &rounds["rounds"][0]["corrections"][0];
    assert_eq!(
        (&correction["by"], &correction["because"]),
        (&json!("eve"), &json!("the dealer paid too little (approved by sue)"))
    );
    let kept = events(&house, &max);
    let is_kept = |start: &str| kept.iter().any(|event| event.starts_with(start));
    assert!(is_kept("eve correction-asked - table war-1: correct 1 6 from house"), "{kept:?}");
    assert!(is_kept("sue correction-approved eve table war-1: correct 1 6 from house"), "{kept:?}");
    house.close();
}

#[test]
fn a_correction_that_waits_is_for_whoever_sat_there_when_it_was_asked_for() {
    let (house, [_, eve, sue], guest, mut client) = corrected("by-name");
    let (_, asked) = order(&house, &eve, "ask", &correct("6", "3"));
    client.done(json!({ "type": "leave" }));
    let other = Guest::new(house.address);
    let _other = seated(&house, &other, 3);
    let before = cents(&house.me(&guest.cookie)["balance"]);
    let approve = json!({ "type": "approve", "correction": asked["waiting"][0]["id"] });
    let (status, done) = order(&house, &sue, "yes", &approve);
    assert_eq!(status, 200, "{done}");
    assert_eq!(cents(&house.me(&guest.cookie)["balance"]), before + 600);
    assert_eq!(house.me(&other.cookie)["racks"][0]["chips"], "100");

    // At another seat it comes to the rack there.
    let (_, asked) = order(&house, &eve, "ask again", &{
        let mut back = correct("6", "3");
        back["to"] = json!({ "player": guest.name });
        back
    });
    client.sit(5, "100");
    let approve = json!({ "type": "approve", "correction": asked["waiting"][0]["id"] });
    let (status, done) = order(&house, &sue, "yes again", &approve);
    assert_eq!(status, 200, "{done}");
    assert_eq!(house.me(&guest.cookie)["racks"][0]["chips"], "106");
    house.close();
}

#[test]
fn a_correction_that_waits_is_refused_withdrawn_or_expires() {
    let (house, [max, eve, sue], guest, _client) = corrected("refused");
    let before = cents(&house.me(&guest.cookie)["racks"][0]["chips"]);
    let first_id = |answer: &Value| answer["waiting"][0]["id"].as_i64().unwrap();
    for (by, id) in [(&sue, "by another"), (&eve, "by oneself")] {
        let (_, asked) = order(&house, &eve, &format!("ask, refused {id}"), &correct("6", "3"));
        let refuse = json!({ "type": "refuse", "correction": first_id(&asked) });
        let (status, done) = order(&house, by, id, &refuse);
        assert_eq!((status, &done["waiting"]), (200, &json!([])), "{done}");
    }
    let (_, asked) = order(&house, &eve, "ask, expires", &correct("6", "3"));
    let id = first_id(&asked);
    sql(&house.data, "UPDATE corrections_asked SET until = unixepoch() WHERE decision IS NULL")
        .unwrap();
    let approve = json!({ "type": "approve", "correction": id });
    let (status, refusal) = order(&house, &sue, "late", &approve);
    assert_eq!((status, &refusal["code"]), (409, &json!("no-such-correction")), "{refusal}");
    assert_eq!(cents(&house.me(&guest.cookie)["racks"][0]["chips"]), before);
    let kept = events(&house, &max);
    let refused = kept.iter().filter(|event| event.contains(" correction-refused eve ")).count();
    assert_eq!(refused, 2, "{kept:?}");

    // A reason that leaves no room for who approves is too long, and nothing is taken out again.
    let mut long = correct("6", "3");
    long["because"] = json!("x".repeat(160));
    let (status, refusal) = order(&house, &eve, "long", &long);
    assert_eq!((status, &refusal["code"]), (409, &json!("bad-reason")), "{refusal}");
    for wrong in [
        "DELETE FROM corrections_asked",
        "UPDATE corrections_asked SET decision = 'approved' WHERE decision = 'refused'",
        "UPDATE corrections_asked SET decision = 'approved', decided_by = asked_by",
    ] {
        assert!(sql(&house.data, wrong).is_err(), "{wrong}");
    }
    house.close();
}

#[test]
fn a_guest_who_takes_another_name_keeps_rounds_results_limits_and_time() {
    let house = Open::new("history");
    let guest = Guest::new(house.address);
    let mut client = seated(&house, &guest, 3);
    play_a_round(&mut client);
    client.done(json!({ "type": "leave" }));
    let limits = json!({ "loss": "200", "minutes": 90 });
    assert_eq!(house.ask("POST", "/api/me/limits", &guest.cookie, &limits).0, 200);
    let all = |by: &str| {
        let ask = |path: &str| house.ask("GET", path, by, &Value::Null).1;
        let me = ask("/api/me");
        let session =
            ["since", "net", "net_today", "loss", "minutes"].map(|key| &me["session"][key]);
        let (rounds, bankroll) = (ask("/api/rounds"), ask("/api/me/bankroll"));
        let games = &ask("/api/me/statistics")["games"];
        let round = ask("/api/rounds/war-1/1");
        let seats = round["steps"].as_array().unwrap().iter().map(|step| &step["view"]["me"]);
        let seats: Vec<_> = seats.collect();
        json!([me["balance"], session, rounds, bankroll, seats, games])
    };
    let before = all(&guest.cookie);
    assert_eq!(before[2]["rounds"][0]["wagers"].as_array().unwrap().len(), 1, "{before}");
    assert_eq!(before[4][0], 3, "{before}");

    // A guest who is at no table takes another name, and another one, and an account at last.
    let rename =
        |name: &str| house.ask("POST", "/api/me/name", &guest.cookie, &json!({ "name": name }));
    assert_eq!(guest.name.split('-').count(), 2, "two words: {}", guest.name);
    for name in ["lucky-jo", "jo"] {
        let (status, me) = rename(name);
        assert_eq!((status, &me["name"]), (200, &json!(name)), "{me}");
        assert_eq!(all(&guest.cookie), before, "{name}");
    }
    let other = Guest::new(house.address);
    for (name, code) in [
        (guest.name.as_str(), "name-taken"),
        ("lucky-jo", "name-taken"),
        (&other.name, "name-taken"),
        ("house", "reserved-name"),
        ("dealer-2", "official-name"),
    ] {
        let (status, refusal) = rename(name);
        assert_eq!((status, &refusal["code"]), (409, &json!(code)), "{name} {refusal}");
    }
    let mut client = seated(&house, &other, 5);
    let path = "/api/me/name";
    let (_, refusal) = house.ask("POST", path, &other.cookie, &json!({ "name": "sue" }));
    assert_eq!(refusal["code"], "still-seated", "{refusal}");
    client.done(json!({ "type": "leave" }));
    let ann = json!({ "name": "ann", "password": PASSWORD });
    let ann = house.enter("/api/account", &guest.cookie, &ann);
    assert_eq!(all(&ann.cookie), before);

    // The limits hold on, also after a restart.
    let house = Open::again(house.close());
    let mut client = seated(&house, &ann, 1);
    let main = json!({ "circle": "main", "amount": "250" });
    client.done(json!({ "type": "buy_in", "amount": "300" }));
    let answer = client.ask(&json!({ "type": "wager", "amounts": [main] }));
    assert_eq!(answer["refusal"]["code"], "own-loss", "{answer}");
    house.close();
}

/// How many guests sit down and make an account at the same time.
const RACERS: u64 = 8;

#[test]
fn whoever_sits_down_while_making_an_account_loses_and_doubles_nothing() {
    let house = Open::new("race");
    let (mut accounts, mut seats) = (0, 0);
    for racer in 0..RACERS {
        let guest = Guest::new(house.address);
        let mut client = seated(&house, &guest, 3);
        play_a_round(&mut client);
        client.done(json!({ "type": "leave" }));
        client.until(|client| client.view["me"].is_null());
        let rounds = |by: &str| house.ask("GET", "/api/rounds", by, &Value::Null).1;
        let (before, money) = (rounds(&guest.cookie), house.me(&guest.cookie)["balance"].clone());
        let name = format!("racer-{racer}");
        let account = json!({ "name": name, "password": PASSWORD }).to_string();
        let (made, cookie) = std::thread::scope(|scope| {
            let made =
                scope.spawn(|| house.answer("POST", "/api/account", &guest.cookie, &account));
            // The seat is asked for at another moment each time, while the password is hashed and the
            // account is written.
            std::thread::sleep(Duration::from_millis(racer * 12));
            client.send("race", &json!({ "type": "sit", "seat": 3 }));
            let (head, body) = made.join().unwrap();
            match head.starts_with("HTTP/1.1 200") {
                true => (true, staffed::cookie(&head)),
                false => {
                    let refusal: Value = serde_json::from_str(&body).unwrap();
                    assert_eq!(refusal["code"], "still-seated", "{refusal}");
                    (false, guest.cookie.clone())
                }
            }
        });
        let me = house.me(&cookie);
        assert_eq!((&me["balance"], &rounds(&cookie)), (&money, &before), "{me}");
        let is_seated = me["racks"] != json!([]);
        assert_ne!(made, is_seated, "one of both happens: {me}");
        let owner = if made { &name } else { &guest.name };
        assert_eq!(me["name"], **owner, "{me}");
        match made {
            true => {
                accounts += 1;
                assert_eq!(house.ask("GET", "/api/me", &guest.cookie, &Value::Null).0, 401);
            }
            false => {
                seats += 1;
                client.until(|client| client.view["me"] == 3);
                client.done(json!({ "type": "leave" }));
            }
        }
    }
    println!("{accounts} accounts and {seats} seats");
    let data = house.close();
    // Whoever was a guest has nothing left, and all money is what the cashier gave.
    let left = "SELECT count(*) || ' ' || coalesce(sum(balance), 0) FROM accounts, former_names \
        WHERE account = 'player:' || was AND balance <> 0";
    assert_eq!(sql(&data, left).unwrap(), ["0 0"]);
    let given = "SELECT CAST(-balance AS TEXT) FROM accounts WHERE account = 'cashier'";
    assert_eq!(sql(&data, given).unwrap(), [(RACERS * 100_000).to_string()]);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (store, heads) = (data.join(house::STORE_FILE), BTreeMap::new());
    let books = runtime.block_on(house::store::reconcile(&store, &heads, &mut |_, _, _| {}));
    assert_eq!(books.unwrap().differences, []);
}

#[test]
fn starts_configurations_backups_and_lock_outs_are_kept() {
    let house = Open::new("events");
    let max = house.operator();
    assert_eq!(house.ask("POST", "/api/backup", &max, &Value::Null).0, 200);
    let wrong = json!({ "name": "max", "password": "wrong wrong wrong" });
    let locked = (0..40).any(|_| house.ask("POST", "/api/login", "", &wrong).0 == 429);
    assert!(locked, "wrong passwords cost time");
    assert_eq!(house.ask("POST", "/api/login", "", &wrong).0, 429);
    let count = |house: &Open, by: &str, word: &str| {
        let kept = events(house, by);
        kept.iter().filter(|event| event.split(' ').nth(1) == Some(word)).count()
    };
    let counts = |house: &Open, by: &str| {
        ["start", "configuration", "backup", "lock-out"].map(|word| count(house, by, word))
    };
    assert_eq!(counts(&house, &max), [1, 1, 1, 1]);
    assert!(events(&house, &max).contains(&"house lock-out max 127.0.0.1".to_owned()));

    // A start is an event every time, and a configuration only when it is another one.
    let house = Open::again(house.close());
    assert_eq!(counts(&house, &max), [2, 1, 1, 1]);
    let mut config = Config::new(house.close());
    config.tables.truncate(1);
    config.limits.viewers = 7;
    let house = Open::with(config);
    assert_eq!(counts(&house, &max), [3, 2, 1, 1]);
    let kept = events(&house, &max);
    let last = kept.iter().rfind(|event| event.contains(" configuration ")).unwrap();
    let war = "name = war-1, game = casino-war";
    assert!(last.contains(war) && last.contains("viewers = 7"), "{last}");

    // Page by page, for operators and auditors.
    let (_, first) = house.ask("GET", "/api/office/events", &max, &Value::Null);
    let ids: Vec<_> =
        first["events"].as_array().unwrap().iter().map(|one| one["id"].as_i64().unwrap()).collect();
    let path = format!("/api/office/events?after={}", ids[1]);
    let (_, rest) = house.ask("GET", &path, &max, &Value::Null);
    assert_eq!(rest["events"][0]["id"], ids[2]);
    house.close();
}

#[test]
fn nobody_signs_up_as_somebody_who_works_here() {
    let house = Open::new("names");
    let max = house.operator();
    for (name, code) in [
        ("house", "reserved-name"),
        ("h0use", "reserved-name"),
        ("command-line", "reserved-name"),
        ("cashier", "official-name"),
        ("dea1er-2", "official-name"),
        ("the-office", "official-name"),
        ("House", "bad-name"),
        ("h\u{43e}use", "bad-name"),
        (" dealer", "bad-name"),
    ] {
        let (status, refusal) =
            house.ask("POST", "/api/account", "", &json!({ "name": name, "password": PASSWORD }));
        assert!(status == 409 || status == 400, "{name}");
        assert_eq!(refusal["code"], code, "{name} {refusal}");
    }
    // An operator names who works here.
    house.staff(&max, "dealer-2", "dealer");
    let nobody = json!({ "name": "house", "kind": "account", "password": PASSWORD });
    assert_eq!(house.ask("POST", "/api/people", &max, &nobody).0, 409);
    house.close();
}

#[test]
fn whoever_has_not_played_there_gets_a_log_without_names_that_proves_itself() {
    let mut config = Config::new(new_data("pseudonyms"));
    config.tables.truncate(1);
    let other = house::config::Setup::new("war-2", config.tables[0].sheet.game());
    config.tables.push(other);
    let house = Open::with(config);
    let ann = json!({ "name": "ann", "password": PASSWORD });
    let ann = house.enter("/api/account", "", &ann);
    let max = house.operator();
    let [tom, eve] = [("tom", "auditor"), ("eve", "supervisor")]
        .map(|(name, role)| house.staff(&max, name, role));
    let bob = Guest::new(house.address);
    let is_named = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|it| it == "ann");
    let mut pseudonyms = Vec::new();
    for table in ["war-1", "war-2"] {
        let mut client = Client::at(house.address, table, &ann, None);
        client.sit(3, "100");
        // A place alone is no reason to be told the names of those who had one before.
        let (_, copy) = house.answer("GET", &format!("/api/export/{table}"), &ann.cookie, "");
        assert!(copy.contains("sit 3 player-"), "{copy}");
        client.play_until(|client| client.round() == 2);
        client.done(json!({ "type": "leave" }));
        client.until(|client| client.view["me"].is_null());

        let path = format!("/api/export/{table}");
        let (_, log) = house.answer("GET", &path, &ann.cookie, "");
        assert!(log.contains("sit 3 ann") && log.contains("player:ann"), "{log}");
        assert_eq!(house.answer("GET", &path, &tom, "").1, log, "an auditor");
        let (_, copy) = house.answer("GET", &path, "", "");
        assert_eq!(
            house.answer("GET", &path, &bob.cookie, "").1,
            copy,
            "a guest who has not played"
        );
        let has_name = copy.split([' ', ':', '\n']).any(|word| word == "ann");
        assert!(!has_name, "{copy}");
        assert_eq!(copy.lines().count(), log.lines().count());
        // It is a chain by itself, and the rules give the same money and cards.
        for text in [&log, &copy] {
            assert!(audit::verify(text.as_bytes(), &[]).unwrap().is_clean(), "{text}");
        }
        // Entry by entry it is the same copy.
        let entries: Vec<&str> = copy.lines().collect();
        for from in [1, 2, 5, entries.len() - 1] {
            let (_, part) = house.answer("GET", &format!("{path}?from={from}&to={from}"), "", "");
            assert_eq!(part.lines().nth(1), Some(entries[from]), "{from}");
        }
        let name = copy.split("sit 3 ").nth(1).unwrap().lines().next().unwrap().to_owned();

        // The same holds for rounds, for corrections of them, and for shoes.
        let correct = json!({
            "type": "correct", "round": 1, "amount": "1", "from": "house",
            "to": { "player": "ann" }, "because": "a chip fell",
        });
        let path = format!("/api/tables/{table}/orders");
        let order = json!({ "id": format!("correct-{table}"), "do": correct });
        assert_eq!(house.ask("POST", &path, &eve, &order).0, 200);
        for path in [
            format!("/api/rounds?table={table}"),
            format!("/api/rounds/{table}/1"),
            format!("/api/shoes/{table}/1"),
        ] {
            for by in [&ann.cookie, &tom] {
                let (_, real) = house.answer("GET", &path, by, "");
                assert!(is_named(&real) && !real.contains(&name), "{path} {real}");
            }
            let (_, masked) = house.answer("GET", &path, &bob.cookie, "");
            assert!(masked.contains(&name) && !is_named(&masked), "{path} {masked}");
        }
        pseudonyms.push(name);
    }
    assert_ne!(pseudonyms[0], pseudonyms[1], "they cannot be told to be the same player");
    assert!(pseudonyms.iter().all(|name| name.starts_with("player-")), "{pseudonyms:?}");
    house.close();
}
