//! A house player without a socket: hears what the house tells it, and says what it does next.
//!
//! It bets the least that the table takes, or a little more, and only once a person has bet: it keeps
//! company, and does not make others watch it play.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use rules::money::Cents;
use rules::round::Call;
use rules::terms::TermSheet;
use rules::wager::Game;
use wire::{AboutTable, AwaitedWhat, FromHouse, OnCircle, PlayerCommand, SeatView, View};

use super::Trouble;
use super::advisor::{Advisor, Sight};

/// Wagers that a house player buys chips for at a time.
const WAGERS_BOUGHT: i64 = 40;

/// The most that it bets, in times of the least.
const MOST_TIMES: u64 = 3;

/// After so many refusals in a row it goes home.
const MOST_REFUSALS: u32 = 4;

/// How long it waits after a refusal.
const AFTER_A_REFUSAL: Duration = Duration::from_secs(1);

/// The game and the terms of a table.
pub(super) fn sheet(about: &AboutTable) -> Result<TermSheet, Trouble> {
    let game = Game::named(&about.game).ok_or("a game that this program does not know")?;
    let mut sheet = TermSheet::new(game);
    let terms = about.terms.iter().map(|term| (&*term.key, term.value.as_str()));
    sheet.set(terms).map_err(|refusal| refusal.to_string())?;
    Ok(sheet)
}

/// A house player at a table.
pub(super) struct HousePlayer {
    about: AboutTable,
    advisor: Arc<Advisor>,
    name: String,
    account: Cents,
    view: Option<Box<View>>,
    has_sat: bool,
    refusals: u32,
    goes_home: bool,
}

impl HousePlayer {
    pub(super) fn new(about: AboutTable, advisor: Arc<Advisor>) -> HousePlayer {
        HousePlayer {
            about,
            advisor,
            name: String::new(),
            account: Cents::ZERO,
            view: None,
            has_sat: false,
            refusals: 0,
            goes_home: false,
        }
    }

    /// Follows what the house tells.
    pub(super) fn hear(&mut self, message: FromHouse) {
        match message {
            FromHouse::Account(purse) => {
                self.account = purse.balance.parse().unwrap_or(Cents::ZERO);
                self.name = purse.name;
            }
            FromHouse::State { view, .. } => self.view = Some(view),
            FromHouse::Event { change: Some(change), .. } | FromHouse::Change { change, .. } => {
                if let Some(view) = &mut self.view {
                    view.take(*change);
                }
            }
            _ => {}
        }
        self.has_sat |= self.seat().is_some();
    }

    /// Hears whether the last command was done.
    pub(super) fn is_answered(&mut self, done: bool) {
        self.refusals = if done { 0 } else { self.refusals + 1 };
        self.goes_home |= self.refusals >= MOST_REFUSALS;
    }

    /// Whether it has left the table, or finds no seat there.
    pub(super) fn is_done(&self) -> bool {
        let has_no_seat = || self.goes_home || self.free_seats().is_empty();
        self.view.is_some() && self.seat().is_none() && (self.has_sat || has_no_seat())
    }

    fn seat(&self) -> Option<&SeatView> {
        let view = self.view.as_ref()?;
        view.seats.get(view.me?.checked_sub(1)?)
    }

    fn free_seats(&self) -> Vec<usize> {
        let seats = self.view.iter().flat_map(|view| view.seats.iter());
        seats.filter(|seat| seat.name.is_none()).map(|seat| seat.seat).collect()
    }

    /// A number that is the player's own for a round.
    fn number(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.name, self.view.as_ref().map(|view| view.round)).hash(&mut hasher);
        hasher.finish()
    }

    /// How long it takes its time over something.
    pub(super) fn thinks_about(&self, wish: &PlayerCommand) -> Duration {
        let least = match wish {
            PlayerCommand::Act { .. } => 700,
            PlayerCommand::Wager { .. } => 300,
            _ => 100,
        };
        let time = Duration::from_millis(least + self.number() % (2 * least));
        if self.refusals > 0 { time + AFTER_A_REFUSAL } else { time }
    }

    /// What it does now.
    pub(super) fn wish(&self) -> Option<PlayerCommand> {
        let view = self.view.as_ref()?;
        let Some(seat) = self.seat() else {
            let free = self.free_seats();
            let number = usize::try_from(self.number() % 64).unwrap_or(0);
            let seat = *free.get(number % free.len().max(1))?;
            return (!self.has_sat).then_some(PlayerCommand::Sit { seat, behind: false });
        };
        if let Some(choice) = view.choices.first() {
            return Some(PlayerCommand::Choose { choice: choice.choice.to_string() });
        }
        if view.awaited.what == AwaitedWhat::Inspection && view.awaited.seats.contains(&seat.seat) {
            return Some(PlayerCommand::Inspect);
        }
        if !view.offers.is_empty() {
            return self.act(view, seat);
        }
        if !view.betting {
            return None;
        }
        if self.goes_home {
            return Some(PlayerCommand::Leave { at: None });
        }
        if seat.wagers.is_empty() { self.bet(view, seat) } else { self.ready(seat) }
    }

    fn act(&self, view: &View, seat: &SeatView) -> Option<PlayerCommand> {
        let open: Vec<Call> = view.offers.iter().filter_map(|one| Call::named(&one.call)).collect();
        let (dealer, hands) = (&view.dealer, &seat.hands);
        let sight = Sight { dealer, hands, playing: seat.playing, wagers: &seat.wagers };
        let call = self.advisor.call(&sight, &open)?;
        let (call, amount, hand, at) = (call.name().to_owned(), None, None, None);
        Some(PlayerCommand::Act { call, amount, hand, at })
    }

    fn ready(&self, seat: &SeatView) -> Option<PlayerCommand> {
        (!seat.ready).then_some(PlayerCommand::Ready)
    }

    /// Chips, and a wager on every circle that needs one.
    fn bet(&self, view: &View, seat: &SeatView) -> Option<PlayerCommand> {
        let amount = |text: &str| text.parse::<Cents>().unwrap_or(Cents::ZERO);
        let times = i64::try_from(1 + self.number() % MOST_TIMES).unwrap_or(1);
        let needed = self.about.circles.iter().filter_map(|circle| {
            let opening = circle.opening.as_ref().filter(|opening| opening.required)?;
            let (least, most) = (amount(&opening.least), amount(&opening.most));
            Some((circle.circle.to_string(), Cents::new(least.get() * times).min(most)))
        });
        let needed: Vec<(String, Cents)> = needed.collect();
        let sum: Cents = needed.iter().map(|(_, amount)| *amount).sum();
        if amount(seat.rack.as_deref().unwrap_or_default()) < sum {
            let wanted =
                Cents::new(sum.get() * WAGERS_BOUGHT).max(amount(&self.about.buy_in.least));
            let bought = wanted.min(amount(&self.about.buy_in.most)).min(self.account);
            return Some(match bought < sum || bought < amount(&self.about.buy_in.least) {
                true => PlayerCommand::Leave { at: None },
                false => PlayerCommand::BuyIn { amount: whole(bought).to_string() },
            });
        }
        if seat.waits || !has_a_person_bet(view) {
            return None;
        }
        let on =
            |(circle, amount): (String, Cents)| OnCircle { circle, amount: amount.to_string() };
        Some(PlayerCommand::Wager { amounts: needed.into_iter().map(on).collect(), at: None })
    }
}

/// Whole dollars.
fn whole(amount: Cents) -> Cents {
    Cents::new(amount.get() / 100 * 100)
}

/// Whether somebody has bet who is no house player.
fn has_a_person_bet(view: &View) -> bool {
    let company = view.company.as_ref().map_or(&[][..], |company| &company.seats);
    let people = view.seats.iter().filter(|seat| !company.contains(&seat.seat));
    people.into_iter().any(|seat| {
        !seat.wagers.is_empty() || seat.behind.iter().any(|other| !other.wagers.is_empty())
    })
}
