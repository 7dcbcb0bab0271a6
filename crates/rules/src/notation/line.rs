//! Reads and prints the lines of a round.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use super::words::{HAND, Or, Reading, Unreadable, Word, Words, one_of, quoted};
use super::{AwaitedStep, HandHolder, Line};
use crate::clause;
use crate::money::Cents;
use crate::round::{Act, Call, Remedy};
use crate::terms;
use crate::wager::{Bettor, Circle};

impl Display for Line {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Line::Clause(ids) => words(f, "clause", ids),
            Line::Game(game) => write!(f, "game {game}"),
            Line::Terms(terms) => {
                words(f, "terms", terms.iter().map(|(key, value)| format!("{key}={value}")))
            }
            Line::Person { name, seats } => {
                words(f, format_args!("person {name}"), seats.iter().map(|seat| seat + 1))
            }
            Line::Bankroll(bettor, amount) => write!(f, "bankroll {bettor} {amount}"),
            Line::BuyIn(bettor, amount) => write!(f, "buy-in {bettor} {amount}"),
            Line::Meter(amount) => write!(f, "meter {amount}"),
            Line::Wager { bettor, amounts } => {
                let amounts = amounts.iter().map(|(circle, amount)| format!("{circle} {amount}"));
                words(f, format_args!("wager {bettor}"), amounts)
            }
            Line::Cards(cards) => words(f, "cards", cards.iter().map(|card| Or(*card, "??"))),
            Line::Act { bettor, act } => write!(f, "act {bettor} {}", ActWords(*act)),
            Line::Peek(natural) => f.write_str(if *natural { "peek yes" } else { "peek no" }),
            Line::Turn(card) => write!(f, "turn {card}"),
            Line::Remedy(remedy) => write!(f, "remedy {}", RemedyWords(*remedy)),
            Line::Refused(id) => words(f, "refused", id),
            Line::Awaits(awaiting) => write!(f, "awaits {awaiting}"),
            Line::Offers { bettor, calls } => {
                words(f, format_args!("offers {bettor}"), calls.iter())
            }
            Line::Total { whose, points, soft } => {
                write!(f, "total {whose} {points}{}", if *soft { " soft" } else { "" })
            }
            Line::Hand { bettor, category } => write!(f, "hand {bettor} {}", category.name()),
            Line::Net { bettor, circle, amount } => {
                words(f, format_args!("net {bettor}"), circle)?;
                write!(f, " {amount:+}")
            }
            Line::Outcome { bettor, outcome } => write!(f, "outcome {bettor} {}", outcome.name()),
            Line::Done => f.write_str("done"),
        }
    }
}

/// Prints a beginning, and words after it.
fn words(
    f: &mut Formatter<'_>,
    start: impl Display,
    words: impl IntoIterator<Item = impl Display>,
) -> fmt::Result {
    start.fmt(f)?;
    words.into_iter().try_for_each(|word| write!(f, " {word}"))
}

/// A decision, without the bettor.
struct ActWords(Act);

impl Display for ActWords {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Act::Call(call) => write!(f, "{call}"),
            Act::With(call, amount) => write!(f, "{call} {amount}"),
            Act::Hand(number) => write!(f, "hand {number}"),
        }
    }
}

/// A remedy; the first hand of a box needs no number.
struct RemedyWords(Remedy);

impl Display for RemedyWords {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (word, seat, hand) = match self.0 {
            Remedy::Void => return f.write_str("void"),
            Remedy::Release(bettor) => return write!(f, "release {bettor}"),
            Remedy::SidesBack(bettor) => return write!(f, "sides-back {bettor}"),
            Remedy::DealerOwedCard => return f.write_str("dealer-late"),
            Remedy::HoleCardShown(card) => return write!(f, "hole {card}"),
            Remedy::ReaderOutOfUse => return f.write_str("reader-out"),
            Remedy::BurnForgotten => return f.write_str("burn-forgotten"),
            Remedy::DeadHand { seat, hand } => ("dead", seat, hand),
            Remedy::LateCard { seat, hand } => ("late", seat, hand),
            Remedy::NoMoreCards { seat, hand } => ("no-more-cards", seat, hand),
        };
        write!(f, "{word} {}", seat + 1)?;
        if hand > 0 { write!(f, " {}", hand + 1) } else { Ok(()) }
    }
}

impl Display for AwaitedStep {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            AwaitedStep::Wagers => f.write_str("wagers"),
            AwaitedStep::Card => f.write_str("card"),
            AwaitedStep::Act(bettor) => write!(f, "act {bettor}"),
            AwaitedStep::Peek => f.write_str("peek"),
            AwaitedStep::Turn => f.write_str("turn"),
            AwaitedStep::Nobody => f.write_str("nobody"),
        }
    }
}

impl Display for HandHolder {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            HandHolder::Dealer => f.write_str("dealer"),
            HandHolder::Box { bettor, hand: None } => write!(f, "{bettor}"),
            HandHolder::Box { bettor, hand: Some(hand) } => write!(f, "{bettor} {hand}"),
        }
    }
}

/// Reads a line, all of it.
impl FromStr for Line {
    type Err = Unreadable;

    fn from_str(text: &str) -> Reading<Line> {
        let mut words = Words::new(text);
        let keywords = || one_of("a keyword", READERS.iter().map(|row| row.0).chain(["table"]));
        let (_, read) = words.next_by(keywords, |word| READERS.iter().find(|row| row.0 == word))?;
        let line = read(&mut words)?;
        words.end().map(|()| line)
    }
}

/// A first word, and how those after it are read.
type Reader<T> = (&'static str, fn(&mut Words<'_>) -> Reading<T>);

/// The lines, by keyword.
const READERS: [Reader<Line>; 21] = [
    ("clause", |words| clauses(words).map(Line::Clause)),
    ("game", |words| words.read().map(Line::Game)),
    ("terms", choices),
    ("person", person),
    ("bankroll", |words| Ok(Line::Bankroll(words.read()?, words.read()?))),
    ("meter", |words| words.money().map(Line::Meter)),
    ("wager", |words| wager(words).map(|(bettor, amounts)| Line::Wager { bettor, amounts })),
    ("cards", |words| words.some().map(Line::Cards)),
    ("act", |words| act(words).map(|(bettor, act)| Line::Act { bettor, act })),
    ("buy-in", |words| Ok(Line::BuyIn(words.read()?, words.read()?))),
    ("peek", |words| words.read().map(Line::Peek)),
    ("turn", |words| words.read().map(Line::Turn)),
    ("remedy", |words| remedy(words).map(Line::Remedy)),
    ("refused", refused),
    ("awaits", |words| awaiting(words).map(Line::Awaits)),
    ("offers", |words| {
        let bettor = words.read()?;
        Ok(Line::Offers { bettor, calls: words.rest::<Call>()?.into_iter().collect() })
    }),
    ("total", total),
    ("hand", |words| Ok(Line::Hand { bettor: words.read()?, category: words.read()? })),
    ("net", net),
    ("outcome", |words| Ok(Line::Outcome { bettor: words.read()?, outcome: words.read()? })),
    ("done", |_| Ok(Line::Done)),
];

/// Reads the ids of clauses and rulings, at least one.
pub(crate) fn clauses(words: &mut Words<'_>) -> Reading<Vec<String>> {
    words.some_by(|| "the id of a clause or ruling".to_owned(), clause_id)
}

fn clause_id(word: &str) -> Option<String> {
    let known = clause::find(word).is_some() || clause::find_ruling(word).is_some();
    known.then(|| word.to_owned())
}

fn refused(words: &mut Words<'_>) -> Reading<Line> {
    let expected = || "the id of a clause or ruling, or the name of a term".to_owned();
    let term = |word: &str| terms::all().iter().any(|term| term.key == word);
    let source = |word| clause_id(word).or_else(|| term(word).then(|| word.to_owned()));
    let id = words.peek().is_some().then(|| words.next_by(expected, source)).transpose()?;
    Ok(Line::Refused(id))
}

fn choices(words: &mut Words<'_>) -> Reading<Line> {
    let terms = words.some_by(|| "a term as KEY=VALUE".to_owned(), term)?;
    match twice(terms.iter().map(|(key, _)| key)) {
        Some(key) => Err(Unreadable::new("each term once in a line", format!("'{key}' twice"))),
        None => Ok(Line::Terms(terms)),
    }
}

fn term(word: &str) -> Option<(String, String)> {
    let (key, value) = word.split_once('=')?;
    (!key.is_empty() && !value.is_empty()).then(|| (key.to_owned(), value.to_owned()))
}

fn person(words: &mut Words<'_>) -> Reading<Line> {
    let name = words.word("a person's name")?.to_owned();
    let mut seats = vec![words.seat()?.into()];
    while words.peek().is_some() {
        seats.push(words.seat()?.into());
    }
    Ok(Line::Person { name, seats })
}

/// Reads who wagers, and how much on which circle.
pub(crate) fn wager(words: &mut Words<'_>) -> Reading<(Bettor, Vec<(Circle, Cents)>)> {
    let bettor = words.read()?;
    let mut amounts = vec![(words.read()?, words.read()?)];
    while let Some(circle) = words.perhaps()? {
        amounts.push((circle, words.read()?));
    }
    match twice(amounts.iter().map(|(circle, _)| circle)) {
        Some(circle) => {
            Err(Unreadable::new("each circle once in a wager", format!("'{circle}' twice")))
        }
        None => Ok((bettor, amounts)),
    }
}

/// Reads who decides, and the decision.
pub(crate) fn act(words: &mut Words<'_>) -> Reading<(Bettor, Act)> {
    let bettor = words.read()?;
    if words.skip("hand") {
        return Ok((bettor, Act::Hand(words.hand()?)));
    }
    let acts = || one_of("an act", ["hand"].into_iter().chain(Call::ALL.map(Call::name)));
    let call = words.next_by(acts, Call::named)?;
    let amount = words.perhaps()?;
    Ok((bettor, amount.map_or(Act::Call(call), |amount| Act::With(call, amount))))
}

const REMEDIES: [Reader<Remedy>; 10] = [
    ("void", |_| Ok(Remedy::Void)),
    ("release", |words| words.read().map(Remedy::Release)),
    ("dead", |words| words.hand_of_box().map(|(seat, hand)| Remedy::DeadHand { seat, hand })),
    ("sides-back", |words| words.read().map(Remedy::SidesBack)),
    ("late", |words| words.hand_of_box().map(|(seat, hand)| Remedy::LateCard { seat, hand })),
    ("no-more-cards", |words| {
        words.hand_of_box().map(|(seat, hand)| Remedy::NoMoreCards { seat, hand })
    }),
    ("dealer-late", |_| Ok(Remedy::DealerOwedCard)),
    ("hole", |words| words.read().map(Remedy::HoleCardShown)),
    ("reader-out", |_| Ok(Remedy::ReaderOutOfUse)),
    ("burn-forgotten", |_| Ok(Remedy::BurnForgotten)),
];

fn remedy(words: &mut Words<'_>) -> Reading<Remedy> {
    let expected = || one_of("a remedy", REMEDIES.iter().map(|row| row.0));
    let (_, read) = words.next_by(expected, |word| REMEDIES.iter().find(|row| row.0 == word))?;
    read(words)
}

fn awaiting(words: &mut Words<'_>) -> Reading<AwaitedStep> {
    if words.skip("act") {
        return words.read().map(AwaitedStep::Act);
    }
    use AwaitedStep::{Card, Nobody, Peek, Turn, Wagers};
    let find = |word: &str| {
        [Wagers, Card, Peek, Turn, Nobody].into_iter().find(|awaiting| awaiting.to_string() == word)
    };
    words.next_by(|| "wagers, card, act SEAT, peek, turn or nobody".to_owned(), find)
}

fn total(words: &mut Words<'_>) -> Reading<Line> {
    let bettor = match words.skip("dealer") {
        true => None,
        false => Some(words.next_by(|| "a seat from 1 to 7, or dealer".to_owned(), Bettor::read)?),
    };
    let points = |words: &mut Words<'_>| {
        words.next_by(|| "the points of a hand".to_owned(), <u8 as Word>::read)
    };
    let first = points(words)?;
    let second = match (bettor, words.peek()) {
        (Some(_), Some(word)) if word != "soft" => Some(points(words)?),
        _ => None,
    };
    let soft = words.skip("soft");
    if let Some(word) = words.peek().filter(|_| !soft) {
        return Err(Unreadable::new("soft, or nothing more", quoted(word)));
    }
    let (hand, points) = match second {
        Some(_) if first == 0 => return Err(Unreadable::new(HAND, quoted("0"))),
        Some(points) => (Some(first), points),
        None => (None, first),
    };
    let whose = bettor.map_or(HandHolder::Dealer, |bettor| HandHolder::Box { bettor, hand });
    Ok(Line::Total { whose, points, soft })
}

fn net(words: &mut Words<'_>) -> Reading<Line> {
    let bettor = words.read()?;
    let circle = words.peek().and_then(Circle::named);
    let expected = match circle {
        Some(_) => <Cents as Word>::expected(),
        None => "a circle or an amount such as main, +10 or -7.50".to_owned(),
    };
    if circle.is_some() {
        words.read::<Circle>()?;
    }
    let amount = words.next_by(|| expected.clone(), <Cents as Word>::read)?;
    Ok(Line::Net { bettor, circle, amount })
}

/// The first of the items that was there before.
fn twice<T: PartialEq>(items: impl Iterator<Item = T>) -> Option<T> {
    let mut seen = Vec::new();
    for item in items {
        if seen.contains(&item) {
            return Some(item);
        }
        seen.push(item);
    }
    None
}
