//! What a player reads of the house's messages: the wire's own words, as far as playing and checking
//! need them.

use std::borrow::Cow;

use serde::Deserialize;

/// A message of any kind; what a kind does not have is empty.
#[derive(Deserialize)]
pub(super) struct Message<'a> {
    #[serde(rename = "type")]
    pub(super) kind: &'a str,
    #[serde(default, borrow)]
    pub(super) id: Option<&'a str>,
    #[serde(default)]
    pub(super) ok: bool,
    #[serde(default)]
    pub(super) seq: Option<u64>,
    #[serde(default, borrow)]
    pub(super) refusal: Option<Refusal<'a>>,
    #[serde(default)]
    pub(super) version: Option<u64>,
    #[serde(default, borrow)]
    pub(super) events: Vec<Line<'a>>,
    #[serde(default, borrow)]
    pub(super) view: Option<Box<View<'a>>>,
    #[serde(default, borrow)]
    pub(super) about: Option<Box<About<'a>>>,
    #[serde(default, borrow)]
    pub(super) balance: Option<&'a str>,
    #[serde(default, borrow)]
    pub(super) hash: Option<&'a str>,
}

/// A line of the log.
#[derive(Deserialize)]
pub(super) struct Line<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

#[derive(Deserialize)]
pub(super) struct Refusal<'a> {
    #[serde(borrow)]
    pub(super) code: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) sentence: Cow<'a, str>,
}

/// What never changes at a table.
#[derive(Deserialize)]
pub(super) struct About<'a> {
    #[serde(borrow)]
    pub(super) circles: Vec<Circle<'a>>,
    #[serde(borrow)]
    pub(super) buy_in: AmountRange<'a>,
}

#[derive(Deserialize)]
pub(super) struct Circle<'a> {
    pub(super) circle: &'a str,
    #[serde(borrow)]
    pub(super) opening: Option<AmountRange<'a>>,
}

#[derive(Deserialize)]
pub(super) struct AmountRange<'a> {
    pub(super) least: &'a str,
    pub(super) required: bool,
}

/// A table, as one viewer sees it.
#[derive(Deserialize)]
pub(super) struct View<'a> {
    pub(super) round: u32,
    pub(super) betting: bool,
    #[serde(borrow)]
    pub(super) seats: Vec<Seat<'a>>,
    #[serde(borrow)]
    pub(super) dealer: Vec<&'a str>,
    pub(super) shoe: Option<Shoe>,
    #[serde(borrow)]
    pub(super) awaited: Awaits<'a>,
    pub(super) me: Option<usize>,
    pub(super) cut: Option<Cut>,
    #[serde(borrow)]
    pub(super) offers: Vec<Offer<'a>>,
    #[serde(borrow)]
    pub(super) choices: Vec<Choice<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Choice<'a> {
    pub(super) choice: &'a str,
}

#[derive(Deserialize)]
pub(super) struct Seat<'a> {
    pub(super) rack: Option<&'a str>,
    pub(super) ready: bool,
    #[serde(borrow)]
    pub(super) wagers: Vec<Wager<'a>>,
    #[serde(borrow)]
    pub(super) hands: Vec<Vec<&'a str>>,
    #[serde(borrow)]
    pub(super) results: Vec<Gain<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Wager<'a> {
    pub(super) amount: &'a str,
    pub(super) free: bool,
}

#[derive(Deserialize)]
pub(super) struct Gain<'a> {
    pub(super) gain: &'a str,
}

#[derive(Deserialize)]
pub(super) struct Shoe {
    pub(super) number: u32,
}

#[derive(Deserialize)]
pub(super) struct Awaits<'a> {
    pub(super) what: &'a str,
    pub(super) seats: Vec<usize>,
}

#[derive(Clone, Copy, Deserialize)]
pub(super) struct Cut {
    pub(super) least: usize,
    pub(super) most: usize,
}

#[derive(Deserialize)]
pub(super) struct Offer<'a> {
    pub(super) at: &'a str,
    pub(super) call: &'a str,
    #[serde(borrow)]
    pub(super) amounts: Option<AmountRange<'a>>,
}
