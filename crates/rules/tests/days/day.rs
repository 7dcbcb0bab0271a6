//! A day, and the laws that it is held to.

use std::collections::BTreeMap;

use rules::card::Card;
use rules::money::Cents;
use rules::notation::Line;
use rules::round::{Event, Record, Statement};
use rules::table::{Account, Input, Irregularity, Order, Table, TableAwaits, TableEvent, Transfer};
use rules::terms::TermSheet;
use rules::transcript::{check, read};
use rules::wager::{Bettor, Game};

use crate::cards::Custody;
use crate::money::Books;
use crate::numbers::Numbers;
use crate::people;

/// Something that days should have in them.
pub(crate) struct Worth {
    pub(crate) word: &'static str,
    games: &'static [Game],
}

impl Worth {
    pub(crate) fn is_possible(&self, game: Game) -> bool {
        self.games.contains(&game)
    }
}

const NOT_STUD: &[Game] = &[Game::CasinoWar, Game::DoubleDeck, Game::DoubleAttack, Game::FreeBet];

/// First words of events without which days would prove little.
pub(crate) const WORTH_SEEING: &[Worth] = &[
    Worth { word: "revealed", games: &Game::ALL },
    Worth { word: "committed", games: &Game::ALL },
    Worth { word: "mixed", games: &Game::ALL },
    Worth { word: "reported", games: &Game::ALL },
    Worth { word: "ordered", games: &Game::ALL },
    Worth { word: "reversed", games: &Game::ALL },
    Worth { word: "drawn", games: &Game::ALL },
    Worth { word: "corrected", games: &Game::ALL },
    Worth { word: "loaded", games: &[Game::CasinoWar, Game::DoubleDownStud, Game::FreeBet] },
    Worth { word: "cut-card-reached", games: NOT_STUD },
    Worth { word: "burned", games: NOT_STUD },
    Worth { word: "discarded", games: NOT_STUD },
    Worth { word: "awarded", games: &[Game::CasinoWar] },
];

/// A day at one table, with everything that can be said about it so far.
pub(crate) struct Day {
    pub(crate) table: Table,
    pub(crate) numbers: Numbers,
    pub(crate) custody: Custody,
    accepted: Vec<String>,
    told: Vec<String>,
    books: Books,
    round: Alone,
    /// How many rounds came out the same when they were played alone.
    pub(crate) rounds_alone: u32,
    is_traced: bool,
    /// How often something happened, by the first word of its event.
    pub(crate) seen: BTreeMap<String, u32>,
}

impl Day {
    pub(crate) fn new(sheet: TermSheet, mut numbers: Numbers) -> Day {
        let custody = Custody::new(&sheet, &mut numbers);
        Day {
            table: Table::new(sheet),
            numbers,
            custody,
            accepted: Vec::new(),
            told: Vec::new(),
            books: Books::default(),
            round: Alone::default(),
            rounds_alone: 0,
            is_traced: std::env::var_os("DAY_TRACE").is_some(),
            seen: BTreeMap::new(),
        }
    }

    /// Somebody does something.
    pub(crate) fn live_on(&mut self) {
        let line = match self.numbers.once_in(4) {
            true => people::anything(self),
            false => people::wanted(self),
        };
        let input = line.parse().unwrap_or_else(|_| panic!("'{line}' is no input"));
        self.tell(&input);
    }

    /// Tells the table: what it refuses changes nothing, what it takes reads back as it prints.
    fn tell(&mut self, input: &Input) {
        let before = self.table.clone();
        let mut events = Vec::new();
        if let Err(refusal) = self.table.apply(input, &mut events) {
            self.trace(&format!("{input}: {refusal}"), &[]);
            assert_eq!(self.table, before, "{input} was refused");
            assert!(events.is_empty(), "{input} was refused");
            return;
        }
        let line = input.to_string();
        self.trace(&line, &events);
        assert_eq!(line.parse().as_ref(), Ok(input), "{line}");
        faces_are_told(input, &events);
        secrets_are_forgotten(&before, input, &self.table);
        standing_goes_on(&before, input, &self.table);
        self.books.follow(input, &events, &self.table);
        self.custody.follow(&before, input, &events, &self.table);
        self.rounds_alone += self.round.follow(&before, input, &events);
        self.accepted.push(line);
        if matches!(self.table.awaits(), TableAwaits::Choice(_) | TableAwaits::Supervisor(_))
            || self.accepted.len().is_multiple_of(16)
        {
            self.orders_are_as_listed();
        }
        for event in &events {
            let line = event.to_string();
            let word = line.split(' ').next().unwrap_or_default().to_owned();
            *self.seen.entry(word).or_default() += 1;
            self.told.push(line);
        }
    }

    /// Exactly what is listed may be ordered; a report that proves wrong may be dismissed besides.
    fn orders_are_as_listed(&self) {
        let listed = self.table.outcomes();
        let named = (0..7).flat_map(|seat| {
            let bettor = Bettor::at(seat);
            [
                Order::Release(bettor),
                Order::Admit(bettor),
                Order::Surrender(bettor),
                Order::Extend(bettor),
            ]
        });
        let plain = Order::PLAIN.into_iter().map(|row| row.0);
        for order in plain.chain(named).filter(|order| *order != Order::Dismiss) {
            let by = "eve".parse().unwrap();
            let input = Input::Order { order, by, card: None, because: None };
            let taken = self.table.clone().apply(&input, &mut Vec::new()).is_ok();
            let awaits = self.table.awaits();
            assert_eq!(taken, listed.contains(&order), "{input} while the table awaits {awaits}");
        }
    }

    /// Shows the day as it goes, for whoever looks for what broke a law: `DAY_TRACE=1`.
    fn trace(&self, line: &str, events: &[TableEvent]) {
        if self.is_traced {
            eprintln!("< {line}");
            events.iter().for_each(|event| eprintln!("  > {event}"));
        }
    }

    /// The inputs, read back from their lines, lead to the same events and the same table.
    pub(crate) fn replay(&self) {
        let mut table = Table::new(self.table.sheet().clone());
        let mut events = Vec::new();
        for line in &self.accepted {
            table.apply(&line.parse().unwrap(), &mut events).unwrap();
        }
        let told: Vec<_> = events.iter().map(TableEvent::to_string).collect();
        assert_eq!(told, self.told);
        assert_eq!(table, self.table);
    }
}

/// No card comes to a table that nobody sees: each face that goes in is told to somebody at once.
/// So no state holds a card that nobody has seen; a table knows nothing but its inputs (G-24).
fn faces_are_told(input: &Input, events: &[TableEvent]) {
    let words = |event: &TableEvent| {
        let line = event.to_string();
        line.split(' ').map(str::to_owned).collect::<Vec<_>>()
    };
    let told: Vec<String> = events.iter().flat_map(words).collect();
    for card in faces(input) {
        assert!(told.contains(&card.to_string()), "{input}: nobody is told of {card}");
    }
}

/// The faces that go in, but for those of a shoe that is done with.
fn faces(input: &Input) -> Vec<Card> {
    match input {
        Input::Card(Some(card)) | Input::Turn(card) => vec![*card],
        Input::ShowBurn { cards, .. } => cards.clone(),
        Input::Report(report) => match report.irregularity {
            Irregularity::Ten(card) | Irregularity::HoleSeen(card) => vec![card],
            other => other.drawn().into_iter().collect(),
        },
        _ => Vec::new(),
    }
}

/// What a retired shoe held is recorded and not kept: another order leads to the same table.
fn secrets_are_forgotten(before: &Table, input: &Input, after: &Table) {
    let Input::Reveal { order, .. } = input else { return };
    let salt = "f".repeat(64).parse().unwrap();
    let other = Input::Reveal { salt, order: order.iter().rev().copied().collect() };
    let mut table = before.clone();
    table.apply(&other, &mut Vec::new()).unwrap();
    assert_eq!(table, *after);
}

/// Whenever bets close, the table goes on from its standing as it does from all that was before.
fn standing_goes_on(before: &Table, input: &Input, after: &Table) {
    assert_eq!(after.stands(), after.standing().is_some());
    if *input != Input::Deal {
        return;
    }
    let lines = before.standing().unwrap_or_else(|| panic!("{before:?} has no standing"));
    let resumed = Table::resumed(before.sheet().clone(), lines.iter().map(String::as_str));
    let mut resumed = resumed.unwrap_or_else(|| panic!("{lines:#?} is not read"));
    resumed.apply(input, &mut Vec::new()).unwrap();
    assert_eq!(resumed, *after, "{lines:#?}");
}

/// The round in play, written down to be played alone.
#[derive(Default)]
struct Alone {
    opening: Vec<String>,
    /// What its wagers have added to the meter.
    contributed: Cents,
    lines: Vec<Line>,
    statement: Statement,
    bettors: Vec<Bettor>,
}

impl Alone {
    /// Writes down what happened, and once the round is over plays it; tells how many were over.
    fn follow(&mut self, before: &Table, input: &Input, events: &[TableEvent]) -> u32 {
        let mut over = 0;
        if let Input::Meter(shows) = input {
            // It comes out as if the shared meter had shown that from the start.
            let from_the_start = Line::Meter(*shows - self.contributed).to_string();
            let meter = self.opening.iter_mut().filter(|line| line.starts_with("meter "));
            meter.for_each(|line| line.clone_from(&from_the_start));
        }
        for event in events {
            match *event {
                TableEvent::Moved(Transfer {
                    from: Account::House,
                    to: Account::Meter,
                    amount,
                }) => {
                    self.contributed += amount;
                }
                TableEvent::BetsClosed => {
                    *self = Alone { opening: before.opening_lines(), ..Alone::default() }
                }
                TableEvent::Round(event) => self.note(event),
                TableEvent::Settled => {
                    self.play();
                    over += 1;
                }
                _ => {}
            }
        }
        over
    }

    fn note(&mut self, event: Event) {
        self.statement.note(event);
        let line = match event {
            Event::Staked { bettor, .. } => {
                if !self.bettors.contains(&bettor) {
                    self.bettors.push(bettor);
                }
                return;
            }
            Event::Dealt { card, .. } => Line::Cards(vec![Some(card)]),
            Event::FaceDown(_) => Line::Cards(vec![None]),
            Event::Acted(bettor, act) => Line::Act { bettor, act },
            Event::Peeked { natural } => Line::Peek(natural),
            Event::Turned(card) => Line::Turn(card),
            Event::Remedied(remedy) => Line::Remedy(remedy),
            _ => return,
        };
        self.lines.push(line);
    }

    fn play(&self) {
        let mut text = self.opening[2..].join("\n");
        self.lines.iter().for_each(|line| text += &format!("\n{line}"));
        for bettor in &self.bettors {
            text += &format!("\nnet {bettor} {:+}", self.statement.net(*bettor));
        }
        text += "\ndone\n";
        let report =
            check(&read(&text).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))[0]);
        assert!(report.passed(), "{:?} in\n{text}", report.findings);
    }
}
