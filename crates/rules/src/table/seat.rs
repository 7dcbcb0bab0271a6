//! Sitting down, buying in, betting and leaving.

use super::account::{Account, Name};
use super::{Phase, Table, TableRefusal, Told, What};
use crate::games::TableWagers;
use crate::money::{Cents, Chips};
use crate::notation::Line;
use crate::refusal::Refusal;
use crate::round::Range;
use crate::wager::{Bettor, Circle, MOST_BETTORS, MOST_SEATS};

/// A place at the table that is taken: a seat, or one behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chair {
    /// Who has it.
    pub player: Name,
    /// The chips there. What is placed lies in it until bets close.
    ///
    /// Boxes of one person have one rack, at the [`home`](Chair::home) of that person.
    pub rack: Cents,
    /// Where the person's chips lie.
    pub home: Bettor,
    /// The opening wagers, from when they are placed until the round is over.
    pub wager: Vec<(Circle, Cents)>,
    /// Whether the player sits at the box, rather than standing behind it (DAB-13-b).
    pub seated: bool,
    /// How many had come before.
    pub(super) arrival: u32,
    /// The rounds of this shoe since the last wager; none where the shoe was in use before the
    /// player came (G-25).
    pub(super) skipped: Option<u32>,
}

impl Chair {
    /// The opening wager on the hand itself.
    pub(super) fn main(&self) -> Cents {
        let main = self.wager.iter().find(|(circle, _)| *circle == Circle::Main);
        main.map_or(Cents::ZERO, |(_, amount)| *amount)
    }
}

/// Somebody who left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gone {
    pub(super) player: Name,
    /// The rounds of this shoe since the last wager, so that whoever only changes places may go on
    /// (G-25).
    pub(super) skipped: Option<u32>,
}

/// How many of those who left a table remembers: so long a correction can still be paid to them.
pub(super) const MOST_GONE: usize = 64;

impl Table {
    /// A player takes a box, perhaps in addition to others, or stands behind one.
    pub(super) fn sit(
        &mut self,
        bettor: Bettor,
        player: &Name,
        told: &mut Told,
    ) -> Result<(), TableRefusal> {
        if self.place_of_layout(bettor)?.is_some() {
            return Err(TableRefusal::SeatTaken);
        }
        let home = self.home_of(player);
        match home {
            Some(home) => self.check_another_box(home, bettor, player)?,
            None => self.check_shared_box(bettor, player)?,
        }
        let before = self.gone.iter().find(|gone| gone.player == *player);
        let skipped = match self.rounds_of_shoe {
            0 => Some(0),
            _ => before.and_then(|gone| gone.skipped),
        };
        self.gone.retain(|gone| gone.player != *player);
        told.all(What::SatDown { bettor, player: player.clone() });
        if self.arrivals == 0 {
            self.tell_seed(told);
            self.tell_spread(told);
        }
        let seated = self.everyone().any(|(at, chair)| at.seat() == bettor.seat() && chair.seated);
        self.chairs[index(bettor)] = Some(Chair {
            player: player.clone(),
            rack: Cents::ZERO,
            home: home.unwrap_or(bettor),
            wager: Vec::new(),
            seated: bettor.decides() && !seated,
            arrival: self.arrivals,
            skipped,
        });
        self.arrivals += 1;
        Ok(())
    }

    /// Whether a person may have one more box.
    fn check_another_box(
        &self,
        home: Bettor,
        bettor: Bettor,
        player: &Name,
    ) -> Result<(), TableRefusal> {
        let boxes = self.opening.boxes.filter(|boxes| boxes.most > 1);
        let (Some(boxes), true, true) = (boxes, home.decides(), bettor.decides()) else {
            return Err(TableRefusal::AlreadySeated);
        };
        boxes.check(|seat| {
            let chair = self.chairs[seat].as_ref();
            seat == bettor.seat() || chair.is_some_and(|chair| chair.player == *player)
        })?;
        self.check_shared_box(bettor, player)
    }

    /// Chips for money; bought during a round, they can be staked in it at once (G-07).
    pub(super) fn buy_in(
        &mut self,
        bettor: Bettor,
        amount: Cents,
        told: &mut Told,
    ) -> Result<(), TableRefusal> {
        let chair = self.chair_of(bettor)?;
        let (player, home) = (chair.player.clone(), chair.home);
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
        self.pay(Account::Player(player.clone()), Account::Rack(home), amount, told);
        self.buy_in_for_round(&player, amount, told)
    }

    /// A wager that is only placed goes back into the rack; one in play stays, and so does its
    /// player, at all boxes (CW-6-b), unless let out of the round (G-10). Who leaves the last box
    /// takes all chips.
    pub(super) fn leave(&mut self, bettor: Bettor, told: &mut Told) -> Result<(), TableRefusal> {
        let chair = self.chair_of(bettor)?;
        let (player, rack, home) = (chair.player.clone(), chair.rack, chair.home);
        let skipped = chair.skipped;
        let other = self.everyone().find(|(at, other)| *at != bettor && other.player == player);
        let other = other.map(|(bettor, _)| bettor);
        let placed = !chair.wager.is_empty();
        self.leave_round(&player, home)?;
        if placed && self.play.is_none() {
            told.all(What::Cleared { bettor });
        }
        match other {
            Some(other) if home == bettor => self.move_home(bettor, other, rack, told),
            Some(_) => {}
            None => {
                let account = Account::Player(player.clone());
                self.pay(Account::Rack(bettor), account, rack, told);
                self.gone.push(Gone { player: player.clone(), skipped });
                let forgotten = self.gone.len().saturating_sub(MOST_GONE);
                self.gone.drain(..forgotten);
            }
        }
        self.chairs[index(bettor)] = None;
        self.last.take_if(|last| last.concerns(home));
        told.all(What::Left { bettor, player });
        self.offer_cut_on_leaving(bettor, told);
        self.forget_consents(bettor.seat());
        self.clear_if_apart(other, told);
        Ok(())
    }

    /// Takes a person out of the round in play, who has nothing at stake in it.
    fn leave_round(&mut self, player: &Name, home: Bettor) -> Result<(), TableRefusal> {
        let own = self.everyone().filter(|(_, c)| c.player == *player && !c.wager.is_empty());
        let own: Vec<Bettor> = own.map(|(bettor, _)| bettor).collect();
        let Some(play) = self.play.as_mut().filter(|_| !own.is_empty()) else { return Ok(()) };
        match own.iter().all(|bettor| play.released.contains(*bettor)) && play.forget(home) {
            true => Ok(()),
            false => Err(TableRefusal::WagerInPlay),
        }
    }

    /// Boxes that no longer lie side by side lose their wagers (FBB-5-f).
    fn clear_if_apart(&mut self, of: Option<Bettor>, told: &mut Told) {
        let Some(player) = of.and_then(|bettor| self.chair(bettor)).map(|c| c.player.clone())
        else {
            return;
        };
        if self.play.is_none() && self.try_wagers(Bettor::at(0)).is_err() {
            for bettor in self.with_wagers() {
                if self.chair_mut(bettor).player == player {
                    self.chair_mut(bettor).wager.clear();
                    told.all(What::Cleared { bettor });
                }
            }
        }
    }

    /// The chips of a person who keeps other boxes go to one of them.
    pub(super) fn move_home(&mut self, from: Bettor, to: Bettor, rack: Cents, told: &mut Told) {
        self.pay(Account::Rack(from), Account::Rack(to), rack, told);
        for chair in self.chairs.iter_mut().flatten() {
            if chair.home == from {
                chair.home = to;
            }
        }
    }

    /// Places a wager in place of an earlier one; the rack must cover it (G-07).
    pub(super) fn wager(
        &mut self,
        bettor: Bettor,
        amounts: &[(Circle, Cents)],
        told: &mut Told,
    ) -> Result<(), TableRefusal> {
        self.check_betting(bettor)?;
        self.check_entry(bettor)?;
        if self.rack_of(bettor) == Cents::ZERO {
            return Err(TableRefusal::NothingBought);
        }
        for (i, &(circle, _)) in amounts.iter().enumerate() {
            if amounts[..i].iter().any(|(earlier, _)| *earlier == circle) {
                return Err(TableRefusal::CircleTwice { circle });
            }
        }
        self.chair_mut(bettor).wager = amounts.to_vec();
        self.stakes.retain(|earlier| *earlier != bettor);
        self.stakes.push(bettor);
        self.check_in_front()?;
        self.try_wagers(bettor)?;
        told.all(What::Placed { bettor, amounts: amounts.to_vec() });
        Ok(())
    }

    /// Who bets on several boxes is in front at each, so that one rack covers them all (G-29).
    fn check_in_front(&self) -> Result<(), TableRefusal> {
        let placed = self.with_wagers();
        let player = |bettor: &Bettor| self.chairs[index(*bettor)].as_ref().map(|c| &c.player);
        let several = |bettor: &&Bettor| {
            placed.iter().any(|other| other != *bettor && player(other) == player(bettor))
        };
        match placed.iter().filter(several).all(|bettor| self.in_front(*bettor).decides()) {
            true => Ok(()),
            false => Err(TableRefusal::NotInFront),
        }
    }

    pub(super) fn clear(&mut self, bettor: Bettor, told: &mut Told) -> Result<(), TableRefusal> {
        self.check_betting(bettor)?;
        if self.chair_of(bettor)?.wager.is_empty() {
            return Err(TableRefusal::NothingToClear);
        }
        self.chair_mut(bettor).wager.clear();
        self.try_wagers(bettor)?;
        told.all(What::Cleared { bettor });
        Ok(())
    }

    /// Everything that is placed goes back into the racks.
    pub(super) fn clear_wagers(&mut self, told: &mut Told) {
        for bettor in self.with_wagers() {
            self.chair_mut(bettor).wager.clear();
            told.all(What::Cleared { bettor });
        }
    }

    /// Whether someone may bet now (CW-6-b).
    fn check_betting(&self, bettor: Bettor) -> Result<(), TableRefusal> {
        self.chair_of(bettor)?;
        match self.phase {
            _ if self.play.is_some() => Err(Refusal::BetsClosed.into()),
            Phase::Dealing => Ok(()),
            // A new dealer's burn card keeps nobody from betting.
            Phase::Burning(_) if self.shoe.is_some_and(|shoe| shoe.burned > 0) => Ok(()),
            _ => Err(self.not_awaited()),
        }
    }

    /// The wagers as they lie, each rack a bankroll.
    pub(super) fn wagers(&self) -> TableWagers {
        self.try_wagers(Bettor::at(0)).expect("what was placed can be placed again")
    }

    /// The wagers as they lie, or why the one of this bettor, placed last, cannot lie there.
    pub(super) fn try_wagers(&self, last: Bettor) -> Result<TableWagers, Refusal> {
        let mut wagers = TableWagers::NONE;
        if let Some(meter) = self.meter() {
            wagers.set_meter(meter);
        }
        for (home, chair) in self.everyone().filter(|(bettor, chair)| chair.home == *bettor) {
            wagers.share_rack(&self.boxes_of(&chair.player));
            wagers
                .bankroll(self.bets_from(home, &chair.player), chair.rack)
                .expect("nothing is placed yet");
        }
        let mut placed = self.with_wagers();
        placed.sort_by_key(|bettor| (self.in_front(*bettor).place(), *bettor == last));
        for bettor in placed {
            wagers.place(&self.opening, self.in_front(bettor), self.wager_of(bettor))?;
        }
        Ok(wagers)
    }

    pub(super) fn opening_lines_now(&self) -> Vec<String> {
        let (shoe, at) = self.shoe.map_or((0, 0), |shoe| (shoe.number, shoe.dealt));
        let mut lines = Line::set_up(&self.sheet);
        let mut bettors = self.with_wagers();
        bettors.sort_by_key(|bettor| self.in_front(*bettor));
        let player = |bettor: Bettor| self.chair_of(bettor).map(|chair| &chair.player).ok();
        let boxes = |of: Bettor| -> Vec<usize> {
            let own = bettors.iter().filter(|other| player(**other) == player(of));
            own.map(|bettor| bettor.seat()).collect()
        };
        let firsts: Vec<Bettor> =
            bettors.iter().copied().filter(|bettor| boxes(*bettor)[0] == bettor.seat()).collect();
        for &bettor in firsts.iter().filter(|bettor| self.in_front(**bettor).decides()) {
            let name = player(bettor).map_or("", Name::as_str).to_owned();
            lines.push(Line::Person { name, seats: boxes(bettor) });
        }
        for &bettor in &firsts {
            lines.push(Line::Bankroll(self.in_front(bettor), self.rack_of(bettor)));
        }
        lines.extend(self.meter().map(Line::Meter));
        for &bettor in &bettors {
            let amounts = self.wager_of(bettor).to_vec();
            lines.push(Line::Wager { bettor: self.in_front(bettor), amounts });
        }
        let from = [format!("round {}", self.rounds_played + 1), format!("shoe {shoe} at {at}")];
        from.into_iter().chain(lines.iter().map(ToString::to_string)).collect()
    }

    fn with_wagers(&self) -> Vec<Bettor> {
        let bettors = self.everyone().filter(|(_, chair)| !chair.wager.is_empty());
        bettors.map(|(bettor, _)| bettor).collect()
    }

    /// Everyone at the table, box by box from the dealer's far left.
    pub fn everyone(&self) -> impl Iterator<Item = (Bettor, &Chair)> {
        Bettor::all(MOST_SEATS, MOST_BETTORS)
            .filter_map(|bettor| Some((bettor, self.chairs[index(bettor)].as_ref()?)))
    }

    pub(super) fn is_deserted(&self) -> bool {
        self.chairs.iter().all(Option::is_none)
    }

    /// Where a person's chips lie.
    fn home_of(&self, player: &Name) -> Option<Bettor> {
        self.everyone().find(|(_, chair)| chair.player == *player).map(|(_, chair)| chair.home)
    }

    /// The boxes whose decisions a person would call, the one with the chips first.
    fn boxes_of(&self, player: &Name) -> Vec<usize> {
        let mine = self.everyone().filter(|(_, chair)| chair.player == *player);
        let mine = mine.filter(|(bettor, _)| self.in_front(*bettor).decides());
        let mut boxes: Vec<_> = mine.map(|(at, chair)| (at != chair.home, at.seat())).collect();
        boxes.sort_unstable();
        boxes.into_iter().map(|(_, seat)| seat).collect()
    }

    /// Where a person's rack stands for the round: at a wager, or where the chips lie.
    fn bets_from(&self, home: Bettor, player: &Name) -> Bettor {
        let mut own = self.everyone().filter(|(_, chair)| chair.player == *player);
        let wager = own.find(|(_, chair)| !chair.wager.is_empty());
        self.in_front(wager.map_or(home, |(bettor, _)| bettor))
    }

    /// Whether the layout has such a place.
    pub(super) fn check_place(&self, bettor: Bettor) -> Result<(), TableRefusal> {
        let (seats, most) = (self.opening.seats, self.opening.bettors);
        if bettor.seat() >= usize::from(seats) {
            return Err(Refusal::NoSuchSeat { seats }.into());
        }
        if bettor.place() >= usize::from(most) {
            return Err(Refusal::BoxNotShared { most }.into());
        }
        Ok(())
    }

    fn place_of_layout(&self, bettor: Bettor) -> Result<Option<&Chair>, TableRefusal> {
        self.check_place(bettor)?;
        Ok(self.chairs[index(bettor)].as_ref())
    }

    pub(super) fn chair_of(&self, bettor: Bettor) -> Result<&Chair, TableRefusal> {
        self.place_of_layout(bettor)?.ok_or(TableRefusal::NotSeated)
    }

    fn wager_of(&self, bettor: Bettor) -> &[(Circle, Cents)] {
        self.chairs[index(bettor)].as_ref().map_or(&[], |chair| &chair.wager)
    }

    /// The chips of whoever has this place.
    pub(super) fn rack_of(&self, bettor: Bettor) -> Cents {
        let home = self.chairs[index(bettor)].as_ref().map(|chair| chair.home);
        let chair = home.and_then(|home| self.chairs[index(home)].as_ref());
        chair.map_or(Cents::ZERO, |chair| chair.rack)
    }

    pub(super) fn chair_mut(&mut self, bettor: Bettor) -> &mut Chair {
        self.chairs[index(bettor)].as_mut().expect("somebody is there")
    }
}

/// Where a chair is kept: all seats first, then those behind them.
pub(super) fn index(bettor: Bettor) -> usize {
    bettor.place() * MOST_SEATS + bettor.seat()
}
