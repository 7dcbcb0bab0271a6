//! What appends add, of many appends at once: a statement costs more than its rows do.

use serde::{Serialize, Serializer};

use super::database::{Connection, Statement, query};
use super::{
    Append, Checkpoint, PROGRESSIVE, RoundChange, WagerResult, When, Write, add_other, add_rest,
    hash_of, number, scope_with,
};
use crate::people::gains::Gain;

/// Entries are fenced themselves.
const FENCE: &str = "
INSERT INTO fence SELECT value->>0, value->>1 FROM json_each($1)";

const ENTRIES: &str = "
INSERT INTO entries
  SELECT value->>0, value->>1, value->>2, value->>3, value->>4 FROM json_each($1)";

const TRANSFERS: &str = "
INSERT INTO transfers
  SELECT NULL, value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6,
    unixepoch() FROM json_each($1)";

const COMMANDS: &str = "
INSERT INTO commands
  SELECT value->>0, value->>1, value->>2, value->>3, value->>4, unixepoch() FROM json_each($1)";

const RESULTS: &str = "
INSERT INTO results
  SELECT value->>0, value->>1, value->>2, value->>3, unixepoch(), (SELECT max(id) FROM transfers)
    FROM json_each($1) WHERE true
  ON CONFLICT DO UPDATE SET gain = gain + excluded.gain, at = excluded.at,
    transfer = excluded.transfer";

const ROUNDS: &str = "
INSERT INTO rounds
  SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, unixepoch()
    FROM json_each($1)";

const SETTLEMENTS: &str = "
INSERT INTO settlements
  SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5,
    CASE value->>6 WHEN 0 THEN 0 ELSE value->>6 + (
      SELECT count(*) FROM settlements WHERE table_id = value->>0 AND round = value->>1
        AND bettor = value->>2 AND award > 0) END,
    value->>7, value->>8, value->>9, value->>10 FROM json_each($1)";

const ENDED: &str = "
INSERT INTO ended
  SELECT NULL, value->>0, value->>1, value->>2, value->>3, unixepoch() FROM json_each($1)";

const PLAYED: &str = "
INSERT INTO played
  SELECT DISTINCT person, ended.id, ended.table_id FROM json_each($1)
    JOIN ended ON ended.table_id = value->>0 AND ended.round = value->>1
    JOIN settlements ON settlements.table_id = value->>0 AND settlements.round = value->>1";

const CORRECTIONS: &str = "
INSERT INTO corrections SELECT value->>0, value->>1, value->>2 FROM json_each($1)";

const CHECKPOINTS: &str = "
REPLACE INTO checkpoints
  SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6
    FROM json_each($1)";

/// The same in one call: see the schema.
const APPEND: &str = "SELECT append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";

/// The call together with the number of the commit that it is.
const COMMIT: &str =
    "SELECT note_commit($11, $12), append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";

/// Writes a group as if nothing of it were refused.
pub(super) async fn add_all(to: &mut Connection<'_>, group: &[Write]) -> Result<(), sqlx::Error> {
    let concerned = group.iter().flat_map(|write| match write {
        Write::People(_, concerned) => &concerned[..],
        _ => &[],
    });
    // Before all else, so that nobody who waits for this has what another one waits for.
    note_people(to, json(concerned.map(|name| [name.as_str()]))).await?;
    for other in group {
        add_other(to, other).await?;
    }
    let appends = appends(group);
    if appends.is_empty() {
        return Ok(());
    }
    add_common(to, &appends).await?;
    for append in appends {
        add_rest(to, append).await?;
    }
    Ok(())
}

/// The most changes of people that are kept for the nodes of a house.
const MOST_NEWS: i64 = 1_000;

/// Notes whom something was changed about. Whoever does so waits until those before are committed, so that
/// no number is seen before a lower one.
async fn note_people(to: &mut Connection<'_>, names: Option<String>) -> Result<(), sqlx::Error> {
    let Some(names) = names else { return Ok(()) };
    for line in [
        "UPDATE house SET people_version = people_version + (SELECT count(*) FROM json_each($1))",
        "INSERT INTO people_news SELECT people_version + key + 1 - \
         (SELECT count(*) FROM json_each($1)), value->>0 FROM house, json_each($1)",
    ] {
        query(line).bind(names.as_str()).execute(&mut *to).await?;
    }
    let old = "DELETE FROM people_news WHERE version <= (SELECT people_version FROM house) - $1";
    query(old).bind(MOST_NEWS).execute(to).await.map(drop)
}

/// The whole commit of a group as one statement for PostgreSQL, where it has nothing but what most appends
/// have.
pub(super) fn in_one_statement(group: &[Write], writer: i64, number: i64) -> Option<Statement> {
    let is_common = |write: &Write| matches!(write, Write::Append(append) if append.is_common());
    let call = || call(COMMIT, &appends(group)).bind(writer).bind(number);
    group.iter().all(is_common).then(call)
}

fn appends(group: &[Write]) -> Vec<&Append> {
    let appends = group.iter().filter_map(|write| match write {
        Write::Append(append) => Some(&**append),
        _ => None,
    });
    appends.collect()
}

/// Adds what most appends have, each thing after what it rests on.
pub(super) async fn add_common(
    to: &mut Connection<'_>,
    appends: &[&Append],
) -> Result<(), sqlx::Error> {
    if let Connection::Postgres(_) = to {
        return call(APPEND, appends).execute(to).await.map(drop);
    }
    let of = || appends.iter().copied();
    let rows = [
        (FENCE, json(of().filter_map(unwritten))),
        (ENTRIES, json(of().flat_map(entries))),
        (TRANSFERS, json(of().flat_map(transfers))),
        (COMMANDS, json(of().filter_map(command))),
        (RESULTS, json(of().flat_map(gains))),
        (ROUNDS, json(of().filter_map(begun))),
        (SETTLEMENTS, json(of().flat_map(settled))),
        (ENDED, json(of().filter_map(ended))),
        (PLAYED, json(of().filter_map(ended))),
        (CORRECTIONS, json(of().filter_map(corrected))),
        (CHECKPOINTS, json(of().filter_map(checkpoint))),
    ];
    for (statement, rows) in rows {
        if let Some(rows) = rows {
            query(statement).bind(rows).execute(&mut *to).await?;
        }
    }
    Ok(())
}

/// The call of PostgreSQL's function for all of it.
fn call(line: &'static str, appends: &[&Append]) -> Statement {
    let of = || appends.iter().copied();
    let mut owners: Vec<(&str, i64)> =
        of().map(|append| (append.table.as_str(), append.epoch)).collect();
    owners.sort_unstable();
    owners.dedup();
    let rows = [
        json(owners.into_iter()),
        json(of().flat_map(entries)),
        json(of().flat_map(transfers)),
        json(of().filter_map(command)),
        json(of().flat_map(gains)),
        json(of().filter_map(begun)),
        json(of().flat_map(settled)),
        json(of().filter_map(ended)),
        json(of().filter_map(corrected)),
        json(of().filter_map(checkpoint)),
    ];
    rows.into_iter().fold(query(line), Statement::bind)
}

/// Rows as a JSON array of arrays; none where there is no row.
fn json<T: Serialize>(rows: impl Iterator<Item = T>) -> Option<String> {
    let mut rows = rows.peekable();
    rows.peek()?;
    let mut text = Vec::new();
    let written = serde_json::Serializer::new(&mut text).collect_seq(rows);
    written.expect("texts and numbers are plain JSON");
    Some(String::from_utf8(text).expect("JSON is text"))
}

/// The table and the epoch of what is written without an entry.
fn unwritten(append: &Append) -> Option<impl Serialize> {
    append.entries.is_empty().then_some((&append.table, append.epoch))
}

fn entries(append: &Append) -> impl Iterator<Item = impl Serialize> {
    append.entries.iter().map(|entry| {
        let (seq, hash) = (number(entry.seq), entry.hash.to_string());
        (&append.table, seq, append.epoch, &entry.line, hash)
    })
}

fn transfers(append: &Append) -> impl Iterator<Item = impl Serialize> {
    let (table, seq) = (append.table.as_str(), append.seq());
    let meter = if append.shares_meter { PROGRESSIVE } else { table };
    append.transfers.iter().map(move |moved| {
        let [from, to] = [&moved.from, &moved.to]
            .map(|account| (scope_with(table, account, meter), account.to_string()));
        (table, seq, from.0, from.1, to.0, to.1, moved.amount.get())
    })
}

fn command(append: &Append) -> Option<impl Serialize> {
    let command = append.command.as_ref()?;
    let (player, id) = (command.player.as_str(), command.id.as_str());
    Some((player, id, append.table.as_str(), append.seq(), hash_of(&command.asks)))
}

fn gains(append: &Append) -> impl Iterator<Item = impl Serialize> {
    append
        .gains
        .iter()
        .map(|Gain { person, round, gain }| (person.as_str(), &append.table, *round, gain.get()))
}

fn begun(append: &Append) -> Option<impl Serialize> {
    let (kept, first) = (append.kept.as_ref()?, append.seq());
    let stood = append.checkpoint.as_ref().filter(|stood| stood.when == When::BetsClosed);
    let rules = stood.map_or("", |stood| &stood.rules);
    let standing = stood.map(|stood| &stood.standing);
    Some((&append.table, kept.round, kept.begins?, first, number(kept.version), rules, standing))
}

fn settled(append: &Append) -> impl Iterator<Item = impl Serialize> {
    let (table, kept) = (&append.table, append.kept.iter());
    kept.flat_map(move |RoundChange { round, settled, .. }| {
        settled.iter().enumerate().map(move |(at, wager)| {
            let WagerResult { bettor, person, hand, circle, lammer, stake, gain, clause, .. } =
                wager;
            let is_same = |other: &&WagerResult| other.is_award && other.bettor == *bettor;
            let award = match wager.is_award {
                true => settled[..=at].iter().filter(is_same).count(),
                false => 0,
            };
            let (bettor, circle, person) = (bettor.to_string(), circle.name(), person.as_str());
            let (stake, gain) = (stake.get(), gain.get());
            (table, round, bettor, hand, circle, lammer, award, person, stake, gain, clause)
        })
    })
}

fn ended(append: &Append) -> Option<impl Serialize> {
    let kept = append.kept.as_ref().filter(|kept| kept.ends)?;
    let last = append.entries.last().map_or(0, |entry| number(entry.seq));
    Some((&append.table, kept.round, last, kept.void))
}

fn corrected(append: &Append) -> Option<impl Serialize> {
    let round = append.kept.as_ref()?.corrected?;
    Some((&append.table, round, append.seq()))
}

fn checkpoint(append: &Append) -> Option<impl Serialize> {
    let checkpoint = append.checkpoint.as_ref()?;
    let Checkpoint { when, head, version, rules, .. } = checkpoint;
    let (seq, hash) = (number(head.seq), head.hash.to_string());
    let standing = checkpoint.stored_standing();
    Some((&append.table, when.name(), seq, hash, number(*version), rules, standing))
}
