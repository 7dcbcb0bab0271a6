//! Boxes on which several people bet, and who may start betting in mid-shoe.

use super::{Chair, Seats, index};
use crate::money::Cents;
use crate::refusal::{Refusal, ensure};
use crate::table::account::{Account, Name, Transfer};
use crate::table::cards::Entry;
use crate::table::pit::PitRefusal;
use crate::table::{Answer, Events, Table, TableEvent, TableRefusal};
use crate::wager::{Bettor, Bettors, MOST_BETTORS, MOST_SEATS};

impl Seats {
    /// Whether a person may join the bettors at a box.
    #[doc(alias = "DAB-13-a")]
    pub(crate) fn check_shared_box(&self, bettor: Bettor, player: &Name) -> Answer {
        let seat = bettor.seat();
        ensure(
            self.first_on_box(seat).is_none() || self.consents[seat].contains(player),
            TableRefusal::NoConsent,
        )
    }

    /// The first bettor on a box lets another bet on it (DAB-13-a).
    pub(crate) fn consent(&mut self, seat: usize, player: &Name, events: &mut Events) -> Answer {
        self.check_sharing(seat, player)?;
        ensure(!self.consents[seat].contains(player), TableRefusal::HasConsent)?;
        if self.consents[seat].len() >= usize::from(self.opening.bettors) {
            let most = self.opening.bettors;
            return Err(Refusal::BoxNotShared { most }.into());
        }
        self.consents[seat].push(player.clone());
        events.push(TableEvent::Consented { seat, player: player.clone() });
        Ok(())
    }

    /// A consent needs a box that can be shared, and somebody else to give it.
    fn check_sharing(&self, seat: usize, player: &Name) -> Answer {
        self.check_place(Bettor::behind(seat, 1))?;
        let first = self.first_on_box(seat).ok_or(TableRefusal::NotSeated)?;
        ensure(self.chair_of(first)?.player != *player, TableRefusal::OwnBox)
    }

    /// The first bettor on a box, counted from 0.
    pub(crate) fn first_on_box(&self, seat: usize) -> Option<Bettor> {
        let there = self.everyone().filter(|(bettor, _)| bettor.seat() == seat);
        there.min_by_key(|(_, chair)| chair.arrival).map(|(bettor, _)| bettor)
    }

    /// An empty box has nobody whose consent could be asked.
    pub(crate) fn forget_consents(&mut self, seat: usize) {
        if self.first_on_box(seat).is_none() {
            self.consents[seat].clear();
        }
    }

    /// Who calls the decisions of a box: the player seated there or, if that one has no wager, the
    /// one with the highest, and of equal ones the first to stake (DAB-R28).
    #[doc(alias = "DAB-13-b")]
    fn decides(&self, seat: usize) -> Option<Bettor> {
        let wagers = self.everyone().filter(|(b, c)| b.seat() == seat && !c.wager.is_empty());
        let highest = |(bettor, chair): &(Bettor, &Chair)| {
            (chair.seated, chair.main(), std::cmp::Reverse(self.staked_at(*bettor)))
        };
        wagers.max_by_key(highest).map(|(bettor, _)| bettor)
    }

    /// How many staked before this bettor.
    fn staked_at(&self, bettor: Bettor) -> usize {
        let at = self.stakes.iter().position(|other| *other == bettor);
        at.unwrap_or(self.stakes.len())
    }

    /// Forgets those who no longer have a wager.
    pub(crate) fn forget_stakes(&mut self) {
        let chairs = &self.chairs;
        let has_wager = |chair: &Chair| !chair.wager.is_empty();
        self.stakes.retain(|bettor| chairs[index(*bettor)].as_ref().is_some_and(has_wager));
    }

    /// Where a bettor's wager goes once bets are closed: the one who decides is in front (DAB-13-c).
    pub(crate) fn in_front(&self, bettor: Bettor) -> Bettor {
        let front = Bettor::at(bettor.seat());
        match self.decides(bettor.seat()) {
            Some(decides) if decides == bettor => front,
            Some(decides) if bettor == front => decides,
            _ => bettor,
        }
    }

    /// Whoever calls the decisions of a box moves to the front, with rack and wager (DAB-13-c).
    pub(crate) fn come_to_front(&mut self, events: &mut Events) {
        for seat in 0..usize::from(self.opening.seats) {
            let front = Bettor::at(seat);
            let Some(decides) = self.decides(seat).filter(|decides| *decides != front) else {
                continue;
            };
            let player = self.chair_mut(decides).player.clone();
            events.push(TableEvent::InFront { bettor: front, player });
            self.give_up_home(front, events);
            self.swap_chairs(front, decides, events);
        }
        for seat in 0..usize::from(self.opening.seats) {
            self.stand_in_order(seat, events);
        }
    }

    /// Of two equal wagers behind a box the earlier one is nearer: it decides if the one in front is
    /// released (DAB-R28).
    fn stand_in_order(&mut self, seat: usize, events: &mut Events) {
        let [near, far] = [1, 2].map(|place| Bettor::behind(seat, place));
        let main = |bettor| self.chairs[index(bettor)].as_ref().map(Chair::main);
        let is_equal = main(near).is_some_and(|main| main > Cents::ZERO) && main(near) == main(far);
        if is_equal && self.staked_at(far) < self.staked_at(near) {
            self.swap_chairs(near, far, events);
        }
    }

    /// A player with other boxes moves the chips to one of those.
    fn give_up_home(&mut self, bettor: Bettor, events: &mut Events) {
        let Some(chair) = &self.chairs[index(bettor)] else { return };
        let own = |(at, other): &(Bettor, &Chair)| *at != bettor && other.player == chair.player;
        let (other, rack) = (self.everyone().find(own).map(|(at, _)| at), chair.rack);
        if let Some(other) = other {
            self.move_home(bettor, other, rack, events);
        }
    }

    /// Two people on a box change places; chips are where their owner is, so they move too, and the
    /// other boxes of both follow.
    fn swap_chairs(&mut self, front: Bettor, behind: Bettor, events: &mut Events) {
        for (from, to) in [(behind, front), (front, behind)] {
            let rack = self.chairs[index(from)].as_ref().map_or(Cents::ZERO, |chair| chair.rack);
            if rack > Cents::ZERO {
                let (from, to) = (Account::Rack(from), Account::Rack(to));
                events.push(TableEvent::Moved(Transfer { from, to, amount: rack }));
            }
        }
        self.chairs.swap(index(front), index(behind));
        let moved = |bettor| match bettor {
            bettor if bettor == front => behind,
            bettor if bettor == behind => front,
            bettor => bettor,
        };
        self.stakes.iter_mut().for_each(|bettor| *bettor = moved(*bettor));
        for chair in self.chairs.iter_mut().flatten() {
            chair.home = moved(chair.home);
        }
    }

    /// The player at this place is not asked again, at any box.
    pub(crate) fn pass_over(&self, bettor: Bettor, passed: &mut Bettors) {
        passed.add(bettor);
        let player = self.chair(bettor).map(|chair| &chair.player);
        let own = self.everyone().filter(|(_, chair)| Some(&chair.player) == player);
        own.for_each(|(other, _)| passed.add(other));
    }

    /// The next player counterclockwise who has not refused (CW-5-d, G-05).
    pub(crate) fn next_to_cut(&self, from: Bettor, passed: Bettors) -> Option<Bettor> {
        let there = self.counterclockwise(passed);
        let next = there.iter().find(|bettor| turn(**bettor) > turn(from));
        next.or(there.first()).copied()
    }

    /// Everyone who has not refused, from the dealer's far right, at each box whoever is in front first.
    pub(crate) fn counterclockwise(&self, passed: Bettors) -> Vec<Bettor> {
        let there = self.everyone().map(|(bettor, _)| bettor);
        let mut there: Vec<Bettor> = there.filter(|bettor| !passed.contains(*bettor)).collect();
        there.sort_by_key(|bettor| turn(*bettor));
        there
    }

    /// The first arrival among those at the table.
    pub(crate) fn first_arrival(&self) -> Option<Bettor> {
        let first = self.everyone().min_by_key(|(_, chair)| chair.arrival);
        first.map(|(bettor, _)| bettor)
    }

    /// Checks that chips are kept at this place.
    pub(crate) fn check_home(&self, bettor: Bettor) -> Answer {
        Ok(ensure(self.chair_of(bettor)?.home == bettor, PitRefusal::CorrectionAccounts)?)
    }

    /// The places where chips are kept.
    pub(crate) fn homes(&self) -> impl Iterator<Item = Bettor> {
        self.everyone().filter(|(bettor, chair)| chair.home == *bettor).map(|(bettor, _)| bettor)
    }

    /// The chips of a rack beyond its wagers.
    pub(crate) fn unplaced(&self, home: Bettor) -> Cents {
        let own = self.everyone().filter(|(_, chair)| chair.home == home);
        let placed: Cents =
            own.flat_map(|(_, chair)| &chair.wager).map(|(_, amount)| *amount).sum();
        self.rack_of(home) - placed
    }

    /// Whoever has this place, seated or behind a seat.
    pub(crate) fn chair(&self, bettor: Bettor) -> Option<&Chair> {
        let known = Some(bettor).filter(|bettor| bettor.seat() < MOST_SEATS);
        known.and_then(|bettor| self.chairs[index(bettor)].as_ref())
    }

    /// Whether somebody is among the last people who left.
    pub(crate) fn knows_former(&self, player: &Name) -> bool {
        self.former.iter().any(|former| former.player == *player)
    }

    /// Whether nobody has placed a wager.
    pub(crate) fn nobody_bets(&self) -> bool {
        self.chairs.iter().flatten().all(|chair| chair.wager.is_empty())
    }
}

impl Table {
    /// The first bettor on a box withdraws consent, and the other one leaves (DAB-R28).
    pub(crate) fn revoke(&mut self, seat: usize, player: &Name, events: &mut Events) -> Answer {
        self.seats.check_sharing(seat, player)?;
        ensure(!self.rounds.in_play(), TableRefusal::RoundInPlay)?;
        ensure(self.seats.consents[seat].contains(player), TableRefusal::NoConsent)?;
        self.seats.consents[seat].retain(|other| other != player);
        events.push(TableEvent::Revoked { seat, player: player.clone() });
        let there = Bettor::all(seat + 1, MOST_BETTORS).filter(|bettor| bettor.seat() == seat);
        let there = there.into_iter().find(|bettor| {
            self.seats.chairs[index(*bettor)].as_ref().is_some_and(|chair| chair.player == *player)
        });
        there.map_or(Ok(()), |bettor| self.leave(bettor, events))
    }

    /// Whether a sign bars new players in mid-shoe (DAB-5-h, FBB-5-b, DDB-P22).
    pub fn bars_entry(&self) -> bool {
        matches!(self.cards.procedure().entry, Entry::Barred { .. })
    }

    /// Whether the house lets this bettor start now, in mid-shoe (G-25).
    #[doc(alias("DAB-5-h", "DDB-P22", "FBB-5-b"))]
    pub(crate) fn check_entry(&self, bettor: Bettor) -> Answer {
        let skipped = self.seats.chair_of(bettor)?.skipped;
        ensure(self.cards.rounds_of_shoe() == 0 || self.may_skip(skipped), TableRefusal::MidShoe)
    }

    /// Whether the sign lets this place bet in the next round; none is somebody who sits down now
    /// (DAB-5-h, FBB-5-b, DDB-P22, G-25).
    pub fn may_bet_next(&self, bettor: Option<Bettor>) -> Result<(), TableRefusal> {
        let chair = bettor.and_then(|bettor| self.seats.chair(bettor));
        let is_spent = self.cards.shoe().is_none_or(|shoe| shoe.is_spent());
        if is_spent || !self.cards.is_dealing() {
            return Ok(());
        }
        let came = (self.cards.rounds_of_shoe() == 0).then_some(0);
        let sits_out = chair.is_none_or(|chair| chair.wager.is_empty());
        let skipped = chair.map_or(came, |chair| chair.skipped);
        let skipped = match self.rounds.in_play() && sits_out {
            true => skipped.map(|rounds| rounds + 1),
            false => skipped,
        };
        let is_first = self.cards.rounds_of_shoe() == 0 && !self.rounds.in_play();
        ensure(is_first || self.may_skip(skipped), TableRefusal::MidShoe)
    }

    /// Whether a player who skipped this many rounds of the shoe may bet; none is all of them.
    fn may_skip(&self, skipped: Option<u32>) -> bool {
        match self.cards.procedure().entry {
            Entry::Allowed => true,
            Entry::Barred { skip, .. } => skipped.is_some_and(|rounds| rounds <= skip),
        }
    }

    /// The supervisor lets someone start in mid-shoe (DAB-5-h, G-25).
    #[doc(alias = "FBB-5-b-1")]
    pub(crate) fn admit(&mut self, bettor: Bettor, events: &mut Events) -> Answer {
        self.seats.chair_of(bettor)?;
        match (self.check_entry(bettor), self.cards.procedure().entry) {
            (Ok(()), _) => Err(TableRefusal::NotBarred),
            (_, Entry::Barred { may_admit: true, .. }) => {
                self.seats.chair_mut(bettor).skipped = Some(0);
                events.push(TableEvent::Admitted { bettor });
                Ok(())
            }
            (Err(refusal), _) => Err(refusal),
        }
    }
}

/// The order in which players are asked, counterclockwise from the dealer's far right (G-05).
fn turn(bettor: Bettor) -> (std::cmp::Reverse<usize>, usize) {
    (std::cmp::Reverse(bettor.seat()), bettor.place())
}
