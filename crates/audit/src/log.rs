//! The lines of a log: inputs, what came of them, and the rules in force.

use std::fmt;
use std::str::FromStr;

use rules::RULES_VERSION;
use rules::card::Card;
use rules::money::Cents;
use rules::notation::{Unreadable, Words};
use rules::round::Audience;
use rules::table::{Account, Input, Seal, Table, TableEvent, TableRefusal, Transfer};
use rules::terms::{TermRefusal, TermSheet};
use rules::wager::{Bettor, Game};

use crate::chain::{Chain, Entry};
use crate::secret::{Legible, LineSalt};
use crate::time::LineTime;

/// What a line of the log is, by its first letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `#`: under which rules the table is run from here on.
    Rules,
    /// `<`: an input, as the table takes it.
    Input,
    /// `=`: what a round starts from, when bets close; how the table stood, when rules change.
    Opening,
    /// `>`: an event that came of the input before.
    Event,
    /// `@`: something about time that is no input.
    Clock,
}

impl Kind {
    const ALL: [Kind; 5] = [Kind::Rules, Kind::Input, Kind::Opening, Kind::Event, Kind::Clock];

    /// Its letter.
    pub const fn letter(self) -> char {
        match self {
            Kind::Rules => '#',
            Kind::Input => '<',
            Kind::Opening => '=',
            Kind::Event => '>',
            Kind::Clock => '@',
        }
    }

    /// A line of this kind.
    pub fn line(self, content: impl fmt::Display) -> String {
        format!("{} {content}", self.letter())
    }

    /// The kind of a line, and its text, of an input without its time; none where it is not told yet.
    pub fn of(line: &str) -> Option<(Kind, &str)> {
        let line = Legible::of(line).text()?;
        Kind::ALL.into_iter().find_map(|kind| {
            let content = line.strip_prefix(kind.letter())?.strip_prefix(' ')?;
            match (kind, LineTime::split(content)) {
                (Kind::Input, Some((_, content))) => Some((kind, content)),
                _ => Some((kind, content)),
            }
        })
    }

    /// When an input came, where its line says so.
    pub fn time_of(line: &str) -> Option<LineTime> {
        let content = Legible::of(line).text()?.strip_prefix(Kind::Input.letter())?;
        LineTime::split(content.strip_prefix(' ')?).map(|(time, _)| time)
    }
}

/// Whether an entry stands on its own instead of being a claim about the one before. Of one that is
/// not told yet nobody knows.
pub fn stands_alone(entry: &Entry) -> bool {
    matches!(Kind::of(&entry.line), Some((Kind::Rules | Kind::Input | Kind::Clock, _)))
        || matches!(Legible::of(&entry.line), Legible::Private(_))
}

/// What came of an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// What the round that begins with this input starts from.
    pub opening: Vec<String>,
    /// What happened.
    pub events: Vec<TableEvent>,
}

impl Outcome {
    /// Applies an input to a table. What the table refuses is not logged.
    pub fn of(table: &mut Table, input: &Input) -> Result<Outcome, TableRefusal> {
        let mut outcome = Outcome::default();
        let lines = if *input == Input::Deal { table.opening_lines() } else { Vec::new() };
        table.apply(input, &mut outcome.events)?;
        if outcome.events.contains(&TableEvent::BetsClosed) {
            outcome.opening = lines;
        }
        Ok(outcome)
    }

    /// Appends the input and its outcome to a log. The salt is for what only some may see, and for
    /// nothing else ever.
    pub fn write(&self, input: &Input, chain: &mut Chain, salt: LineSalt) -> Vec<Entry> {
        self.write_line(self.input_line(input), chain, salt)
    }

    /// The same, with the time of the input.
    pub fn write_at(
        &self,
        time: LineTime,
        input: &Input,
        chain: &mut Chain,
        salt: LineSalt,
    ) -> Vec<Entry> {
        let text = Kind::Input.line(format_args!("{time} {input}"));
        self.write_line(LineToWrite { text, ..self.input_line(input) }, chain, salt)
    }

    fn write_line(&self, input: LineToWrite, chain: &mut Chain, salt: LineSalt) -> Vec<Entry> {
        let lines = [input].into_iter().chain(self.lines());
        lines.map(|line| chain.append(line.sealed(salt))).collect()
    }

    /// Whether a log has an input and this outcome, in these lines and as private as they are.
    pub fn is_written(&self, input: &Input, line: &str, claims: &[Entry]) -> bool {
        let mut found = claims.iter();
        let is_next = |line: LineToWrite| found.next().is_some_and(|claim| line.is(&claim.line));
        self.input_line(input).is(line) && self.lines().all(is_next) && found.next().is_none()
    }

    /// The line of the log for the input that it came of: for some only, where its events are.
    pub fn input_line(&self, input: &Input) -> LineToWrite {
        let is_private = self.events.iter().any(is_private);
        LineToWrite { text: Kind::Input.line(input), is_private }
    }

    /// The lines of the log that follow the input's own.
    pub fn lines(&self) -> impl Iterator<Item = LineToWrite> {
        let opening = self.opening.iter().map(|line| Kind::Opening.line(line));
        let opening = opening.map(|text| LineToWrite { text, is_private: false });
        opening.chain(self.events.iter().map(|event| LineToWrite {
            text: Kind::Event.line(event),
            is_private: is_private(event),
        }))
    }
}

/// Whether only some may see an event.
fn is_private(event: &TableEvent) -> bool {
    event.audience() != Audience::Everyone
}

/// A line that belongs into the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineToWrite {
    /// What it says.
    pub text: String,
    /// Whether only some may see it when it is written.
    pub is_private: bool,
}

impl LineToWrite {
    /// Whether a line of a log is this one at any time, and as private as it is.
    pub fn is(&self, line: &str) -> bool {
        let is_same = Kind::of(line).is_some_and(|found| Some(found) == Kind::of(&self.text));
        is_same && Legible::of(line).is_public() != self.is_private
    }

    fn sealed(self, salt: LineSalt) -> String {
        match self.is_private {
            true => salt.seal(&self.text),
            false => self.text,
        }
    }
}

/// What a line of the log says about cards or money, whatever rules it was written under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// `> moved 10 from rack:3 to escrow`
    Moved(Transfer),
    /// `> rack 3 90`, `> meter 10000.75`
    Holds { account: Account, amount: Cents },
    /// `> bets-closed`
    BetsClosed,
    /// `> settled`
    Settled,
    /// `> shuffled 1 312 9f86…`, `> shuffled 1 312 physical`
    Shuffled { shoe: u32, cards: usize, seal: Option<Seal> },
    /// `> loaded 2 second`
    Loaded { shoe: u32 },
    /// `> cut 3 120`
    Cut { at: usize },
    /// `> burned`
    Burned,
    /// `> card dealer ??`
    FaceDown,
    /// `> remedy hole 9d`
    HoleShown(Card),
    /// `> drawn 9d`
    Drawn(Card),
    /// `> retired 1 77`
    Retired,
    /// `> revealed 1`
    Revealed { shoe: u32 },
}

impl Claim {
    /// What a line says; none if it says nothing about cards or money.
    pub(crate) fn read(line: &str) -> Option<Claim> {
        let (Kind::Event, text) = Kind::of(line)? else { return None };
        let words: Vec<&str> = text.split(' ').collect();
        Some(match words[..] {
            ["moved", amount, "from", from, "to", to] => {
                let (from, to, amount) =
                    (from.parse().ok()?, to.parse().ok()?, amount.parse().ok()?);
                let moves = from != to && amount > Cents::ZERO;
                Claim::Moved(Some(Transfer { from, to, amount }).filter(|_| moves)?)
            }
            ["rack", bettor, amount] => {
                let account = Account::Rack(Bettor::read(bettor)?);
                Claim::Holds { account, amount: amount.parse().ok()? }
            }
            ["meter", amount] => {
                Claim::Holds { account: Account::Meter, amount: amount.parse().ok()? }
            }
            ["bets-closed"] => Claim::BetsClosed,
            ["settled"] => Claim::Settled,
            ["shuffled", shoe, cards, seal] => {
                let (shoe, cards) = (shoe.parse().ok()?, cards.parse().ok()?);
                Claim::Shuffled { shoe, cards, seal: seal.parse().ok() }
            }
            ["loaded", shoe, _] => Claim::Loaded { shoe: shoe.parse().ok()? },
            ["cut", _, at] => Claim::Cut { at: at.parse().ok()? },
            ["burned"] => Claim::Burned,
            ["card", place, .., "??"] if place != "burn" => Claim::FaceDown,
            ["remedy", "hole", card] => Claim::HoleShown(card.parse().ok()?),
            ["drawn", card] => Claim::Drawn(card.parse().ok()?),
            ["retired", ..] => Claim::Retired,
            ["revealed", shoe] => Claim::Revealed { shoe: shoe.parse().ok()? },
            _ => return None,
        })
    }
}

/// The rules that a table is run under: `version 3 game casino-war terms decks=8 …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesLine {
    /// The version of the rules.
    pub version: String,
    /// The game and the house's terms.
    pub sheet: TermSheet,
}

impl RulesLine {
    /// The rules of this program, with these terms.
    pub fn new(sheet: TermSheet) -> RulesLine {
        RulesLine { version: RULES_VERSION.to_owned(), sheet }
    }

    /// The version that a line names, whether or not this program knows its terms.
    pub fn version_of(text: &str) -> Option<&str> {
        text.strip_prefix("version ")?.split(' ').next()
    }

    /// Appends them to a log: at its beginning, and when the version changes between rounds.
    pub fn write(&self, chain: &mut Chain) -> Entry {
        chain.append(Kind::Rules.line(self))
    }
}

/// Only terms that differ from their defaults.
impl fmt::Display for RulesLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "version {} game {}", self.version, self.sheet.game())?;
        let mut before = " terms";
        for (term, value) in self.sheet.chosen() {
            write!(f, "{before} {}={value}", term.key)?;
            before = "";
        }
        Ok(())
    }
}

impl FromStr for RulesLine {
    type Err = NoRules;

    fn from_str(text: &str) -> Result<RulesLine, NoRules> {
        let mut words = Words::new(text);
        let read = |words: &mut Words<'_>| -> Result<(String, Game, Vec<String>), Unreadable> {
            let (version, game) = (words.after("version")?, words.after("game")?);
            let terms = if words.skip("terms") { words.rest()? } else { Vec::new() };
            Ok((version, game, terms))
        };
        let (version, game, terms) = read(&mut words).map_err(|_| NoRules::Unreadable)?;
        words.end().map_err(|_| NoRules::Unreadable)?;
        let choices = terms.iter().map(|term| term.split_once('=')).collect::<Option<Vec<_>>>();
        let mut sheet = TermSheet::new(game);
        sheet.set(choices.ok_or(NoRules::Unreadable)?).map_err(NoRules::Refused)?;
        Ok(RulesLine { version, sheet })
    }
}

/// Why a line of rules cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoRules {
    /// It lacks a version, a game or terms.
    Unreadable,
    /// The rule book does not allow the terms.
    Refused(TermRefusal),
}

impl fmt::Display for NoRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoRules::Unreadable => {
                f.write_str("expected 'version VERSION game NAME', perhaps with 'terms KEY=VALUE…'")
            }
            NoRules::Refused(refusal) => write!(f, "{refusal}"),
        }
    }
}

impl std::error::Error for NoRules {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_known_by_its_first_letter() {
        for kind in Kind::ALL {
            assert_eq!(Kind::of(&kind.line("a b")), Some((kind, "a b")));
        }
        for none in ["", "<", "<deal", "? deal", " < deal"] {
            assert_eq!(Kind::of(none), None, "{none}");
        }
        let opened = LineSalt::new([7; 16]).seal("< deal");
        assert_eq!(Kind::of(&opened), Some((Kind::Input, "deal")));
        assert_eq!(Kind::of(&Legible::of(&opened).closed()), None);
    }

    #[test]
    fn the_rules_read_back_as_they_are_printed() {
        let mut sheet = TermSheet::new(Game::CasinoWar);
        let plain = RulesLine::new(sheet.clone());
        assert_eq!(plain.to_string(), format!("version {RULES_VERSION} game casino-war"));
        sheet.set([("decks", "8"), ("main_max", "200")]).unwrap();
        let chosen = RulesLine { version: "0.0.9".to_owned(), sheet };
        let text = "version 0.0.9 game casino-war terms decks=8 main_max=200";
        let words = |line: &RulesLine| {
            let mut words: Vec<_> = line.to_string().split(' ').map(str::to_owned).collect();
            words.sort();
            words
        };
        assert_eq!(words(&chosen), words(&text.parse().unwrap()));
        for line in [plain, chosen] {
            assert_eq!(line.to_string().parse(), Ok(line));
        }
    }

    #[test]
    fn no_table_is_run_under_what_is_no_rules() {
        for text in [
            "",
            "version 1",
            "game casino-war",
            "version 1 game whist",
            "version 1 game casino-war decks=8",
            "version 1 game casino-war terms decks",
            "version  game casino-war",
        ] {
            assert_eq!(text.parse::<RulesLine>(), Err(NoRules::Unreadable), "{text}");
        }
        let refused = "version 1 game casino-war terms decks=5".parse::<RulesLine>().unwrap_err();
        assert!(refused.to_string().contains("CW-2-a"), "{refused}");
    }
}
