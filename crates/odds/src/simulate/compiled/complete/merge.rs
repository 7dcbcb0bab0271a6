//! States that go on alike put together, and written down as a table.

use std::time::Duration;

use rules::card::Card;
use rules::shoe::{Shoe, burned};

use super::super::automaton::{RANKS, symbol};
use super::states::{DigestIndex, NOTHING, Output, States, Step, Target, small};
use super::{
    CODE_BITS, CODES, COMMON, CompleteTable, DEALER_ENDS, Deal, GOES_ON, MIDDLE, MOST_ENTRIES,
    Special, TableRefusal,
};
use crate::simulate::account::Payoff;
use crate::simulate::plan::Plan;

/// States put together: the class of each, and the steps of each class, which lead to classes.
pub(super) struct MergedStates {
    width: usize,
    classes: Vec<u32>,
    steps: Vec<Step>,
}

impl MergedStates {
    /// Puts states together whose steps lead to the same classes with the same outputs. All that a
    /// state leads to has its class before it does, so there are as few classes as can be.
    pub(super) fn of(states: &States) -> MergedStates {
        let width = states.width;
        let mut merged =
            MergedStates { width, classes: Vec::with_capacity(states.len()), steps: Vec::new() };
        let mut numbers = DigestIndex::default();
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
    pub(super) fn check(&self, states: &States) {
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
    pub(super) fn lay_out(
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
