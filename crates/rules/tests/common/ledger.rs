//! The money of a round, wager by wager, kept from its events alone.

use std::collections::BTreeMap;

use rules::money::{Breakage, Cents, Chips, Odds};
use rules::round::{Act, Event, Ruling, Settlement};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game};

use super::table::Table;
use super::{Law, ensure};

/// The name of a wager: whose, on which hand and circle, and whether it is a lammer.
type Name = (Bettor, u8, Circle, bool);

/// Every wager on the table, and what has been spent.
pub(crate) struct Ledger<'a> {
    table: &'a Table,
    open: BTreeMap<Name, Chips>,
    spent: BTreeMap<Bettor, Cents>,
    /// The hand of each box that was split last.
    split: BTreeMap<usize, u8>,
    /// What each hand has won in Double Down Stud, for its payout limit.
    won: BTreeMap<Bettor, Cents>,
    /// What was staked on each surrendered hand of Double Attack, and what it gained.
    halves: BTreeMap<(Bettor, u8), (Chips, Cents)>,
    awarded: Cents,
}

impl<'a> Ledger<'a> {
    pub(crate) fn new(table: &'a Table) -> Ledger<'a> {
        Ledger {
            table,
            open: BTreeMap::new(),
            spent: BTreeMap::new(),
            split: BTreeMap::new(),
            won: BTreeMap::new(),
            halves: BTreeMap::new(),
            awarded: Cents::ZERO,
        }
    }

    /// Reads every event of a finished round: each wager is paid from a rack that holds it, and
    /// decided once, for what the ruling allows.
    pub(crate) fn read(table: &Table, events: impl Iterator<Item = Event>) -> Law {
        let mut ledger = Ledger::new(table);
        for event in events {
            ledger.note(event)?;
        }
        ensure!(ledger.open.is_empty(), "never decided: {:?}", ledger.open);
        for (whose, (stakes, gain)) in &ledger.halves {
            let allowed = ledger.allowed(Ruling::TakeHalf, *stakes);
            ensure!(gain.get() == allowed, "{whose:?}: half of {stakes} is {gain}, not {allowed}");
        }
        Ok(())
    }

    fn allowed(&self, ruling: Ruling, stake: Chips) -> i64 {
        allowed_gain(ruling, stake, self.table.breakage(), &self.table.sheet)
    }

    fn note(&mut self, event: Event) -> Law {
        match event {
            Event::Staked { bettor, hand, circle, amount } => {
                ensure!(!amount.is_zero(), "nothing was staked: {event:?}");
                self.spend(bettor, amount)?;
                self.lay((bettor, hand, circle, false), amount)
            }
            Event::Lammer { bettor, hand, circle, value } => {
                self.lay((bettor, hand, circle, true), value)
            }
            Event::Split { seat, hand } => {
                self.make_room(seat.into(), hand);
                Ok(())
            }
            Event::Acted(bettor, Act::Hand(number)) => {
                self.name_hand(bettor, number);
                Ok(())
            }
            Event::Settled(settlement) => {
                self.pay(settlement);
                self.settle(settlement)
            }
            Event::BoughtIn { bettor, amount } => {
                *self.spent.entry(self.table.rack(bettor)).or_default() -= amount;
                Ok(())
            }
            Event::Awarded { bettor, circle, amount, .. } => self.award(bettor, circle, amount),
            _ => Ok(()),
        }
    }

    fn lay(&mut self, name: Name, amount: Chips) -> Law {
        let before = self.open.insert(name, amount);
        ensure!(before.is_none(), "{name:?} is staked twice");
        Ok(())
    }

    /// No rack goes below nothing.
    fn spend(&mut self, bettor: Bettor, amount: Chips) -> Law {
        let rack = self.table.rack(bettor);
        let spent = self.spent.entry(rack).or_default();
        *spent += amount.into();
        let mut bankrolls = self.table.bankrolls.iter().rev();
        if let Some((_, most)) = bankrolls.find(|(other, _)| self.table.rack(*other) == rack) {
            ensure!(*spent <= *most, "{bettor} spent {spent} of {most}");
        }
        Ok(())
    }

    /// What is won or returned lies in the rack at once (G-07); a lammer is the dealer's.
    fn pay(&mut self, Settlement { bettor, stake, lammer, gain, .. }: Settlement) {
        let stake = if lammer { Cents::ZERO } else { stake.into() };
        *self.spent.entry(self.table.rack(bettor)).or_default() -= stake + gain;
    }

    /// The hands right of a split one move on by one; what lies before the box does not.
    fn make_room(&mut self, seat: usize, split: u8) {
        self.split.insert(seat, split);
        self.rename(|(bettor, hand, circle, lammer)| {
            let moves = bettor.seat() == seat && hand > split && lies_on_a_hand(circle);
            (bettor, hand + u8::from(moves), circle, lammer)
        });
    }

    /// A co-bettor's wager goes along with the hand that was named (DAB-13-f).
    fn name_hand(&mut self, by: Bettor, number: u8) {
        let split = self.split[&by.seat()];
        self.rename(|(bettor, hand, circle, lammer)| {
            let moves = bettor == by && hand == split && lies_on_a_hand(circle);
            (bettor, if moves { number - 1 } else { hand }, circle, lammer)
        });
    }

    fn rename(&mut self, new: impl Fn(Name) -> Name) {
        self.open = std::mem::take(&mut self.open)
            .into_iter()
            .map(|(name, amount)| (new(name), amount))
            .collect();
    }

    fn settle(&mut self, settlement: Settlement) -> Law {
        let Settlement { bettor, hand, circle, stake, lammer, ruling, gain, .. } = settlement;
        let open = self.open.remove(&(bettor, hand, circle, lammer));
        ensure!(open == Some(stake), "{settlement:?} of a wager of {open:?}");
        ensure!(is_listed(&self.table.sheet, circle, ruling), "no such odds: {settlement:?}");
        let lost_lammer = lammer && gain < Cents::ZERO;
        ensure!(!lost_lammer, "a lammer is nobody's loss: {settlement:?}");
        ensure!(gain >= -Cents::from(stake), "more lost than staked: {settlement:?}");
        if ruling == Ruling::TakeHalf && self.table.game() == Game::DoubleAttack {
            // DAB-R06: half of all that lies on the hand together.
            let (stakes, gains) = self.halves.entry((bettor, hand)).or_default();
            *stakes = *stakes + stake;
            *gains += gain;
            ensure!(gain <= Cents::ZERO, "half is no gain: {settlement:?}");
            return Ok(());
        }
        let allowed = self.allowed(ruling, stake);
        self.hold_to_payout_limit(bettor, allowed, settlement)
    }

    /// Gains are exactly what the ruling allows, up to a limit per hand where there is one
    /// (DDS-10-c).
    fn hold_to_payout_limit(&mut self, bettor: Bettor, allowed: i64, settled: Settlement) -> Law {
        let limit = match self.table.game() {
            Game::DoubleDownStud => self.table.sheet.number("payout_limit"),
            _ => None,
        };
        let won = self.won.entry(bettor).or_default();
        let left = limit.map_or(i64::MAX, |limit| i64::from(limit) - won.get());
        let expected = allowed.min(left);
        ensure!(settled.gain == Cents::new(expected), "{settled:?}, expected {expected} cents");
        *won += settled.gain.max(Cents::ZERO);
        Ok(())
    }

    /// The meter and envy (CW-11-b, CW-11-envy-a, CW-R19, CW-R21).
    fn award(&mut self, bettor: Bettor, circle: Circle, amount: Cents) -> Law {
        ensure!(amount > Cents::ZERO, "an award of {amount}");
        let slips = self.table.bettors().into_iter().map(|b| self.table.wagers.slip(b).progressive);
        if circle == Circle::Envy {
            let stake = i64::from(self.table.wagers.slip(bettor).progressive.get());
            ensure!(stake > 0 && amount.get() % (stake / 500 * 100_000) == 0, "envy of {amount}");
            return Ok(());
        }
        ensure!(circle == Circle::Progressive, "an award on {circle}");
        self.awarded += amount;
        // Everything staked bounds the contributions; later winners in turn get the seed, and
        // equal shares are raised to the cent.
        let staked: Cents = slips.map(Cents::from).sum();
        let seed = i64::from(self.table.sheet.number("progressive_seed").unwrap());
        let others = match self.table.sheet.word("progressive_shared") {
            "equal" => 6,
            _ => 6 * seed,
        };
        let most = self.table.meter() + staked + Cents::new(others);
        ensure!(self.awarded <= most, "awarded {} of a meter of {most}", self.awarded);
        Ok(())
    }
}

/// Whether a wager goes where its hand goes.
fn lies_on_a_hand(circle: Circle) -> bool {
    matches!(circle, Circle::Main | Circle::Attack | Circle::Split | Circle::Double)
}

/// What a stake may gain, in whole cents, worked out here from the words of the odds.
fn allowed_gain(ruling: Ruling, stake: Chips, breakage: Breakage, sheet: &TermSheet) -> i64 {
    let stake = i64::from(stake.get());
    let unit = match breakage == Breakage::EXACT {
        true => 1,
        false => i64::from(sheet.number("chip_unit").unwrap()),
    };
    let raised = |amount: i64, parts: i64| (amount + parts * unit - 1) / (parts * unit) * unit;
    let won = |odds: Odds| {
        let (pays, to) = pair(odds);
        if to == 1 { stake * pays } else { raised(stake * pays, to) }
    };
    match ruling {
        Ruling::Pay(odds) => won(odds),
        Ruling::PayAndCollect(odds) => won(odds) - stake,
        Ruling::Push | Ruling::Return => 0,
        Ruling::Take => -stake,
        Ruling::TakeHalf => raised(stake, 2).min(stake) - stake,
    }
}

/// `3 to 2` as its numbers.
fn pair(odds: Odds) -> (i64, i64) {
    let words = odds.to_string();
    let (pays, to) = words.split_once(" to ").expect("odds are stated with to");
    (pays.parse().unwrap(), to.parse().unwrap())
}

/// Whether the rule book lists what the ruling does for wagers on this circle.
fn is_listed(sheet: &TermSheet, circle: Circle, ruling: Ruling) -> bool {
    use Circle::{
        Attack, Bonus, Double, Insurance, Main, Progressive, Push22, Split, Tie, War, WarTie,
    };
    let game = sheet.game();
    let odds = match ruling {
        Ruling::Pay(odds) if circle != Progressive => pair(odds),
        Ruling::PayAndCollect(odds) if circle == Progressive => pair(odds),
        Ruling::Pay(_) | Ruling::PayAndCollect(_) => return false,
        Ruling::TakeHalf => {
            return match game {
                Game::CasinoWar => circle == Main,
                Game::DoubleAttack => lies_on_a_hand(circle),
                _ => false,
            };
        }
        Ruling::Push | Ruling::Take | Ruling::Return => return true,
    };
    let listed: &[(i64, i64)] = match (game, circle) {
        // CW-9-a-1, CW-9-a-2, CW-9-a-3, CW-11-c
        (Game::CasinoWar, Main) => &[(1, 1)],
        (Game::CasinoWar, Tie | WarTie) => &[(10, 1)],
        (Game::CasinoWar, War) => &[(1, 1), (2, 1)],
        (Game::CasinoWar, Progressive) => {
            &[(5, 1), (15, 1), (30, 1), (150, 1), (200, 1), (1000, 1)]
        }
        // DDS-10-b
        (Game::DoubleDownStud, Main | Double) => {
            let pays = sheet.entries().filter(|(term, _)| term.key.starts_with("pays_"));
            let mut pays = pays.map(|(_, odds)| odds.parse::<i64>().unwrap());
            return odds.1 == 1 && pays.any(|pays| pays == odds.0);
        }
        // DDB-P3, DDB-P9, DDB-P21
        (Game::DoubleDeck | Game::FreeBet, Main) => &[(1, 1), (3, 2)],
        (Game::DoubleDeck | Game::FreeBet, Insurance) => &[(2, 1)],
        // DAB-5-e, DAB-6-d-2, DAB-6-d-3, DAB-11-c
        (Game::DoubleAttack, Main | Attack) => &[(1, 1)],
        (Game::DoubleAttack, Insurance) => &[(5, 2)],
        (Game::DoubleAttack, Bonus) => {
            &[(3, 1), (6, 1), (8, 1), (10, 1), (15, 1), (50, 1), (200, 1)]
        }
        // FBB-10-c
        (Game::FreeBet, Push22) if sheet.word("push22_paytable") == "B" => {
            &[(50, 1), (20, 1), (7, 1)]
        }
        (Game::FreeBet, Push22) => &[(50, 1), (20, 1), (8, 1)],
        (_, Split | Double) if game != Game::CasinoWar => &[(1, 1)],
        _ => &[],
    };
    listed.contains(&odds)
}
