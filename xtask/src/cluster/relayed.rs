//! `cargo xtask cluster --relayed`: what it costs that a player's node does not own the table. The same players
//! are at the owner's node and at others, at the same tables, in one run.

use std::collections::BTreeMap;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::timeline::now;
use super::trial::Crowd;
use super::{Cluster, DATABASE, Interrupted, Options};
use crate::step::Failure;

/// How long is measured, where nothing else is asked for.
const USUALLY: Duration = Duration::from_secs(60);

/// How long tables have to be spread, and players to sit down.
const SETTLES: Duration = Duration::from_secs(15);

/// Players at a table.
const AT_A_TABLE: usize = 4;

/// Plays for a while, and prints how long players waited for their answers at which node.
pub(super) fn measure(
    program: &Path,
    cluster: &Cluster,
    options: &Options,
    interrupted: &Interrupted,
) -> Result<(), Failure> {
    let mut crowd = Crowd::begin(program, cluster, options.tables * AT_A_TABLE, options.seed)?;
    let mut plays = |time: Duration| {
        let begun = Instant::now();
        while begun.elapsed() < time && !interrupted.is_so() {
            crowd.read()?;
            sleep(Duration::from_millis(200));
        }
        Ok(())
    };
    plays(SETTLES)?;
    let (owned, since) = (owners(cluster), now());
    let time = options.stays.unwrap_or(USUALLY);
    println!("{} players are measured for {time:?}.", options.tables * AT_A_TABLE);
    plays(time)?;
    // A table that went to another node meanwhile counts for neither.
    let then = owners(cluster);
    let owned = owned.into_iter().filter(|(table, node)| then.get(table) == Some(node)).collect();
    let noted = crowd.noted();
    let noted = noted.map_err(|error| Failure::Found(format!("nothing was noted: {error}")))?;
    println!("{}", Waits::of(&noted, since, &owned).in_words());
    Ok(())
}

/// The number of the node that owns each table, as the players count them.
fn owners(cluster: &Cluster) -> BTreeMap<String, usize> {
    let line = "SELECT table_id || ' ' || node FROM leases WHERE node IS NOT NULL";
    let found = cluster.postgres.psql(DATABASE, line).unwrap_or_default();
    let owner = |line: &str| {
        let (table, name) = line.split_once(' ')?;
        let node = cluster.nodes.iter().position(|node| node.name() == name)?;
        Some((table.to_owned(), node))
    };
    found.lines().filter_map(owner).collect()
}

/// How long players waited for answers: at the owner's node, and at another.
#[derive(Default)]
struct Waits {
    own: Vec<Duration>,
    relayed: Vec<Duration>,
}

impl Waits {
    /// Reads them from lines with the time, the table, the player, the node and the microseconds.
    fn of(noted: &str, since: Duration, owners: &BTreeMap<String, usize>) -> Waits {
        let mut waits = Waits::default();
        for line in noted.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let [time, table, _, node, took] = words[..] else { continue };
            let (Ok(time), Ok(node), Ok(took)) = (time.parse(), node.parse(), took.parse()) else {
                continue;
            };
            let Some(owner) = owners.get(table).filter(|_| Duration::from_millis(time) > since)
            else {
                continue;
            };
            let took = Duration::from_micros(took);
            if *owner == node { waits.own.push(took) } else { waits.relayed.push(took) }
        }
        waits.own.sort_unstable();
        waits.relayed.sort_unstable();
        waits
    }

    fn in_words(&self) -> String {
        let mut text = format!("\n{:<22}{:>8}{:>10}{:>10}\n", "players", "answers", "p50", "p99");
        for (who, waits) in [("at the owner's node", &self.own), ("at another node", &self.relayed)]
        {
            let (half, most) = (in_ms(quantile(waits, 50)), in_ms(quantile(waits, 99)));
            text += &format!("{who:<22}{:>8}{half:>7} ms{most:>7} ms\n", waits.len());
        }
        let more = |hundredths| {
            let relayed = quantile(&self.relayed, hundredths);
            in_ms(relayed.saturating_sub(quantile(&self.own, hundredths)))
        };
        text + &format!("A relayed step takes {} ms more at p50, {} ms at p99.", more(50), more(99))
    }
}

fn quantile(sorted: &[Duration], hundredths: usize) -> Duration {
    let at = (sorted.len() * hundredths).div_ceil(100).max(1);
    sorted.get(at - 1).copied().unwrap_or_default()
}

/// `2.41`.
fn in_ms(time: Duration) -> String {
    let hundredths = time.as_micros() / 10;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_counted_by_the_node_that_owns_the_table() {
        let owners = BTreeMap::from([("war-1".to_owned(), 0), ("war-2".to_owned(), 1)]);
        let noted = "\
            900 war-1 ann 0 99000\n\
            1001 war-1 ann 0 3000\n\
            1002 war-1 bob 1 4500\n\
            1003 war-2 cid 1 2000\n\
            1004 war-2 dan 2 7000\n\
            1005 war-9 eve 2 7000\n\
            1006 war-2 dan";
        let waits = Waits::of(noted, Duration::from_millis(1000), &owners);
        assert_eq!(waits.own, [2, 3].map(Duration::from_millis));
        assert_eq!(waits.relayed, [4500, 7000].map(Duration::from_micros));
        let words = waits.in_words();
        assert!(words.contains("at the owner's node          2   2.00 ms   3.00 ms"), "{words}");
        assert!(words.ends_with("takes 2.50 ms more at p50, 4.00 ms at p99."), "{words}");
    }
}
