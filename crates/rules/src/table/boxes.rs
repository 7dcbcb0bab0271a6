//! Boxes on which several people bet, and who may begin to bet in mid-shoe.

use super::account::{Account, Name, Transfer};
use super::procedure::Entry;
use super::seat::index;
use super::{Chair, Phase, Table, TableRefusal, Told, What};
use crate::money::Cents;
use crate::refusal::Refusal;
use crate::wager::{Bettor, MOST_BETTORS};

impl Table {
    /// Whether a person may join whoever is at a box (DAB-13-a).
    pub(super) fn check_shared_box(
        &self,
        bettor: Bettor,
        player: &Name,
    ) -> Result<(), TableRefusal> {
        let seat = bettor.seat();
        match self.first_on_box(seat).is_none() || self.consents[seat].contains(player) {
            true => Ok(()),
            false => Err(TableRefusal::NoConsent),
        }
    }

    /// The first person on a box lets another one bet on it (DAB-13-a).
    pub(super) fn consent(
        &mut self,
        seat: usize,
        player: &Name,
        told: &mut Told,
    ) -> Result<(), TableRefusal> {
        self.check_sharing(seat, player)?;
        if self.consents[seat].contains(player) {
            return Err(TableRefusal::HasConsent);
        }
        if self.consents[seat].len() >= usize::from(self.opening.bettors) {
            let most = self.opening.bettors;
            return Err(Refusal::BoxNotShared { most }.into());
        }
        self.consents[seat].push(player.clone());
        told.all(What::Consented { seat, player: player.clone() });
        Ok(())
    }

    /// The first person on a box wants it without the other, who leaves it (DAB-R28).
    pub(super) fn revoke(
        &mut self,
        seat: usize,
        player: &Name,
        told: &mut Told,
    ) -> Result<(), TableRefusal> {
        self.check_sharing(seat, player)?;
        if self.play.is_some() {
            return Err(TableRefusal::RoundInPlay);
        }
        if !self.consents[seat].contains(player) {
            return Err(TableRefusal::NoConsent);
        }
        self.consents[seat].retain(|other| other != player);
        told.all(What::Revoked { seat, player: player.clone() });
        let there = Bettor::all(seat + 1, MOST_BETTORS).filter(|bettor| bettor.seat() == seat);
        let there = there.into_iter().find(|bettor| {
            self.chairs[index(*bettor)].as_ref().is_some_and(|chair| chair.player == *player)
        });
        there.map_or(Ok(()), |bettor| self.leave(bettor, told))
    }

    /// A consent needs a box on which several may bet, and somebody else who gives it.
    fn check_sharing(&self, seat: usize, player: &Name) -> Result<(), TableRefusal> {
        self.check_place(Bettor::behind(seat, 1))?;
        let first = self.first_on_box(seat).ok_or(TableRefusal::NotSeated)?;
        match self.chair_of(first)?.player == *player {
            true => Err(TableRefusal::OwnBox),
            false => Ok(()),
        }
    }

    /// Who of those on a box came first, and lets others bet on it (DAB-13-a); counted from 0.
    pub fn first_on_box(&self, seat: usize) -> Option<Bettor> {
        let there = self.everyone().filter(|(bettor, _)| bettor.seat() == seat);
        there.min_by_key(|(_, chair)| chair.arrival).map(|(bettor, _)| bettor)
    }

    /// An empty box has nobody whose consent could be asked.
    pub(super) fn forget_consents(&mut self, seat: usize) {
        if self.first_on_box(seat).is_none() {
            self.consents[seat].clear();
        }
    }

    /// Who calls the decisions of a box: the player seated there; where none has a wager, the one
    /// with the highest, and of equal ones who staked first (DAB-13-b, DAB-R28).
    fn decides(&self, seat: usize) -> Option<Bettor> {
        let wagers = self.everyone().filter(|(b, c)| b.seat() == seat && !c.wager.is_empty());
        let highest = |(bettor, chair): &(Bettor, &Chair)| {
            (chair.seated, chair.main(), std::cmp::Reverse(self.staked_at(*bettor)))
        };
        wagers.max_by_key(highest).map(|(bettor, _)| bettor)
    }

    /// How many had staked before.
    fn staked_at(&self, bettor: Bettor) -> usize {
        let at = self.stakes.iter().position(|other| *other == bettor);
        at.unwrap_or(self.stakes.len())
    }

    /// Forgets those who have no wager any more.
    pub(super) fn forget_stakes(&mut self) {
        let chairs = &self.chairs;
        let has_wager = |chair: &Chair| !chair.wager.is_empty();
        self.stakes.retain(|bettor| chairs[index(*bettor)].as_ref().is_some_and(has_wager));
    }

    /// Where a bettor's wager lies once bets are closed: who decides in front (DAB-13-c).
    pub(super) fn in_front(&self, bettor: Bettor) -> Bettor {
        let front = Bettor::at(bettor.seat());
        match self.decides(bettor.seat()) {
            Some(decides) if decides == bettor => front,
            Some(decides) if bettor == front => decides,
            _ => bettor,
        }
    }

    /// Whoever calls the decisions of a box comes to the front of it, with rack and wager
    /// (DAB-13-c).
    pub(super) fn come_to_front(&mut self, told: &mut Told) {
        for seat in 0..usize::from(self.opening.seats) {
            let front = Bettor::at(seat);
            let Some(decides) = self.decides(seat).filter(|decides| *decides != front) else {
                continue;
            };
            let player = self.chair_mut(decides).player.clone();
            told.all(What::InFront { bettor: front, player });
            self.give_up_home(front, told);
            self.swap_chairs(front, decides, told);
        }
        for seat in 0..usize::from(self.opening.seats) {
            self.stand_in_order(seat, told);
        }
    }

    /// Of two equal wagers behind a box the earlier one lies nearer: should who is in front be let
    /// out, it decides (DAB-R28).
    fn stand_in_order(&mut self, seat: usize, told: &mut Told) {
        let [near, far] = [1, 2].map(|place| Bettor::behind(seat, place));
        let main = |bettor| self.chairs[index(bettor)].as_ref().map(Chair::main);
        let is_equal = main(near).is_some_and(|main| main > Cents::ZERO) && main(near) == main(far);
        if is_equal && self.staked_at(far) < self.staked_at(near) {
            self.swap_chairs(near, far, told);
        }
    }

    /// Who keeps other boxes has the chips at one of those.
    fn give_up_home(&mut self, bettor: Bettor, told: &mut Told) {
        let Some(chair) = &self.chairs[index(bettor)] else { return };
        let own = |(at, other): &(Bettor, &Chair)| *at != bettor && other.player == chair.player;
        let (other, rack) = (self.everyone().find(own).map(|(at, _)| at), chair.rack);
        if let Some(other) = other {
            self.move_home(bettor, other, rack, told);
        }
    }

    /// Two people on a box change places; the books follow, as chips are where their owner is, and
    /// so do the other boxes of both.
    fn swap_chairs(&mut self, front: Bettor, behind: Bettor, told: &mut Told) {
        for (from, to) in [(behind, front), (front, behind)] {
            let rack = self.chairs[index(from)].as_ref().map_or(Cents::ZERO, |chair| chair.rack);
            if rack > Cents::ZERO {
                let (from, to) = (Account::Rack(from), Account::Rack(to));
                told.all(What::Moved(Transfer { from, to, amount: rack }));
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

    /// Whether a sign says that nobody begins to bet in mid-shoe (DAB-5-h, FBB-5-b, DDB-P22).
    pub fn bars_entry(&self) -> bool {
        matches!(self.procedure.entry, Entry::Barred { .. })
    }

    /// Whether the house lets this bettor begin now, in mid-shoe (DAB-5-h, FBB-5-b, DDB-P22, G-25).
    pub(super) fn check_entry(&self, bettor: Bettor) -> Result<(), TableRefusal> {
        let skipped = self.chair_of(bettor)?.skipped;
        match self.rounds_of_shoe == 0 || self.may_skip(skipped) {
            true => Ok(()),
            false => Err(TableRefusal::MidShoe),
        }
    }

    /// Whether the house takes a wager of this place in the next round, or of somebody who sits down
    /// now, as far as the sign goes (DAB-5-h, FBB-5-b, DDB-P22, G-25).
    pub fn may_bet_next(&self, bettor: Option<Bettor>) -> Result<(), TableRefusal> {
        let chair = bettor.and_then(|bettor| self.chair(bettor));
        let is_spent = self.shoe.is_none_or(|shoe| shoe.is_spent());
        if is_spent || !matches!(self.phase, Phase::Dealing) {
            return Ok(());
        }
        let came = (self.rounds_of_shoe == 0).then_some(0);
        let sits_out = chair.is_none_or(|chair| chair.wager.is_empty());
        let skipped = chair.map_or(came, |chair| chair.skipped);
        let skipped = match self.play.is_some() && sits_out {
            true => skipped.map(|rounds| rounds + 1),
            false => skipped,
        };
        let is_first = self.rounds_of_shoe == 0 && self.play.is_none();
        match is_first || self.may_skip(skipped) {
            true => Ok(()),
            false => Err(TableRefusal::MidShoe),
        }
    }

    /// Whether who skipped so many rounds of the shoe may bet again; none is all of them.
    fn may_skip(&self, skipped: Option<u32>) -> bool {
        match self.procedure.entry {
            Entry::Allowed => true,
            Entry::Barred { skip, .. } => skipped.is_some_and(|rounds| rounds <= skip),
        }
    }

    /// The supervisor lets someone begin in mid-shoe (DAB-5-h, FBB-5-b-1, G-25).
    pub(super) fn admit(&mut self, bettor: Bettor, told: &mut Told) -> Result<(), TableRefusal> {
        self.chair_of(bettor)?;
        match (self.check_entry(bettor), self.procedure.entry) {
            (Ok(()), _) => Err(TableRefusal::NotBarred),
            (_, Entry::Barred { may_admit: true, .. }) => {
                self.chair_mut(bettor).skipped = Some(0);
                told.all(What::Admitted { bettor });
                Ok(())
            }
            (Err(refusal), _) => Err(refusal),
        }
    }

    /// Counts the rounds that everyone skipped.
    pub(super) fn count_round(&mut self) {
        for chair in self.chairs.iter_mut().flatten() {
            chair.skipped = match chair.wager.is_empty() {
                true => chair.skipped.map(|rounds| rounds + 1),
                false => Some(0),
            };
        }
        for gone in &mut self.gone {
            gone.skipped = gone.skipped.map(|rounds| rounds + 1);
        }
        self.rounds_played += 1;
        self.rounds_of_shoe += 1;
    }
}
