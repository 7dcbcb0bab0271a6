//! Laws of every store about what it refuses: a schema with a part missing, money that the office never
//! moves, and rows that a start insists on.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use house::people::bounds::OwnLimit;
use house::people::gains::Gain;
use house::people::password::PasswordHash;
use house::store::*;
use rules::money::Cents;
use rules::progressive::Figures;
use rules::table::Name;

use crate::store_contract::{Place, WAR, append, name, with_ann};

/// Whether a place is a file, whose SQL differs in what it says of triggers.
fn is_file(place: &Place) -> bool {
    matches!(place.at, Address::File(_))
}

/// What an audit names, each difference as a sentence.
async fn audited(place: &Place) -> Vec<String> {
    let found = reconcile(&place.at, &BTreeMap::new(), &mut |_, _, _| {}).await.unwrap();
    found.differences.iter().map(ToString::to_string).collect()
}

pub(crate) async fn a_start_misses_no_part_of_the_schema(place: Place) {
    place.open().await.close().await;
    place.open().await.close().await;
    let refused = async || match Store::open(&place.at).await {
        Err(StoreError::Unsuitable(sentence)) => sentence,
        Err(error) => panic!("{error:?}"),
        Ok(_) => panic!("it opens"),
    };
    let (drop, gift) = match is_file(&place) {
        true => (
            "DROP TRIGGER entries_stay",
            "CREATE TRIGGER gift AFTER INSERT ON transfers BEGIN SELECT 1; END",
        ),
        false => (
            "DROP TRIGGER entries_stay ON entries",
            "CREATE RULE gift AS ON INSERT TO transfers DO ALSO NOTHING",
        ),
    };
    assert!(place.lets(drop));
    let sentence = refused().await;
    assert!(
        sentence.contains("is damaged: the trigger entries_stay of entries is missing; restore"),
        "{sentence}"
    );
    if is_file(&place) {
        let [named] = &audited(&place).await[..] else { panic!("one difference") };
        assert_eq!(named, "the schema: the trigger entries_stay of entries is missing");
    }
    assert!(place.lets("DROP INDEX gifts"));
    assert!(place.lets(gift));
    let sentence = refused().await;
    assert!(sentence.contains("the index gifts of transfers is missing"), "{sentence}");
    assert!(sentence.contains(" gift of transfers is not the house's"), "{sentence}");
    if is_file(&place) {
        return;
    }
    // What a server can lose or switch off besides.
    for line in [
        "ALTER TABLE accounts DROP CONSTRAINT never_owes",
        "ALTER TABLE transfers DISABLE TRIGGER transfers_move_money",
        "CREATE OR REPLACE FUNCTION check_owner(owned TEXT, claimed BIGINT) RETURNS VOID \
         LANGUAGE sql AS ''",
    ] {
        assert!(place.lets(line), "{line}");
    }
    let sentence = refused().await;
    assert!(sentence.contains("the constraint never_owes of accounts is missing"), "{sentence}");
    assert!(
        sentence.contains("the trigger transfers_move_money of transfers is not as"),
        "{sentence}"
    );
    assert!(sentence.contains("the function check_owner(text, bigint) is not as"), "{sentence}");
}

/// A transfer of 1 that the office makes.
fn of_office(from: &str, to: &str) -> String {
    format!(
        "INSERT INTO transfers (table_id, seq, from_scope, from_account, to_scope, to_account, \
         amount, at) VALUES ('', 0, '', '{from}', '', '{to}', 100, 0)"
    )
}

pub(crate) async fn the_office_moves_money_to_a_new_name_alone(place: Place) {
    let store = place.open().await;
    let [ann, bob, guest]: [Name; 3] = ["ann", "bob", "guest-1"].map(name);
    for (who, token) in [(&ann, "1"), (&bob, "2"), (&guest, "3")] {
        store.add_guest(who, token).await.unwrap();
    }
    // A guest takes a name, and makes an account of another name then.
    let carl = name("carl");
    store.change(Change::Rename { guest: guest.clone(), name: carl.clone() }).await.unwrap();
    let (password, token) = (PasswordHash::nobody(), "4".to_owned());
    let dora = Change::Upgrade { guest: carl, name: name("dora"), password, token };
    store.change(dora).await.unwrap();
    assert_eq!(audited(&place).await, [""; 0]);

    assert!(place.lets(&of_office("player:ann", "player:bob")));
    let [sentence] = &audited(&place).await[..] else { panic!("one difference") };
    let why = "it moves 1 from player:ann to player:bob, but no guest took that name then";
    assert!(sentence.starts_with("transfer ") && sentence.ends_with(why), "{sentence}");
    store.close().await;
}

pub(crate) async fn a_former_name_moves_its_money_once(place: Place) {
    let store = place.open().await;
    let guest = name("guest-1");
    store.add_guest(&guest, "1").await.unwrap();
    store.change(Change::Rename { guest, name: name("carl") }).await.unwrap();
    for (from, to) in [("cashier", "player:guest-1"), ("player:guest-1", "player:carl")] {
        assert!(place.lets(&of_office(from, to)));
    }
    let [sentence] = &audited(&place).await[..] else { panic!("one difference") };
    assert!(sentence.contains("from player:guest-1 to player:carl"), "{sentence}");
    // Nor does money of a table that there is not.
    assert!(place.lets(
        "INSERT INTO transfers (table_id, seq, from_scope, from_account, to_scope, to_account, \
         amount, at) VALUES ('ghost', 1, '', 'player:carl', 'ghost', 'house', 100, 0)"
    ));
    let found = audited(&place).await;
    assert!(found.iter().any(|it| it.ends_with(": there is no table ghost")), "{found:?}");
    store.close().await;
}

pub(crate) async fn damage_that_a_start_insists_on_is_named(place: Place) {
    let (store, epoch, mut chain) = with_ann(&place).await;
    let entries = vec![chain.append("# version 0.1.0 game casino-war")];
    store.append(append(epoch, entries, &[])).await.unwrap();
    let figures = Figures { seeded: Cents::new(1_000_000), ..Figures::default() };
    store.add_progressive(PROGRESSIVE, figures).await.unwrap();
    assert_eq!(audited(&place).await, [""; 0]);
    store.close().await;
    let silent = match is_file(&place) {
        true => "DROP TRIGGER epochs_never_go_back",
        false => "ALTER TABLE tables DISABLE TRIGGER epochs_never_go_back",
    };
    assert!(place.lets(silent));
    let meter = "progressives (name the progressive): ";
    // What is edited, what names it, and how it is put right again.
    let cases = [
        (
            "UPDATE progressives SET contributed = 500",
            format!("{meter}it shows 10005, but its account holds 10000"),
            "UPDATE progressives SET contributed = 0",
        ),
        (
            "UPDATE progressives SET seeded = 900000, contributed = 100000",
            format!("{meter}its seed is 9000, but the office put up 10000"),
            "UPDATE progressives SET seeded = 1000000, contributed = 0",
        ),
        (
            "INSERT INTO meter_rounds VALUES ('war-1', 7)",
            "meter_rounds (table_id war-1): the round added after 7 hits, but there were 0".to_owned(),
            "DELETE FROM meter_rounds",
        ),
        (
            "UPDATE tables SET epoch = 0",
            "table war-1, its owner: its epoch is 0, but its log was written under 1".to_owned(),
            "UPDATE tables SET epoch = 1",
        ),
        (
            "INSERT INTO reconciled VALUES ('war-1', 1, 9, repeat('ab', 32))",
            "table war-1, entry 9: it was there when the table was last reconciled and is missing now"
                .to_owned(),
            "DELETE FROM reconciled",
        ),
        (
            "DELETE FROM progressives",
            format!("{meter}the row is missing, but its account holds 10000"),
            "",
        ),
        ("DELETE FROM secrets", "secrets: it has 0 rows instead of one".to_owned(), ""),
        ("DELETE FROM house", "house: it has 0 rows instead of one".to_owned(), ""),
    ];
    for (line, sentence, back) in cases {
        let hash = "abababababababababababababababababababababababababababababababab";
        let line = line.replace("repeat('ab', 32)", &format!("'{hash}'"));
        assert!(place.lets(&line), "{line}");
        let found = audited(&place).await;
        assert!(found.contains(&sentence), "{line}: {found:?}");
        assert!(back.is_empty() || place.lets(back), "{back}");
    }
    // A second seed is never put up.
    assert!(place.lets("INSERT INTO house (id) VALUES ('0123456789abcdef')"));
    assert!(
        place.lets("INSERT INTO secrets SELECT substr(hash || hash, 1, 64) FROM entries LIMIT 1")
    );
    let put_right = match is_file(&place) {
        true => {
            "CREATE TRIGGER epochs_never_go_back BEFORE UPDATE ON tables WHEN NEW.epoch < OLD.epoch \
             BEGIN SELECT RAISE(ABORT, 'an epoch never goes back'); END"
        }
        false => "ALTER TABLE tables ENABLE TRIGGER epochs_never_go_back",
    };
    assert!(place.lets(put_right));
    let store = place.open().await;
    let refused = store.add_progressive(PROGRESSIVE, figures).await;
    assert!(matches!(refused, Err(StoreError::Unreadable { .. })), "{refused:?}");
    assert_eq!(store.epoch(WAR).await.unwrap(), Some(epoch));
    store.close().await;
}

pub(crate) async fn own_limits_hold_at_two_tables_at_once(place: Place) {
    let stores = [place.open().await, place.open().await];
    let ann = name("ann");
    stores[0].add_guest(&ann, "secret").await.unwrap();
    let loss =
        Change::Bounds { name: ann.clone(), loss: Some(Some(10_000)), minutes: None, now: 0 };
    stores[0].change(loss).await.unwrap();
    let tables = [WAR, "war-2"];
    let mut epochs = Vec::new();
    for (store, table) in stores.iter().zip(tables) {
        epochs.push(store.own(table).await.unwrap());
    }
    let lies = |at: usize, amount: i64, is_more: bool, gains: Vec<Gain>| Append {
        table: tables[at].to_owned(),
        epoch: epochs[at],
        risks: vec![Risk { person: name("ann"), amount: Cents::new(amount), is_more }],
        gains,
        ..Append::default()
    };
    let refused = |done: StoreResult<()>, allowed: i64| match done {
        Err(StoreError::OwnLimit(OwnLimit::Loss { most, left })) => {
            assert_eq!((most, left), (Cents::new(10_000), Cents::new(allowed)));
        }
        done => panic!("{done:?}"),
    };
    // 60 at two tables at a time are more than 100: one of them is refused, again and again.
    for _ in 0..20 {
        let wagers = [0, 1].map(|at| stores[at].append(lies(at, 6_000, true, Vec::new())));
        let done = join_all(wagers).await;
        let first = usize::from(done[0].is_err());
        let [one, other]: [_; 2] = done.try_into().unwrap();
        refused(if first == 0 { other } else { one }, 10_000);
        // What is left of it may lie at the other one.
        stores[1 - first].append(lies(1 - first, 4_000, true, Vec::new())).await.unwrap();
        for at in [0, 1] {
            stores[at].append(lies(at, 0, false, Vec::new())).await.unwrap();
        }
    }
    // What was dealt is lost until it is back, and lies there no more.
    stores[0].append(lies(0, 6_000, true, Vec::new())).await.unwrap();
    let lost = Gain { person: ann.clone(), round: 1, gain: Cents::new(-6_000) };
    stores[0].append(lies(0, 0, false, vec![lost])).await.unwrap();
    refused(stores[1].append(lies(1, 4_001, true, Vec::new())).await, 4_000);
    stores[1].append(lies(1, 4_000, true, Vec::new())).await.unwrap();
    // Whoever has no limit is not held back.
    stores[0].add_guest(&name("bob"), "other").await.unwrap();
    let risks = vec![Risk { person: name("bob"), amount: Cents::new(90_000), is_more: true }];
    stores[0].append(Append { risks, ..lies(0, 1, true, Vec::new()) }).await.unwrap();
}
