//! Seats and money: sitting down, buying in, betting and leaving.

mod boxes;
mod meter;
mod money;

use super::account::{Account, Name};
use super::cards::CardStage;
use super::input::Input;
use super::{Answer, Events, Table, TableEvent, TableRefusal};
use crate::games::{TableWagers, casino_war, opening};
use crate::money::Cents;
use crate::notation::{self, Line, Or, Reading, Unreadable, Words};
use crate::progressive::Meter;
use crate::refusal::{Refusal, ensure};
use crate::round::Range;
use crate::terms::TermSheet;
use crate::wager::{Bettor, Circle, MOST_BETTORS, MOST_SEATS, Opening, ProgressiveStakes};

use meter::TableMeter;

/// A place at the table that is taken: a seat, or one behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chair {
    /// Who has it.
    pub player: Name,
    /// The chips there, with those of wagers until bets close.
    ///
    /// Boxes of one person have one rack, at the [`home`](Chair::home) of that person.
    pub rack: Cents,
    /// Where the person's chips are.
    pub home: Bettor,
    /// The opening wagers, from when they are placed until the round is over.
    pub wager: Vec<(Circle, Cents)>,
    /// Whether the player sits at the box, rather than standing behind it (DAB-13-b).
    pub seated: bool,
    /// How many had sat down before.
    pub(crate) arrival: u32,
    /// The rounds of this shoe since the last wager; none where the shoe was in use before the
    /// player came (G-25).
    pub(crate) skipped: Option<u32>,
}

impl Chair {
    /// The main opening wager.
    pub(crate) fn main(&self) -> Cents {
        let main = self.wager.iter().find(|(circle, _)| *circle == Circle::Main);
        main.map_or(Cents::ZERO, |(_, amount)| *amount)
    }

    /// Its line in a standing, without the wager.
    fn standing(&self) -> String {
        let Chair { player, rack, home, wager: _, seated, arrival, skipped } = self;
        let seated = SEATED[usize::from(*seated)];
        let skipped = Or(*skipped, "-");
        format!("{player} rack {rack} at {home} {seated} arrival {arrival} skipped {skipped}")
    }

    /// Reads that line.
    fn resumed(words: &mut Words<'_>) -> Reading<Chair> {
        Ok(Chair {
            player: words.read()?,
            rack: words.after("rack")?,
            home: {
                words.exactly("at")?;
                words.bettor()?
            },
            wager: Vec::new(),
            seated: words.either(SEATED)?,
            arrival: words.after("arrival")?,
            skipped: words.after("skipped")?,
        })
    }
}

/// The words of a standing for whether somebody sits at a box.
const SEATED: [&str; 2] = ["standing", "seated"];

/// Somebody who left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FormerPlayer {
    pub(crate) player: Name,
    /// The rounds of this shoe since the last wager, so that a player who only changes seats may go
    /// on (G-25).
    pub(crate) skipped: Option<u32>,
}

/// How many of those who left a table remembers, so that a correction can still be paid to them.
pub(crate) const MOST_FORMER: usize = 64;

/// Who is at the table with which chips, and the progressive meter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seats {
    opening: Opening,
    /// The seats first, then the places behind them.
    chairs: [Option<Chair>; MOST_SEATS * MOST_BETTORS],
    /// The last people who left, most recent last.
    former: Vec<FormerPlayer>,
    /// Who may join the bettors at a box (DAB-13-a).
    consents: [Vec<Name>; MOST_SEATS],
    /// Who has placed a wager, in order (DAB-R28).
    stakes: Vec<Bettor>,
    /// How many players have ever sat down.
    arrivals: u32,
    meter: Option<TableMeter>,
}

impl Seats {
    /// Empty seats, and a meter where the house offers the progressive.
    pub(super) fn new(sheet: &TermSheet) -> Seats {
        let opening = opening(sheet);
        let has_meter = opening.progressive.is_some_and(|p| p != ProgressiveStakes::NotOffered);
        Seats {
            opening,
            chairs: [const { None }; MOST_SEATS * MOST_BETTORS],
            former: Vec::new(),
            consents: Default::default(),
            stakes: Vec::new(),
            arrivals: 0,
            meter: has_meter.then(|| TableMeter::Own(Meter::new(casino_war::seed(sheet)))),
        }
    }

    /// Whether it can be written down: no hit of a shared meter waits for the end of a round.
    pub(super) fn stands(&self) -> bool {
        !matches!(self.meter, Some(TableMeter::Shared { hit: true, .. }))
    }

    /// Everything that later rounds depend on, in lines.
    pub(super) fn standing(&self) -> Vec<String> {
        let Seats { opening: _, chairs: _, former, consents, stakes, arrivals, meter } = self;
        let mut lines: Vec<_> =
            self.everyone().map(|(at, chair)| format!("seat {at} {}", chair.standing())).collect();
        for &bettor in stakes {
            let amounts = self.wager_of(bettor).to_vec();
            lines.push(Input::Wager { bettor, amounts }.to_string());
        }
        lines.extend(former.iter().map(|FormerPlayer { player, skipped }| match skipped {
            Some(rounds) => format!("gone {player} skipped {rounds}"),
            None => format!("gone {player}"),
        }));
        for (seat, names) in (1..).zip(consents) {
            lines.extend(names.iter().map(|name| format!("consent {seat} {name}")));
        }
        lines.push(format!("arrivals {arrivals}"));
        lines.extend(meter.iter().map(|meter| format!("meter {meter}")));
        lines
    }

    /// Reads the rest of one of those lines; false if it is not one.
    pub(super) fn resume(&mut self, keyword: &str, words: &mut Words<'_>) -> Reading<bool> {
        match keyword {
            "seat" => {
                let bettor = words.bettor()?;
                self.chairs[index(bettor)] = Some(Chair::resumed(words)?);
            }
            "wager" => {
                let (bettor, amounts) = notation::wager(words)?;
                let chair = self.chairs.get_mut(index(bettor)).and_then(Option::as_mut);
                chair.ok_or_else(|| Unreadable::new("a wager of somebody", "nobody"))?.wager =
                    amounts;
                self.stakes.push(bettor);
            }
            "gone" => {
                let player = words.read()?;
                let skipped = words.skip("skipped").then(|| words.read()).transpose()?;
                self.former.push(FormerPlayer { player, skipped });
            }
            "consent" => self.consents[usize::from(words.seat()?)].push(words.read()?),
            "arrivals" => self.arrivals = words.read()?,
            "meter" => {
                let meter = self.meter.as_mut();
                let meter = meter.ok_or_else(|| Unreadable::new("a game with a meter", "none"))?;
                meter.resume(words)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether everyone who was read can be there, and every rack covers its wagers.
    pub(super) fn is_whole(&self) -> bool {
        let is_home = |(bettor, chair): (Bettor, &Chair)| {
            let home = self.chair(chair.home);
            let is_own = home.is_some_and(|home| home.player == chair.player);
            let exist = self.check_place(chair.home).and(self.check_place(bettor)).is_ok();
            is_own && exist && chair.rack >= Cents::ZERO
        };
        self.former.len() <= MOST_FORMER
            && self.everyone().all(is_home)
            && self.try_wagers(Bettor::at(0)).is_ok()
    }

    /// The seats from the dealer's far left (G-05).
    pub(super) fn seats(&self) -> &[Option<Chair>] {
        &self.chairs[..usize::from(self.opening.seats)]
    }

    /// Everybody may bet with a new shoe; those who left before it skipped all of it (G-25).
    pub(super) fn begin_shoe(&mut self) {
        self.chairs.iter_mut().flatten().for_each(|chair| chair.skipped = Some(0));
        self.former.iter_mut().for_each(|former| former.skipped = None);
    }

    /// Counts the rounds that everyone has skipped, and clears the wagers.
    pub(super) fn end_round(&mut self) {
        for chair in self.chairs.iter_mut().flatten() {
            chair.skipped = match chair.wager.is_empty() {
                true => chair.skipped.map(|rounds| rounds + 1),
                false => Some(0),
            };
            chair.wager.clear();
        }
        for former in &mut self.former {
            former.skipped = former.skipped.map(|rounds| rounds + 1);
        }
    }

    /// Whether a person may have one more box (G-29).
    #[doc(alias("DAB-14", "DDS-6-c", "FBB-5-f"))]
    fn check_another_box(&self, home: Bettor, bettor: Bettor, player: &Name) -> Answer {
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

    /// Sells chips; bought during a round, they can be staked in it at once (G-07).
    pub(crate) fn buy_in(
        &mut self,
        bettor: Bettor,
        amount: Cents,
        events: &mut Events,
    ) -> Result<Name, TableRefusal> {
        let chair = self.chair_of(bettor)?;
        let (player, home) = (chair.player.clone(), chair.home);
        let Range { least, most, step } = self.opening.buy_in();
        ensure(amount >= least.into(), TableRefusal::BuyInTooSmall { least })?;
        ensure(amount <= most.into(), TableRefusal::BuyInTooLarge { most })?;
        let is_whole = amount.get() % i64::from(step.get()) == 0;
        ensure(is_whole, Refusal::OffChipUnit { unit: step })?;
        self.pay(Account::Player(player.clone()), Account::Rack(home), amount, events);
        Ok(player)
    }

    /// The chips of a person who keeps other boxes move to one of them.
    pub(crate) fn move_home(&mut self, from: Bettor, to: Bettor, rack: Cents, events: &mut Events) {
        self.pay(Account::Rack(from), Account::Rack(to), rack, events);
        for chair in self.chairs.iter_mut().flatten() {
            if chair.home == from {
                chair.home = to;
            }
        }
    }

    /// A player on several boxes is the first bettor on each, so that one rack covers them all (G-29).
    fn check_in_front(&self) -> Answer {
        let placed = self.with_wagers();
        let player = |bettor: &Bettor| self.chairs[index(*bettor)].as_ref().map(|c| &c.player);
        let several = |bettor: &&Bettor| {
            placed.iter().any(|other| other != *bettor && player(other) == player(bettor))
        };
        ensure(
            placed.iter().filter(several).all(|bettor| self.in_front(*bettor).decides()),
            TableRefusal::NotInFront,
        )
    }

    /// Returns all wagers to the racks.
    pub(crate) fn clear_wagers(&mut self, events: &mut Events) {
        for bettor in self.with_wagers() {
            self.chair_mut(bettor).wager.clear();
            events.push(TableEvent::Cleared { bettor });
        }
    }

    /// The wagers as placed, each rack a bankroll.
    pub(crate) fn wagers(&self) -> TableWagers {
        self.try_wagers(Bettor::at(0)).expect("what was placed can be placed again")
    }

    /// The wagers as placed, or why the last one, by this bettor, cannot be.
    pub(crate) fn try_wagers(&self, last: Bettor) -> Result<TableWagers, Refusal> {
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

    fn with_wagers(&self) -> Vec<Bettor> {
        let bettors = self.everyone().filter(|(_, chair)| !chair.wager.is_empty());
        bettors.map(|(bettor, _)| bettor).collect()
    }

    /// Everyone at the table, box by box from the dealer's far left.
    pub(crate) fn everyone(&self) -> impl Iterator<Item = (Bettor, &Chair)> {
        Bettor::all(MOST_SEATS, MOST_BETTORS)
            .filter_map(|bettor| Some((bettor, self.chairs[index(bettor)].as_ref()?)))
    }

    pub(crate) fn is_deserted(&self) -> bool {
        self.chairs.iter().all(Option::is_none)
    }

    /// Where a person's chips are.
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

    /// Where a person's rack counts for the round: at a wager, or where the chips are.
    fn bets_from(&self, home: Bettor, player: &Name) -> Bettor {
        let mut own = self.everyone().filter(|(_, chair)| chair.player == *player);
        let wager = own.find(|(_, chair)| !chair.wager.is_empty());
        self.in_front(wager.map_or(home, |(bettor, _)| bettor))
    }

    /// Whether the layout has such a place.
    pub(crate) fn check_place(&self, bettor: Bettor) -> Answer {
        let (seats, most) = (self.opening.seats, self.opening.bettors);
        ensure(bettor.seat() < usize::from(seats), Refusal::NoSuchSeat { seats })?;
        ensure(bettor.place() < usize::from(most), Refusal::BoxNotShared { most })?;
        Ok(())
    }

    fn place_of_layout(&self, bettor: Bettor) -> Result<Option<&Chair>, TableRefusal> {
        self.check_place(bettor)?;
        Ok(self.chairs[index(bettor)].as_ref())
    }

    pub(crate) fn chair_of(&self, bettor: Bettor) -> Result<&Chair, TableRefusal> {
        self.place_of_layout(bettor)?.ok_or(TableRefusal::NotSeated)
    }

    pub(crate) fn wager_of(&self, bettor: Bettor) -> &[(Circle, Cents)] {
        self.chairs[index(bettor)].as_ref().map_or(&[], |chair| &chair.wager)
    }

    /// The chips of the player at this place.
    pub(crate) fn rack_of(&self, bettor: Bettor) -> Cents {
        let home = self.chairs[index(bettor)].as_ref().map(|chair| chair.home);
        let chair = home.and_then(|home| self.chairs[index(home)].as_ref());
        chair.map_or(Cents::ZERO, |chair| chair.rack)
    }

    pub(crate) fn chair_mut(&mut self, bettor: Bettor) -> &mut Chair {
        self.chairs[index(bettor)].as_mut().expect("somebody is there")
    }
}

impl Table {
    /// A player takes a box, perhaps in addition to others, or stands behind one.
    pub(crate) fn sit(&mut self, bettor: Bettor, player: &Name, events: &mut Events) -> Answer {
        ensure(self.seats.place_of_layout(bettor)?.is_none(), TableRefusal::SeatTaken)?;
        let home = self.seats.home_of(player);
        match home {
            Some(home) => self.seats.check_another_box(home, bettor, player)?,
            None => self.seats.check_shared_box(bettor, player)?,
        }
        let before = self.seats.former.iter().find(|former| former.player == *player);
        let skipped = match self.cards.rounds_of_shoe() {
            0 => Some(0),
            _ => before.and_then(|former| former.skipped),
        };
        self.seats.former.retain(|former| former.player != *player);
        events.push(TableEvent::SatDown { bettor, player: player.clone() });
        if self.seats.arrivals == 0 {
            self.seats.tell_seed(events);
            self.cards.tell_spread(events);
        }
        let seated =
            self.seats.everyone().any(|(at, chair)| at.seat() == bettor.seat() && chair.seated);
        self.seats.chairs[index(bettor)] = Some(Chair {
            player: player.clone(),
            rack: Cents::ZERO,
            home: home.unwrap_or(bettor),
            wager: Vec::new(),
            seated: bettor.decides() && !seated,
            arrival: self.seats.arrivals,
            skipped,
        });
        self.seats.arrivals += 1;
        Ok(())
    }

    /// A wager that is only placed goes back to the rack; one in play stays, and so does its player,
    /// at all boxes (CW-6-b), unless released from the round (G-10). Whoever leaves the last box
    /// takes all chips.
    pub(crate) fn leave(&mut self, bettor: Bettor, events: &mut Events) -> Answer {
        let chair = self.seats.chair_of(bettor)?;
        let (player, rack, home) = (chair.player.clone(), chair.rack, chair.home);
        let skipped = chair.skipped;
        let other =
            self.seats.everyone().find(|(at, other)| *at != bettor && other.player == player);
        let other = other.map(|(bettor, _)| bettor);
        let placed = !chair.wager.is_empty();
        self.leave_round(&player, home)?;
        if placed && !self.rounds.in_play() {
            events.push(TableEvent::Cleared { bettor });
        }
        match other {
            Some(other) if home == bettor => self.seats.move_home(bettor, other, rack, events),
            Some(_) => {}
            None => {
                let account = Account::Player(player.clone());
                self.seats.pay(Account::Rack(bettor), account, rack, events);
                self.seats.former.push(FormerPlayer { player: player.clone(), skipped });
                let forgotten = self.seats.former.len().saturating_sub(MOST_FORMER);
                self.seats.former.drain(..forgotten);
            }
        }
        self.seats.chairs[index(bettor)] = None;
        self.rounds.forget_last_of(home);
        events.push(TableEvent::Left { bettor, player });
        self.offer_cut_on_leaving(bettor, events);
        self.seats.forget_consents(bettor.seat());
        self.clear_if_apart(other, events);
        Ok(())
    }

    /// Takes a person with nothing at stake out of the round in play.
    fn leave_round(&mut self, player: &Name, home: Bettor) -> Answer {
        let own = self.seats.everyone().filter(|(_, c)| c.player == *player && !c.wager.is_empty());
        let own: Vec<Bettor> = own.map(|(bettor, _)| bettor).collect();
        let Some(play) = self.rounds.play_mut().filter(|_| !own.is_empty()) else {
            return Ok(());
        };
        ensure(
            own.iter().all(|bettor| play.released.contains(*bettor)) && play.forget(home),
            TableRefusal::WagerInPlay,
        )
    }

    /// Boxes that are no longer next to each other lose their wagers (FBB-5-f).
    fn clear_if_apart(&mut self, of: Option<Bettor>, events: &mut Events) {
        let Some(player) = of.and_then(|bettor| self.seats.chair(bettor)).map(|c| c.player.clone())
        else {
            return;
        };
        if !self.rounds.in_play() && self.seats.try_wagers(Bettor::at(0)).is_err() {
            for bettor in self.seats.with_wagers() {
                if self.seats.chair_mut(bettor).player == player {
                    self.seats.chair_mut(bettor).wager.clear();
                    events.push(TableEvent::Cleared { bettor });
                }
            }
        }
    }

    /// Places a wager, replacing an earlier one; the rack must cover it (G-07).
    #[doc(alias("CW-6-a", "DDS-6-a", "FBB-5-a"))]
    pub(crate) fn wager(
        &mut self,
        bettor: Bettor,
        amounts: &[(Circle, Cents)],
        events: &mut Events,
    ) -> Answer {
        self.check_betting(bettor)?;
        self.check_entry(bettor)?;
        ensure(self.seats.rack_of(bettor) != Cents::ZERO, TableRefusal::NothingBought)?;
        // A wager that is nothing would lie on the layout as none.
        ensure(!amounts.is_empty(), Refusal::MainWagerMissing)?;
        for (i, &(circle, _)) in amounts.iter().enumerate() {
            ensure(
                !amounts[..i].iter().any(|(earlier, _)| *earlier == circle),
                TableRefusal::CircleTwice { circle },
            )?;
        }
        self.seats.chair_mut(bettor).wager = amounts.to_vec();
        self.seats.stakes.retain(|earlier| *earlier != bettor);
        self.seats.stakes.push(bettor);
        self.seats.check_in_front()?;
        self.seats.try_wagers(bettor)?;
        events.push(TableEvent::Placed { bettor, amounts: amounts.to_vec() });
        Ok(())
    }

    pub(crate) fn clear(&mut self, bettor: Bettor, events: &mut Events) -> Answer {
        self.check_betting(bettor)?;
        ensure(!self.seats.chair_of(bettor)?.wager.is_empty(), TableRefusal::NothingToClear)?;
        self.seats.chair_mut(bettor).wager.clear();
        self.seats.try_wagers(bettor)?;
        events.push(TableEvent::Cleared { bettor });
        Ok(())
    }

    /// Whether someone may bet now.
    #[doc(alias("CW-6-b", "DAB-5-d", "DAB-5-f", "DDS-6-b", "FBB-5-c"))]
    fn check_betting(&self, bettor: Bettor) -> Answer {
        self.seats.chair_of(bettor)?;
        match self.cards.stage() {
            _ if self.rounds.in_play() => Err(Refusal::BetsClosed.into()),
            CardStage::Dealing => Ok(()),
            // A new dealer's burn card keeps nobody from betting.
            CardStage::Burning(_) if self.cards.shoe().is_some_and(|shoe| shoe.burned > 0) => {
                Ok(())
            }
            _ => Err(self.not_awaited()),
        }
    }

    pub(crate) fn opening_lines_now(&self) -> Vec<String> {
        let (shoe, at) = self.cards.shoe().map_or((0, 0), |shoe| (shoe.number, shoe.dealt));
        let mut lines = Line::set_up(&self.sheet);
        let mut bettors = self.seats.with_wagers();
        bettors.sort_by_key(|bettor| self.seats.in_front(*bettor));
        let player = |bettor: Bettor| self.seats.chair_of(bettor).map(|chair| &chair.player).ok();
        let boxes = |of: Bettor| -> Vec<usize> {
            let own = bettors.iter().filter(|other| player(**other) == player(of));
            own.map(|bettor| bettor.seat()).collect()
        };
        let firsts: Vec<Bettor> =
            bettors.iter().copied().filter(|bettor| boxes(*bettor)[0] == bettor.seat()).collect();
        for &bettor in firsts.iter().filter(|bettor| self.seats.in_front(**bettor).decides()) {
            let name = player(bettor).map_or("", Name::as_str).to_owned();
            lines.push(Line::Person { name, seats: boxes(bettor) });
        }
        for &bettor in &firsts {
            lines.push(Line::Bankroll(self.seats.in_front(bettor), self.seats.rack_of(bettor)));
        }
        lines.extend(self.seats.meter().map(Line::Meter));
        for &bettor in &bettors {
            let amounts = self.seats.wager_of(bettor).to_vec();
            lines.push(Line::Wager { bettor: self.seats.in_front(bettor), amounts });
        }
        let from = [format!("round {}", self.rounds.played() + 1), format!("shoe {shoe} at {at}")];
        from.into_iter().chain(lines.iter().map(ToString::to_string)).collect()
    }
}

/// The index of a chair: all seats first, then the places behind them.
pub(crate) fn index(bettor: Bettor) -> usize {
    bettor.place() * MOST_SEATS + bettor.seat()
}
