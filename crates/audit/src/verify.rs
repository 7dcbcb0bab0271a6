//! Verifies a log: chain, commitments, rules and money.

use std::collections::BTreeMap;
use std::fmt;
use std::io::BufRead;

use rules::RULES_VERSION;
use rules::money::Cents;
use rules::table::{Account, Input, Table, TableEvent, Transfer};
use rules::wager::{Bettor, MOST_BETTORS, MOST_SEATS};

use crate::books::{Books, BooksRefusal};
use crate::cards::Cards;
use crate::chain::{Chain, Entry, Head};
use crate::custody::{CUSTODY, SealedOrder};
use crate::export::{ExportReader, ReadError};
use crate::finding::{Finding, Problem};
use crate::hash::Hash;
use crate::log::{Claim, Outcome, RulesLine};
use crate::replay::Rounds;
use crate::tally::OrderTally;
use crate::time::PaceLine;
pub use crate::walk::UnplayedPart;
use crate::walk::{PlayedStep, Step, Walk};

/// The most findings that are listed; more are only counted.
pub const MOST_FINDINGS: usize = 1_000;

/// The result of checking a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The table.
    pub table: String,
    /// The parts that were written under other rules: their events are not checked.
    pub unplayed: Vec<UnplayedPart>,
    /// The first entry that is private and not told yet: from there on only the chain is checked.
    pub unopened: Option<u64>,
    /// Whether the log has times.
    pub is_timed: bool,
    /// How many inputs have none, because they came before the first line with a time.
    pub untimed: u64,
    /// The shortest time of each kind that was ever in force.
    pub paces: Option<PaceLine>,
    /// How many entries there are.
    pub entries: u64,
    /// The last one.
    pub head: Option<Head>,
    /// How many rounds were begun.
    pub rounds: u32,
    /// How many shoes were revealed.
    pub revealed: u32,
    /// The shoes that are not revealed yet: their cards cannot be checked before.
    pub unrevealed: Vec<u32>,
    /// How the orders of the shoes came about.
    pub orders: OrderTally,
    /// How many heads from outside were compared. Without one, a log is shown to be consistent, and
    /// not to be complete.
    pub heads: usize,
    /// What is wrong, in the order of the entries: the first [`MOST_FINDINGS`].
    pub findings: Vec<Finding>,
    /// How many more findings there are.
    pub more: usize,
}

impl Verdict {
    /// Whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }
}

/// One line for each finding, and a summary.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.findings.iter().try_for_each(|finding| writeln!(f, "{finding}"))?;
        if self.more > 0 {
            writeln!(f, "and {}", count(self.more, "more finding", "more findings"))?;
        }
        for UnplayedPart { version, first, last } in &self.unplayed {
            if (*first, *last) != (1, self.entries) {
                write!(f, "entries {first} to {last}: ")?;
            }
            write!(f, "written under rules {version}")?;
            if version == RULES_VERSION {
                f.write_str(" without saying how the table stood")?;
            }
            writeln!(f, ": chain, cards and money checked, events not")?;
        }
        write!(f, "{}", self.orders)?;
        if let Some(seq) = self.unopened {
            let from = "from there on only the chain is checked";
            writeln!(f, "entry {seq} is private and not opened yet: {from}")?;
        }
        let lacks_times = (!self.is_timed || self.untimed > 0) && self.rounds > 0;
        match self.is_timed {
            false if lacks_times => {
                writeln!(f, "the log has no times: what rests on a clock is not checked")?;
            }
            true if lacks_times => {
                let inputs = usize::try_from(self.untimed).unwrap_or(usize::MAX);
                let inputs = count(inputs, "input comes", "inputs come");
                writeln!(
                    f,
                    "{inputs} before the log has times: what rests on a clock is not checked there"
                )?;
            }
            _ => {}
        }
        if let Some(paces) = self.paces {
            writeln!(f, "shortest times in force, in milliseconds: {paces}")?;
        }
        if let Some(head) = self.head {
            writeln!(f, "head {head}")?;
        }
        let (entries, rounds) = (self.entries, self.rounds);
        let entries = count(usize::try_from(entries).unwrap_or(usize::MAX), "entry", "entries");
        let rounds = count(rounds as usize, "round", "rounds");
        let shoes = count(self.revealed as usize, "shoe", "shoes");
        write!(f, "{}: {entries}, {rounds}, {shoes} revealed", self.table)?;
        match &self.unrevealed[..] {
            [] => {}
            [shoe] => write!(f, ", shoe {shoe} not revealed yet")?,
            [shoes @ .., last] => {
                let shoes: Vec<_> = shoes.iter().map(ToString::to_string).collect();
                write!(f, ", shoes {} and {last} not revealed yet", shoes.join(", "))?;
            }
        }
        match self.findings.len() {
            0 if !self.unplayed.is_empty() || self.unopened.is_some() || lacks_times => {
                writeln!(f, "\nall that was checked is in order")?;
            }
            0 => writeln!(f, "\neverything is in order")?,
            findings => writeln!(f, "\n{}", count(findings + self.more, "finding", "findings"))?,
        }
        match self.heads {
            0 if self.is_clean() => writeln!(
                f,
                "no head was compared: this proves that the log is consistent, not that it is \
                 complete"
            ),
            _ => Ok(()),
        }
    }
}

fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Checks an export, and compares it with heads that the house announced.
///
/// It is read line by line, and only the current round and shoe are held in memory.
pub fn verify(export: impl BufRead, heads: &[Head]) -> Result<Verdict, ReadError> {
    let mut export = ExportReader::new(export)?;
    let mut verification = Verification::new(export.table(), heads);
    export.try_for_each(|entry| entry.map(|entry| verification.take(entry)))?;
    Ok(verification.finish())
}

/// An input on its way through a verification, for whoever compares more with it.
#[derive(Debug)]
pub struct LoggedInput<'a> {
    /// Its entry.
    pub seq: u64,
    /// The last entry that follows from it.
    pub last: u64,
    /// The money that it moved: by the rules, or by the log where it was written under other rules.
    pub transfers: &'a [Transfer],
    /// What the rules make of it; none where it was written under other rules.
    pub played: Option<PlayedInput<'a>>,
}

/// An input with its result by the rules.
#[derive(Clone, Copy, Debug)]
pub struct PlayedInput<'a> {
    /// The table before it.
    pub before: &'a Table,
    /// What came of it.
    pub outcome: &'a Outcome,
    /// The table after it.
    pub after: &'a Table,
}

/// A log that is checked entry by entry.
#[derive(Debug)]
pub struct Verification {
    table: String,
    chain: Chain,
    entries: u64,
    /// The last entry.
    head: Option<Head>,
    /// The hashes that the house announced, by entry, as far as no entry has come for them.
    announced: BTreeMap<u64, Vec<Hash>>,
    heads: usize,
    walk: Walk,
    cards: Cards,
    orders: OrderTally,
    money: Money,
    rounds: Rounds,
    findings: Vec<Finding>,
    /// The first one that is not about time.
    difference: Option<Finding>,
    more: usize,
}

impl Verification {
    /// An empty log, to be compared with heads that the house announced.
    pub fn new(table: &str, heads: &[Head]) -> Verification {
        let mut announced: BTreeMap<u64, Vec<Hash>> = BTreeMap::new();
        heads.iter().for_each(|head| announced.entry(head.seq).or_default().push(head.hash));
        let chain = Chain::new(table);
        let mut verification = Verification {
            table: table.to_owned(),
            chain,
            entries: 0,
            head: None,
            announced,
            heads: heads.len(),
            walk: Walk::default(),
            cards: Cards::new(table),
            orders: OrderTally::default(),
            money: Money::new(table),
            rounds: Rounds::new(table),
            findings: Vec::new(),
            difference: None,
            more: 0,
        };
        verification.compare(Head { seq: 0, hash: chain.head() });
        verification
    }

    /// Goes on after an entry between two rounds, where the table stood as these lines say; none where
    /// no table stands so.
    pub fn resumed(
        table: &str,
        head: Head,
        rules: &RulesLine,
        standing: &str,
    ) -> Option<Verification> {
        let is_of_custody = |line: &&str| line.starts_with(CUSTODY);
        let stood = standing.lines().filter(|line| !is_of_custody(line));
        let stood = Table::resumed(rules.sheet.clone(), stood)?;
        let custody = standing.lines().filter_map(|line| line.strip_prefix(CUSTODY));
        let mut verification = Verification::new(table, &[]);
        verification.chain = Chain::after(head);
        verification.head = Some(head);
        verification.cards = Cards::resumed(table, custody, &stood)?;
        verification.money.bring(&stood).ok()?;
        verification.rounds.count = stood.rounds_played();
        verification.walk = Walk::resumed(rules, stood);
        Some(verification)
    }

    /// Takes the next entry.
    pub fn take(&mut self, entry: Entry) {
        self.take_with(entry, &mut |_| {});
    }

    /// Takes the next entry, and shows the input that is complete with it.
    pub fn take_with(&mut self, entry: Entry, look: &mut dyn FnMut(&LoggedInput<'_>)) {
        let (seq, expected) = (entry.seq, self.chain.next());
        if seq != expected {
            self.find(Finding { seq, problem: Problem::OutOfOrder { expected } });
        } else if self.chain.hash_of(&entry.line) != entry.hash {
            self.find(Finding { seq, problem: Problem::Unchained });
        }
        let head = entry.head();
        (self.chain, self.head) = (Chain::after(head), Some(head));
        self.entries += 1;
        self.compare(head);
        self.walk_on(Some(entry), look);
    }

    /// Takes the end of the log, and shows its last input.
    pub fn end_with(&mut self, look: &mut dyn FnMut(&LoggedInput<'_>)) {
        self.walk_on(None, look);
        let last = self.head.map_or(0, |head| head.seq);
        for (seq, hashes) in std::mem::take(&mut self.announced) {
            for _ in hashes {
                self.find(Finding { seq, problem: Problem::CutShort { last } });
            }
        }
    }

    /// What was first found to be wrong with the log itself: that something came too early changes
    /// no card and no money.
    pub fn first_difference(&self) -> Option<&Finding> {
        self.difference.as_ref()
    }

    /// The shoes that are not revealed yet.
    pub fn unrevealed(&self) -> Vec<u32> {
        self.cards.unrevealed()
    }

    /// What is wrong with the order that the house keeps of a shoe that is not revealed yet: it is not
    /// the one that was sealed, or another card was dealt.
    pub fn compare_order(&self, shoe: u32, sealed: &SealedOrder) -> Option<Problem> {
        self.cards.compare_order(shoe, sealed)
    }

    /// What the log proves.
    pub fn finish(mut self) -> Verdict {
        self.end_with(&mut |_| {});
        self.findings.sort_by_key(|finding| finding.seq);
        Verdict {
            table: self.table,
            unplayed: self.walk.unplayed,
            unopened: self.walk.unopened,
            is_timed: self.walk.times.is_timed,
            untimed: self.walk.times.untimed,
            paces: self.walk.times.shortest,
            entries: self.entries,
            head: self.head,
            rounds: self.rounds.count,
            revealed: self.cards.revealed(),
            unrevealed: self.cards.unrevealed(),
            heads: self.heads,
            orders: self.orders,
            findings: self.findings,
            more: self.more,
        }
    }

    /// Compares an entry with what the house announced of it.
    fn compare(&mut self, Head { seq, hash: found }: Head) {
        for announced in self.announced.remove(&seq).unwrap_or_default() {
            if announced != found {
                self.find(Finding { seq, problem: Problem::NotAnnounced { announced, found } });
            }
        }
    }

    /// Plays the input that is complete with this entry, or at the end.
    fn walk_on(&mut self, entry: Option<Entry>, look: &mut dyn FnMut(&LoggedInput<'_>)) {
        let step = match entry {
            Some(entry) => self.walk.take(entry),
            None => self.walk.end(),
        };
        let mut found = Vec::new();
        if let Some(step) = step {
            found.extend(self.cards.take(&step));
            if let Step::Played(played) = &step {
                self.orders.take(played);
            }
            let transfers = moved(&step);
            look(&LoggedInput {
                seq: step.seq(),
                last: step.last(),
                transfers: &transfers,
                played: match &step {
                    Step::Played(PlayedStep { before, outcome, after, .. }) => {
                        Some(PlayedInput { before, outcome, after })
                    }
                    Step::Written(_) => None,
                },
            });
            found.extend(self.money.take(&step, transfers));
            let settled = self.rounds.take(&step);
            found.extend(settled.and_then(|round| {
                let difference = round.difference_alone()?;
                let problem = Problem::NotAlone { round: round.round, difference };
                Some(Finding { seq: step.seq(), problem })
            }));
            self.rounds.forget_steps();
        }
        found.append(&mut self.walk.findings);
        found.into_iter().for_each(|finding| self.find(finding));
    }

    fn find(&mut self, finding: Finding) {
        if self.difference.is_none() && !finding.problem.is_about_time() {
            self.difference = Some(finding.clone());
        }
        match self.findings.len() < MOST_FINDINGS {
            true => self.findings.push(finding),
            false => self.more += 1,
        }
    }
}

/// The books of one table, kept beside the table itself.
#[derive(Debug)]
struct Money {
    table: String,
    books: Books,
    /// Whether they were found wrong: reported once.
    wrong: bool,
}

impl Money {
    fn new(table: &str) -> Money {
        Money { table: table.to_owned(), books: Books::default(), wrong: false }
    }

    /// Posts what moved, and compares with what lies on the table.
    fn take(&mut self, step: &Step<'_>, mut moved: Vec<Transfer>) -> Option<Finding> {
        if let Some(Input::Meter(shows)) = step.input() {
            moved.extend(self.moved_elsewhere(*shows));
        }
        if self.wrong || (moved.is_empty() && matches!(step, Step::Played(_))) {
            return None;
        }
        let posted = moved.iter().try_for_each(|transfer| self.post(transfer));
        let problem = match (posted, step) {
            (Err(refusal), _) => Problem::NotPaid(refusal),
            (Ok(()), Step::Played(played)) => self.difference(at_table(played.after))?,
            (Ok(()), Step::Written(written)) => self.difference(in_log(&written.claims))?,
        };
        self.wrong = true;
        Some(Finding { seq: step.seq(), problem })
    }

    /// Brings what lies on a table to it.
    fn bring(&mut self, table: &Table) -> Result<(), BooksRefusal> {
        let held = at_table(table).filter(|(_, amount)| *amount > Cents::ZERO);
        for (to, amount) in held {
            self.books.post(&self.table, &[Transfer { from: Account::Cashier, to, amount }])?;
        }
        Ok(())
    }

    /// What other tables did to a meter that they share is not in this log.
    fn moved_elsewhere(&self, shows: Cents) -> Option<Transfer> {
        let more = shows - self.books.balance(&self.table, &Account::Meter);
        let (from, to) = match more > Cents::ZERO {
            true => (Account::Cashier, Account::Meter),
            false => (Account::Meter, Account::Cashier),
        };
        let amount = more.max(-more);
        (amount > Cents::ZERO).then_some(Transfer { from, to, amount })
    }

    /// What a player has elsewhere is not in this log: whatever is spent here was brought along, and
    /// whatever is won is taken along.
    fn post(&mut self, transfer: &Transfer) -> Result<(), BooksRefusal> {
        let Transfer { from, to, amount } = transfer.clone();
        let mut transfers = vec![transfer.clone()];
        if matches!(from, Account::Player(_)) {
            transfers.insert(0, Transfer { from: Account::Cashier, to: from, amount });
        }
        if matches!(to, Account::Player(_)) {
            transfers.push(Transfer { from: to, to: Account::Cashier, amount });
        }
        self.books.post(&self.table, &transfers)
    }

    /// An account that holds something else by the books.
    fn difference(&self, accounts: impl IntoIterator<Item = (Account, Cents)>) -> Option<Problem> {
        accounts.into_iter().find_map(|(account, table)| {
            let books = self.books.balance(&self.table, &account);
            (books != table).then_some(Problem::OutOfBalance { account, books, table })
        })
    }
}

/// The money that an input moved.
fn moved(step: &Step<'_>) -> Vec<Transfer> {
    match step {
        Step::Played(played) => played.outcome.events.iter().filter_map(transfer).collect(),
        Step::Written(written) => written.claims.iter().filter_map(claimed).collect(),
    }
}

/// What lies on a table.
fn at_table(table: &Table) -> impl Iterator<Item = (Account, Cents)> {
    let racks = Bettor::all(MOST_SEATS, MOST_BETTORS).map(|bettor| {
        let rack = table.chair(bettor).map_or(Cents::ZERO, |chair| chair.rack);
        (Account::Rack(bettor), rack)
    });
    let meter = table.meter().map(|meter| (Account::Meter, meter));
    let escrow = table.round().is_none().then_some((Account::Escrow, Cents::ZERO));
    racks.chain(meter).chain(escrow)
}

/// What lies on a table by the log.
fn in_log(claims: &[Claim]) -> impl Iterator<Item = (Account, Cents)> {
    claims.iter().filter_map(|claim| match claim {
        Claim::Holds { account, amount } => Some((account.clone(), *amount)),
        Claim::Settled => Some((Account::Escrow, Cents::ZERO)),
        _ => None,
    })
}

fn transfer(event: &TableEvent) -> Option<Transfer> {
    match event {
        TableEvent::Moved(transfer) => Some(transfer.clone()),
        _ => None,
    }
}

fn claimed(claim: &Claim) -> Option<Transfer> {
    match claim {
        Claim::Moved(transfer) => Some(transfer.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rules::terms::TermSheet;
    use rules::wager::Game;

    use super::*;

    /// What the books find when this moves at a table where Ann has bought in for 100.00.
    fn found(from: &str, to: &str, amount: i64) -> String {
        let mut table = Table::new(TermSheet::new(Game::CasinoWar));
        let mut money = Money::new("war-1");
        let mut tell = |line: &str, table: &mut Table, more: Option<Transfer>| {
            let input = line.parse().unwrap();
            let before = Box::new(table.clone());
            let mut outcome = Outcome::of(table, &input).unwrap();
            outcome.events.extend(more.map(TableEvent::Moved));
            let (seq, last) = (3, 3);
            let step = Step::Played(PlayedStep { seq, last, input, before, after: table, outcome });
            money.take(&step, moved(&step))
        };
        assert_eq!(tell("sit 1 ann", &mut table, None), None);
        assert_eq!(tell("buy-in 1 100", &mut table, None), None);
        let (from, to) = (from.parse().unwrap(), to.parse().unwrap());
        let transfer = Transfer { from, to, amount: Cents::new(amount) };
        let finding = tell("buy-in 1 5", &mut table, Some(transfer)).unwrap();
        assert_eq!(tell("buy-in 1 5", &mut table, None), None, "it is said once");
        finding.to_string()
    }

    #[test]
    fn the_books_are_held_against_the_table() {
        assert_eq!(
            found("house", "rack:1", 1),
            "entry 3: rack:1 holds 105.01 in the books, but 105 at the table"
        );
        assert_eq!(
            found("house", "rack:7", 1),
            "entry 3: rack:7 holds 0.01 in the books, but 0 at the table"
        );
        assert_eq!(
            found("meter", "house", 100),
            "entry 3: meter holds 9999 in the books, but 10000 at the table"
        );
        assert_eq!(
            found("house", "escrow", 100),
            "entry 3: escrow holds 1 in the books, but 0 at the table"
        );
    }

    #[test]
    fn the_books_refuse_what_nobody_has() {
        assert_eq!(
            found("rack:1", "house", 10_501),
            "entry 3: 105.01 from rack:1 to house cannot be paid: rack:1 holds 105"
        );
        assert_eq!(
            found("escrow", "house", 1),
            "entry 3: 0.01 from escrow to house cannot be paid: escrow holds 0"
        );
    }
}
