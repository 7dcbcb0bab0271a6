//! After a run: whether the logs prove what the players were told.
//!
//! A log is read as anyone may save it, verified, and played again by the rules. Then every step that a
//! player was told is compared with what was for that player's eyes, and every command that was
//! acknowledged with the entry that it led to.

use std::collections::HashMap;

use audit::chain::{Entry, Head};
use audit::export::Export;
use audit::log::{Kind, Outcome, RulesLine};
use audit::secret::Legible;
use rules::round::Audience;
use rules::table::{Cutter, Input, Name, Table};
use rules::wager::Bettor;
use wire::PlayerCommand;

use super::player::{FIRST_HASH, Player, hashed};

/// What the logs showed.
#[derive(Default)]
pub(super) struct Findings {
    /// Steps that a player was told and that are as they should be, over all players.
    pub(super) steps: u64,
    /// Commands that were acknowledged and are there, once.
    pub(super) commands: u64,
    pub(super) entries: u64,
    pub(super) rounds: u64,
    pub(super) wrong: Vec<String>,
}

impl Findings {
    pub(super) fn add(&mut self, other: Findings) {
        self.steps += other.steps;
        self.commands += other.commands;
        self.entries += other.entries;
        self.rounds += other.rounds;
        self.wrong.extend(other.wrong);
    }
}

/// What the log says that a player did, and what was told to them.
#[derive(Default)]
struct Witness {
    /// A hash of what was told, by version.
    told: HashMap<u64, u64>,
    /// The entry of every command, with its first word.
    did: HashMap<u64, &'static str>,
}

/// Compares a table's log with what its players were told.
pub(super) fn judge(export: &str, players: &[Player]) -> Findings {
    let mut findings = Findings::default();
    let table = export.lines().next().unwrap_or_default().to_owned();
    if let Err(wrong) = compare(export, players, &mut findings) {
        findings.wrong.push(format!("{table}: {wrong}"));
    }
    findings
}

fn compare(export: &str, players: &[Player], findings: &mut Findings) -> Result<(), String> {
    let mut read = Export::read(export).map_err(|error| error.to_string())?;
    let is_told = |entry: &Entry| Legible::of(&entry.line).text().is_some();
    let told = read.entries.iter().position(|entry| !is_told(entry));
    read.entries.truncate(told.unwrap_or(read.entries.len()));
    let public = read.entries.last().map_or(0, |entry| entry.seq);
    let mut heads: Vec<Head> = Vec::new();
    for (seq, hash) in players.iter().filter_map(|player| player.head.as_ref()) {
        let head = format!("{seq}:{hash}").parse();
        heads.push(head.map_err(|_| format!("'{seq}:{hash}' is not a head"))?);
    }
    heads.retain(|head| head.seq <= public);
    let verdict = audit::verify(export.as_bytes(), &heads).map_err(|error| error.to_string())?;
    if !verdict.is_clean() {
        return Err(format!("the log does not verify: {verdict}"));
    }
    findings.entries += public;
    let (mut witnesses, versions) = replay(&read, players, findings)?;
    for player in players {
        let witness = witnesses.remove(player.name.as_str()).unwrap_or_default();
        let told = player.steps.iter().filter(|(version, _)| *version <= versions);
        for (version, hash) in told {
            findings.steps += 1;
            if witness.told.get(version) != Some(hash) {
                let wrong = format!("{} was told something else in version {version}", player.name);
                findings.wrong.push(wrong);
            }
        }
        commands(player, &witness, public, findings);
    }
    Ok(())
}

/// Every acknowledged command is the entry that was named, and nothing else of the player's is there.
fn commands(player: &Player, witness: &Witness, public: u64, findings: &mut Findings) {
    let mut open = witness.did.clone();
    for done in &player.acknowledged {
        let Some(seq) = done.seq.filter(|seq| *seq <= public) else { continue };
        if open.remove(&seq) == Some(word(&done.what)) {
            findings.commands += 1;
        } else {
            let (id, word) = (&done.id, word(&done.what));
            let wrong = format!("{id} was acknowledged as {word} in entry {seq}, which differs");
            findings.wrong.push(wrong);
        }
    }
    for (seq, word) in open {
        let wrong = format!("entry {seq}: {word} of {}, who never sent it", player.name);
        findings.wrong.push(wrong);
    }
}

/// Plays the log again, as each player should have seen it.
fn replay<'a>(
    read: &Export,
    players: &'a [Player],
    findings: &mut Findings,
) -> Result<(HashMap<&'a str, Witness>, u64), String> {
    let mut witnesses: HashMap<&str, Witness> =
        players.iter().map(|player| (player.name.as_str(), Witness::default())).collect();
    let (mut table, mut version): (Option<Table>, u64) = (None, 0);
    for entry in &read.entries {
        match Kind::of(&entry.line) {
            Some((Kind::Rules, text)) => {
                let rules: RulesLine =
                    text.parse().map_err(|_| format!("'{text}' does not name any rules"))?;
                table.get_or_insert_with(|| Table::new(rules.sheet));
            }
            Some((Kind::Input, text)) => {
                let table = table.as_mut().ok_or("an input before the rules")?;
                let input: Input = text.parse().map_err(|_| format!("'{text}' is not an input"))?;
                let by = doer(table, &input);
                let outcome = Outcome::of(table, &input);
                let outcome = outcome.map_err(|_| format!("'{text}' is refused"))?;
                version += 1;
                if let Some((name, word)) = by
                    && let Some(witness) = witnesses.get_mut(name.as_str())
                {
                    witness.did.insert(entry.seq, word);
                }
                for (name, witness) in &mut witnesses {
                    witness.told.insert(version, told(table, &outcome, name));
                }
            }
            _ => {}
        }
    }
    findings.rounds += table.map_or(0, |table| table.rounds_played().into());
    Ok((witnesses, version))
}

/// A hash of the lines that are for somebody's eyes.
fn told(table: &Table, outcome: &Outcome, name: &str) -> u64 {
    let may_see = |audience: Audience| match audience {
        Audience::Everyone => true,
        Audience::Box(seat) => table.everyone().any(|(bettor, chair)| {
            chair.player.as_str() == name && bettor.seat() == usize::from(seat)
        }),
    };
    let lines = outcome.events.iter().filter(|event| may_see(event.audience()));
    lines.fold(FIRST_HASH, |hash, event| hashed(hash, &event.to_string()))
}

/// Whose command an input is, and its first word; nobody's where the dealer or a clock gave it.
fn doer(table: &Table, input: &Input) -> Option<(Name, &'static str)> {
    let at = |bettor: &Bettor| table.chair(*bettor).map(|chair| chair.player.clone());
    let (name, word) = match input {
        Input::Sit { player, .. } => (Some(player.clone()), "sit"),
        Input::BuyIn { bettor, .. } => (at(bettor), "buy-in"),
        Input::Leave { bettor } => (at(bettor), "leave"),
        Input::Wager { bettor, .. } => (at(bettor), "wager"),
        Input::Clear { bettor } => (at(bettor), "clear"),
        Input::Inspect { bettor } => (at(bettor), "inspect"),
        Input::Act { bettor, .. } => (at(bettor), "act"),
        Input::Choose { bettor, .. } => (at(bettor), "choose"),
        Input::Cut { by: Cutter::Seat(by), .. } => (at(by), "cut"),
        _ => return None,
    };
    name.zip(Some(word))
}

/// The first word of the input that a command becomes.
fn word(what: &PlayerCommand) -> &'static str {
    match what {
        PlayerCommand::Sit { .. } => "sit",
        PlayerCommand::BuyIn { .. } => "buy-in",
        PlayerCommand::Leave { .. } => "leave",
        PlayerCommand::Wager { .. } => "wager",
        PlayerCommand::Clear { .. } => "clear",
        PlayerCommand::Inspect => "inspect",
        PlayerCommand::Act { .. } => "act",
        PlayerCommand::Choose { .. } => "choose",
        PlayerCommand::Cut { .. } => "cut",
        _ => "nothing",
    }
}
