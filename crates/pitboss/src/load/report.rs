//! The report of a run, in words and as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use serde_json::{Value, json};

use super::coaching::Questions;
use super::latency::Latency;
use super::referee::Findings;
use crate::text::grouped;

/// What a run came to.
pub(super) struct LoadReport {
    pub(super) players: usize,
    pub(super) tables: usize,
    pub(super) seated: u64,
    pub(super) think: Duration,
    pub(super) measured: Duration,
    pub(super) latency: Latency,
    /// The same from the first sending of a command; none where there is one node.
    pub(super) waits: Option<Latency>,
    /// Inputs that the tables accepted during the measurement.
    pub(super) steps: u64,
    /// The log entries they led to.
    pub(super) entries: u64,
    pub(super) rounds: u64,
    pub(super) messages: u64,
    /// The bytes of those messages.
    pub(super) bytes: u64,
    /// What the coach was asked, and how many questions its threads worked on; none where nobody asked.
    pub(super) coach: Option<(Questions, u64)>,
    /// How long the disk took to keep a page, before anybody came; none in a house elsewhere.
    pub(super) fsync: Option<Latency>,
    pub(super) crashes: u32,
    pub(super) server: Option<ProcessUse>,
    pub(super) client: Option<ProcessUse>,
    pub(super) findings: Findings,
    pub(super) wrongs: u64,
    pub(super) wrong: Vec<String>,
    pub(super) refusals: BTreeMap<String, u64>,
}

/// What a process used.
pub(super) struct ProcessUse {
    /// Resident memory before anybody came and at the end, in kilobytes.
    pub(super) memory: (u64, u64),
    /// Processor time while it was measured.
    pub(super) cpu: Duration,
}

impl LoadReport {
    /// Whether everything that was checked was right.
    pub(super) fn is_clean(&self) -> bool {
        self.wrongs == 0 && self.findings.wrong.is_empty()
    }

    fn a_second(&self, count: u64) -> u64 {
        let ms = u64::try_from(self.measured.as_millis()).unwrap_or(u64::MAX).max(1);
        count.saturating_mul(1000) / ms
    }

    fn memory_of_a_player(&self) -> Option<u64> {
        let (before, after) = self.server.as_ref()?.memory;
        Some(after.saturating_sub(before) / u64::try_from(self.players.max(1)).ok()?)
    }

    /// What a player is told in a round, in bytes.
    fn bytes_a_round(&self) -> u64 {
        let (players, tables) = (self.players as u64, self.tables as u64);
        self.bytes.saturating_mul(tables) / self.rounds.saturating_mul(players).max(1)
    }

    fn failures(&self) -> impl Iterator<Item = &String> {
        self.wrong.iter().chain(&self.findings.wrong)
    }

    pub(super) fn json(&self) -> Value {
        let ms = |thousandths| micros(self.latency.quantile(thousandths));
        let cpu =
            |used: &Option<ProcessUse>| used.as_ref().map(|used| percent(used.cpu, self.measured));
        json!({
            "players": self.players,
            "seated": self.seated,
            "tables": self.tables,
            "think_ms": u64::try_from(self.think.as_millis()).unwrap_or(u64::MAX),
            "seconds": self.measured.as_secs(),
            "acknowledged": self.latency.count(),
            "latency_us": {
                "p50": ms(500), "p90": ms(900), "p99": ms(990),
                "max": micros(self.latency.longest()),
            },
            "waits_us": self.waits.as_ref().map(|waits| json!({
                "p50": micros(waits.quantile(500)), "p99": micros(waits.quantile(990)),
                "max": micros(waits.longest()),
            })),
            "a_second": {
                "steps": self.a_second(self.steps),
                "entries": self.a_second(self.entries),
                "rounds": self.a_second(self.rounds),
                "acknowledged": self.a_second(self.latency.count()),
                "messages": self.a_second(self.messages),
                "bytes": self.a_second(self.bytes),
            },
            "bytes_a_round": self.bytes_a_round(),
            "coach": self.coach.as_ref().map(|(asked, worked)| json!({
                "answers": asked.answers.count(),
                "overtaken": asked.overtaken,
                "busy": asked.busy,
                "failed": asked.failed,
                "latency_us": {
                    "p50": micros(asked.answers.quantile(500)),
                    "p99": micros(asked.answers.quantile(990)),
                    "max": micros(asked.answers.longest()),
                },
                "worked": worked,
            })),
            "fsync_us": self.fsync.as_ref().map(|fsync| json!({
                "p50": micros(fsync.quantile(500)), "max": micros(fsync.longest()),
            })),
            "server": {
                "memory_kb": self.server.as_ref().map(|used| used.memory.1),
                "memory_of_a_player_kb": self.memory_of_a_player(),
                "cpu_percent": cpu(&self.server),
            },
            "client": { "cpu_percent": cpu(&self.client) },
            "crashes": self.crashes,
            "proven": {
                "steps": self.findings.steps,
                "commands": self.findings.commands,
                "entries": self.findings.entries,
                "rounds": self.findings.rounds,
            },
            "refusals": self.refusals,
            "failures": self.wrongs + u64::try_from(self.findings.wrong.len()).unwrap_or(0),
            "first_failures": self.failures().take(20).collect::<Vec<_>>(),
        })
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let number = |count: u64| grouped(&count.to_string());
        let LoadReport { players, tables, seated, .. } = self;
        let think = match self.think.is_zero() {
            true => "without pauses".to_owned(),
            false => format!("thinking for {}", in_ms(self.think)),
        };
        let seconds = self.measured.as_secs();
        writeln!(out, "{players} players at {tables} tables, {think}, {seconds} s")?;
        if *seated < *players as u64 {
            writeln!(out, "  seated        {seated}")?;
        }
        let quantile = |thousandths| in_ms(self.latency.quantile(thousandths));
        writeln!(
            out,
            "  answers       p50 {}, p90 {}, p99 {}, longest {}; {} a second",
            quantile(500),
            quantile(900),
            quantile(990),
            in_ms(self.latency.longest()),
            number(self.a_second(self.latency.count())),
        )?;
        if let Some(waits) = &self.waits {
            let quantile = |thousandths| in_ms(waits.quantile(thousandths));
            writeln!(
                out,
                "  over nodes    p50 {}, p99 {}, longest {}, reconnections included",
                quantile(500),
                quantile(990),
                in_ms(waits.longest()),
            )?;
        }
        writeln!(
            out,
            "  on disk       {} steps, {} log entries and {} rounds a second",
            number(self.a_second(self.steps)),
            number(self.a_second(self.entries)),
            number(self.a_second(self.rounds)),
        )?;
        writeln!(out, "  messages      {} a second", number(self.a_second(self.messages)))?;
        writeln!(out, "  bytes         {} per player and round", number(self.bytes_a_round()))?;
        if let Some((asked, worked)) = &self.coach {
            let quantile = |thousandths| in_ms(asked.answers.quantile(thousandths));
            writeln!(
                out,
                "  coach         p50 {}, p99 {}, longest {}; {} answers a second, {} overtaken, \
                 {} busy, {} failed",
                quantile(500),
                quantile(990),
                in_ms(asked.answers.longest()),
                number(self.a_second(asked.answers.count())),
                number(asked.overtaken),
                number(asked.busy),
                number(asked.failed),
            )?;
            writeln!(out, "  coach's work  {} questions", number(*worked))?;
        }
        if let Some(fsync) = &self.fsync {
            let (half, longest) = (in_ms(fsync.quantile(500)), in_ms(fsync.longest()));
            writeln!(out, "  fsync         p50 {half}, longest {longest}, before anybody came")?;
        }
        for (name, used) in [("house", &self.server), ("players", &self.client)] {
            let Some(ProcessUse { memory: (_, after), cpu }) = used else { continue };
            let cpu = percent(*cpu, self.measured);
            write!(out, "  {name:<13} {} MB, {cpu} % of a core", number(after / 1024))?;
            match self.memory_of_a_player().filter(|_| name == "house") {
                Some(each) => writeln!(out, "; {each} KB per player")?,
                None => writeln!(out)?,
            }
        }
        if self.crashes > 0 {
            writeln!(out, "  killed        {} times", self.crashes)?;
        }
        writeln!(
            out,
            "  verified      {} steps, {} answered commands, {} log entries, {} rounds",
            number(self.findings.steps),
            number(self.findings.commands),
            number(self.findings.entries),
            number(self.findings.rounds),
        )?;
        for (sentence, count) in &self.refusals {
            let times = if *count == 1 { "time" } else { "times" };
            writeln!(out, "  refused       {} {times}: {sentence}", number(*count))?;
        }
        if self.is_clean() {
            return writeln!(out, "Nothing was wrong.");
        }
        let failures = self.wrongs + u64::try_from(self.findings.wrong.len()).unwrap_or(0);
        writeln!(out, "{} things were wrong. The first of them:", number(failures))?;
        self.failures().take(20).try_for_each(|wrong| writeln!(out, "  {wrong}"))
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// `4.2 ms`.
pub(super) fn in_ms(time: Duration) -> String {
    let tenths = time.as_micros() / 100;
    match tenths {
        1000.. => format!("{} ms", tenths / 10),
        _ => format!("{}.{} ms", tenths / 10, tenths % 10),
    }
}

fn percent(cpu: Duration, of: Duration) -> u64 {
    u64::try_from(cpu.as_millis() * 100 / of.as_millis().max(1)).unwrap_or(u64::MAX)
}
