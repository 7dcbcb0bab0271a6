//! How the orders of a table came about: which shoes prove everything, and which prove less.

use std::collections::BTreeMap;
use std::fmt;

use rules::round::{Awaits, Place};
use rules::table::{Input, Name, Order, TableAwaits, TableEvent};

use crate::walk::PlayedStep;

/// Why a shoe that was mixed is retired before a round was dealt from it: a closed list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unplayed {
    /// Nobody wagered for some time (G-14).
    Idle,
    /// A supervisor ordered it.
    Ordered(Name),
    /// The cards were changed (FBB-2-c).
    DecksChanged,
}

impl Unplayed {
    /// The reason that an input gives, if it can retire such a shoe.
    pub fn of(input: &Input) -> Option<Unplayed> {
        match input {
            Input::Idle => Some(Unplayed::Idle),
            Input::Order { by, .. } => Some(Unplayed::Ordered(by.clone())),
            Input::DecksDue => Some(Unplayed::DecksChanged),
            _ => None,
        }
    }
}

impl fmt::Display for Unplayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unplayed::Idle => f.write_str("idle"),
            Unplayed::Ordered(by) => write!(f, "ordered by {by}"),
            Unplayed::DecksChanged => f.write_str("decks changed"),
        }
    }
}

/// A shoe of which openings are missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unopened {
    /// The shoe.
    pub shoe: u32,
    /// How many commitments were in the list.
    pub commitments: usize,
    /// Whose openings are missing.
    pub missing: Vec<Name>,
}

/// A sealed order that was cut again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recut {
    /// The shoe.
    pub shoe: u32,
    /// Who ordered it.
    pub by: Name,
}

/// What a person did to cards whose order somebody may know, and how often: `void 2`.
pub type Interventions = BTreeMap<&'static str, u32>;

/// The word for an order that moves, shows or ends cards; none for one that does not.
fn intervention(order: Order) -> Option<&'static str> {
    match order {
        Order::Dismiss
        | Order::UseNext
        | Order::Restart
        | Order::RemoveDevice
        | Order::CoverDevice
        | Order::OutOfUse
        | Order::Repaired
        | Order::Admit(_)
        | Order::Surrender(_)
        | Order::Extend(_) => None,
        Order::PlayOn
        | Order::Forward
        | Order::Discard
        | Order::Remove
        | Order::Offer
        | Order::Later
        | Order::Dead
        | Order::Void
        | Order::Recut
        | Order::Reshuffle
        | Order::Release(_) => Some(order.name()),
    }
}

/// How often somebody committed, and how often the opening was missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Openings {
    /// Commitments in closed lists.
    pub commitments: u32,
    /// Those without an opening.
    pub missing: u32,
}

/// The most shoes that are listed; more are only counted.
const MOST_LISTED: usize = 1_000;

/// The shoes of a table by how their order came about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderTally {
    /// Shoes that were mixed: with commitments, all of them opened.
    pub opened: u32,
    /// Shoes of which openings are missing: the first thousand.
    pub unopened: Vec<Unopened>,
    /// How many more there are.
    pub more_unopened: usize,
    /// Shoes to which nobody contributed.
    pub without: u32,
    /// Shoes that were mixed, and retired before a round was dealt from them: the first thousand.
    pub unplayed: Vec<(u32, Unplayed)>,
    /// How many more there are.
    pub more_unplayed: usize,
    /// Sealed orders that were cut again: the first thousand.
    pub recut: Vec<Recut>,
    /// How many more there are.
    pub more_recut: usize,
    /// Shoes of which nobody knew the order.
    pub physical: u32,
    /// Who moved, showed or ended cards in mid-shoe.
    pub interventions: BTreeMap<Name, Interventions>,
    /// The same by person.
    pub people: BTreeMap<Name, Openings>,
    /// Whether the list of the shoe in use is closed, and no round was dealt from it.
    is_unplayed: bool,
}

impl OrderTally {
    /// Follows an input by the rules.
    pub(crate) fn take(&mut self, step: &PlayedStep<'_>) {
        self.intervene(step);
        for event in &step.outcome.events {
            match event {
                TableEvent::Shuffled { seal: None, .. } => self.physical += 1,
                // From here on openings arrive, and whoever has them knows the order.
                TableEvent::Committed { .. } => self.is_unplayed = true,
                TableEvent::Mixed { .. } => self.mixed(step),
                TableEvent::BetsClosed => self.is_unplayed = false,
                TableEvent::Retired { shoe, .. } if self.is_unplayed => {
                    match Unplayed::of(&step.input) {
                        Some(why) if self.unplayed.len() < MOST_LISTED => {
                            self.unplayed.push((*shoe, why));
                        }
                        why => self.more_unplayed += usize::from(why.is_some()),
                    }
                    self.is_unplayed = false;
                }
                _ => {}
            }
        }
    }

    /// Notes what somebody of the house did to the cards.
    fn intervene(&mut self, step: &PlayedStep<'_>) {
        let mut add = |by: &Name, what| {
            let of_person = self.interventions.entry(by.clone()).or_default();
            *of_person.entry(what).or_default() += 1;
        };
        let burns = |awaits| awaits == TableAwaits::Round(Awaits::FaceDown(Place::Burn));
        match &step.input {
            Input::Order { order, by, .. } => {
                intervention(*order).into_iter().for_each(|what| add(by, what));
                let sealed = step.before.shoe().filter(|shoe| shoe.seal.is_some());
                match (order, sealed) {
                    (Order::Recut, Some(_)) if self.recut.len() >= MOST_LISTED => {
                        self.more_recut += 1;
                    }
                    (Order::Recut, Some(shoe)) => {
                        self.recut.push(Recut { shoe: shoe.number, by: by.clone() });
                    }
                    _ => {}
                }
            }
            Input::Dealer { by: Some(by), .. }
                if burns(step.after.awaits()) && !burns(step.before.awaits()) =>
            {
                add(by, "burn for another dealer");
            }
            _ => {}
        }
    }

    fn mixed(&mut self, step: &PlayedStep<'_>) {
        self.is_unplayed = true;
        let commitments = step.before.commitments();
        if commitments.is_empty() {
            self.without += 1;
            return;
        }
        let Input::Open { openings } = &step.input else { return };
        let mut missing = Vec::new();
        for committed in commitments {
            let person = self.people.entry(committed.player.clone()).or_default();
            person.commitments += 1;
            if !openings.iter().any(|(bettor, _)| *bettor == committed.bettor) {
                person.missing += 1;
                missing.push(committed.player.clone());
            }
        }
        match (missing.is_empty(), step.after.shoe()) {
            (false, Some(_)) if self.unopened.len() >= MOST_LISTED => self.more_unopened += 1,
            (false, Some(shoe)) => {
                let (shoe, commitments) = (shoe.number, commitments.len());
                self.unopened.push(Unopened { shoe, commitments, missing });
            }
            _ => self.opened += 1,
        }
    }

    /// How many shoes there are.
    fn shoes(&self) -> usize {
        let unopened = self.unopened.len() + self.more_unopened;
        (self.opened + self.without + self.physical) as usize + unopened
    }
}

/// One line for each kind of shoe that there is, with what it means.
impl fmt::Display for OrderTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.shoes();
        if self.opened > 0 {
            writeln!(
                f,
                "{} of {all} shoes: every commitment was opened, so the order was fixed before \
                 anybody knew it",
                self.opened
            )?;
        }
        if !self.unopened.is_empty() {
            let most = self.unopened.iter().map(|shoe| shoe.commitments).max().unwrap_or(0);
            writeln!(
                f,
                "{} of {all} shoes: openings are missing, so whoever controls what arrives chose \
                 among at most 2^{most} orders",
                self.unopened.len() + self.more_unopened
            )?;
            for Unopened { shoe, commitments, missing } in &self.unopened {
                let missing: Vec<_> = missing.iter().map(ToString::to_string).collect();
                let (those, missing) = (missing.len(), missing.join(", "));
                writeln!(f, "  shoe {shoe}: {those} of {commitments} not opened, by {missing}")?;
            }
            for (name, Openings { commitments, missing }) in &self.people {
                if *missing > 0 {
                    writeln!(f, "  {name}: {missing} of {commitments} commitments not opened")?;
                }
            }
        }
        if self.without > 0 {
            writeln!(
                f,
                "{} of {all} shoes: nobody contributed, so the order is the one that the house \
                 sealed",
                self.without
            )?;
        }
        if self.more_unplayed > 0 {
            writeln!(f, "{} more shoes than these were retired like that", self.more_unplayed)?;
        }
        for (shoe, why) in &self.unplayed {
            writeln!(
                f,
                "shoe {shoe}: mixed, but retired before a round was dealt from it ({why})"
            )?;
        }
        if !self.recut.is_empty() {
            writeln!(
                f,
                "{} of {all} shoes: cut again by order, so whoever ordered it may have chosen \
                 between two orders",
                self.recut.len() + self.more_recut
            )?;
            for Recut { shoe, by } in &self.recut {
                writeln!(f, "  shoe {shoe}: ordered by {by}")?;
            }
        }
        if !self.interventions.is_empty() {
            writeln!(
                f,
                "orders that moved, showed or ended cards, which somebody who knows what comes next \
                 can choose by it:"
            )?;
            for (name, done) in &self.interventions {
                let done: Vec<_> =
                    done.iter().map(|(what, often)| format!("{what} {often}")).collect();
                writeln!(f, "  {name}: {}", done.join(", "))?;
            }
        }
        if self.physical > 0 {
            writeln!(
                f,
                "{} of {all} shoes: physical, so nobody committed to an order and nothing proves it",
                self.physical
            )?;
        }
        Ok(())
    }
}
