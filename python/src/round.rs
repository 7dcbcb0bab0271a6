//! A round of any game.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use rules::card::Card;
use rules::games::{AnyRound, TableWagers, opening};
use rules::money::Cents;
use rules::notation::Line;
use rules::refusal::Refusal;
use rules::round::{
    Act, Amounts, Audience, Awaits, Call, Calls, Event, Place, Round as _, Statement,
};
use rules::terms::TermSheet;
use rules::transcript::{self, Transcript, Writer};
use rules::wager::{Bettor, Circle, MOST_SEATS, Opening};

use crate::input::{self, amount, bettor, bettor_name, decimal, entries};
use crate::refused::{by_round, by_terms, wrong};
use crate::value::values_of_acts;

/// A round of one of the games: it asks, you answer.
#[pyclass(module = "pitboss")]
#[derive(Clone)]
pub(crate) struct Round {
    sheet: TermSheet,
    bettors: Vec<Bettor>,
    round: AnyRound,
    events: Vec<Event>,
    statement: Statement,
    writer: Writer,
}

/// All that comes before the first card.
struct Betting {
    sheet: TermSheet,
    lines: Vec<Line>,
}

impl Round {
    fn start(Betting { sheet, lines }: Betting) -> PyResult<Round> {
        let game = sheet.game();
        let (mut wagers, opening) = (TableWagers::NONE, opening(&sheet));
        let mut writer = Writer::new(&sheet);
        let refused = |refusal| by_round(refusal, game);
        // People first, then their racks, then their wagers.
        let order = |line: &Line| match line {
            Line::Person { .. } => 0,
            Line::Bankroll(..) => 1,
            _ => 2,
        };
        let mut lines = lines;
        lines.sort_by_key(order);
        for line in lines {
            match &line {
                Line::Person { seats, .. } if seats.iter().any(|&seat| seat >= MOST_SEATS) => {
                    return Err(refused(Refusal::NoSuchSeat { seats: opening.seats }));
                }
                Line::Person { seats, .. } => wagers.share_rack(seats),
                Line::Bankroll(bettor, amount) => {
                    wagers.bankroll(*bettor, *amount).map_err(refused)?;
                }
                Line::Meter(_) if Circle::Progressive.title(game).is_none() => {
                    return Err(wrong(format!("{game} has no progressive, so no meter")));
                }
                Line::Meter(amount) => wagers.set_meter(*amount),
                Line::Wager { bettor, amounts } => {
                    wagers.place(&opening, *bettor, amounts).map_err(refused)?;
                }
                _ => return Err(wrong(format!("'{line}' comes after the first card"))),
            }
            writer.line(line);
        }
        let bettors: Vec<_> = wagers.bettors().collect();
        if bettors.is_empty() {
            return Err(wrong("a round needs a wager before its first card"));
        }
        let (mut statement, mut events) = (Statement::default(), Vec::new());
        let round = AnyRound::start(&sheet, &wagers, &mut (&mut statement, &mut events));
        Ok(Round { sheet, bettors, round, events, statement, writer })
    }

    /// Takes an input, or refuses it and stays as it was.
    fn input(&mut self, line: Line) -> PyResult<()> {
        if let Line::Act { bettor, .. } | Line::BuyIn(bettor, _) = &line {
            self.check_place(*bettor)?;
        }
        let mut next = self.clone();
        let answer = {
            let record = &mut (&mut next.statement, &mut next.events);
            match &line {
                Line::Act { bettor, act } => next.round.act(*bettor, *act, record),
                Line::BuyIn(bettor, amount) => next.round.buy_in(*bettor, *amount, record),
                Line::Peek(natural) => next.round.peek(*natural, record),
                Line::Turn(card) => next.round.turn(*card, record),
                Line::Remedy(remedy) => next.round.remedy(*remedy, record),
                Line::Cards(cards) => cards.iter().try_for_each(|card| match card {
                    Some(card) => next.round.deal(*card, record),
                    None => next.round.deal_face_down(record),
                }),
                _ => return Err(wrong(format!("'{line}' is not an input of a round in play"))),
            }
        };
        answer.map_err(|refusal| by_round(refusal, self.sheet.game()))?;
        match line {
            Line::Cards(cards) => cards.into_iter().for_each(|card| next.writer.card(card)),
            line => next.writer.line(line),
        }
        *self = next;
        Ok(())
    }

    /// The bettor meant: the one named, or the only one asked, or the only one there is.
    fn whom(&self, named: Option<&Bound<'_, PyAny>>) -> PyResult<Bettor> {
        if let Some(named) = named {
            return bettor(named);
        }
        let asked: Vec<_> = match self.round.awaits() {
            Awaits::Acts(asked) => asked.iter().collect(),
            _ => self.bettors.clone(),
        };
        match asked[..] {
            [one] => Ok(one),
            _ => Err(wrong("several bettors could be meant: name the seat")),
        }
    }

    /// Refuses a place that the layout does not have.
    fn check_place(&self, bettor: Bettor) -> PyResult<()> {
        let Opening { seats, bettors, .. } = opening(&self.sheet);
        let refused = |refusal| Err(by_round(refusal, self.sheet.game()));
        match bettor {
            _ if bettor.seat() >= usize::from(seats) => refused(Refusal::NoSuchSeat { seats }),
            _ if bettor.place() >= usize::from(bettors) => {
                refused(Refusal::BoxNotShared { most: bettors })
            }
            _ => Ok(()),
        }
    }

    /// The calls open to a bettor; none where there is no such bettor.
    fn open_to(&self, bettor: Bettor) -> Calls {
        match self.bettors.contains(&bettor) {
            true => self.round.offers(bettor),
            false => Calls::NONE,
        }
    }

    pub(crate) fn sheet(&self) -> &TermSheet {
        &self.sheet
    }

    pub(crate) fn any(&self) -> &AnyRound {
        &self.round
    }

    pub(crate) fn noted(&self) -> &[Event] {
        &self.events
    }
}

#[pymethods]
impl Round {
    /// Begins a round: `Round("double-deck", 10)`, or `wagers={1: 10, 2: {"main": 10, "tie": 5}}`.
    #[new]
    #[pyo3(signature = (game, wagers=None, *, terms=None, bankrolls=None, people=None, meter=None))]
    fn new(
        game: &str,
        wagers: Option<&Bound<'_, PyAny>>,
        terms: Option<&Bound<'_, PyDict>>,
        bankrolls: Option<&Bound<'_, PyDict>>,
        people: Option<&Bound<'_, PyDict>>,
        meter: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Round> {
        let sheet = input::sheet(game, terms)?;
        let mut lines = Vec::new();
        for (name, seats) in people.into_iter().flat_map(entries) {
            let seats: PyResult<Vec<_>> =
                seats.try_iter()?.map(|seat| Ok(input::seat_number(&seat?)? - 1)).collect();
            lines.push(Line::Person { name: word(&name.extract::<String>()?)?, seats: seats? });
        }
        for (name, left) in bankrolls.into_iter().flat_map(entries) {
            lines.push(Line::Bankroll(bettor(&name)?, amount(&left)?));
        }
        if let Some(shows) = meter {
            lines.push(Line::Meter(meter_shows(shows)?));
        }
        match wagers {
            None => {
                let setting = odds::setting::Setting::of(&sheet).map_err(wrong)?;
                let amounts = vec![(Circle::Main, setting.main.into())];
                lines.push(Line::Wager { bettor: Bettor::at(0), amounts });
            }
            Some(wagers) => match wagers.cast::<PyDict>() {
                Err(_) => lines.push(Line::Wager { bettor: Bettor::at(0), amounts: slip(wagers)? }),
                Ok(wagers) => {
                    for (name, placed) in entries(wagers) {
                        lines.push(Line::Wager { bettor: bettor(&name)?, amounts: slip(&placed)? });
                    }
                }
            },
        }
        Round::start(Betting { sheet, lines })
    }

    /// Plays the inputs of a transcript of one round. What it expects is not compared: `check` does.
    #[staticmethod]
    fn from_transcript(text: &str) -> PyResult<Round> {
        let round = one_transcript(text)?;
        if round.is_of_table() {
            return Err(wrong("this is the transcript of a table: Table.from_transcript plays it"));
        }
        let mut lines = round.lines().cloned().peekable();
        let (mut sheet, mut betting) = (None, Vec::new());
        let mut begun: Option<Round> = None;
        while let Some(line) = lines.next() {
            let refusal_follows = matches!(lines.peek(), Some(Line::Refused(_)));
            let answer = match (line, &mut begun, &mut sheet) {
                (Line::Game(game), None, sheet) => {
                    *sheet = Some(TermSheet::new(game));
                    Ok(())
                }
                (Line::Terms(terms), None, Some(sheet)) => {
                    let terms = terms.iter().map(|(key, value)| (key.as_str(), value.as_str()));
                    sheet.set(terms).map_err(|refusal| by_terms(&refusal))
                }
                (
                    Line::Clause(_)
                    | Line::Refused(_)
                    | Line::Awaits(_)
                    | Line::Offers { .. }
                    | Line::Total { .. }
                    | Line::Hand { .. }
                    | Line::Net { .. }
                    | Line::Outcome { .. }
                    | Line::Done,
                    ..,
                ) => Ok(()),
                (
                    line @ (Line::Person { .. }
                    | Line::Bankroll(..)
                    | Line::Meter(_)
                    | Line::Wager { .. }),
                    None,
                    Some(sheet),
                ) => {
                    // Whether it is accepted shows when all of it is placed together.
                    betting.push(line);
                    let tried = || Betting { sheet: sheet.clone(), lines: betting.clone() };
                    if refusal_follows && Round::start(tried()).is_err() {
                        betting.pop();
                    }
                    Ok(())
                }
                (line, None, Some(sheet)) => {
                    let betting = Betting { sheet: sheet.clone(), lines: betting.clone() };
                    Round::start(betting).and_then(|mut round| {
                        let answer = round.input(line);
                        begun = Some(round);
                        answer
                    })
                }
                (line, Some(round), _) => round.input(line),
                (line, None, None) => Err(wrong(format!("'{line}' comes before the game"))),
            };
            if !refusal_follows {
                answer?;
            }
        }
        match (begun, sheet) {
            (Some(round), _) => Ok(round),
            (None, Some(sheet)) => Round::start(Betting { sheet, lines: betting }),
            (None, None) => Err(wrong("the transcript names no game")),
        }
    }

    /// The game.
    #[getter]
    fn game(&self) -> &'static str {
        self.sheet.game().name()
    }

    /// The house options that differ from the defaults.
    #[getter]
    fn terms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        chosen_terms(py, &self.sheet)
    }

    /// What the round waits for: `card`, `face-down`, `peek`, `turn`, `act` or `nobody`.
    #[getter]
    fn awaits(&self) -> &'static str {
        kind_of(self.round.awaits())
    }

    /// Where the awaited card goes: `1`, `1 hand 2`, `dealer` or `burn`.
    #[getter]
    fn place(&self) -> Option<String> {
        place_of(self.round.awaits())
    }

    /// Whose decision is awaited.
    #[getter]
    fn asked<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        match self.round.awaits() {
            Awaits::Acts(asked) => asked.iter().map(|bettor| bettor_name(py, bettor)).collect(),
            _ => Ok(Vec::new()),
        }
    }

    /// Everyone with a wager.
    #[getter]
    fn bettors<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.bettors.iter().map(|&bettor| bettor_name(py, bettor)).collect()
    }

    /// Whether everything is settled.
    #[getter]
    fn is_over(&self) -> bool {
        self.round.awaits() == Awaits::Nobody
    }

    /// The calls open to a bettor now.
    #[pyo3(signature = (bettor=None))]
    fn offers(&self, bettor: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<&'static str>> {
        let bettor = self.whom(bettor)?;
        Ok(self.open_to(bettor).iter().map(|call| call.name()).collect())
    }

    /// The amounts that may go with an open call: `least`, `most`, `step` and whether one is `required`.
    #[pyo3(signature = (call, bettor=None))]
    fn amounts<'py>(
        &self,
        py: Python<'py>,
        call: &str,
        bettor: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let (call, bettor) = (call_of(call)?, self.whom(bettor)?);
        if !self.open_to(bettor).contains(call) {
            return Ok(None);
        }
        amounts_dict(py, self.round.amounts(bettor, call))
    }

    /// Deals cards such as `"Td"`; `None` stays face down. All are taken or none.
    #[pyo3(signature = (*cards))]
    fn deal<'py>(slf: Bound<'py, Self>, cards: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, Self>> {
        slf.try_borrow_mut()?.input(Line::Cards(cards_of(cards)?))?;
        Ok(slf)
    }

    /// Takes a decision such as `"hit"`, with an amount where one belongs to it.
    #[pyo3(signature = (call, amount=None, *, bettor=None))]
    fn act<'py>(
        slf: Bound<'py, Self>,
        call: &str,
        amount: Option<&Bound<'py, PyAny>>,
        bettor: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let (act, bettor) = (act_of(call, amount)?, slf.try_borrow()?.whom(bettor)?);
        slf.try_borrow_mut()?.input(Line::Act { bettor, act })?;
        Ok(slf)
    }

    /// Takes the card reader's answer: whether the hole card makes a natural.
    fn peek(slf: Bound<'_, Self>, natural: bool) -> PyResult<Bound<'_, Self>> {
        slf.try_borrow_mut()?.input(Line::Peek(natural))?;
        Ok(slf)
    }

    /// Turns the face-down card over.
    fn turn<'py>(slf: Bound<'py, Self>, card: &str) -> PyResult<Bound<'py, Self>> {
        slf.try_borrow_mut()?.input(Line::Turn(input::card(card)?))?;
        Ok(slf)
    }

    /// Takes any input as a line of the notation, such as `"act 1 pass"` or `"remedy void"`.
    fn take<'py>(slf: Bound<'py, Self>, line: &str) -> PyResult<Bound<'py, Self>> {
        let line: Line = line.parse().map_err(wrong)?;
        slf.try_borrow_mut()?.input(line)?;
        Ok(slf)
    }

    /// What a bettor won or lost so far, in all or on one circle.
    #[pyo3(signature = (bettor=None, circle=None))]
    fn net<'py>(
        &self,
        py: Python<'py>,
        bettor: Option<&Bound<'py, PyAny>>,
        circle: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let bettor = self.whom(bettor)?;
        let net = match circle {
            Some(name) => self.statement.net_of(bettor, input::circle(name)?),
            None => self.statement.net(bettor),
        };
        decimal(py, net)
    }

    /// How many hands a box has.
    #[pyo3(signature = (seat=1))]
    fn hands(&self, #[pyo3(from_py_with = input::seat_number)] seat: usize) -> usize {
        self.round.hands(seat - 1)
    }

    /// The hand of a box that is being played, counted from 1.
    #[pyo3(signature = (seat=1))]
    fn current_hand(
        &self,
        #[pyo3(from_py_with = input::seat_number)] seat: usize,
    ) -> Option<usize> {
        self.round.current_hand(seat - 1).map(|hand| hand + 1)
    }

    /// The points of a hand in a blackjack, and whether an ace counts eleven.
    #[pyo3(signature = (seat=1, hand=1))]
    fn points(
        &self,
        #[pyo3(from_py_with = input::seat_number)] seat: usize,
        #[pyo3(from_py_with = input::whole)] hand: usize,
    ) -> Option<(u8, bool)> {
        if hand < 1 || hand > self.round.hands(seat - 1) {
            return None;
        }
        let points = self.round.points(seat - 1, hand - 1);
        points.map(|points| (points.total(), points.is_soft()))
    }

    /// The points of the dealer's open cards in a blackjack.
    #[getter]
    fn dealer_points(&self) -> Option<(u8, bool)> {
        self.round.dealer_points().map(|points| (points.total(), points.is_soft()))
    }

    /// What the card reader would answer for this hole card.
    fn reader_answer(&self, card: &str) -> PyResult<bool> {
        Ok(self.round.reader_answer(input::card(card)?))
    }

    /// What happened, each event as a dictionary with its `event`.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.events.iter().map(|event| event_dict(py, event)).collect()
    }

    /// What every open act of a bettor is worth, the best one first; `seen` are cards that left the shoe
    /// before this round.
    #[pyo3(signature = (bettor=None, seen=None))]
    fn value<'py>(
        &self,
        py: Python<'py>,
        bettor: Option<&Bound<'py, PyAny>>,
        seen: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let bettor = self.whom(bettor)?;
        let rows = match self.open_to(bettor).is_empty() {
            true => Vec::new(),
            false => values_of_acts(py, self, bettor, seen)?,
        };
        py.import("pitboss.analysis")?.getattr("values_of_rows")?.call1((rows,))
    }

    /// The transcript: what went in, and once the round is over what came out.
    fn transcript(&self) -> String {
        match self.is_over() {
            true => self.writer.clone().finish(&self.statement, &self.bettors).to_string(),
            false => self.writer.so_far().to_string(),
        }
    }

    fn copy(&self) -> Round {
        self.clone()
    }

    fn __copy__(&self) -> Round {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Round {
        self.clone()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let transcript = slf.try_borrow()?.writer.so_far().to_string();
        Ok((slf.get_type().getattr("from_transcript")?, (transcript,)))
    }

    fn __eq__(&self, other: &Round) -> bool {
        self.sheet == other.sheet && self.round == other.round && self.events == other.events
    }

    fn __repr__(&self) -> String {
        let game = self.sheet.game();
        match self.round.awaits() {
            Awaits::Nobody => {
                let nets: Vec<_> = self
                    .bettors
                    .iter()
                    .map(|&bettor| format!("seat {bettor} {:+}", self.statement.net(bettor)))
                    .collect();
                format!("<Round {game}: settled, {}>", nets.join(", "))
            }
            Awaits::Acts(asked) => {
                let asked: Vec<_> = asked
                    .iter()
                    .map(|bettor| {
                        let calls: Vec<_> =
                            self.round.offers(bettor).iter().map(|call| call.name()).collect();
                        format!("seat {bettor} to {}", calls.join(", "))
                    })
                    .collect();
                format!("<Round {game}: {}>", asked.join("; "))
            }
            Awaits::Card(place) => format!("<Round {game}: a card for {}>", place_name(place)),
            Awaits::FaceDown(place) => {
                format!("<Round {game}: a card face down for {}>", place_name(place))
            }
            Awaits::Peek => format!("<Round {game}: the card reader's answer>"),
            Awaits::Turn => format!("<Round {game}: the face-down card, turned over>"),
        }
    }
}

/// The only transcript of a text.
pub(crate) fn one_transcript(text: &str) -> PyResult<Transcript> {
    let rounds = transcript::read(text).map_err(|errors| {
        let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
        wrong(lines.join("; "))
    })?;
    let count = rounds.len();
    let one: Result<[_; 1], _> = rounds.try_into();
    one.map(|[one]| one)
        .map_err(|_| wrong(format!("expected the transcript of one round, found {count}")))
}

fn word(name: &str) -> PyResult<String> {
    let plain = !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control());
    match plain {
        true => Ok(name.to_owned()),
        false => {
            Err(wrong(format!("expected a name of one word, found '{}'", name.escape_debug())))
        }
    }
}

fn meter_shows(value: &Bound<'_, PyAny>) -> PyResult<Cents> {
    let shows = amount(value)?;
    let most = Cents::from(rules::money::LARGEST_AMOUNT);
    match (Cents::ZERO..=most).contains(&shows) {
        true => Ok(shows),
        false => Err(wrong(format!("expected a meter from 0 to {most}, found {shows}"))),
    }
}

/// The options that differ from the defaults.
pub(crate) fn chosen_terms<'py>(
    py: Python<'py>,
    sheet: &TermSheet,
) -> PyResult<Bound<'py, PyDict>> {
    let terms = PyDict::new(py);
    for (term, value) in sheet.chosen() {
        terms.set_item(&term.key, value)?;
    }
    Ok(terms)
}

/// What a round waits for, in one word.
pub(crate) fn kind_of(awaits: Awaits) -> &'static str {
    match awaits {
        Awaits::Card(_) => "card",
        Awaits::FaceDown(_) => "face-down",
        Awaits::Peek => "peek",
        Awaits::Turn => "turn",
        Awaits::Acts(_) => "act",
        Awaits::Nobody => "nobody",
    }
}

/// Where the awaited card goes.
pub(crate) fn place_of(awaits: Awaits) -> Option<String> {
    match awaits {
        Awaits::Card(place) | Awaits::FaceDown(place) => Some(place_name(place)),
        _ => None,
    }
}

/// Cards such as `Td`; `None` stays face down.
pub(crate) fn cards_of(cards: &Bound<'_, PyTuple>) -> PyResult<Vec<Option<Card>>> {
    let read = |card: Bound<'_, PyAny>| match card.extract::<Option<String>>()? {
        None => Ok(None),
        Some(word) if word == "??" => Ok(None),
        Some(word) => input::card(&word).map(Some),
    };
    cards.iter().map(read).collect()
}

/// A decision, with an amount where one is given.
pub(crate) fn act_of(call: &str, amount: Option<&Bound<'_, PyAny>>) -> PyResult<Act> {
    let call = call_of(call)?;
    Ok(match amount {
        Some(added) => Act::With(call, input::amount(added)?),
        None => Act::Call(call),
    })
}

/// The amounts that may go with a call: `least`, `most`, `step` and whether one is `required`.
pub(crate) fn amounts_dict<'py>(
    py: Python<'py>,
    amounts: Amounts,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let (range, required) = match amounts {
        Amounts::Optional(range) => (range, false),
        Amounts::Required(range) => (range, true),
        Amounts::None | Amounts::Hand(_) => return Ok(None),
    };
    let amounts = PyDict::new(py);
    amounts.set_item("least", decimal(py, range.least.into())?)?;
    amounts.set_item("most", decimal(py, range.most.into())?)?;
    amounts.set_item("step", decimal(py, range.step.into())?)?;
    amounts.set_item("required", required)?;
    Ok(Some(amounts))
}

/// What a bettor places: an amount on the main circle, or amounts by circle.
pub(crate) fn slip(placed: &Bound<'_, PyAny>) -> PyResult<Vec<(Circle, Cents)>> {
    match placed.cast::<PyDict>() {
        Err(_) => Ok(vec![(Circle::Main, amount(placed)?)]),
        Ok(circles) => entries(circles)
            .into_iter()
            .map(|(name, placed)| {
                Ok((input::circle(&name.extract::<String>()?)?, amount(&placed)?))
            })
            .collect(),
    }
}

pub(crate) fn call_of(name: &str) -> PyResult<Call> {
    let names = || Call::ALL.map(|call| call.name()).join(", ");
    Call::ALL.into_iter().find(|call| call.name() == name).ok_or_else(|| {
        wrong(format!("expected a call ({}), found '{}'", names(), name.escape_debug()))
    })
}

pub(crate) fn place_name(place: Place) -> String {
    match place {
        Place::Hand { seat, hand: 0 } => format!("{}", seat + 1),
        Place::Hand { seat, hand } => format!("{} hand {}", seat + 1, hand + 1),
        Place::Dealer => "dealer".to_owned(),
        Place::Burn => "burn".to_owned(),
    }
}

pub(crate) fn event_dict<'py>(py: Python<'py>, event: &Event) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    let named = |name: &str| told.set_item("event", name);
    let hand = |bettor: Bettor, hand: u8| {
        told.set_item("bettor", bettor_name(py, bettor)?)?;
        told.set_item("hand", hand + 1)
    };
    let box_hand = |seat: u8, hand: u8| {
        told.set_item("seat", seat + 1)?;
        told.set_item("hand", hand + 1)
    };
    match *event {
        Event::Staked { bettor, hand: of, circle, amount } => {
            named("staked")?;
            hand(bettor, of)?;
            told.set_item("circle", circle.name())?;
            told.set_item("amount", decimal(py, amount.into())?)?;
        }
        Event::Lammer { bettor, hand: of, circle, value } => {
            named("lammer")?;
            hand(bettor, of)?;
            told.set_item("circle", circle.name())?;
            told.set_item("amount", decimal(py, value.into())?)?;
        }
        Event::Dealt { place, card, audience } => {
            named("dealt")?;
            told.set_item("place", place_name(place))?;
            told.set_item("card", card.to_string())?;
            if let Audience::Box(seat) = audience {
                told.set_item("only", seat + 1)?;
            }
        }
        Event::FaceDown(place) => {
            named("face-down")?;
            told.set_item("place", place_name(place))?;
        }
        Event::Turned(card) => {
            named("turned")?;
            told.set_item("card", card.to_string())?;
        }
        Event::Peeked { natural } => {
            named("peeked")?;
            told.set_item("natural", natural)?;
        }
        Event::Acted(bettor, act) => {
            named("acted")?;
            told.set_item("bettor", bettor_name(py, bettor)?)?;
            told.set_item("call", act.call().name())?;
            match act {
                Act::With(_, amount) => told.set_item("amount", decimal(py, amount)?)?,
                Act::Hand(number) => told.set_item("hand", number)?,
                Act::Call(_) => {}
            }
        }
        Event::BoughtIn { bettor, amount } => {
            named("bought-in")?;
            told.set_item("bettor", bettor_name(py, bettor)?)?;
            told.set_item("amount", decimal(py, amount)?)?;
        }
        Event::Split { seat, hand } => {
            named("split")?;
            box_hand(seat, hand)?;
        }
        Event::Shown { seat, hand } => {
            named("shown")?;
            box_hand(seat, hand)?;
        }
        Event::PickedUp { seat, hand } => {
            named("picked-up")?;
            box_hand(seat, hand)?;
        }
        Event::Settled(settlement) => {
            named("settled")?;
            hand(settlement.bettor, settlement.hand)?;
            told.set_item("circle", settlement.circle.name())?;
            told.set_item("stake", decimal(py, settlement.stake.into())?)?;
            told.set_item("gain", decimal(py, settlement.gain)?)?;
            told.set_item("lammer", settlement.lammer)?;
            told.set_item("words", settlement.in_words().to_string())?;
            told.set_item("clause", settlement.reason.clause)?;
        }
        Event::Awarded { bettor, circle, amount, clause } => {
            named("awarded")?;
            told.set_item("bettor", bettor_name(py, bettor)?)?;
            told.set_item("circle", circle.name())?;
            told.set_item("amount", decimal(py, amount)?)?;
            told.set_item("clause", clause)?;
        }
        Event::Remedied(remedy) => {
            named("remedied")?;
            told.set_item("line", Line::Remedy(remedy).to_string())?;
        }
        Event::Reversed => named("reversed")?,
    }
    Ok(told)
}
