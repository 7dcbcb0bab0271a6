//! Sitting down, buying in, betting and leaving.

use super::account::{Account, Name};
use super::{Phase, Table, TableRefusal, Told, What};
use crate::games::TableWagers;
use crate::money::{Cents, Chips};
use crate::notation::Writer;
use crate::refusal::Refusal;
use crate::round::Range;
use crate::wager::{Bettor, Circle};

/// A seat that is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chair {
    /// Who sits there.
    pub player: Name,
    /// The chips before the seat. What is placed lies in it until bets close.
    pub rack: Cents,
    /// The opening wagers, from when they are placed until the round is over.
    pub wager: Vec<(Circle, Cents)>,
    /// How many had sat down before.
    pub(super) arrival: u32,
}

impl Table {
    pub(super) fn sit(
        &mut self,
        seat: usize,
        player: &Name,
        told: &mut Told,
    ) -> Result<(), TableRefusal> {
        if self.seat_of_layout(seat)?.is_some() {
            return Err(TableRefusal::SeatTaken);
        }
        // G-29, CW-R25.
        if self.chairs.iter().flatten().any(|chair| chair.player == *player) {
            return Err(TableRefusal::AlreadySeated);
        }
        told.all(What::SatDown { seat, player: player.clone() });
        if self.arrivals == 0 {
            self.tell_seed(told);
        }
        let (player, arrival) = (player.clone(), self.arrivals);
        self.chairs[seat] = Some(Chair { player, rack: Cents::ZERO, wager: Vec::new(), arrival });
        self.arrivals += 1;
        Ok(())
    }

    /// Chips for money; bought during a round, they are for the next one.
    pub(super) fn buy_in(
        &mut self,
        seat: usize,
        amount: Cents,
        told: &mut Told,
    ) -> Result<(), TableRefusal> {
        let player = self.chair(seat)?.player.clone();
        let Range { least, most, step } = self.opening.buy_in();
        match Chips::from_cents(amount) {
            Some(chips) if chips < least => return Err(TableRefusal::BuyInTooSmall { least }),
            Some(chips) if chips <= most => {
                if !chips.is_multiple_of(step) {
                    return Err(Refusal::OffChipUnit { unit: step }.into());
                }
            }
            None if amount < Cents::ZERO => return Err(TableRefusal::BuyInTooSmall { least }),
            _ => return Err(TableRefusal::BuyInTooLarge { most }),
        }
        self.pay(Account::Player(player), rack(seat), amount, told);
        Ok(())
    }

    /// A wager that is only placed goes back into the rack; one in play stays, and so does its
    /// player (CW-6-b).
    pub(super) fn leave(&mut self, seat: usize, told: &mut Told) -> Result<(), TableRefusal> {
        let chair = self.chair(seat)?;
        let (player, amount) = (chair.player.clone(), chair.rack);
        if !chair.wager.is_empty() {
            if matches!(self.phase, Phase::Playing(_)) {
                return Err(TableRefusal::WagerInPlay);
            }
            told.all(What::Cleared { bettor: Bettor::at(seat) });
        }
        self.pay(rack(seat), Account::Player(player.clone()), amount, told);
        self.chairs[seat] = None;
        told.all(What::Left { seat, player });
        self.offer_cut_on_leaving(seat, told);
        Ok(())
    }

    /// Places a wager in place of an earlier one; the rack must cover it (G-07).
    pub(super) fn wager(
        &mut self,
        bettor: Bettor,
        amounts: &[(Circle, Cents)],
        told: &mut Told,
    ) -> Result<(), TableRefusal> {
        let seat = self.betting_seat(bettor)?;
        if self.chair(seat)?.rack == Cents::ZERO {
            return Err(TableRefusal::NothingBought);
        }
        for (i, &(circle, _)) in amounts.iter().enumerate() {
            if amounts[..i].iter().any(|(earlier, _)| *earlier == circle) {
                return Err(TableRefusal::CircleTwice { circle });
            }
        }
        self.wagers().place(&self.opening, bettor, amounts)?;
        self.chair_mut(seat).wager = amounts.to_vec();
        told.all(What::Placed { bettor, amounts: amounts.to_vec() });
        Ok(())
    }

    pub(super) fn clear(&mut self, bettor: Bettor, told: &mut Told) -> Result<(), TableRefusal> {
        let seat = self.betting_seat(bettor)?;
        if self.chair(seat)?.wager.is_empty() {
            return Err(TableRefusal::NothingToClear);
        }
        self.chair_mut(seat).wager.clear();
        told.all(What::Cleared { bettor });
        Ok(())
    }

    /// The seat of someone who may bet now (CW-6-b).
    fn betting_seat(&self, bettor: Bettor) -> Result<usize, TableRefusal> {
        self.chair(bettor.seat())?;
        match self.phase {
            Phase::Playing(_) => Err(Refusal::BetsClosed.into()),
            // G-31: one bettor on a box, until tables with shared boxes open.
            Phase::Betting if !bettor.decides() => Err(Refusal::BoxNotShared { most: 1 }.into()),
            Phase::Betting => Ok(bettor.seat()),
            _ => Err(self.not_awaited()),
        }
    }

    /// The wagers as they lie, each rack a bankroll.
    pub(super) fn wagers(&self) -> TableWagers {
        let mut wagers = TableWagers::NONE;
        if let Some(meter) = self.meter {
            wagers.set_meter(meter);
        }
        for (seat, chair) in self.occupied() {
            let bettor = Bettor::at(seat);
            wagers.bankroll(bettor, chair.rack).expect("nothing is placed yet");
            if !chair.wager.is_empty() {
                let placed = wagers.place(&self.opening, bettor, &chair.wager);
                placed.expect("what was placed can be placed again");
            }
        }
        wagers
    }

    pub(super) fn opening_lines_now(&self) -> Vec<String> {
        let (shoe, at) = self.shoe.map_or((0, 0), |shoe| (shoe.number, shoe.dealt));
        let mut writer = Writer::new(&self.sheet);
        let bettors = || self.occupied().filter(|(_, chair)| !chair.wager.is_empty());
        bettors().for_each(|(seat, chair)| writer.person(chair.player.as_str(), &[seat]));
        bettors().for_each(|(seat, chair)| writer.bankroll(Bettor::at(seat), chair.rack));
        if let Some(meter) = self.meter {
            writer.meter(meter);
        }
        bettors().for_each(|(seat, chair)| writer.wager(Bettor::at(seat), &chair.wager));
        let mut lines =
            vec![format!("round {}", self.rounds_played + 1), format!("shoe {shoe} at {at}")];
        lines.extend(writer.so_far().lines().map(ToString::to_string));
        lines
    }

    /// The taken seats, from the dealer's far left.
    pub(super) fn occupied(&self) -> impl DoubleEndedIterator<Item = (usize, &Chair)> {
        let chairs = self.chairs.iter().enumerate();
        chairs.filter_map(|(seat, chair)| Some((seat, chair.as_ref()?)))
    }

    fn seat_of_layout(&self, seat: usize) -> Result<Option<&Chair>, TableRefusal> {
        let seats = self.opening.seats;
        let chair = self.seats().get(seat).ok_or(Refusal::NoSuchSeat { seats })?;
        Ok(chair.as_ref())
    }

    pub(super) fn chair(&self, seat: usize) -> Result<&Chair, TableRefusal> {
        self.seat_of_layout(seat)?.ok_or(TableRefusal::NotSeated)
    }

    pub(super) fn chair_mut(&mut self, seat: usize) -> &mut Chair {
        self.chairs[seat].as_mut().expect("somebody sits there")
    }
}

/// The rack of a seat.
pub(super) fn rack(seat: usize) -> Account {
    Account::Rack(crate::wager::byte(seat))
}
