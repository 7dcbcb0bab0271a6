//! A table around its rounds.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use rules::games::AnyRound;
use rules::notation::Line;
use rules::round::{Audience, Awaits, Record as _, Statement};
use rules::table::{self, Cutter, Input, TableAwaits, TableEvent};
use rules::terms::TermSheet;
use rules::wager::Bettor;

use crate::input::{self, amount, bettor, bettor_name, decimal};
use crate::refused::{by_table, by_terms, wrong};
use crate::round::{
    act_of, amounts_dict, call_of, cards_of, chosen_terms, event_dict, kind_of, one_transcript,
    place_name, place_of, slip,
};

/// A table of one game: seats, racks, the shuffle, the shoe and one round after the other.
#[pyclass(module = "pitboss")]
#[derive(Clone)]
pub(crate) struct Table {
    table: table::Table,
    inputs: Vec<String>,
    events: Vec<TableEvent>,
    /// What bettors won and lost since betting was closed.
    statement: Statement,
}

impl Table {
    fn of(sheet: TermSheet) -> Table {
        Table {
            table: table::Table::new(sheet),
            inputs: Vec::new(),
            events: Vec::new(),
            statement: Statement::default(),
        }
    }

    /// Takes inputs, or refuses one of them and stays as it was.
    fn all(&mut self, inputs: &[Input]) -> PyResult<()> {
        let (mut table, mut events) = (self.table.clone(), Vec::new());
        let game = table.sheet().game();
        for input in inputs {
            table.apply(input, &mut events).map_err(|refusal| by_table(refusal, game))?;
        }
        for event in &events {
            match event {
                TableEvent::BetsClosed => self.statement = Statement::default(),
                TableEvent::Round(event) => self.statement.note(*event),
                _ => {}
            }
        }
        self.table = table;
        self.inputs.extend(inputs.iter().map(ToString::to_string));
        self.events.append(&mut events);
        Ok(())
    }

    fn input(&mut self, input: Input) -> PyResult<()> {
        self.all(&[input])
    }

    /// Those asked to decide, to cut or to choose.
    fn asked_now(&self) -> Vec<Bettor> {
        match self.table.awaits() {
            TableAwaits::Inspection(bettor)
            | TableAwaits::Commitments(Some(bettor))
            | TableAwaits::Cut(Cutter::Seat(bettor))
            | TableAwaits::Choice(bettor) => vec![bettor],
            TableAwaits::Round(Awaits::Acts(asked)) => asked.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// The bettor meant: the one named, or the only one asked, or the only one at the table.
    fn whom(&self, named: Option<&Bound<'_, PyAny>>) -> PyResult<Bettor> {
        if let Some(named) = named {
            return bettor(named);
        }
        let asked = self.asked_now();
        let everyone = || self.table.everyone().map(|(bettor, _)| bettor).collect();
        let meant = if asked.is_empty() { everyone() } else { asked };
        match meant[..] {
            [one] => Ok(one),
            [] => Err(wrong("nobody is at the table: name the seat")),
            _ => Err(wrong("several bettors could be meant: name the seat")),
        }
    }

    /// The round in play, or else the last one.
    fn round(&self) -> Option<&AnyRound> {
        self.table.round().or_else(|| self.table.last_round())
    }
}

#[pymethods]
impl Table {
    /// An empty table with these house options.
    #[new]
    #[pyo3(signature = (game, *, terms=None))]
    fn new(game: &str, terms: Option<&Bound<'_, PyDict>>) -> PyResult<Table> {
        Ok(Table::of(input::sheet(game, terms)?))
    }

    /// Plays the inputs of a transcript. What it expects is not compared: `check` does.
    #[staticmethod]
    fn from_transcript(text: &str) -> PyResult<Table> {
        let transcript = one_transcript(text)?;
        let game = transcript.game().filter(|_| transcript.is_of_table()).ok_or_else(|| {
            wrong("this is the transcript of a round: Round.from_transcript plays it")
        })?;
        let mut sheet = TermSheet::new(game);
        let mut lines = transcript.lines().peekable();
        while let Some(line) = lines.next() {
            let Line::Terms(terms) = line else { continue };
            let terms = terms.iter().map(|(key, value)| (key.as_str(), value.as_str()));
            let answer = sheet.set(terms);
            if !matches!(lines.peek(), Some(Line::Refused(_))) {
                answer.map_err(|refusal| by_terms(&refusal))?;
            }
        }
        let mut table = Table::of(sheet);
        transcript.table_inputs().iter().try_for_each(|input| table.input(input.clone()))?;
        Ok(table)
    }

    /// Takes any input as a line of the notation, such as `"inspect 3"` or `"cut 3 pass"`.
    fn take<'py>(slf: Bound<'py, Self>, line: &str) -> PyResult<Bound<'py, Self>> {
        slf.try_borrow_mut()?.input(line.parse().map_err(wrong)?)?;
        Ok(slf)
    }

    /// A player takes a seat, or a place behind one.
    fn sit<'py>(
        slf: Bound<'py, Self>,
        seat: &Bound<'py, PyAny>,
        player: &str,
    ) -> PyResult<Bound<'py, Self>> {
        let input = Input::Sit { bettor: bettor(seat)?, player: player.parse().map_err(wrong)? };
        slf.try_borrow_mut()?.input(input)?;
        Ok(slf)
    }

    /// A player leaves a seat.
    #[pyo3(signature = (*, bettor=None))]
    fn leave<'py>(
        slf: Bound<'py, Self>,
        bettor: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let bettor = slf.try_borrow()?.whom(bettor)?;
        slf.try_borrow_mut()?.input(Input::Leave { bettor })?;
        Ok(slf)
    }

    /// A player buys chips.
    #[pyo3(signature = (chips, *, bettor=None))]
    fn buy_in<'py>(
        slf: Bound<'py, Self>,
        chips: &Bound<'py, PyAny>,
        bettor: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let (amount, bettor) = (amount(chips)?, slf.try_borrow()?.whom(bettor)?);
        slf.try_borrow_mut()?.input(Input::BuyIn { bettor, amount })?;
        Ok(slf)
    }

    /// Places chips: an amount on the main circle, or amounts by circle. They replace earlier ones.
    #[pyo3(signature = (chips, *, bettor=None))]
    fn wager<'py>(
        slf: Bound<'py, Self>,
        chips: &Bound<'py, PyAny>,
        bettor: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let (amounts, bettor) = (slip(chips)?, slf.try_borrow()?.whom(bettor)?);
        slf.try_borrow_mut()?.input(Input::Wager { bettor, amounts })?;
        Ok(slf)
    }

    /// No more bets: the round begins.
    fn close_bets(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        slf.try_borrow_mut()?.input(Input::Deal)?;
        Ok(slf)
    }

    /// Deals cards such as `"Td"`; `None` stays face down. All are taken or none.
    #[pyo3(signature = (*cards))]
    fn deal<'py>(slf: Bound<'py, Self>, cards: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, Self>> {
        let inputs: Vec<_> = cards_of(cards)?.into_iter().map(Input::Card).collect();
        slf.try_borrow_mut()?.all(&inputs)?;
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
        slf.try_borrow_mut()?.input(Input::Act { bettor, act })?;
        Ok(slf)
    }

    /// Takes the card reader's answer: whether the hole card makes a natural.
    fn peek(slf: Bound<'_, Self>, natural: bool) -> PyResult<Bound<'_, Self>> {
        slf.try_borrow_mut()?.input(Input::Peek(natural))?;
        Ok(slf)
    }

    /// Turns the face-down card over.
    fn turn<'py>(slf: Bound<'py, Self>, card: &str) -> PyResult<Bound<'py, Self>> {
        slf.try_borrow_mut()?.input(Input::Turn(input::card(card)?))?;
        Ok(slf)
    }

    /// The game.
    #[getter]
    fn game(&self) -> &'static str {
        self.table.sheet().game().name()
    }

    /// The house options that differ from the defaults.
    #[getter]
    fn terms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        chosen_terms(py, self.table.sheet())
    }

    /// What the table waits for: `card`, `face-down`, `peek`, `turn` or `act` as in a round; `decks`,
    /// `player`, `inspection`, `shuffle`, `commitments`, `openings`, `cut`, `wagers`, `reveal`,
    /// `supervisor`, `choice` or `repair`.
    #[getter]
    fn awaits(&self) -> &'static str {
        match self.table.awaits() {
            TableAwaits::Decks => "decks",
            TableAwaits::Player => "player",
            TableAwaits::Inspection(_) => "inspection",
            TableAwaits::Shuffle => "shuffle",
            TableAwaits::Commitments(_) => "commitments",
            TableAwaits::Openings => "openings",
            TableAwaits::Cut(_) => "cut",
            TableAwaits::Wagers => "wagers",
            TableAwaits::Round(awaits) => kind_of(awaits),
            TableAwaits::Reveal => "reveal",
            TableAwaits::Supervisor(_) => "supervisor",
            TableAwaits::Choice(_) => "choice",
            TableAwaits::Repair => "repair",
        }
    }

    /// The same in words, such as `seat 3 to look at the spread cards`.
    #[getter]
    fn awaits_in_words(&self) -> String {
        self.table.awaits().to_string()
    }

    /// Where the awaited card goes: `1`, `1 hand 2`, `dealer` or `burn`.
    #[getter]
    fn place(&self) -> Option<String> {
        match self.table.awaits() {
            TableAwaits::Round(awaits) => place_of(awaits),
            _ => None,
        }
    }

    /// Whose decision, look at the cards, cut or choice is awaited.
    #[getter]
    fn asked<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.asked_now().into_iter().map(|bettor| bettor_name(py, bettor)).collect()
    }

    /// The calls open to a bettor now.
    #[pyo3(signature = (bettor=None))]
    fn offers(&self, bettor: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<&'static str>> {
        let bettor = self.whom(bettor)?;
        match self.table.chair(bettor) {
            Some(_) => Ok(self.table.offers(bettor).iter().map(|call| call.name()).collect()),
            None => Ok(Vec::new()),
        }
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
        match self.table.chair(bettor) {
            Some(_) if self.table.offers(bettor).contains(call) => {
                amounts_dict(py, self.table.amounts(bettor, call))
            }
            _ => Ok(None),
        }
    }

    /// What a bettor won or lost since betting was closed, in all or on one circle.
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
        self.round().map_or(0, |round| round.hands(seat - 1))
    }

    /// The hand of a box that is being played, counted from 1.
    #[pyo3(signature = (seat=1))]
    fn current_hand(
        &self,
        #[pyo3(from_py_with = input::seat_number)] seat: usize,
    ) -> Option<usize> {
        self.round()?.current_hand(seat - 1).map(|hand| hand + 1)
    }

    /// The points of a hand in a blackjack, and whether an ace counts eleven.
    #[pyo3(signature = (seat=1, hand=1))]
    fn points(
        &self,
        #[pyo3(from_py_with = input::seat_number)] seat: usize,
        #[pyo3(from_py_with = input::whole)] hand: usize,
    ) -> Option<(u8, bool)> {
        let round = self.round().filter(|round| (1..=round.hands(seat - 1)).contains(&hand))?;
        let points = round.points(seat - 1, hand - 1);
        points.map(|points| (points.total(), points.is_soft()))
    }

    /// The points of the dealer's open cards in a blackjack.
    #[getter]
    fn dealer_points(&self) -> Option<(u8, bool)> {
        self.round()?.dealer_points().map(|points| (points.total(), points.is_soft()))
    }

    /// What happened, each event as a dictionary with its `event` and its `words`; `only` is the box
    /// that alone may see it.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.events.iter().map(|event| table_event_dict(py, event)).collect()
    }

    /// Who sits where.
    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let players = PyDict::new(py);
        for (bettor, chair) in self.table.everyone() {
            players.set_item(bettor_name(py, bettor)?, chair.player.as_str())?;
        }
        Ok(players)
    }

    /// The chips in front of a bettor, where one is seated.
    #[pyo3(signature = (seat=None))]
    fn rack<'py>(
        &self,
        py: Python<'py>,
        seat: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let chair = self.table.chair(self.whom(seat)?);
        chair.map(|chair| decimal(py, chair.rack)).transpose()
    }

    /// The progressive meter, where the table has one.
    #[getter]
    fn meter<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.table.meter().map(|shows| decimal(py, shows)).transpose()
    }

    /// How many rounds are over.
    #[getter]
    fn rounds_played(&self) -> u32 {
        self.table.rounds_played()
    }

    /// The transcript of all inputs so far; `check` plays it again.
    fn transcript(&self) -> String {
        let set_up = Line::set_up(self.table.sheet());
        let set_up = set_up.iter().map(ToString::to_string).chain(["table".to_owned()]);
        let lines: Vec<_> = set_up.chain(self.inputs.iter().cloned()).collect();
        lines.join("\n") + "\n"
    }

    fn copy(&self) -> Table {
        self.clone()
    }

    fn __copy__(&self) -> Table {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Table {
        self.clone()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let transcript = slf.try_borrow()?.transcript();
        Ok((slf.get_type().getattr("from_transcript")?, (transcript,)))
    }

    fn __eq__(&self, other: &Table) -> bool {
        self.table.sheet() == other.table.sheet() && self.inputs == other.inputs
    }

    fn __repr__(&self) -> String {
        let sheet: &TermSheet = self.table.sheet();
        let seated = self.table.everyone().count();
        format!("<Table {}: {seated} seated, awaits {}>", sheet.game(), self.table.awaits())
    }
}

/// An event of a table as a dictionary.
fn table_event_dict<'py>(py: Python<'py>, event: &TableEvent) -> PyResult<Bound<'py, PyDict>> {
    let told = match event {
        TableEvent::Round(event) => event_dict(py, event)?,
        _ => PyDict::new(py),
    };
    let named = |name: &str| told.set_item("event", name);
    let of = |name: &str, bettor: Bettor| {
        named(name)?;
        told.set_item("bettor", bettor_name(py, bettor)?)
    };
    let moved = |transfer: &table::Transfer| {
        told.set_item("amount", decimal(py, transfer.amount)?)?;
        told.set_item("from", transfer.from.to_string())?;
        told.set_item("to", transfer.to.to_string())
    };
    let because = |words: Option<&table::WrittenReason>| {
        told.set_item("because", words.map(table::WrittenReason::as_str))
    };
    match event {
        TableEvent::Round(_) => {}
        TableEvent::DealerCame(name) => {
            named("dealer")?;
            told.set_item("name", name.as_str())?;
        }
        TableEvent::Received(decks) => {
            named("decks")?;
            told.set_item("how", decks.to_string())?;
        }
        TableEvent::DecksDue => named("decks-due")?,
        TableEvent::Spread { face_up, batch } => {
            named("spread")?;
            told.set_item("face_up", face_up)?;
            told.set_item("batch", batch.map(|batch| batch.to_string()))?;
        }
        TableEvent::Inspected { bettor } => of("inspected", *bettor)?,
        TableEvent::SatDown { bettor, player } => {
            of("sat", *bettor)?;
            told.set_item("player", player.as_str())?;
        }
        TableEvent::Left { bettor, player } => {
            of("left", *bettor)?;
            told.set_item("player", player.as_str())?;
        }
        TableEvent::Consented { seat, player } => {
            named("consented")?;
            told.set_item("seat", seat + 1)?;
            told.set_item("player", player.as_str())?;
        }
        TableEvent::Revoked { seat, player } => {
            named("revoked")?;
            told.set_item("seat", seat + 1)?;
            told.set_item("player", player.as_str())?;
        }
        TableEvent::InFront { bettor, player } => {
            of("in-front", *bettor)?;
            told.set_item("player", player.as_str())?;
        }
        TableEvent::Rack { bettor, rack } => {
            of("rack", *bettor)?;
            told.set_item("amount", decimal(py, *rack)?)?;
        }
        TableEvent::Moved(transfer) => {
            named("moved")?;
            moved(transfer)?;
        }
        TableEvent::Shuffled { shoe, seal, cards } => {
            named("shuffled")?;
            told.set_item("shoe", shoe)?;
            told.set_item("cards", cards)?;
            told.set_item("seal", seal.map(|seal| seal.to_string()))?;
        }
        TableEvent::Loaded { shoe, batch } => {
            named("loaded")?;
            told.set_item("shoe", shoe)?;
            told.set_item("batch", batch.to_string())?;
        }
        TableEvent::Committed { commitments } => {
            named("committed")?;
            told.set_item("commitments", commitments)?;
        }
        TableEvent::Mixed { openings, missing } => {
            named("mixed")?;
            told.set_item("openings", openings)?;
            let missing = missing.iter().map(|bettor| bettor_name(py, bettor));
            told.set_item("missing", missing.collect::<PyResult<Vec<_>>>()?)?;
        }
        TableEvent::CutOffered { bettor } => of("cut-offered", *bettor)?,
        TableEvent::CutRefused { bettor } => of("cut-refused", *bettor)?,
        TableEvent::Cut { by, at } => {
            match by {
                Cutter::Seat(bettor) => of("cut", *bettor)?,
                Cutter::Dealer => {
                    named("cut")?;
                    told.set_item("bettor", py.None())?;
                }
            }
            told.set_item("at", at)?;
        }
        TableEvent::Burned => named("burned")?,
        TableEvent::BurnShown(cards) => {
            named("burn-shown")?;
            let cards: Vec<_> = cards.iter().map(ToString::to_string).collect();
            told.set_item("cards", cards)?;
        }
        TableEvent::Admitted { bettor } => of("admitted", *bettor)?,
        TableEvent::Placed { bettor, amounts } => {
            of("placed", *bettor)?;
            let placed = PyDict::new(py);
            for (circle, amount) in amounts {
                placed.set_item(circle.name(), decimal(py, *amount)?)?;
            }
            told.set_item("amounts", placed)?;
        }
        TableEvent::Cleared { bettor } => of("cleared", *bettor)?,
        TableEvent::BetsClosed => named("bets-closed")?,
        TableEvent::CutCardReached => named("cut-card-reached")?,
        // A wager that is decided is an event `settled` of the round.
        TableEvent::Settled => named("round-over")?,
        TableEvent::Collected { place, cards } => {
            named("collected")?;
            told.set_item("place", place_name(*place))?;
            let cards = cards.iter().map(|card| card.map(|card| card.to_string()));
            told.set_item("cards", cards.collect::<Vec<_>>())?;
        }
        TableEvent::Retired { shoe, left } => {
            named("retired")?;
            told.set_item("shoe", shoe)?;
            told.set_item("left", left)?;
        }
        TableEvent::Revealed { shoe } => {
            named("revealed")?;
            told.set_item("shoe", shoe)?;
        }
        TableEvent::Meter(shows) => {
            named("meter")?;
            told.set_item("amount", decimal(py, *shows)?)?;
        }
        TableEvent::Announcement(words) => {
            named("said")?;
            told.set_item("sentence", words.to_string())?;
        }
        TableEvent::Reported { report, source } => {
            named("reported")?;
            told.set_item("irregularity", report.irregularity.to_string())?;
            told.set_item("by", report.by.to_string())?;
            told.set_item("injected", report.injected)?;
            told.set_item("clause", source.id())?;
        }
        TableEvent::Ordered { order, by, because: words, source } => {
            named("ordered")?;
            told.set_item("order", order.to_string())?;
            told.set_item("by", by.as_str())?;
            because(words.as_ref())?;
            told.set_item("clause", source.id())?;
        }
        TableEvent::Chose { bettor, choice } => {
            of("chose", *bettor)?;
            told.set_item("choice", choice.name())?;
        }
        TableEvent::Drawn(card) => {
            named("drawn")?;
            told.set_item("card", card.to_string())?;
        }
        TableEvent::Discarded(card) => {
            named("discarded")?;
            told.set_item("card", card.to_string())?;
        }
        TableEvent::Removed(card) => {
            named("removed")?;
            told.set_item("card", card.to_string())?;
        }
        TableEvent::Pinned => named("pinned")?,
        TableEvent::BurnForgotten => named("burn-forgotten")?,
        TableEvent::Device(device) => {
            named("device")?;
            told.set_item("what", device.name())?;
        }
        TableEvent::ReaderOut => named("reader-out")?,
        TableEvent::ReaderRepaired => named("reader-repaired")?,
        TableEvent::Held { bettor } => of("held", *bettor)?,
        TableEvent::Extended { bettor } => of("extended", *bettor)?,
        TableEvent::Corrected { round, transfer, by, because: words } => {
            named("corrected")?;
            told.set_item("round", round)?;
            moved(transfer)?;
            told.set_item("by", by.as_str())?;
            because(Some(words))?;
        }
    }
    told.set_item("words", event.to_string())?;
    if let Audience::Box(seat) = event.audience() {
        told.set_item("only", seat + 1)?;
    }
    Ok(told)
}
