//! The coach: whoever asks is answered by what that player knows, and by nothing else.

use crate::client;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use client::open::{Open, data, quick};
use client::{Client, Guest, http};
use house::Config;
use house::analysis::{Analysis, OwnRound, Position};
use house::config::Setup;
use house::tables::dealer::SealedOrder;
use rules::card::Card;
use rules::shoe;
use rules::terms::TermSheet;
use rules::wager::Game;
use serde_json::{Value, json};
use wire::{ActValueView, Coach, CostMethod, RoundReview, ValueMethod};

const TABLE: &str = "table-1";

/// Where ann cuts.
const CUT: usize = 60;

/// Keeps every position and every round that it is asked about, and finds all acts worth a dollar.
#[derive(Default)]
struct Keeper(Mutex<Vec<Position>>, Mutex<Vec<OwnRound>>);

impl Analysis for Keeper {
    fn values(&self, position: &Position) -> Result<Vec<ActValueView>, String> {
        self.0.lock().unwrap().push(position.clone());
        let call = "stand".into();
        let method = ValueMethod::Exact;
        let (amount, at_most, prospects) = (None, None, None);
        Ok(vec![ActValueView {
            call,
            amount,
            gain: 1.0,
            cost: 0.0,
            cost_method: CostMethod::Exact,
            method,
            at_most,
            prospects,
        }])
    }

    fn review(&self, round: &OwnRound) -> RoundReview {
        self.1.lock().unwrap().push(round.clone());
        let (expectation, play, luck) = (-0.25, 0.0, 0.25);
        RoundReview { expectation, play, luck, decisions: Vec::new(), unvalued: 0 }
    }
}

/// Fails whatever it is asked.
struct Failure;

impl Analysis for Failure {
    fn values(&self, _: &Position) -> Result<Vec<ActValueView>, String> {
        std::panic::resume_unwind(Box::new("a mistake"))
    }

    fn review(&self, _: &OwnRound) -> RoundReview {
        std::panic::resume_unwind(Box::new("a mistake"))
    }
}

/// A table of a game with a coach.
fn setup(game: Game, coach: Coach) -> Setup {
    Setup { pace: quick(), coach, ..Setup::new(TABLE, game) }
}

/// A house with this table, whose cards come in this order.
fn open(data: PathBuf, setup: Setup, order: &[Card], analysis: Arc<dyn Analysis>) -> Open {
    let order = order.to_vec();
    let mut config = Config::new(data);
    config.tables = vec![setup];
    config.analysis = Some(analysis);
    config.orders = Arc::new(move |_| Ok(SealedOrder { salt: [7; 32], order: order.clone() }));
    Open::with(config)
}

/// A full shoe in which these cards are dealt first, and the first of them.
fn order(game: Game, first: &str) -> (Vec<Card>, usize) {
    let sheet = TermSheet::new(game);
    let mut order: Vec<Card> = (0..shoe::decks(&sheet)).flat_map(|_| shoe::deck(game)).collect();
    // A single deck is neither cut nor burned from (DDS-R09).
    let front = if order.len() > CUT { CUT + 1 } else { 0 };
    for (at, card) in (front..).zip(first.split(' ')) {
        let card: Card = card.parse().unwrap();
        let found = order[at..].iter().position(|other| *other == card).unwrap();
        order.swap(at, at + found);
    }
    (order, front)
}

fn values(house: &Open, guest: &Guest) -> (u16, Value) {
    let path = format!("/api/tables/{TABLE}/values");
    let (head, body) = http(house.address, "GET", &path, &guest.cookie);
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(&body).unwrap())
}

/// Somebody who sits down with chips, and adds nothing to the order.
fn seated(house: &Open, seat: usize) -> (Guest, Client) {
    let guest = Guest::new(house.address);
    let mut client = Client::at(house.address, TABLE, &guest, None);
    client.sit(seat, "200");
    (guest, client)
}

fn begin(client: &mut Client) {
    client
        .until(|client| client.view["betting"] == true || client.view["mix"]["answered"] == false);
    if client.view["mix"]["answered"] == false {
        if client.view["cut"].is_null() {
            client.ask(&json!({ "type": "commit", "commitment": null }));
        } else {
            client.done(json!({ "type": "cut", "at": CUT }));
        }
    }
}

/// The position at ann's first decision, with bob beside her.
fn asked(game: Game, name: &str, order: &[Card]) -> Position {
    let keeper = Arc::new(Keeper::default());
    let house =
        open(data(&format!("coach-{name}")), setup(game, Coach::Live), order, keeper.clone());
    let (ann, mut first) = seated(&house, 1);
    let (bob, mut second) = seated(&house, 2);
    for client in [&mut first, &mut second] {
        begin(client);
    }
    for client in [&mut first, &mut second] {
        client.until(|client| client.view["betting"] == true);
        client.bet("10");
    }
    first.until(Client::is_asked);
    let (status, answer) = values(&house, &ann);
    assert_eq!((status, &answer["round"]), (200, &json!(1)), "{answer}");
    assert_eq!(answer["decisions"][0]["at"], "1", "{answer}");
    assert_eq!(answer["decisions"][0]["acts"][0]["gain"], 1.0, "{answer}");
    // Whoever is not asked is told nothing.
    if second.view["offers"].as_array().is_some_and(Vec::is_empty) {
        second.until(|bob| bob.version == first.version);
        if !second.is_asked() {
            assert_eq!(values(&house, &bob).1["decisions"], json!([]));
        }
    }
    house.close();
    let mut positions = keeper.0.lock().unwrap();
    positions.drain(..).next().unwrap()
}

/// The game, and the cards that are dealt first.
const DEALS: [(Game, &str); 5] = [
    (Game::CasinoWar, "9d 4c 9s"),
    (Game::DoubleDownStud, "Qd 4c 7h 9s 2d 3c"),
    // Bob's cards and the hole card are for nobody else.
    (Game::DoubleDeck, "5h Tc 6d 6c 9s 8s"),
    (Game::DoubleAttack, "6h Kd 3c 4s 9c"),
    (Game::FreeBet, "8s 9d 6c 8h 2c 7d"),
];

/// The burn card, hole cards, others' private cards and all that is still in the shoe may lie in any
/// order: the question is the same, and so is whatever is answered to it.
#[test]
fn no_unseen_card_is_in_a_question() {
    for (game, first) in DEALS {
        let name = game.name();
        let (order, front) = order(game, first);
        let position = asked(game, name, &order);
        // What ann has seen of the cards that were dealt, none of which is there twice.
        let dealt = front..front + first.split(' ').count();
        let is_seen = |at: usize| dealt.contains(&at) && position.seen.contains(&order[at]);
        let hidden: Vec<usize> = (0..order.len()).filter(|at| !is_seen(*at)).collect();
        assert_eq!(hidden.len() + position.seen.len(), order.len(), "{game}");
        for turn in [1, 23] {
            let mut other = order.clone();
            for (at, place) in hidden.iter().enumerate() {
                other[*place] = order[hidden[(at + turn) % hidden.len()]];
            }
            assert_ne!(other, order);
            let found = asked(game, &format!("{name}-{turn}"), &other);
            assert!(found == position, "{game}: {found:?} and {position:?}");
        }
    }
}

/// What ann and bob do, the cards that come, and for each of ann's questions how many of them were dealt by
/// then and which of those she has not seen: bob's where they are private, and the hole card until it is turned.
struct Course {
    game: Game,
    cards: &'static str,
    /// `?` asks, other words are ann's calls, or bob's behind `bob:`; `bet` is both.
    script: &'static str,
    questions: &'static [(usize, &'static [usize])],
}

/// Two rounds of one shoe. In Double Down Stud, every round has a shoe of its own and one decision.
const COURSES: [Course; 4] = [
    // A tie with a nine, and in the next round with a seven.
    Course {
        game: Game::CasinoWar,
        cards: "9d 4c 9s 7h 3c 7s",
        script: "bet ? surrender bet ?",
        questions: &[(3, &[]), (6, &[])],
    },
    // 11 against 6, and 15; the dealer busts with a ten. Then 14 against 6, and 18.
    Course {
        game: Game::DoubleDeck,
        cards: "5h Tc 6d 6c 9s 8s 4d Td Kd Qs 6s 4h Js 9d 4s",
        script: "bet ? hit ? stand bob:stand bet ? hit ?",
        questions: &[(6, &[1, 4, 5]), (7, &[1, 4, 5]), (14, &[9, 12, 13]), (15, &[9, 12, 13])],
    },
    // The dealer has 6, draws a ten and a nine. Then another 6.
    Course {
        game: Game::DoubleAttack,
        cards: "6h Kd 3c 4s 9c 2d Jh 9h 6s Qd 7c 2s 8c",
        script: "bet ? pass bob:pass ? hit ? stand bob:stand bet ? pass bob:pass ?",
        questions: &[(1, &[]), (5, &[]), (6, &[]), (9, &[]), (13, &[])],
    },
    // As in Double Deck, with open cards.
    Course {
        game: Game::FreeBet,
        cards: "5h Tc 6d 7c 9s 8s 2c Td Kd Qs 6s 2h Js 9d 3d",
        script: "bet ? hit ? stand bob:stand bet ? hit ?",
        questions: &[(6, &[5]), (7, &[5]), (14, &[13]), (15, &[13])],
    },
];

/// The positions at ann's first questions in a course.
fn asked_in(course: &Course, name: &str, order: &[Card], questions: usize) -> Vec<Position> {
    let keeper = Arc::new(Keeper::default());
    let table = setup(course.game, Coach::Live);
    let house = open(data(&format!("coach-{name}")), table, order, keeper.clone());
    let (ann, mut first) = seated(&house, 1);
    let (_, mut second) = seated(&house, 2);
    for client in [&mut first, &mut second] {
        begin(client);
    }
    let (mut round, mut asked) = (0, 0);
    for word in course.script.split(' ') {
        match word {
            "bet" => {
                round += 1;
                for client in [&mut first, &mut second] {
                    client
                        .until(|client| client.view["betting"] == true && client.round() == round);
                    client.bet("10");
                }
            }
            "?" if asked == questions => break,
            "?" => {
                first.until(Client::is_asked);
                let (status, answer) = values(&house, &ann);
                assert_eq!((status, &answer["round"]), (200, &json!(round)), "{answer}");
                asked += 1;
            }
            word => {
                let (client, call) = match word.strip_prefix("bob:") {
                    Some(call) => (&mut second, call),
                    None => (&mut first, word),
                };
                client.until(Client::is_asked);
                let before = client.version;
                client.act(call);
                client.until(|client| client.version > before);
            }
        }
    }
    house.close();
    std::mem::take(&mut *keeper.0.lock().unwrap())
}

/// The same at later decisions, and in a later round of the same shoe: only what ann has seen is in the
/// question, and all else may lie in any order.
#[test]
fn no_unseen_card_is_in_a_later_question() {
    for course in &COURSES {
        let (game, name) = (course.game, course.game.name());
        let (order, front) = order(game, course.cards);
        let many = course.questions.len();
        let positions = asked_in(course, &format!("{name}-course"), &order, many);
        assert_eq!(positions.len(), many, "{game}");
        for (at, (position, (dealt, unseen))) in positions.iter().zip(course.questions).enumerate()
        {
            let places: Vec<usize> =
                (0..*dealt).filter(|at| !unseen.contains(at)).map(|at| front + at).collect();
            let mut seen: Vec<Card> = places.iter().map(|place| order[*place]).collect();
            seen.sort_by_key(|card| card.index());
            assert_eq!(position.seen, seen, "{game}, question {at}");
            let hidden: Vec<usize> = (0..order.len()).filter(|at| !places.contains(at)).collect();
            let mut other = order.clone();
            for (at, place) in hidden.iter().enumerate() {
                other[*place] = order[hidden[(at + 23) % hidden.len()]];
            }
            assert_ne!(other, order);
            let found = asked_in(course, &format!("{name}-course-{at}"), &other, at + 1);
            assert!(found == positions[..=at], "{game}: {found:?} and {position:?}");
        }
    }
}

/// Ann has seen her own cards and the dealer's open one, and not bob's (DDB-R04).
#[test]
fn another_private_hand_is_not_in_a_question() {
    let (order, _) = order(Game::DoubleDeck, DEALS[2].1);
    let position = asked(Game::DoubleDeck, "private", &order);
    let mut seen: Vec<Card> = ["5h", "6c", "6d"].map(|card| card.parse().unwrap()).to_vec();
    seen.sort_by_key(|card| card.index());
    assert_eq!(position.seen, seen);
    assert_eq!(position.round.hands(0), 1);
    assert_eq!((position.round.hands(1), position.round.points(1, 0)), (0, None));
}

#[test]
fn cards_of_earlier_rounds_are_known_also_after_a_restart() {
    // Ann stands on 18 against 17, and on 20.
    let (order, _) = order(Game::DoubleDeck, "Th 7d 8h Ts Kd 6s Qd 5c");
    let keeper = Arc::new(Keeper::default());
    let folder = data("coach-earlier");
    let table = || setup(Game::DoubleDeck, Coach::Live);
    let house = open(folder.clone(), table(), &order, keeper.clone());
    let (ann, mut client) = seated(&house, 1);
    begin(&mut client);
    for round in [1, 2] {
        client.until(|client| client.view["betting"] == true && client.round() == round);
        client.bet("10");
        client.until(Client::is_asked);
        if round == 1 {
            client.act("stand");
        }
    }
    assert_eq!(values(&house, &ann).0, 200);
    house.close();
    let house = open(folder, table(), &order, keeper.clone());
    assert_eq!(values(&house, &ann).0, 200);
    house.close();
    let positions = keeper.0.lock().unwrap();
    let mut seen: Vec<Card> =
        ["Th", "7d", "8h", "Ts", "Kd", "6s", "Qd"].map(|card| card.parse().unwrap()).to_vec();
    seen.sort_by_key(|card| card.index());
    assert_eq!(positions[0].seen, seen);
    assert!(positions[0] == positions[1], "{positions:?}");
}

#[test]
fn a_table_without_a_coach_says_so_and_nobody_asks_too_often() {
    let keeper: Arc<dyn Analysis> = Arc::new(Keeper::default());
    let (order, _) = order(Game::DoubleDeck, "Th 7d 8h Ts");
    for (coach, status, code) in [
        (Coach::Off, 403, "no-coach"),
        (Coach::After, 403, "coach-after-round"),
        (Coach::Live, 200, ""),
    ] {
        let name = format!("coach-{coach:?}");
        let house = open(data(&name), setup(Game::DoubleDeck, coach), &order, keeper.clone());
        let guest = Guest::new(house.address);
        let (found, answer) = values(&house, &guest);
        assert_eq!((found, answer["code"].as_str().unwrap_or("")), (status, code), "{answer}");
        let (_, tables) = http(house.address, "GET", "/api/tables", "");
        let tables: Value = serde_json::from_str(&tables).unwrap();
        let told = serde_json::to_value(coach).unwrap();
        assert_eq!(tables[0]["about"]["coach"], told);
        if coach == Coach::Live {
            let mut asked = (0..10).map(|_| values(&house, &guest));
            let refused = asked.find(|(status, _)| *status == 429).unwrap().1;
            assert_eq!(refused["code"], "too-many-questions");
            assert_eq!(values(&house, &Guest::new(house.address)).0, 200);
        }
        house.close();
    }
    // A house that nobody told what is worth what.
    let mut config = Config::new(data("coach-none"));
    config.tables = vec![setup(Game::DoubleDeck, Coach::Live)];
    let house = Open::with(config);
    assert_eq!(values(&house, &Guest::new(house.address)).1["code"], "no-coach");
    house.close();
}

#[test]
fn a_coach_that_fails_ends_neither_the_table_nor_the_house() {
    let (order, _) = order(Game::DoubleDeck, "Th 7d 8h Ts");
    let table = setup(Game::DoubleDeck, Coach::Live);
    let house = open(data("coach-fails"), table, &order, Arc::new(Failure));
    let (ann, mut client) = seated(&house, 1);
    begin(&mut client);
    client.until(|client| client.view["betting"] == true);
    client.bet("10");
    client.until(Client::is_asked);
    for _ in 0..3 {
        let (status, answer) = values(&house, &ann);
        assert_eq!((status, &answer["code"]), (503, &json!("coach-failed")), "{answer}");
    }
    client.act("stand");
    client.until(|client| client.round() == 2);
    house.close();
}

/// The answer to `GET /api/review`.
fn review(house: &Open, guest: &Guest, query: &str) -> (u16, Value) {
    let (head, body) = http(house.address, "GET", &format!("/api/review{query}"), &guest.cookie);
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(&body).unwrap())
}

/// Ann and bob play two rounds of one shoe. Whoever reviews ann's rounds is told what she knew at each
/// decision: the same as when she was asked, also the cards of the first round in the second.
#[test]
fn a_review_is_told_what_the_player_knew_and_nothing_else() {
    let (order, _) = order(Game::DoubleDeck, "Th Tc 7d 8h 9c Ts Kd Qs 6s Qd Js Td 5c");
    let keeper = Arc::new(Keeper::default());
    let table = setup(Game::DoubleDeck, Coach::Live);
    let house = open(data("coach-review"), table, &order, keeper.clone());
    let (ann, mut first) = seated(&house, 1);
    let (bob, mut second) = seated(&house, 2);
    for client in [&mut first, &mut second] {
        begin(client);
    }
    for round in [1, 2] {
        for client in [&mut first, &mut second] {
            client.until(|client| client.view["betting"] == true && client.round() == round);
            client.bet("10");
        }
        first.until(Client::is_asked);
        assert_eq!(values(&house, &ann).0, 200);
        first.act("stand");
        second.until(Client::is_asked);
        second.act("stand");
    }
    first.until(|client| client.round() == 3);
    let (status, answer) = review(&house, &ann, "");
    assert_eq!(status, 200, "{answer}");
    let told = |round: &Value| (round["round"].clone(), round["net"].clone());
    // 18 against 17, and 20 against 16 that becomes 21.
    let rounds: Vec<_> = answer["rounds"].as_array().unwrap().iter().map(told).collect();
    assert_eq!(rounds, [(json!(2), json!("-10")), (json!(1), json!("+10"))], "{answer}");
    assert_eq!(answer["rounds"][0]["review"]["luck"], 0.25);
    assert_eq!(answer["before"], Value::Null);
    {
        let (asked, reviewed) = (keeper.0.lock().unwrap(), keeper.1.lock().unwrap());
        let mut own: Vec<&OwnRound> = reviewed.iter().collect();
        own.sort_by_key(|own| own.round);
        let decisions = own.iter().flat_map(|own| &own.decisions);
        let positions: Vec<&Position> = decisions.map(|made| &made.position).collect();
        assert!(positions == asked.iter().collect::<Vec<_>>(), "{positions:?} and {asked:?}");
        assert!(own.iter().all(|own| own.openings.len() == 1), "bob's wagers are his own");
    }
    // A page at a time.
    let (_, page) = review(&house, &ann, "?limit=1");
    assert_eq!(page["rounds"].as_array().unwrap().len(), 1);
    let (_, next) = review(&house, &ann, &format!("?limit=1&before={}", page["before"]));
    assert_eq!((&next["rounds"][0]["round"], &next["before"]), (&json!(1), &Value::Null));
    // One round, and only to those who played in it.
    let one = format!("?table={TABLE}&round=1");
    assert_eq!(review(&house, &bob, &one).1["rounds"][0]["net"], json!("+10"));
    assert_eq!(review(&house, &Guest::new(house.address), &one).1["code"], "round-not-found");
    assert_eq!(review(&house, &Guest::new(house.address), "").1["rounds"], json!([]));
    house.close();
}

/// A round at a table without a coach is listed, and not judged; one at which the coach fails as well.
#[test]
fn a_round_without_a_review_says_why() {
    let (order, _) = order(Game::DoubleDeck, "Th 7d 8h Ts Kd 6s Qd 5c");
    let keeper: Arc<dyn Analysis> = Arc::new(Keeper::default());
    for (coach, analysis, why) in [
        (Coach::Off, keeper.clone(), json!("no_coach")),
        (Coach::After, keeper, Value::Null),
        (Coach::After, Arc::new(Failure), json!("failed")),
    ] {
        let name = format!("review-{coach:?}-{why}");
        let name = name.replace('"', "");
        let house = open(data(&name), setup(Game::DoubleDeck, coach), &order, analysis);
        let (ann, mut client) = seated(&house, 1);
        begin(&mut client);
        client.until(|client| client.view["betting"] == true);
        client.bet("10");
        client.until(Client::is_asked);
        client.act("stand");
        client.until(|client| client.round() == 2);
        let (status, answer) = review(&house, &ann, "");
        assert_eq!((status, &answer["rounds"][0]["no_review"]), (200, &why), "{answer}");
        assert_eq!(answer["rounds"][0]["review"].is_null(), !why.is_null());
        house.close();
    }
}
