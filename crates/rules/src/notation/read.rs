//! Reads transcripts.

use std::fmt::{self, Display, Formatter};
use std::iter::Peekable;
use std::str::SplitWhitespace;

use super::{Awaiting, Line, Transcript, Whose};
use crate::card::Card;
use crate::clause;
use crate::games::casino_war::Outcome;
use crate::games::double_down_stud::Category;
use crate::money::Cents;
use crate::round::{Act, Call, Calls, Remedy};
use crate::terms;
use crate::wager::{Bettor, Circle, Game, MOST_SEATS};

/// What separates rounds in a file.
const SEPARATOR: &str = "---";

/// Why a line cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: Unreadable,
}

impl Display for ReadError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for ReadError {}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// A word is not what belongs in its place.
    Word {
        /// What belongs there.
        expected: Expected,
        /// What stands there.
        found: String,
    },
    /// The line ends too early.
    Missing(Expected),
    /// The line goes on too long.
    TooMuch {
        /// The first word too many.
        found: String,
    },
    /// Something stands before the game is named.
    GameMissing,
    /// The game is named twice.
    GameTwice,
    /// A circle has two amounts in one line.
    CircleTwice(Circle),
    /// A term has two values in one line.
    TermTwice(String),
    /// It is no line of a table.
    NoTableLine {
        /// How a line with its keyword is written, where there is one.
        expected: Option<&'static str>,
        /// What stands there.
        found: String,
    },
    /// The table is set up after something else than clauses, game and terms.
    TableTooLate,
}

impl Display for Unreadable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Word { expected, found } => write!(f, "expected {expected}, found {found}"),
            Unreadable::Missing(expected) => {
                write!(f, "expected {expected}, found the end of the line")
            }
            Unreadable::TooMuch { found } => {
                write!(f, "expected the end of the line, found {found}")
            }
            Unreadable::GameMissing => {
                f.write_str("expected 'game NAME' before anything but clauses and comments")
            }
            Unreadable::GameTwice => f.write_str("expected one 'game' line in a round, found two"),
            Unreadable::CircleTwice(circle) => {
                write!(f, "expected each circle once in a wager, found '{circle}' twice")
            }
            Unreadable::TermTwice(key) => {
                write!(f, "expected each term once in a line, found '{key}' twice")
            }
            Unreadable::NoTableLine { expected: Some(expected), found } => {
                write!(f, "expected '{expected}', found {found}")
            }
            Unreadable::NoTableLine { expected: None, found } => {
                write!(f, "expected an input of a table, or what is expected of it, found {found}")
            }
            Unreadable::TableTooLate => {
                f.write_str("expected 'table' after clauses, game and terms, and nothing else")
            }
        }
    }
}

/// What belongs in a place of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The first word of a line.
    Keyword,
    /// A game's name.
    Game,
    /// The id of a clause or ruling.
    Clause,
    /// The id of a clause or ruling, or the name of a term.
    Source,
    /// An option and its value.
    Term,
    /// A person's name.
    Name,
    /// A box.
    Seat,
    /// Someone with a wager on a box.
    Bettor,
    /// A circle's name.
    Circle,
    /// Money.
    Amount,
    /// Money that is there.
    MeterAmount,
    /// A circle's name, or money.
    CircleOrAmount,
    /// A card whose face is seen.
    Card,
    /// A card from the shoe.
    ShoeCard,
    /// A decision's word.
    Act,
    /// A hand's number.
    HandNumber,
    /// The reader's answer.
    YesOrNo,
    /// A cure's word.
    Remedy,
    /// What a round waits for.
    Awaiting,
    /// A bettor, or the dealer.
    BettorOrDealer,
    /// The points of a hand.
    Points,
    /// The word `soft`.
    Soft,
    /// A poker category.
    Category,
    /// A progressive outcome.
    Outcome,
    /// What a table waits for.
    TableAwaiting,
    /// A line that a table tells.
    Event,
    /// How often something is done.
    Times,
}

impl Display for Expected {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expected::Keyword => {
                "a keyword (clause, game, terms, person, bankroll, meter, wager, cards, act, \
                 buy-in, peek, turn, remedy, refused, awaits, offers, total, hand, net, outcome, done or table)"
            }
            Expected::Game => return one_of(f, "a game", Game::ALL.map(Game::name)),
            Expected::Clause => "the id of a clause or ruling",
            Expected::Source => "the id of a clause or ruling, or the name of a term",
            Expected::Term => "a term as KEY=VALUE",
            Expected::Name => "a person's name",
            Expected::Seat => "a seat from 1 to 7",
            Expected::Bettor => "a seat from 1 to 7, or a bettor behind it such as 3b or 3c",
            Expected::Circle => return one_of(f, "a circle", Circle::ALL.map(Circle::name)),
            Expected::Amount => "an amount in dollars with up to two decimals, such as 10 or 7.50",
            Expected::MeterAmount => "an amount in dollars that is not negative",
            Expected::CircleOrAmount => "a circle or an amount such as main, +10 or -7.50",
            Expected::Card => "a card such as Td or As",
            Expected::ShoeCard => "a card such as Td, or ?? for one that stays face down",
            Expected::Act => {
                return one_of(f, "an act", ["hand"].into_iter().chain(Call::ALL.map(Call::name)));
            }
            Expected::HandNumber => "the number of a hand, counted from 1",
            Expected::YesOrNo => "yes or no",
            Expected::Remedy => {
                "a remedy (void, release, dead, sides-back, late, no-more-cards, dealer-late, \
                 hole, reader-out or burn-forgotten)"
            }
            Expected::Awaiting => "wagers, card, act SEAT, peek, turn or nobody",
            Expected::BettorOrDealer => "a seat from 1 to 7, or dealer",
            Expected::Points => "the points of a hand",
            Expected::Soft => "soft, or nothing more",
            Expected::Category => return one_of(f, "a hand", Category::ALL.map(Category::name)),
            Expected::Outcome => return one_of(f, "an outcome", Outcome::ALL.map(Outcome::name)),
            Expected::TableAwaiting => "what the table awaits, such as 'the cut by seat 3'",
            Expected::Event => "an event of the table, such as 'rack 3 90'",
            Expected::Times => "a number from 1 to 1000",
        })
    }
}

/// What is expected, and in brackets the words that are.
fn one_of(
    f: &mut Formatter<'_>,
    what: &str,
    words: impl IntoIterator<Item = &'static str>,
) -> fmt::Result {
    let words: Vec<_> = words.into_iter().collect();
    match &words[..] {
        [words @ .., last] => write!(f, "{what} ({} or {last})", words.join(", ")),
        [] => f.write_str(what),
    }
}

/// Reads a file of rounds, all of it or nothing.
pub fn read(text: &str) -> Result<Vec<Transcript>, Vec<ReadError>> {
    let mut rounds = Vec::new();
    let mut errors = Vec::new();
    for round in read_each(text) {
        match round {
            Ok(round) => rounds.push(round),
            Err(reasons) => errors.extend(reasons),
        }
    }
    if errors.is_empty() { Ok(rounds) } else { Err(errors) }
}

/// Reads each round of a file for itself; one that says nothing is left out.
pub fn read_each(text: &str) -> Vec<Result<Transcript, Vec<ReadError>>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<_> = (1..).zip(text.lines().map(without_comment)).collect();
    lines
        .split(|(_, line)| *line == SEPARATOR)
        .map(|lines| lines.iter().copied().filter(|(_, line)| !line.is_empty()))
        .filter(|lines| lines.clone().next().is_some())
        .map(read_round)
        .collect()
}

impl Transcript {
    /// Whether nothing but clauses, game and terms has been said.
    fn is_only_set_up(&self) -> bool {
        let sets_up = |line: &Line| {
            matches!(line, Line::Clause(_) | Line::Game(_) | Line::Terms(_) | Line::Refused(_))
        };
        self.lines().all(sets_up)
    }
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim()
}

fn read_round<'a>(
    lines: impl Iterator<Item = (usize, &'a str)>,
) -> Result<Transcript, Vec<ReadError>> {
    let mut transcript = Transcript::default();
    let mut errors = Vec::new();
    let mut game = GameLine::default();
    let mut last = 0;
    let mut at_table = false;
    for (number, text) in lines {
        let read = match game.admit(text) {
            Err(reason) => Err(reason),
            Ok(()) if at_table => at_table::lines(text),
            Ok(()) => one_line(text).map(|line| vec![line]),
        };
        at_table |= matches!(read.as_deref(), Ok([Line::Table]));
        match read {
            Ok(lines) if lines[..] == [Line::Table] && !transcript.is_only_set_up() => {
                errors.push(ReadError { line: number, reason: Unreadable::TableTooLate });
            }
            Ok(lines) => transcript.lines.extend(lines.into_iter().map(|line| (number, line))),
            Err(reason) => errors.push(ReadError { line: number, reason }),
        }
        last = number;
    }
    if game == GameLine::Awaited {
        errors.push(ReadError { line: last, reason: Unreadable::GameMissing });
    }
    if errors.is_empty() { Ok(transcript) } else { Err(errors) }
}

/// Whether the game has been named: once, and before anything but clauses.
#[derive(Default, PartialEq, Eq)]
enum GameLine {
    #[default]
    Awaited,
    /// Missed, and complained of once.
    Missed,
    Named,
}

impl GameLine {
    fn admit(&mut self, line: &str) -> Result<(), Unreadable> {
        match (line.split_whitespace().next(), &self) {
            (Some("game"), GameLine::Named) => Err(Unreadable::GameTwice),
            (Some("game"), _) => {
                *self = GameLine::Named;
                Ok(())
            }
            (Some("clause"), _) | (_, GameLine::Named | GameLine::Missed) => Ok(()),
            _ => {
                *self = GameLine::Missed;
                Err(Unreadable::GameMissing)
            }
        }
    }
}

/// The words of a line that are still to be read.
struct Words<'a>(Peekable<SplitWhitespace<'a>>);

impl<'a> Words<'a> {
    fn word(&mut self, expected: Expected) -> Result<&'a str, Unreadable> {
        self.0.next().ok_or(Unreadable::Missing(expected))
    }

    /// The next word, as `read` understands it.
    fn next<T>(
        &mut self,
        expected: Expected,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, Unreadable> {
        let word = self.word(expected)?;
        read(word).ok_or_else(|| Unreadable::Word { expected, found: quoted(word) })
    }

    /// The next word, where there is one.
    fn perhaps<T>(
        &mut self,
        expected: Expected,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<Option<T>, Unreadable> {
        match self.0.peek() {
            Some(_) => self.next(expected, read).map(Some),
            None => Ok(None),
        }
    }

    /// Every word that is left.
    fn rest<T>(
        &mut self,
        expected: Expected,
        read: impl Fn(&'a str) -> Option<T>,
    ) -> Result<Vec<T>, Unreadable> {
        let mut all = Vec::new();
        while let Some(one) = self.perhaps(expected, &read)? {
            all.push(one);
        }
        Ok(all)
    }

    /// Every word that is left, and at least one.
    fn some<T>(
        &mut self,
        expected: Expected,
        read: impl Fn(&'a str) -> Option<T>,
    ) -> Result<Vec<T>, Unreadable> {
        let first = self.next(expected, &read)?;
        let mut all = self.rest(expected, read)?;
        all.insert(0, first);
        Ok(all)
    }

    fn bettor(&mut self) -> Result<Bettor, Unreadable> {
        self.next(Expected::Bettor, Bettor::read)
    }

    fn amount(&mut self) -> Result<Cents, Unreadable> {
        self.next(Expected::Amount, amount)
    }

    fn card(&mut self) -> Result<Card, Unreadable> {
        self.next(Expected::Card, card)
    }

    fn end(mut self) -> Result<(), Unreadable> {
        match self.0.next() {
            Some(word) => Err(Unreadable::TooMuch { found: quoted(word) }),
            None => Ok(()),
        }
    }
}

/// The word in quotes, printable, and not longer than a reader needs.
fn quoted(word: &str) -> String {
    const LONGEST: usize = 40;
    let shown: String = word.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    let more = if word.chars().nth(LONGEST).is_some() { "…" } else { "" };
    format!("'{shown}{more}'")
}

/// Reads a line about a round, all of it.
fn one_line(text: &str) -> Result<Line, Unreadable> {
    let mut words = Words(text.split_whitespace().peekable());
    let read = words.next(Expected::Keyword, reader)?;
    let line = read(&mut words)?;
    words.end().map(|()| line)
}

type Reader = fn(&mut Words<'_>) -> Result<Line, Unreadable>;

fn reader(keyword: &str) -> Option<Reader> {
    Some(match keyword {
        "clause" => |words| words.some(Expected::Clause, clause_id).map(Line::Clause),
        "game" => |words| words.next(Expected::Game, Game::named).map(Line::Game),
        "terms" => choices,
        "person" => person,
        "bankroll" => |words| Ok(Line::Bankroll(words.bettor()?, words.amount()?)),
        "meter" => |words| words.next(Expected::MeterAmount, meter).map(Line::Meter),
        "wager" => wager,
        "cards" => |words| words.some(Expected::ShoeCard, shoe_card).map(Line::Cards),
        "act" => act,
        "buy-in" => |words| Ok(Line::BuyIn(words.bettor()?, words.amount()?)),
        "peek" => |words| words.next(Expected::YesOrNo, yes_or_no).map(Line::Peek),
        "turn" => |words| words.card().map(Line::Turn),
        "remedy" => |words| remedy(words).map(Line::Remedy),
        "refused" => |words| words.perhaps(Expected::Source, source).map(Line::Refused),
        "awaits" => |words| awaiting(words).map(Line::Awaits),
        "offers" => offers,
        "total" => total,
        "hand" => hand,
        "net" => net,
        "outcome" => outcome,
        "done" => |_| Ok(Line::Done),
        "table" => |_| Ok(Line::Table),
        _ => return None,
    })
}

/// Lines about a table.
mod at_table {
    use super::{Expected, Line, Unreadable, Words, amount, clause_id, one_line, quoted, seat};
    use crate::table::Input;

    /// What stands for a seal that nobody looks into: so many zeros.
    const SEALED: (&str, usize) = ("sealed", 64);
    /// How often inputs can be repeated.
    const MOST_TIMES: usize = 1000;

    /// Reads one thing that is expected, or inputs with `;` between them.
    pub(super) fn lines(text: &str) -> Result<Vec<Line>, Unreadable> {
        let mut words = Words(text.split_whitespace().peekable());
        let keyword = words.word(Expected::Keyword)?;
        let line = match keyword {
            "clause" | "refused" | "offers" | "total" | "hand" | "net" | "outcome" | "done" => {
                return one_line(text).map(|line| vec![line]);
            }
            "awaits" => Line::TableAwaits(words.sentence(Expected::TableAwaiting)?),
            "tells" => Line::Tells { only: None, event: words.sentence(Expected::Event)? },
            "whispers" => {
                let only = Some(words.next(Expected::Seat, seat)?.into());
                Line::Tells { only, event: words.sentence(Expected::Event)? }
            }
            "quiet" => Line::Quiet,
            "rack" => Line::Rack(words.bettor()?, words.amount()?),
            "meter-shows" => Line::MeterShows(words.next(Expected::Amount, amount)?),
            "note" => Line::Notes(words.some(Expected::Clause, clause_id)?),
            "outcomes" => {
                let words: Vec<_> = words.0.by_ref().collect();
                let outcomes = words.join(" ");
                let outcomes = outcomes.split(',').map(|words| words.trim().to_owned());
                Line::Outcomes(outcomes.filter(|words| !words.is_empty()).collect())
            }
            "repeat" => {
                let times = words.next(Expected::Times, times)?;
                let inputs = inputs(&words.sentence(Expected::Keyword)?)?;
                return Ok(inputs.iter().cycle().take(times * inputs.len()).cloned().collect());
            }
            _ => return inputs(text),
        };
        words.end().map(|()| vec![line])
    }

    fn inputs(text: &str) -> Result<Vec<Line>, Unreadable> {
        text.split(';').map(|text| input(text.trim())).collect()
    }

    fn input(text: &str) -> Result<Line, Unreadable> {
        if text.split_whitespace().next() == Some("cards") {
            return one_line(text);
        }
        let input: Option<Input> = spelled_out(text).parse().ok();
        input.map(Line::Input).ok_or_else(|| {
            let begins = |shape: &&str| shape.split(' ').next() == text.split_whitespace().next();
            let expected = SHAPES.into_iter().find(begins);
            Unreadable::NoTableLine { expected, found: quoted(text) }
        })
    }

    /// How inputs are written.
    const SHAPES: [&str; 30] = [
        "act SEAT ACT [AMOUNT]",
        "buy-in SEAT AMOUNT",
        "card CARD",
        "choose SEAT late-card|refund|take|refuse|keep",
        "clear SEAT",
        "consent BOX NAME",
        "contribute SEAT BYTES",
        "correct ROUND AMOUNT from ACCOUNT to ACCOUNT by NAME because WORDS",
        "cut SEAT|dealer AT|pass",
        "deal",
        "dealer NAME",
        "decks inspected|pre-shuffled REFERENCE|due",
        "idle",
        "inspect SEAT",
        "leave SEAT",
        "meter AMOUNT",
        "mix",
        "order ORDER by NAME [because WORDS]",
        "peek yes|no",
        "report WHAT by WHO [injected]",
        "reveal SALT CARDS",
        "revoke BOX NAME",
        "show-burn SEAT CARD…",
        "shuffle SEAL|physical STEP…",
        "sit SEAT NAME",
        "spread SEAT",
        "time-out SEAT",
        "turn CARD",
        "wager SEAT CIRCLE AMOUNT…",
        "cards CARD…",
    ];

    fn times(word: &str) -> Option<usize> {
        word.parse().ok().filter(|times| (1..=MOST_TIMES).contains(times))
    }

    /// One blank between words, and seals as they are.
    fn spelled_out(text: &str) -> String {
        let (word, zeros) = SEALED;
        let seal = "0".repeat(zeros);
        let words = text.split_whitespace().map(|w| if w == word { seal.as_str() } else { w });
        words.collect::<Vec<_>>().join(" ")
    }

    impl Words<'_> {
        /// All words that are left, and at least one.
        fn sentence(&mut self, expected: Expected) -> Result<String, Unreadable> {
            let words: Vec<_> = self.0.by_ref().collect();
            match words.is_empty() {
                true => Err(Unreadable::Missing(expected)),
                false => Ok(spelled_out(&words.join(" "))),
            }
        }
    }
}

fn choices(words: &mut Words<'_>) -> Result<Line, Unreadable> {
    let terms = words.some(Expected::Term, term)?;
    match twice(terms.iter().map(|(key, _)| key)) {
        Some(key) => Err(Unreadable::TermTwice(key.clone())),
        None => Ok(Line::Terms(terms)),
    }
}

fn person(words: &mut Words<'_>) -> Result<Line, Unreadable> {
    let name = words.next(Expected::Name, |word| is_a_name(word).then(|| word.to_owned()))?;
    let seats = words.some(Expected::Seat, seat)?;
    Ok(Line::Person { name, seats: seats.into_iter().map(usize::from).collect() })
}

fn wager(words: &mut Words<'_>) -> Result<Line, Unreadable> {
    let bettor = words.bettor()?;
    let mut amounts = vec![(words.next(Expected::Circle, Circle::named)?, words.amount()?)];
    while let Some(circle) = words.perhaps(Expected::Circle, Circle::named)? {
        amounts.push((circle, words.amount()?));
    }
    match twice(amounts.iter().map(|(circle, _)| circle)) {
        Some(circle) => Err(Unreadable::CircleTwice(*circle)),
        None => Ok(Line::Wager { bettor, amounts }),
    }
}

fn act(words: &mut Words<'_>) -> Result<Line, Unreadable> {
    let bettor = words.bettor()?;
    let call = |word: &str| match word {
        "hand" => Some(None),
        _ => Call::named(word).map(Some),
    };
    let act = match words.next(Expected::Act, call)? {
        None => Act::Hand(words.next(Expected::HandNumber, hand_number)?),
        Some(call) => match words.perhaps(Expected::Amount, amount)? {
            Some(amount) => Act::With(call, amount),
            None => Act::Call(call),
        },
    };
    Ok(Line::Act { bettor, act })
}

fn remedy(words: &mut Words<'_>) -> Result<Remedy, Unreadable> {
    let word = words.word(Expected::Remedy)?;
    Ok(match word {
        "void" => Remedy::Void,
        "release" => Remedy::Release(words.bettor()?),
        "sides-back" => Remedy::SidesBack(words.bettor()?),
        "dealer-late" => Remedy::DealerOwedCard,
        "hole" => Remedy::HoleCardShown(words.card()?),
        "reader-out" => Remedy::ReaderOutOfUse,
        "burn-forgotten" => Remedy::BurnForgotten,
        "dead" | "late" | "no-more-cards" => {
            let seat = words.next(Expected::Seat, seat)?;
            let hand = words.perhaps(Expected::HandNumber, hand_number)?.unwrap_or(1) - 1;
            match word {
                "dead" => Remedy::DeadHand { seat, hand },
                "late" => Remedy::LateCard { seat, hand },
                _ => Remedy::NoMoreCards { seat, hand },
            }
        }
        _ => {
            return Err(Unreadable::Word { expected: Expected::Remedy, found: quoted(word) });
        }
    })
}

fn awaiting(words: &mut Words<'_>) -> Result<Awaiting, Unreadable> {
    let awaiting = words.next(Expected::Awaiting, |word| {
        Some(match word {
            "wagers" => Some(Awaiting::Wagers),
            "card" => Some(Awaiting::Card),
            "peek" => Some(Awaiting::Peek),
            "turn" => Some(Awaiting::Turn),
            "nobody" => Some(Awaiting::Nobody),
            "act" => None,
            _ => return None,
        })
    })?;
    match awaiting {
        Some(awaiting) => Ok(awaiting),
        None => words.bettor().map(Awaiting::Act),
    }
}

fn offers(words: &mut Words<'_>) -> Result<Line, Unreadable> {
    let bettor = words.bettor()?;
    let calls: Calls = words.rest(Expected::Act, Call::named)?.into_iter().collect();
    Ok(Line::Offers { bettor, calls })
}

fn total(words: &mut Words<'_>) -> Result<Line, Unreadable> {
    let bettor = words.next(Expected::BettorOrDealer, |word| match word {
        "dealer" => Some(None),
        _ => Bettor::read(word).map(Some),
    })?;
    let first = words.next(Expected::Points, number)?;
    let second = match (bettor, words.0.peek()) {
        (Some(_), Some(word)) if *word != "soft" => Some(words.next(Expected::Points, number)?),
        _ => None,
    };
    let soft = words.perhaps(Expected::Soft, |word| (word == "soft").then_some(()))?.is_some();
    let (hand, points) = match second {
        Some(points) if first > 0 => (Some(first), points),
        Some(_) => {
            return Err(Unreadable::Word { expected: Expected::HandNumber, found: quoted("0") });
        }
        None => (None, first),
    };
    let whose = bettor.map_or(Whose::Dealer, |bettor| Whose::Box { bettor, hand });
    Ok(Line::Total { whose, points, soft })
}

fn hand(words: &mut Words<'_>) -> Result<Line, Unreadable> {
    let bettor = words.bettor()?;
    Ok(Line::Hand { bettor, category: words.next(Expected::Category, Category::named)? })
}

fn net(words: &mut Words<'_>) -> Result<Line, Unreadable> {
    let bettor = words.bettor()?;
    let circle = words.0.peek().and_then(|word| Circle::named(word));
    let expected = if circle.is_some() {
        words.0.next();
        Expected::Amount
    } else {
        Expected::CircleOrAmount
    };
    Ok(Line::Net { bettor, circle, amount: words.next(expected, amount)? })
}

fn outcome(words: &mut Words<'_>) -> Result<Line, Unreadable> {
    let bettor = words.bettor()?;
    Ok(Line::Outcome { bettor, outcome: words.next(Expected::Outcome, Outcome::named)? })
}

fn clause_id(word: &str) -> Option<String> {
    let known = clause::find(word).is_some() || clause::find_ruling(word).is_some();
    known.then(|| word.to_owned())
}

fn source(word: &str) -> Option<String> {
    let term = || terms::all().iter().any(|term| term.key == word);
    clause_id(word).or_else(|| term().then(|| word.to_owned()))
}

fn term(word: &str) -> Option<(String, String)> {
    let (key, value) = word.split_once('=')?;
    (!key.is_empty() && !value.is_empty()).then(|| (key.to_owned(), value.to_owned()))
}

/// Whether a person can be called so.
pub(super) fn is_a_name(word: &str) -> bool {
    !word.is_empty() && !word.contains(|letter: char| letter.is_whitespace() || letter == '#')
}

/// A box that a layout can have, counted from 0.
fn seat(word: &str) -> Option<u8> {
    let bettor = Bettor::read(word)?;
    if !bettor.decides() || bettor.seat() >= MOST_SEATS {
        return None;
    }
    u8::try_from(bettor.seat()).ok()
}

fn amount(word: &str) -> Option<Cents> {
    word.parse().ok()
}

fn meter(word: &str) -> Option<Cents> {
    amount(word).filter(|amount| *amount >= Cents::ZERO)
}

fn card(word: &str) -> Option<Card> {
    word.parse().ok()
}

fn shoe_card(word: &str) -> Option<Option<Card>> {
    if word == "??" { Some(None) } else { card(word).map(Some) }
}

fn yes_or_no(word: &str) -> Option<bool> {
    match word {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

fn hand_number(word: &str) -> Option<u8> {
    number(word).filter(|number| *number > 0)
}

fn number(word: &str) -> Option<u8> {
    word.bytes().all(|b| b.is_ascii_digit()).then(|| word.parse().ok()).flatten()
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::table::Choice;

    /// A line of every kind, as it is printed.
    const EVERY_LINE: &str = "\
clause CW-8-f G-04 CW-R19
game double-attack
terms decks=6 main_min=0.50
person ann 1 2 7
bankroll 3b 20.50
meter 10000.01
wager 1 main 10 bonus 5
wager 3c main 7.50
wager 2 main -5
cards ?? Td As ??
act 1 hit
act 1 double 7.50
act 3b hand 2
act 1 even-money
act 1 war -0.05
peek yes
peek no
turn 2c
remedy void
remedy release 3b
remedy sides-back 3c
remedy dead 3
remedy dead 3 2
remedy late 1
remedy late 1 3
remedy no-more-cards 7
remedy no-more-cards 7 4
remedy dealer-late
remedy hole 9s
remedy reader-out
remedy burn-forgotten
refused
refused CW-8-f
refused G-07
refused main_max
awaits wagers
awaits card
awaits act 3b
awaits peek
awaits turn
awaits nobody
offers 1 hit stand
offers 2b
total 1 17
total 1 17 soft
total 1 2 17
total 1 2 17 soft
total dealer 21
total dealer 21 soft
hand 1 flush
net 1 +10
net 1 main -7.50
net 3b envy 0
outcome 1 suited-tie
done
";

    fn reasons(text: &str) -> Vec<(usize, String)> {
        let errors = read(text).expect_err(text);
        errors.into_iter().map(|error| (error.line, error.reason.to_string())).collect()
    }

    /// Why one line of a Casino War round cannot be read.
    fn reason(line: &str) -> Unreadable {
        let errors = read(&format!("game casino-war\n{line}\n")).expect_err(line);
        let [ReadError { line: 2, reason }] = errors.as_slice() else {
            panic!("{line}: {errors:?}")
        };
        reason.clone()
    }

    #[test]
    fn what_is_printed_reads_back_the_same() {
        let rounds = read(EVERY_LINE).unwrap();
        assert_eq!(rounds.len(), 1);
        assert_eq!(rounds[0].to_string(), EVERY_LINE);
        assert_eq!(rounds[0].lines().cloned().collect::<Transcript>(), rounds[0]);
    }

    #[test]
    fn spelling_is_free_where_it_says_so() {
        let text = "\u{feff}# A comment.\r\n\r\n\tgame  free-bet # the game\r\n wager 1 main 7.5\r\n\
            cards Td#no blank\r\n net 1 15 \r\n---\r\n# nothing\r\n --- # end\r\n\r\n";
        let rounds = read(text).unwrap();
        assert_eq!(rounds.len(), 1);
        let printed = "game free-bet\nwager 1 main 7.50\ncards Td\nnet 1 +15\n";
        assert_eq!(rounds[0].to_string(), printed);
        assert_eq!(rounds[0].first_line(), Some(3));
        let numbers: Vec<_> = rounds[0].numbered().map(|(number, _)| number).collect();
        assert_eq!(numbers, [3, 4, 5, 6]);
        assert_eq!(read(""), Ok(vec![]));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let text = "game casino-war\nwager 1 main ten\n\nfold 1\n---\ngame poker\ncards 9d\n";
        let said = reasons(text);
        assert_eq!(said.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 4, 6]);
        assert_eq!(
            said[0].1,
            "expected an amount in dollars with up to two decimals, such as 10 or 7.50, \
             found 'ten'"
        );
        assert!(said[1].1.starts_with("expected a keyword ("), "{}", said[1].1);
        assert!(said[2].1.ends_with(", found 'poker'"), "{}", said[2].1);
        assert_eq!(read(text).unwrap_err()[1].to_string(), format!("line 4: {}", said[1].1));
    }

    #[test]
    fn one_bad_round_does_not_hide_the_others() {
        let each = read_each("game free-bet\ndone\n---\nnonsense\n---\ngame free-bet\n");
        assert_eq!(each.len(), 3);
        assert!(each[0].is_ok() && each[1].is_err() && each[2].is_ok());
    }

    #[test]
    fn the_game_comes_first_and_once() {
        let missing = Unreadable::GameMissing.to_string();
        assert_eq!(reasons("clause CW-8-f\nwager 1 main 5\ndone\n"), [(2, missing.clone())]);
        assert_eq!(reasons("\nclause CW-8-f\n"), [(2, missing.clone())]);
        assert_eq!(reasons("done\ngame casino-war\n"), [(1, missing)]);
        assert_eq!(reason("game casino-war"), Unreadable::GameTwice);
        assert!(read("game casino-war\nclause CW-8-f\n").is_ok());
    }

    #[test]
    fn a_word_that_does_not_belong_is_named() {
        let invented = concat!("CW", "-99");
        for (line, expected, found) in [
            ("deal 9d", Expected::Keyword, "deal"),
            ("Wager 1 main 5", Expected::Keyword, "Wager"),
            (&format!("clause CW-8-f {invented}"), Expected::Clause, invented),
            ("clause main_min", Expected::Clause, "main_min"),
            ("terms decks", Expected::Term, "decks"),
            ("terms =6", Expected::Term, "=6"),
            ("terms decks=", Expected::Term, "decks="),
            ("person ann 8", Expected::Seat, "8"),
            ("person ann 1b", Expected::Seat, "1b"),
            ("bankroll 0 5", Expected::Bettor, "0"),
            ("bankroll 1 much", Expected::Amount, "much"),
            ("meter -1", Expected::MeterAmount, "-1"),
            ("bankroll 10 5", Expected::Bettor, "10"),
            ("net 10 0", Expected::Bettor, "10"),
            ("offers 10", Expected::Bettor, "10"),
            ("total 10 17", Expected::BettorOrDealer, "10"),
            ("awaits act 10", Expected::Bettor, "10"),
            ("remedy release 10", Expected::Bettor, "10"),
            ("remedy dead 8", Expected::Seat, "8"),
            ("wager 10 main 5", Expected::Bettor, "10"),
            ("act 0 hit", Expected::Bettor, "0"),
            ("wager 3d main 5", Expected::Bettor, "3d"),
            ("wager 1 mian 5", Expected::Circle, "mian"),
            ("wager 1 main 5 5", Expected::Circle, "5"),
            ("wager 1 main 1.005", Expected::Amount, "1.005"),
            ("cards 9d 10d", Expected::ShoeCard, "10d"),
            ("cards ?", Expected::ShoeCard, "?"),
            ("act 1 fold", Expected::Act, "fold"),
            ("act 1 double all", Expected::Amount, "all"),
            ("act 1 hand 0", Expected::HandNumber, "0"),
            ("act 1 hand 256", Expected::HandNumber, "256"),
            ("act 1 hand +1", Expected::HandNumber, "+1"),
            ("peek maybe", Expected::YesOrNo, "maybe"),
            ("turn ??", Expected::Card, "??"),
            ("remedy pray", Expected::Remedy, "pray"),
            ("remedy dead 3b", Expected::Seat, "3b"),
            ("remedy late 3 0", Expected::HandNumber, "0"),
            ("remedy hole 1c", Expected::Card, "1c"),
            (&format!("refused {invented}"), Expected::Source, invented),
            ("awaits cards", Expected::Awaiting, "cards"),
            ("awaits act dealer", Expected::Bettor, "dealer"),
            ("offers 1 fold", Expected::Act, "fold"),
            ("total house 17", Expected::BettorOrDealer, "house"),
            ("total 1 many", Expected::Points, "many"),
            ("total 1 0 17", Expected::HandNumber, "0"),
            ("total dealer 1 17", Expected::Soft, "17"),
            ("total 1 17 18 hard", Expected::Soft, "hard"),
            ("hand 1 quads", Expected::Category, "quads"),
            ("net 1 mian 5", Expected::CircleOrAmount, "mian"),
            ("net 1 main five", Expected::Amount, "five"),
            ("outcome 1 draw", Expected::Outcome, "draw"),
        ] {
            let found = format!("'{found}'");
            assert_eq!(reason(line), Unreadable::Word { expected, found }, "{line}");
        }
    }

    #[test]
    fn a_line_has_all_its_words_and_no_more() {
        for (line, expected) in [
            ("clause", Expected::Clause),
            ("terms", Expected::Term),
            ("person", Expected::Name),
            ("person ann", Expected::Seat),
            ("bankroll 1", Expected::Amount),
            ("meter", Expected::MeterAmount),
            ("wager", Expected::Bettor),
            ("wager 1", Expected::Circle),
            ("wager 1 main", Expected::Amount),
            ("wager 1 main 5 tie", Expected::Amount),
            ("cards", Expected::ShoeCard),
            ("act 1", Expected::Act),
            ("act 1 hand", Expected::HandNumber),
            ("peek", Expected::YesOrNo),
            ("turn", Expected::Card),
            ("remedy", Expected::Remedy),
            ("remedy dead", Expected::Seat),
            ("awaits", Expected::Awaiting),
            ("awaits act", Expected::Bettor),
            ("offers", Expected::Bettor),
            ("total", Expected::BettorOrDealer),
            ("total 1", Expected::Points),
            ("hand 1", Expected::Category),
            ("net 1", Expected::CircleOrAmount),
            ("net 1 main", Expected::Amount),
            ("outcome 1", Expected::Outcome),
        ] {
            assert_eq!(reason(line), Unreadable::Missing(expected), "{line}");
        }
        for (line, found) in [
            ("meter 5 6", "6"),
            ("act 1 double 5 6", "6"),
            ("peek no yes", "yes"),
            ("turn 9d 9c", "9c"),
            ("remedy void 1", "1"),
            ("refused CW-8-f CW-8-h", "CW-8-h"),
            ("awaits nobody else", "else"),
            ("total dealer 17 soft hand", "hand"),
            ("done now", "now"),
        ] {
            assert_eq!(reason(line), Unreadable::TooMuch { found: format!("'{found}'") }, "{line}");
        }
        assert_eq!(reason("turn 9d 9c").to_string(), "expected the end of the line, found '9c'");
        assert_eq!(
            reason("turn").to_string(),
            "expected a card such as Td or As, found the end of the line"
        );
    }

    #[test]
    fn what_is_expected_is_all_that_is_read() {
        let words = |expected: Expected| -> BTreeSet<String> {
            let sentence = expected.to_string();
            let (_, words) = sentence.strip_suffix(')').unwrap().split_once('(').unwrap();
            words.replace(" or ", ", ").split(", ").map(str::to_owned).collect()
        };
        let printed = |keyword: &str| -> BTreeSet<String> {
            let lines = EVERY_LINE.lines().filter_map(|line| line.strip_prefix(keyword));
            lines.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
        };
        assert_eq!(words(Expected::Remedy), printed("remedy "));
        let keywords = words(Expected::Keyword);
        assert!(keywords.iter().all(|word| reader(word).is_some()), "{keywords:?}");
        assert!(keywords.is_superset(&printed("")));
        assert_eq!(
            Expected::Game.to_string(),
            "a game (casino-war, double-down-stud, double-deck, double-attack or free-bet)"
        );
        let shape = Choice::ALL.map(Choice::name).join("|");
        assert_eq!(
            reasons("game free-bet\ntable\nchoose 3 wait\n"),
            [(3, format!("expected 'choose SEAT {shape}', found 'choose 3 wait'"))]
        );
    }

    #[test]
    fn nothing_is_said_twice_in_a_line() {
        assert_eq!(reason("wager 1 main 5 tie 5 main 6"), Unreadable::CircleTwice(Circle::Main));
        assert_eq!(reason("terms decks=6 decks=8"), Unreadable::TermTwice("decks".to_owned()));
    }

    #[test]
    fn strange_words_are_shown_on_one_short_line() {
        let Unreadable::Word { found, .. } = reason("\u{1b}\u{0}é") else { panic!() };
        assert_eq!(found, "'\\u{1b}\\0é'");
        let Unreadable::Word { found, .. } = reason(&"x".repeat(1000)) else { panic!() };
        assert_eq!(found.chars().count(), 43);
    }
}
