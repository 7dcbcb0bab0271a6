//! Why something is not done: a code with parameters for programs, a sentence for people.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A refusal, and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Refusal {
    /// What a program tells refusals apart by; it never changes: `above-table-maximum`.
    pub code: Cow<'static, str>,
    /// What the sentence names, for a client that says it in other words: `most`.
    pub parameters: BTreeMap<Cow<'static, str>, Parameter>,
    /// What a dealer would point to.
    pub source: Source,
    /// The refusal in English, without its source.
    pub sentence: String,
}

/// Something that a sentence names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Parameter {
    /// Dollars.
    Amount(String),
    /// A number of things.
    Count(u64),
    /// A moment, in seconds of Unix time.
    Time(i64),
    /// A word of the notation or of the protocol, or a name.
    Word(String),
}

/// What a refusal rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", content = "id", rename_all = "snake_case")]
pub enum Source {
    /// A clause of the rule book.
    Clause(Cow<'static, str>),
    /// A ruling, where the book is silent.
    Ruling(Cow<'static, str>),
    /// A limit of the house, by the name of its term.
    Term(Cow<'static, str>),
    /// A limit that the player has set.
    Own,
    /// No rule of a game.
    House,
}

impl Refusal {
    /// A refusal that no rule of a game is the reason for.
    pub fn by_house(code: &'static str, sentence: impl Into<String>) -> Refusal {
        Refusal::new(code, Source::House, sentence)
    }

    /// A refusal that a clause, a ruling or a limit is the reason for.
    /// Its code is in [`HOUSE_CODES`](crate::HOUSE_CODES).
    pub fn new(code: &'static str, source: Source, sentence: impl Into<String>) -> Refusal {
        debug_assert!(crate::is_house_code(code), "{code} is not in the list of codes");
        let (code, parameters) = (Cow::Borrowed(code), BTreeMap::new());
        Refusal { code, parameters, source, sentence: sentence.into() }
    }

    /// The refusal with a parameter.
    #[must_use]
    pub fn with(mut self, name: &'static str, parameter: Parameter) -> Refusal {
        self.parameters.insert(Cow::Borrowed(name), parameter);
        self
    }
}

impl Parameter {
    /// A number of things.
    pub fn count(count: usize) -> Parameter {
        Parameter::Count(u64::try_from(count).unwrap_or(u64::MAX))
    }

    /// An amount, as it is written.
    pub fn amount(amount: impl ToString) -> Parameter {
        Parameter::Amount(amount.to_string())
    }

    /// A word.
    pub fn word(word: impl ToString) -> Parameter {
        Parameter::Word(word.to_string())
    }
}

impl Source {
    /// The id of the clause or ruling, or the name of the term.
    pub fn id(&self) -> Option<&str> {
        match self {
            Source::Clause(id) | Source::Ruling(id) | Source::Term(id) => Some(id),
            Source::Own | Source::House => None,
        }
    }
}

/// Text with a capital at its beginning and a full stop at its end.
pub fn as_sentence(text: &str) -> String {
    // An option of the house is written as it is: `decks=5`.
    if text.split(' ').next().is_some_and(|word| word.contains('=')) {
        return as_sentence(&format!("the option {text}"));
    }
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase());
    let mut sentence: String = first.into_iter().flatten().chain(letters).collect();
    if !sentence.ends_with(['.', '?', '!']) {
        sentence.push('.');
    }
    sentence
}
