//! Who bets, on which circle, and what may be placed before the first card.

use std::fmt;

pub use crate::games::Game;
use crate::money::{Cents, Chips, LARGEST_AMOUNT};
use crate::names::names;
use crate::refusal::{Refusal, ensure};
use crate::round::{Event, Range, Record};
use crate::terms::TermSheet;

/// The most boxes on a layout (G-26).
pub const MOST_SEATS: usize = 7;
/// The highest box number that can be written; beyond the layout it is refused.
const MOST_SEATS_WRITTEN: usize = 9;
/// The most bettors on one box (DAB-13-a).
pub const MOST_BETTORS: usize = 3;

/// Boxes, bettors and hands are counted in `usize`, and kept in a byte.
#[allow(clippy::cast_possible_truncation)]
pub(crate) const fn byte(number: usize) -> u8 {
    assert!(number < 256);
    number as u8
}

impl Game {
    /// The name in the notation and on the command line.
    pub const fn name(self) -> &'static str {
        self.book().name
    }

    /// The name on the sign above the table.
    pub const fn title(self) -> &'static str {
        self.book().title
    }

    /// The game of a name.
    pub fn named(name: &str) -> Option<Game> {
        Game::ALL.into_iter().find(|game| game.name() == name)
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

names! {
    /// A place on the layout where wagers are put.
    Circle {
        /// The wager that takes part in the round.
        Main "main"
        /// A tie on the original deal (Casino War).
        Tie "tie"
        /// The progressive side wager (Casino War).
        Progressive "progressive"
        /// The war wager.
        War "war"
        /// A tie on the war deal.
        WarTie "war-tie"
        /// The wager added by doubling.
        Double "double"
        /// The double attack wager.
        Attack "attack"
        /// The dealer's three-card bust (Double Attack).
        Bonus "bonus"
        /// The dealer's 22 (Free Bet).
        Push22 "push22"
        /// Insurance against the dealer's natural.
        Insurance "insurance"
        /// Money matched on hands made by splitting.
        Split "split"
        /// Envy of another seat's award; only ever won.
        Envy "envy"
    }
}

impl Circle {
    /// What is printed on the layout of a game; none where it has no such circle.
    pub fn title(self, game: Game) -> Option<&'static str> {
        game.book().circles.iter().find(|(circle, _)| *circle == self).map(|(_, title)| *title)
    }

    /// Whether it takes a side wager, placed by choice before the first card.
    pub const fn is_side(self) -> bool {
        matches!(self, Circle::Tie | Circle::Progressive | Circle::Bonus | Circle::Push22)
    }
}

/// Someone with a wager on a box. Printed as in the notation: `3`, or `3b` behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bettor {
    seat: u8,
    behind: u8,
}

impl Bettor {
    /// The bettor who decides for the box at `seat`, counted from 0 at the dealer's far left (G-05).
    pub const fn at(seat: usize) -> Bettor {
        Bettor::behind(seat, 0)
    }

    /// The bettor at `seat` with `place` others in front.
    pub const fn behind(seat: usize, place: usize) -> Bettor {
        assert!(seat < MOST_SEATS_WRITTEN && place < MOST_BETTORS);
        Bettor { seat: byte(seat), behind: byte(place) }
    }

    /// Every bettor of a layout of `seats` boxes, box by box.
    pub fn all(seats: usize, bettors: usize) -> impl DoubleEndedIterator<Item = Bettor> {
        (0..seats).flat_map(move |seat| (0..bettors).map(move |place| Bettor::behind(seat, place)))
    }

    /// The box, counted from 0.
    #[inline]
    pub const fn seat(self) -> usize {
        self.seat as usize
    }

    /// How many bettors stand in front on the same box.
    #[inline]
    pub const fn place(self) -> usize {
        self.behind as usize
    }

    /// Whether this bettor calls the decisions of the box (DAB-13-b).
    #[inline]
    pub const fn decides(self) -> bool {
        self.behind == 0
    }

    /// Reads `3` or `3b`; the box is counted from 1.
    pub fn read(word: &str) -> Option<Bettor> {
        let (number, place) = match word.strip_suffix(['b', 'c']) {
            Some(number) if word.ends_with('b') => (number, 1),
            Some(number) => (number, 2),
            None => (word, 0),
        };
        let seat: usize = number.parse().ok()?;
        ((1..=MOST_SEATS_WRITTEN).contains(&seat) && number.len() == 1)
            .then(|| Bettor::behind(seat - 1, place))
    }
}

impl fmt::Display for Bettor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.seat + 1, ["", "b", "c"][self.place()])
    }
}

/// A set of bettors, such as all who are asked at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bettors(u32);

impl Bettors {
    /// Nobody.
    pub const NONE: Bettors = Bettors(0);

    const fn bit(bettor: Bettor) -> u32 {
        1 << (bettor.seat() * MOST_BETTORS + bettor.place())
    }

    /// Just this one.
    #[inline]
    pub const fn only(bettor: Bettor) -> Bettors {
        Bettors(Bettors::bit(bettor))
    }

    /// Adds one.
    #[inline]
    pub const fn add(&mut self, bettor: Bettor) {
        self.0 |= Bettors::bit(bettor);
    }

    /// Takes one out.
    #[inline]
    pub const fn remove(&mut self, bettor: Bettor) {
        self.0 &= !Bettors::bit(bettor);
    }

    /// Whether this one is in it.
    #[inline]
    pub const fn contains(self, bettor: Bettor) -> bool {
        self.0 & Bettors::bit(bettor) != 0
    }

    /// Whether nobody is in it.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its members, from the dealer's left.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Bettor> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let bit = left.checked_ilog2().map(|_| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(Bettor::behind(bit / MOST_BETTORS, bit % MOST_BETTORS))
        })
    }
}

impl FromIterator<Bettor> for Bettors {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Bettor>>(bettors: I) -> Bettors {
        let mut set = Bettors::NONE;
        bettors.into_iter().for_each(|bettor| set.add(bettor));
        set
    }
}

/// What everyone can still spend in this round. Boxes of one person share one rack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Racks<const SEATS: usize, const BETTORS: usize> {
    left: [[Cents; BETTORS]; SEATS],
    /// The seat whose rack is used: the person's first one.
    owner: [[u8; BETTORS]; SEATS],
}

impl<const SEATS: usize, const BETTORS: usize> Racks<SEATS, BETTORS> {
    /// Everyone with a rack of their own, without limit.
    pub const UNLIMITED: Self = {
        let mut owner = [[0; BETTORS]; SEATS];
        let mut seat = 0;
        while seat < SEATS {
            owner[seat] = [byte(seat); BETTORS];
            seat += 1;
        }
        Racks { left: [[Cents::UNLIMITED; BETTORS]; SEATS], owner }
    };

    /// Whose rack is used; with one seat there is only one.
    #[inline]
    fn place(&self, bettor: Bettor) -> (usize, usize) {
        match SEATS {
            1 => (0, bettor.place()),
            _ => (self.owner[bettor.seat()][bettor.place()] as usize, bettor.place()),
        }
    }

    /// What the bettor can still spend.
    #[inline]
    pub fn left(&self, bettor: Bettor) -> Cents {
        let (seat, place) = self.place(bettor);
        self.left[seat][place]
    }

    /// Whether the bettor can spend this much.
    #[inline]
    pub fn can_spend(&self, bettor: Bettor, amount: Chips) -> bool {
        self.left(bettor) >= Cents::from(amount)
    }

    /// The largest whole number of chip units, up to `most`, that the bettor can spend.
    #[inline]
    pub fn up_to(&self, bettor: Bettor, most: Chips, unit: Chips) -> Chips {
        let left = self.left(bettor);
        if left >= Cents::from(most) {
            return most;
        }
        Chips::from_cents(left).unwrap_or(Chips::ZERO).whole(unit)
    }

    /// Whether the bettor's rack is unlimited.
    #[inline]
    pub(crate) fn is_unlimited(&self, bettor: Bettor) -> bool {
        self.left(bettor) == Cents::UNLIMITED
    }

    /// Takes chips from the rack.
    #[inline]
    pub(crate) fn spend(&mut self, bettor: Bettor, amount: Chips) {
        let (seat, place) = self.place(bettor);
        let left = &mut self.left[seat][place];
        if *left != Cents::UNLIMITED {
            assert!(*left >= Cents::from(amount), "only what can be paid is offered");
            *left -= Cents::from(amount);
        }
    }

    /// Puts chips into the rack, from which they can be staked at once (G-07).
    #[inline]
    pub(crate) fn add(&mut self, bettor: Bettor, amount: Cents) {
        if !self.is_unlimited(bettor) {
            let (seat, place) = self.place(bettor);
            let left = &mut self.left[seat][place];
            *left = Cents::new(left.get().saturating_add(amount.get()));
        }
    }

    /// Puts bought chips into the rack, in whole chip units (G-07).
    pub(crate) fn buy_in(
        &mut self,
        bettor: Bettor,
        amount: Cents,
        unit: Chips,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        ensure(amount >= unit.into(), Refusal::AmountTooSmall { least: unit })?;
        ensure(amount.get() % i64::from(unit.get()) == 0, Refusal::OffChipUnit { unit })?;
        self.add(bettor, amount);
        record.note(Event::BoughtIn { bettor, amount });
        Ok(())
    }

    /// Whether two boxes are one person's.
    #[inline]
    pub fn same_person(&self, one: usize, other: usize) -> bool {
        self.owner[one][0] == self.owner[other][0]
    }

    /// The racks of a smaller or larger layout with the same people.
    #[inline]
    fn resized<const S: usize, const B: usize>(&self) -> Racks<S, B> {
        let mut racks = Racks::UNLIMITED;
        for seat in 0..S.min(SEATS) {
            for place in 0..B.min(BETTORS) {
                racks.left[seat][place] = self.left[seat][place];
                racks.owner[seat][place] = self.owner[seat][place];
            }
        }
        racks
    }
}

/// The wagers that one bettor places before the first card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slip {
    /// The wager that takes part.
    pub main: Chips,
    /// The game's own side wager: tie, bonus or Push 22.
    pub side: Chips,
    /// Casino War's progressive.
    pub progressive: Chips,
}

impl Slip {
    /// All of it together.
    fn total(self) -> Cents {
        Cents::from(self.main) + self.side.into() + self.progressive.into()
    }
}

/// A side wager that a game offers before the first card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideWager {
    /// Its circle.
    pub circle: Circle,
    /// Whether the house offers it.
    pub offered: bool,
    /// The smallest.
    pub min: Chips,
    /// The largest.
    pub max: Chips,
    /// Whether it may not exceed the bettor's main wager (DAB-6-b-1).
    pub up_to_main: bool,
}

/// How the progressive may be staked (CW-11-c-N2, CW-R18).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressiveStakes {
    /// The wager is not offered.
    NotOffered,
    /// Any multiple of 5.00.
    MultiplesOfFive,
    /// Exactly 5.00.
    Five,
}

/// The unit of the progressive wager.
pub const PROGRESSIVE_UNIT: Chips = Chips::dollars(5);

/// How many boxes one person may bet on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxesPerPerson {
    /// The most.
    pub most: u8,
    /// Whether they must be next to each other.
    pub adjacent: bool,
}

impl BoxesPerPerson {
    /// Whether one person may bet on these boxes (G-29).
    #[doc(alias("DAB-14", "DDS-6-c", "FBB-5-f"))]
    pub(crate) fn check(self, is_own: impl Fn(usize) -> bool) -> Result<(), Refusal> {
        let own = || (0..MOST_SEATS).filter(|&seat| is_own(seat));
        let count = own().count();
        ensure(count <= usize::from(self.most), Refusal::TooManyBoxes { most: self.most })?;
        let span = own().next().zip(own().next_back()).map_or(0, |(first, last)| last - first + 1);
        ensure(!(self.adjacent && span != count), Refusal::BoxesApart)
    }
}

/// What may be placed before the first card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The game.
    pub game: Game,
    /// Printed boxes.
    pub seats: u8,
    /// Bettors allowed on one box.
    pub bettors: u8,
    /// Boxes that one person may bet on; none where the book sets no limit.
    pub boxes: Option<BoxesPerPerson>,
    /// The smallest chip.
    pub chip_unit: Chips,
    /// The smallest main wager.
    pub main_min: Chips,
    /// The largest main wager.
    pub main_max: Chips,
    /// The game's side wager, if it has one.
    pub side: Option<SideWager>,
    /// The progressive, if the game has one.
    pub progressive: Option<ProgressiveStakes>,
}

impl Opening {
    /// What every game takes with these terms: main wagers, one bettor a box.
    pub(crate) fn of(sheet: &TermSheet) -> Opening {
        Opening {
            game: sheet.game(),
            seats: sheet.count("seats"),
            bettors: 1,
            boxes: None,
            chip_unit: sheet.chips("chip_unit"),
            main_min: sheet.chips("main_min"),
            main_max: sheet.chips("main_max"),
            side: None,
            progressive: None,
        }
    }

    /// Checks what a bettor wants to place, all of it or nothing.
    #[doc(alias("CW-1-initial-wager", "DAB-1-initial-wager", "FBB-5-d"))]
    #[doc(alias = "DAB-6-b-1")]
    pub fn check(&self, amounts: &[(Circle, Cents)]) -> Result<Slip, Refusal> {
        let mut slip = Slip::default();
        for &(circle, amount) in amounts {
            let chips = self.on_circle(circle, amount)?;
            match circle {
                Circle::Main => slip.main = chips,
                Circle::Progressive => slip.progressive = chips,
                _ => slip.side = chips,
            }
        }
        ensure(!slip.main.is_zero(), Refusal::MainWagerMissing)?;
        if self.side.is_some_and(|side| side.up_to_main && slip.side > slip.main) {
            return Err(Refusal::BonusAboveInitial { most: slip.main });
        }
        Ok(slip)
    }

    /// The amounts that can be bought in for.
    pub fn buy_in(&self) -> Range {
        Range { least: self.chip_unit, most: LARGEST_AMOUNT, step: self.chip_unit }
    }

    /// The amounts that [`check`](Self::check) takes on a circle, where it is open.
    ///
    /// A bonus may also be limited to the bettor's main wager (DAB-6-b-1).
    pub fn amounts(&self, circle: Circle) -> Option<Range> {
        let Range { least, most, step } = self.limits(circle).ok()?;
        let step = in_both(step, self.chip_unit);
        let least = Chips::new(least.get().next_multiple_of(step.get()));
        let most = most.whole(step);
        (least <= most).then_some(Range { least, most, step })
    }

    /// What a circle takes, whatever chips there are, or why it is not open.
    fn limits(&self, circle: Circle) -> Result<Range, Refusal> {
        let (least, most, step) = match (circle, self.side, self.progressive) {
            (Circle::Main, ..) => (self.main_min, self.main_max, self.chip_unit),
            (Circle::Progressive, _, Some(ProgressiveStakes::NotOffered)) => {
                return Err(Refusal::ProgressiveNotOffered);
            }
            (Circle::Progressive, _, Some(ProgressiveStakes::Five)) => {
                (PROGRESSIVE_UNIT, PROGRESSIVE_UNIT, PROGRESSIVE_UNIT)
            }
            (Circle::Progressive, side, Some(ProgressiveStakes::MultiplesOfFive)) => {
                let most = side.map_or(LARGEST_AMOUNT, |side| side.max);
                (PROGRESSIVE_UNIT, most, PROGRESSIVE_UNIT)
            }
            (_, Some(side), _) if side.circle == circle => match side.offered {
                true => (side.min, side.max, self.chip_unit),
                false => return Err(Refusal::SideWagerNotOffered),
            },
            _ => return Err(self.foreign(circle)),
        };
        Ok(Range { least, most, step })
    }

    /// The chips that an amount puts on a circle.
    fn on_circle(&self, circle: Circle, amount: Cents) -> Result<Chips, Refusal> {
        let Range { least, most, step } = self.limits(circle)?;
        // A negative amount is below every minimum, one that is too large above every maximum.
        let chips = Chips::from_cents(amount.max(Cents::ZERO)).unwrap_or(Chips::new(u32::MAX));
        let on_progressive = circle == Circle::Progressive;
        Err(match circle {
            _ if on_progressive && (chips.is_zero() || !chips.is_multiple_of(step)) => {
                Refusal::ProgressiveOffFive
            }
            _ if on_progressive
                && self.progressive == Some(ProgressiveStakes::Five)
                && chips != most =>
            {
                Refusal::ProgressiveNotFive
            }
            Circle::Main if chips < least => Refusal::BelowTableMinimum { least },
            Circle::Main if chips > most => Refusal::AboveTableMaximum { most },
            _ if chips < least => Refusal::BelowSideMinimum { least },
            _ if chips > most => Refusal::AboveSideMaximum { most },
            _ if !chips.is_multiple_of(self.chip_unit) => {
                Refusal::OffChipUnit { unit: self.chip_unit }
            }
            _ => return Ok(chips),
        })
    }

    fn foreign(&self, circle: Circle) -> Refusal {
        match self.game.book().forbids_side_wagers && circle.is_side() {
            true => Refusal::SideWagersProhibited,
            false => Refusal::CircleNotOpen { circle },
        }
    }
}

/// The smallest amount that is a multiple of both.
fn in_both(one: Chips, other: Chips) -> Chips {
    let (mut a, mut b) = (one.get(), other.get());
    while b > 0 {
        (a, b) = (b, a % b);
    }
    Chips::new((one.get() / a).saturating_mul(other.get()))
}

/// The checked wagers of a round: what the table holds while betting is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wagers<const SEATS: usize, const BETTORS: usize> {
    slips: [[Slip; BETTORS]; SEATS],
    racks: Racks<SEATS, BETTORS>,
    meter: Option<Cents>,
}

impl<const SEATS: usize, const BETTORS: usize> Default for Wagers<SEATS, BETTORS> {
    fn default() -> Self {
        Wagers::NONE
    }
}

impl<const SEATS: usize, const BETTORS: usize> Wagers<SEATS, BETTORS> {
    /// No wagers yet.
    pub const NONE: Self = {
        let slip = Slip { main: Chips::ZERO, side: Chips::ZERO, progressive: Chips::ZERO };
        Wagers { slips: [[slip; BETTORS]; SEATS], racks: Racks::UNLIMITED, meter: None }
    };

    /// Places a bettor's wagers, replacing any earlier ones.
    pub fn place(
        &mut self,
        opening: &Opening,
        bettor: Bettor,
        amounts: &[(Circle, Cents)],
    ) -> Result<(), Refusal> {
        ensure(
            bettor.seat() < SEATS.min(opening.seats as usize),
            Refusal::NoSuchSeat { seats: opening.seats },
        )?;
        ensure(
            bettor.place() < BETTORS.min(opening.bettors as usize),
            Refusal::BoxNotShared { most: opening.bettors },
        )?;
        if !bettor.decides() && self.slip(Bettor::at(bettor.seat())).main.is_zero() {
            return Err(Refusal::BoxHasNoFirstBettor);
        }
        self.check_boxes(opening, bettor)?;
        let slip = opening.check(amounts)?;
        let before = self.slip(bettor).total();
        let left = self.racks.left(bettor);
        if left != Cents::UNLIMITED && left + before < slip.total() {
            return Err(Refusal::AboveRack { left: left + before });
        }
        if left != Cents::UNLIMITED {
            let (seat, place) = self.racks.place(bettor);
            self.racks.left[seat][place] = left + before - slip.total();
        }
        self.slips[bettor.seat()][bettor.place()] = slip;
        Ok(())
    }

    /// Whether a person may bet on one more box.
    fn check_boxes(&self, opening: &Opening, bettor: Bettor) -> Result<(), Refusal> {
        let Some(boxes) = opening.boxes.filter(|_| bettor.decides()) else { return Ok(()) };
        boxes.check(|seat| {
            seat < SEATS
                && (seat == bettor.seat() || !self.slips[seat][0].main.is_zero())
                && self.racks.same_person(seat, bettor.seat())
        })
    }

    /// Sets what a bettor can spend in the round, including wagers already placed.
    pub fn bankroll(&mut self, bettor: Bettor, amount: Cents) -> Result<(), Refusal> {
        if bettor.seat() >= SEATS || bettor.place() >= BETTORS {
            return Err(Refusal::NoSuchSeat { seats: byte(SEATS) });
        }
        let (seat, place) = self.racks.place(bettor);
        let staked: Cents = (0..SEATS)
            .filter(|&other| self.racks.owner[other][place] as usize == seat)
            .map(|other| self.slips[other][place].total())
            .sum();
        ensure(amount >= staked, Refusal::AboveRack { left: amount })?;
        self.racks.left[seat][place] = amount - staked;
        Ok(())
    }

    /// Makes boxes one person's: they share the first one's rack.
    ///
    /// To be called before any wagers and bankrolls of the others.
    pub fn share_rack(&mut self, seats: &[usize]) {
        let Some(&first) = seats.first() else { return };
        for &seat in seats {
            self.racks.owner[seat][0] = self.racks.owner[first][0];
        }
    }

    /// Sets what the progressive meter shows before this round's contributions.
    pub fn set_meter(&mut self, meter: Cents) {
        self.meter = Some(meter);
    }

    /// The meter, where it was set.
    pub fn meter(&self) -> Option<Cents> {
        self.meter
    }

    /// What a bettor placed.
    #[inline]
    pub fn slip(&self, bettor: Bettor) -> Slip {
        self.slips[bettor.seat()][bettor.place()]
    }

    /// Everyone with a wager, from the dealer's left.
    pub fn bettors(&self) -> impl DoubleEndedIterator<Item = Bettor> {
        Bettor::all(SEATS, BETTORS).filter(|&bettor| !self.slip(bettor).main.is_zero())
    }

    /// Whether nobody has a wager yet.
    pub fn is_empty(&self) -> bool {
        self.bettors().next().is_none()
    }

    /// The racks, for a round with room for `S` boxes and `B` bettors.
    #[inline]
    pub(crate) fn racks<const S: usize, const B: usize>(&self) -> Racks<S, B> {
        for (seat, slips) in self.slips.iter().enumerate() {
            for (place, slip) in slips.iter().enumerate() {
                let has_room = slip.main.is_zero() || seat < S && place < B;
                assert!(has_room, "a round has room for its wagers");
            }
        }
        self.racks.resized()
    }
}
