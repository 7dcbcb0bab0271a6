//! All five games over the socket, with clients that know nothing of any of them.

use crate::client;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use audit::chain::Entry;
use audit::log::Kind;
use client::open::{Open, data};
use client::{Client, Guest, export_of, named};
use house::Config;
use house::config::Setup;
use house::store::{Money, Store, Tables};
use house::tables::dealer::{Orders, Pace, SealedOrder};
use rules::card::Card;
use rules::round::{Audience, Event, Place};
use rules::table::{Input, Table, TableEvent};
use rules::terms::TermSheet;
use rules::wager::Game;
use serde_json::{Value, json};

/// After so long a test has failed.
const PATIENCE: Duration = Duration::from_secs(90);

/// Numbers from a seed.
fn numbers(seed: u64) -> impl FnMut(usize) -> usize + Send {
    let mut state = seed;
    move |bound| {
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            state >> 32
        };
        rules::shoe::below(u32::try_from(bound).unwrap(), &mut next).try_into().unwrap()
    }
}

/// Orders that are shuffled from a seed, and known to the test.
fn orders(seed: u64) -> (Orders, Arc<Mutex<Vec<Vec<Card>>>>) {
    let known = Arc::new(Mutex::new(Vec::new()));
    let (kept, numbers) = (known.clone(), Mutex::new(numbers(seed)));
    let orders = move |mut order: Vec<Card>| {
        let mut below = numbers.lock().unwrap();
        for last in (1..order.len()).rev() {
            order.swap(last, below(last + 1));
        }
        kept.lock().unwrap().push(order.clone());
        let salt = [u8::try_from(kept.lock().unwrap().len() % 256).unwrap(); 32];
        Ok(SealedOrder { salt, order })
    };
    (Arc::new(orders), known)
}

/// A house with these tables.
fn open(data: PathBuf, tables: Vec<Setup>, orders: Orders) -> Open {
    Open::with(Config { tables, orders, ..Config::new(data) })
}

/// Cards at once, and all the time of the world for everything else.
fn patient() -> Pace {
    Pace {
        card: Duration::ZERO,
        betting: Duration::from_secs(60),
        inspection: Duration::ZERO,
        contributions: Duration::from_millis(500),
        ..Pace::default()
    }
}

/// A card on the layout, and who may see it; none where nobody has.
type Lying = Option<(Card, Audience)>;

/// What lay on the layout after a step, and what was told of the step, by the rules alone.
struct Step {
    events: Vec<TableEvent>,
    dealer: Vec<Lying>,
    hands: Vec<Vec<Vec<Lying>>>,
    people: Vec<(String, usize)>,
}

/// The steps of a log, played again.
fn steps(game: &TermSheet, log: &[String]) -> Vec<Step> {
    let mut table = Table::new(game.clone());
    let mut steps = Vec::new();
    let (mut dealer, mut hands) = (Vec::new(), vec![Vec::new(); 7]);
    for line in log {
        let Some((Kind::Input, line)) = Kind::of(line) else { continue };
        let input: Input = line.parse().unwrap();
        let mut events = Vec::new();
        table.apply(&input, &mut events).unwrap();
        for event in &events {
            match event {
                TableEvent::BetsClosed => (dealer, hands) = (Vec::new(), vec![Vec::new(); 7]),
                TableEvent::Left { bettor, .. } if bettor.decides() => hands[bettor.seat()].clear(),
                TableEvent::Round(event) => lay(event, &mut dealer, &mut hands),
                _ => {}
            }
        }
        let people = table.everyone().map(|(at, chair)| (chair.player.to_string(), at.seat()));
        let people = people.collect();
        steps.push(Step { events, dealer: dealer.clone(), hands: hands.clone(), people });
    }
    steps
}

fn lay(event: &Event, dealer: &mut Vec<Lying>, hands: &mut [Vec<Vec<Lying>>]) {
    let mut to = |place: Place, card: Lying| match place {
        Place::Dealer => dealer.push(card),
        Place::Burn => {}
        Place::Hand { seat, hand } => {
            let (seat, hand) = (&mut hands[usize::from(seat)], usize::from(hand));
            if seat.len() == hand {
                seat.push(Vec::new());
            }
            seat[hand].push(card);
        }
    };
    match *event {
        Event::Dealt { place, card, audience } => to(place, Some((card, audience))),
        Event::FaceDown(place) => to(place, None),
        Event::Turned(card) => {
            *dealer.iter_mut().find(|card| card.is_none()).unwrap() =
                Some((card, Audience::Everyone));
        }
        Event::Split { seat, hand } => {
            let hands = &mut hands[usize::from(seat)];
            let second = hands[usize::from(hand)].pop().unwrap();
            hands.insert(usize::from(hand) + 1, vec![second]);
        }
        Event::Shown { seat, hand } => {
            for card in hands[usize::from(seat)][usize::from(hand)].iter_mut().flatten() {
                card.1 = Audience::Everyone;
            }
        }
        _ => {}
    }
}

/// Somebody who looks at a step: the boxes there whose cards are for their eyes.
struct Eyes<'a> {
    step: &'a Step,
    boxes: Vec<usize>,
}

impl Eyes<'_> {
    fn of<'a>(step: &'a Step, viewer: &str) -> Eyes<'a> {
        let own = step.people.iter().filter(|(name, _)| name == viewer);
        Eyes { step, boxes: own.map(|(_, seat)| *seat).collect() }
    }

    fn sees(&self, audience: Audience) -> bool {
        match audience {
            Audience::Everyone => true,
            Audience::Box(seat) => self.boxes.contains(&seat.into()),
        }
    }

    fn face(&self, card: &Lying) -> String {
        let seen = card.filter(|(_, audience)| self.sees(*audience));
        seen.map_or("??".to_owned(), |(card, _)| card.to_string())
    }

    /// Every line is for this viewer, and the story says no more than the lines.
    fn check_event(&self, message: &Value) {
        let known = self.step.events.iter().filter(|event| self.sees(event.audience()));
        let lines: Vec<String> = known.map(ToString::to_string).collect();
        assert_eq!(message["events"], json!(lines));
        let (mut told, mut open) = (Vec::new(), Vec::new());
        named(&message["story"], &mut told);
        named(&message["events"], &mut open);
        assert!(told.iter().all(|card| open.contains(card)), "{message}");
    }

    /// Every card lies where it should, and none is named anywhere else.
    fn check_view(&self, view: &Value) {
        let faces = |cards: &Vec<Lying>| -> Vec<String> {
            cards.iter().map(|card| self.face(card)).collect()
        };
        assert_eq!(view["dealer"], json!(faces(&self.step.dealer)), "{view}");
        let mut rest = view.clone();
        rest["dealer"] = Value::Null;
        for seat in rest["seats"].as_array_mut().unwrap() {
            let number = usize::try_from(seat["seat"].as_u64().unwrap()).unwrap();
            let hands: Vec<_> = self.step.hands[number - 1].iter().map(faces).collect();
            assert_eq!(seat["hands"], json!(hands), "{view}");
            for (hand, holds) in hands.iter().zip(seat["holds"].as_array().unwrap()) {
                let is_hidden = hand.contains(&"??".to_owned());
                assert!(!is_hidden || holds.is_null(), "{view}");
            }
            seat["hands"] = Value::Null;
        }
        let mut cards = Vec::new();
        named(&rest, &mut cards);
        assert!(cards.is_empty(), "{cards:?} in {rest}");
    }
}

/// What a game is played with so that much of it is seen.
const TERMS: [(Game, &[(&str, &str)]); 5] = [
    (Game::CasinoWar, &[("shuffle_method", "automated")]),
    (Game::DoubleDownStud, &[("second_deck", "on"), ("max_boxes_per_player", "2")]),
    (Game::DoubleDeck, &[]),
    (Game::DoubleAttack, &[("max_bettors_per_box", "2"), ("max_boxes_per_player", "2")]),
    (Game::FreeBet, &[("shuffle_method", "continuous"), ("max_boxes_per_player", "2")]),
];

fn setup(game: Game) -> Setup {
    let (_, terms) = TERMS.iter().find(|(other, _)| *other == game).unwrap();
    let mut setup = Setup::new("table-1", game);
    setup.sheet.set(terms.iter().copied()).unwrap();
    setup.pace = patient();
    setup
}

/// Plays so many rounds, and shows that nobody was told a card too early, whatever happened.
fn play(game: Game, rounds: u64) {
    let data = data(&format!("play-{game}"));
    let (orders, known) = orders(7);
    let setup = setup(game);
    let house = open(data.clone(), vec![setup.clone()], orders);
    let guests = [(); 4].map(|()| Guest::new(house.address));
    let mut clients: Vec<Client> =
        guests.iter().map(|guest| Client::at(house.address, "table-1", guest, None)).collect();
    sit_down(&setup, &guests, &mut clients);
    let mut numbers = numbers(game as u64 + 1);
    let since = Instant::now();
    let mut closed = 0;
    while clients[3].view["round"].as_u64().unwrap() <= rounds {
        assert!(since.elapsed() < PATIENCE, "{game}: still {}", clients[3].view);
        for (guest, client) in guests.iter().zip(&mut clients) {
            client.listen();
            if closed < 20 {
                closed += closed_calls(house.address, guest, client);
            }
            client.play_on(&mut numbers);
        }
    }
    // In the two other games all calls are open to whoever is asked.
    let is_blackjack = !matches!(game, Game::CasinoWar | Game::DoubleDownStud);
    assert!(closed > 0 || !is_blackjack, "{game}: no call was closed to anybody");
    for client in &mut clients {
        client.listen();
    }
    let export = export_of(house.address, "table-1");
    let heads: Vec<_> = clients.iter().map(|client| client.head.parse().unwrap()).collect();
    let verdict = audit::verify(export.as_bytes(), &heads).unwrap();
    assert!(verdict.is_clean(), "{verdict}");
    let recalled: Vec<Vec<Value>> =
        guests.iter().map(|guest| recalled(house.address, guest)).collect();
    let shoes = check_shoes(house.address, &guests[3], &known.lock().unwrap());
    house.close();

    let log = log(&data);
    let steps = steps(&setup.sheet, &log);
    for (guest, rounds) in guests.iter().zip(&recalled) {
        check_rounds(guest, rounds, &steps);
    }
    assert!(shoes > 0 && !recalled[0].is_empty() && recalled[3].is_empty());
    let mut private = 0;
    for (guest, client) in guests.iter().zip(&clients) {
        for text in &client.heard {
            let message: Value = serde_json::from_str(text).unwrap();
            let version = usize::try_from(message["version"].as_u64().unwrap_or(0)).unwrap();
            let Some(step) = version.checked_sub(1).map(|at| &steps[at]) else { continue };
            let eyes = Eyes::of(step, &guest.name);
            if message["type"] == "event" {
                eyes.check_event(&message);
            }
            if !message["view"].is_null() {
                eyes.check_view(&message["view"]);
            }
            let secret = |card: &&Lying| matches!(card, Some((_, Audience::Box(_))));
            private += step.hands.iter().flatten().flatten().filter(secret).count();
        }
        for order in known.lock().unwrap().iter() {
            let start: String = order[..8].iter().map(ToString::to_string).collect();
            assert!(client.heard.iter().all(|text| !text.contains(&start)));
        }
    }
    assert_eq!(private > 0, game == Game::DoubleDeck, "cards for their owner's eyes");
    let has = |start: &str| log.iter().any(|line| line.starts_with(start));
    for start in ["< commit", "< open", "< wager", "< deal", "> settled"] {
        assert!(has(start), "{game}: no '{start}'");
    }
    let stores = matches!(game, Game::CasinoWar | Game::DoubleDownStud);
    let shuffles = log.iter().filter(|line| line.starts_with("< shuffle")).count();
    assert!(!stores || shuffles > 1, "the machine shuffles the other cards meanwhile");
}

/// How many calls are closed to somebody: each for a reason, and none at all to whoever does not play.
fn closed_calls(address: SocketAddr, guest: &Guest, client: &Client) -> usize {
    let path = "/api/tables/table-1/closed-calls";
    let (head, body) = client::http(address, "GET", path, &guest.cookie);
    assert!(head.starts_with("HTTP/1.1 200"), "{head} {body}");
    let closed: Vec<Value> = serde_json::from_str(&body).unwrap();
    for call in &closed {
        assert!(call["refusal"]["sentence"].as_str().unwrap().ends_with('.'), "{call}");
    }
    assert!(closed.is_empty() || !client.view["me"].is_null(), "{closed:?}");
    closed.len()
}

/// All rounds of a guest, page by page, each with all its steps, the first one first.
fn recalled(address: SocketAddr, guest: &Guest) -> Vec<Value> {
    let get = |path: &str| -> Value {
        let (head, body) = client::http(address, "GET", path, &guest.cookie);
        assert!(head.starts_with("HTTP/1.1 200"), "{path} {head} {body}");
        serde_json::from_str(&body).unwrap()
    };
    let (mut rounds, mut before) = (Vec::new(), String::new());
    loop {
        let page = get(&format!("/api/rounds?limit=3{before}"));
        for line in page["rounds"].as_array().unwrap() {
            let mut round = get(&format!("/api/rounds/table-1/{}", line["round"]));
            round["line"] = line.clone();
            rounds.insert(0, round);
        }
        match page["before"].as_u64() {
            Some(cursor) => before = format!("&before={cursor}"),
            None => return rounds,
        }
    }
}

/// A guest's rounds are as the guest saw them, and add up to the guest's chips.
fn check_rounds(guest: &Guest, rounds: &[Value], steps: &[Step]) {
    let mut net = 0;
    for round in rounds {
        for step in round["steps"].as_array().unwrap() {
            let version = usize::try_from(step["version"].as_u64().unwrap()).unwrap();
            let eyes = Eyes::of(&steps[version - 1], &guest.name);
            eyes.check_event(step);
            eyes.check_view(&step["view"]);
        }
        let transcript = round["transcript"].as_str().unwrap();
        let written = rules::transcript::read(transcript).unwrap();
        let findings: Vec<_> =
            written.iter().flat_map(|round| rules::transcript::check(round).findings).collect();
        assert!(findings.is_empty(), "{findings:?} in {transcript}");
        let wagers = round["line"]["wagers"].as_array().unwrap();
        let own = round["wagers"].as_array().unwrap().iter();
        let own: Vec<_> = own.filter(|wager| wager["name"] == json!(guest.name)).collect();
        assert_eq!(wagers.iter().collect::<Vec<_>>(), own);
        net += cents(&round["line"]["net"]);
    }
    let Some(last) = rounds.last() else { return };
    let view = &last["steps"].as_array().unwrap().last().unwrap()["view"];
    let places = view["seats"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|seat| seat["behind"].as_array().unwrap().iter().chain([seat]));
    let mut own = places.filter(|place| place["name"] == json!(guest.name));
    assert_eq!(cents(&own.next().unwrap()["rack"]), 90_000 + net, "{}", guest.name);
}

/// Dollars as text, in cents.
fn cents(amount: &Value) -> i64 {
    let amount = amount.as_str().unwrap();
    amount.trim_start_matches('+').parse::<rules::money::Cents>().unwrap().get()
}

/// What is told of each shoe fits the order that was sealed, and no order is told too early. Says
/// how many shoes there were.
fn check_shoes(address: SocketAddr, guest: &Guest, orders: &[Vec<Card>]) -> usize {
    for shoe in 1.. {
        let path = format!("/api/shoes/table-1/{shoe}");
        let (head, body) = client::http(address, "GET", &path, &guest.cookie);
        if head.starts_with("HTTP/1.1 404") {
            return shoe - 1;
        }
        let record: Value = serde_json::from_str(&body).unwrap();
        let seal = record["seal"].as_str().unwrap().parse().unwrap();
        let added = record["contributions"].as_array().unwrap().iter();
        let value = |added: &Value| {
            let bytes = added["bytes"].as_str().or(added["commitment"].as_str());
            bytes.unwrap().parse().unwrap()
        };
        let mut added: Vec<rules::table::Seal> = added.map(value).collect();
        added.sort_unstable();
        let mut cards = audit::mix::mix(&orders[shoe - 1], &seal, &added);
        for cut in record["cuts"].as_array().unwrap() {
            cards.rotate_left(usize::try_from(cut["at"].as_u64().unwrap()).unwrap());
        }
        let dealt = record["dealt"].as_array().unwrap();
        for (told, card) in dealt.iter().zip(&cards) {
            assert!(*told == json!("??") || *told == json!(card.to_string()), "{record}");
        }
        let is_revealed = !record["order"].is_null();
        assert_eq!(is_revealed, !record["salt"].is_null());
        if is_revealed {
            let order: Vec<_> = orders[shoe - 1].iter().map(ToString::to_string).collect();
            assert_eq!(record["order"], json!(order));
        }
    }
    unreachable!("there are not so many shoes")
}

/// Two or three players and somebody who watches; boxes as the game has them.
fn sit_down(setup: &Setup, guests: &[Guest; 4], clients: &mut [Client]) {
    let game = setup.sheet.game();
    clients[0].sit(1, "900");
    clients[1].sit(5, "900");
    if matches!(game, Game::DoubleDownStud | Game::DoubleAttack | Game::FreeBet) {
        clients[1].done(json!({ "type": "sit", "seat": 6 }));
    }
    if game == Game::DoubleAttack {
        let consent = json!({ "type": "consent", "seat": 1, "player": guests[2].name });
        clients[0].done(consent);
        clients[2].done(json!({ "type": "sit", "seat": 1, "behind": true }));
        clients[2].done(json!({ "type": "buy_in", "amount": "900" }));
    }
}

/// The whole log of the table, as the store has it.
fn log(data: &std::path::Path) -> Vec<String> {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let entries = runtime.block_on(async {
        let store = Store::open(&data.join(house::STORE_FILE)).await.unwrap();
        store.entries("table-1", 1, u64::MAX).await.unwrap()
    });
    let line = |entry: Entry| match Kind::of(&entry.line)? {
        (Kind::Clock, _) => None,
        (kind, text) => Some(kind.line(text)),
    };
    entries.into_iter().filter_map(line).collect()
}

#[test]
fn casino_war_is_played_and_tells_no_secret() {
    play(Game::CasinoWar, 12);
}

#[test]
fn double_down_stud_is_played_and_tells_no_secret() {
    play(Game::DoubleDownStud, 8);
}

#[test]
fn double_deck_is_played_and_tells_no_secret() {
    play(Game::DoubleDeck, 12);
}

#[test]
fn double_attack_is_played_and_tells_no_secret() {
    play(Game::DoubleAttack, 8);
}

#[test]
fn free_bet_is_played_and_tells_no_secret() {
    play(Game::FreeBet, 8);
}

#[test]
fn tables_of_casino_war_share_one_meter_and_it_is_there_after_a_restart() {
    // CW-R19: 15 % of a wager of 5 is 75 cents.
    let data = data("meter");
    let tables =
        || ["war-1", "war-2"].map(|name| Setup { name: name.to_owned(), ..setup(Game::CasinoWar) });
    let open = || open(data.clone(), tables().to_vec(), house::tables::dealer::entropy());
    let house = open();
    let guests = [(); 2].map(|()| Guest::new(house.address));
    let [mut ann, mut bob] =
        [("war-1", 0), ("war-2", 1)].map(|(at, i)| Client::at(house.address, at, &guests[i], None));
    assert_eq!([&ann, &bob].map(|client| client.view["meter"].clone()), ["10000", "10000"]);
    for client in [&mut ann, &mut bob] {
        client.sit(1, "900");
        client.until_awaited("cut");
        client.done(json!({ "type": "cut", "at": 60 }));
        client.until_awaited("wagers");
        let wager = json!([
            { "circle": "main", "amount": "5" },
            { "circle": "progressive", "amount": "5" },
        ]);
        client.done(json!({ "type": "wager", "amounts": wager }));
        client.done(json!({ "type": "ready" }));
        client.until(|client| client.lines.iter().any(|line| line == "bets-closed"));
    }
    // The second table knew of the first one's when it closed its bets, and the first is told.
    assert!(bob.lines.iter().any(|line| line == "meter 10001.50"), "{:?}", bob.lines);
    ann.until(|client| client.view["meter"] == "10001.50");
    let (_, tables) = client::http(house.address, "GET", "/api/tables", "");
    let tables: Value = serde_json::from_str(&tables).unwrap();
    assert_eq!(tables.as_array().unwrap().len(), 2);
    let war = &tables[0];
    let facts = [&war["table"], &war["taken"], &war["seats"], &war["meter"], &war["watchable"]];
    assert_eq!(json!(facts), json!(["war-1", 1, 7, "10001.50", true]), "{war}");
    assert_eq!(war["about"]["circles"][0]["circle"], "main");
    house.close();

    let house = open();
    let shows = ["war-1", "war-2"]
        .map(|table| Client::at(house.address, table, &guests[0], None).view["meter"].clone());
    assert_eq!(shows, ["10001.50", "10001.50"]);
    for table in ["war-1", "war-2"] {
        let verdict = audit::verify(export_of(house.address, table).as_bytes(), &[]).unwrap();
        assert!(verdict.is_clean(), "{verdict}");
    }
    house.close();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = Store::open(&data.join(house::STORE_FILE)).await.unwrap();
        let figures = store.figures(house::store::PROGRESSIVE).await.unwrap().unwrap();
        assert_eq!(figures.contributed.to_string(), "1.50");
        let meter = "meter".parse().unwrap();
        let held = store.balance(house::store::PROGRESSIVE, &meter).await.unwrap();
        assert_eq!(held, figures.balance());
        assert_eq!(store.total().await.unwrap().to_string(), "0");
    });
}
