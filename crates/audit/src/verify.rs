//! Verifies a log: chain, commitments, rules and money.

use std::fmt;

use rules::RULES_VERSION;
use rules::money::Cents;
use rules::table::{Account, Input, Table, TableEvent, Transfer};
use rules::wager::{Bettor, MOST_BETTORS, MOST_SEATS};

use crate::books::{Books, BooksRefusal};
use crate::cards::Cards;
use crate::chain::{Chain, Head};
use crate::export::{Export, ReadError};
use crate::finding::{Finding, Problem};
use crate::log::Claim;
use crate::replay::Rounds;
pub use crate::walk::UnplayedPart;
use crate::walk::{Step, Walk};

/// The result of checking a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The table.
    pub table: String,
    /// The parts that were written under other rules: their events are not checked.
    pub unplayed: Vec<UnplayedPart>,
    /// How many entries there are.
    pub entries: usize,
    /// The last one.
    pub head: Option<Head>,
    /// How many rounds were begun.
    pub rounds: u32,
    /// How many shoes were revealed.
    pub revealed: u32,
    /// The shoes that are not revealed yet: their cards cannot be checked before.
    pub unrevealed: Vec<u32>,
    /// Everything that is wrong, in the order of the entries.
    pub findings: Vec<Finding>,
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
        for UnplayedPart { version, first, last } in &self.unplayed {
            if (*first, *last) != (1, self.entries as u64) {
                write!(f, "entries {first} to {last}: ")?;
            }
            write!(f, "written under rules {version}")?;
            if version == RULES_VERSION {
                f.write_str(" without saying how the table stood")?;
            }
            writeln!(f, ": chain, cards and money checked, events not")?;
        }
        if let Some(head) = self.head {
            writeln!(f, "head {head}")?;
        }
        let (entries, rounds) = (count(self.entries, "entry", "entries"), self.rounds);
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
            0 if !self.unplayed.is_empty() => writeln!(f, "\nall that was checked is in order"),
            0 => writeln!(f, "\neverything is in order"),
            findings => writeln!(f, "\n{}", count(findings, "finding", "findings")),
        }
    }
}

fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Checks an export, and compares it with heads that the house announced.
pub fn verify(export: &str, heads: &[Head]) -> Result<Verdict, ReadError> {
    let export = Export::read(export)?;
    let mut findings = broken_links(&export);
    findings.extend(heads.iter().filter_map(|head| not_announced(&export, *head)));

    let mut walk = Walk::new(&export.entries);
    let mut cards = Cards::default();
    let mut money = Money::new(&export.table);
    let mut rounds = Rounds::new(&export.table);
    while let Some(step) = walk.next() {
        findings.extend(cards.take(&step));
        findings.extend(money.take(&step));
        let settled = rounds.take(&step);
        findings.extend(settled.and_then(|round| {
            let difference = round.difference_alone()?;
            let problem = Problem::NotAlone { round: round.round, difference };
            Some(Finding { seq: step.seq(), problem })
        }));
    }
    findings.append(&mut walk.findings);
    findings.sort_by_key(|finding| finding.seq);
    Ok(Verdict {
        unplayed: walk.unplayed,
        entries: export.entries.len(),
        head: export.entries.last().map(|entry| entry.head()),
        rounds: rounds.count,
        revealed: cards.revealed(),
        unrevealed: cards.unrevealed(),
        findings,
        table: export.table,
    })
}

/// Entries that do not continue the chain.
fn broken_links(export: &Export) -> Vec<Finding> {
    let mut chain = Chain::new(&export.table);
    let mut findings = Vec::new();
    for entry in &export.entries {
        let seq = entry.seq;
        let expected = chain.next();
        if seq != expected {
            findings.push(Finding { seq, problem: Problem::OutOfOrder { expected } });
        } else if chain.hash_of(&entry.line) != entry.hash {
            findings.push(Finding { seq, problem: Problem::Unchained });
        }
        chain = Chain::after(entry.head());
    }
    findings
}

/// A head that the log does not have.
fn not_announced(export: &Export, head: Head) -> Option<Finding> {
    let Head { seq, hash: announced } = head;
    let last = export.entries.last().map_or(0, |entry| entry.seq);
    let found = match seq {
        0 => Some(Chain::new(&export.table).head()),
        _ => export.entries.iter().find(|entry| entry.seq == seq).map(|entry| entry.hash),
    };
    let problem = match found {
        Some(found) if found == announced => return None,
        Some(found) => Problem::NotAnnounced { announced, found },
        None => Problem::CutShort { last },
    };
    Some(Finding { seq, problem })
}

/// The books of one table, kept beside the table itself.
struct Money<'a> {
    table: &'a str,
    books: Books,
    /// Whether they were found wrong: reported once.
    wrong: bool,
}

impl<'a> Money<'a> {
    fn new(table: &'a str) -> Money<'a> {
        Money { table, books: Books::default(), wrong: false }
    }

    /// Posts what moved, and compares with what lies on the table.
    fn take(&mut self, step: &Step<'_>) -> Option<Finding> {
        let mut moved: Vec<Transfer> = match step {
            Step::Played(played) => played.outcome.events.iter().filter_map(transfer).collect(),
            Step::Written(written) => written.claims.iter().filter_map(claimed).collect(),
        };
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

    /// What other tables did to a meter that they share is not in this log.
    fn moved_elsewhere(&self, shows: Cents) -> Option<Transfer> {
        let more = shows - self.books.balance(self.table, &Account::Meter);
        let (from, to) = match more > Cents::ZERO {
            true => (Account::Cashier, Account::Meter),
            false => (Account::Meter, Account::Cashier),
        };
        let amount = more.max(-more);
        (amount > Cents::ZERO).then_some(Transfer { from, to, amount })
    }

    /// What a player has elsewhere is not in this log: whatever is spent here was brought along.
    fn post(&mut self, transfer: &Transfer) -> Result<(), BooksRefusal> {
        let Transfer { from, amount, .. } = transfer;
        let lacking = *amount - self.books.balance(self.table, from);
        if matches!(from, Account::Player(_)) && lacking > Cents::ZERO {
            let (to, from) = (from.clone(), Account::Cashier);
            self.books.post(self.table, &[Transfer { from, to, amount: lacking }])?;
        }
        self.books.post(self.table, std::slice::from_ref(transfer))
    }

    /// An account that holds something else by the books.
    fn difference(&self, accounts: impl IntoIterator<Item = (Account, Cents)>) -> Option<Problem> {
        accounts.into_iter().find_map(|(account, table)| {
            let books = self.books.balance(self.table, &account);
            (books != table).then_some(Problem::OutOfBalance { account, books, table })
        })
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
    use crate::log::Outcome;
    use crate::walk::PlayedStep;

    /// What the books find when this moves at a table where Ann has bought in for 100.00.
    fn found(from: &str, to: &str, amount: i64) -> String {
        let mut table = Table::new(TermSheet::new(Game::CasinoWar));
        let mut money = Money::new("war-1");
        let mut tell = |line: &str, table: &mut Table, more: Option<Transfer>| {
            let input = line.parse().unwrap();
            let before = Box::new(table.clone());
            let mut outcome = Outcome::of(table, &input).unwrap();
            outcome.events.extend(more.map(TableEvent::Moved));
            money.take(&Step::Played(PlayedStep { seq: 3, input, before, after: table, outcome }))
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
