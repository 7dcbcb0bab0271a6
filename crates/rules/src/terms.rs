//! House options: one name each, the values the law allows, and the sheet a house fills in.
//!
//! `rulebook/terms.csv` decides names, values and defaults.

use std::fmt;
use std::sync::LazyLock;

use crate::csv;
use crate::money::{Breakage, Cents, Chips, LARGEST_AMOUNT};
use crate::shoe;
use crate::wager::Game;

/// One option that the rule book, or a ruling, leaves to the house.
#[derive(Debug, PartialEq, Eq)]
pub struct Term {
    /// The game; none where every game has it.
    pub game: Option<Game>,
    /// Its one name.
    pub key: String,
    /// `amount`, `count`, `cards`, `seconds`, `enum` or `flag`.
    pub kind: String,
    /// What may be chosen, such as `6|7|8`, `1..7`, `none|>=100000`.
    pub values: String,
    /// The value where the house chooses nothing.
    pub default: String,
    /// `round` where it affects a round, `table` where it affects the procedures around one.
    pub scope: String,
    /// The clauses and rulings that grant or limit it, the most important first.
    pub source: String,
    /// What it decides.
    pub meaning: String,
}

pub(crate) const TABLE: &str = include_str!("../rulebook/terms.csv");

static TERMS: LazyLock<Vec<Term>> = LazyLock::new(|| {
    csv::rows(TABLE)
        .map(|[game, key, kind, values, default, scope, source, meaning]| Term {
            game: Game::named(&game),
            key,
            kind,
            values,
            default,
            scope,
            source,
            meaning,
        })
        .collect()
});

/// Every option of every game.
pub fn all() -> &'static [Term] {
    &TERMS
}

/// The options of a game, the common ones first.
pub fn of(game: Game) -> impl Iterator<Item = &'static Term> {
    TERMS.iter().filter(move |term| term.game.is_none_or(|g| g == game))
}

/// The values of an option in words: `6|7|8` is `6, 7 or 8`, `1..7` is `1 to 7`, `>=1` is `1 or more`.
pub fn values_in_words(values: &str) -> String {
    let in_words = |value: &str| match (value.split_once(".."), value.strip_prefix(">=")) {
        (Some((least, most)), _) => format!("{least} to {most}"),
        (_, Some(least)) => format!("{least} or more"),
        _ => value.to_owned(),
    };
    let words: Vec<_> = values.split('|').map(in_words).collect();
    match words.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => words.concat(),
    }
}

impl Term {
    /// Every value, where there are at most so many; none where there are more, as of an amount.
    pub fn choices(&self, most: u32) -> Option<Vec<String>> {
        let mut all = Vec::new();
        for choice in self.values.split('|') {
            match choice.split_once("..") {
                Some((least, last)) => {
                    let (least, last): (u32, u32) = (least.parse().ok()?, last.parse().ok()?);
                    (last - least < most).then_some(())?;
                    all.extend((least..=last).map(|number| number.to_string()));
                }
                None if choice.starts_with(">=") => return None,
                None => all.push(choice.to_owned()),
            }
        }
        Some(all)
    }

    /// Reads a value, if it may be chosen.
    fn read(&self, word: &str) -> Option<Value> {
        self.values.split('|').find_map(|choice| {
            if let Some(least) = choice.strip_prefix(">=") {
                let number = self.number(word)?;
                return (number >= self.number(least)?).then_some(Value::Number(number));
            }
            if let Some((least, most)) = choice.split_once("..") {
                let number = self.number(word)?;
                let range = self.number(least)?..=self.number(most)?;
                return range.contains(&number).then_some(Value::Number(number));
            }
            match self.number(choice) {
                Some(number) => (self.number(word)? == number).then_some(Value::Number(number)),
                None => (word == choice).then(|| Value::Word(choice.to_owned())),
            }
        })
    }

    /// Why a value cannot be chosen.
    fn refuse(&self, word: &str) -> TermRefusal {
        let (key, value) = (self.key.clone(), word.to_owned());
        let expected = match self.values.strip_prefix(">=") {
            Some(least) => format!("{least} to {}", self.ceiling()),
            None => values_in_words(&self.values),
        };
        let number = |word: &str| word.parse::<Cents>().is_ok();
        let source = self.source.clone();
        match self.kind.as_str() {
            "enum" | "flag" => TermRefusal::Forbidden { key, value, expected, source },
            _ if number(word) => TermRefusal::Forbidden { key, value, expected, source },
            _ => TermRefusal::Unreadable { key, value, expected, source },
        }
    }

    /// The largest number that can be chosen, as it is written.
    fn ceiling(&self) -> String {
        match self.kind.as_str() {
            "amount" => LARGEST_AMOUNT.to_string(),
            _ => LARGEST_AMOUNT.get().to_string(),
        }
    }

    /// A number of cents, cards, seconds or whatever is counted, up to the largest amount.
    fn number(&self, word: &str) -> Option<u32> {
        let number = match self.kind.as_str() {
            "amount" => Chips::from_cents(word.parse::<Cents>().ok()?)?.get(),
            "enum" | "flag" => return None,
            _ => word.parse().ok()?,
        };
        (number <= LARGEST_AMOUNT.get()).then_some(number)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Word(String),
    Number(u32),
}

/// Why a choice of terms is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub enum TermRefusal {
    /// The game has no such option.
    Unknown { game: Game, key: String },
    /// The value is not a number, where one is expected.
    Unreadable { key: String, value: String, expected: String, source: String },
    /// The law, or another term, does not allow the value.
    Forbidden { key: String, value: String, expected: String, source: String },
}

impl TermRefusal {
    /// Whether the refusal rests on this clause or ruling.
    pub fn rests_on(&self, id: &str) -> bool {
        match self {
            TermRefusal::Unknown { .. } => false,
            TermRefusal::Unreadable { source, key, .. }
            | TermRefusal::Forbidden { source, key, .. } => {
                source.split(' ').any(|source| source == id) || key == id
            }
        }
    }
}

impl fmt::Display for TermRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TermRefusal::Unknown { game, key } => {
                write!(f, "{game} has no term '{key}'; its terms are: ")?;
                let keys: Vec<_> = of(*game).map(|term| term.key.as_str()).collect();
                f.write_str(&keys.join(", "))
            }
            TermRefusal::Unreadable { key, value, expected, source } => {
                write!(f, "{key}={value} cannot be read; expected {expected} ({source})")
            }
            TermRefusal::Forbidden { key, value, expected, source } => {
                write!(f, "{key}={value} is not allowed; expected {expected} ({source})")
            }
        }
    }
}

impl std::error::Error for TermRefusal {}

/// What a void undoes (G-03, CW-R13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoidScope {
    /// Everything, settled wagers too.
    WholeRound,
    /// Only what is not settled yet.
    UndecidedOnly,
}

/// Whether the house releases players after a misdelivered card (G-10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayersOut {
    /// It may.
    Allowed,
    /// It does not.
    Barred,
}

/// How much may be added to a wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddedWager {
    /// Any amount up to it.
    UpTo,
    /// Exactly as much.
    Equal,
}

/// The options of one table, filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermSheet {
    game: Game,
    values: Vec<(&'static Term, String, Value)>,
}

impl TermSheet {
    /// A sheet of defaults.
    pub fn new(game: Game) -> TermSheet {
        let values = of(game)
            .map(|term| {
                let value = term.read(&term.default);
                (term, term.default.clone(), value.expect("a default is allowed"))
            })
            .collect();
        TermSheet { game, values }
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// Sets several options at once; they are checked together, all accepted or none.
    pub fn set<'a>(
        &mut self,
        choices: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<(), TermRefusal> {
        let mut sheet = self.clone();
        sheet.fill_in(choices)?;
        sheet.check()?;
        *self = sheet;
        Ok(())
    }

    /// Fills in options without checking them against each other: [`check`](Self::check) does.
    pub(crate) fn fill_in<'a>(
        &mut self,
        choices: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<(), TermRefusal> {
        for (key, word) in choices {
            let game = self.game;
            let Some((term, text, value)) = self.values.iter_mut().find(|v| v.0.key == key) else {
                return Err(TermRefusal::Unknown { game, key: key.to_owned() });
            };
            *value = term.read(word).ok_or_else(|| term.refuse(word))?;
            word.clone_into(text);
        }
        Ok(())
    }

    /// The options with their values as written.
    pub fn entries(&self) -> impl Iterator<Item = (&'static Term, &str)> {
        self.values.iter().map(|(term, text, _)| (*term, text.as_str()))
    }

    /// The options that differ from the defaults.
    pub fn chosen(&self) -> impl Iterator<Item = (&'static Term, &str)> {
        self.values.iter().filter_map(|(term, text, value)| {
            (Some(value) != term.read(&term.default).as_ref()).then_some((*term, text.as_str()))
        })
    }

    /// Whether the house has chosen something for an option.
    fn is_chosen(&self, key: &str) -> bool {
        self.chosen().any(|(term, _)| term.key == key)
    }

    fn value(&self, key: &str) -> &Value {
        let value = self.values.iter().find(|v| v.0.key == key);
        &value.unwrap_or_else(|| panic!("{} has a term {key}", self.game)).2
    }

    /// The word chosen for an option.
    pub fn word(&self, key: &str) -> &str {
        match self.value(key) {
            Value::Word(word) => word,
            Value::Number(_) => panic!("{key} is a word"),
        }
    }

    /// Whether an option is on.
    pub fn is_on(&self, key: &str) -> bool {
        self.word(key) == "on"
    }

    /// The number chosen for an option, where it is not a word such as `none`.
    pub fn number(&self, key: &str) -> Option<u32> {
        match self.value(key) {
            Value::Number(number) => Some(*number),
            Value::Word(_) => None,
        }
    }

    /// A small number that is always there.
    pub(crate) fn count(&self, key: &str) -> u8 {
        let number = self.number(key).and_then(|n| u8::try_from(n).ok());
        number.unwrap_or_else(|| panic!("{key} is a small number"))
    }

    /// An amount that is always there.
    pub(crate) fn chips(&self, key: &str) -> Chips {
        Chips::new(self.number(key).unwrap_or_else(|| panic!("{key} is an amount")))
    }

    /// What happens to fractions of a chip.
    pub fn breakage(&self) -> Breakage {
        match self.word("breakage") {
            "exact" => Breakage::EXACT,
            _ => Breakage::player_favour(self.chips("chip_unit")),
        }
    }

    /// What a void undoes.
    pub(crate) fn void_scope(&self) -> VoidScope {
        match self.word("void_scope") {
            "whole_round" => VoidScope::WholeRound,
            _ => VoidScope::UndecidedOnly,
        }
    }

    /// Whether players may be released.
    pub(crate) fn players_out(&self) -> PlayersOut {
        match self.is_on("allow_players_out") {
            true => PlayersOut::Allowed,
            false => PlayersOut::Barred,
        }
    }

    /// How much may be added, by the option of this name.
    pub(crate) fn added_wager(&self, key: &str) -> AddedWager {
        match self.word(key) {
            "up_to" => AddedWager::UpTo,
            _ => AddedWager::Equal,
        }
    }

    /// What is chosen for an option as written, where the game has it.
    pub fn choice(&self, key: &str) -> Option<&str> {
        self.values.iter().find(|v| v.0.key == key).map(|v| v.1.as_str())
    }

    /// Whether the game has an option of this name.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.choice(key).is_some()
    }

    /// The option of this name, which the game has.
    fn term(&self, key: &str) -> &'static Term {
        self.values.iter().find(|v| v.0.key == key).expect("a known term").0
    }

    /// Checks the options against each other.
    pub(crate) fn check(&self) -> Result<(), TermRefusal> {
        self.at_least("main_max", "main_min")?;
        if self.has("side_min") {
            self.at_least("side_max", "side_min")?;
        }
        self.cut_card_in_the_back_half()?;
        if self.has("payout_limit") {
            crate::games::double_down_stud::check_payout_limit(self)?;
        }
        Ok(())
    }

    fn at_least(&self, key: &str, floor: &str) -> Result<(), TermRefusal> {
        if self.chips(key) >= self.chips(floor) {
            return Ok(());
        }
        // Points to whichever of the two the house has set.
        let set = if self.is_chosen(key) { key } else { floor };
        let expected = match set == key {
            true => format!("not less than {floor}, {}", self.chips(floor)),
            false => format!("not more than {key}, {}", self.chips(key)),
        };
        Err(self.forbidden(set, expected))
    }

    /// At most half of the shoe lies behind the cut card, and at least a quarter where that is among
    /// the values of the term; Casino War's deck and a half is always enough (CW-5-f, G-12).
    fn cut_card_in_the_back_half(&self) -> Result<(), TermRefusal> {
        let Some(depth) = shoe::cut_card_depth(self) else { return Ok(()) };
        let (cards, values) = (shoe::cards(self), &self.term("cut_card_depth").values);
        let least = if values.contains("quarter") { cards.div_ceil(4) } else { 0 };
        match (least..=cards / 2).contains(&depth) {
            true => Ok(()),
            false => {
                let at_least =
                    if least > 0 { format!("at least {least} and ") } else { String::new() };
                let expected = format!("{at_least}at most {} cards of {cards}", cards / 2);
                Err(self.forbidden("cut_card_depth", expected))
            }
        }
    }

    /// The refusal of a term that conflicts with another.
    pub(crate) fn forbidden(&self, key: &str, expected: String) -> TermRefusal {
        TermRefusal::Forbidden {
            key: key.to_owned(),
            value: self.choice(key).unwrap_or_default().to_owned(),
            expected,
            source: self.term(key).source.clone(),
        }
    }
}
