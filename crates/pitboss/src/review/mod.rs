//! `pitboss review`: what a player's decisions cost, and how much of the result was luck.

mod html;
mod plot;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ::odds::review::{Decision, Expectations, Grade, Parts, Review, RoundReview, of_transcripts};
use ::odds::value::Certainty;
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

  expectation  what the wagers are worth with the best play, given the cards seen
  play         what the decisions cost, compared with the best ones
  luck         the rest, which averages to zero

docs/coach.md says more.

Examples:
  pitboss export out
  pitboss review out/war-1.log --player ann
  pitboss review out/war-1.log --player ann --html ann.html
  pitboss review out/war-1.log --player ann --json
  pitboss review out/*.log --player ann          every table where ann has played
  pitboss review rounds.round --player 1         seat 1 in transcripts";

/// The mark of a decision whose cost is not certain enough for a grade.
const UNSURE: &str = "unsure";

/// How many of the most expensive decisions are shown.
const MOST_SHOWN: usize = 3;

/// What an export begins with.
const EXPORT: &str = "pitboss log";

/// Shows what a player's decisions cost, and how much of the result was luck.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The exported logs of tables, or files of transcripts
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
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
    let report = Report::of_all(&arguments.files, &arguments.player)?;
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
    /// Each table, or file of transcripts, and how many rounds come from it, in this order.
    places: Vec<(String, usize)>,
    review: Review,
    /// Inputs that were written under other rules, and not played.
    unplayed: u64,
}

impl Report {
    /// What a player did in all of these files, some of which may be without one.
    fn of_all(files: &[PathBuf], player: &str) -> Result<Report, String> {
        let (mut places, mut review, mut unplayed) = (Vec::new(), Review::default(), 0);
        let mut name = player.to_owned();
        for file in files {
            let report = Report::read(file, player)?;
            places.extend(report.places.into_iter().filter(|(_, rounds)| *rounds > 0));
            review.rounds.extend(report.review.rounds);
            unplayed += report.unplayed;
            name = report.player;
        }
        match review.rounds.is_empty() {
            true => {
                let names: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
                let player = player.escape_debug();
                Err(format!(
                    "{}: '{player}' has played no round to its end there",
                    names.join(", ")
                ))
            }
            false => Ok(Report { player: name, places, review, unplayed }),
        }
    }

    /// Where a round comes from, where there are several places.
    fn place_of(&self, decision: &Decision) -> String {
        let has_it =
            |round: &RoundReview| round.decisions.iter().any(|own| std::ptr::eq(own, decision));
        let mut at = self.review.rounds.iter().position(has_it).unwrap_or(0);
        let here = self.places.iter().find(|(_, rounds)| {
            let is_here = at < *rounds;
            at = at.saturating_sub(*rounds);
            is_here
        });
        here.filter(|_| self.places.len() > 1).map_or_else(String::new, |(at, _)| at.clone())
    }

    fn read(file: &Path, player: &str) -> Result<Report, String> {
        let unreadable = |error| unreadable(file, &error);
        let mut text = BufReader::new(File::open(file).map_err(unreadable)?);
        let beginning = text.fill_buf().map_err(unreadable)?;
        match beginning.starts_with(EXPORT.as_bytes()) {
            true => Report::of_export(file, text, player),
            false => Report::of_rounds(file, player),
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
        let places = vec![(place, review.rounds.len())];
        Ok(Report { player: player.to_owned(), places, review, unplayed })
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
        let places = vec![(file.display().to_string(), review.rounds.len())];
        Ok(Report { player, places, review, unplayed: 0 })
    }

    /// How often each grade was reached: `40 best, 2 close, 1 mistake and 0 blunders`.
    fn grades(&self) -> String {
        let [best, close, mistakes, blunders] = Grade::ALL.map(|grade| self.review.count(grade));
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let unsure = match self.review.ungraded() {
            0 => String::new(),
            unsure => format!(", {unsure} not certain"),
        };
        format!(
            "{best} best, {close} close, {mistakes} mistake{}, {blunders} blunder{}{unsure}",
            plural(mistakes),
            plural(blunders)
        )
    }

    /// Where the rounds were played.
    fn place(&self) -> String {
        let names: Vec<&str> = self.places.iter().map(|(name, _)| name.as_str()).collect();
        names.join(", ")
    }

    /// What the numbers are about.
    fn title(&self) -> String {
        let (rounds, decisions) = (self.review.rounds.len(), self.review.decisions().count());
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        format!(
            "{} at {}: {rounds} round{}, {decisions} decision{}",
            self.player,
            self.place(),
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
        let cost = match self.review.certainty() {
            Certainty::Exact => "what the decisions cost",
            Certainty::AtLeast => "what the decisions cost at least",
            Certainty::AtMost => "what the decisions cost at most",
            Certainty::About => "about what the decisions cost",
        };
        let rows = [
            ("expectation", expectation, "what the wagers are worth by the best play"),
            ("play", play, cost),
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
            expensive
                .iter()
                .try_for_each(|decision| screen.item("·", 2, &self.in_words(decision)))?;
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

    /// A decision as a sentence.
    fn in_words(&self, decision: &Decision) -> String {
        let (chosen, best) = (written(decision.chosen().act), written(decision.best().act));
        let (round, cost) = (decision.round, decision.cost() / 100.0);
        let certainty = decision.cost_and_range().certainty().in_words();
        let place = match self.place_of(decision) {
            place if place.is_empty() => place,
            place => format!("{place}, "),
        };
        format!(
            "{place}round {round}: {chosen} instead of {best} cost {certainty}{cost:.2} ({})",
            decision.grade().map_or(UNSURE, Grade::name)
        )
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
                "cost_method": decision.cost_and_range().certainty().name(),
                "grade": decision.grade().map_or(UNSURE, Grade::name),
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
            "place": self.place(),
            "accuracy": self.review.accuracy(),
            "grades": Grade::ALL
                .map(|grade| (grade.name().to_owned(), json!(self.review.count(grade))))
                .into_iter()
                .collect::<serde_json::Map<_, _>>(),
            "unsure": self.review.ungraded(),
            "result": parts(self.review.parts()),
            "play_method": self.review.certainty().name(),
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
