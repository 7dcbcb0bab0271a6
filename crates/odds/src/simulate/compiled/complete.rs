//! Rounds as a complete table: every state that cards can lead to, merged where states go on alike.
//!
//! The states are rounds of `rules`, as in the tables that are built while they are used. What is
//! different: after a split, a complete hand leaves the state, and what it earns becomes an output of
//! the step that completed it, one number for each end of the dealer's hand. The result is a plain
//! table that knows no rule, small enough for whoever plays many shoes at once.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::BuildHasherDefault;
use std::ops::Range;
use std::time::{Duration, Instant};

use rules::card::Card;
use rules::essence::Essence;
use rules::money::Cents;
use rules::shoe::{Shoe, burned, deck};
use rules::wager::Game;

use super::automaton::{AsIs, Moment, RANKS, symbol};
use super::tally;
use crate::simulate::account::{Account, Payoff};
use crate::simulate::decide::Decide;
use crate::simulate::numbers::Wyrand;
use crate::simulate::plan::Plan;
use crate::simulate::play::Compile;
use crate::simulate::tally::Tally;

/// Why there is no complete table of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableRefusal {
    /// A round depends on more than its cards, or on more than a table counts.
    Plan,
    /// There are more states than this.
    States(usize),
    /// Hands come to too many different amounts.
    Outputs,
    /// An amount has no place in a byte.
    Amounts,
}

impl fmt::Display for TableRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableRefusal::Plan => f.write_str(
                "a complete table needs Casino War or a blackjack played by a chart, with one seat, \
                 a flat bet and no side wagers",
            ),
            TableRefusal::States(most) => {
                write!(f, "a round of these terms has more than {most} states")
            }
            TableRefusal::Outputs => {
                f.write_str("the hands of a round come to too many different amounts at these terms")
            }
            TableRefusal::Amounts => {
                f.write_str("a round of these terms can gain or lose too many different amounts")
            }
        }
    }
}

impl std::error::Error for TableRefusal {}

/// The most states before merging; each takes about 300 bytes while the table is built.
const MOST_STATES: usize = 3_000_000;
/// The most cards of a round: more than lie in any shoe.
const MOST_CARDS: usize = rules::shoe::MOST_CARDS;

/// Ends of the dealer's hand that a sum tells apart: a byte of it for each, and one for what was
/// added to the wager.
const DEALER_ENDS: usize = 7;
const ADDED: u32 = 56;
const _: () = assert!(ADDED as usize == 8 * DEALER_ENDS);
/// Each byte of a sum begins in the middle.
const MIDDLE: i64 = 128;
/// A sum at the beginning of a round.
pub const NO_SUM: u64 = 0x8080_8080_8080_8080;
/// How many different net gains a byte of a sum has.
pub const NETS: usize = 256;

/// The common ends of a round that are counted by their code.
pub const COMMON: usize = 8;
/// How many bits of an entry are its code; the others are the place of the next row.
pub const CODE_BITS: u32 = 11;
const CODES: usize = 1 << CODE_BITS;
const MOST_ENTRIES: usize = 1 << (u32::BITS - CODE_BITS);
/// The byte of a special step that does not end a round.
pub const GOES_ON: u32 = 0xff;

/// A round as a plain table, with the shoe that it is dealt from.
///
/// An entry is the place of the next row and a code. Codes below [`COMMON`] end the round in one of its
/// common ends, [`COMMON`] itself does nothing, and every code above it is a [`Special`] step.
#[derive(Clone, Debug)]
pub struct CompleteTable {
    /// How many different cards there are: the length of a row.
    pub columns: usize,
    /// Row after row, those that are visited most first. A round begins in the first one, and a step
    /// that ends it leads there.
    pub entries: Vec<u32>,
    /// What the codes beyond the common ends stand for.
    pub specials: Vec<Special>,
    /// The shoe.
    pub deal: Deal,
    /// What common ends come to.
    common: Vec<Payoff>,
    /// The unit of sums, in cents.
    unit: i64,
    /// The column of each rank.
    column: [u8; RANKS],
    /// How many states there were before merging.
    pub states_before: usize,
    /// How long it took to build and to check.
    pub build_time: Duration,
}

/// A step that adds to the sum of a round, or ends it by its sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Special {
    /// What is added to the sum, all bytes at once.
    pub delta: u64,
    /// The byte of the sum that is the net gain, or [`GOES_ON`].
    pub end_byte: u32,
}

/// How cards leave a shoe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal {
    /// The cards of a new shoe, as columns.
    pub cards: Vec<u8>,
    /// How many cards one random number puts in order.
    pub handful: usize,
    /// With fewer cards left than this, a number puts one in order.
    pub at_once: usize,
    /// How many are burned after a shuffle.
    pub burned: usize,
    /// How many lie behind the cut card; none where every round has its own shuffle.
    pub behind: Option<usize>,
    /// How often a shoe is shuffled.
    pub shuffles: u64,
}

/// What shoes that were played by a table came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// How often each common end came.
    pub common: [u64; COMMON],
    /// How often a round with another end gained so much: the byte of its sum.
    pub nets: Vec<u64>,
    /// What those rounds added to their wagers, in the table's unit.
    pub added: i64,
    /// Shoes that ran out of cards; their counts up to there are in the others.
    pub exhausted: Vec<u64>,
}

impl Default for Counts {
    fn default() -> Counts {
        Counts { common: [0; COMMON], nets: vec![0; NETS], added: 0, exhausted: Vec::new() }
    }
}

impl CompleteTable {
    /// Plays a range of shoes on the processor.
    pub fn play(&self, plan: &Plan, shoes: Range<u64>) -> Counts {
        let mut counts = Counts::default();
        let mut shoe = plan.shoe();
        for number in shoes {
            if !self.play_shoe(&mut shoe, Wyrand::of(plan.seed(), number), &mut counts) {
                counts.exhausted.push(number);
            }
        }
        counts
    }

    /// Plays one shoe; false where it runs out of cards.
    fn play_shoe(&self, shoe: &mut Shoe, mut numbers: Wyrand, counts: &mut Counts) -> bool {
        shoe.renew();
        for _ in 0..self.deal.shuffles {
            shoe.shuffle(&mut numbers);
            loop {
                shoe.begin_round();
                let (mut row, mut sum) = (0, NO_SUM);
                loop {
                    let card = match shoe.left() {
                        0 => return false,
                        _ => shoe.draw(&mut numbers).expect("a card is left"),
                    };
                    let entry = self.entry(row, card);
                    row = (entry >> CODE_BITS) as usize;
                    if counts.take(entry as usize % CODES, &mut sum, &self.specials) {
                        break;
                    }
                }
                if shoe.is_spent() {
                    break;
                }
            }
        }
        true
    }

    #[inline]
    fn entry(&self, row: usize, card: Card) -> u32 {
        self.entries[row + usize::from(self.column[usize::from(symbol::<RANKS>(card)) % RANKS])]
    }

    /// Bytes of the entries.
    pub fn bytes(&self) -> usize {
        self.entries.len() * size_of::<u32>()
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.entries.len() / self.columns.max(1)
    }
}

impl Counts {
    /// Counts a step by its code; true where it ends the round.
    fn take(&mut self, code: usize, sum: &mut u64, specials: &[Special]) -> bool {
        match code {
            0..COMMON => {
                self.common[code] += 1;
                true
            }
            COMMON => false,
            _ => {
                let Special { delta, end_byte } = specials[code - COMMON - 1];
                *sum = sum.wrapping_add(delta);
                if end_byte == GOES_ON {
                    return false;
                }
                self.nets[byte_of(*sum, 8 * end_byte)] += 1;
                self.added += byte_of(*sum, ADDED) as i64 - MIDDLE;
                true
            }
        }
    }

    /// Adds what other shoes came to.
    pub fn add(&mut self, other: &Counts) {
        self.common.iter_mut().zip(other.common).for_each(|(sum, count)| *sum += count);
        self.nets.iter_mut().zip(&other.nets).for_each(|(sum, count)| *sum += count);
        self.added += other.added;
        self.exhausted.extend(&other.exhausted);
    }

    fn take_away(&mut self, other: &Counts) {
        self.common.iter_mut().zip(other.common).for_each(|(sum, count)| *sum -= count);
        self.nets.iter_mut().zip(&other.nets).for_each(|(sum, count)| *sum -= count);
        self.added -= other.added;
    }
}

/// A byte of a sum.
const fn byte_of(sum: u64, shift: u32) -> usize {
    (sum >> shift & 0xff) as usize
}

impl Plan {
    /// The complete table of this plan's rounds, or why there is none.
    pub fn complete_table(&self) -> Result<CompleteTable, TableRefusal> {
        match self.side_stakes() {
            (None, None) => self.compile(NewTable(self)).unwrap_or(Err(TableRefusal::Plan)),
            _ => Err(TableRefusal::Plan),
        }
    }

    /// What this many shoes came to by the counts of a complete table. Shoes that ran out of cards
    /// are played again round by round.
    pub fn tally_of(&self, table: &CompleteTable, mut counts: Counts, shoes: u64) -> Tally {
        let mut payoffs = BTreeMap::new();
        for shoe in std::mem::take(&mut counts.exhausted) {
            counts.take_away(&table.play(self, shoe..shoe + 1));
            for payoff in self.payoffs(shoe) {
                *payoffs.entry(payoff).or_default() += 1;
            }
        }
        for (&payoff, count) in table.common.iter().zip(counts.common) {
            *payoffs.entry(payoff).or_default() += count;
        }
        for (net, count) in (-MIDDLE..).zip(counts.nets) {
            let main = Cents::new(net * table.unit);
            let account = Account { main, ..Account::default() };
            *payoffs.entry(Payoff { account, added: 0 }).or_default() += count;
        }
        payoffs.retain(|_, count| *count > 0);
        let mut tally = tally(self, shoes, &payoffs);
        tally.main.staked += i128::from(counts.added) * i128::from(table.unit);
        tally
    }
}

/// Builds a complete table.
struct NewTable<'a>(&'a Plan);

impl Compile for NewTable<'_> {
    type Compiled = Result<CompleteTable, TableRefusal>;

    fn round<R, D>(self, start: R, decide: D) -> Result<CompleteTable, TableRefusal>
    where
        R: Essence + Send + 'static,
        D: Decide<R> + Send + 'static,
    {
        let began = Instant::now();
        let ranks: Vec<Card> = ranks(start.game()).collect();
        let states = States::walk(start, &decide, &ranks, MOST_STATES)?;
        let merged = MergedStates::of(&states);
        merged.check(&states);
        let mut table = merged.lay_out(&states, self.0, &ranks)?;
        table.build_time = began.elapsed();
        Ok(table)
    }
}

/// Where a step leads: to a state, to an end with a payoff, or to the end whose byte of the sum is the net gain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    State(u32),
    Paid(u32),
    Summed(u32),
}

/// One card in one state: where it leads, and which output it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    to: u32,
    output: u32,
}

const PAID: u32 = 1 << 30;
const SUMMED: u32 = 1 << 31;

impl Step {
    fn target(self) -> Target {
        match self.to {
            to if to & SUMMED != 0 => Target::Summed(to & !SUMMED),
            to if to & PAID != 0 => Target::Paid(to & !PAID),
            to => Target::State(to),
        }
    }
}

/// What a step earns: at each end of the dealer's hand, and what it adds to the wager; in cents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Output {
    gains: [i64; DEALER_ENDS],
    added: i64,
}

impl Output {
    fn amounts(&self) -> impl Iterator<Item = i64> {
        self.gains.into_iter().chain([self.added])
    }
}

/// The number of no output.
const NOTHING: u32 = 0;

/// A round between two cards, and whether what it comes to is in a sum from now on.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Node<R> {
    moment: Moment<R>,
    has_sum: bool,
}

/// Things by a digest, or one behind it: compared, not only hashed.
#[derive(Default)]
struct Numbered(HashMap<u64, u32, BuildHasherDefault<AsIs>>);

impl Numbered {
    /// The number of a thing, or the free digest for it.
    fn find(&self, mut digest: u64, is_it: impl Fn(u32) -> bool) -> Result<u32, u64> {
        loop {
            match self.0.get(&digest) {
                Some(&number) if is_it(number) => return Ok(number),
                Some(_) => digest = digest.wrapping_add(1),
                None => return Err(digest),
            }
        }
    }
}

/// Every state that cards can lead to, with its steps; a state comes after those it leads to.
struct States {
    width: usize,
    steps: Vec<Step>,
    outputs: Vec<Output>,
    payoffs: Vec<Payoff>,
}

/// Walks from state to state.
struct Walk<'a, R, D> {
    decide: &'a D,
    ranks: &'a [Card],
    most: usize,
    numbers: Numbered,
    nodes: Vec<Node<R>>,
    /// The places of the nodes among the states; [`UNKNOWN`] until all that follows is known.
    places: Vec<u32>,
    output_numbers: BTreeMap<Output, u32>,
    payoff_numbers: BTreeMap<Payoff, u32>,
    states: States,
}

const UNKNOWN: u32 = u32::MAX;

impl States {
    fn walk<R: Essence, D: Decide<R>>(
        start: R,
        decide: &D,
        ranks: &[Card],
        most: usize,
    ) -> Result<States, TableRefusal> {
        const { assert!(R::ENDS <= DEALER_ENDS) };
        let states = States {
            width: ranks.len(),
            steps: Vec::new(),
            outputs: vec![Output::default()],
            payoffs: Vec::new(),
        };
        let mut walk = Walk {
            decide,
            ranks,
            most,
            numbers: Numbered::default(),
            nodes: Vec::new(),
            places: Vec::new(),
            output_numbers: BTreeMap::from([(Output::default(), NOTHING)]),
            payoff_numbers: BTreeMap::new(),
            states,
        };
        let mut moment = Moment::begin(start, decide);
        moment.keep_essence();
        walk.visit(&Node { moment, has_sum: false }, 0)?;
        Ok(walk.states)
    }

    fn len(&self) -> usize {
        self.steps.len() / self.width
    }

    fn rows(&self) -> impl DoubleEndedIterator<Item = &[Step]> + ExactSizeIterator {
        self.steps.chunks_exact(self.width)
    }
}

impl<R: Essence, D: Decide<R>> Walk<'_, R, D> {
    /// The place of a state, after all states that it leads to.
    fn visit(&mut self, node: &Node<R>, cards: usize) -> Result<u32, TableRefusal> {
        let digest = node.moment.digest() ^ u64::from(node.has_sum);
        let free = match self.numbers.find(digest, |number| self.nodes[number as usize] == *node) {
            Err(free) => free,
            Ok(number) => match self.places[number as usize] {
                UNKNOWN => unreachable!("cards lead back to a round as it was"),
                place => return Ok(place),
            },
        };
        if self.nodes.len() >= self.most || cards > MOST_CARDS {
            return Err(TableRefusal::States(self.most));
        }
        let number = self.nodes.len();
        self.numbers.0.insert(free, small(number));
        self.nodes.push(*node);
        self.places.push(UNKNOWN);
        let mut row = [Step { to: 0, output: NOTHING }; RANKS];
        for (step, card) in row.iter_mut().zip(self.ranks) {
            *step = self.step(node, *card, cards)?;
        }
        let place = small(self.states.len());
        self.states.steps.extend(&row[..self.states.width]);
        self.places[number] = place;
        Ok(place)
    }

    fn step(&mut self, node: &Node<R>, card: Card, cards: usize) -> Result<Step, TableRefusal> {
        let Node { mut moment, mut has_sum } = *node;
        moment.deal(card, self.decide);
        if moment.is_over() {
            return Ok(match has_sum {
                false => Step { to: PAID | self.payoff(moment.payoff), output: NOTHING },
                true => Step {
                    to: SUMMED | small(moment.round.end()),
                    output: self.output(moment.payoff, [Payoff::default(); DEALER_ENDS]),
                },
            });
        }
        let mut released = [Payoff::default(); DEALER_ENDS];
        let releases = moment.round.release_complete_hands(&mut released[..R::ENDS]);
        assert!(releases || !has_sum, "a box with several hands has no fewer later");
        has_sum = releases;
        let mut output = NOTHING;
        if has_sum {
            output = self.output(std::mem::take(&mut moment.payoff), released);
        }
        moment.keep_essence();
        Ok(Step { to: self.visit(&Node { moment, has_sum }, cards + 1)?, output })
    }

    fn payoff(&mut self, payoff: Payoff) -> u32 {
        let payoffs = &mut self.states.payoffs;
        *self.payoff_numbers.entry(payoff).or_insert_with(|| {
            payoffs.push(payoff);
            small(payoffs.len() - 1)
        })
    }

    /// What was settled for good, and at each end.
    fn output(&mut self, settled: Payoff, released: [Payoff; DEALER_ENDS]) -> u32 {
        let main = settled.account.main.get();
        let gains = released.map(|at_end| main + at_end.account.main.get());
        let output = Output { gains, added: settled.added };
        let outputs = &mut self.states.outputs;
        *self.output_numbers.entry(output).or_insert_with(|| {
            outputs.push(output);
            small(outputs.len() - 1)
        })
    }
}

fn small(number: usize) -> u32 {
    u32::try_from(number).expect("a few million")
}

/// States put together: the class of each, and the steps of each class, which lead to classes.
struct MergedStates {
    width: usize,
    classes: Vec<u32>,
    steps: Vec<Step>,
}

impl MergedStates {
    /// Puts states together whose steps lead to the same classes with the same outputs. All that a
    /// state leads to has its class before it does, so there are as few classes as can be.
    fn of(states: &States) -> MergedStates {
        let width = states.width;
        let mut merged =
            MergedStates { width, classes: Vec::with_capacity(states.len()), steps: Vec::new() };
        let mut numbers = Numbered::default();
        let mut row = Vec::with_capacity(width);
        for steps in states.rows() {
            row.clear();
            row.extend(steps.iter().map(|&step| merged.class_step(step)));
            let class = match numbers.find(digest(&row), |class| merged.row(class) == row) {
                Ok(class) => class,
                Err(free) => {
                    let class = small(merged.len());
                    numbers.0.insert(free, class);
                    merged.steps.extend(&row);
                    class
                }
            };
            merged.classes.push(class);
        }
        merged
    }

    /// A step between states as one between their classes.
    fn class_step(&self, step: Step) -> Step {
        match step.target() {
            Target::State(state) => Step { to: self.classes[state as usize], ..step },
            _ => step,
        }
    }

    /// Proves the merge: for every state and every card, the class of the state leads to the class
    /// that the state leads to, with the same output.
    fn check(&self, states: &States) {
        assert_eq!(self.classes.len(), states.len());
        for (steps, &class) in states.rows().zip(&self.classes) {
            for (&step, &of_class) in steps.iter().zip(self.row(class)) {
                assert_eq!(self.class_step(step), of_class, "a merge is wrong");
            }
        }
    }

    fn len(&self) -> usize {
        self.steps.len() / self.width
    }

    fn row(&self, class: u32) -> &[Step] {
        &self.steps[class as usize * self.width..][..self.width]
    }

    /// Which cards do the same in every state: the column of each rank, and one rank of each column.
    fn columns(&self) -> (Vec<u8>, Vec<usize>) {
        let is_same = |one: usize, other: usize| {
            self.steps.chunks_exact(self.width).all(|row| row[one] == row[other])
        };
        let (mut columns, mut firsts) = (Vec::new(), Vec::<usize>::new());
        for rank in 0..self.width {
            let known = firsts.iter().position(|&first| is_same(first, rank));
            columns.push(u8::try_from(known.unwrap_or(firsts.len())).expect("a few ranks"));
            if known.is_none() {
                firsts.push(rank);
            }
        }
        (columns, firsts)
    }

    /// How often each class and each payoff comes in a round whose cards are drawn with these
    /// chances. A class has a higher number than those it leads to.
    fn visits(&self, states: &States, chances: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (mut visits, mut paid) = (vec![0.0; self.len()], vec![0.0; states.payoffs.len()]);
        let start = self.start();
        visits[start as usize] = 1.0;
        for class in (0..=start).rev() {
            for (step, chance) in self.row(class).iter().zip(chances) {
                let here = visits[class as usize] * chance;
                match step.target() {
                    Target::State(next) => visits[next as usize] += here,
                    Target::Paid(payoff) => paid[payoff as usize] += here,
                    Target::Summed(_) => {}
                }
            }
        }
        (visits, paid)
    }

    /// The class of the beginning, which is the last state.
    fn start(&self) -> u32 {
        *self.classes.last().expect("a round has a beginning")
    }

    /// Writes the classes down as a table.
    fn lay_out(
        &self,
        states: &States,
        plan: &Plan,
        ranks: &[Card],
    ) -> Result<CompleteTable, TableRefusal> {
        let (columns, firsts) = self.columns();
        let shoe = plan.shoe();
        let rank_of = |card: &Card| ranks.iter().position(|rank| rank.rank() == card.rank());
        let mut chances = vec![0.0; self.width];
        for card in shoe.new_cards() {
            chances[rank_of(card).expect("the deck has this rank")] +=
                1.0 / shoe.new_cards().len() as f64;
        }
        let (visits, paid) = self.visits(states, &chances);
        if self.len() * firsts.len() >= MOST_ENTRIES {
            return Err(TableRefusal::States(MOST_ENTRIES / firsts.len()));
        }
        let order = by_frequency(&visits, Some(self.start()));
        let mut places = vec![0; self.len()];
        for (place, &class) in order.iter().enumerate() {
            places[class as usize] = small(place * firsts.len());
        }
        let mut codes = Codes::new(states, by_frequency(&paid, None));
        self.check_sums(states, &codes)?;
        let mut entries = Vec::with_capacity(self.len() * firsts.len());
        for &class in &order {
            let row = self.row(class);
            for &rank in &firsts {
                let next = match row[rank].target() {
                    Target::State(next) => places[next as usize],
                    _ => 0,
                };
                entries.push(next << CODE_BITS | codes.of(row[rank])?);
            }
        }
        let mut column = [0; RANKS];
        for (rank, &of_rank) in ranks.iter().zip(&columns) {
            column[usize::from(symbol::<RANKS>(*rank)) % RANKS] = of_rank;
        }
        let deal = Deal {
            cards: shoe
                .new_cards()
                .iter()
                .map(|&card| column[usize::from(symbol::<RANKS>(card)) % RANKS])
                .collect(),
            handful: shoe.handful(),
            at_once: Shoe::AT_ONCE,
            burned: burned(plan.sheet()),
            behind: shoe.before_cut_card().map(|before| shoe.left() - before),
            shuffles: plan.shuffles_a_shoe(),
        };
        let common = codes.common.iter().map(|&payoff| states.payoffs[payoff as usize]).collect();
        Ok(CompleteTable {
            columns: firsts.len(),
            entries,
            specials: codes.specials,
            deal,
            common,
            unit: codes.unit,
            column,
            states_before: states.len(),
            build_time: Duration::ZERO,
        })
    }

    /// Checks that every byte of a sum stays a byte, whatever cards come.
    fn check_sums(&self, states: &States, codes: &Codes<'_>) -> Result<(), TableRefusal> {
        let mut ranges = vec![None; self.len()];
        let start = self.start();
        ranges[start as usize] = Some([[0_i64; 2]; DEALER_ENDS + 1]);
        for class in (0..=start).rev() {
            let Some(range) = ranges[class as usize] else { continue };
            for step in self.row(class) {
                let mut after = range;
                let output = &states.outputs[step.output as usize];
                for (range, amount) in after.iter_mut().zip(output.amounts()) {
                    *range = range.map(|sum| sum + amount / codes.unit);
                    if range[0] < -MIDDLE || range[1] >= MIDDLE {
                        return Err(TableRefusal::Amounts);
                    }
                }
                if let Target::State(next) = step.target() {
                    let known = ranges[next as usize].get_or_insert(after);
                    for (known, new) in known.iter_mut().zip(after) {
                        *known = [known[0].min(new[0]), known[1].max(new[1])];
                    }
                }
            }
        }
        let rare = codes.rare.iter().map(|&payoff| states.payoffs[payoff as usize]);
        let fits = |amount: i64| (-MIDDLE..MIDDLE).contains(&(amount / codes.unit));
        let all_fit = rare.into_iter().all(|one| fits(one.account.main.get()) && fits(one.added));
        if all_fit { Ok(()) } else { Err(TableRefusal::Amounts) }
    }
}

/// The codes of steps.
struct Codes<'a> {
    states: &'a States,
    /// Payoffs by code, and those that have no code of their own.
    common: Vec<u32>,
    rare: Vec<u32>,
    unit: i64,
    specials: Vec<Special>,
}

impl Codes<'_> {
    /// Codes for the payoffs that are most common.
    fn new(states: &States, mut common: Vec<u32>) -> Codes<'_> {
        let rare = common.split_off(common.len().min(COMMON));
        let payoffs = rare.iter().map(|&payoff| &states.payoffs[payoff as usize]);
        let amounts = payoffs.flat_map(|payoff| [payoff.account.main.get(), payoff.added]);
        let all = amounts.chain(states.outputs.iter().flat_map(Output::amounts));
        let unit = all.fold(0, common_divisor).max(1);
        Codes { states, common, rare, unit, specials: Vec::new() }
    }

    fn of(&mut self, step: Step) -> Result<u32, TableRefusal> {
        let output = self.states.outputs[step.output as usize];
        let special = match step.target() {
            Target::State(_) if step.output == NOTHING => return Ok(small(COMMON)),
            Target::State(_) => Special { delta: self.delta(output), end_byte: GOES_ON },
            Target::Summed(end_byte) => Special { delta: self.delta(output), end_byte },
            Target::Paid(payoff) => {
                if let Some(place) = self.common.iter().position(|&common| common == payoff) {
                    return Ok(small(place));
                }
                let Payoff { account, added } = self.states.payoffs[payoff as usize];
                let output = Output { gains: [account.main.get(); DEALER_ENDS], added };
                Special { delta: self.delta(output), end_byte: 0 }
            }
        };
        let known = self.specials.iter().position(|known| *known == special);
        let place = known.unwrap_or(self.specials.len());
        if known.is_none() {
            self.specials.push(special);
        }
        match COMMON + 1 + place {
            code if code < CODES => Ok(small(code)),
            _ => Err(TableRefusal::Outputs),
        }
    }

    /// Amounts as bytes that are added all at once.
    fn delta(&self, output: Output) -> u64 {
        let bytes = output.amounts().map(|amount| (amount / self.unit).cast_unsigned());
        bytes.zip((0..).step_by(8)).fold(0, |sum, (byte, shift)| sum.wrapping_add(byte << shift))
    }
}

fn common_divisor(one: i64, other: i64) -> i64 {
    let (mut one, mut other) = (one.abs(), other.abs());
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// All numbers below the length, the most frequent ones first; one of them before all others.
fn by_frequency(visits: &[f64], first: Option<u32>) -> Vec<u32> {
    let mut order: Vec<u32> = (0..small(visits.len())).collect();
    order.sort_by(|&one, &other| {
        let of = |number: u32| (Some(number) == first, visits[number as usize]);
        let ((one_first, one), (other_first, other)) = (of(one), of(other));
        other_first.cmp(&one_first).then(other.total_cmp(&one))
    });
    order
}

fn digest(row: &[Step]) -> u64 {
    row.iter().fold(0, |digest, step| {
        let number = u64::from(step.to) << 32 | u64::from(step.output);
        let mixed = (digest ^ number).wrapping_mul(0x9fb2_1c65_1e98_df25);
        mixed ^ mixed >> 29
    })
}

// The proof of a table

impl CompleteTable {
    /// Proves that every round of a plan comes to what the table says, whatever cards come: walks all
    /// rounds with all their hands beside the table, and compares every step. Answers with the number
    /// of states that it has compared.
    ///
    /// # Panics
    ///
    /// Where a round comes to something else, or ends elsewhere.
    pub fn prove(&self, plan: &Plan) -> usize {
        self.prove_for(plan, |_| true)
    }

    /// The same for all rounds whose cards have certain ranks.
    fn prove_for(&self, plan: &Plan, has: impl Fn(Card) -> bool) -> usize {
        let ranks = ranks(plan.sheet().game()).filter(|card| has(*card)).collect();
        plan.compile(Beside { table: self, ranks }).expect("a table is that of a plan")
    }

    /// Deals a card; answers with the net gain and what was added where it ends the round.
    fn follow(&self, row: &mut usize, sum: &mut u64, card: Card) -> Option<(i64, i64)> {
        let entry = self.entry(*row, card);
        *row = (entry >> CODE_BITS) as usize;
        let mut counts = Counts::default();
        if !counts.take(entry as usize % CODES, sum, &self.specials) {
            return None;
        }
        Some(match counts.common.iter().position(|&count| count == 1) {
            Some(end) => (self.common[end].account.main.get(), self.common[end].added),
            None => {
                let net = (-MIDDLE..).zip(&counts.nets).find(|(_, count)| **count == 1);
                let (net, _) = net.expect("a round that ends is counted");
                (net * self.unit, counts.added * self.unit)
            }
        })
    }
}

/// Rounds that keep all their hands, walked beside a table.
struct Beside<'a> {
    table: &'a CompleteTable,
    ranks: Vec<Card>,
}

/// A round between two cards with all its hands, and the table's row and sum for it.
#[derive(Clone, Copy, PartialEq)]
struct Pair<R> {
    moment: Moment<R>,
    row: usize,
    sum: u64,
}

impl Compile for Beside<'_> {
    type Compiled = usize;

    fn round<R, D>(self, start: R, decide: D) -> usize
    where
        R: Essence + Send + 'static,
        D: Decide<R> + Send + 'static,
    {
        let mut moment = Moment::begin(start, &decide);
        moment.keep_essence();
        let mut pairs = vec![Pair { moment, row: 0, sum: NO_SUM }];
        let (mut numbers, mut next) = (Numbered::default(), 0);
        while let Some(&pair) = pairs.get(next) {
            next += 1;
            for &card in &self.ranks {
                let Pair { mut moment, mut row, mut sum } = pair;
                moment.deal(card, &decide);
                let end = self.table.follow(&mut row, &mut sum, card);
                if moment.is_over() {
                    let Payoff { account, added } = moment.payoff;
                    assert_eq!(end, Some((account.main.get(), added)), "{:?}", pair.moment.round);
                    continue;
                }
                assert_eq!(end, None, "{:?}", pair.moment.round);
                moment.keep_essence();
                let after = Pair { moment, row, sum };
                let is_it = |number: u32| pairs[number as usize] == after;
                if let Err(free) = numbers.find(moment.digest() ^ sum ^ row as u64, is_it) {
                    numbers.0.insert(free, small(pairs.len()));
                    pairs.push(after);
                }
            }
        }
        pairs.len()
    }
}

/// A card of each rank of a game's decks.
fn ranks(game: Game) -> impl Iterator<Item = Card> {
    deck(game).step_by(4)
}

#[cfg(test)]
mod tests {
    use rules::terms::TermSheet;

    use super::*;
    use crate::simulate::Strategy;

    fn table(game: Game, strategy: &str) -> (Plan, CompleteTable) {
        let sheet = TermSheet::new(game);
        let strategy = Strategy::named(&sheet, strategy).unwrap();
        let plan = Plan::new(sheet, strategy, 1).unwrap();
        let table = plan.complete_table().unwrap();
        (plan, table)
    }

    #[test]
    fn every_round_is_the_same_with_all_its_hands() {
        for (game, strategy, least) in
            [(Game::CasinoWar, "war", 200), (Game::DoubleAttack, "basic", 50_000)]
        {
            let (plan, table) = table(game, strategy);
            assert!(table.prove(&plan) > least, "{game}");
        }
    }

    /// Pairs that are split again and again, and what completes or busts their hands.
    #[test]
    fn every_round_of_some_ranks_is_the_same_with_all_its_hands() {
        for game in [Game::DoubleDeck, Game::FreeBet] {
            let (plan, table) = table(game, "basic");
            for some in [&[3, 8, 14][..], &[5, 7, 13], &[2, 9, 6, 4]] {
                let states = table.prove_for(&plan, |card| some.contains(&symbol::<RANKS>(card)));
                assert!(states > 500, "{game} {some:?}: {states}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "left")]
    fn a_wrong_entry_is_found() {
        let (plan, mut table) = table(Game::CasinoWar, "war");
        let mut entries = table.entries.iter_mut().rev();
        *entries.find(|entry| **entry as usize % CODES == 2).unwrap() -= 1;
        table.prove(&plan);
    }

    /// Thirteen ranks, and what each of them can still become: 31 states of a war.
    #[test]
    fn states_that_go_on_alike_are_one() {
        let (_, war) = table(Game::CasinoWar, "war");
        assert_eq!((war.columns, war.rows(), war.states_before), (13, 31, 235));
        let (_, deck) = table(Game::DoubleDeck, "basic");
        assert_eq!(deck.columns, 10);
        assert!(deck.rows() < deck.states_before / 2);
        assert!(deck.bytes() < 1_000_000);
    }
}
