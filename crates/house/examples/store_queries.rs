//! What the queries behind the pages cost on a large store: `cargo run --profile test -p
//! pitboss-house --example store_queries -- 1000000` makes a store with so many entries in a folder of its own, asks
//! what every page asks, and removes it again.

#![allow(clippy::float_arithmetic, reason = "times are real numbers")]

use std::error::Error;
use std::time::{Duration, Instant};

use audit::chain::Chain;
use futures_util::future::try_join_all;
use house::people::gains::Gain;
use house::store::{
    Append, Checkpoint, Command, History, Money, People, Play, RoundChange, RoundsWanted, Store,
    StoreError, Tables, WagerResult, When,
};
use rules::money::Cents;
use rules::table::{Account, Name, Transfer};
use rules::wager::{Bettor, Circle};

/// The tables of the store.
const TABLES: usize = 20;

/// The players of the store. The first one plays at every table, the others at one.
const PLAYERS: usize = 400;

/// Entries of a round.
const ENTRIES: usize = 40;

/// Every so many rounds one is put right later.
const CORRECTED: usize = 200;

/// How often each query is asked.
const TIMES: usize = 50;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let entries = std::env::args().nth(1).map_or(Ok(1_000_000), |word| word.parse::<usize>())?;
    let folder = std::env::temp_dir().join(format!("pitboss-queries-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let file = folder.join("pitboss.db");
    let done = measure(&file, entries).await;
    std::fs::remove_dir_all(&folder)?;
    done
}

async fn measure(file: &std::path::Path, entries: usize) -> Result<(), Box<dyn Error>> {
    let store = Store::open_for_house(file).await?;
    let begun = Instant::now();
    let rounds = fill(&store, entries).await?;
    let megabytes = std::fs::metadata(file)?.len() / 1_000_000;
    println!(
        "{} entries of {rounds} rounds, {megabytes} MB, made in {:.0?}",
        rounds * ENTRIES,
        begun.elapsed()
    );
    println!("| query | middle | longest |\n| --- | --- | --- |");
    ask(&store, rounds).await?;
    store.close().await;
    Ok(())
}

fn table(number: usize) -> String {
    format!("table-{number:02}")
}

fn player(number: usize) -> Name {
    format!("player-{number:03}").parse().expect("a name")
}

/// Adds rounds until there are so many entries.
async fn fill(store: &Store, entries: usize) -> Result<usize, StoreError> {
    for number in 0..PLAYERS {
        store.add_guest(&player(number), &format!("token {number}")).await?;
    }
    let mut chains = Vec::new();
    for number in 0..TABLES {
        chains.push((store.own(&table(number)).await?, Chain::new(&table(number)), 0));
    }
    let rounds = entries / ENTRIES;
    // One append of each table at a time, as in a house.
    let mut group = Vec::with_capacity(TABLES);
    for number in 0..rounds {
        let at = number % TABLES;
        let (epoch, chain, played) = &mut chains[at];
        *played += 1;
        group.push(store.append(round(at, *epoch, chain, *played, number)));
        if group.len() == TABLES || number + 1 == rounds {
            try_join_all(std::mem::take(&mut group)).await?;
        }
    }
    Ok(rounds)
}

/// A round as a table would write it, in one append.
fn round(at: usize, epoch: i64, chain: &mut Chain, round: u32, number: usize) -> Append {
    let who = if number.is_multiple_of(3) { player(0) } else { player(1 + number % (PLAYERS - 1)) };
    let head = audit::chain::Head { seq: chain.next() - 1, hash: chain.head() };
    let is_corrected = number.is_multiple_of(CORRECTED) && round > 1;
    let first = match is_corrected {
        true => {
            format!("< correct {} 5 from house to rack:1 by eve because it was short", round - 1)
        }
        false => "< deal".to_owned(),
    };
    let mut entries = vec![chain.append(first)];
    entries.extend(
        (1..ENTRIES).map(|line| chain.append(format!("> card player {line} of round {round}"))),
    );
    let bettor = Bettor::at(0);
    let (house, rack, escrow) = (Account::House, Account::Rack(bettor), Account::Escrow);
    let moved = |from: &Account, to: &Account, cents| Transfer {
        from: from.clone(),
        to: to.clone(),
        amount: Cents::new(cents),
    };
    let transfers = vec![
        moved(&house, &rack, 1000),
        moved(&rack, &escrow, 500),
        moved(&escrow, &rack, 500),
        moved(&rack, &house, 1000),
    ];
    let wager = WagerResult {
        bettor,
        person: who.clone(),
        hand: 0,
        circle: Circle::Main,
        lammer: false,
        is_award: false,
        stake: Cents::new(500),
        gain: Cents::new(500),
        clause: "CW-8-c",
    };
    let kept = RoundChange {
        round,
        version: u64::from(round) * 9,
        begins: Some(round / 60 + 1),
        settled: vec![wager],
        ends: true,
        corrected: is_corrected.then(|| round - 1),
        shuffled: if round % 60 == 1 { vec![round / 60 + 1] } else { Vec::new() },
        ..RoundChange::default()
    };
    let checkpoint = Checkpoint {
        when: When::BetsClosed,
        head,
        version: u64::from(round) * 9,
        rules: "version 2 game casino-war".to_owned(),
        standing: "rack 1000\n".repeat(60),
    };
    let (id, asks) = (format!("{number}-4f1c9d"), "wager".to_owned());
    Append {
        table: table(at),
        epoch,
        entries,
        transfers,
        gains: vec![Gain { person: who.clone(), round, gain: Cents::new(5) }],
        command: Some(Command { player: who, id, asks }),
        checkpoint: Some(checkpoint),
        kept: Some(kept),
        ..Append::default()
    }
}

/// Asks a query many times, and prints how long it took.
async fn time<T>(
    name: &str,
    mut query: impl AsyncFnMut(usize) -> Result<T, StoreError>,
) -> Result<(), StoreError> {
    let mut times = Vec::with_capacity(TIMES);
    for number in 0..TIMES {
        let begun = Instant::now();
        query(number).await?;
        times.push(begun.elapsed());
    }
    times.sort();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    let (middle, longest) = (times[TIMES / 2], times[TIMES - 1]);
    println!("| {name} | {:.2} ms | {:.2} ms |", milliseconds(middle), milliseconds(longest));
    Ok(())
}

/// Everything that pages ask of the store.
async fn ask(store: &Store, rounds: usize) -> Result<(), StoreError> {
    let now = 4_000_000_000;
    let (often, seldom) = (player(0), player(7));
    let last = u32::try_from(rounds / TABLES).unwrap_or(u32::MAX);
    let page = async |wanted: RoundsWanted, person: &Name| {
        let found = store.rounds(&RoundsWanted { limit: 101, ..wanted }).await?;
        store.summaries(&found, person).await
    };
    let before = |number: usize| Some(((number + 1) * rounds / TIMES) as u64);
    let wanted = RoundsWanted::default();
    time("100 rounds of a player who has played most", async |n| {
        page(
            RoundsWanted { person: Some(often.clone()), before: before(n), ..wanted.clone() },
            &often,
        )
        .await
    })
    .await?;
    time("100 rounds of a player who has played little", async |_| {
        page(RoundsWanted { person: Some(seldom.clone()), ..wanted.clone() }, &seldom).await
    })
    .await?;
    time("100 rounds of a table", async |n| {
        let table = Some(table(n % TABLES));
        page(RoundsWanted { table, before: before(n), ..wanted.clone() }, &often).await
    })
    .await?;
    time("100 rounds of a player at a table", async |n| {
        let (table, person) = (Some(table(n % TABLES)), Some(seldom.clone()));
        page(RoundsWanted { table, person, ..wanted.clone() }, &seldom).await
    })
    .await?;
    time("a round, where it stands in the log, its wagers and corrections", async |n| {
        let (table, round) = (table(n % TABLES), last / 2 + u32::try_from(n).unwrap_or(0));
        let found = store.round(&table, round).await?;
        let from = found.map_or(1, |found| found.from);
        store.standing_before(&table, from).await?;
        store.settlements(&table, round).await?;
        store.corrections(&table, round).await
    })
    .await?;
    time("1,000 entries of a log, as an export reads them", async |n| {
        let from = u64::from(last) * ENTRIES as u64 / 2 + n as u64;
        store.entries(&table(n % TABLES), from, from + 999).await
    })
    .await?;
    time("a shoe", async |n| store.shoe(&table(n % TABLES), last / 120).await).await?;
    time("who somebody is, their money, and the session", async |_| {
        store.person("token 0").await?;
        store.balance("", &Account::Player(often.clone())).await?;
        store.visit(&often, now).await?;
        store.today(&often, 0).await?;
        store.bounds(&often).await
    })
    .await?;
    time("1,000 points of a bankroll", async |_| store.points(&often, 1001).await).await?;
    time("500 people", async |_| store.everyone("", 501).await).await?;
    time("500 events", async |_| store.events(0, 501).await).await?;
    time("all accounts together, as /health does", async |_| store.total().await).await?;
    let new = Command { player: often.clone(), id: "new".to_owned(), asks: "wager".to_owned() };
    time("whether a command is known", async |_| store.known(&new).await).await?;
    time("where a table stood, as a start does", async |n| {
        store.checkpoint(&table(n % TABLES), When::BetsClosed).await
    })
    .await
}
