//! The rounds of a plan as an automaton over cards, built from the rounds themselves as it is used.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::time::{Duration, Instant};

use rules::card::Card;
use rules::essence::Essence;
use rules::round::{Act, Awaits, Place};

use super::table::{ENDS, MISSING, START, STATES, State, Table};
use crate::simulate::account::Payoff;
use crate::simulate::decide::Decide;

/// A round between two cards: its essence, the face-down card, and what it came to so far.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment<R> {
    pub(super) round: R,
    hole: Option<Card>,
    pub(super) payoff: Payoff,
}

impl<R: Essence> Moment<R> {
    /// The beginning of a round, up to its first card.
    pub(super) fn begin(start: R, decide: &impl Decide<R>) -> Moment<R> {
        let mut begin = Moment { round: start, hole: None, payoff: Payoff::default() };
        begin.advance(decide);
        begin
    }

    /// Deals the round one more card, and has all decisions made that it leads to.
    #[inline]
    pub(super) fn deal(&mut self, card: Card, decide: &impl Decide<R>) {
        let Moment { round, hole, payoff } = self;
        let dealt = match round.awaits() {
            Awaits::FaceDown(place) => {
                if place == Place::Dealer {
                    *hole = Some(card);
                }
                round.deal_face_down(payoff)
            }
            _ => round.deal(card, payoff),
        };
        assert_eq!(dealt, Ok(()), "a card is awaited");
        self.advance(decide);
    }

    /// Has the strategy decide, and the dealer look at and turn the face-down card, until a card of
    /// the shoe is awaited or the round is over.
    fn advance(&mut self, decide: &impl Decide<R>) {
        let Moment { round, hole, payoff } = self;
        loop {
            let done = match round.awaits() {
                Awaits::Card(_) | Awaits::FaceDown(_) | Awaits::Nobody => return,
                Awaits::Peek => round.peek(round.reader_answer(hole.expect(LIES)), payoff),
                Awaits::Turn => round.turn(hole.take().expect(LIES), payoff),
                Awaits::Acts(asked) => asked.iter().try_for_each(|bettor| {
                    let call = decide.decide(round, bettor);
                    round.act(bettor, Act::Call(call), payoff)
                }),
            };
            assert_eq!(done, Ok(()), "a strategy does what is offered");
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.round.awaits() == Awaits::Nobody
    }

    /// Forgets what no longer matters.
    pub(super) fn keep_essence(&mut self) {
        (self.round, self.hole) = self.round.essence(self.hole);
    }

    pub(super) fn digest(&self) -> u64 {
        let Payoff { account, added } = self.payoff;
        let hole = self.hole.map_or(0, |card| card.index() as u64);
        let amounts = [account.main, account.side, account.progressive, account.envy];
        let mut digest = self.round.digest() ^ hole << 56;
        for amount in amounts.map(|cents| cents.get()).into_iter().chain([added]) {
            digest = (digest.rotate_left(13) ^ amount.cast_unsigned())
                .wrapping_mul(0x9fb2_1c65_1e98_df25);
        }
        digest ^ digest >> 32
    }
}

/// Digests are spread well enough as they are.
#[derive(Default)]
pub(super) struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0 << 8 | u64::from(byte));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

/// How many counters there are for states without a row, and how many visits earn one.
const COUNTERS: usize = 1 << 18;
const VISITS_FOR_A_ROW: u8 = 3;

/// One of so many entries is timed.
const TIMED: u32 = 64;

/// The states of a round that has been met, and the table between them.
///
/// Each state is a real round. A card that has not come in a state before is dealt to that round,
/// the strategy decides what is asked, and the next state is the one whose round is equal.
pub(super) struct Automaton<R, D, const WIDTH: usize> {
    pub(super) table: Table<WIDTH>,
    decide: D,
    begin: Moment<R>,
    /// The rounds of the states from [`ENDS`] on.
    moments: Vec<Moment<R>>,
    /// States by the digest of their round, or one behind it.
    known: HashMap<u64, State, BuildHasherDefault<AsIs>>,
    /// How often states without a row were visited, by their digest.
    visits: Vec<u8>,
    /// What the rounds that ended came to; the first two states are not ends.
    payoffs: Vec<Payoff>,
    pub(super) built: u64,
    pub(super) build_time: Duration,
}

impl<R: Essence, D: Decide<R>, const WIDTH: usize> Automaton<R, D, WIDTH> {
    pub(super) fn new(start: R, decide: D) -> Self {
        Automaton {
            table: Table::new(),
            begin: Moment::begin(start, &decide),
            decide,
            moments: Vec::new(),
            known: HashMap::default(),
            visits: vec![0; COUNTERS],
            payoffs: vec![Payoff::default(); usize::from(START) + 1],
            built: 0,
            build_time: Duration::ZERO,
        }
    }

    /// The round in a state.
    fn moment(&self, state: State) -> &Moment<R> {
        state.checked_sub(ENDS).map_or(&self.begin, |place| &self.moments[usize::from(place)])
    }

    /// The next state, built where it is missing; the round itself where the table has no room.
    #[inline]
    pub(super) fn step(&mut self, state: State, card: u8) -> Result<State, Box<Moment<R>>> {
        match self.table.next(state, card) {
            MISSING => self.build(state, card),
            next => Ok(next),
        }
    }

    #[cold]
    #[inline(never)]
    fn build(&mut self, state: State, symbol: u8) -> Result<State, Box<Moment<R>>> {
        let began = self.built.is_multiple_of(TIMED.into()).then(Instant::now);
        let mut after = *self.moment(state);
        self.deal(&mut after, symbol);
        let next = match after.is_over() {
            true => self.end(after.payoff),
            false => self.state(&mut after),
        };
        let next = next.ok_or_else(|| Box::new(after))?;
        self.table.set(state, symbol, next);
        self.built += 1;
        if let Some(began) = began {
            self.build_time += began.elapsed() * TIMED;
        }
        Ok(next)
    }

    #[inline]
    fn deal(&self, moment: &mut Moment<R>, symbol: u8) {
        moment.deal(card::<WIDTH>(symbol), &self.decide);
    }

    /// The state of a round that ended.
    fn end(&mut self, payoff: Payoff) -> Option<State> {
        let known = self.payoffs.iter().skip(usize::from(START) + 1).position(|one| *one == payoff);
        let place = known.map_or(self.payoffs.len(), |place| place + usize::from(START) + 1);
        if place >= usize::from(ENDS) {
            return None;
        }
        if known.is_none() {
            self.payoffs.push(payoff);
        }
        State::try_from(place).ok()
    }

    /// The state of a round that goes on, of which the essence is kept. Once the table is half full,
    /// a state has to be visited a few times before it gets a row.
    fn state(&mut self, moment: &mut Moment<R>) -> Option<State> {
        moment.keep_essence();
        let mut digest = moment.digest();
        loop {
            match self.known.get(&digest) {
                Some(&state) if self.moment(state) == moment => return Some(state),
                Some(_) => digest = digest.wrapping_add(1),
                None => break,
            }
        }
        let place = usize::from(ENDS) + self.moments.len();
        if place >= STATES / 2 {
            #[allow(clippy::cast_possible_truncation)]
            let visits = &mut self.visits[digest as usize % COUNTERS];
            *visits = visits.saturating_add(1);
            if *visits < VISITS_FOR_A_ROW {
                return None;
            }
        }
        let state = State::try_from(place).ok()?;
        self.known.insert(digest, state);
        self.moments.push(*moment);
        Some(state)
    }

    /// Plays a round on to its end without the table.
    #[cold]
    pub(super) fn play_out(
        &self,
        mut moment: Box<Moment<R>>,
        mut cards: impl FnMut() -> Option<u8>,
    ) -> Option<Payoff> {
        while !moment.is_over() {
            self.deal(&mut moment, cards()?);
        }
        Some(moment.payoff)
    }

    /// What a round with this end came to.
    pub(super) fn payoff(&self, end: State) -> Payoff {
        self.payoffs[usize::from(end)]
    }

    /// How many states and how many ends are known.
    pub(super) fn states(&self) -> (usize, usize) {
        (self.moments.len(), self.payoffs.len() - usize::from(START) - 1)
    }

    /// About how many bytes of memory are in use.
    pub(super) fn bytes(&self) -> usize {
        let (states, ends) = self.states();
        let rows = (states + ends + 1) * size_of::<[State; WIDTH]>();
        rows + self.moments.capacity() * size_of::<Moment<R>>()
            + self.known.capacity() * size_of::<(u64, State)>()
    }
}

/// The width of a table by ranks, and by cards where suits matter.
pub(in crate::simulate) const RANKS: usize = 16;
pub(in crate::simulate) const CARDS: usize = 64;

/// The place of a card in a row.
#[inline(always)]
#[allow(clippy::cast_possible_truncation)]
pub(super) fn symbol<const WIDTH: usize>(card: Card) -> u8 {
    let code = card.index() as u8;
    if WIDTH == RANKS { code >> 2 } else { code }
}

/// The card of a place in a row; of a rank the spade.
fn card<const WIDTH: usize>(symbol: u8) -> Card {
    let place = usize::from(symbol);
    let place = if WIDTH == RANKS { place * 4 + 3 } else { place };
    // The deck begins with the twos.
    Card::DECK[place - Card::DECK[0].index()]
}

const LIES: &str = "a face-down card lies before the dealer";

#[cfg(test)]
mod tests {
    use rules::games::blackjack::{
        Blackjack, BlackjackTerms, Book, DoubleAttack, DoubleDeck, FreeBet,
    };
    use rules::games::casino_war::{CasinoWar, WarTerms};
    use rules::round::Call;
    use rules::shoe::{below, deck};
    use rules::terms::TermSheet;
    use rules::wager::Game;

    use super::*;
    use crate::simulate::decide::SameCall;
    use crate::simulate::{Plan, Strategy, Wyrand};

    /// A round between two cards, as far as it matters, or what it came to.
    fn class<R: Essence>(mut moment: Moment<R>) -> Result<Moment<R>, Payoff> {
        if moment.is_over() {
            return Err(moment.payoff);
        }
        moment.keep_essence();
        Ok(moment)
    }

    /// Holds a round that has forgotten nothing to its essence: with every card both go on alike.
    fn goes_on_like_its_essence<R: Essence, D: Decide<R>>(
        automaton: &Automaton<R, D, RANKS>,
        moment: Moment<R>,
    ) {
        for card in deck(moment.round.game()).step_by(4).map(symbol::<RANKS>) {
            let (mut raw, mut essence) = (moment, class(moment).unwrap());
            automaton.deal(&mut raw, card);
            automaton.deal(&mut essence, card);
            assert!(class(raw) == class(essence), "{:?}\n{:?}", moment.round, raw.round);
        }
    }

    /// Every way that a war can go.
    #[test]
    fn wars_that_are_put_together_go_on_alike() {
        let sheet = TermSheet::new(Game::CasinoWar);
        let strategy = Strategy::named(&sheet, "war").unwrap();
        let wagers = Plan::new(sheet.clone(), strategy, 1).unwrap().wagers_of::<1>(1, 1);
        let start = CasinoWar::<1>::start(WarTerms::read(&sheet), &wagers, &mut ());
        let automaton = Automaton::new(start, SameCall(Call::War));
        let mut known = vec![automaton.begin];
        let mut looked_at = 0;
        while let Some(&moment) = known.get(looked_at) {
            looked_at += 1;
            goes_on_like_its_essence(&automaton, moment);
            for card in deck(Game::CasinoWar).step_by(4).map(symbol::<RANKS>) {
                let mut next = moment;
                automaton.deal(&mut next, card);
                if !next.is_over() && !known.contains(&next) {
                    known.push(next);
                }
            }
        }
        // The beginning, 13 cards, three burn cards and a war for each, and 13 war cards for each.
        assert_eq!(looked_at, 1 + 13 + 13 * 4 + 13 * 13);
    }

    /// Rounds of a chart by chance, and every card that could come at each moment of them.
    fn look_at_rounds<B: Book>(game: Game) {
        const ROUNDS: usize = 10_000;
        let sheet = TermSheet::new(game);
        let strategy = Strategy::named(&sheet, "basic").unwrap();
        let chart = strategy.chart().unwrap().compile();
        let plan = Plan::new(sheet.clone(), strategy, 1).unwrap();
        let wagers = plan.wagers_of::<1>(1, 1);
        let start = Blackjack::<B, 1, 1>::start(BlackjackTerms::read(&sheet), &wagers, &mut ());
        let automaton = Automaton::new(start, chart);
        let cards: Vec<u8> = deck(game).map(symbol::<RANKS>).collect();
        let mut numbers = Wyrand::of(1, 1);
        let mut splits = 0;
        for _ in 0..ROUNDS {
            let mut moment = automaton.begin;
            while !moment.is_over() {
                goes_on_like_its_essence(&automaton, moment);
                let card = below(u32::try_from(cards.len()).unwrap(), &mut numbers);
                automaton.deal(&mut moment, cards[card as usize]);
            }
            splits += usize::from(moment.round.hands(0) > 1);
        }
        assert!(splits > ROUNDS / 100, "{splits}");
    }

    #[test]
    fn rounds_of_blackjack_go_on_like_their_essence() {
        look_at_rounds::<DoubleDeck>(Game::DoubleDeck);
        look_at_rounds::<DoubleAttack>(Game::DoubleAttack);
        look_at_rounds::<FreeBet>(Game::FreeBet);
    }
}
