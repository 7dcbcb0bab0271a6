//! What a supervisor orders, what players choose, and corrections.

use std::fmt;

use super::PitRefusal;
use crate::money::{Cents, Chips, LARGEST_AMOUNT};
use crate::names::names;
use crate::notation::{Unreadable, Words, named, one_of};
use crate::round::{Act, Awaits, Call};
use crate::table::account::{Account, Name, Transfer, WrittenReason};
use crate::table::seats::MOST_FORMER;
use crate::table::{Announcement, Answer, Events, Table, TableAwaits, TableEvent, TableRefusal};
use crate::wager::Bettor;

/// What a supervisor orders: how an irregularity ends, or a step that is the supervisor's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The report was wrong, and nothing has happened: `dismiss`.
    Dismiss,
    /// Play continues as if nothing had happened: `play-on`.
    PlayOn,
    /// The card is the next one from the shoe: `use-next`.
    UseNext,
    /// The card goes forward to whoever is due one, else to the dealer, else it is burned (G-10):
    /// `forward`.
    Forward,
    /// The card goes to the discard rack: `discard`.
    Discard,
    /// The card does not belong into the shoe, and leaves the table: `remove`.
    Remove,
    /// The players concerned are asked (G-16, G-17): `offer`.
    Offer,
    /// The dealer's own card comes after the players' (FBB-11-f): `later`.
    Later,
    /// The hand is dead, and its wagers go back (G-02): `dead`.
    Dead,
    /// The round is void (G-03): `void`.
    Void,
    /// A player is released from the round (G-10): `release 3`.
    Release(Bettor),
    /// The machine shuffles once more: `restart`.
    Restart,
    /// The machine leaves the table, and the cards are shuffled by hand (DAB-15-l):
    /// `remove-device`.
    RemoveDevice,
    /// The machine is covered or signed, and the cards are shuffled by hand (FBB-11-m):
    /// `cover-device`.
    CoverDevice,
    /// The card reader is out of use (DAB-15-n, FBB-11-k): `out-of-use`.
    OutOfUse,
    /// The card reader works again (FBB-11-k): `repaired`.
    Repaired,
    /// The cards are cut again (DAB-4-g): `recut`.
    Recut,
    /// The cards are shuffled although the cut card is not out (DAB-4-h): `reshuffle`.
    Reshuffle,
    /// Someone may bet in mid-shoe (DAB-5-h): `admit 3`.
    Admit(Bettor),
    /// A tied player who gives no answer surrenders (G-06): `surrender 3`.
    Surrender(Bettor),
    /// A tied player who gives no answer gets more time (G-06): `extend 3`.
    Extend(Bettor),
}

impl Order {
    /// Every order that names nobody, with its word.
    pub const PLAIN: [(Order, &str); 17] = [
        (Order::Dismiss, "dismiss"),
        (Order::PlayOn, "play-on"),
        (Order::UseNext, "use-next"),
        (Order::Forward, "forward"),
        (Order::Discard, "discard"),
        (Order::Remove, "remove"),
        (Order::Offer, "offer"),
        (Order::Later, "later"),
        (Order::Dead, "dead"),
        (Order::Void, "void"),
        (Order::Restart, "restart"),
        (Order::RemoveDevice, "remove-device"),
        (Order::CoverDevice, "cover-device"),
        (Order::OutOfUse, "out-of-use"),
        (Order::Repaired, "repaired"),
        (Order::Recut, "recut"),
        (Order::Reshuffle, "reshuffle"),
    ];

    /// Reads what is between `order` and `by`.
    pub(crate) fn read(words: &mut Words<'_>) -> Result<Order, Unreadable> {
        let about_a_bettor = ["release", "admit", "surrender", "extend"];
        if let Some(&word) = about_a_bettor.iter().find(|word| words.peek() == Some(word)) {
            words.exactly(word)?;
            let bettor = words.place()?;
            return Ok(match word {
                "release" => Order::Release(bettor),
                "admit" => Order::Admit(bettor),
                "surrender" => Order::Surrender(bettor),
                _ => Order::Extend(bettor),
            });
        }
        let expected = || {
            let plain = Order::PLAIN.iter().map(|(_, word)| *word);
            one_of("an order", plain.chain(about_a_bettor))
        };
        let find = |word: &str| Order::PLAIN.iter().find(|(_, name)| *name == word);
        words.next_by(expected, find).map(|(order, _)| *order)
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Order::Release(bettor) => write!(f, "release {bettor}"),
            Order::Admit(bettor) => write!(f, "admit {bettor}"),
            Order::Surrender(bettor) => write!(f, "surrender {bettor}"),
            Order::Extend(bettor) => write!(f, "extend {bettor}"),
            plain => {
                let word = Order::PLAIN.iter().find(|(order, _)| order == plain);
                f.write_str(word.map_or("", |(_, word)| word))
            }
        }
    }
}

names! {
    /// What a player chooses when something went wrong.
    Choice {
        /// The missed card is dealt now (G-17): `late-card`.
        LateCard "late-card"
        /// The wager comes back (G-17): `refund`.
        Refund "refund"
        /// The exposed card is taken (G-16): `take`.
        Take "take"
        /// The exposed card is refused (G-16): `refuse`.
        Refuse "refuse"
        /// What lies on the dealer's hand stays there, though the own hand is dead (G-17): `keep`.
        Keep "keep"
    }
}

named!(Choice: "a choice");

impl Table {
    /// What a supervisor may order now, and nothing else; nothing while a player chooses. A report
    /// that proves wrong may also be dismissed.
    pub fn outcomes(&self) -> Vec<Order> {
        match self.pit.reported() {
            Some(report) => return self.outcomes_of(report.irregularity).unwrap_or_default(),
            None if self.pit.awaits().is_some() => return Vec::new(),
            None => {}
        }
        let named = self.seats.everyone().flat_map(|(bettor, _)| {
            [Order::Admit(bettor), Order::Surrender(bettor), Order::Extend(bettor)]
        });
        let plain = [Order::Repaired, Order::Recut, Order::Reshuffle];
        let open = |order: &Order| self.clone().carry_out(*order, &mut Vec::new()).is_ok();
        plain.into_iter().chain(named).filter(open).collect()
    }

    /// Carries out what a supervisor orders, and says by whom.
    pub(crate) fn order(
        &mut self,
        order: Order,
        by: &Name,
        because: Option<&WrittenReason>,
        events: &mut Events,
    ) -> Answer {
        let game = self.sheet.game();
        let kind = self.pit.reported().map(|report| report.irregularity.kind());
        let source = kind.and_then(|kind| kind.source(game)).unwrap_or(order.source(game));
        let (by, because) = (by.clone(), because.cloned());
        events.push(TableEvent::Ordered { order, by, because, source });
        match self.pit.reported().cloned() {
            Some(report) => self.decide(&report, order, events)?,
            None => self.carry_out(order, events)?,
        }
        self.say_decision(order, events);
        Ok(())
    }

    /// Says what a supervisor decided; what a player hears anyway is not said twice.
    fn say_decision(&self, order: Order, events: &mut Events) {
        match order {
            Order::Admit(_) | Order::Surrender(_) | Order::Extend(_) => {}
            _ => self.say(Announcement::Decision(order), events),
        }
    }

    /// Carries out an order that answers no report.
    fn carry_out(&mut self, order: Order, events: &mut Events) -> Answer {
        match order {
            Order::Recut => self.recut(events),
            Order::Reshuffle => self.reshuffle(events),
            Order::Admit(bettor) => self.admit(bettor, events),
            Order::Repaired => self.repair_reader(events),
            Order::Surrender(bettor) => self.end_hold(bettor, Some(Call::Surrender), events),
            Order::Extend(bettor) => self.end_hold(bettor, None, events),
            _ => Err(PitRefusal::NothingReported.into()),
        }
    }

    /// Leaves a tied player who gave no answer to the supervisor (G-06).
    pub(crate) fn hold(&mut self, bettor: Bettor, events: &mut Events) -> Answer {
        if self.pit.overdue.contains(bettor) {
            return Err(TableRefusal::SupervisorDecides);
        }
        self.pit.overdue.add(bettor);
        events.push(TableEvent::Held { bettor });
        Ok(())
    }

    /// Answers for a tied player, or waits longer (G-06).
    fn end_hold(&mut self, bettor: Bettor, answer: Option<Call>, events: &mut Events) -> Answer {
        if !self.pit.overdue.contains(bettor) {
            return Err(PitRefusal::NotOverdue.into());
        }
        self.pit.overdue.remove(bettor);
        match answer {
            Some(call) => self.act(bettor, Act::Call(call), events),
            None => {
                events.push(TableEvent::Extended { bettor });
                Ok(())
            }
        }
    }

    /// Nobody is overdue who is not asked any more.
    pub(crate) fn forget_holds(&mut self) {
        match self.awaits() {
            TableAwaits::Round(Awaits::Acts(asked)) => {
                self.pit.overdue =
                    self.pit.overdue.iter().filter(|bettor| asked.contains(*bettor)).collect();
            }
            TableAwaits::Supervisor(_) | TableAwaits::Choice(_) => {}
            _ => self.pit.overdue = Default::default(),
        }
    }

    /// Puts a wrong payment of an earlier round right: a new entry that cites it, between rounds
    /// (G-28).
    pub(crate) fn correct(
        &mut self,
        round: u32,
        transfer: &Transfer,
        by: &Name,
        because: &WrittenReason,
        events: &mut Events,
    ) -> Answer {
        let Transfer { from, to, amount } = transfer;
        if round == 0 || round > self.rounds.played() {
            return Err(PitRefusal::NoSuchRound { rounds: self.rounds.played() }.into());
        }
        if self.rounds.in_play() {
            return Err(TableRefusal::RoundInPlay);
        }
        let chips = Chips::from_cents(*amount).filter(|chips| *chips <= LARGEST_AMOUNT);
        if *amount <= Cents::ZERO || chips.is_none() {
            return Err(PitRefusal::CorrectionAmount { most: LARGEST_AMOUNT }.into());
        }
        match (from, to) {
            (Account::House, Account::Player(name)) if self.seats.knows_former(name) => {}
            (Account::House, Account::Player(_)) => {
                return Err(PitRefusal::CorrectionStranger { most: MOST_FORMER }.into());
            }
            (Account::House, Account::Rack(bettor)) => self.seats.check_home(*bettor)?,
            (Account::Rack(bettor), Account::House) => {
                self.seats.check_home(*bettor)?;
                if self.seats.unplaced(*bettor) < *amount {
                    return Err(PitRefusal::CorrectionUncovered.into());
                }
            }
            (Account::Rack(one), Account::Rack(other)) if one != other => {
                self.seats.check_home(*one)?;
                self.seats.check_home(*other)?;
                if self.seats.unplaced(*one) < *amount {
                    return Err(PitRefusal::CorrectionUncovered.into());
                }
            }
            _ => return Err(PitRefusal::CorrectionAccounts.into()),
        }
        let (by, because) = (by.clone(), because.clone());
        events.push(TableEvent::Corrected { round, transfer: transfer.clone(), by, because });
        self.seats.pay(from.clone(), to.clone(), *amount, events);
        Ok(())
    }
}
