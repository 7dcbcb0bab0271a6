//! How much crosses the wire: a lone player's round, and an idle lobby.

use crate::client;
use crate::staffed;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use client::{Client, Guest};
use house::Config;
use house::config::Setup;
use house::tables::dealer::{Orders, SealedOrder};
use rules::card::Card;
use serde_json::{Value, json};
use staffed::{Open, new_data};

/// The most bytes of a lone player's round, on average over rounds: both directions, as JSON.
const MOST_A_ROUND: usize = 8 * 1024;

/// Rounds that are measured at each table.
const ROUNDS: u64 = 24;

/// Every shoe in one and the same order, so that the rounds are too.
fn orders() -> Orders {
    Arc::new(|mut order: Vec<Card>| {
        let mut state = 7_u64;
        for at in (1..order.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
            let other = usize::try_from(state >> 33).unwrap() % (at + 1);
            order.swap(at, other);
        }
        Ok(SealedOrder { salt: [7; 32], order })
    })
}

/// How somebody plays.
#[derive(Clone, Copy, Debug)]
enum Style {
    /// The least main wager, hitting to 17, and no more money than that.
    Plain,
    /// Side wagers in one round of three, and any call that is open: more decisions than anybody makes.
    Wild,
}

/// Plays rounds at a table alone, and gives the bytes of each round on average.
fn bytes_a_round(address: SocketAddr, table: &str, style: Style) -> usize {
    let guest = Guest::new(address);
    let mut client = Client::at(address, table, &guest, None);
    client.sit(1, "900");
    let mut state = 7_usize;
    let mut numbers = |below: usize| match style {
        Style::Plain => below / 2,
        Style::Wild => {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
            (state >> 33) % below
        }
    };
    let mut play_to = |client: &mut Client, round: u64| {
        while client.view["round"].as_u64().unwrap() < round || client.view["betting"] == false {
            let is_done = match style {
                Style::Plain if client.is_asked() => decide(client),
                _ => client.play_on(&mut numbers),
            };
            if !is_done {
                client.hear().expect("the house is open");
            }
        }
    };
    let first = client.view["round"].as_u64().unwrap();
    play_to(&mut client, first + 1);
    client.listen();
    let told =
        |client: &Client| client.heard.iter().map(String::len).sum::<usize>() + client.bytes_sent;
    let before = told(&client);
    let first = client.view["round"].as_u64().unwrap();
    play_to(&mut client, first + ROUNDS);
    (told(&client) - before) / usize::try_from(ROUNDS).unwrap()
}

/// Hits to 17 where the game has it, and otherwise takes the first call that is open.
fn decide(client: &mut Client) -> bool {
    let seat = client.seat(1);
    let hand = seat["playing"].as_u64().unwrap_or(1) - 1;
    let holds = &seat["holds"][usize::try_from(hand).unwrap()];
    let points = holds["hard"].as_u64().or(holds["soft"].as_u64()).unwrap_or(0);
    let offers = client.view["offers"].as_array().unwrap();
    let wanted = if points >= 17 { ["stand", "decline"] } else { ["hit", "decline"] };
    let call = wanted.iter().find_map(|call| offers.iter().find(|offer| offer["call"] == **call));
    let call = call.unwrap_or(&offers[0])["call"].clone();
    client.done(json!({ "type": "act", "call": call }));
    let answered = client.version;
    client.until(|client| client.version > answered);
    true
}

#[test]
fn a_lone_players_round_is_short_in_every_game() {
    let mut config = Config::new(new_data("wire-size"));
    let others = config.tables.clone();
    let renamed = |table: Setup| Setup { name: table.name.replace("-1", "-2"), ..table };
    config.tables.extend(others.into_iter().map(renamed));
    config.orders = orders();
    let house = Open::with(config);
    let address = house.address;
    let games = ["war", "stud", "deck", "attack", "free"];
    for (style, number, most) in [(Style::Plain, 1, MOST_A_ROUND), (Style::Wild, 2, MOST_A_ROUND)] {
        let measured: Vec<(&str, usize)> = std::thread::scope(|scope| {
            let measure = |game| {
                let table = format!("{game}-{number}");
                (game, scope.spawn(move || bytes_a_round(address, &table, style)))
            };
            let running: Vec<_> = games.into_iter().map(measure).collect();
            running.into_iter().map(|(table, bytes)| (table, bytes.join().unwrap())).collect()
        });
        println!("bytes of a lone player's round, {style:?}: {measured:?}");
        for (table, bytes) in measured {
            assert!(bytes < most, "{style:?} {table}: {bytes} bytes a round");
        }
    }
    house.close();
}

/// The tables of the next message that is about them.
fn told(client: &mut Client) -> Vec<Value> {
    loop {
        let message = client.hear().expect("the house is open");
        if message["type"] == "lobby" {
            return message["tables"].as_array().unwrap().clone();
        }
    }
}

#[test]
fn the_lobby_is_told_what_changes_and_nothing_else() {
    let house = Open::with(Config::new(new_data("lobby")));
    let mut lobby = Client::in_lobby(house.address);
    let all = told(&mut lobby);
    assert_eq!(all.len(), 5, "{all:?}");
    let names: Vec<_> = all.iter().map(|table| table["table"].as_str().unwrap()).collect();
    assert_eq!(names, ["war-1", "stud-1", "deck-1", "attack-1", "free-1"]);

    // Nothing changes, and nothing is said.
    let before = lobby.heard.len();
    let since = Instant::now();
    while since.elapsed() < Duration::from_secs(3) {
        std::thread::sleep(Duration::from_millis(100));
        lobby.listen();
    }
    assert_eq!(lobby.heard.len(), before, "{:?}", lobby.heard.last());

    // Somebody sits down, and others at another table at about the same time: only those tables are
    // told, and what happens within a second is told together.
    let guests = [(); 3].map(|()| Guest::new(house.address));
    let mut war = Client::at(house.address, "war-1", &guests[0], None);
    war.done(json!({ "type": "sit", "seat": 1 }));
    let mut deck =
        [&guests[1], &guests[2]].map(|guest| Client::at(house.address, "deck-1", guest, None));
    for (client, seat) in deck.iter_mut().zip(1..) {
        client.done(json!({ "type": "sit", "seat": seat }));
    }
    let mut taken = std::collections::BTreeMap::new();
    let mut messages = 0;
    while taken.get("deck-1") != Some(&2) || taken.get("war-1") != Some(&1) {
        messages += 1;
        for table in told(&mut lobby) {
            let name = table["table"].as_str().unwrap().to_owned();
            assert!(["war-1", "deck-1"].contains(&name.as_str()), "{table}");
            taken.insert(name, table["taken"].as_u64().unwrap());
        }
    }
    assert!(messages <= 3, "{messages} messages about three seats");

    // The lobby takes no commands.
    lobby.say(tungstenite::Message::Text("{}".into()));
    assert_eq!(lobby.parting(), (1008, "The lobby takes no commands.".to_owned()));
    house.close();
}
