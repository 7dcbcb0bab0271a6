//! `pitboss nodes`: the nodes of a house, which of them owns which table, and how tables are moved.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand};
use house::store::{Leases, NodeRow, OwnerRow, PostgresUrl, Store, StoreError, events};
use serde_json::{Value, json};

use crate::keep::refused;

const EXAMPLES: &str = "\
Examples:
  pitboss nodes --store postgres://pitboss@db.example/house
                                           nodes, tables and leases
  pitboss nodes --store URL --json         for programs
  pitboss nodes drain b --store URL        b hands its tables over
  pitboss nodes drain b --undo --store URL b takes tables again
  pitboss nodes move war-1 c --store URL   war-1 goes to c

Reads and writes the database of the house, so it works on any computer that
can reach it, also while nodes are down. Give the password in ~/.pgpass or in
PGPASSWORD.";

/// A node that was not heard of for so long takes no table: four leases of 2.5 seconds.
const GONE_AFTER: Duration = Duration::from_secs(10);

/// Shows the nodes of a house, drains one, or moves a table.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The database of the house, as postgres://USER@HOST:PORT/DATABASE
    #[arg(long, value_name = "URL", global = true)]
    store: Option<String>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    request: Option<Request>,
}

#[derive(Subcommand)]
enum Request {
    /// Has a node hand its tables over and take no others
    #[command(after_help = "\
Example:
  pitboss nodes drain b --store postgres://pitboss@db.example/house

The node stays open: players stay connected to it, and play at tables of other
nodes. A node that is restarted takes tables again.")]
    Drain {
        /// The name of the node
        node: String,
        /// Has it take tables again
        #[arg(long)]
        undo: bool,
    },
    /// Moves a table to another node
    #[command(after_help = "\
Example:
  pitboss nodes move war-1 c --store postgres://pitboss@db.example/house

The table goes over between two inputs; to a node with other rules, between two
rounds.")]
    Move {
        /// The name of the table
        table: String,
        /// The name of the node
        node: String,
    },
}

/// A house of several nodes, at one moment.
struct Cluster {
    nodes: Vec<NodeRow>,
    tables: Vec<OwnerRow>,
}

/// Shows or changes who owns what, or prints in one sentence why not.
pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    if arguments.json && arguments.request.is_some() {
        return Ok(crate::bad_input(&"--json is for the list of nodes, without drain or move"));
    }
    let Some(store) = &arguments.store else {
        return Ok(crate::bad_input(&"--store is missing; see `pitboss nodes --help`"));
    };
    let url = match store.parse::<PostgresUrl>() {
        Ok(url) => url,
        Err(error) => return Ok(crate::bad_input(&error)),
    };
    let runtime = tokio::runtime::Runtime::new()?;
    match runtime.block_on(answer(arguments, url)) {
        Ok(text) => {
            out.write_all(text.as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
        Err(NoAnswer::Request(sentence)) => Ok(crate::bad_input(&sentence)),
        Err(NoAnswer::Store(error)) => Ok(refused(&error)),
    }
}

/// Why nothing is printed.
enum NoAnswer {
    /// What is wrong with the request.
    Request(String),
    Store(StoreError),
}

impl From<String> for NoAnswer {
    fn from(sentence: String) -> NoAnswer {
        NoAnswer::Request(sentence)
    }
}

impl From<StoreError> for NoAnswer {
    fn from(error: StoreError) -> NoAnswer {
        NoAnswer::Store(error)
    }
}

/// What is printed.
async fn answer(arguments: &Arguments, url: PostgresUrl) -> Result<String, NoAnswer> {
    // Opening a store makes one where there is none, and asking for events refuses instead.
    events(url.clone(), i64::MAX, 1).await?;
    let store = Store::open(url).await?;
    let answer = async {
        let cluster = Cluster { nodes: store.nodes().await?, tables: store.owners().await? };
        Ok(match &arguments.request {
            None if arguments.json => format!("{:#}\n", cluster.json()),
            None => cluster.in_words(),
            Some(Request::Drain { node, undo }) => {
                let sentence = cluster.drain(node, *undo)?;
                store.set_draining(node, !undo).await?;
                sentence
            }
            Some(Request::Move { table, node }) => match cluster.moving(table, node)? {
                Some(sentence) => {
                    store.ask_to_move(table, node).await?;
                    sentence
                }
                None => format!("{table} is already owned by {node}\n"),
            },
        })
    };
    let answer = answer.await;
    store.close().await;
    answer
}

impl Cluster {
    fn node(&self, name: &str) -> Result<&NodeRow, String> {
        self.nodes.iter().find(|node| node.info.name == name).ok_or_else(|| {
            let name = name.escape_debug();
            let names: Vec<_> = self.nodes.iter().map(|node| node.info.name.as_str()).collect();
            match names.is_empty() {
                true => format!("there is no node '{name}': no node has opened this house yet"),
                false => format!("there is no node '{name}'; the nodes are {}", names.join(", ")),
            }
        })
    }

    /// The tables that a node owns now.
    fn tables_of(&self, name: &str) -> usize {
        let is_owned =
            |table: &&OwnerRow| table.node.as_deref() == Some(name) && table.left > Duration::ZERO;
        self.tables.iter().filter(is_owned).count()
    }

    fn drain(&self, name: &str, undo: bool) -> Result<String, String> {
        self.node(name)?;
        if undo {
            return Ok(format!("{name} takes tables again\n"));
        }
        let tables = match self.tables_of(name) {
            0 => "it owns no tables, and takes none".to_owned(),
            1 => "it hands over 1 table, and takes no others".to_owned(),
            tables => format!("it hands over {tables} tables, and takes no others"),
        };
        let mut text = format!("{name} is draining: {tables}\n");
        if !self.nodes.iter().any(|node| node.info.name != name && node.takes_tables().is_ok()) {
            text += "No other node is there to take them: start one.\n";
        }
        Ok(text)
    }

    /// What happens when a table is to move; none where it is there already.
    fn moving(&self, table: &str, name: &str) -> Result<Option<String>, String> {
        let node = self.node(name)?;
        let found = self.tables.iter().find(|row| row.table == table).ok_or_else(|| {
            let table = table.escape_debug();
            format!("no node has owned a table '{table}'; `pitboss nodes` lists the tables")
        })?;
        let is_owned = found.left > Duration::ZERO;
        if is_owned && found.node.as_deref() == Some(name) && found.wanted.is_none() {
            return Ok(None);
        }
        node.takes_tables()?;
        let owner = found.node.as_deref().filter(|_| is_owned);
        Ok(Some(match owner {
            Some(owner) => format!("{owner} is asked to hand {table} over to {name}\n"),
            None => format!("{name} is to take {table}, which nobody owns\n"),
        }))
    }

    fn json(&self) -> Value {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let node = |NodeRow { info, seen, is_draining }: &NodeRow| {
            json!({
                "name": info.name, "address": info.address, "rules": info.rules,
                "seen_ms": ms(*seen), "draining": is_draining,
                "tables": self.tables_of(&info.name),
            })
        };
        let table = |OwnerRow { table, node, epoch, left, wanted }: &OwnerRow| {
            json!({
                "table": table, "node": node, "epoch": epoch, "lease_ms": ms(*left),
                "moves_to": wanted,
            })
        };
        json!({
            "nodes": self.nodes.iter().map(node).collect::<Vec<_>>(),
            "tables": self.tables.iter().map(table).collect::<Vec<_>>(),
        })
    }

    fn in_words(&self) -> String {
        if self.nodes.is_empty() {
            return "No node has opened this house yet.\n".to_owned();
        }
        let mut rows =
            vec![["NODE", "ADDRESS", "RULES", "LAST SEEN", "TABLES", "STATE"].map(String::from)];
        rows.extend(self.nodes.iter().map(|node| {
            let state = match node {
                NodeRow { seen, .. } if *seen > GONE_AFTER => "gone",
                NodeRow { is_draining: true, .. } => "draining",
                _ => "",
            };
            let info = &node.info;
            let tables = self.tables_of(&info.name).to_string();
            let seen = format!("{} ago", in_seconds(node.seen));
            [
                info.name.clone(),
                info.address.clone(),
                info.rules.clone(),
                seen,
                tables,
                state.to_owned(),
            ]
        }));
        let mut text = columns(&rows);
        if self.tables.is_empty() {
            return text + "\nNo table has an owner.\n";
        }
        let mut rows = vec![["TABLE", "NODE", "EPOCH", "LEASE", "MOVES TO"].map(String::from)];
        rows.extend(self.tables.iter().map(|row| {
            let lease = match row.left {
                Duration::ZERO => "expired".to_owned(),
                left => in_seconds(left),
            };
            let none = || "-".to_owned();
            let node = row.node.clone().unwrap_or_else(none);
            let wanted = row.wanted.clone().unwrap_or_default();
            [row.table.clone(), node, row.epoch.to_string(), lease, wanted]
        }));
        text += "\n";
        text + &columns(&rows)
    }
}

/// What a node is ready for.
trait TakesTables {
    /// Why it takes none, in one sentence.
    fn takes_tables(&self) -> Result<(), String>;
}

impl TakesTables for NodeRow {
    fn takes_tables(&self) -> Result<(), String> {
        let name = &self.info.name;
        if self.seen > GONE_AFTER {
            let seen = in_seconds(self.seen);
            return Err(format!("node {name} was last seen {seen} ago; start it first"));
        }
        match self.is_draining {
            true => Err(format!(
                "node {name} is draining and takes no tables; `pitboss nodes drain {name} --undo` \
                 ends that"
            )),
            false => Ok(()),
        }
    }
}

/// `1.4 s`, `12 s`, `3 min`, `5 h`, `2 days`.
fn in_seconds(time: Duration) -> String {
    let (tenths, seconds) = (time.as_millis() / 100, time.as_secs());
    match seconds {
        0..10 => format!("{}.{} s", tenths / 10, tenths % 10),
        10..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

/// Rows with their columns below each other. What could not be printed is escaped.
fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let printed = |cell: &String| cell.escape_debug().to_string();
    let rows: Vec<[String; N]> = rows.iter().map(|row| row.each_ref().map(printed)).collect();
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text += "\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use house::store::NodeInfo;

    use super::*;

    fn node(name: &str, seen: u64, is_draining: bool) -> NodeRow {
        let address = "127.0.0.1:8042".to_owned();
        let info = NodeInfo { name: name.to_owned(), address, rules: "3".to_owned() };
        NodeRow { info, seen: Duration::from_secs(seen), is_draining }
    }

    fn table(name: &str, node: Option<&str>, left: u64, wanted: Option<&str>) -> OwnerRow {
        OwnerRow {
            table: name.to_owned(),
            node: node.map(str::to_owned),
            epoch: 7,
            left: Duration::from_millis(left),
            wanted: wanted.map(str::to_owned),
        }
    }

    #[test]
    fn nodes_and_tables_are_listed() {
        let cluster = Cluster {
            nodes: vec![node("a", 0, false), node("longer", 1, true), node("c", 300, true)],
            tables: vec![
                table("war-1", Some("a"), 2400, Some("longer")),
                table("free-1", None, 0, None),
            ],
        };
        let expected = "\
NODE    ADDRESS         RULES  LAST SEEN  TABLES  STATE
a       127.0.0.1:8042  3      0.0 s ago  1
longer  127.0.0.1:8042  3      1.0 s ago  0       draining
c       127.0.0.1:8042  3      5 min ago  0       gone

TABLE   NODE  EPOCH  LEASE    MOVES TO
war-1   a     7      2.4 s    longer
free-1  -     7      expired
";
        assert_eq!(cluster.in_words(), expected);
        assert_eq!(cluster.json()["tables"][0]["lease_ms"], 2400);
    }

    #[test]
    fn a_table_moves_only_to_a_node_that_takes_it() {
        let cluster = Cluster {
            nodes: vec![node("a", 0, false), node("b", 0, true), node("c", 60, false)],
            tables: vec![
                table("war-1", Some("a"), 2400, None),
                table("free-1", Some("c"), 0, None),
            ],
        };
        let wrong = |table, node| cluster.moving(table, node).unwrap_err();
        assert!(wrong("war-1", "b").contains("is draining"));
        assert!(wrong("war-1", "c").contains("was last seen 60 s ago"));
        assert!(wrong("war-1", "d").contains("the nodes are a, b, c"));
        assert!(wrong("war-9", "a").contains("no node has owned a table 'war-9'"));
        assert_eq!(cluster.moving("war-1", "a"), Ok(None));
        let taken = cluster.moving("free-1", "a").unwrap().unwrap();
        assert_eq!(taken, "a is to take free-1, which nobody owns\n");
        // Nobody else could take them.
        assert!(cluster.drain("a", false).unwrap().contains("No other node"));
        assert!(!cluster.drain("b", false).unwrap().contains("No other node"));
    }
}
