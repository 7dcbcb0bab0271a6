//! People of the house, over HTTP: accounts, sessions, and who is kept out.

use crate::client;
use crate::staffed;

use std::time::{Duration, Instant, SystemTime};

use client::{Client, Guest, http_with};
use house::Config;
use house::config::Setup;
use serde_json::{Value, json};
use staffed::{Open, PASSWORD, cookie, make_operator, new_data, sql, status};

/// What an earlier version kept of the password, by another program's Argon2.
const OLDER: &str = "UPDATE people SET password = 'argon2id 19456 2 1 \
    0707070707070707070707070707070707070707070707070707070707070707 \
    a30634b4147114fb9ded682df8b7edbe7fefcf04a28ab8b1026ccfc9b0568869' WHERE name = 'max'";

#[test]
fn a_password_that_was_hashed_in_an_older_way_is_hashed_again_at_sign_in() {
    let house = Open::new("rehash");
    make_operator(&house.data, "max");
    sql(&house.data, OLDER).unwrap();
    let kept = || sql(&house.data, "SELECT password FROM people WHERE name = 'max'").unwrap();
    let wrong = json!({ "name": "max", "password": "ten of diamonds" });
    assert_eq!(house.ask("POST", "/api/login", "", &wrong).0, 401);
    assert!(kept()[0].starts_with("argon2id "), "a wrong password changes nothing");
    let right = json!({ "name": "max", "password": PASSWORD });
    let session = house.enter("/api/login", "", &right).cookie;
    let again = kept();
    assert!(again[0].starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{again:?}");
    assert_eq!(house.ask("GET", "/api/me", &session, &Value::Null).0, 200, "no session ends");
    house.enter("/api/login", "", &right);
    assert_eq!(kept(), again);
    house.close();
}

#[test]
fn a_guest_becomes_an_account_and_keeps_money_and_name() {
    let house = Open::new("upgrade");
    let guest = Guest::new(house.address);
    let mut client = Client::watch(house.address, &guest, None);
    client.sit(3, "100");
    let me = house.me(&guest.cookie);
    assert_eq!(me["kind"], "guest");
    assert_eq!(me["racks"], json!([{ "table": "war-1", "chips": "100", "staked": "0" }]));

    // Whoever sits at a table cannot be called something else there.
    let other = json!({ "name": "ann", "password": PASSWORD });
    let (status, refusal) = house.ask("POST", "/api/account", &guest.cookie, &other);
    assert_eq!((status, refusal["code"].as_str()), (409, Some("still-seated")), "{refusal}");

    let account = house.enter("/api/account", &guest.cookie, &json!({ "password": PASSWORD }));
    assert_eq!(account.name, guest.name);
    let me = house.me(&account.cookie);
    assert_eq!(
        (&me["kind"], &me["role"], &me["balance"]),
        (&json!("account"), &json!("player"), &json!("900"))
    );
    assert_eq!(house.ask("GET", "/api/me", &guest.cookie, &Value::Null).0, 401);
    assert_eq!(house.ask("POST", "/api/account", &account.cookie, &other).0, 409);

    // The seat is the same after a restart, with a password alone.
    let house = Open::again(house.close());
    let again = json!({ "name": guest.name, "password": PASSWORD });
    let again = house.enter("/api/login", "", &again);
    assert_ne!(again.cookie, account.cookie);
    assert_eq!(house.me(&again.cookie)["racks"][0]["chips"], "100");
    let client = Client::watch(house.address, &again, None);
    assert_eq!(client.view["me"], 3);
    house.close();
}

#[test]
fn a_guest_away_from_the_tables_may_take_another_name() {
    let house = Open::new("rename");
    let guest = Guest::new(house.address);
    let mut client = Client::connect(house.address, &guest);
    let ann = json!({ "name": "ann", "password": PASSWORD });
    let account = house.enter("/api/account", &guest.cookie, &ann);
    assert_eq!(client.parting().1, "Your session has ended. Sign in again.");
    assert_eq!(house.me(&account.cookie)["balance"], "1000");
    assert_eq!(house.ask("GET", "/api/me", &guest.cookie, &Value::Null).0, 401);
    let total = sql(&house.data, "SELECT CAST(sum(balance) AS TEXT) FROM accounts").unwrap();
    assert_eq!(total, ["0"]);

    // The name is taken, for whoever is new too.
    assert_eq!(house.ask("POST", "/api/account", "", &ann).0, 409);
    let bob = house.enter("/api/account", "", &json!({ "name": "bob", "password": PASSWORD }));
    assert_eq!(house.me(&bob.cookie)["balance"], "1000");
    for (name, password, status) in [
        ("Ann", PASSWORD, 400),
        ("guest-0123456789ab", PASSWORD, 409),
        ("command-line", PASSWORD, 409),
        ("eve", "short", 400),
    ] {
        let body = json!({ "name": name, "password": password });
        assert_eq!(house.ask("POST", "/api/account", "", &body).0, status, "{name}");
    }
    assert_eq!(house.ask("POST", "/api/account", "", &json!({ "password": PASSWORD })).0, 400);
    house.close();
}

#[test]
fn a_guest_who_kept_the_name_is_an_account_like_others_for_operators() {
    let house = Open::new("kept-name");
    let max = house.operator();
    let guest = Guest::new(house.address);
    let account = house.enter("/api/account", &guest.cookie, &json!({ "password": PASSWORD }));
    assert_eq!(account.name, guest.name);
    let to = |what: &str| format!("/api/people/{}/{what}", guest.name);
    let (status, person) = house.ask("POST", &to("role"), &max, &json!({ "role": "auditor" }));
    assert_eq!((status, &person["role"]), (200, &json!("auditor")), "{person}");
    let password = json!({ "password": "ten of diamonds" });
    assert_eq!(house.ask("POST", &to("password"), &max, &password).0, 200);
    assert_eq!(house.ask("POST", &to("tokens"), &max, &json!({ "label": "mine" })).0, 409);
    assert_eq!(house.ask("DELETE", &to("tokens/mine"), &max, &Value::Null).0, 404);
    make_operator(&house.data, &guest.name);
    // Nobody new is called so.
    for name in ["guest-me", "command-line"] {
        let person = json!({ "name": name, "kind": "account", "password": PASSWORD });
        assert_eq!(house.ask("POST", "/api/people", &max, &person).0, 409);
        let own = json!({ "name": name, "password": PASSWORD });
        assert_eq!(house.ask("POST", "/api/account", "", &own).0, 409);
    }
    house.close();
}

#[test]
fn a_session_ends_here_or_everywhere_and_so_do_its_sockets() {
    let house = Open::new("sessions");
    let ann = json!({ "name": "ann", "password": PASSWORD });
    let first = house.enter("/api/account", "", &ann);
    let [second, third] = [(); 2].map(|()| house.enter("/api/login", "", &ann));
    let mut sockets = [&first, &second].map(|one| Client::connect(house.address, one));

    let (head, _) = house.answer("POST", "/api/logout", &first.cookie, "{}");
    assert!(cookie(&head).ends_with('='), "{head}");
    assert_eq!(sockets[0].parting().0, 1008);
    assert_eq!(house.ask("GET", "/api/me", &first.cookie, &Value::Null).0, 401);
    sockets[1].done(json!({ "type": "ping" }));

    let everywhere = json!({ "everywhere": true });
    assert_eq!(house.ask("POST", "/api/logout", &second.cookie, &everywhere).0, 200);
    assert_eq!(sockets[1].parting().0, 1008);
    assert_eq!(house.ask("GET", "/api/me", &third.cookie, &Value::Null).0, 401);

    let session = house.enter("/api/login", "", &ann);
    let other = json!({ "old": PASSWORD, "new": "ten of diamonds" });
    let changed = house.enter("/api/me/password", &session.cookie, &other);
    assert_eq!(house.ask("GET", "/api/me", &session.cookie, &Value::Null).0, 401);
    assert_eq!(house.me(&changed.cookie)["name"], "ann");
    assert_eq!(house.ask("POST", "/api/login", "", &ann).0, 401);
    assert_eq!(house.ask("POST", "/api/me/password", &changed.cookie, &other).0, 401);

    // A session that is over is none, and a guest cannot log out.
    sql(&house.data, "UPDATE sessions SET until = unixepoch() WHERE name = 'ann'").unwrap();
    assert_eq!(house.ask("GET", "/api/me", &changed.cookie, &Value::Null).0, 401);
    let guest = Guest::new(house.address);
    assert_eq!(house.ask("POST", "/api/logout", &guest.cookie, &json!({})).0, 409);
    house.close();
}

/// In cents, with or without a sign.
fn cents(amount: &Value) -> i64 {
    let amount: rules::money::Cents =
        amount.as_str().unwrap().trim_start_matches('+').parse().unwrap();
    amount.get()
}

#[test]
fn what_rounds_come_to_is_told_by_day_by_visit_and_over_time() {
    let house = Open::new("bankroll");
    let guest = Guest::new(house.address);
    assert_eq!(house.me(&guest.cookie)["session"]["since"], Value::Null);
    let mut ann = Client::watch(house.address, &guest, None);
    ann.sit(1, "300");
    ann.until_awaited("cut");
    ann.done(json!({ "type": "cut", "at": null }));
    ann.until_awaited("wagers");
    let mut first = |_| 0;
    while ann.view["round"].as_u64().unwrap() <= 5 || ann.view["betting"] == false {
        if !ann.play_on(&mut first) {
            ann.hear();
        }
    }
    let me = house.me(&guest.cookie);
    let all = cents(&me["balance"]) + cents(&me["racks"][0]["chips"]);
    let session = &me["session"];
    let [net, today] = ["net", "net_today"].map(|key| cents(&session[key]));
    assert_eq!((net, today), (all - 100_000, all - 100_000), "{me}");
    let now = session["now"].as_i64().unwrap();
    assert!((now - 60..=now).contains(&session["since"].as_i64().unwrap()), "{me}");
    let told = ann.heard.iter().filter(|text| text.contains(r#""type":"session""#)).count();
    assert_eq!(told, 1);

    let (_, bankroll) = house.ask("GET", "/api/me/bankroll", &guest.cookie, &Value::Null);
    let points = bankroll["points"].as_array().unwrap();
    assert_eq!((points.len(), &bankroll["more"]), (6, &json!(false)), "{bankroll}");
    assert_eq!((&points[0]["total"], &points[0]["table"]), (&json!("1000"), &Value::Null));
    for (pair, round) in points.windows(2).zip(1..) {
        assert_eq!(cents(&pair[0]["total"]) + cents(&pair[1]["gain"]), cents(&pair[1]["total"]));
        assert_eq!((&pair[1]["table"], &pair[1]["round"]), (&json!("war-1"), &json!(round)));
    }
    assert_eq!(cents(&points[5]["total"]), all);

    // A day has the minutes since midnight.
    sql(&house.data, "UPDATE visits SET since = since - 36000").unwrap();
    let me = house.me(&guest.cookie);
    let midnight = (unix_time() % 86_400) / 60;
    let minutes = me["session"]["minutes_today"].as_i64().unwrap();
    assert!((midnight.min(600) - 1..=midnight.min(601)).contains(&minutes), "{me}");
    house.close();
}

fn unix_time() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    i64::try_from(since.as_secs()).unwrap()
}

#[test]
fn a_player_who_set_a_limit_is_held_to_it() {
    let house = Open::new("limits");
    let guest = Guest::new(house.address);
    let set = |limits: Value| house.ask("POST", "/api/me/limits", &guest.cookie, &limits);
    for wrong in [
        json!({ "loss": "-1" }),
        json!({ "loss": "10000001" }),
        json!({ "loss": 5 }),
        json!({ "minutes": 1441 }),
        json!({ "minutes": -1 }),
        json!({ "hours": 1 }),
    ] {
        assert_eq!(set(wrong.clone()).0, 400, "{wrong}");
    }
    let (_, me) = set(json!({ "loss": "100", "minutes": 600 }));
    assert_eq!(me["session"]["loss"], json!({ "most": "100", "later": null }), "{me}");
    let (_, me) = set(json!({ "loss": null }));
    let later = &me["session"]["loss"];
    assert_eq!((&later["most"], &later["later"]["most"]), (&json!("100"), &Value::Null));
    let wait = later["later"]["from"].as_i64().unwrap() - unix_time();
    assert!((86_390..=86_400).contains(&wait), "{later}");
    assert_eq!(me["session"]["minutes"], json!({ "most": "600", "later": null }));

    let mut ann = Client::watch(house.address, &guest, None);
    ann.sit(1, "500");
    ann.until_awaited("cut");
    ann.done(json!({ "type": "cut", "at": null }));
    ann.until_awaited("wagers");
    let wager = |amount: &str| json!({ "type": "wager", "amounts": [{ "circle": "main", "amount": amount }] });
    let refused = |answer: &Value| {
        let refusal = &answer["refusal"];
        (refusal["code"].clone(), refusal["parameters"]["left"]["amount"].clone())
    };
    let answer = ann.ask(&wager("101"));
    assert_eq!(refused(&answer), (json!("own-loss"), json!("100")), "{answer}");
    ann.done(wager("100"));
    // What was lost yesterday does not count, and what was lost today does.
    let lost = "INSERT INTO results SELECT name, 'war-1', 99, -9000, unixepoch(), 1 FROM people";
    sql(&house.data, lost).unwrap();
    let before = "INSERT INTO results SELECT name, 'war-1', 98, -9000, unixepoch() - 86400, 1 \
                  FROM people";
    sql(&house.data, before).unwrap();
    assert_eq!(refused(&ann.ask(&wager("11"))), (json!("own-loss"), json!("10")));
    ann.done(wager("10"));

    // The limit outlives the house, and time has one too.
    assert_eq!(set(json!({ "minutes": 0 })).0, 200);
    let house = Open::again(house.close());
    let mut ann = Client::watch(house.address, &guest, None);
    for what in [wager("5"), json!({ "type": "buy_in", "amount": "5" })] {
        let answer = ann.ask(&what);
        assert_eq!(answer["refusal"]["source"]["type"], "own", "{answer}");
    }
    ann.done(json!({ "type": "clear" }));
    assert_eq!(house.me(&guest.cookie)["session"]["held"]["source"]["type"], "own");
    // A day later the looser one holds.
    sql(&house.data, "UPDATE bounds SET later_from = unixepoch() WHERE what = 'loss'").unwrap();
    let loss = json!({ "most": null, "later": null });
    assert_eq!(house.me(&guest.cookie)["session"]["loss"], loss);
    house.close();
}

#[test]
fn a_house_that_cannot_write_lives_and_is_not_ready() {
    let house = Open::new("no-writing");
    let look = |path: &str| {
        let (status, answer) = house.ask("GET", path, "", &Value::Null);
        (status, answer["code"].as_str().unwrap_or_default().to_owned())
    };
    // An answer holds for a second.
    let until_ready = |status: u16, code: &str| {
        let late = Instant::now() + Duration::from_secs(20);
        while look("/ready") != (status, code.to_owned()) {
            assert!(Instant::now() < late, "not {status} {code} in time: {:?}", look("/ready"));
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    assert_eq!((look("/health").0, look("/ready").0), (200, 200));
    let broken = "CREATE TRIGGER broken BEFORE UPDATE ON tables \
                  BEGIN SELECT RAISE(ABORT, 'broken'); END";
    sql(&house.data, broken).unwrap();
    until_ready(503, "store-not-writable");
    assert_eq!(look("/health").0, 200);
    sql(&house.data, "DROP TRIGGER broken").unwrap();
    until_ready(200, "");
    // A disk without room lets SQLite write over what it has: room itself is looked for.
    let room = house.data.join(house::store::ROOM_FILE);
    assert!(!room.exists());
    std::fs::create_dir(&room).unwrap();
    until_ready(503, "store-not-writable");
    std::fs::remove_dir(&room).unwrap();
    until_ready(200, "");
    house.close();
}

#[test]
fn a_limit_holds_over_all_tables_together() {
    let mut config = Config::new(new_data("two-tables"));
    config.tables.truncate(1);
    config.tables.push(Setup::new("war-2", config.tables[0].sheet.game()));
    let house = Open::with(config);
    let guest = Guest::new(house.address);
    let set = |limits: Value| house.ask("POST", "/api/me/limits", &guest.cookie, &limits);
    let mut seats = ["war-1", "war-2"].map(|table| {
        let mut seat = Client::at(house.address, table, &guest, None);
        seat.sit(1, "200");
        seat.until_awaited("cut");
        seat.done(json!({ "type": "cut", "at": null }));
        seat.until_awaited("wagers");
        seat
    });
    let wager = |amount: &str| json!({ "type": "wager", "amounts": [{ "circle": "main", "amount": amount }] });
    seats[0].done(wager("60"));
    // It counts what lay there before it was set.
    assert_eq!(set(json!({ "loss": "100" })).0, 200);
    let answer = seats[1].ask(&wager("60"));
    assert_eq!(answer["refusal"]["source"]["type"], "own", "60 lie at the other table: {answer}");
    seats[1].done(wager("40"));
    assert_eq!(seats[0].ask(&wager("65"))["refusal"]["source"]["type"], "own");
    // A wager that is refused for another reason, or taken back, is not at risk.
    assert_ne!(seats[1].ask(&wager("1"))["refusal"]["source"]["type"], "own");
    seats[0].done(json!({ "type": "clear" }));
    seats[1].done(wager("100"));
    assert_eq!(seats[0].ask(&wager("5"))["refusal"]["source"]["type"], "own");
    seats[1].done(json!({ "type": "leave" }));
    seats[0].done(wager("100"));
    // After a restart, what lies there still counts.
    let mut config = Config::new(house.close());
    config.tables.truncate(1);
    config.tables.push(Setup::new("war-2", config.tables[0].sheet.game()));
    let house = Open::with(config);
    let mut other = Client::at(house.address, "war-2", &guest, None);
    other.sit(1, "200");
    other.until_awaited("wagers");
    let answer = other.ask(&wager("5"));
    assert_eq!(answer["refusal"]["source"]["type"], "own", "{answer}");
    house.close();
}

#[test]
fn limits_that_are_set_at_the_same_time_all_hold() {
    let house = Open::new("limits-at-once");
    let guest = Guest::new(house.address);
    let set = |limits: Value| {
        let (status, me) = house.ask("POST", "/api/me/limits", &guest.cookie, &limits);
        assert_eq!(status, 200, "{me}");
    };
    set(json!({ "loss": "1000" }));
    for tighter in (100..120).rev() {
        std::thread::scope(|at_once| {
            at_once.spawn(|| set(json!({ "loss": tighter.to_string() })));
            at_once.spawn(|| set(json!({ "loss": "5000" })));
            at_once.spawn(|| set(json!({ "minutes": tighter })));
        });
        let session = house.me(&guest.cookie)["session"].clone();
        assert_eq!(session["loss"]["most"], tighter.to_string(), "{session}");
        assert_eq!(session["minutes"]["most"], tighter.to_string(), "{session}");
    }
    house.close();
}

#[test]
fn a_round_that_was_put_right_says_so_and_what_it_came_to_then() {
    let house = Open::new("put-right");
    let max = house.operator();
    let eve =
        json!({ "name": "eve", "kind": "account", "role": "supervisor", "password": PASSWORD });
    assert_eq!(house.ask("POST", "/api/people", &max, &eve).0, 200);
    let eve = house.enter("/api/login", "", &json!({ "name": "eve", "password": PASSWORD })).cookie;
    let guest = Guest::new(house.address);
    let mut ann = Client::watch(house.address, &guest, None);
    ann.sit(3, "100");
    ann.until_awaited("cut");
    ann.done(json!({ "type": "cut", "at": null }));
    ann.until_awaited("wagers");
    ann.bet("10");
    ann.until(|client| client.awaited() == "act" || client.view["round"] == 2);
    if ann.awaited() == "act" {
        ann.done(json!({ "type": "act", "call": "surrender" }));
        ann.until(|client| client.view["round"] == 2);
    }
    let round = || {
        let (status, rounds) = house.ask("GET", "/api/rounds", &guest.cookie, &Value::Null);
        assert_eq!(status, 200, "{rounds}");
        rounds["rounds"][0].clone()
    };
    let before = round();
    assert_eq!(before["corrections"], json!([]), "{before}");
    let correct = json!({
        "type": "correct", "round": 1, "amount": "2.50", "from": "house", "to": { "rack": "3" },
        "because": "it was 12.50",
    });
    let order = json!({ "id": "one", "do": correct });
    let (status, answer) = house.ask("POST", "/api/tables/war-1/orders", &eve, &order);
    assert_eq!(status, 200, "{answer}");
    let after = round();
    assert_eq!(cents(&after["net"]), cents(&before["net"]) + 250, "{after}");
    assert_eq!(after["wagers"], before["wagers"]);
    let correction = json!([{
        "seq": answer["seq"], "amount": "2.50", "from": "house", "to": "rack:3", "by": "eve",
        "because": "it was 12.50",
    }]);
    assert_eq!(after["corrections"], correction);
    let (_, whole) = house.ask("GET", "/api/rounds/war-1/1", &guest.cookie, &Value::Null);
    assert_eq!(whole["corrections"], correction);
    house.close();
}

#[test]
fn the_cashier_gives_to_who_has_next_to_nothing_anywhere() {
    let house = Open::new("cashier");
    let guest = Guest::new(house.address);
    let ask = || house.ask("POST", "/api/cashier", &guest.cookie, &Value::Null);
    let (status, refusal) = ask();
    assert_eq!((status, refusal["code"].as_str()), (409, Some("not-broke")));
    let mut ann = Client::watch(house.address, &guest, None);
    ann.sit(1, "1000");
    assert_eq!(ask().0, 409);
    ann.done(json!({ "type": "leave" }));
    let lost = "INSERT INTO transfers SELECT NULL, '', 0, '', 'player:' || name, '', 'house', \
                99500, unixepoch() FROM people";
    sql(&house.data, lost).unwrap();
    let (status, me) = ask();
    assert_eq!((status, &me["balance"]), (200, &json!("1000")), "{me}");
    assert_eq!(ask().0, 409);
    assert_eq!(house.ask("POST", "/api/cashier", "", &Value::Null).0, 401);
    let gifts = "SELECT CAST(amount AS TEXT) FROM transfers WHERE from_account = 'cashier'";
    assert_eq!(sql(&house.data, gifts).unwrap(), ["100000", "99500"]);
    house.close();
}

#[test]
fn a_wrong_name_is_answered_as_a_wrong_password_and_both_wait_longer_and_longer() {
    let house = Open::new("wrong");
    house.enter("/api/account", "", &json!({ "name": "ann", "password": PASSWORD }));
    let mut answers = Vec::new();
    for name in ["ann", "nobody"] {
        let body = json!({ "name": name, "password": "ten of diamonds" }).to_string();
        let said: Vec<_> = (0..6)
            .map(|_| {
                let (head, answer) = house.answer("POST", "/api/login", "", &body);
                let wait = head.lines().any(|line| line.starts_with("retry-after: "));
                (status(&head), wait, answer)
            })
            .collect();
        assert!(said[..5].iter().all(|(status, wait, _)| (*status, *wait) == (401, false)));
        assert_eq!((said[5].0, said[5].1), (429, true), "{said:?}");
        answers.push(said);
    }
    assert_eq!(answers[0], answers[1]);
    // The right password waits too, for as long as it says.
    let wrong = json!({ "name": "ann", "password": "ten of diamonds" });
    while house.ask("POST", "/api/login", "", &wrong).0 != 429 {}
    let ann = json!({ "name": "ann", "password": PASSWORD });
    let (head, _) = house.answer("POST", "/api/login", "", &ann.to_string());
    assert_eq!(status(&head), 429);
    let wait = head.lines().find_map(|line| line.strip_prefix("retry-after: ")).unwrap();
    std::thread::sleep(Duration::from_secs(wait.parse().unwrap()));
    house.enter("/api/login", "", &ann);
    house.close();
}

#[test]
fn nothing_is_changed_for_a_page_of_somebody_else() {
    let house = Open::new("elsewhere");
    let guest = Guest::new(house.address);
    let cookie = format!("Cookie: {}\r\nContent-Type: application/json\r\n", guest.cookie);
    let body = json!({ "password": PASSWORD }).to_string();
    for line in [
        "Origin: https://elsewhere.example\r\n",
        "Origin: null\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\n",
    ] {
        for path in ["/api/account", "/api/guest", "/api/login", "/api/logout", "/api/me/password"]
        {
            let lines = format!("{cookie}{line}");
            let (head, answer) = http_with(house.address, "POST", path, &lines, &body);
            assert_eq!(status(&head), 403, "{path} {line} {answer}");
        }
    }
    assert_eq!(house.me(&guest.cookie)["kind"], "guest");
    house.close();
}

#[test]
fn what_is_no_request_is_refused_in_one_sentence() {
    let house = Open::new("hostile");
    let long = format!("{{\"name\":\"{}\",\"password\":\"x\"}}", "a".repeat(5000));
    for (body, expected) in [
        ("", 400),
        ("{", 400),
        ("[]", 400),
        ("{\"name\":\"ann\"}", 400),
        ("{\"name\":\"ann\",\"password\":7}", 400),
        ("{\"name\":\"ann\",\"password\":\"x\",\"role\":\"operator\"}", 400),
        ("{\"name\":\"a\\u0000b\",\"password\":\"0123456789\"}", 401),
        (long.as_str(), 413),
    ] {
        let (head, answer) = house.answer("POST", "/api/login", "", body);
        assert_eq!(status(&head), expected, "{body} {answer}");
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert!(answer["sentence"].as_str().is_some_and(|line| !line.contains('\n')), "{answer}");
    }
    let (head, answer) = http_with(house.address, "POST", "/api/login", "", "{}");
    assert_eq!(status(&head), 415, "{answer}");
    for (body, why) in [
        ("{", "not JSON at line 1 column 1: it ends in the middle of an object"),
        (r#"{"name":"ann"}"#, "missing field 'password'"),
        (r#"{"name":"ann","password":7}"#, "password: invalid type: the number '7', expected text"),
        (
            r#"{"name":"ann","password":"x","role":"operator"}"#,
            "role: unknown field 'role', expected 'name' or 'password'",
        ),
    ] {
        let (_, answer) = house.answer("POST", "/api/login", "", body);
        let sentence = format!("Invalid body: {why}.");
        let refusal = json!({
            "code": "bad-body", "parameters": {}, "source": { "type": "house" }, "sentence": sentence,
        });
        assert_eq!(answer, refusal.to_string());
    }

    let guest = Guest::new(house.address);
    let (name, token) = guest.cookie.split_once('=').unwrap();
    for forged in [
        format!("{name}="),
        format!("{name}={}", "0".repeat(64)),
        format!("{name}={}", token.to_uppercase()),
        format!("{name}={token}0"),
        format!("other={token}"),
    ] {
        assert_eq!(house.ask("GET", "/api/me", &forged, &Value::Null).0, 401, "{forged}");
    }
    // The token of a cookie is good for a program as well, and a wrong one spoils a right cookie.
    assert_eq!(house.me(token)["name"], guest.name);
    let both = format!("Cookie: {}\r\nAuthorization: Basic {token}\r\n", guest.cookie);
    assert_eq!(status(&http_with(house.address, "GET", "/api/me", &both, "").0), 401);
    house.close();
}

#[test]
fn the_store_itself_keeps_people_in_order() {
    let house = Open::new("constraints");
    house.enter("/api/account", "", &json!({ "name": "ann", "password": PASSWORD }));
    let guest = Guest::new(house.address);
    for wrong in [
        "UPDATE people SET role = 'king'",
        "UPDATE people SET kind = 'ghost'",
        "UPDATE people SET role = 'operator' WHERE kind = 'guest'",
        "UPDATE people SET password = NULL WHERE kind = 'account'",
        "UPDATE people SET password = 'x' WHERE kind = 'guest'",
        "INSERT INTO people VALUES ('robo', 'bot', 'operator', NULL, 0)",
        "DELETE FROM people",
        "INSERT INTO sessions VALUES ('x', 'nobody', NULL, 0, 0)",
        "INSERT INTO people SELECT * FROM people WHERE kind = 'account'",
    ] {
        assert!(sql(&house.data, wrong).is_err(), "{wrong}");
    }
    let kept = sql(&house.data, "SELECT password FROM people WHERE name = 'ann'").unwrap();
    assert!(kept[0].starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept:?}");
    let (_, token) = guest.cookie.split_once('=').unwrap();
    let tokens = sql(&house.data, "SELECT token_hash FROM sessions").unwrap();
    assert!(tokens.iter().all(|kept| kept != token) && tokens.len() == 2);
    house.close();
}

#[test]
fn operators_make_people_and_everything_they_do_is_an_event() {
    let house = Open::new("office");
    let max = house.operator();
    assert_eq!(house.me(&max)["role"], "operator");
    let make = |who: Value| house.ask("POST", "/api/people", &max, &who);
    let account = |name: &str, role: &str| json!({ "name": name, "kind": "account", "role": role, "password": PASSWORD });
    for (name, role) in
        [("eve", "supervisor"), ("aud", "auditor"), ("dan", "dealer"), ("ann", "player")]
    {
        let (status, made) = make(account(name, role));
        assert_eq!((status, &made["role"]), (200, &json!(role)), "{made}");
    }
    let (_, bot) = make(json!({ "name": "robo", "kind": "bot" }));
    assert_eq!((&bot["kind"], &bot["role"]), (&json!("bot"), &json!("player")));
    for (wrong, expected) in [
        (account("eve", "player"), 409),
        (account("kim", "king"), 400),
        (json!({ "name": "kim", "kind": "account" }), 400),
        (json!({ "name": "kim", "kind": "bot", "password": PASSWORD }), 400),
        (json!({ "name": "kim", "kind": "bot", "role": "operator" }), 409),
        (json!({ "name": "kim", "kind": "guest" }), 409),
    ] {
        assert_eq!(make(wrong.clone()).0, expected, "{wrong}");
    }

    // Nobody else does any of it, whatever their role.
    let guest = Guest::new(house.address).cookie;
    let mut others = vec![(guest, "player".to_owned())];
    for name in ["eve", "aud", "dan", "ann"] {
        let who = house.enter("/api/login", "", &json!({ "name": name, "password": PASSWORD }));
        others
            .push((who.cookie.clone(), house.me(&who.cookie)["role"].as_str().unwrap().to_owned()));
    }
    for (by, role) in &others {
        for (method, path, body) in [
            ("POST", "/api/people", account("kim", "operator")),
            ("POST", "/api/people/ann/role", json!({ "role": "operator" })),
            ("POST", "/api/people/max/password", json!({ "password": "ten of diamonds" })),
            ("POST", "/api/people/robo/tokens", json!({ "label": "mine" })),
            ("DELETE", "/api/people/robo/tokens/mine", Value::Null),
        ] {
            let (status, refusal) = house.ask(method, path, by, &body);
            assert_eq!(status, 403, "{role} {path} {refusal}");
        }
        let reads = if role == "auditor" { 200 } else { 403 };
        for path in ["/api/people", "/api/office/events", "/api/people?after=bob"] {
            assert_eq!(house.ask("GET", path, by, &Value::Null).0, reads, "{role} {path}");
        }
    }
    assert_eq!(house.ask("POST", "/api/people", "", &account("kim", "player")).0, 401);
    for (query, why) in [
        ("after=x", "after: not a whole number"),
        ("before=1", "before: unknown field 'before', expected 'after'"),
    ] {
        let (status, answer) =
            house.ask("GET", &format!("/api/office/events?{query}"), &max, &Value::Null);
        let sentence = format!("Invalid query parameter: {why}.");
        assert_eq!((status, &answer["sentence"]), (400, &json!(sentence)));
    }

    let role = json!({ "role": "supervisor" });
    let to = |name: &str| format!("/api/people/{name}/role");
    assert_eq!(house.ask("POST", &to("ann"), &max, &role).0, 200);
    assert_eq!(house.ask("POST", &to("max"), &max, &json!({ "role": "player" })).0, 409);
    assert_eq!(house.ask("POST", &to("nobody"), &max, &role).0, 404);
    assert_eq!(house.ask("POST", &to("robo"), &max, &role).0, 409);

    let (_, kept) = house.ask("GET", "/api/office/events", &max, &Value::Null);
    let told: Vec<_> = kept["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| !["start", "configuration"].contains(&event["what"].as_str().unwrap()))
        .map(|event| {
            let word = |key: &str| event[key].as_str().unwrap();
            format!("{} {} {} {}", word("who"), word("what"), word("whom"), word("more"))
        })
        .collect();
    assert_eq!(
        told,
        [
            "command-line operator max ",
            "max sign-in max 127.0.0.1",
            "max make eve account supervisor",
            "max make aud account auditor",
            "max make dan account dealer",
            "max make ann account player",
            "max make robo bot player",
            "eve sign-in eve 127.0.0.1",
            "aud sign-in aud 127.0.0.1",
            "dan sign-in dan 127.0.0.1",
            "max role ann supervisor",
        ]
    );
    for wrong in ["UPDATE events SET who = 'eve'", "DELETE FROM events"] {
        assert!(sql(&house.data, wrong).is_err(), "{wrong}");
    }
    // Guests have names by chance, so nobody knows who else comes after dan.
    let (_, people) = house.ask("GET", "/api/people?after=dan", &max, &Value::Null);
    let names: Vec<_> = people["people"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert!(names.contains(&"eve") && names.iter().all(|name| *name > "dan"), "{people}");
    house.close();
}

#[test]
fn a_supervisor_orders_over_the_socket_and_a_changed_role_closes_it() {
    let house = Open::new("supervisor");
    let max = house.operator();
    let eve = json!({ "name": "eve", "kind": "account", "password": PASSWORD });
    house.ask("POST", "/api/people", &max, &eve);
    let eve = json!({ "name": "eve", "password": PASSWORD });
    let eve = house.enter("/api/login", "", &eve);
    let dealer = json!({ "type": "change_dealer", "dealer": "dan" });
    let mut socket = Client::watch(house.address, &eve, None);
    assert_eq!(socket.ask(&dealer)["refusal"]["source"]["id"], "G-09");
    let role = json!({ "role": "supervisor" });
    assert_eq!(house.ask("POST", "/api/people/eve/role", &max, &role).0, 200);
    assert_eq!(socket.parting().0, 1008);
    let mut socket = Client::watch(house.address, &eve, None);
    socket.done(dealer.clone());
    let mut operator =
        Client::watch(house.address, &Guest { name: "max".into(), cookie: max }, None);
    assert_eq!(operator.ask(&dealer)["refusal"]["source"]["id"], "G-09");
    house.close();
}

#[test]
fn a_bot_has_tokens_and_is_marked_at_the_table() {
    let house = Open::new("bots");
    let max = house.operator();
    house.ask("POST", "/api/people", &max, &json!({ "name": "robo", "kind": "bot" }));
    house.ask(
        "POST",
        "/api/people",
        &max,
        &json!({ "name": "ann", "kind": "account", "password": PASSWORD }),
    );
    let issue = |name: &str, label: &str| {
        let path = format!("/api/people/{name}/tokens");
        house.ask("POST", &path, &max, &json!({ "label": label }))
    };
    let (status, token) = issue("robo", "laptop");
    assert_eq!(status, 200, "{token}");
    let token = token["token"].as_str().unwrap();
    for (name, label, expected) in [
        ("robo", "laptop", 409),
        ("robo", "", 400),
        ("robo", "two\nlines", 400),
        ("ann", "laptop", 409),
        ("nobody", "laptop", 404),
    ] {
        assert_eq!(issue(name, label).0, expected, "{name} {label}");
    }
    for number in 1..8 {
        assert_eq!(issue("robo", &format!("spare {number}")).0, 200);
    }
    assert_eq!(issue("robo", "spare 8").1["code"], "too-many-tokens");

    let me = house.me(token);
    assert_eq!((&me["kind"], &me["balance"]), (&json!("bot"), &json!("1000")));
    let log_in = json!({ "name": "robo", "password": PASSWORD });
    assert_eq!(house.ask("POST", "/api/login", "", &log_in).0, 401);
    assert_eq!(house.ask("POST", "/api/logout", token, &json!({})).0, 409);
    let mut robo = Client::by(house.address, &format!("Bearer {token}"));
    robo.done(json!({ "type": "watch", "table": "war-1" }));
    robo.sit(2, "100");
    let guest = Guest::new(house.address);
    let mut ann = Client::watch(house.address, &guest, None);
    ann.sit(3, "100");
    ann.until(|client| client.seat(3)["name"] == guest.name.as_str());
    assert_eq!((&ann.seat(2)["bot"], &ann.seat(3)["bot"]), (&json!(true), &json!(false)));

    assert_eq!(house.ask("DELETE", "/api/people/robo/tokens/laptop", &max, &Value::Null).0, 200);
    assert_eq!(robo.parting().0, 1008);
    assert_eq!(house.ask("GET", "/api/me", token, &Value::Null).0, 401);
    assert_eq!(house.ask("DELETE", "/api/people/robo/tokens/laptop", &max, &Value::Null).0, 404);
    // The seat is still a bot's after a restart.
    let house = Open::again(house.close());
    let ann = Client::watch(house.address, &guest, None);
    assert_eq!((&ann.seat(2)["bot"], &ann.seat(3)["bot"]), (&json!(true), &json!(false)));
    house.close();
}

#[test]
fn the_worked_client_plays_a_round_at_every_table() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/client.py");
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.lines().count() <= 100);
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        eprintln!("python3 is missing, and docs/client.py is not run");
        return;
    }
    let house = Open::with(Config::new(new_data("client")));
    let max = house.operator();
    house.ask("POST", "/api/people", &max, &json!({ "name": "robo", "kind": "bot" }));
    let (_, token) =
        house.ask("POST", "/api/people/robo/tokens", &max, &json!({ "label": "test" }));
    let address = format!("http://{}", house.address);
    for token in [None, token["token"].as_str()] {
        let mut client = std::process::Command::new("python3");
        let done = client.arg(file).arg(&address).args(token).output().unwrap();
        let said = String::from_utf8(done.stdout).unwrap();
        let failed = String::from_utf8(done.stderr).unwrap();
        assert!(done.status.success(), "{said}{failed}");
        for table in ["war-1", "stud-1", "deck-1", "attack-1", "free-1"] {
            assert!(said.contains(&format!(" at {table}: ")), "{said}");
        }
        // The house may have opened a spare table meanwhile, and the client plays there too.
        let tables = said.lines().filter(|line| !line.starts_with(' ')).count();
        assert!(tables >= 5, "{said}");
        assert_eq!(said.matches("\n  left 1 ").count(), tables, "{said}");
        // Nobody enters deck-1 in the middle of its cards; everything else is played.
        assert!(
            said.matches("No more bets").count() >= if token.is_some() { 4 } else { 5 },
            "{said}"
        );
        assert_eq!(said.contains("robo at war-1"), token.is_some(), "{said}");
    }
    house.close();
}
