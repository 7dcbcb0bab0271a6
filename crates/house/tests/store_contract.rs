//! What every store keeps to: one list of laws, held against SQLite and against PostgreSQL.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use audit::chain::{Chain, Entry};
use audit::custody::SealedOrder;
use futures_util::future::join_all;
use house::people::gains::Gain;
use house::people::password::PasswordHash;
use house::people::{Kind, Person, Role};
use house::store::*;
use rules::card::Card;
use rules::money::Cents;
use rules::progressive::Figures;
use rules::table::{Account, Name, Transfer};
use rules::wager::{Bettor, Circle, Game};

use crate::postgres_server::Server;
use crate::store_guards::{
    a_former_name_moves_its_money_once, a_start_misses_no_part_of_the_schema,
    damage_that_a_start_insists_on_is_named, own_limits_hold_at_two_tables_at_once,
    the_office_moves_money_to_a_new_name_alone,
};

/// Where the store of a law is, and who edits its rows directly.
pub(crate) struct Place {
    pub(crate) at: Address,
    edit: Box<dyn Fn(&str) -> bool + Send + Sync>,
}

impl Place {
    pub(crate) async fn open(&self) -> Store {
        Store::open(&self.at).await.unwrap()
    }

    /// Whether the database lets a line through.
    pub(crate) fn lets(&self, line: &str) -> bool {
        (self.edit)(line)
    }
}

/// Defines a list of laws with their names, and a test of SQLite for each.
macro_rules! laws {
    ($($law:ident)+) => {
        const LAWS: &[&str] = &[$(stringify!($law)),+];

        async fn hold(law: &str, place: Place) {
            match law {
                $(stringify!($law) => $law(place).await,)+
                law => unreachable!("{law}"),
            }
        }

        mod on_sqlite {
            $(#[tokio::test]
            async fn $law() {
                super::$law(super::file(stringify!($law))).await;
            })+
        }
    };
}

laws! {
    an_append_is_there_or_leaves_nothing
    what_is_refused_in_a_group_leaves_the_others_alone
    a_former_owner_writes_nothing
    entries_follow_each_other
    what_is_written_is_never_changed
    nobody_owes
    money_comes_from_somewhere
    a_wager_is_settled_once
    a_command_is_known_by_its_id
    a_sealed_order_comes_back
    checkpoints_are_the_last_ones
    sessions_and_roles
    a_guest_becomes_an_account
    exclusions_are_not_shortened
    nodes_follow_changes_of_people
    visits_and_bounds
    statistics_of_a_player
    a_progressive_meter
    corrections_wait_for_a_second_supervisor
    leases_by_the_clock_of_the_database
    one_of_two_nodes_takes_a_table
    hand_over_and_drain
    many_tables_share_players
    books_are_reconciled_and_exported
    one_identity_and_one_secret
    a_start_misses_no_part_of_the_schema
    the_office_moves_money_to_a_new_name_alone
    a_former_name_moves_its_money_once
    damage_that_a_start_insists_on_is_named
    own_limits_hold_at_two_tables_at_once
}

/// A file for a law.
fn file(name: &str) -> Place {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("contract").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(house::STORE_FILE);
    let at = Address::from(&file);
    let edit = move |line: &str| {
        let edited = edit_file(&file, line);
        edited.is_ok()
    };
    Place { at, edit: Box::new(edit) }
}

/// Edits a file directly.
fn edit_file(file: &std::path::Path, line: &str) -> Result<(), sqlx::Error> {
    use sqlx::{Connection, SqliteConnection};
    let url = format!("sqlite://{}", file.display());
    let line = sqlx::AssertSqlSafe(line.to_owned());
    let edit = async move {
        let mut store = SqliteConnection::connect(&url).await?;
        sqlx::raw_sql(line).execute(&mut store).await?;
        store.close().await
    };
    std::thread::spawn(|| {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(edit)
    })
    .join()
    .unwrap()
}

/// One server for all laws, and a database for each.
#[test]
fn every_law_holds_on_postgres() {
    let Some(server) = Server::start("contract") else { return };
    let server = std::sync::Arc::new(server);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for law in LAWS {
        let begun = std::time::Instant::now();
        print!("{law} ");
        let at = Address::Postgres(server.database(law).parse().unwrap());
        let (server, database) = (server.clone(), law.to_string());
        let edit = move |line: &str| server.psql(&database, line).is_some();
        runtime.block_on(hold(law, Place { at, edit: Box::new(edit) }));
        println!("{:.1?}", begun.elapsed());
    }
}

pub(crate) const WAR: &str = "war-1";

pub(crate) fn name(name: &str) -> Name {
    name.parse().unwrap()
}

fn transfer((from, to, amount): (&str, &str, i64)) -> Transfer {
    let [from, to] = [from, to].map(|account| account.parse().unwrap());
    Transfer { from, to, amount: Cents::new(amount) }
}

pub(crate) fn append(epoch: i64, entries: Vec<Entry>, money: &[(&str, &str, i64)]) -> Append {
    let transfers = money.iter().copied().map(transfer).collect();
    Append { table: WAR.to_owned(), epoch, entries, transfers, ..Append::default() }
}

fn command(id: &str, asks: &str) -> Command {
    Command { player: name("ann"), id: id.to_owned(), asks: asks.to_owned() }
}

/// A store with ann in it, and a table that is owned.
pub(crate) async fn with_ann(place: &Place) -> (Store, i64, Chain) {
    let store = place.open().await;
    store.add_guest(&name("ann"), "secret").await.unwrap();
    let epoch = store.own(WAR).await.unwrap();
    (store, epoch, Chain::new(WAR))
}

async fn balance(store: &Store, account: &str) -> i64 {
    store.balance(WAR, &account.parse().unwrap()).await.unwrap().get()
}

async fn an_append_is_there_or_leaves_nothing(place: Place) {
    let (store, epoch, mut chain) = with_ann(&place).await;
    assert_eq!(store.person("secret").await.unwrap(), Some(Person::player(name("ann"))));
    assert_eq!(store.person("other").await.unwrap(), None);
    let taken = store.add_guest(&name("ann"), "other").await;
    assert!(matches!(taken, Err(StoreError::Taken)), "{taken:?}");
    let first = vec![chain.append("< sit 1 ann"), chain.append("> seated 1 ann")];
    store.append(append(epoch, first.clone(), &[("player:ann", "rack:1", 60_000)])).await.unwrap();
    let next = vec![chain.append("< deal")];
    for money in [
        &[("house", "rack:1", 1), ("player:ann", "rack:1", 40_001)][..],
        &[("rack:1", "house", 60_001)],
        &[("escrow", "house", 1)],
        // Also where it would come back at once.
        &[("rack:1", "house", 60_001), ("house", "rack:1", 60_001)],
    ] {
        let refused = store.append(append(epoch, next.clone(), money)).await;
        assert!(matches!(refused, Err(StoreError::Overdrawn)), "{refused:?}");
    }
    assert_eq!(store.entries(WAR, 1, u64::MAX).await.unwrap(), first);
    assert_eq!(balance(&store, "rack:1").await, 60_000);
    assert_eq!(balance(&store, "player:ann").await, 40_000);
    assert_eq!(store.total().await.unwrap(), Cents::ZERO);
    assert_eq!(store.epoch(WAR).await.unwrap(), Some(epoch));
    assert_eq!(store.epoch("none").await.unwrap(), None);
    store.probe(WAR).await.unwrap();
    store.close().await;
    assert!(store.person("secret").await.is_err() && store.own(WAR).await.is_err());
    // What was written is there for the next one who opens it.
    let again = place.open().await;
    assert_eq!(again.entries(WAR, 2, 2).await.unwrap(), first[1..]);
}

async fn what_is_refused_in_a_group_leaves_the_others_alone(place: Place) {
    let (store, epoch, mut chain) = with_ann(&place).await;
    let [first, second] = ["< sit 1 ann", "< deal"].map(|line| vec![chain.append(line)]);
    let group = [
        append(epoch, first.clone(), &[("player:ann", "rack:1", 60_000)]),
        append(epoch, Vec::new(), &[("player:ann", "rack:1", 60_000)]),
        append(epoch, Vec::new(), &[("rack:1", "escrow", 10_000)]),
        append(epoch - 1, second.clone(), &[]),
        append(epoch, second.clone(), &[]),
    ];
    let done = join_all(group.into_iter().map(|append| store.append(append))).await;
    let is_done: Vec<bool> = done.iter().map(Result::is_ok).collect();
    assert_eq!(is_done, [true, false, true, false, true], "{done:?}");
    assert!(matches!(done[1], Err(StoreError::Overdrawn)));
    let entries = store.entries(WAR, 1, u64::MAX).await.unwrap();
    assert_eq!(entries, [first, second].concat());
    assert_eq!(balance(&store, "rack:1").await, 50_000);
    assert_eq!(store.total().await.unwrap(), Cents::ZERO);
}

async fn a_former_owner_writes_nothing(place: Place) {
    let store = place.open().await;
    let before = store.own(WAR).await.unwrap();
    let now = store.own(WAR).await.unwrap();
    assert!(now > before);
    let entry = vec![Chain::new(WAR).append("< deal")];
    let decks = || Append { decks: Some(7), ..append(before, Vec::new(), &[]) };
    for late in [append(before, entry.clone(), &[]), append(before, Vec::new(), &[]), decks()] {
        let refused = store.append(late).await.unwrap_err().to_string();
        assert!(refused.contains("another owner"), "{refused}");
    }
    store.append(append(now, entry.clone(), &[])).await.unwrap();
    assert!(store.append(append(before, entry, &[])).await.is_err());
    assert_eq!(store.decks(WAR).await.unwrap(), None);
    assert!(!place.lets("UPDATE tables SET epoch = 1"), "an epoch never goes back");
}

async fn entries_follow_each_other(place: Place) {
    let (store, epoch, mut chain) = with_ann(&place).await;
    let lines: Vec<Entry> = (0..5).map(|n| chain.append(format!("< {n}"))).collect();
    store.append(append(epoch, lines[..2].to_vec(), &[])).await.unwrap();
    for wrong in [&lines[..1], &lines[1..3], &lines[3..]] {
        let refused = store.append(append(epoch, wrong.to_vec(), &[])).await;
        assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    }
    let gap = vec![lines[2].clone(), lines[4].clone()];
    assert!(store.append(append(epoch, gap, &[])).await.is_err());
    store.append(append(epoch, lines[2..].to_vec(), &[])).await.unwrap();
    assert_eq!(store.entries(WAR, 1, u64::MAX).await.unwrap(), lines);
    assert!(!place.lets("INSERT INTO entries VALUES ('war-1', 7, 1, 'x', 'y')"));
    assert!(!place.lets("INSERT INTO entries VALUES ('war-1', 6, 9, 'x', 'y')"));
    assert!(!place.lets("INSERT INTO entries VALUES ('none', 1, 1, 'x', 'y')"));
}

async fn what_is_written_is_never_changed(place: Place) {
    let (store, epoch, mut chain) = with_ann(&place).await;
    let mut first = append(epoch, vec![chain.append("< sit 1 ann")], &[]);
    first.kept = Some(RoundChange { round: 1, settled: vec![wager()], ..RoundChange::default() });
    store.append(first).await.unwrap();
    let (by, label) = (name("ann"), "x".to_owned());
    let event = HouseEvent { who: by.to_string(), what: EventKind::Start, whom: None, more: label };
    store.change(Change::Note(event)).await.unwrap();
    for (table, column) in [
        ("entries", "line = ''"),
        ("transfers", "amount = 1"),
        ("settlements", "gain = 0"),
        ("events", "more = ''"),
    ] {
        assert!(!place.lets(&format!("UPDATE {table} SET {column}")), "{table} is never changed");
        assert!(!place.lets(&format!("DELETE FROM {table}")), "{table} is never removed");
    }
    assert!(!place.lets("DELETE FROM people"), "nobody is forgotten");
}

async fn nobody_owes(place: Place) {
    let (store, ..) = with_ann(&place).await;
    assert!(!place.lets("UPDATE accounts SET balance = -1 WHERE account = 'player:ann'"));
    assert!(place.lets("UPDATE accounts SET balance = balance WHERE account = 'cashier'"));
    assert_eq!(balance(&store, "player:ann").await, PLAY_MONEY.get());
}

async fn money_comes_from_somewhere(place: Place) {
    let (store, epoch, _) = with_ann(&place).await;
    let same = store.append(append(epoch, Vec::new(), &[("house", "house", 5)])).await;
    assert!(same.is_err(), "{same:?}");
    let nothing = store.append(append(epoch, Vec::new(), &[("house", "escrow", 0)])).await;
    assert!(nothing.is_err(), "{nothing:?}");
    // The house's money is kept by table.
    let other = store.own("war-2").await.unwrap();
    let transfers = vec![transfer(("house", "escrow", 70))];
    let append = Append { table: "war-2".to_owned(), epoch: other, transfers, ..Append::default() };
    store.append(append).await.unwrap();
    let mut held = Vec::new();
    for table in [WAR, "war-2"] {
        held.push(store.balance(table, &Account::House).await.unwrap().get());
    }
    assert_eq!(held, [0, -70]);
    assert_eq!(store.total().await.unwrap(), Cents::ZERO);
}

fn wager() -> WagerResult {
    WagerResult {
        bettor: Bettor::at(2),
        person: name("ann"),
        hand: 0,
        circle: Circle::Main,
        lammer: false,
        is_award: false,
        stake: Cents::new(500),
        gain: Cents::new(500),
        clause: "CW-8-c",
    }
}

async fn a_wager_is_settled_once(place: Place) {
    let (store, epoch, mut chain) = with_ann(&place).await;
    let begun = || RoundChange { round: 1, ..RoundChange::default() };
    let settles = |settled| RoundChange { settled, ..begun() };
    let mut of = |kept: RoundChange| Append {
        kept: Some(kept),
        ..append(epoch, vec![chain.append("< card 9d")], &[])
    };
    store.append(of(RoundChange { begins: Some(1), ..begun() })).await.unwrap();
    store.append(of(settles(vec![wager()]))).await.unwrap();
    let twice = Append {
        kept: Some(settles(vec![wager()])),
        ..append(epoch, Vec::new(), &[("house", "escrow", 1)])
    };
    assert!(store.append(twice).await.is_err(), "a wager is settled once");
    assert_eq!(balance(&store, "escrow").await, 0);
    // Awards have no stake of their own, and one person can have several.
    let award = WagerResult { circle: Circle::Envy, is_award: true, ..wager() };
    store.append(of(settles(vec![award.clone(), award]))).await.unwrap();
    let lammer = WagerResult { lammer: true, ..wager() };
    store.append(of(settles(vec![lammer]))).await.unwrap();
    store.append(of(RoundChange { ends: true, ..begun() })).await.unwrap();
    let again = of(RoundChange { ends: true, ..begun() });
    assert!(store.append(again).await.is_err(), "a round ends once");
    let settled = store.settlements(WAR, 1).await.unwrap();
    assert_eq!(settled.len(), 4);
    assert_eq!(settled.iter().filter(|it| it.is_award).count(), 2);
    assert_eq!(settled.iter().filter(|it| it.lammer).count(), 1);
    let wanted = RoundsWanted { person: Some(name("ann")), limit: 10, ..RoundsWanted::default() };
    for table in [None, Some(WAR.to_owned())] {
        let wanted = RoundsWanted { table, ..wanted.clone() };
        let found = store.rounds(&wanted).await.unwrap();
        assert_eq!((found.len(), found[0].round, found[0].to, found[0].is_void), (1, 1, 5, false));
        assert_eq!(store.round(WAR, 1).await.unwrap().as_ref(), Some(&found[0]));
        let summaries = store.summaries(&found, &name("ann")).await.unwrap();
        assert_eq!(summaries[0].wagers, settled);
        let wanted = RoundsWanted { before: Some(found[0].id), ..wanted };
        assert!(store.rounds(&wanted).await.unwrap().is_empty());
    }
    let everyone = RoundsWanted { limit: 10, ..RoundsWanted::default() };
    assert_eq!(store.rounds(&everyone).await.unwrap().len(), 1);
}

async fn a_command_is_known_by_its_id(place: Place) {
    let (store, epoch, mut chain) = with_ann(&place).await;
    let mut first = append(epoch, vec![chain.append("< sit 1 ann")], &[]);
    first.command = Some(command("one", "chips"));
    store.append(first).await.unwrap();
    let known = store.known(&command("one", "chips")).await.unwrap();
    assert_eq!(known, Some(Known::Applied(Some(1))));
    assert_eq!(store.known(&command("one", "a seat")).await.unwrap(), Some(Known::Other));
    assert_eq!(store.known(&command("two", "chips")).await.unwrap(), None);
    let mut again = append(epoch, vec![chain.append("< leave 1")], &[]);
    again.command = Some(command("one", "chips"));
    let refused = store.append(again).await;
    assert!(matches!(refused, Err(StoreError::Repeated)), "{refused:?}");
    let mut quiet = append(epoch, Vec::new(), &[]);
    quiet.command = Some(command("three", "a word"));
    store.append(quiet).await.unwrap();
    let known = store.known(&command("three", "a word")).await.unwrap();
    assert_eq!(known, Some(Known::Applied(None)));
}

async fn a_sealed_order_comes_back(place: Place) {
    let (store, epoch, mut chain) = with_ann(&place).await;
    let sealed = SealedOrder { salt: [7; 32], order: Card::DECK.to_vec() };
    let mut shuffled = append(epoch, vec![chain.append("< shuffle")], &[]);
    shuffled.sealed = Some((1, sealed.clone()));
    shuffled.kept = Some(RoundChange { shuffled: vec![1], ..RoundChange::default() });
    shuffled.decks = Some(11);
    store.append(shuffled).await.unwrap();
    assert_eq!(store.sealed(WAR, 1).await.unwrap(), sealed);
    let missing = store.sealed(WAR, 2).await;
    assert!(matches!(missing, Err(StoreError::Unreadable { .. })), "{missing:?}");
    assert_eq!(store.shoe(WAR, 1).await.unwrap().map(|(seq, _)| seq), Some(1));
    assert_eq!(store.shoe(WAR, 2).await.unwrap(), None);
    store.append(Append { decks: Some(12), ..append(epoch, Vec::new(), &[]) }).await.unwrap();
    assert_eq!(store.decks(WAR).await.unwrap(), Some(12));
}

async fn checkpoints_are_the_last_ones(place: Place) {
    let (store, epoch, mut chain) = with_ann(&place).await;
    let stand = |when, entry: &Entry, standing: &str| Checkpoint {
        when,
        head: entry.head(),
        version: entry.seq,
        rules: "rules".to_owned(),
        standing: standing.to_owned(),
    };
    let entries: Vec<Entry> = (0..3).map(|n| chain.append(format!("< {n}"))).collect();
    let whens = [When::BetsOpened, When::BetsClosed, When::BetsClosed];
    let group = entries.iter().zip(whens).map(|(entry, when)| Append {
        checkpoint: Some(stand(when, entry, &entry.line)),
        ..append(epoch, vec![entry.clone()], &[])
    });
    // All of them in one commit, or in several.
    for done in join_all(group.map(|append| store.append(append))).await {
        done.unwrap();
    }
    let opened = store.checkpoint(WAR, When::BetsOpened).await.unwrap();
    assert_eq!(opened, Some(stand(When::BetsOpened, &entries[0], "< 0")));
    let closed = store.checkpoint(WAR, When::BetsClosed).await.unwrap();
    assert_eq!(closed, Some(stand(When::BetsClosed, &entries[2], "< 2")));
    assert_eq!(store.checkpoint("none", When::BetsClosed).await.unwrap(), None);
}

async fn sessions_and_roles(place: Place) {
    let store = place.open().await;
    let (password, by) = (PasswordHash::nobody, name("max"));
    store.change(Change::Operator { name: by.clone(), password: password() }).await.unwrap();
    let bot = name("bot");
    let (kind, role) = (Kind::Bot, Role::Dealer);
    let make = Change::Make { by: by.clone(), name: bot.clone(), kind, role, password: None };
    store.change(make).await.unwrap();
    for label in ["one", "two"] {
        let (label, token) = (label.to_owned(), format!("token {label}"));
        let change = Change::Token { by: by.clone(), name: bot.clone(), label, token };
        store.change(change).await.unwrap();
    }
    let found = store.somebody("bot").await.unwrap().unwrap();
    assert_eq!((found.kind, found.role, found.tokens.len()), (Kind::Bot, Role::Dealer, 2));
    assert_eq!(store.person("token one").await.unwrap().unwrap().name, bot);
    assert!(store.is_bot(&bot));
    let label = "one".to_owned();
    store.change(Change::Revoke { by: by.clone(), name: bot.clone(), label }).await.unwrap();
    assert_eq!(store.person("token one").await.unwrap(), None);
    let nobody = Change::Role { by: by.clone(), name: name("nobody"), role: Role::Player };
    assert!(matches!(store.change(nobody).await, Err(StoreError::Changed)));
    let (token, staff_from) = ("key".to_owned(), Some("127.0.0.1".parse().unwrap()));
    let login = |token| Change::LogIn { name: name("max"), token, staff_from };
    store.change(login(token)).await.unwrap();
    assert_eq!(store.person("key").await.unwrap().unwrap().role, Role::Operator);
    for again in 0..=MOST_SESSIONS {
        store.change(login(format!("key {again}"))).await.unwrap();
    }
    let stays = store.person(&format!("key {MOST_SESSIONS}")).await.unwrap();
    assert!(stays.is_some());
    store.change(Change::LogOutEverywhere { name: by.clone() }).await.unwrap();
    assert_eq!(store.person(&format!("key {MOST_SESSIONS}")).await.unwrap(), None);
    assert!(store.account(&by).await.unwrap().is_some());
    assert!(store.account(&bot).await.unwrap().is_none());
    // In the order of their names, letter by letter.
    for other in ["a-b", "ab", "a0", "zoe"] {
        store.add_guest(&name(other), other).await.unwrap();
    }
    let everyone = store.everyone("a", 3).await.unwrap();
    let names: Vec<&str> = everyone.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["a-b", "a0", "ab"]);
    let events = store.events(0, 100).await.unwrap();
    assert_eq!(events[0].what, EventKind::Operator.name());
    let last = store.last_event(EventKind::SignIn).await.unwrap().unwrap();
    assert_eq!((last.who.as_str(), last.more.as_str()), ("max", "127.0.0.1"));
    assert!(store.events(last.id, 100).await.unwrap().is_empty());
}

async fn a_guest_becomes_an_account(place: Place) {
    let (store, epoch, mut chain) = with_ann(&place).await;
    let (guest, ann) = (name("ann"), name("ann-lee"));
    let record = "well".to_owned();
    let train = Change::Train { name: guest.clone(), game: Game::FreeBet, record };
    store.change(train).await.unwrap();
    let mut played = append(epoch, vec![chain.append("< card 9d")], &[("house", "escrow", 5)]);
    let round = RoundChange { round: 1, begins: Some(1), ends: true, ..RoundChange::default() };
    played.kept = Some(RoundChange { settled: vec![wager()], ..round });
    played.gains = vec![Gain { person: guest.clone(), round: 1, gain: Cents::new(500) }];
    store.append(played).await.unwrap();
    let (password, token) = (PasswordHash::nobody(), "new".to_owned());
    let upgrade = Change::Upgrade { guest: guest.clone(), name: ann.clone(), password, token };
    store.change(upgrade).await.unwrap();
    assert_eq!(store.person("secret").await.unwrap(), None);
    assert_eq!(store.person("new").await.unwrap().unwrap().name, ann);
    assert_eq!(store.former_names(&ann).await.unwrap(), [guest]);
    assert_eq!(balance(&store, "player:ann-lee").await, PLAY_MONEY.get());
    let trained = store.training(&ann, Game::FreeBet).await.unwrap();
    assert_eq!(trained.as_deref(), Some("well"));
    assert_eq!(store.net_since(&ann, 0).await.unwrap(), Cents::new(500));
    let wanted = RoundsWanted { person: Some(ann.clone()), limit: 5, ..RoundsWanted::default() };
    let rounds = store.rounds(&wanted).await.unwrap();
    let summaries = store.summaries(&rounds, &ann).await.unwrap();
    assert_eq!((rounds.len(), summaries[0].wagers.len(), summaries[0].net.get()), (1, 1, 500));
    let points = store.points(&ann, 10).await.unwrap();
    assert_eq!(points.len(), 2, "{points:?}");
    assert!(points.iter().any(|it| it.round == Some((WAR.to_owned(), 1))));
    // The cashier's gift is the guest's of before.
    assert!(points.iter().any(|it| it.round.is_none() && it.gain == PLAY_MONEY));
}

async fn exclusions_are_not_shortened(place: Place) {
    let (store, ..) = with_ann(&place).await;
    let (ann, far) = (name("ann"), 4_000_000_000);
    for until in [far, far - 1_000] {
        store.change(Change::Exclude { name: ann.clone(), until }).await.unwrap();
    }
    let (by, because) = (name("ann"), "a word".to_owned());
    let suspend = Change::Suspend { by, name: ann.clone(), until: None, because };
    store.change(suspend).await.unwrap();
    let found = store.somebody("ann").await.unwrap().unwrap().exclusion;
    assert_eq!(found.own, Some(far));
    assert!(found.suspension.is_some_and(|it| it.until.is_none()));
    assert_eq!(place.open().await.exclusion(&ann), found);
    store.change(Change::Reinstate { by: ann.clone(), name: ann.clone() }).await.unwrap();
    let again = Change::Reinstate { by: ann.clone(), name: ann.clone() };
    assert!(matches!(store.change(again).await, Err(StoreError::Changed)));
    assert!(!place.lets("DELETE FROM exclusions"), "a self-exclusion is never lifted");
    assert!(!place.lets("UPDATE exclusions SET until = 1"), "or shortened");
    // A guest's session stays, so that the money is not lost.
    assert!(store.person("secret").await.unwrap().is_some());
}

/// What one node changes about people, another knows once it is told.
async fn nodes_follow_changes_of_people(place: Place) {
    let (here, ..) = with_ann(&place).await;
    let there = place.open().await;
    let since = there.people_news(0).await.unwrap().version;
    let mut changed = here.people_changed();
    let [ann, eve, bot, boss] = ["ann", "eve", "bot", "boss"].map(name);
    let because = "a word".to_owned();
    let suspend = Change::Suspend { by: boss.clone(), name: ann.clone(), until: None, because };
    here.change(suspend).await.unwrap();
    let role = (Kind::Bot, Role::Player);
    let make = |(kind, role)| Change::Make {
        by: boss.clone(),
        name: bot.clone(),
        kind,
        role,
        password: None,
    };
    here.change(make(role)).await.unwrap();
    // Visits are many, and of no interest elsewhere.
    here.change(Change::Visit { name: ann.clone() }).await.unwrap();
    assert_eq!(there.barrier(&ann, now()), None);
    assert!(!there.is_bot(&bot));
    for expected in [&ann, &bot] {
        let told = changed.try_recv().unwrap();
        assert_eq!(told, expected.as_str());
        there.reread_people(Some(&name(&told))).await.unwrap();
    }
    assert_eq!(there.barrier(&ann, now()), here.barrier(&ann, now()));
    assert!(there.barrier(&ann, now()).is_some() && there.is_bot(&bot));

    let reinstate = Change::Reinstate { by: boss.clone(), name: ann.clone() };
    here.change(reinstate).await.unwrap();
    here.change(Change::Rename { guest: ann.clone(), name: eve.clone() }).await.unwrap();
    here.change(Change::LogOut { token: "secret".to_owned() }).await.unwrap();
    here.change(Change::LogOut { token: "unknown".to_owned() }).await.unwrap();
    let told: Vec<String> = std::iter::from_fn(|| changed.try_recv().ok()).collect();
    assert_eq!(told, ["ann", "ann", "eve", "eve"]);
    assert!(there.allow(&eve, WAR, None, now()).await.is_ok());
    there.reread_people(Some(&ann)).await.unwrap();
    // A guest who has another name puts no money at risk under the former one.
    let former = there.allow(&ann, WAR, None, now()).await;
    assert!(matches!(former, Err(HeldBack::Renamed)), "{former:?}");
    let bounds = |loss| Change::Bounds { name: name("eve"), loss, minutes: None, now: now() };
    here.change(bounds(Some(Some(5_000)))).await.unwrap();
    assert_eq!(there.bounds(&eve).await.unwrap().loss.most, None);
    there.reread_people(None).await.unwrap();
    assert_eq!(there.bounds(&eve).await.unwrap().loss.most, Some(5_000));
    // Whoever was not told reads the same in the store; none is left out without a word.
    let PeopleNews { version, names } = there.people_news(since).await.unwrap();
    let expected = [&ann, &bot, &ann, &ann, &eve, &eve, &eve].map(Name::clone).to_vec();
    assert_eq!((version, names), (since + 7, Some(expected)));
    let nothing = PeopleNews { version, names: Some(Vec::new()) };
    assert_eq!(there.people_news(version).await.unwrap(), nothing);
    let too_many = PeopleNews { version, names: None };
    assert_eq!(there.people_news(since - 1_000).await.unwrap(), too_many);
}

async fn visits_and_bounds(place: Place) {
    let (store, ..) = with_ann(&place).await;
    let ann = name("ann");
    for _ in 0..2 {
        store.change(Change::Visit { name: ann.clone() }).await.unwrap();
    }
    let now = store.events(0, 1).await.map(|_| now()).unwrap();
    assert!(store.visit(&ann, now).await.unwrap().is_some());
    assert!(store.visit(&name("nobody"), now).await.unwrap().is_none());
    assert!(store.seconds_here(&ann).await.unwrap() < 60);
    let bounds = |loss| Change::Bounds { name: name("ann"), loss: Some(loss), minutes: None, now };
    store.change(bounds(Some(5_000))).await.unwrap();
    // What is looser holds only later.
    store.change(bounds(Some(9_000))).await.unwrap();
    let found = store.bounds(&ann).await.unwrap();
    assert_eq!(
        (found.loss.most, found.loss.later.map(|it| it.0)),
        (Some(5_000), Some(Some(9_000)))
    );
    assert_eq!(place.open().await.bounds(&ann).await.unwrap(), found);
    let today = store.today(&ann, now).await.unwrap();
    assert_eq!((today.net, today.minutes), (Cents::ZERO, 0));
    let refill = |has| Change::Refill { name: name("ann"), has, amount: Cents::new(5) };
    assert!(matches!(store.change(refill(Cents::ZERO)).await, Err(StoreError::Changed)));
    store.change(refill(PLAY_MONEY)).await.unwrap();
    assert_eq!(balance(&store, "player:ann").await, PLAY_MONEY.get() + 5);
}

fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    i64::try_from(since.as_secs()).unwrap()
}

async fn statistics_of_a_player(place: Place) {
    let (store, epoch, mut chain) = with_ann(&place).await;
    for (round, gain) in [(1, 500), (2, -300), (3, 700), (4, -100)] {
        let entry = vec![chain.append(format!("< {round}"))];
        let mut append = append(epoch, entry, &[("house", "escrow", 1)]);
        let settled = vec![WagerResult { gain: Cents::new(gain), ..wager() }];
        let void = round == 4;
        let kept =
            RoundChange { round, begins: Some(1), settled, ends: true, void, ..Default::default() };
        append.kept = Some(kept);
        // What is lost and won again in one commit is one result.
        let gains = [-500, 500 + gain];
        append.gains =
            gains.map(|it| Gain { person: name("ann"), round, gain: Cents::new(it) }).into();
        store.append(append).await.unwrap();
    }
    let [of] = &store.statistics(&name("ann")).await.unwrap()[..] else { panic!("one table") };
    assert_eq!((of.table.as_str(), of.rounds, of.net.get()), (WAR, 3, 900));
    assert_eq!((of.best, of.worst), ((3, Cents::new(700)), (2, Cents::new(-300))));
    assert_eq!(of.wagers.len(), 1);
    assert_eq!((of.wagers[0].wagers, of.wagers[0].staked.get()), (3, 1_500));
    assert_eq!((of.wagers[0].first.get(), of.wagers[0].net.get()), (1_500, 900));
    // 15 minutes lie between rounds 1 and 2, a second more between 2 and 3, and round 4 is void.
    let times = |[one, two, three, four]: [i64; 4]| {
        format!(
            "CASE round WHEN 1 THEN {one} WHEN 2 THEN {two} WHEN 3 THEN {three} ELSE {four} END"
        )
    };
    let (closed, over) = (times([1_000, 1_960, 2_901, 2_940]), times([1_060, 2_000, 2_931, 3_500]));
    assert!(place.lets(&format!("UPDATE rounds SET at = {closed}")));
    assert!(place.lets(&format!("UPDATE ended SET at = {over}")));
    let session = |since, seconds, rounds, net| PlayerSession {
        table: WAR.to_owned(),
        since,
        seconds,
        rounds,
        net: Cents::new(net),
    };
    let both = [session(2_901, 30, 1, 700), session(1_000, 1_000, 2, 200)];
    assert_eq!(store.sessions(&name("ann"), 3).await.unwrap(), both);
    assert_eq!(store.sessions(&name("ann"), 1).await.unwrap(), both[..1]);
    assert_eq!(store.sessions(&name("nobody"), 3).await.unwrap(), []);
    assert_eq!(store.statistics(&name("ann")).await.unwrap()[0].seconds, 1_030);
    let points = store.points(&name("ann"), 3).await.unwrap();
    let gains: Vec<i64> = points.iter().map(|it| it.gain.get()).collect();
    assert_eq!(gains, [-100, 700, -300]);
    let standing = store.standing_before(WAR, 9).await.unwrap();
    assert_eq!(standing, None, "no round has one");
}

async fn a_progressive_meter(place: Place) {
    let (store, epoch, _) = with_ann(&place).await;
    let figures = Figures { seeded: Cents::new(1_000), ..Figures::default() };
    assert_eq!(store.figures(PROGRESSIVE).await.unwrap(), None);
    store.add_progressive(PROGRESSIVE, figures).await.unwrap();
    assert_eq!(store.figures(PROGRESSIVE).await.unwrap(), Some(figures));
    let moved = Figures { contributed: Cents::new(25), ..figures };
    // Another node that opens at the same time puts up no second seed.
    store.add_progressive(PROGRESSIVE, moved).await.unwrap();
    assert_eq!(store.figures(PROGRESSIVE).await.unwrap(), Some(figures));
    let meter = MeterMoved { before: figures, figures: moved, put_up: Cents::new(3), since: 4 };
    let moves = |meter| {
        let mut append = append(epoch, Vec::new(), &[("house", "meter", 25)]);
        (append.meter, append.shares_meter) = (Some(meter), true);
        append
    };
    let stale = Figures { awards: 1, ..figures };
    let refused = store.append(moves(MeterMoved { before: stale, ..meter })).await;
    assert!(matches!(refused, Err(StoreError::MeterMoved)), "{refused:?}");
    assert_eq!(store.meter_since(WAR).await.unwrap(), 0);
    store.append(moves(meter)).await.unwrap();
    let again = store.append(moves(meter)).await;
    assert!(matches!(again, Err(StoreError::MeterMoved)), "{again:?}");
    assert_eq!(store.figures(PROGRESSIVE).await.unwrap(), Some(moved));
    assert_eq!(store.meter_since(WAR).await.unwrap(), 4);
    assert_eq!(store.meter_since("war-2").await.unwrap(), 0);
    let held = store.balance(PROGRESSIVE, &Account::Meter).await.unwrap();
    assert_eq!(held, Cents::new(1_028));
    assert_eq!(store.total().await.unwrap(), Cents::ZERO);
}

async fn corrections_wait_for_a_second_supervisor(place: Place) {
    let (store, epoch, mut chain) = with_ann(&place).await;
    store.add_guest(&name("bob"), "bob").await.unwrap();
    let line = "correct 1 2.00 from house to rack:1".to_owned();
    let step = |correction| Append { correction: Some(correction), ..append(epoch, vec![], &[]) };
    let asked = store.append(step(CorrectionStep::Ask { line, by: name("ann") })).await;
    asked.unwrap();
    let waiting = store.waiting_corrections(WAR).await;
    let id = match waiting {
        Ok(rows) => rows[0].id,
        // The line need not be one of the rules for this.
        Err(StoreError::Unreadable { .. }) => 1,
        Err(error) => panic!("{error}"),
    };
    let decide = |by: &str| step(CorrectionStep::Decide { id, by: name(by), is_approved: true });
    assert!(store.append(decide("ann")).await.is_err(), "nobody approves their own");
    store.append(decide("bob")).await.unwrap();
    let twice = store.append(decide("bob")).await;
    assert!(matches!(twice, Err(StoreError::Changed)), "{twice:?}");
    assert!(store.waiting_corrections(WAR).await.unwrap().is_empty());
    let unseat = |unseating| Append { unseating: Some(unseating), ..append(epoch, vec![], &[]) };
    for _ in 0..2 {
        store.append(unseat(Unseating::Ordered(name("ann")))).await.unwrap();
    }
    assert_eq!(store.unseatings(WAR).await.unwrap(), [name("ann")]);
    store.append(unseat(Unseating::Done(name("ann")))).await.unwrap();
    assert!(store.unseatings(WAR).await.unwrap().is_empty());
    let mut corrected = append(epoch, vec![chain.append("< correct 3 …")], &[]);
    corrected.kept = Some(RoundChange { corrected: Some(3), ..RoundChange::default() });
    store.append(corrected).await.unwrap();
}

const LASTS: Duration = Duration::from_millis(400);

async fn leases_by_the_clock_of_the_database(place: Place) {
    let [one, other] = [place.open().await, place.open().await];
    let first = one.acquire(WAR, "one", LASTS).await.unwrap().unwrap();
    assert_eq!(one.epoch(WAR).await.unwrap(), Some(first.epoch));
    assert_eq!(other.acquire(WAR, "other", LASTS).await.unwrap(), None);
    assert_eq!(one.renew("one", LASTS).await.unwrap(), [(WAR.to_owned(), first.epoch)]);
    tokio::time::sleep(LASTS + Duration::from_millis(100)).await;
    let second = other.acquire(WAR, "other", LASTS * 100).await.unwrap().unwrap();
    assert!(second.epoch > first.epoch);
    assert!(one.renew("one", LASTS).await.unwrap().is_empty());
    assert_eq!(one.acquire(WAR, "one", LASTS).await.unwrap(), None);
    let entry = vec![Chain::new(WAR).append("< deal")];
    let late = one.append(append(first.epoch, entry.clone(), &[])).await.unwrap_err().to_string();
    assert!(late.contains("another owner"), "{late}");
    other.append(append(second.epoch, entry, &[])).await.unwrap();
}

/// However many ask at once, also under one name, no epoch is given twice.
async fn one_of_two_nodes_takes_a_table(place: Place) {
    let stores = [place.open().await, place.open().await];
    let long = Duration::from_secs(60);
    let asks = (0..8).map(|n| {
        let (store, node) = (&stores[n % 2], format!("node-{n}"));
        async move { store.acquire(WAR, &node, long).await.unwrap() }
    });
    let taken: Vec<_> = join_all(asks).await.into_iter().flatten().collect();
    assert_eq!(taken.len(), 1, "{taken:?}");
    let owner = stores[0].owners().await.unwrap()[0].node.clone().unwrap();
    let again = (0..8).map(|n| stores[n % 2].acquire(WAR, &owner, long));
    let again = join_all(again).await;
    let mut epochs: Vec<i64> = again.into_iter().flatten().flatten().map(|it| it.epoch).collect();
    epochs.sort_unstable();
    let many = epochs.len();
    epochs.dedup();
    assert_eq!(epochs.len(), many, "{epochs:?}");
    assert!(epochs[0] > taken[0].epoch);
    assert_eq!(stores[0].epoch(WAR).await.unwrap(), epochs.last().copied());
}

async fn hand_over_and_drain(place: Place) {
    let [one, other] = [place.open().await, place.open().await];
    let long = Duration::from_secs(60);
    let node = |name: &str| NodeInfo {
        name: name.to_owned(),
        address: "127.0.0.1:4222".to_owned(),
        rules: rules::RULES_VERSION.to_owned(),
    };
    for (store, name) in [(&one, "one"), (&other, "other")] {
        store.join(&node(name)).await.unwrap();
    }
    other.set_draining("one", true).await.unwrap();
    assert!(one.set_draining("nobody", true).await.is_err());
    let nodes = one.nodes().await.unwrap();
    let seen: Vec<_> = nodes.iter().map(|it| (&it.info, it.is_draining)).collect();
    assert_eq!(seen, [(&node("one"), true), (&node("other"), false)]);
    assert!(nodes.iter().all(|it| it.seen < Duration::from_secs(20)));
    let epoch = one.acquire(WAR, "one", long).await.unwrap().unwrap().epoch;
    one.ask_to_move(WAR, "other").await.unwrap();
    let [owner] = &one.owners().await.unwrap()[..] else { panic!("one table") };
    let [is, wanted] = [&owner.node, &owner.wanted].map(|it| it.as_deref());
    assert_eq!((is, wanted), (Some("one"), Some("other")));
    assert!(owner.left > Duration::from_secs(50));
    one.release(WAR, epoch, Some("other")).await.unwrap();
    assert!(one.renew("one", long).await.unwrap().is_empty());
    assert_eq!(one.acquire(WAR, "third", long).await.unwrap(), None);
    assert!(other.acquire(WAR, "other", long).await.unwrap().unwrap().epoch > epoch);
    // An old epoch lets go of nothing.
    one.release(WAR, epoch, None).await.unwrap();
    assert_eq!(other.owners().await.unwrap()[0].node.as_deref(), Some("other"));
    // A table that is closed for good is forgotten by its owner alone, and its epoch is not.
    one.forget(WAR, epoch).await.unwrap();
    let epoch = other.owners().await.unwrap()[0].epoch;
    other.forget(WAR, epoch).await.unwrap();
    assert_eq!(other.owners().await.unwrap(), []);
    assert_eq!(other.epoch(WAR).await.unwrap(), Some(epoch));
    assert!(one.acquire(WAR, "one", long).await.unwrap().unwrap().epoch > epoch);
}

/// Two processes move the money of the same players in opposite directions, many at a time.
async fn many_tables_share_players(place: Place) {
    let stores = [place.open().await, place.open().await];
    let people: Vec<String> = (0..6).map(|n| format!("player-{n}")).collect();
    for person in &people {
        stores[0].add_guest(&name(person), person).await.unwrap();
    }
    let mut writes = Vec::new();
    for (at, store) in stores.iter().enumerate() {
        for number in 0..4 {
            let table = format!("table-{at}-{number}");
            let epoch = store.own(&table).await.unwrap();
            let mut order = people.clone();
            order.rotate_left(number);
            if at == 1 {
                order.reverse();
            }
            for round in 0..10_i64 {
                let rack = |seat: usize| format!("rack:{}", 1 + seat % 6);
                let moves = order.iter().enumerate().map(|(seat, person)| {
                    let player = format!("player:{person}");
                    match round % 2 {
                        0 => transfer((&player, &rack(seat), 100)),
                        _ => transfer((&rack(seat), &player, 100)),
                    }
                });
                let transfers = moves.collect();
                let table = table.clone();
                let append = Append { table, epoch, transfers, ..Append::default() };
                writes.push((store, append));
            }
        }
    }
    let writes = writes.into_iter().map(|(store, append)| store.append(append));
    for done in join_all(writes).await {
        done.unwrap();
    }
    for person in &people {
        assert_eq!(balance(&stores[1], &format!("player:{person}")).await, PLAY_MONEY.get());
    }
    assert_eq!(stores[0].total().await.unwrap(), Cents::ZERO);
}

async fn books_are_reconciled_and_exported(place: Place) {
    let (store, epoch, mut chain) = with_ann(&place).await;
    let entries = vec![chain.append("# version 0.1.0 game casino-war")];
    store.append(append(epoch, entries, &[])).await.unwrap();
    let found = reconcile(&place.at, &BTreeMap::new(), &mut |_, _, _| {}).await.unwrap();
    assert_eq!((found.tables.len(), found.accounts, found.transfers), (1, 2, 1));
    assert!(found.differences.is_empty(), "{:?}", found.differences);
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("contract/exported");
    let _ = std::fs::remove_dir_all(&out);
    let files = export(&place.at, &out).await.unwrap();
    let texts: Vec<_> = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    assert!(audit::verify(texts[0].as_bytes(), &[]).unwrap().is_clean(), "{}", texts[0]);
    assert_eq!(texts[1], "table,account,cents\n,cashier,-100000\n,player:ann,100000\n");
    assert!(texts[2].ends_with("\n1,,0,,cashier,,player:ann,100000\n"), "{}", texts[2]);
    assert_eq!(events(&place.at, 0, 10).await.unwrap().len(), 0);
    // A balance that no transfer moved is found.
    assert!(place.lets("UPDATE accounts SET balance = 7 WHERE account = 'player:ann'"));
    let found = reconcile(&place.at, &BTreeMap::new(), &mut |_, _, _| {}).await.unwrap();
    let [difference] = &found.differences[..] else { panic!("{:?}", found.differences) };
    assert!(difference.to_string().contains("it holds 0.07, but its transfers sum to"));
}

async fn one_identity_and_one_secret(place: Place) {
    let [one, other] = [place.open().await, place.open().await];
    let identity = one.identity().await.unwrap();
    assert_eq!(identity.len(), 16);
    assert_eq!(identity, other.identity().await.unwrap());
    assert_eq!(one.pseudonyms().await.unwrap().house(), other.pseudonyms().await.unwrap().house());
}
