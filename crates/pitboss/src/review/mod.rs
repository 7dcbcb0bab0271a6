//! `pitboss review`: what a player's decisions cost, and how much of the result was luck.

mod html;
mod plot;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ::odds::review::{Decision, Expectations, Grade, Parts, Review, of_transcripts};
use audit::replay::{FollowedInput, follow};
use house::analysis::OwnRounds;
use rules::money::Cents;
use rules::notation::Word;
use rules::round::Act;
use rules::transcript::read_each;
use rules::wager::Bettor;
use serde_json::{Value, json};

use crate::coach;
use crate::halt::{Halt, ended, unreadable, unwritable};
use crate::odds::numbers::share;
use crate::screen::{self, Screen};
use crate::text::{Ink, Text, grouped};
use crate::version;

const HELP: &str = "\
Every decision is compared with the best play, given the cards that the player
had seen, and marked by what it costs in units of the main wager: best, close
(up to 0.02), mistake (up to 0.10) or blunder. A player's result is split into
three parts that add up to the cent:

  expectation  what the wagers are worth with the best play, from a full shoe
  play         what the decisions cost, compared with the best ones
  luck         the rest, which averages to zero

docs/coach.md says more.

Examples:
  pitboss export out
  pitboss review out/war-1.log --player ann
  pitboss review out/war-1.log --player ann --html ann.html
  pitboss review out/war-1.log --player ann --json
  pitboss review rounds.round --player 1         seat 1 in transcripts";

/// How many of the most expensive decisions are shown.
const MOST_SHOWN: usize = 3;

/// What an export begins with.
const EXPORT: &str = "pitboss log";

/// Shows what a player's decisions cost, and how much of the result was luck.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The exported log of a table, or a file of transcripts
    file: PathBuf,
    /// The player's name, or a seat in transcripts
    #[arg(long, value_name = "NAME")]
    player: String,
    /// Prints JSON
    #[arg(long)]
    json: bool,
    /// Writes a report with a plot to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    ended(show(arguments, out))
}

fn show(arguments: &Arguments, out: &mut impl Write) -> Result<(), Halt> {
    let report = Report::read(&arguments.file, &arguments.player)?;
    if let Some(file) = &arguments.html {
        fs::write(file, html::page(&report)).map_err(|error| unwritable(file, &error))?;
    }
    match (arguments.json, &arguments.html) {
        (true, _) => {
            serde_json::to_writer_pretty(&mut *out, &report.json()).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        (false, Some(file)) => writeln!(out, "{} written.", file.display())?,
        (false, None) => {
            report.show(&mut Screen::new(out, screen::is_colourful(), screen::width()))?;
        }
    }
    Ok(())
}

/// A player's review, and where it comes from.
struct Report {
    player: String,
    /// The table, or the file of transcripts.
    place: String,
    review: Review,
    /// Inputs that were written under other rules, and not played.
    unplayed: u64,
}

impl Report {
    fn read(file: &Path, player: &str) -> Result<Report, String> {
        let unreadable = |error| unreadable(file, &error);
        let mut text = BufReader::new(File::open(file).map_err(unreadable)?);
        let beginning = text.fill_buf().map_err(unreadable)?;
        let report = match beginning.starts_with(EXPORT.as_bytes()) {
            true => Report::of_export(file, text, player)?,
            false => Report::of_rounds(file, player)?,
        };
        match report.review.rounds.is_empty() {
            true => Err(format!(
                "{}: '{}' has played no round to its end there",
                file.display(),
                player.escape_debug()
            )),
            false => Ok(report),
        }
    }

    fn of_export(file: &Path, text: impl BufRead, player: &str) -> Result<Report, String> {
        let (mut rounds, mut review) = (OwnRounds::of(player), Review::default());
        let mut known: Option<Expectations> = None;
        let followed = follow(text, |FollowedInput { seq, before, events, after, .. }| {
            let Some(round) = rounds.follow(seq, before, events, after) else { return };
            if known.as_ref().is_none_or(|known| *known.sheet() != round.sheet) {
                known = Some(Expectations::new(&round.sheet));
            }
            if let Some(known) = &mut known {
                review.rounds.push(coach::review(&round, known).0);
            }
        });
        let followed = followed.map_err(|error| format!("{}: {error}", file.display()))?;
        let (place, unplayed) = (followed.table, followed.unplayed);
        Ok(Report { player: player.to_owned(), place, review, unplayed })
    }

    fn of_rounds(file: &Path, player: &str) -> Result<Report, String> {
        let at =
            |line: usize, why: &dyn std::fmt::Display| format!("{}:{line}: {why}", file.display());
        let bettor = <Bettor as Word>::read(player).ok_or_else(|| {
            let found = player.escape_debug();
            format!("expected --player as a seat of the transcripts, such as 1, found '{found}'")
        })?;
        let text = fs::read_to_string(file).map_err(|error| unreadable(file, &error))?;
        let rounds: Result<Vec<_>, _> = read_each(&text).into_iter().collect();
        let rounds = rounds.map_err(|errors| match errors.first() {
            Some(error) => at(error.line, &error.reason),
            None => format!("{}: it has no round", file.display()),
        })?;
        let review =
            of_transcripts(&rounds, bettor).map_err(|finding| at(finding.line, &finding))?;
        let player = format!("seat {bettor}");
        Ok(Report { player, place: file.display().to_string(), review, unplayed: 0 })
    }

    /// How often each grade was reached: `40 best, 2 close, 1 mistake and 0 blunders`.
    fn grades(&self) -> String {
        let [best, close, mistakes, blunders] = Grade::ALL.map(|grade| self.review.count(grade));
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        format!(
            "{best} best, {close} close, {mistakes} mistake{}, {blunders} blunder{}",
            plural(mistakes),
            plural(blunders)
        )
    }

    /// What the numbers are about.
    fn title(&self) -> String {
        let (rounds, decisions) = (self.review.rounds.len(), self.review.decisions().count());
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        format!(
            "{} at {}: {rounds} round{}, {decisions} decision{}",
            self.player,
            self.place,
            plural(rounds),
            plural(decisions)
        )
    }

    /// What has to be known to read the numbers.
    fn notes(&self) -> Vec<String> {
        let unvalued = (self.review.unvalued() > 0).then(|| {
            format!("{} decisions could not be valued, and count as luck.", self.review.unvalued())
        });
        let unplayed = (self.unplayed > 0).then(|| {
            format!("{} inputs were written under other rules, and are left out.", self.unplayed)
        });
        unvalued.into_iter().chain(unplayed).collect()
    }

    fn show(&self, screen: &mut Screen<impl Write>) -> io::Result<()> {
        screen.line(&Text::new().with(Ink::Bold, self.title()))?;
        if let Some(accuracy) = self.review.accuracy() {
            screen.say(&format!("Accuracy {}: {}.", share(accuracy), self.grades()))?;
        }
        screen.blank()?;
        let Parts { expectation, play, luck, net } = self.review.parts();
        let rows = [
            ("expectation", expectation, "what the wagers are worth by the best play"),
            ("play", play, "what the decisions cost"),
            ("luck", luck, "the rest"),
            ("net", net, ""),
        ];
        for (name, amount, words) in rows {
            let line = Text::plain(format!("  {name:<12}{:>12}", signed(amount)));
            screen.line(&line.with(Ink::Faint, format!("  {words}")))?;
        }
        let expensive = self.review.most_expensive(MOST_SHOWN);
        if !expensive.is_empty() {
            screen.heading("The most expensive decisions")?;
            expensive.iter().try_for_each(|decision| screen.item("·", 2, &in_words(decision)))?;
        }
        if self.review.rounds.len() > 1 {
            screen.heading("Net (●), and what of it is expectation and play (·)")?;
            let over_time: Vec<Parts> = self.review.over_time().collect();
            let lines = plot::in_text(&over_time, screen.width());
            lines.iter().try_for_each(|line| screen.plain(line))?;
        }
        let notes = self.notes();
        if !notes.is_empty() {
            screen.blank()?;
            notes.iter().try_for_each(|note| screen.say(note))?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let parts = |parts: Parts| {
            json!({
                "expectation": chips(parts.expectation),
                "play": chips(parts.play),
                "luck": chips(parts.luck),
                "net": chips(parts.net),
            })
        };
        let decision = |decision: &Decision| {
            json!({
                "round": decision.round,
                "bettor": decision.bettor.to_string(),
                "act": written(decision.chosen().act),
                "gain": decision.chosen().gain / 100.0,
                "method": decision.chosen().method.name(),
                "best": written(decision.best().act),
                "best_gain": decision.best().gain / 100.0,
                "best_method": decision.best().method.name(),
                "cost": decision.cost() / 100.0,
                "grade": decision.grade().name(),
            })
        };
        let rounds = self.review.rounds.iter().map(|round| {
            json!({
                "round": round.round,
                "net": chips(round.net),
                "expectation": round.expectation / 100.0,
                "play": round.play() / 100.0,
                "luck": round.luck() / 100.0,
                "decisions": round.decisions.iter().map(decision).collect::<Vec<_>>(),
                "unvalued": round.unvalued,
            })
        });
        let expensive = self.review.most_expensive(MOST_SHOWN);
        json!({
            "program": version::PROGRAM,
            "rules": version::rules(),
            "player": self.player,
            "place": self.place,
            "accuracy": self.review.accuracy(),
            "grades": Grade::ALL
                .map(|grade| (grade.name().to_owned(), json!(self.review.count(grade))))
                .into_iter()
                .collect::<serde_json::Map<_, _>>(),
            "result": parts(self.review.parts()),
            "most_expensive": expensive.into_iter().map(decision).collect::<Vec<_>>(),
            "rounds": rounds.collect::<Vec<_>>(),
        })
    }
}

/// An amount for programs.
#[allow(clippy::cast_precision_loss)]
fn chips(amount: Cents) -> f64 {
    amount.get() as f64 / 100.0
}

/// An amount with its sign for people.
fn signed(amount: Cents) -> String {
    grouped(&format!("{amount:+}"))
}

/// An act as it is written: `war 5`.
fn written(act: Act) -> String {
    match act {
        Act::Call(call) => call.name().to_owned(),
        Act::With(call, amount) => format!("{} {amount}", call.name()),
        Act::Hand(hand) => format!("hand {hand}"),
    }
}

/// A decision as a sentence.
fn in_words(decision: &Decision) -> String {
    let (chosen, best) = (written(decision.chosen().act), written(decision.best().act));
    let (round, cost) = (decision.round, decision.cost() / 100.0);
    format!(
        "round {round}: {chosen} instead of {best} cost {cost:.2} ({})",
        decision.grade().name()
    )
}
