//! The proof of a table: all rounds with all their hands beside it.

use rules::card::Card;
use rules::essence::Essence;

use super::super::automaton::Moment;
use super::states::{DigestIndex, small};
use super::{CODE_BITS, CODES, CompleteTable, MIDDLE, NO_SUM, TableCounts, ranks};
use crate::simulate::account::Payoff;
use crate::simulate::decide::Decide;
use crate::simulate::plan::Plan;
use crate::simulate::play::Compile;

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
        plan.compile(Proof { table: self, ranks }).expect("a table is that of a plan")
    }

    /// Deals a card; answers with the net gain and what was added where it ends the round.
    fn follow(&self, row: &mut usize, sum: &mut u64, card: Card) -> Option<(i64, i64)> {
        let entry = self.entry(*row, card);
        *row = (entry >> CODE_BITS) as usize;
        let mut counts = TableCounts::default();
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
struct Proof<'a> {
    table: &'a CompleteTable,
    ranks: Vec<Card>,
}

/// A round between two cards with all its hands, and the table's row and sum for it.
#[derive(Clone, Copy, PartialEq)]
struct RoundBesideTable<R> {
    moment: Moment<R>,
    row: usize,
    sum: u64,
}

impl Compile for Proof<'_> {
    type Compiled = usize;

    fn round<R, D>(self, start: R, decide: D) -> usize
    where
        R: Essence + Send + 'static,
        D: Decide<R> + Send + 'static,
    {
        let mut moment = Moment::begin(start, &decide);
        moment.keep_essence();
        let mut pairs = vec![RoundBesideTable { moment, row: 0, sum: NO_SUM }];
        let (mut numbers, mut next) = (DigestIndex::default(), 0);
        while let Some(&pair) = pairs.get(next) {
            next += 1;
            for &card in &self.ranks {
                let RoundBesideTable { mut moment, mut row, mut sum } = pair;
                moment.deal(card, &decide);
                let end = self.table.follow(&mut row, &mut sum, card);
                if moment.is_over() {
                    let Payoff { account, added } = moment.payoff;
                    assert_eq!(end, Some((account.main.get(), added)), "{:?}", pair.moment.round);
                    continue;
                }
                assert_eq!(end, None, "{:?}", pair.moment.round);
                moment.keep_essence();
                let after = RoundBesideTable { moment, row, sum };
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

#[cfg(test)]
mod tests {
    use rules::terms::TermSheet;
    use rules::wager::Game;

    use super::super::super::automaton::{RANKS, symbol};
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
