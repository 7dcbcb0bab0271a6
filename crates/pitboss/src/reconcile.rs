//! `pitboss audit`: holds the store of a house against itself.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use audit::chain::Head;
use clap::Args;
use house::store::{Difference, Reconciliation, TableReconciliation, reconcile};
use serde_json::{Value, json};

use crate::data_folder::DataFolder;
use crate::odds::progress::with_progress;
use crate::proof::{heads_in, read};

const EXAMPLES: &str = "\
Examples:
  pitboss audit                            the store of the house
  pitboss audit --data war-store --json    another store, as one JSON object
  pitboss audit --heads heads.txt          also against heads you kept

Replays every log and compares it with its chain and with the transfers,
rounds, settlements and sealed orders in the store, and every balance with its
transfers. Prints the first difference at each table and in the accounts.
Nothing is written, and the house may be open.

A head is the number and hash of an entry that the house announced. Without one
the audit proves that the store is consistent, not that it is complete.

Exit status: 0 no difference, 1 a difference, 2 the store cannot be read.";

/// Audits a store.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    data: DataFolder,
    /// A file with one head per line, as TABLE SEQ:HASH
    #[arg(long, value_name = "FILE")]
    heads: Option<PathBuf>,
    /// Prints one JSON object
    #[arg(long)]
    json: bool,
}

/// Prints what was compared, and every difference in one sentence.
pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let store = match arguments.data.existing_store() {
        Ok(store) => store,
        Err(sentence) => return Ok(crate::bad_input(&sentence)),
    };
    let heads = match arguments.heads.as_ref().map(|file| read(file)).transpose() {
        Ok(text) => heads_in(&text.unwrap_or_default(), None),
        Err(sentence) => Err(sentence),
    };
    let heads = match heads {
        Ok(heads) => by_table(heads),
        Err(sentence) => return Ok(crate::bad_input(&sentence)),
    };
    let runtime = tokio::runtime::Runtime::new()?;
    let found = with_progress("entries", |tell| {
        let number = |entries: u64| usize::try_from(entries).unwrap_or(usize::MAX);
        let mut progress = |_: &str, done, of| tell(number(done), number(of));
        runtime.block_on(reconcile(&store, &heads, &mut progress))
    });
    match found {
        Ok(found) => {
            let is_clean = found.differences.is_empty();
            match arguments.json {
                true => writeln!(out, "{}", as_json(&found, heads.len()))?,
                false => in_words(&found, heads.is_empty(), out)?,
            }
            Ok(if is_clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Err(error) => Ok(crate::bad_input(&error)),
    }
}

fn by_table(heads: Vec<(String, Head)>) -> BTreeMap<String, Vec<Head>> {
    let mut tables: BTreeMap<String, Vec<Head>> = BTreeMap::new();
    heads.into_iter().for_each(|(table, head)| tables.entry(table).or_default().push(head));
    tables
}

fn in_words(
    Reconciliation { tables, accounts, transfers, differences }: &Reconciliation,
    is_without_heads: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    differences.iter().try_for_each(|difference| writeln!(out, "{difference}"))?;
    for of_table in tables {
        let TableReconciliation { table, entries, rounds, orders, of_other_rules, head } = of_table;
        let (entries, rounds) =
            (count(*entries, "entry", "entries"), count(*rounds, "round", "rounds"));
        let orders = count(*orders, "sealed order", "sealed orders");
        write!(out, "{table}: {entries}, {rounds}, {orders}")?;
        if *of_other_rules > 0 {
            let entries = count(*of_other_rules, "entry", "entries");
            write!(out, ", {entries} of other rules without rounds and settlements")?;
        }
        writeln!(out, "{}", head.map_or(String::new(), |head| format!(", head {head}")))?;
    }
    let (accounts, transfers) =
        (count(*accounts, "account", "accounts"), count(*transfers, "transfer", "transfers"));
    writeln!(out, "{accounts}, {transfers}")?;
    match differences.len() as u64 {
        0 => writeln!(out, "no difference")?,
        many => writeln!(out, "{}", count(many, "difference", "differences"))?,
    }
    match is_without_heads && differences.is_empty() {
        true => writeln!(
            out,
            "no head was compared: this proves that the store is consistent, not that it is complete"
        ),
        false => Ok(()),
    }
}

fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn as_json(found: &Reconciliation, tables_with_heads: usize) -> Value {
    let tables = found.tables.iter().map(|of_table| {
        let TableReconciliation { table, entries, rounds, orders, of_other_rules, head } = of_table;
        json!({
            "table": table, "entries": entries, "rounds": rounds, "sealed_orders": orders,
            "entries_of_other_rules": of_other_rules,
            "head": head.map(|head| head.to_string()),
        })
    });
    let differences = found.differences.iter().map(|difference| {
        let Difference { table, place, problem } = difference;
        let sentence = difference.to_string();
        json!({ "table": table, "place": place, "problem": problem, "sentence": sentence })
    });
    json!({
        "tables": tables.collect::<Vec<_>>(),
        "accounts": found.accounts,
        "transfers": found.transfers,
        "tables_with_heads": tables_with_heads,
        "differences": differences.collect::<Vec<_>>(),
    })
}
