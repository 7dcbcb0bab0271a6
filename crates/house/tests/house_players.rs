//! House players: they come when they are asked for, have no part in what people play for, and leave.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::client::{Client, Guest};
use crate::staffed::{Open, new_data};
use house::Config;
use house::config::{Company, Invitation, Setup};
use rules::wager::Game;
use serde_json::{Value, json};

/// Keeps every invitation, so that a test plays for the house player.
#[derive(Default)]
struct Invited(Mutex<Vec<Invitation>>);

impl Company for Invited {
    fn go(&self, invitation: Invitation) {
        self.0.lock().unwrap().push(invitation);
    }
}

impl Invited {
    /// The tables and tokens of those who were invited, once there are so many.
    fn wait_for(&self, count: usize) -> Vec<(String, String)> {
        let since = Instant::now();
        loop {
            let invited = self.0.lock().unwrap();
            let all = invited.iter().map(|one| (one.table.clone(), one.token.clone()));
            let all: Vec<_> = all.collect();
            drop(invited);
            if all.len() >= count {
                return all;
            }
            assert!(since.elapsed() < Duration::from_secs(20), "{all:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// A house with one table of Casino War, and who is invited there.
fn casino_war(name: &str, change: impl FnOnce(&mut Config)) -> (Open, Arc<Invited>) {
    let invited = Arc::new(Invited::default());
    let mut config = Config::new(new_data(name));
    config.tables = vec![Setup::new("war-1", Game::CasinoWar)];
    config.company = Some(invited.clone());
    change(&mut config);
    (Open::with(config), invited)
}

fn ask_for(client: &mut Client, players: usize) -> Value {
    client.ask(&json!({ "type": "company", "players": players }))
}

fn code(answer: &Value) -> &str {
    answer["refusal"]["code"].as_str().unwrap_or_default()
}

#[test]
fn they_come_when_they_are_asked_for_and_leave_when_no_person_is_left() {
    let (house, invited) = casino_war("company-comes", |_| {});
    let ann = Guest::new(house.address);
    let mut first = Client::at(house.address, "war-1", &ann, None);
    assert_eq!(first.view["company"], json!({ "asked": 0, "most": 4, "seats": [] }));
    // Whoever only watches has nobody to play with.
    assert_eq!(code(&ask_for(&mut first, 1)), "not-seated");
    first.sit(1, "100");
    assert_eq!(code(&ask_for(&mut first, 5)), "too-much-company");
    assert_eq!(ask_for(&mut first, 1)["ok"], true);
    first.until(|client| client.view["company"]["asked"] == 1);

    let (table, token) = invited.wait_for(1)[0].clone();
    assert_eq!(table, "war-1");
    let mut ada = Client::by(house.address, &format!("Bearer {token}"));
    ada.done(json!({ "type": "watch", "table": "war-1", "from": null }));
    ada.until(|client| !client.head.is_empty());
    ada.sit(2, "100");
    assert_eq!(ada.seat(2)["name"], "house-ada");
    first.until(|client| client.view["company"]["seats"] == json!([2]));
    assert_eq!(first.seat(2)["bot"], true);

    // One is enough, and the lobby counts people.
    std::thread::sleep(Duration::from_millis(1200));
    assert_eq!(invited.wait_for(1).len(), 1);
    let (_, tables) = house.ask("GET", "/api/tables", "", &Value::Null);
    assert_eq!(tables[0]["players"], json!([ann.name]));
    assert_eq!((&tables[0]["taken"], &tables[0]["spectators"]), (&json!(2), &json!(0)));

    // They ask for nobody, and have no part in the progressive and in the order of the cards.
    assert_eq!(code(&ask_for(&mut ada, 2)), "company-asks");
    let on = |circle: &str| json!({ "circle": circle, "amount": "5" });
    let wager = |circles: &[&str]| {
        let amounts: Vec<Value> = circles.iter().map(|circle| on(circle)).collect();
        json!({ "type": "wager", "amounts": amounts })
    };
    ada.until(|client| client.awaited() == "wagers");
    let refused = ada.ask(&wager(&["main", "progressive"]));
    assert_eq!(code(&refused), "house-player-progressive");
    assert_eq!(ada.ask(&wager(&["main"]))["ok"], true);
    let commit = ada.ask(&json!({ "type": "commit", "commitment": null }));
    assert_eq!(code(&commit), "staff-never-mixes");
    let cut = ada.ask(&json!({ "type": "cut", "at": 100 }));
    assert_eq!(code(&cut), "staff-never-mixes");

    // Nobody else is given such a name.
    let rename = json!({ "name": "house-bob" });
    let (status, refusal) = house.ask("POST", "/api/me/name", &ann.cookie, &rename);
    assert_eq!((status, &refusal["code"]), (409, &json!("reserved-name")), "{refusal}");

    // Ann goes, and so does the house player.
    ada.done(json!({ "type": "clear" }));
    first.done(json!({ "type": "leave" }));
    ada.until(|client| client.seat(2)["name"].is_null());
    assert_eq!(ada.view["company"]["asked"], 0);
    house.close();
}

#[test]
fn they_are_sent_away_and_leave_a_seat_for_whoever_comes() {
    let (house, invited) = casino_war("company-leaves", |config| {
        config.tables[0].sheet.set([("seats", "3")]).unwrap();
    });
    let [ann, bob] = [(); 2].map(|()| Guest::new(house.address));
    let mut first = Client::at(house.address, "war-1", &ann, None);
    first.sit(1, "100");
    assert_eq!(ask_for(&mut first, 4)["ok"], true);
    // Of three seats one is Ann's, and one stays free.
    std::thread::sleep(Duration::from_millis(1500));
    let tokens = invited.wait_for(1);
    assert_eq!(tokens.len(), 1, "{tokens:?}");
    let mut ada = Client::by(house.address, &format!("Bearer {}", tokens[0].1));
    ada.done(json!({ "type": "watch", "table": "war-1", "from": null }));
    ada.until(|client| !client.head.is_empty());
    ada.sit(2, "100");
    // Bob takes the free one, and the house player makes room for the next.
    let mut second = Client::at(house.address, "war-1", &bob, None);
    second.sit(3, "100");
    ada.until(|client| client.seat(2)["name"].is_null());
    second.done(json!({ "type": "leave" }));
    ada.sit(2, "100");
    assert_eq!(ask_for(&mut first, 0)["ok"], true);
    ada.until(|client| client.seat(2)["name"].is_null());
    house.close();
}

#[test]
fn a_table_can_do_without_them() {
    let (house, invited) = casino_war("company-off", |config| config.tables[0].company = false);
    let ann = Guest::new(house.address);
    let mut first = Client::at(house.address, "war-1", &ann, None);
    first.sit(1, "100");
    assert_eq!(first.view["company"], Value::Null);
    assert_eq!(code(&ask_for(&mut first, 1)), "no-company");
    assert!(invited.0.lock().unwrap().is_empty());
    house.close();
}
