//! Plays transcripts through the rules and checks what they expect.

use std::fmt::{self, Display, Formatter};

use super::{Transcript, at_table};
use crate::card::Card;
use crate::games::blackjack::Points;
use crate::games::{AnyRound, TableWagers, opening};
use crate::money::Cents;
use crate::notation::{AwaitedStep, HandHolder, Line};
use crate::refusal::Refusal;
use crate::round::{Awaits, Calls, Event, Place, Round, Statement};
use crate::terms::{TermRefusal, TermSheet};
use crate::wager::{Bettor, Circle, Game, MOST_SEATS};

/// What playing a transcript showed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// What differs from the transcript, in the order of its lines.
    pub findings: Vec<Finding>,
}

impl CheckReport {
    /// Whether everything came as expected.
    pub fn passed(&self) -> bool {
        self.findings.is_empty()
    }

    /// Whether the transcript itself is wrong, so that it could not be played to its end.
    pub fn is_malformed(&self) -> bool {
        self.findings.iter().any(|finding| finding.is_malformed)
    }
}

/// Something that differs from the transcript. Printed without its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The line, counted from 1.
    pub line: usize,
    sentence: String,
    /// Whether the line makes no sense where it is.
    is_malformed: bool,
}

impl Finding {
    /// An expectation that failed.
    pub(super) fn failed(line: usize, expected: &str, found: &str) -> Finding {
        let sentence = format!("expected {expected}, found {found}");
        Finding { line, sentence, is_malformed: false }
    }
}

impl Display for Finding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

/// Plays a transcript and checks every expectation in it.
///
/// It is played to its end, or up to a line that makes no sense where it stands.
pub fn check(transcript: &Transcript) -> CheckReport {
    let Some(game) = transcript.game() else { return CheckReport::default() };
    let mut checker = Checker::new(game);
    let mut last = LastAnswer::NoInput;
    let mut lines = transcript.lines.iter().peekable();
    while let Some((number, line)) = lines.next() {
        let refusal_follows = matches!(lines.peek(), Some((_, Line::Refused(_))));
        let Some(answer) = checker.play(*number, line, &last, refusal_follows) else {
            return checker.report;
        };
        last = answer;
    }
    checker.end_of_terms();
    if let Some(lines) = transcript.table.as_ref().filter(|_| !checker.derailed) {
        checker.report.findings.extend(at_table::play(checker.table.betting.sheet, lines));
    }
    checker.report
}

/// A round as far as a transcript tells it.
#[derive(Clone, Debug)]
pub struct RoundInPlay {
    /// The house options.
    pub sheet: TermSheet,
    /// The round; none before the first card.
    pub round: Option<AnyRound>,
    /// What has happened in it.
    pub events: Vec<Event>,
}

/// Plays a transcript up to a line of its file, that line included, or to its end.
///
/// The first thing that differs from the transcript ends it. The lines of a whole table are not
/// played.
pub fn play_up_to(transcript: &Transcript, line: Option<usize>) -> Result<RoundInPlay, Finding> {
    let mut checker = Checker::new(transcript.game().unwrap_or(Game::ALL[0]));
    let mut last = LastAnswer::NoInput;
    let played = |number: usize| line.is_none_or(|line| number <= line);
    let mut lines = transcript.lines.iter().take_while(|(number, _)| played(*number)).peekable();
    while let Some((number, line)) = lines.next() {
        let refusal_follows = matches!(lines.peek(), Some((_, Line::Refused(_))));
        match checker.play(*number, line, &last, refusal_follows) {
            Some(answer) if checker.report.passed() => last = answer,
            _ => break,
        }
    }
    checker.end_of_terms();
    match checker.report.findings.into_iter().next() {
        Some(finding) => Err(finding),
        None => {
            let CheckedRound { betting, round, events, .. } = checker.table;
            Ok(RoundInPlay { sheet: betting.sheet, round, events })
        }
    }
}

/// How the line before was answered.
enum LastAnswer {
    /// It was not an input.
    NoInput,
    Accepted,
    Refused(Objection),
}

/// A round and what was found in it so far.
struct Checker {
    table: CheckedRound,
    report: CheckReport,
    /// Whether an input was accepted or refused against expectation: what follows depends on it.
    derailed: bool,
    /// Terms that conflict unless another line follows, and their line.
    clash: Option<(usize, TermRefusal)>,
}

impl Checker {
    fn new(game: Game) -> Checker {
        Checker {
            table: CheckedRound::new(game),
            report: CheckReport::default(),
            derailed: false,
            clash: None,
        }
    }

    /// Plays one line; none where the transcript makes no sense from here on.
    fn play(
        &mut self,
        number: usize,
        line: &Line,
        last: &LastAnswer,
        refusal_follows: bool,
    ) -> Option<LastAnswer> {
        let answer = match line {
            Line::Clause(_) | Line::Game(_) => return Some(LastAnswer::NoInput),
            Line::Refused(id) => return Some(self.refused(number, id.as_deref(), last)),
            Line::Awaits(..)
            | Line::Offers { .. }
            | Line::Total { .. }
            | Line::Hand { .. }
            | Line::Net { .. }
            | Line::Outcome { .. }
            | Line::Done => {
                if let Err(found) = self.table.compare(line) {
                    self.fail(number, line.to_string(), found);
                }
                return Some(LastAnswer::NoInput);
            }
            Line::Terms(_) => self.table.take(line),
            _ => {
                self.end_of_terms();
                self.table.take(line)
            }
        };
        match answer {
            Ok(()) => {
                self.clash = None;
                Some(LastAnswer::Accepted)
            }
            Err(Objection::TermsClash(refusal, _)) if refusal_follows => {
                Some(LastAnswer::Refused(Objection::Terms(refusal)))
            }
            Err(Objection::TermsClash(refusal, sheet)) => {
                self.table.betting.sheet = *sheet;
                self.clash = Some((number, refusal));
                Some(LastAnswer::Accepted)
            }
            Err(objection) if objection.is_misplaced() => {
                if refusal_follows && objection.is_an_attempt() {
                    return Some(LastAnswer::Refused(objection));
                }
                if !self.derailed {
                    let sentence = objection.in_words(self.table.game());
                    let finding = Finding { line: number, sentence, is_malformed: true };
                    self.report.findings.push(finding);
                }
                None
            }
            Err(objection) => {
                if !refusal_follows {
                    self.derailed = true;
                    let found = objection.in_words(self.table.game());
                    self.fail(number, "the line to be accepted".to_owned(), found);
                }
                Some(LastAnswer::Refused(objection))
            }
        }
    }

    /// No more terms follow: those that conflict are refused after all.
    fn end_of_terms(&mut self) {
        if let Some((line, refusal)) = self.clash.take() {
            self.derailed = true;
            let found = Objection::Terms(refusal).in_words(self.table.game());
            self.fail(line, "the line to be accepted".to_owned(), found);
        }
    }

    /// Compares how the line before was answered; several such lines may follow one another.
    fn refused(&mut self, number: usize, id: Option<&str>, last: &LastAnswer) -> LastAnswer {
        let expected = id.map_or("refused".to_owned(), |id| format!("refused for {id}"));
        match last {
            LastAnswer::NoInput => {
                self.fail(number, expected, "no input on the line before".to_owned());
                LastAnswer::NoInput
            }
            LastAnswer::Accepted => {
                self.derailed = true;
                self.fail(number, expected, "accepted".to_owned());
                LastAnswer::Accepted
            }
            LastAnswer::Refused(objection) => {
                let game = self.table.game();
                let changed = matches!(objection, Objection::Changed(_));
                if changed || id.is_some_and(|id| !objection.rests_on(game, id)) {
                    self.fail(number, expected, objection.in_words(game));
                }
                LastAnswer::Refused(objection.clone())
            }
        }
    }

    fn fail(&mut self, line: usize, expected: String, found: String) {
        self.report.findings.push(Finding::failed(line, &expected, &found));
    }
}

/// Why a line is not accepted.
#[derive(Clone, Debug)]
enum Objection {
    Refused(Refusal),
    /// Forbidden, or not an option of the game at all.
    Terms(TermRefusal),
    /// Each value may be chosen, but not together; and the sheet as it would be.
    TermsClash(TermRefusal, Box<TermSheet>),
    /// Refused as it should be, but the round is no longer what it was.
    Changed(Refusal),
    /// The line makes no sense where it stands, whatever the rules.
    Misplaced(String),
    /// The same, but a table would refuse the attempt, and a transcript may expect that.
    MisplacedAttempt(String, Option<Refusal>),
}

impl Objection {
    fn misplaced(sentence: impl Into<String>) -> Objection {
        Objection::Misplaced(sentence.into())
    }

    fn attempt(sentence: impl Into<String>, refusal: Option<Refusal>) -> Objection {
        Objection::MisplacedAttempt(sentence.into(), refusal)
    }

    fn is_misplaced(&self) -> bool {
        match self {
            Objection::Terms(refusal) => !matches!(refusal, TermRefusal::Forbidden { .. }),
            Objection::Misplaced(_) | Objection::MisplacedAttempt(..) => true,
            _ => false,
        }
    }

    fn is_an_attempt(&self) -> bool {
        matches!(
            self,
            Objection::Terms(TermRefusal::Unreadable { .. }) | Objection::MisplacedAttempt(..)
        )
    }

    fn rests_on(&self, game: Game, id: &str) -> bool {
        match self {
            Objection::Refused(refusal) => refusal.rests_on(game, id),
            Objection::Terms(refusal) | Objection::TermsClash(refusal, _) => refusal.rests_on(id),
            Objection::MisplacedAttempt(_, refusal) => {
                refusal.is_some_and(|refusal| refusal.rests_on(game, id))
            }
            Objection::Changed(_) | Objection::Misplaced(_) => false,
        }
    }

    fn in_words(&self, game: Game) -> String {
        match self {
            Objection::Refused(refusal) => format!("refused: {}", refusal.in_words(game)),
            Objection::Terms(refusal) if self.is_misplaced() => refusal.to_string(),
            Objection::Terms(refusal) | Objection::TermsClash(refusal, _) => {
                format!("refused: {refusal}")
            }
            Objection::Changed(refusal) => {
                format!("refused, and yet the round changed: {}", refusal.in_words(game))
            }
            Objection::Misplaced(sentence) | Objection::MisplacedAttempt(sentence, _) => {
                sentence.clone()
            }
        }
    }
}

impl From<Refusal> for Objection {
    fn from(refusal: Refusal) -> Objection {
        Objection::Refused(refusal)
    }
}

/// A round that is played from a transcript, from its betting on.
#[derive(Clone, Debug)]
struct CheckedRound {
    betting: Betting,
    /// None before the first card.
    round: Option<AnyRound>,
    statement: Statement,
    events: Vec<Event>,
}

impl CheckedRound {
    fn new(game: Game) -> CheckedRound {
        let (statement, events) = (Statement::default(), Vec::new());
        CheckedRound { betting: Betting::new(game), round: None, statement, events }
    }

    fn game(&self) -> Game {
        self.betting.sheet.game()
    }

    /// Takes an input, or leaves everything as it was.
    fn take(&mut self, line: &Line) -> Result<(), Objection> {
        match line {
            Line::Wager { bettor, .. } | Line::Act { bettor, .. } | Line::BuyIn(bettor, _)
                if bettor.seat() >= MOST_SEATS =>
            {
                Err(Refusal::NoSuchSeat { seats: opening(&self.betting.sheet).seats }.into())
            }
            Line::Wager { .. } if self.round.is_some() => Err(Refusal::BetsClosed.into()),
            Line::Terms(_)
            | Line::Person { .. }
            | Line::Bankroll(..)
            | Line::Meter(_)
            | Line::Wager { .. } => match self.round {
                Some(_) => {
                    let line = line.to_string();
                    let keyword = line.split(' ').next().unwrap_or_default();
                    let sentence = format!("expected '{keyword}' before the first card");
                    Err(Objection::attempt(sentence, Some(Refusal::BetsClosed)))
                }
                None => self.betting.take(line),
            },
            Line::Cards(cards) => self.cards(cards),
            _ => self.ask(line),
        }
    }

    /// The round, which begins now if it has not yet; none where nobody has a wager.
    fn started(&mut self) -> Option<AnyRound> {
        let Betting { sheet, wagers, .. } = &self.betting;
        if self.round.is_none() && !wagers.is_empty() {
            let mut record = (&mut self.statement, &mut self.events);
            self.round = Some(AnyRound::start(sheet, wagers, &mut record));
        }
        self.round
    }

    /// Deals all of the cards, or none.
    fn cards(&mut self, cards: &[Option<Card>]) -> Result<(), Objection> {
        let mut table = self.clone();
        for &card in cards {
            table.card(card)?;
        }
        *self = table;
        Ok(())
    }

    fn card(&mut self, card: Option<Card>) -> Result<(), Objection> {
        let no_wager = "no card is awaited: the round awaits wagers, and none is accepted yet";
        let mut round = self.started().ok_or_else(|| Objection::misplaced(no_wager))?;
        let mut record = (&mut self.statement, &mut self.events);
        match (round.awaits(), card) {
            (Awaits::Card(_), Some(card)) => round.deal(card, &mut record)?,
            (Awaits::FaceDown(_), None) => round.deal_face_down(&mut record)?,
            (awaits, card) => return Err(Objection::Misplaced(wrong_card(card, awaits))),
        }
        self.round = Some(round);
        Ok(())
    }

    /// Puts an answer, a decision, chips bought in or a remedy to the round.
    ///
    /// Chips can be bought once bets are closed, and even the first card can be missed: a buy-in and a
    /// remedy may come before it and then begin the round.
    fn ask(&mut self, line: &Line) -> Result<(), Objection> {
        let awaits = self.round.map(|round| round.awaits());
        if matches!(line, Line::Turn(_)) && awaits != Some(Awaits::Turn) {
            let awaits = awaits.map_or("wagers".to_owned(), |a| AwaitsWords(a).to_string());
            let sentence = format!("no card is to be turned: the round awaits {awaits}");
            return Err(Objection::attempt(sentence, Some(Refusal::NotAwaited)));
        }
        let mut table = self.clone();
        if matches!(line, Line::Remedy(_) | Line::BuyIn(..)) {
            table.started();
        }
        let before = table.clone();
        let Some(round) = &mut table.round else { return Err(Refusal::RoundNotStarted.into()) };
        let mut record = (&mut table.statement, &mut table.events);
        let answer = match line {
            Line::Act { bettor, act } => round.act(*bettor, *act, &mut record),
            Line::BuyIn(bettor, amount) => round.buy_in(*bettor, *amount, &mut record),
            Line::Peek(natural) => round.peek(*natural, &mut record),
            Line::Turn(card) => round.turn(*card, &mut record),
            Line::Remedy(remedy) => round.remedy(*remedy, &mut record),
            _ => unreachable!("every other line is handled before"),
        };
        match answer {
            Err(refusal) if table.round != before.round || table.statement != before.statement => {
                Err(Objection::Changed(refusal))
            }
            Err(refusal) => Err(refusal.into()),
            Ok(()) => {
                *self = table;
                Ok(())
            }
        }
    }

    /// Compares an expectation, or says what was found instead.
    fn compare(&self, line: &Line) -> Result<(), String> {
        RoundSoFar { round: self.round.as_ref(), statement: &self.statement }.compare(line)
    }
}

/// A round as far as it has been played, and its result so far.
pub(super) struct RoundSoFar<'a> {
    /// None before the first card.
    pub(super) round: Option<&'a AnyRound>,
    pub(super) statement: &'a Statement,
}

impl RoundSoFar<'_> {
    /// Compares an expectation, or says what was found instead.
    pub(super) fn compare(&self, line: &Line) -> Result<(), String> {
        match line {
            Line::Awaits(awaiting) => self.awaits(*awaiting),
            Line::Offers { bettor, calls } => self.offers(*bettor, *calls),
            Line::Total { whose, points, soft } => self.total(*whose, *points, *soft),
            Line::Hand { bettor, category } => {
                let found = self.round.and_then(|round| round.category(bettor.seat()));
                same(*category, found, |found| found.name())
            }
            Line::Outcome { bettor, outcome } => {
                let found = self.round.and_then(|round| round.outcome(bettor.seat()));
                same(*outcome, found, |found| found.name())
            }
            Line::Net { bettor, circle, amount } => {
                let found = self.net(*bettor, *circle);
                if found == *amount { Ok(()) } else { Err(format!("{found:+}")) }
            }
            Line::Done => self.done(),
            _ => unreachable!("every other line is an input"),
        }
    }

    fn awaits(&self, awaiting: AwaitedStep) -> Result<(), String> {
        let Some(round) = self.round else {
            return match awaiting {
                AwaitedStep::Wagers => Ok(()),
                _ => Err("awaits wagers".to_owned()),
            };
        };
        let awaits = round.awaits();
        let as_expected = match awaiting {
            AwaitedStep::Wagers => false,
            AwaitedStep::Card => matches!(awaits, Awaits::Card(_) | Awaits::FaceDown(_)),
            AwaitedStep::Act(bettor) => {
                matches!(awaits, Awaits::Acts(bettors) if bettors.contains(bettor))
            }
            AwaitedStep::Peek => awaits == Awaits::Peek,
            AwaitedStep::Turn => awaits == Awaits::Turn,
            AwaitedStep::Nobody => awaits == Awaits::Nobody,
        };
        if as_expected { Ok(()) } else { Err(format!("awaits {}", AwaitsWords(awaits))) }
    }

    fn offers(&self, bettor: Bettor, calls: Calls) -> Result<(), String> {
        let found = self.round.map_or(Calls::NONE, |round| round.offers(bettor));
        if found == calls {
            return Ok(());
        }
        let words: Vec<_> = found.iter().map(|call| call.name()).collect();
        Err(if words.is_empty() { "nothing offered".to_owned() } else { words.join(" ") })
    }

    fn total(&self, whose: HandHolder, points: u8, soft: bool) -> Result<(), String> {
        let found = self.round.and_then(|round| match whose {
            HandHolder::Dealer => round.dealer_points(),
            HandHolder::Box { bettor, hand } => {
                let seat = bettor.seat();
                let hand = match hand {
                    Some(number) => usize::from(number) - 1,
                    None => round.current_hand(seat).unwrap_or(0),
                };
                (hand < round.hands(seat)).then(|| round.points(seat, hand)).flatten()
            }
        });
        let found = found.map(counted);
        same((points, soft), found, |(points, soft)| {
            format!("{points}{}", if soft { " soft" } else { "" })
        })
    }

    fn net(&self, bettor: Bettor, circle: Option<Circle>) -> Cents {
        match circle {
            Some(circle) => self.statement.net_of(bettor, circle),
            None => self.statement.net(bettor),
        }
    }

    fn done(&self) -> Result<(), String> {
        self.awaits(AwaitedStep::Nobody).and_then(|()| balanced(self.statement))
    }
}

/// Whether every wager is settled exactly once.
pub(super) fn balanced(statement: &Statement) -> Result<(), String> {
    match statement.is_balanced() {
        true => Ok(()),
        false => Err("wagers that are not settled exactly once".to_owned()),
    }
}

/// The points of a hand, and whether an ace counts eleven.
fn counted(points: Points) -> (u8, bool) {
    (points.total(), points.is_soft())
}

/// Compares with something that may be missing.
pub(super) fn same<T: PartialEq + Copy, W: Display>(
    expected: T,
    found: Option<T>,
    words: impl FnOnce(T) -> W,
) -> Result<(), String> {
    match found {
        Some(found) if found == expected => Ok(()),
        Some(found) => Err(words(found).to_string()),
        None => Err("none".to_owned()),
    }
}

/// What is set and placed before the first card, in any order.
#[derive(Clone, Debug)]
struct Betting {
    sheet: TermSheet,
    people: Vec<(String, Vec<usize>)>,
    bankrolls: Vec<(Bettor, Cents)>,
    meter: Option<Cents>,
    slips: Vec<(Bettor, Vec<(Circle, Cents)>)>,
    /// All of it together, as the rules have accepted it.
    wagers: TableWagers,
}

impl Betting {
    fn new(game: Game) -> Betting {
        Betting {
            sheet: TermSheet::new(game),
            people: Vec::new(),
            bankrolls: Vec::new(),
            meter: None,
            slips: Vec::new(),
            wagers: TableWagers::NONE,
        }
    }

    fn take(&mut self, line: &Line) -> Result<(), Objection> {
        let mut betting = self.clone();
        match line {
            Line::Terms(choices) => betting.terms(choices)?,
            Line::Person { name, seats } => betting.person(name, seats)?,
            Line::Bankroll(bettor, amount) => replace(&mut betting.bankrolls, *bettor, *amount),
            Line::Meter(_) if Circle::Progressive.title(self.sheet.game()).is_none() => {
                let game = self.sheet.game();
                let sentence = format!("expected no 'meter' in {game}, which has no progressive");
                return Err(Objection::attempt(sentence, None));
            }
            Line::Meter(amount) => betting.meter = Some(*amount),
            Line::Wager { bettor, amounts } => {
                replace(&mut betting.slips, *bettor, amounts.clone());
            }
            _ => unreachable!("every other line comes after betting"),
        }
        betting.wagers = betting.together()?;
        *self = betting;
        Ok(())
    }

    fn terms(&mut self, choices: &[(String, String)]) -> Result<(), Objection> {
        if !self.slips.is_empty() {
            return Err(Objection::attempt("expected 'terms' before the first wager", None));
        }
        let choices = choices.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        let mut sheet = self.sheet.clone();
        sheet.fill_in(choices).map_err(Objection::Terms)?;
        if let Err(refusal) = sheet.check() {
            return Err(Objection::TermsClash(refusal, Box::new(sheet)));
        }
        self.sheet = sheet;
        Ok(())
    }

    fn person(&mut self, name: &str, seats: &[usize]) -> Result<(), Objection> {
        let other = |person: &&(String, Vec<usize>)| person.0 != name;
        let mut others = self.people.iter().filter(other).flat_map(|(_, seats)| seats);
        if let Some(&seat) = others.find(|seat| seats.contains(seat)) {
            let seat = seat + 1;
            let sentence = format!("expected one person at each seat, found two at seat {seat}");
            return Err(Objection::attempt(sentence, None));
        }
        match self.people.iter_mut().find(|person| person.0 == name) {
            Some((_, known)) => known.extend(seats),
            None => self.people.push((name.to_owned(), seats.to_vec())),
        }
        Ok(())
    }

    /// Everything so far: people first, then their racks, then their wagers.
    fn together(&self) -> Result<TableWagers, Refusal> {
        let opening = opening(&self.sheet);
        let mut wagers = TableWagers::NONE;
        for (_, seats) in &self.people {
            wagers.share_rack(seats);
        }
        for &(bettor, amount) in &self.bankrolls {
            wagers.bankroll(bettor, amount)?;
        }
        for (bettor, amounts) in &self.slips {
            wagers.place(&opening, *bettor, amounts)?;
        }
        if let Some(meter) = self.meter {
            wagers.set_meter(meter);
        }
        Ok(wagers)
    }
}

/// Why a card does not fit what the round waits for.
fn wrong_card(card: Option<Card>, awaits: Awaits) -> String {
    match (card, awaits) {
        (None, Awaits::Card(place)) => {
            format!("expected a card face up {}, found ??", PlaceWords(place))
        }
        (Some(card), Awaits::FaceDown(place)) => {
            format!("expected ?? {}, found {card}", PlaceWords(place))
        }
        _ => format!("no card is awaited: the round awaits {}", AwaitsWords(awaits)),
    }
}

/// Sets the entry of a bettor, replacing an earlier one.
fn replace<T>(list: &mut Vec<(Bettor, T)>, bettor: Bettor, new: T) {
    match list.iter_mut().find(|(other, _)| *other == bettor) {
        Some((_, old)) => *old = new,
        None => list.push((bettor, new)),
    }
}

/// What a round waits for, with the destination of a card, which the notation leaves out.
struct AwaitsWords(Awaits);

impl Display for AwaitsWords {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Awaits::Card(place) => write!(f, "card {}", PlaceWords(place)),
            Awaits::FaceDown(place) => write!(f, "card ?? {}", PlaceWords(place)),
            Awaits::Peek => f.write_str("peek"),
            Awaits::Turn => f.write_str("turn"),
            Awaits::Acts(bettors) => {
                f.write_str("act")?;
                bettors.iter().try_for_each(|bettor| write!(f, " {bettor}"))
            }
            Awaits::Nobody => f.write_str("nobody"),
        }
    }
}

/// Where a card goes, in words.
struct PlaceWords(Place);

impl Display for PlaceWords {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Place::Hand { seat, hand: 0 } => write!(f, "for seat {}", seat + 1),
            Place::Hand { seat, hand } => write!(f, "for seat {} hand {}", seat + 1, hand + 1),
            Place::Dealer => f.write_str("for the dealer"),
            Place::Burn => f.write_str("to be burned"),
        }
    }
}
