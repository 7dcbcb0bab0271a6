//! What a supervisor orders, what players choose, and corrections.

use std::fmt;

use super::PitRefusal;
use crate::money::{Cents, Chips, LARGEST_AMOUNT};
use crate::names::names;
use crate::notation::{Reading, Words, named, one_of};
use crate::refusal::ensure;
use crate::round::{Act, Awaits, Call};
use crate::table::account::{Account, Name, Transfer, WrittenReason};
use crate::table::seats::MOST_FORMER;
use crate::table::{Announcement, Answer, Events, Table, TableAwaits, TableEvent, TableRefusal};
use crate::wager::Bettor;

/// What a supervisor orders: how an irregularity is resolved, or a step on the supervisor's own authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The report was wrong: `dismiss`.
    Dismiss,
    /// Play continues as if nothing had happened: `play-on`.
    PlayOn,
    /// The card is the next one from the shoe: `use-next`.
    UseNext,
    /// The card goes forward to whoever is due one, or else to the dealer, or else it is burned
    /// (G-10): `forward`.
    Forward,
    /// The card goes to the discard rack: `discard`.
    Discard,
    /// The card does not belong in the shoe, and leaves the table: `remove`.
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
    /// The machine is covered or marked by a sign, and the cards are shuffled by hand (FBB-11-m):
    /// `cover-device`.
    CoverDevice,
    /// The card reader is out of use (DAB-15-n, FBB-11-k): `out-of-use`.
    OutOfUse,
    /// The card reader works again (FBB-11-k): `repaired`.
    Repaired,
    /// The cards are cut again (DAB-4-g): `recut`.
    Recut,
    /// The cards are shuffled before the cut card comes out (DAB-4-h): `reshuffle`.
    Reshuffle,
    /// Someone may bet in mid-shoe (DAB-5-h): `admit 3`.
    Admit(Bettor),
    /// A tied player who gives no answer surrenders (G-06): `surrender 3`.
    Surrender(Bettor),
    /// A tied player who gives no answer gets more time (G-06): `extend 3`.
    Extend(Bettor),
}

/// An order, once the bettor is known that it is about.
type OrderFor = fn(Bettor) -> Order;

impl Order {
    /// Every order that names nobody, its word, and what the dealer announces.
    #[rustfmt::skip]
    pub const PLAIN: [(Order, &str, &str); 17] = [
        (Order::Dismiss, "dismiss", "The report is dismissed. Play continues."),
        (Order::PlayOn, "play-on", "Play continues."),
        (Order::UseNext, "use-next", "The card is the next one."),
        (Order::Forward, "forward", "The card goes forward."),
        (Order::Discard, "discard", "The card is not used."),
        (Order::Remove, "remove", "The card leaves the game, and the shoe is counted after this round."),
        (Order::Offer, "offer", "The player chooses."),
        (Order::Later, "later", "The dealer's card comes later."),
        (Order::Dead, "dead", "The hand is dead."),
        (Order::Void, "void", "The round is void."),
        (Order::Restart, "restart", "The machine shuffles again."),
        (Order::RemoveDevice, "remove-device", "The cards are shuffled by hand."),
        (Order::CoverDevice, "cover-device", "The cards are shuffled by hand."),
        (Order::OutOfUse, "out-of-use", "The card reader is out of use."),
        (Order::Repaired, "repaired", "The card reader works again."),
        (Order::Recut, "recut", "The cards are cut again."),
        (Order::Reshuffle, "reshuffle", "The cards are shuffled."),
    ];

    /// Every order that is about a bettor, with its word.
    const ABOUT_A_BETTOR: [(OrderFor, &str); 4] = [
        (Order::Release, "release"),
        (Order::Admit, "admit"),
        (Order::Surrender, "surrender"),
        (Order::Extend, "extend"),
    ];

    /// The order of a word, with the bettor it is about if it is about one.
    pub fn named(word: &str, bettor: Option<Bettor>) -> Option<Order> {
        let plain = || Order::PLAIN.iter().find(|row| row.1 == word);
        let named = || Order::ABOUT_A_BETTOR.iter().find(|(_, name)| *name == word);
        match bettor {
            None => plain().map(|row| row.0),
            Some(bettor) => named().map(|(order, _)| order(bettor)),
        }
    }

    /// The word of the order.
    pub fn name(self) -> &'static str {
        match self {
            Order::Release(_) => "release",
            Order::Admit(_) => "admit",
            Order::Surrender(_) => "surrender",
            Order::Extend(_) => "extend",
            plain => Order::PLAIN.iter().find(|row| row.0 == plain).map_or("", |row| row.1),
        }
    }

    /// The bettor that the order is about.
    pub const fn bettor(self) -> Option<Bettor> {
        match self {
            Order::Release(bettor)
            | Order::Admit(bettor)
            | Order::Surrender(bettor)
            | Order::Extend(bettor) => Some(bettor),
            _ => None,
        }
    }

    /// Reads the words between `order` and `by`.
    pub(crate) fn read(words: &mut Words<'_>) -> Reading<Order> {
        let about_a_bettor = Order::ABOUT_A_BETTOR.map(|(_, word)| word);
        if let Some(&(order, word)) =
            Order::ABOUT_A_BETTOR.iter().find(|(_, word)| words.peek() == Some(*word))
        {
            words.exactly(word)?;
            return words.bettor().map(order);
        }
        let expected = || {
            let plain = Order::PLAIN.iter().map(|row| row.1);
            one_of("an order", plain.chain(about_a_bettor))
        };
        let find = |word: &str| Order::PLAIN.iter().find(|row| row.1 == word);
        words.next_by(expected, find).map(|row| row.0)
    }

    /// What the dealer announces; nothing where the player concerned hears it anyway.
    pub(crate) fn announcement(self) -> Option<&'static str> {
        match self {
            Order::Release(_) => Some("The player is released from the round."),
            _ => Order::PLAIN.iter().find(|row| row.0 == self).map(|row| row.2),
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        self.bettor().map_or(Ok(()), |bettor| write!(f, " {bettor}"))
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
        /// The wagers on the dealer's hand stay, though the player's own hand is dead (G-17): `keep`.
        Keep "keep"
    }
}

named!(Choice: "a choice");

impl Table {
    /// Exactly what a supervisor may order now; nothing while a player chooses. A report may also be
    /// dismissed.
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

    /// Carries out what a supervisor orders, and records who ordered it.
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
        if order.announcement().is_some() {
            self.say(Announcement::Decision(order), events);
        }
        Ok(())
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
        ensure(!self.pit.overdue.contains(bettor), TableRefusal::SupervisorDecides)?;
        self.pit.overdue.add(bettor);
        events.push(TableEvent::Held { bettor });
        Ok(())
    }

    /// Answers for a tied player, or waits longer (G-06).
    fn end_hold(&mut self, bettor: Bettor, answer: Option<Call>, events: &mut Events) -> Answer {
        ensure(self.pit.overdue.contains(bettor), PitRefusal::NotOverdue)?;
        self.pit.overdue.remove(bettor);
        match answer {
            Some(call) => self.act(bettor, Act::Call(call), events),
            None => {
                events.push(TableEvent::Extended { bettor });
                Ok(())
            }
        }
    }

    /// Players who are no longer asked are no longer overdue.
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

    /// Corrects a wrong payment of an earlier round by a new entry that cites it, between rounds
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
        ensure(!self.rounds.in_play(), TableRefusal::RoundInPlay)?;
        let chips = Chips::from_cents(*amount).filter(|chips| *chips <= LARGEST_AMOUNT);
        if *amount <= Cents::ZERO || chips.is_none() {
            return Err(PitRefusal::CorrectionAmount { most: LARGEST_AMOUNT }.into());
        }
        match (from, to) {
            (Account::House, Account::Player(name)) if self.seats.knows_former(name) => {}
            (Account::House, Account::Player(_)) => {
                return Err(PitRefusal::CorrectionStranger { most: MOST_FORMER }.into());
            }
            (Account::House, Account::Rack(_)) | (Account::Rack(_), Account::House) => {}
            (Account::Rack(one), Account::Rack(other)) if one != other => {}
            _ => return Err(PitRefusal::CorrectionAccounts.into()),
        }
        for account in [from, to] {
            if let Account::Rack(bettor) = account {
                self.seats.check_home(*bettor)?;
            }
        }
        if let Account::Rack(bettor) = from {
            ensure(self.seats.unplaced(*bettor) >= *amount, PitRefusal::CorrectionUncovered)?;
        }
        let (by, because) = (by.clone(), because.clone());
        events.push(TableEvent::Corrected { round, transfer: transfer.clone(), by, because });
        self.seats.pay(from.clone(), to.clone(), *amount, events);
        Ok(())
    }
}
