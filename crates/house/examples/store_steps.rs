//! How many durable steps a second a store takes: `cargo run --profile quick -p pitboss-house --example
//! store_steps -- 20 5` has 20 tables write for 5 seconds into a file in a folder of its own, and removes
//! it again; a third argument `postgres://…` names an empty database instead.

#![allow(clippy::float_arithmetic, reason = "times are real numbers")]

use std::error::Error;
use std::time::{Duration, Instant};

use audit::chain::Chain;
use futures_util::future::try_join_all;
use house::store::{Address, Append, Command, People, PostgresUrl, Store, StoreError, Tables};
use rules::money::Cents;
use rules::table::{Account, Name, Transfer};

/// Entries of a step.
const ENTRIES: usize = 4;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let tables: usize = words.next().map_or(Ok(20), |word| word.parse())?;
    let seconds: u64 = words.next().map_or(Ok(5), |word| word.parse())?;
    let folder = std::env::temp_dir().join(format!("pitboss-steps-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let at = match words.next() {
        Some(url) => Address::Postgres(url.parse::<PostgresUrl>()?),
        None => Address::File(folder.join("pitboss.db")),
    };
    let done = measure(&at, tables, Duration::from_secs(seconds)).await;
    std::fs::remove_dir_all(&folder)?;
    Ok(done?)
}

async fn measure(at: &Address, tables: usize, time: Duration) -> Result<(), StoreError> {
    let store = Store::open_for_house(at).await?;
    let begun = Instant::now();
    let play = (0..tables).map(|number| play(&store, number, begun + time));
    let mut times: Vec<Duration> = try_join_all(play).await?.concat();
    let seconds = begun.elapsed().as_secs_f64();
    store.close().await;
    times.sort_unstable();
    let [middle, high] = [50, 99].map(|percent| times[times.len() * percent / 100]);
    let rate = times.len() as f64 / seconds;
    println!("{tables} tables: {rate:.0} steps/s, p50 {middle:.1?}, p99 {high:.1?}");
    Ok(())
}

/// Writes one step after the other at a table, and gives how long each took.
async fn play(store: &Store, number: usize, until: Instant) -> Result<Vec<Duration>, StoreError> {
    let (table, player) = (format!("table-{number}"), format!("player-{number}"));
    let player: Name = player.parse().expect("a name");
    store.add_guest(&player, player.as_str()).await?;
    let epoch = store.own(&table).await?;
    let mut chain = Chain::new(&table);
    let mut times = Vec::new();
    while Instant::now() < until {
        let entries = (0..ENTRIES).map(|line| chain.append(format!("> card player {line}")));
        let accounts = [Account::House, Account::Escrow];
        let [from, to] = if times.len() % 2 == 0 { accounts } else { swapped(accounts) };
        let transfers = vec![Transfer { from, to, amount: Cents::new(500) }];
        let (id, asks) = (times.len().to_string(), "deal".to_owned());
        let command = Some(Command { player: player.clone(), id, asks });
        let (table, entries) = (table.clone(), entries.collect());
        let begun = Instant::now();
        let append = Append { table, epoch, entries, transfers, command, ..Append::default() };
        store.append(append).await?;
        times.push(begun.elapsed());
    }
    Ok(times)
}

fn swapped([one, other]: [Account; 2]) -> [Account; 2] {
    [other, one]
}
