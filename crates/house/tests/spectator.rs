//! A spectator without a seat, or another player, who tries to find out cards that are for others: by every
//! message, every head and every page that the house gives away while a round is played.

use crate::client;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use audit::chain::{Chain, Entry, Head};
use audit::export::Export;
use audit::hash::Hash;
use audit::secret::{Legible, LineSalt};
use client::open::{Open, data};
use client::{Client, Guest, export_of, http, named};
use house::Config;
use house::config::Setup;
use house::tables::dealer::{Pace, SealedOrder};
use rules::card::Card;
use rules::wager::Game;
use serde_json::{Value, json};

/// After so long a test has failed.
const PATIENCE: Duration = Duration::from_secs(60);

const TABLE: &str = "table-1";

/// A house with one table, where cards come slowly enough to look between them.
fn open(game: Game, name: &str) -> Open {
    let mut setup = Setup::new(TABLE, game);
    setup.pace = Pace {
        card: Duration::from_millis(120),
        betting: Duration::from_secs(60),
        inspection: Duration::ZERO,
        contributions: Duration::ZERO,
        ..Pace::default()
    };
    Open::with(Config { tables: vec![setup], ..Config::new(data(&format!("{name}-{game}"))) })
}

/// Everything that a spectator can ask for while others play.
#[derive(Default)]
struct Spoils {
    /// Whatever was sent or answered, as text.
    texts: Vec<String>,
    /// The head of the log, as often as it was told.
    heads: Vec<Head>,
    /// The logs that were saved, under the names that players have.
    logs: Vec<Export>,
}

impl Spoils {
    /// Reads what can be read, and watches once more, which tells the head of now.
    fn take(&mut self, address: SocketAddr, guest: &Guest) {
        for path in ["/api/tables", "/metrics", "/api/shoes/table-1/1", "/api/rounds?table=table-1"]
        {
            let (head, body) = http(address, "GET", path, &guest.cookie);
            self.texts.push(format!("{head}\n{body}"));
        }
        let (_, stranger) = http(address, "GET", "/api/export/table-1", "");
        let known = export_of(address, TABLE);
        self.logs.push(Export::read(&known).unwrap());
        self.texts.extend([stranger, known]);
        let mut watcher = Client::at(address, TABLE, guest, None);
        watcher.listen();
        self.heads.push(watcher.head.parse().unwrap());
        self.texts.append(&mut watcher.heard);
    }

    /// The cards that the log saved last names since bets closed.
    fn in_the_log(&self) -> Vec<Card> {
        let entries = self.logs.last().map_or(&[][..], |log| &log.entries[..]);
        let since = entries.iter().rposition(|entry| entry.line == "> bets-closed");
        let lines = entries[since.unwrap_or(0)..].iter().flat_map(|entry| entry.line.split(' '));
        lines.filter_map(|word| word.parse().ok()).collect()
    }

    /// The cards that follow from a head or from an entry of a saved log, by trying all that a line
    /// could say.
    fn guessed(&self) -> Vec<(u64, String)> {
        let (mut guessed, mut tried) = (Vec::new(), BTreeSet::new());
        for log in &self.logs {
            let mut chain = Chain::new(TABLE);
            for entry in &log.entries {
                let is_private = matches!(Legible::of(&entry.line), Legible::Private(_));
                if is_private && tried.insert(entry.seq) {
                    guessed.extend(guesses(chain, entry.hash).map(|g| (entry.seq, g)));
                }
                chain = Chain::after(entry.head());
            }
            // The head of the entry after the last one that was saved.
            let next = self.heads.iter().find(|head| head.seq == chain.next());
            if let Some(head) = next.filter(|head| tried.insert(head.seq)) {
                guessed.extend(guesses(chain, head.hash).map(|g| (head.seq, g)));
            }
        }
        guessed
    }
}

/// The lines about a card that have this hash in a chain.
fn guesses(chain: Chain, hash: Hash) -> impl Iterator<Item = String> {
    let lines = Card::DECK.into_iter().flat_map(|card| {
        let seats = (1..8).map(move |seat| format!("> card {seat} {card}"));
        let waited = (0..=500).map(move |ms| format!("< +{ms} card {card}"));
        seats.chain([format!("< card {card}")]).chain(waited)
    });
    let no_salt = LineSalt::new([0; 16]);
    lines.filter(move |line| {
        let is_it = |line: &str| { chain }.append(line).hash == hash;
        is_it(line) || is_it(&no_salt.seal(line))
    })
}

/// The cards that lie on a felt for its viewer.
fn lying(view: &Value) -> Vec<Card> {
    let mut cards = Vec::new();
    named(view, &mut cards);
    cards
}

fn attack(game: Game) {
    attack_of(game, open(game, "spectator"), false);
}

/// An attack by eve, who perhaps plays as well.
fn attack_of(game: Game, house: Open, eve_plays: bool) {
    let [ann, eve] = [(); 2].map(|()| Guest::new(house.address));
    let mut seated = Client::at(house.address, TABLE, &ann, None);
    seated.done(json!({ "type": "sit", "seat": 1 }));
    seated.done(json!({ "type": "buy_in", "amount": "500" }));
    let mut other = eve_plays.then(|| Client::at(house.address, TABLE, &eve, None));
    if let Some(eve) = &mut other {
        eve.done(json!({ "type": "sit", "seat": 2 }));
        eve.done(json!({ "type": "buy_in", "amount": "500" }));
    }
    let mut spoils = Spoils::default();
    let since = Instant::now();
    let (mut secret, mut looks) = (Vec::new(), 0);
    while seated.view["round"].as_u64().unwrap() < 3 {
        assert!(since.elapsed() < PATIENCE, "{game}: still {}", seated.view);
        seated.listen();
        if let Some(eve) = &mut other {
            eve.listen();
            eve.play_on(&mut |_| 0);
        }
        let is_in_play = !seated.view["betting"].as_bool().unwrap();
        if is_in_play && !lying(&seated.view).is_empty() && looks < 12 {
            looks += 1;
            spoils.take(house.address, &eve);
            // What ann had before her while eve looked, and eve has not on her felt.
            let hands = lying(&seated.view["seats"][0]["hands"]);
            let shown: Vec<_> = spoils.texts.iter().flat_map(|text| on_the_felt(text)).collect();
            let told = spoils.in_the_log();
            assert!(told.iter().all(|card| shown.contains(card)), "{game}: {told:?} {shown:?}");
            secret.extend(hands.into_iter().filter(|card| !shown.contains(card)));
            continue;
        }
        seated.play_on(&mut |_| 0);
    }
    assert!(looks > 1, "{game}: eve looked {looks} times");
    assert_eq!(spoils.guessed(), [], "{game}");
    assert_eq!(secret.is_empty(), game != Game::DoubleDeck, "{game}: cards for ann alone");
    // Afterwards the same log tells every card, and the heads of then are in it.
    let log = export_of(house.address, TABLE);
    let verdict = audit::verify(log.as_bytes(), &spoils.heads).unwrap();
    assert!(verdict.is_clean(), "{verdict}");
    let told = Export::read(&log).unwrap().entries;
    let opened =
        told.iter().filter(|entry| matches!(Legible::of(&entry.line), Legible::Opened { .. }));
    assert_eq!(opened.count() > 0, game == Game::DoubleDeck);
    // With the log as it was written before there were private lines, the same attack finds the cards.
    let found = in_the_open(spoils, &told).guessed();
    assert_eq!(found.is_empty(), game != Game::DoubleDeck, "{game}: {found:?}");
    house.close();
}

/// The cards on a spectator's felt in a message.
fn on_the_felt(text: &str) -> Vec<Card> {
    let Ok(message) = serde_json::from_str::<Value>(text) else { return Vec::new() };
    lying(&message["view"]).into_iter().chain(lying(&message["change"])).collect()
}

/// The same spoils, had the house chained what only some may see by its text.
fn in_the_open(spoils: Spoils, told: &[Entry]) -> Spoils {
    let mut chain = Chain::new(TABLE);
    let plain = |entry: &Entry| chain.append(Legible::of(&entry.line).text().unwrap_or_default());
    let plain: Vec<Entry> = told.iter().map(plain).collect();
    let hash = |seq: u64| plain[usize::try_from(seq).unwrap() - 1].hash;
    let logs = spoils.logs.into_iter().map(|log| {
        let same = |entry: Entry| Entry { hash: hash(entry.seq), ..entry };
        Export { entries: log.entries.into_iter().map(same).collect(), ..log }
    });
    let heads = spoils.heads.iter().map(|head| Head { seq: head.seq, hash: hash(head.seq) });
    Spoils { heads: heads.collect(), logs: logs.collect(), texts: Vec::new() }
}

#[test]
fn casino_war_tells_a_spectator_nothing() {
    attack(Game::CasinoWar);
}

#[test]
fn double_down_stud_tells_a_spectator_nothing() {
    attack(Game::DoubleDownStud);
}

#[test]
fn double_deck_tells_a_spectator_nothing() {
    attack(Game::DoubleDeck);
}

#[test]
fn double_deck_tells_another_player_nothing() {
    let game = Game::DoubleDeck;
    attack_of(game, open(game, "player"), true);
}

#[test]
fn double_attack_tells_a_spectator_nothing() {
    attack(Game::DoubleAttack);
}

#[test]
fn free_bet_tells_a_spectator_nothing() {
    attack(Game::FreeBet);
}

/// Where ann cuts.
const CUT: usize = 52;

/// What a spectator is told and can ask for, up to ann's decision about a hand that only she sees: the
/// cards that lie at these places after the cut and the burn card. Names, hashes and times are left out.
fn told_about(cards: [&'static str; 4]) -> Vec<String> {
    let mut setup = Setup::new(TABLE, Game::DoubleDeck);
    setup.pace = Pace { contributions: Duration::from_secs(2), ..client::open::quick() };
    let mut config = Config::new(data(&format!("spectator-of-{}", cards.concat())));
    config.tables = vec![setup];
    config.orders = Arc::new(move |mut order: Vec<Card>| {
        for (at, card) in (CUT + 1..).zip(cards) {
            let card: Card = card.parse().unwrap();
            let found = at + order[at..].iter().position(|other| *other == card).unwrap();
            order.swap(at, found);
        }
        Ok(SealedOrder { salt: [7; 32], order })
    });
    let house = Open::with(config);
    let [ann, eve] = [(); 2].map(|()| Guest::new(house.address));
    let mut seated = Client::at(house.address, TABLE, &ann, None);
    seated.done(json!({ "type": "sit", "seat": 1 }));
    seated.until(|ann| ann.view["mix"]["answered"] == false);
    let mut watcher = Client::at(house.address, TABLE, &eve, None);
    seated.done(json!({ "type": "buy_in", "amount": "500" }));
    seated.done(json!({ "type": "commit", "commitment": null }));
    seated.done(json!({ "type": "cut", "at": CUT }));
    seated.until(|ann| ann.view["betting"] == true);
    seated.bet("10");
    seated.until(Client::is_asked);
    let mut hand = lying(&seated.view["seats"][0]["hands"]);
    hand.sort_unstable();
    let mut dealt = [cards[0], cards[2]].map(|card| card.parse().unwrap());
    dealt.sort_unstable();
    assert_eq!(hand, dealt, "ann has them");
    watcher.until(|eve| eve.version == seated.version);
    let mut told = watcher.heard;
    for path in ["/api/export/table-1", "/api/tables", "/api/shoes/table-1/1"] {
        told.push(http(house.address, "GET", path, &eve.cookie).1);
    }
    house.close();
    told.iter().map(|text| masked(text, &[&ann.name, &eve.name])).collect()
}

/// A text without what differs between any two rounds.
fn masked(text: &str, names: &[&str]) -> String {
    let text = names.iter().fold(text.to_owned(), |text, name| text.replace(name, "NAME"));
    let mut masked = String::with_capacity(text.len());
    for word in text.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric()) {
        let bare = word.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric());
        let is_long = bare.len() >= 9 && bare.bytes().all(|byte| byte.is_ascii_digit());
        let is_wait = ["within_ms\":", "shuffle_in\":"].iter().any(|key| masked.ends_with(key));
        let is_time = is_long || is_wait || masked.ends_with(['+', '@']);
        let is_hash = bare.len() >= 16 && bare.bytes().all(|byte| byte.is_ascii_hexdigit());
        masked.push_str(if is_time || is_hash { "#" } else { bare });
        masked.push_str(&word[bare.len()..]);
    }
    // How long it is until the shuffle is told where that has changed, which rests on a clock.
    masked.replace(",\"shuffle_in\":#", "")
}

#[test]
fn what_a_spectator_is_told_has_the_same_length_and_order_whatever_is_hidden() {
    // Ann's hand, with the dealer's card between: 5-6, T-9 (which she would stand on), and a pair.
    let told = told_about(["5h", "7c", "6c", "8s"]);
    assert!(told.len() > 8 && told.iter().any(|text| text.contains("private #")), "{told:?}");
    for other in [["Td", "7c", "9h", "8s"], ["8d", "7c", "8c", "2s"]] {
        let other_told = told_about(other);
        let differs = told.iter().zip(&other_told).find(|(one, other)| one != other);
        assert_eq!((differs, told.len()), (None, other_told.len()), "{other:?}");
    }
}
