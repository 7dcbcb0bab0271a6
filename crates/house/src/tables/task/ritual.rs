//! What makes an order nobody's choice: the commitments of players, the cut that is named with them,
//! and their openings.
//!
//! They are held here until everybody has answered or the time is over, and then written down together,
//! in one line each. What is held is lost with the task: clients commit again, and open again.

use audit::mix::CommitmentPlace;
use rules::table::{CommitmentList, Input, Name, Seal, TableAwaits, TableRefusal};
use rules::wager::Bettor;
use tokio::time::Instant;
use wire::Refusal;

use super::{Done, NotDone, TableTask};
use crate::people::Role;
use crate::store::TableStore;
use crate::tables::commands::places;
use crate::tables::dealer::Due;
use crate::tables::refusals;

/// What players have answered since a window was opened.
#[derive(Default)]
pub(super) struct Ritual {
    /// The shoe that it is about, whether the list is closed, and since when the window is open.
    window: Option<(u32, bool, Instant)>,
    /// Who committed where to what, or adds nothing.
    commitments: Vec<(Name, Bettor, Option<Seal>)>,
    cut: Option<(Bettor, usize)>,
    openings: Vec<(Name, Bettor, Seal)>,
}

impl<A: TableStore> TableTask<A> {
    /// Opens another window where the table stands at another point, and forgets who is gone.
    pub(super) fn follow_ritual(&mut self) {
        let table = &self.live.table;
        let is_closed = match table.awaits() {
            TableAwaits::Commitments(_) => false,
            TableAwaits::Openings => true,
            _ => return self.ritual = Ritual::default(),
        };
        let shoe = table.shoe().map_or(0, |shoe| shoe.number);
        let is_same = self.ritual.window.is_some_and(|(of, was, _)| (of, was) == (shoe, is_closed));
        if !is_same {
            self.ritual = Ritual::default();
            self.ritual.window = Some((shoe, is_closed, Instant::now()));
        }
        self.ritual.commitments.retain(|(player, bettor, _)| {
            table.chair(*bettor).is_some_and(|chair| chair.player == *player)
        });
        let asked = self.asked_to_cut();
        self.ritual.cut = self.ritual.cut.filter(|(bettor, _)| Some(*bettor) == asked);
    }

    /// Who is asked to name the cut.
    fn asked_to_cut(&self) -> Option<Bettor> {
        match self.live.table.awaits() {
            TableAwaits::Commitments(asked) => asked,
            _ => None,
        }
    }

    /// Whether somebody is here, and does not work for the house.
    fn may_mix(&self, player: &Name) -> bool {
        let mut viewers = self.viewers.iter();
        viewers.any(|viewer| {
            let who = &viewer.who;
            let is_person = who.role == Role::Player && !who.is_house_player();
            who.name == *player && viewer.to.is_open() && is_person
        })
    }

    /// Of whom an answer is awaited in the window that is open, and whether they gave it.
    pub(super) fn mix_answers(&self) -> Vec<(Name, bool)> {
        let table = &self.live.table;
        let ritual = &self.ritual;
        match table.awaits() {
            TableAwaits::Commitments(_) => {
                let mut people: Vec<Name> = Vec::new();
                for (_, chair) in table.everyone() {
                    if self.may_mix(&chair.player) && !people.contains(&chair.player) {
                        people.push(chair.player.clone());
                    }
                }
                let has_committed =
                    |player: &Name| ritual.commitments.iter().any(|(who, ..)| who == player);
                people.into_iter().map(|who| (who.clone(), has_committed(&who))).collect()
            }
            TableAwaits::Openings => {
                let has_opened =
                    |player: &Name| ritual.openings.iter().any(|(who, ..)| who == player);
                let list = table.commitments().iter().map(|committed| &committed.player);
                let here = list.filter(|player| self.may_mix(player));
                here.map(|who| (who.clone(), has_opened(who))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether somebody who is here adds nothing to the order: they said so, or work for the house.
    pub(super) fn adds_nothing(&self, player: &Name) -> bool {
        let mut held = self.ritual.commitments.iter();
        self.is_here(player)
            && (!self.may_mix(player) || held.any(|(who, _, seal)| who == player && seal.is_none()))
    }

    /// Whether whoever is asked has named the cut.
    pub(super) fn has_named_cut(&self) -> bool {
        self.ritual.cut.is_some()
    }

    /// When the window ends: as soon as everybody who is here has answered, or the time is over.
    pub(super) fn ritual_clock(&self) -> Option<(Instant, Due)> {
        let (_, is_closed, since) = self.ritual.window?;
        let due = if is_closed { Due::Open } else { Due::Commit };
        let now = Instant::now();
        let cutter = self.asked_to_cut().and_then(|bettor| {
            let chair = self.live.table.chair(bettor)?;
            Some((bettor, self.may_mix(&chair.player)))
        });
        if let Some((bettor, false)) = cutter {
            return Some((now, Due::CutPassed(bettor)));
        }
        let is_cut = cutter.is_none() || self.has_named_cut();
        let is_done = is_cut && self.mix_answers().iter().all(|(_, has_answered)| *has_answered);
        let end = since + self.means.pace.contributions;
        Some((if is_done { now } else { end }, due))
    }

    /// The line that closes the list: every commitment, and the cut if it was named.
    pub(super) fn closed_list(&self) -> Input {
        let committed = self.ritual.commitments.iter();
        let committed = committed.filter_map(|(_, bettor, seal)| Some((*bettor, (*seal)?)));
        let mut commitments: Vec<(Bettor, Seal)> = committed.collect();
        commitments.sort_unstable();
        let house = self.means.house.clone();
        let list = (!commitments.is_empty()).then_some(CommitmentList { house, commitments });
        Input::Commit { cut: self.ritual.cut, list }
    }

    /// The line that has all openings.
    pub(super) fn openings(&self) -> Input {
        let opened = self.ritual.openings.iter().map(|(_, bettor, bytes)| (*bettor, *bytes));
        let mut openings: Vec<(Bettor, Seal)> = opened.collect();
        openings.sort_unstable();
        Input::Open { openings }
    }

    /// Holds a commitment, once for each person and shoe; the same one again is the same answer.
    pub(super) fn take_commitment(
        &mut self,
        player: &Name,
        commitment: Option<Seal>,
    ) -> Result<Done, NotDone> {
        let TableAwaits::Commitments(_) = self.live.table.awaits() else {
            return Err(self.not_awaited());
        };
        let Some(&bettor) = places(&self.live.table, player).first() else {
            return Err(refusals::not_seated().into());
        };
        let held = &mut self.ritual.commitments;
        if held.contains(&(player.clone(), bettor, commitment)) {
            return Ok(Done::Aside);
        }
        if held.iter().any(|(who, ..)| who == player) {
            return Err(refused(
                "already-committed",
                "You have already answered for this shoe, and a commitment cannot be changed.",
            ));
        }
        if commitment.is_some() && held.iter().any(|(.., other)| *other == commitment) {
            return Err(refused(
                "equal-commitment",
                "Another player has made the same commitment. Choose other bytes.",
            ));
        }
        held.push((player.clone(), bettor, commitment));
        Ok(Done::Aside)
    }

    /// Holds the opening of a commitment that is in the closed list.
    pub(super) fn take_opening(&mut self, player: &Name, bytes: Seal) -> Result<Done, NotDone> {
        let table = &self.live.table;
        let TableAwaits::Openings = table.awaits() else { return Err(self.not_awaited()) };
        let mut list = table.commitments().iter();
        let Some(committed) = list.find(|committed| committed.player == *player) else {
            return Err(refused(
                "not-committed-here",
                "You have no commitment in the list for this shoe.",
            ));
        };
        let (seat, commitment) = (committed.bettor, committed.seal);
        let Some((shoe, seal)) = table.shoe().and_then(|shoe| Some((shoe.number, shoe.seal?)))
        else {
            return Err(self.not_awaited());
        };
        let (house, table) = (self.means.house.as_str(), &self.name[..]);
        let place = CommitmentPlace { house, table, shoe, seal: &seal, seat };
        if place.commitment(&bytes) != commitment {
            return Err(refused(
                "other-opening",
                "These bytes are not the ones that you committed to for this shoe.",
            ));
        }
        if !self.ritual.openings.iter().any(|(who, ..)| who == player) {
            self.ritual.openings.push((player.clone(), seat, bytes));
        }
        Ok(Done::Aside)
    }

    /// Holds the cut that whoever is asked names, unless the table would refuse it.
    pub(super) fn take_cut(&mut self, bettor: Bettor, at: usize) -> Result<Done, NotDone> {
        let cut = Some((bettor, at));
        self.decide(&Input::Commit { cut, list: None })?;
        if self.ritual.cut.is_some_and(|named| Some(named) != cut) {
            return Err(refused("already-committed", "You have already named the cut."));
        }
        self.ritual.cut = cut;
        Ok(Done::Aside)
    }

    fn not_awaited(&self) -> NotDone {
        TableRefusal::NotAwaited { awaits: self.live.table.awaits() }.into()
    }
}

fn refused(code: &'static str, sentence: &str) -> NotDone {
    Refusal::by_house(code, sentence).into()
}
