//! A compiled table: the next state by state and card. It knows no rule and no game.

/// A place in the round, by number: [`MISSING`], then ends of a round up to [`ENDS`], then the rest.
pub(super) type State = u16;

/// What is not in the table yet; every card leads from it to itself.
pub(super) const MISSING: State = 0;
/// The beginning of a shoe. The ends of a round are beginnings as well.
pub(super) const START: State = 1;
/// States below this one are ends of a round.
pub(super) const ENDS: State = 512;
/// How many states there can be.
pub(super) const STATES: usize = 1 << State::BITS;

/// How many shoes are dealt in lockstep.
pub(super) const LANES: usize = 8;
/// The most cards of each that are dealt before anything is looked at.
pub(super) const BLOCK: usize = 32;
/// The most rounds of a shoe: one takes two cards or more.
const MOST_ROUNDS: usize = 256;
const _: () = assert!(MOST_ROUNDS > rules::shoe::MOST_CARDS / 2);

/// The next state by state and card; as wide as there are different cards.
pub(super) struct Table<const WIDTH: usize> {
    rows: Box<[[State; WIDTH]; STATES]>,
}

/// The ends of the rounds of a shoe.
pub(super) struct Ends {
    states: [State; MOST_ROUNDS],
    count: usize,
}

impl Ends {
    pub(super) const NONE: Ends = Ends { states: [MISSING; MOST_ROUNDS], count: 0 };

    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn truncate(&mut self, count: usize) {
        self.count = count;
    }

    pub(super) fn push(&mut self, state: State) {
        self.states[self.count % MOST_ROUNDS] = state;
        self.count += 1;
    }

    pub(super) fn as_slice(&self) -> &[State] {
        &self.states[..self.count.min(MOST_ROUNDS)]
    }
}

impl<const WIDTH: usize> Table<WIDTH> {
    /// A table in which everything is missing.
    pub(super) fn new() -> Table<WIDTH> {
        let rows = vec![[MISSING; WIDTH]; STATES].into_boxed_slice();
        Table { rows: rows.try_into().expect("as many rows") }
    }

    #[inline(always)]
    pub(super) fn next(&self, state: State, card: u8) -> State {
        self.rows[usize::from(state)][usize::from(card) % WIDTH]
    }

    pub(super) fn set(&mut self, state: State, card: u8, next: State) {
        self.rows[usize::from(state)][usize::from(card) % WIDTH] = next;
    }

    /// Deals so many cards of several shoes in lockstep, without a branch: each card is one step, and
    /// every state is written down as an end that the next one overwrites unless it is one. A shoe
    /// that comes to what is missing stays there, and has to be dealt these cards again.
    #[inline(never)]
    #[allow(clippy::needless_range_loop)]
    pub(super) fn walk(
        &self,
        shoes: &[[u8; BLOCK]; LANES],
        cards: usize,
        states: &mut [State; LANES],
        ends: &mut [Ends; LANES],
    ) {
        let mut now = *states;
        let mut counts: [usize; LANES] = std::array::from_fn(|lane| ends[lane].count);
        for card in 0..cards.min(BLOCK) {
            for lane in 0..LANES {
                let state = self.next(now[lane], shoes[lane][card]);
                ends[lane].states[counts[lane] % MOST_ROUNDS] = state;
                counts[lane] += usize::from(state < ENDS);
                now[lane] = state;
            }
        }
        for lane in 0..LANES {
            ends[lane].count = counts[lane];
        }
        *states = now;
    }
}
