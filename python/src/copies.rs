//! Many copies of a game for one seat, stepped together: the loop of the environments.
//!
//! Actions are the calls in their order, then the sizes of the bet. A copy that was settled before
//! any decision waits in its own phase, so that every episode is exactly one round.

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use odds::setting::Setting;
use odds::simulate::Wyrand;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rules::card::Card;
use rules::games::blackjack::{
    Blackjack, BlackjackTerms, Book, DoubleAttack, DoubleDeck, FreeBet, MOST_HANDS, Points,
};
use rules::games::casino_war::{CasinoWar, WarTerms};
use rules::games::double_down_stud::{DoubleDownStud, StudTerms};
use rules::games::opening;
use rules::money::Cents;
use rules::refusal::Refusal;
use rules::round::{Act, Awaits, Call, Calls, Event, Place, Record, Round};
use rules::shoe::{Numbers, Shoe, below};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game, Wagers};

use crate::input;
use crate::refused::{by_round, wrong};
use crate::value::setting;

/// What a player sees, by name.
pub(crate) const FIELDS: [&str; VISIBLE] = [
    "phase", "total", "soft", "pair", "up", "cards", "hand", "hands", "doubled", "lammer",
    "attack", "bet", "first", "second", "third", "fourth", "suited", "split", "own_A", "own_2",
    "own_3", "own_4", "own_5", "own_6", "own_7", "own_8", "own_9", "own_T",
];
const VISIBLE: usize = 28;
/// Where the cards of the hand begin among the fields, by what they count.
const OWN: usize = 18;
/// What a card of a blackjack can count.
const COUNTS: usize = VISIBLE - OWN;
/// The cards seen since the shuffle, by rank, and the cards left in the shoe.
const COUNTED: usize = 14;
const CALLS: usize = Call::ALL.len();
/// Takes the result of a round that asked for no decision.
const SETTLE: usize = CALLS;
const MOST_COPIES: usize = 1 << 20;
const MOST_BETS: usize = 64;

const ME: Bettor = Bettor::at(0);

/// Where a copy is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The size of the bet is asked for.
    Betting,
    /// A decision is asked for.
    Deciding,
    /// Settled before any decision; its result has not been taken.
    Settled,
    /// Nothing is asked for.
    Over,
}

/// A round with a single seat, and what it shows.
trait SeatRound: Round + Send + Sync + 'static {
    /// Begins a round with these wagers.
    fn begin(sheet: &TermSheet, wagers: &Wagers<1, 1>) -> Self;
    fn show(&self, own: &OwnCards, fields: &mut [i16; VISIBLE]);
}

impl SeatRound for CasinoWar<1> {
    fn begin(sheet: &TermSheet, wagers: &Wagers<1, 1>) -> Self {
        CasinoWar::start(WarTerms::read(sheet), wagers, &mut ())
    }

    /// A decision is asked for after a tie, so the ranks are the same.
    fn show(&self, _own: &OwnCards, fields: &mut [i16; VISIBLE]) {
        let rank = self.dealer().map_or(0, |card| i16::from(card.rank() as u8));
        (fields[1], fields[4], fields[5]) = (rank, rank, 1);
    }
}

impl SeatRound for DoubleDownStud<1> {
    fn begin(sheet: &TermSheet, wagers: &Wagers<1, 1>) -> Self {
        DoubleDownStud::start(StudTerms::read(sheet), wagers, &mut ())
    }

    /// The ranks of the four known cards, the highest first, and whether they have one suit.
    fn show(&self, _own: &OwnCards, fields: &mut [i16; VISIBLE]) {
        let Some(known) = self.known(0) else { return };
        let ranks = (0..13).rev().flat_map(|rank| {
            let count = known.ranks() >> (4 * rank) & 15;
            (0..count).map(move |_| rank + 2)
        });
        for (field, rank) in fields[12..16].iter_mut().zip(ranks) {
            *field = rank;
        }
        fields[5] = 4;
        fields[16] = i16::from(known.has_four_of_a_suit());
    }
}

impl<B: Book + Send + Sync + 'static> SeatRound for Blackjack<B, 1, 1> {
    fn begin(sheet: &TermSheet, wagers: &Wagers<1, 1>) -> Self {
        Blackjack::start(BlackjackTerms::read(sheet), wagers, &mut ())
    }

    #[inline]
    fn show(&self, own: &OwnCards, fields: &mut [i16; VISIBLE]) {
        let current = self.current_hand(0);
        let at = current.unwrap_or(0);
        let hand = self.hand(0, at);
        let points = hand.points();
        fields[1] = points.total().into();
        fields[2] = points.is_soft().into();
        fields[3] = match hand.first() {
            Some(card) if hand.is_pair() => Points::pips(card).into(),
            _ => 0,
        };
        fields[4] = self.up_card().map_or(0, |card| Points::pips(card).into());
        fields[5] = hand.cards().into();
        fields[6] = current.map_or(0, |hand| small(hand + 1));
        fields[7] = small(self.hands(0));
        fields[8] = hand.is_doubled().into();
        fields[9] = self.is_on_a_lammer(ME, at).into();
        fields[10] = (!self.wagered(ME).1.is_zero()).into();
        fields[17] = match hand.first() {
            Some(card) if hand.is_split() => Points::pips(card).into(),
            _ => 0,
        };
        fields[OWN..].copy_from_slice(&own.0[at % MOST_HANDS]);
    }
}

/// A small number as a field.
#[inline]
fn small(number: usize) -> i16 {
    i16::try_from(number).unwrap_or(i16::MAX)
}

/// How many cards of each count the hands of a blackjack have, an ace as one.
#[derive(Clone, Default)]
struct OwnCards([[i16; COUNTS]; MOST_HANDS]);

impl OwnCards {
    #[inline]
    fn take(&mut self, hand: usize, card: Card) {
        self.0[hand % MOST_HANDS][usize::from(Points::pips(card) - 1) % COUNTS] += 1;
    }

    /// A pair becomes two hands of one card.
    fn split(&mut self, hand: usize) {
        self.0.copy_within(hand + 1..MOST_HANDS - 1, hand + 2);
        self.0[hand] = self.0[hand].map(|count| count / 2);
        self.0[hand + 1] = self.0[hand];
    }
}

/// What a round brought, the cards of the seat, and the cards seen since the shuffle.
#[derive(Clone, Default)]
struct Ledger {
    gain: i64,
    own: OwnCards,
    seen: [i16; 13],
}

impl Record for Ledger {
    #[inline]
    fn note(&mut self, event: Event) {
        match event {
            Event::Settled(settlement) => self.gain += settlement.gain.get(),
            Event::Awarded { amount, .. } => self.gain += amount.get(),
            Event::Reversed => self.gain = 0,
            Event::Dealt { place, card, .. } => {
                self.see(card);
                if let Place::Hand { hand, .. } = place {
                    self.own.take(hand.into(), card);
                }
            }
            Event::Turned(card) => self.see(card),
            Event::Split { hand, .. } => self.own.split(hand.into()),
            _ => {}
        }
    }
}

impl Ledger {
    #[inline]
    fn see(&mut self, card: Card) {
        self.seen[card.rank() as usize - 2] += 1;
    }
}

/// What all copies have in common.
struct Setup<R> {
    /// A round before its first card, for each size of the bet.
    started: Vec<R>,
    units: Vec<i16>,
    /// Whether the size of the bet is asked for.
    asks_for_bet: bool,
    /// Whether the cards seen are shown.
    shows_count: bool,
    /// The reciprocal of a unit, in cents.
    per_cent: f64,
}

/// One copy.
struct Seat<R> {
    round: R,
    phase: Phase,
    bet: usize,
    hole: Option<Card>,
    ledger: Ledger,
    /// Decides the order of every shoe to come, whatever is played.
    seed: u64,
    /// How many shoes there have been.
    shoes: u64,
    numbers: Wyrand,
    shoe: Shoe,
}

impl<R: SeatRound> Seat<R> {
    fn new(setup: &Setup<R>, shoe: Shoe) -> Seat<R> {
        Seat {
            round: setup.started[0],
            phase: Phase::Over,
            bet: 0,
            hole: None,
            ledger: Ledger::default(),
            seed: 0,
            shoes: 0,
            numbers: Wyrand::of(0, 0),
            shoe,
        }
    }

    /// Takes the first shoe of a seed.
    fn seed(&mut self, seed: u64) {
        (self.seed, self.shoes) = (seed, 0);
        self.shuffle();
    }

    /// Takes the next shoe of the seed: whoever plays, and however, plays the same shoes.
    #[inline]
    fn shuffle(&mut self) {
        self.numbers = Wyrand::of(self.seed, self.shoes);
        self.shoes += 1;
        self.shoe.renew();
        self.shoe.shuffle(&mut self.numbers);
        self.ledger.seen = [0; 13];
    }

    /// Begins an episode: asks for the bet, or deals.
    #[inline]
    fn begin(&mut self, setup: &Setup<R>) -> Result<(), Refusal> {
        if self.shoe.is_spent() {
            self.shuffle();
        }
        self.ledger.gain = 0;
        if setup.asks_for_bet {
            (self.phase, self.bet) = (Phase::Betting, 0);
            return Ok(());
        }
        self.deal(setup, 0)?;
        if self.phase == Phase::Over {
            self.phase = Phase::Settled;
        }
        Ok(())
    }

    #[inline]
    fn deal(&mut self, setup: &Setup<R>, bet: usize) -> Result<(), Refusal> {
        self.shoe.begin_round();
        self.bet = bet;
        self.hole = None;
        self.ledger.own = OwnCards::default();
        self.round = setup.started[bet];
        self.go_on()
    }

    /// Goes on until a decision is asked for, or to the end.
    #[inline]
    fn go_on(&mut self) -> Result<(), Refusal> {
        loop {
            match self.round.awaits() {
                Awaits::Card(_) => {
                    let card = self.draw();
                    self.round.deal(card, &mut self.ledger)?;
                }
                Awaits::FaceDown(place) => {
                    let card = self.draw();
                    if place == Place::Dealer {
                        self.hole = Some(card);
                    }
                    self.round.deal_face_down(&mut self.ledger)?;
                }
                Awaits::Peek => {
                    let natural = self.hole.is_some_and(|hole| self.round.reader_answer(hole));
                    self.round.peek(natural, &mut self.ledger)?;
                }
                Awaits::Turn => {
                    let hole = self.hole.ok_or(Refusal::NotAwaited)?;
                    self.round.turn(hole, &mut self.ledger)?;
                }
                Awaits::Acts(_) => {
                    self.phase = Phase::Deciding;
                    return Ok(());
                }
                Awaits::Nobody => {
                    self.phase = Phase::Over;
                    return Ok(());
                }
            }
        }
    }

    #[inline]
    fn draw(&mut self) -> Card {
        self.shoe.draw(&mut self.numbers).expect("a shoe has more cards than one seat can take")
    }

    /// Takes an action, or refuses it and stays as it was.
    #[inline]
    fn act(&mut self, setup: &Setup<R>, action: usize) -> Result<(), Refusal> {
        match (self.phase, Call::ALL.get(action)) {
            (Phase::Deciding, Some(&call)) => {
                self.round.act(ME, Act::Call(call), &mut self.ledger)?;
                self.go_on()
            }
            (Phase::Betting, None) if action - CALLS < setup.started.len() => {
                self.deal(setup, action - CALLS)
            }
            (Phase::Settled, None) if action == SETTLE => {
                self.phase = Phase::Over;
                Ok(())
            }
            (Phase::Deciding, None) => Err(Refusal::BetsClosed),
            (Phase::Betting, _) => Err(Refusal::RoundNotStarted),
            (Phase::Settled | Phase::Over, _) => Err(Refusal::RoundOver),
        }
    }

    /// What the seat gained since this was asked last, in units.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "a reward has the precision of a float")]
    fn take_gain(&mut self, setup: &Setup<R>) -> f32 {
        let gain = std::mem::take(&mut self.ledger.gain);
        (gain as f64 * setup.per_cent) as f32
    }

    #[inline]
    fn offers(&self) -> Calls {
        match self.phase {
            Phase::Deciding => self.round.offers(ME),
            _ => Calls::NONE,
        }
    }

    #[inline]
    fn show_fields(&self, setup: &Setup<R>, fields: &mut [i16]) {
        let (visible, counted) = fields.split_at_mut(VISIBLE);
        if let Some(visible) = visible.first_chunk_mut::<VISIBLE>() {
            *visible = [0; VISIBLE];
            visible[0] = self.phase as i16;
            if self.phase != Phase::Betting {
                self.round.show(&self.ledger.own, visible);
                visible[11] = setup.units[self.bet];
            }
        }
        if setup.shows_count {
            let (seen, left) = counted.split_at_mut(13);
            seen.copy_from_slice(&self.ledger.seen);
            left[0] = small(self.shoe.left());
        }
    }

    #[inline]
    fn show_mask(&self, mask: &mut [i8]) {
        let offers = self.offers();
        for (open, call) in mask.iter_mut().zip(Call::ALL) {
            *open = offers.contains(call).into();
        }
        let bets = self.phase == Phase::Betting || self.phase == Phase::Settled;
        mask[CALLS..].fill(bets.into());
    }

    /// Whether the rules accept each call now, tried on copies.
    fn accepts(&self, answers: &mut [bool]) {
        for (accepted, call) in answers.iter_mut().zip(Call::ALL) {
            let mut round = self.round;
            *accepted = round.act(ME, Act::Call(call), &mut ()).is_ok();
        }
    }

    /// Exchanges every card that the player has not seen: the hole card and the order of the shoe. What
    /// the card reader said stays true.
    fn exchange_unseen(&mut self, unseen: &mut Vec<Card>, numbers: &mut Wyrand) {
        self.numbers = Wyrand::of(numbers.next(), 0);
        self.shoe.reorder();
        let Some(hole) = self.hole else { return };
        let same = self.round.reader_answer(hole);
        unseen.retain(|card| self.round.reader_answer(*card) == same);
        let count = u32::try_from(unseen.len()).unwrap_or(0);
        if count > 0 {
            self.hole = Some(unseen[below(count, numbers) as usize]);
        }
    }
}

/// Where the results of a step go.
struct Sinks<'a> {
    fields: &'a mut [i16],
    masks: &'a mut [i8],
    rewards: &'a mut [f32],
    ended: &'a mut [bool],
    refused: &'a mut [bool],
    last_fields: &'a mut [i16],
}

impl Sinks<'_> {
    /// Whether they still are what they were made as: in Python anybody can change them.
    fn fit(&self, count: usize, width: usize, actions: usize) -> bool {
        self.fields.len() == count * width
            && self.last_fields.len() == count * width
            && self.masks.len() == count * actions
            && self.rewards.len() == count
            && self.ended.len() == count
            && self.refused.len() == count
    }
}

/// Copies of any game.
trait AnyCopies: Send + Sync {
    /// Takes new shoes by one seed for all copies, or by one for each.
    fn seed(&mut self, seeds: &[u64]);
    fn begin(&mut self, sinks: &mut Sinks<'_>) -> Result<(), Refusal>;
    fn step(
        &mut self,
        actions: &[i64],
        begins_again: bool,
        sinks: &mut Sinks<'_>,
    ) -> Result<(), Refusal>;
    fn show(&self, sinks: &mut Sinks<'_>);
    fn accepts(&self, answers: &mut [bool]);
    fn exchange_unseen(&mut self, seed: u64);
    fn why_not(&self, copy: usize, action: usize) -> Option<Refusal>;
}

struct SeatCopies<R> {
    setup: Setup<R>,
    seats: Vec<Seat<R>>,
    width: usize,
    actions: usize,
}

impl<R: SeatRound> AnyCopies for SeatCopies<R> {
    fn seed(&mut self, seeds: &[u64]) {
        match *seeds {
            [seed] => {
                for (seat, number) in self.seats.iter_mut().zip(0..) {
                    seat.seed(if number == 0 { seed } else { Wyrand::of(seed, number).next() });
                }
            }
            _ => {
                for (seat, &seed) in self.seats.iter_mut().zip(seeds) {
                    seat.seed(seed);
                }
            }
        }
    }

    fn begin(&mut self, sinks: &mut Sinks<'_>) -> Result<(), Refusal> {
        for seat in &mut self.seats {
            seat.begin(&self.setup)?;
        }
        self.show(sinks);
        Ok(())
    }

    fn step(
        &mut self,
        actions: &[i64],
        begins_again: bool,
        sinks: &mut Sinks<'_>,
    ) -> Result<(), Refusal> {
        let (width, acts) = (self.width, self.actions);
        let rows = sinks.fields.chunks_exact_mut(width).zip(sinks.masks.chunks_exact_mut(acts));
        let rows = rows.zip(sinks.last_fields.chunks_exact_mut(width)).enumerate();
        for ((seat, &action), (number, ((fields, mask), last))) in
            self.seats.iter_mut().zip(actions).zip(rows)
        {
            let action = usize::try_from(action).unwrap_or(usize::MAX).min(acts);
            let refused = seat.act(&self.setup, action).is_err();
            sinks.refused[number] = refused;
            if refused {
                (sinks.rewards[number], sinks.ended[number]) = (0.0, false);
                continue;
            }
            sinks.rewards[number] = seat.take_gain(&self.setup);
            let ended = seat.phase == Phase::Over;
            sinks.ended[number] = ended;
            if ended && begins_again {
                seat.show_fields(&self.setup, last);
                seat.begin(&self.setup)?;
            }
            seat.show_fields(&self.setup, fields);
            seat.show_mask(mask);
        }
        Ok(())
    }

    fn show(&self, sinks: &mut Sinks<'_>) {
        let rows = sinks.fields.chunks_exact_mut(self.width);
        let rows = rows.zip(sinks.masks.chunks_exact_mut(self.actions));
        for (seat, (fields, mask)) in self.seats.iter().zip(rows) {
            seat.show_fields(&self.setup, fields);
            seat.show_mask(mask);
        }
    }

    fn accepts(&self, answers: &mut [bool]) {
        for (seat, answers) in self.seats.iter().zip(answers.chunks_exact_mut(CALLS)) {
            match seat.phase {
                Phase::Deciding => seat.accepts(answers),
                _ => answers.fill(false),
            }
        }
    }

    fn exchange_unseen(&mut self, seed: u64) {
        let mut numbers = Wyrand::of(seed, 0);
        for seat in &mut self.seats {
            let mut seen = seat.ledger.seen;
            let mut unseen = seat.shoe.new_cards().to_vec();
            unseen.retain(|card| {
                let left = &mut seen[card.rank() as usize - 2];
                *left -= 1;
                *left < 0
            });
            seat.exchange_unseen(&mut unseen, &mut numbers);
        }
    }

    /// Why an action is refused, tried on a copy.
    fn why_not(&self, copy: usize, action: usize) -> Option<Refusal> {
        let seat = self.seats.get(copy)?;
        let mut tried = Seat {
            round: seat.round,
            phase: seat.phase,
            bet: seat.bet,
            hole: seat.hole,
            ledger: seat.ledger.clone(),
            seed: seat.seed,
            shoes: seat.shoes,
            numbers: seat.numbers.clone(),
            shoe: seat.shoe.clone(),
        };
        tried.act(&self.setup, action).err()
    }
}

/// Copies of a game for one seat, with the arrays that they write their results to.
#[pyclass(module = "pitboss._pitboss")]
pub(crate) struct Copies {
    copies: Box<dyn AnyCopies>,
    count: usize,
    width: usize,
    actions: usize,
    game: Game,
    is_seeded: bool,
    fields: Py<PyArray2<i16>>,
    masks: Py<PyArray2<i8>>,
    rewards: Py<PyArray1<f32>>,
    ended: Py<PyArray1<bool>>,
    refused: Py<PyArray1<bool>>,
    last_fields: Py<PyArray2<i16>>,
}

#[pymethods]
impl Copies {
    #[new]
    #[pyo3(signature = (game, count, *, terms=None, stake=None, bets=None, fresh=false, shows_count=false))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        py: Python<'_>,
        game: &str,
        #[pyo3(from_py_with = input::whole)] count: usize,
        terms: Option<&Bound<'_, PyDict>>,
        stake: Option<&Bound<'_, PyAny>>,
        bets: Option<&Bound<'_, PyAny>>,
        fresh: bool,
        shows_count: bool,
    ) -> PyResult<Copies> {
        if !(1..=MOST_COPIES).contains(&count) {
            return Err(wrong(format!("expected from 1 to {MOST_COPIES} copies, found {count}")));
        }
        let sheet = input::sheet(game, terms)?;
        let wanted = Wanted {
            count,
            setting: setting(&sheet, stake, None)?,
            bets: bets.map(input::whole_list).transpose()?,
            fresh,
            shows_count,
            sheet,
        };
        let actions = CALLS + wanted.units()?.len();
        let width = VISIBLE + if shows_count { COUNTED } else { 0 };
        let copies: Box<dyn AnyCopies> = match wanted.sheet.game() {
            Game::CasinoWar => wanted.build::<CasinoWar<1>>(width, actions)?,
            Game::DoubleDownStud => wanted.build::<DoubleDownStud<1>>(width, actions)?,
            Game::DoubleDeck => wanted.build::<Blackjack<DoubleDeck, 1, 1>>(width, actions)?,
            Game::DoubleAttack => wanted.build::<Blackjack<DoubleAttack, 1, 1>>(width, actions)?,
            Game::FreeBet => wanted.build::<Blackjack<FreeBet, 1, 1>>(width, actions)?,
        };
        Ok(Copies {
            copies,
            count,
            width,
            actions,
            game: wanted.sheet.game(),
            is_seeded: false,
            fields: PyArray2::zeros(py, [count, width], false).unbind(),
            masks: PyArray2::zeros(py, [count, actions], false).unbind(),
            rewards: PyArray1::zeros(py, [count], false).unbind(),
            ended: PyArray1::zeros(py, [count], false).unbind(),
            refused: PyArray1::zeros(py, [count], false).unbind(),
            last_fields: PyArray2::zeros(py, [count, width], false).unbind(),
        })
    }

    /// Takes new shoes by a seed, or by one for each copy, and begins an episode everywhere.
    fn reset(&mut self, py: Python<'_>, seed: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let seeds = match seed {
            Some(seed) => input::whole_list(seed)?,
            None if self.is_seeded => Vec::new(),
            None => vec![0],
        };
        let is_enough = seeds.len() == 1 || seeds.len() == self.count;
        if seed.is_some() && !is_enough {
            let (count, found) = (self.count, seeds.len());
            return Err(wrong(format!("expected one seed, or {count} of them, found {found}")));
        }
        if seed.is_some() || !self.is_seeded {
            self.copies.seed(&seeds);
            self.is_seeded = true;
        }
        self.with_sinks(py, |copies, sinks| copies.begin(sinks))
    }

    /// Takes an action in every copy; one that ends begins again if asked to.
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        begins_again: bool,
    ) -> PyResult<()> {
        let actions = actions.as_slice()?;
        if !self.is_seeded {
            return Err(wrong("a reset comes before the first step"));
        }
        if actions.len() != self.count {
            let (count, found) = (self.count, actions.len());
            return Err(wrong(format!(
                "expected one action for each copy, {count}, found {found}"
            )));
        }
        self.with_sinks(py, |copies, sinks| copies.step(actions, begins_again, sinks))
    }

    /// Exchanges every card that players have not seen, and shows everything again.
    fn exchange_unseen(
        &mut self,
        py: Python<'_>,
        #[pyo3(from_py_with = input::whole)] seed: u64,
    ) -> PyResult<()> {
        self.with_sinks(py, |copies, sinks| {
            copies.exchange_unseen(seed);
            copies.show(sinks);
            Ok(())
        })
    }

    /// Whether the rules accept each call in each copy, tried on copies of the rounds.
    fn accepts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let answers = PyArray2::zeros(py, [self.count, CALLS], false);
        {
            let mut writable = answers.try_readwrite()?;
            self.copies.accepts(writable.as_slice_mut()?);
        }
        Ok(answers)
    }

    /// Why an action is refused in a copy, as an exception; none where it is accepted.
    fn why_not(
        &self,
        #[pyo3(from_py_with = input::whole)] copy: usize,
        #[pyo3(from_py_with = input::whole)] action: usize,
    ) -> Option<PyErr> {
        let refusal = self.copies.why_not(copy, action.min(self.actions))?;
        Some(by_round(refusal, self.game))
    }

    #[getter]
    fn count(&self) -> usize {
        self.count
    }

    /// How many actions there are.
    #[getter]
    fn actions(&self) -> usize {
        self.actions
    }

    #[getter]
    fn fields(&self, py: Python<'_>) -> Py<PyArray2<i16>> {
        self.fields.clone_ref(py)
    }

    #[getter]
    fn masks(&self, py: Python<'_>) -> Py<PyArray2<i8>> {
        self.masks.clone_ref(py)
    }

    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyArray1<f32>> {
        self.rewards.clone_ref(py)
    }

    #[getter]
    fn ended(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.ended.clone_ref(py)
    }

    #[getter]
    fn refused(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.refused.clone_ref(py)
    }

    #[getter]
    fn last_fields(&self, py: Python<'_>) -> Py<PyArray2<i16>> {
        self.last_fields.clone_ref(py)
    }
}

impl Copies {
    /// Works without the interpreter's lock, on the arrays themselves.
    fn with_sinks(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn AnyCopies, &mut Sinks<'_>) -> Result<(), Refusal> + Send,
    ) -> PyResult<()> {
        let mut fields = self.fields.bind(py).try_readwrite()?;
        let mut masks = self.masks.bind(py).try_readwrite()?;
        let mut rewards = self.rewards.bind(py).try_readwrite()?;
        let mut ended = self.ended.bind(py).try_readwrite()?;
        let mut refused = self.refused.bind(py).try_readwrite()?;
        let mut last_fields = self.last_fields.bind(py).try_readwrite()?;
        let mut sinks = Sinks {
            fields: fields.as_slice_mut()?,
            masks: masks.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            ended: ended.as_slice_mut()?,
            refused: refused.as_slice_mut()?,
            last_fields: last_fields.as_slice_mut()?,
        };
        if !sinks.fit(self.count, self.width, self.actions) {
            return Err(wrong("the arrays of an environment must keep their shapes and types"));
        }
        let (copies, game) = (&mut *self.copies, self.game);
        py.detach(move || work(copies, &mut sinks)).map_err(|refusal| by_round(refusal, game))
    }
}

/// What was asked for.
struct Wanted {
    sheet: TermSheet,
    setting: Setting,
    count: usize,
    bets: Option<Vec<u16>>,
    fresh: bool,
    shows_count: bool,
}

impl Wanted {
    /// The sizes of the bet; one unit where it is not asked for.
    fn units(&self) -> PyResult<Vec<i16>> {
        let bets = self.bets.clone().unwrap_or_else(|| vec![1]);
        let expected = || {
            wrong(format!("expected from 1 to {MOST_BETS} bets of 1 to 1000 units, found {bets:?}"))
        };
        let units = bets.iter().map(|&units| {
            let small = (1..=1000).contains(&units).then_some(units);
            small.and_then(|units| i16::try_from(units).ok()).ok_or_else(expected)
        });
        let units: Vec<i16> = units.collect::<PyResult<_>>()?;
        if (1..=MOST_BETS).contains(&units.len()) { Ok(units) } else { Err(expected()) }
    }

    fn build<R: SeatRound>(&self, width: usize, actions: usize) -> PyResult<Box<dyn AnyCopies>> {
        let units = self.units()?;
        let (opening, unit) = (opening(&self.sheet), self.setting.main);
        let mut started = Vec::new();
        for &units in &units {
            let main = Cents::new(i64::from(unit.get()) * i64::from(units));
            let mut placed = Wagers::NONE;
            let answer = placed.place(&opening, ME, &[(Circle::Main, main)]);
            answer.map_err(|refusal| by_round(refusal, self.sheet.game()))?;
            started.push(R::begin(&self.sheet, &placed));
        }
        let setup = Setup::<R> {
            started,
            units,
            asks_for_bet: self.bets.is_some(),
            shows_count: self.shows_count,
            per_cent: 1.0 / f64::from(unit.get()),
        };
        let shoe = Shoe::new(&self.sheet);
        let shoe = if self.fresh { shoe.without_cut_card() } else { shoe };
        let seats = (0..self.count).map(|_| Seat::new(&setup, shoe.clone())).collect();
        Ok(Box::new(SeatCopies { setup, seats, width, actions }))
    }
}
