//! Every state that cards can lead to.

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasherDefault;

use rules::card::Card;
use rules::essence::Essence;
use rules::shoe::MOST_CARDS;

use super::super::automaton::{AsIs, Moment, RANKS};
use super::{DEALER_ENDS, TableRefusal};
use crate::simulate::account::Payoff;
use crate::simulate::decide::Decide;

/// Where a step leads: to a state, to an end with a payoff, or to the end whose byte of the sum is the net gain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    State(u32),
    Paid(u32),
    Summed(u32),
}

/// One card in one state: where it leads, and which output it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) to: u32,
    pub(super) output: u32,
}

const PAID: u32 = 1 << 30;
const SUMMED: u32 = 1 << 31;

impl Step {
    pub(super) fn target(self) -> Target {
        match self.to {
            to if to & SUMMED != 0 => Target::Summed(to & !SUMMED),
            to if to & PAID != 0 => Target::Paid(to & !PAID),
            to => Target::State(to),
        }
    }
}

/// What a step earns: at each end of the dealer's hand, and what it adds to the wager; in cents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Output {
    pub(super) gains: [i64; DEALER_ENDS],
    pub(super) added: i64,
}

impl Output {
    pub(super) fn amounts(&self) -> impl Iterator<Item = i64> {
        self.gains.into_iter().chain([self.added])
    }
}

/// The number of no output.
pub(super) const NOTHING: u32 = 0;

/// A round between two cards, and whether what it comes to is in a sum from now on.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Node<R> {
    moment: Moment<R>,
    has_sum: bool,
}

/// Things by a digest, or one behind it: compared, not only hashed.
#[derive(Default)]
pub(super) struct DigestIndex(pub(super) HashMap<u64, u32, BuildHasherDefault<AsIs>>);

impl DigestIndex {
    /// The number of a thing, or the free digest for it.
    pub(super) fn find(&self, mut digest: u64, is_it: impl Fn(u32) -> bool) -> Result<u32, u64> {
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
pub(super) struct States {
    pub(super) width: usize,
    steps: Vec<Step>,
    pub(super) outputs: Vec<Output>,
    pub(super) payoffs: Vec<Payoff>,
}

/// Walks from state to state.
struct StateWalk<'a, R, D> {
    decide: &'a D,
    ranks: &'a [Card],
    most: usize,
    numbers: DigestIndex,
    nodes: Vec<Node<R>>,
    /// The places of the nodes among the states; [`UNKNOWN`] until all that follows is known.
    places: Vec<u32>,
    output_numbers: BTreeMap<Output, u32>,
    payoff_numbers: BTreeMap<Payoff, u32>,
    states: States,
}

const UNKNOWN: u32 = u32::MAX;

impl States {
    pub(super) fn walk<R: Essence, D: Decide<R>>(
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
        let mut walk = StateWalk {
            decide,
            ranks,
            most,
            numbers: DigestIndex::default(),
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

    pub(super) fn len(&self) -> usize {
        self.steps.len() / self.width
    }

    pub(super) fn rows(&self) -> impl DoubleEndedIterator<Item = &[Step]> + ExactSizeIterator {
        self.steps.chunks_exact(self.width)
    }
}

impl<R: Essence, D: Decide<R>> StateWalk<'_, R, D> {
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

pub(super) fn small(number: usize) -> u32 {
    u32::try_from(number).expect("a few million")
}
