//! A table at which chance plays: no order is known, and cards are entered as they are drawn.

use std::collections::BTreeMap;

use rules::card::Card;
use rules::money::Cents;
use rules::round::{Act, Awaits, Call, Round};
use rules::shoe::{deck, decks};
use rules::table::{
    Account, Choice, Cutter, Input, Name, Order, Table, TableAwaits, TableEvent, TableRefusal,
};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game};

use super::numbers::Numbers;

/// What everyone bets.
pub(crate) const WAGER: Cents = Cents::new(1000);

pub(crate) struct Sitting {
    pub(crate) table: Table,
    pub(crate) chance: Numbers,
    /// The card face down before the dealer.
    pub(crate) hole: Option<Card>,
    /// What is left in the shoe, in no order.
    left: Vec<Card>,
    /// What was told since the last bets were closed.
    pub(crate) round: Vec<TableEvent>,
    /// What every account holds, by what the table told.
    money: BTreeMap<String, Cents>,
}

pub(crate) fn supervisor() -> Name {
    "eve".parse().unwrap()
}

impl Sitting {
    /// Three people with chips.
    pub(crate) fn new(game: Game, terms: &[(&str, &str)], seed: u64) -> Sitting {
        let mut sheet = TermSheet::new(game);
        sheet.set(terms.iter().copied()).unwrap();
        let mut sitting = Sitting {
            table: Table::new(sheet),
            chance: Numbers(seed),
            hole: None,
            left: Vec::new(),
            round: Vec::new(),
            money: BTreeMap::new(),
        };
        for (seat, name) in [(0, "ann"), (2, "bob"), (5, "cid")] {
            sitting.line(&format!("sit {} {name}", seat + 1));
            sitting.line(&format!("buy-in {} 1000", seat + 1));
        }
        sitting
    }

    pub(crate) fn line(&mut self, line: &str) {
        let input = line.parse().unwrap_or_else(|_| panic!("{line}"));
        self.apply(&input).unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
    }

    pub(crate) fn apply(&mut self, input: &Input) -> Result<(), TableRefusal> {
        let mut events = Vec::new();
        self.table.apply(input, &mut events)?;
        if *input == Input::Deal {
            self.round.clear();
        }
        self.count(&events);
        self.follow(input, &events);
        self.round.append(&mut events);
        Ok(())
    }

    /// Follows the cards out of the shoe.
    fn follow(&mut self, input: &Input, events: &[TableEvent]) {
        match input {
            Input::Card(Some(card)) => self.take(*card),
            Input::Card(None) => {
                let card = self.card();
                self.take(card);
                self.hole = Some(card);
            }
            _ => {}
        }
        for event in events {
            match *event {
                TableEvent::Drawn(card) => self.take(card),
                TableEvent::Shuffled { .. } | TableEvent::Loaded { .. } => self.refill(),
                _ => {}
            }
        }
    }

    /// All cards are in the shoe but those on the layout.
    fn refill(&mut self) {
        let sheet = self.table.sheet();
        self.left = (0..decks(sheet)).flat_map(|_| deck(sheet.game())).collect();
        for card in self.table.layout() {
            let card = card.or(self.hole).unwrap();
            self.take(card);
        }
    }

    fn take(&mut self, card: Card) {
        let at = self.left.iter().position(|other| *other == card).expect("the shoe has it");
        self.left.swap_remove(at);
    }

    /// Counts money: it only moves, nobody owes any, and what lies on the layout is a round's.
    fn count(&mut self, events: &[TableEvent]) {
        for event in events {
            let TableEvent::Moved(transfer) = event else { continue };
            assert!(transfer.amount > Cents::ZERO, "{transfer}");
            *self.money.entry(transfer.from.to_string()).or_default() += -transfer.amount;
            *self.money.entry(transfer.to.to_string()).or_default() += transfer.amount;
        }
        let holds = |account: &Account| {
            self.money.get(&account.to_string()).copied().unwrap_or(Cents::ZERO)
        };
        for (bettor, chair) in self.table.everyone() {
            assert_eq!(chair.rack, holds(&Account::Rack(bettor)), "{bettor}");
        }
        let escrow = holds(&Account::Escrow);
        assert!(escrow >= Cents::ZERO);
        assert!(self.table.round().is_some() || escrow == Cents::ZERO, "{escrow} is left over");
        assert_eq!(self.money.values().copied().sum::<Cents>(), Cents::ZERO);
    }

    /// A card that may come next; any one where the shoe is empty.
    pub(crate) fn card(&mut self) -> Card {
        match self.left.is_empty() {
            true => Card::DECK[0],
            false => self.chance.one_of(&self.left),
        }
    }

    /// The next card; in Casino War often one that makes a tie, for the sake of wars.
    fn dealt(&mut self) -> Card {
        let before = self.table.layout().last().copied().flatten();
        let ties = |card: &&Card| before.is_some_and(|before| before.rank() == card.rank());
        let ties: Vec<Card> = self.left.iter().filter(ties).copied().collect();
        let wants_war = self.table.sheet().game() == Game::CasinoWar && self.chance.below(2) == 0;
        if wants_war && !ties.is_empty() { self.chance.one_of(&ties) } else { self.card() }
    }

    /// Does what the table waits for.
    pub(crate) fn step(&mut self) {
        let input = self.next();
        self.apply(&input).unwrap_or_else(|refusal| panic!("{input}: {refusal}"));
    }

    fn next(&mut self) -> Input {
        match self.table.awaits() {
            TableAwaits::Inspection(bettor) => Input::Inspect { bettor },
            TableAwaits::Shuffle => {
                Input::Shuffle { seal: None, steps: self.table.usual_shuffle() }
            }
            TableAwaits::Cut(by @ Cutter::Dealer) => {
                Input::Cut { by, at: Some(self.table.cut_bounds().0) }
            }
            TableAwaits::Cut(by) => Input::Cut { by, at: None },
            TableAwaits::Wagers => self.wager(),
            TableAwaits::Round(awaits) => self.answer(awaits),
            TableAwaits::Supervisor(_) => {
                let order = self.chance.one_of(&self.table.outcomes());
                Input::Order { order, by: supervisor(), card: None, because: None }
            }
            TableAwaits::Choice(bettor) => {
                let missed = self.table.clone();
                let fits = |choice: &Choice| {
                    let input = Input::Choose { bettor, choice: *choice };
                    missed.clone().apply(&input, &mut Vec::new()).is_ok()
                };
                let fitting: Vec<Choice> = Choice::ALL.into_iter().filter(fits).collect();
                assert_eq!(fitting.len(), 2, "a choice is between two things");
                Input::Choose { bettor, choice: self.chance.one_of(&fitting) }
            }
            TableAwaits::Repair => {
                Input::Order { order: Order::Repaired, by: supervisor(), card: None, because: None }
            }
            awaits => panic!("the table awaits {awaits}"),
        }
    }

    /// Someone bets, or the bets are closed.
    fn wager(&mut self) -> Input {
        if self.table.outcomes().contains(&Order::Repaired) {
            return Input::Order {
                order: Order::Repaired,
                by: supervisor(),
                card: None,
                because: None,
            };
        }
        let may_bet = |bettor: &Bettor| {
            let wager = Input::Wager { bettor: *bettor, amounts: vec![(Circle::Main, WAGER)] };
            self.table.clone().apply(&wager, &mut Vec::new()).is_ok()
        };
        let idle = self
            .table
            .everyone()
            .filter(|(_, chair)| chair.wager.is_empty() && chair.rack.get() > 10_000);
        let idle: Vec<Bettor> = idle.map(|(bettor, _)| bettor).filter(may_bet).collect();
        let anyone = self.table.everyone().any(|(_, chair)| !chair.wager.is_empty());
        if idle.is_empty() && !anyone {
            // Nobody has chips, or may begin in mid-shoe.
            return match self.table.everyone().all(|(_, chair)| chair.rack.get() <= 10_000) {
                true => "buy-in 1 1000".parse().unwrap(),
                false => "order reshuffle by eve".parse().unwrap(),
            };
        }
        if idle.is_empty() || (anyone && self.chance.below(3) == 0) {
            return Input::Deal;
        }
        let amounts = vec![(Circle::Main, WAGER)];
        Input::Wager { bettor: self.chance.one_of(&idle), amounts }
    }

    fn answer(&mut self, awaits: Awaits) -> Input {
        match awaits {
            Awaits::Card(_) => Input::Card(Some(self.dealt())),
            Awaits::FaceDown(_) => Input::Card(None),
            Awaits::Peek => {
                let round = *self.table.round().unwrap();
                Input::Peek(round.reader_answer(self.hole.unwrap()))
            }
            Awaits::Turn => Input::Turn(self.hole.unwrap()),
            Awaits::Acts(asked) => {
                let asked: Vec<Bettor> = asked.iter().collect();
                let bettor = self.chance.one_of(&asked);
                let mut calls: Vec<Call> = self.table.offers(bettor).iter().collect();
                // Splitting is rare enough as it is.
                if calls.contains(&Call::Split) {
                    calls = vec![Call::Split];
                }
                Input::Act { bettor, act: Act::Call(self.chance.one_of(&calls)) }
            }
            Awaits::Nobody => unreachable!("the round is over"),
        }
    }
}
