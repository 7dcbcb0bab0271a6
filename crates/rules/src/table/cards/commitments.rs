//! What makes a sealed order nobody's choice: players commit to bytes of their own and name the cut,
//! the list is closed, and then the bytes are opened.
//!
//! The hashes are checked where the log is: the table knows who committed and who opened, and when.

use super::cut::CutOffer;
use super::{CardHandling, CardStage};
use crate::refusal::ensure;
use crate::table::account::Name;
use crate::table::input::{CommitmentList, Cutter, Seal};
use crate::table::{Answer, Events, Table, TableEvent, TableRefusal};
use crate::wager::Bettor;

/// Somebody's commitment to bytes of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub struct Commitment {
    pub bettor: Bettor,
    /// Who it was, also once that person has left.
    pub player: Name,
    pub seal: Seal,
}

/// The closed list of commitments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::table) struct ClosedList {
    pub(super) commitments: Vec<Commitment>,
    /// The cut that is drawn after the mix, where nobody named it.
    drawn: Option<CutOffer>,
}

impl CardHandling {
    /// Whether players add to the order: it is sealed, and no round is in play with these cards.
    pub(super) fn takes_commitments(&self) -> bool {
        self.shoe.is_some_and(|shoe| shoe.seal.is_some() && !shoe.refill)
    }

    /// The order is fixed: it waits for the drawn cut, or goes into the shoe.
    fn end_mix(&mut self, drawn: Option<CutOffer>) {
        match drawn {
            Some(offer) => {
                self.stage = CardStage::Cut(CutOffer { asked: Cutter::Dealer, ..offer });
            }
            None => self.load_shoe(),
        }
    }
}

impl Table {
    /// The list of commitments is closed, together with the cut. Whoever was asked to cut and did not
    /// has refused (G-06), and then the cut is drawn.
    #[doc(alias("CW-5-d", "DAB-4-e", "FBB-4-d"))]
    pub(crate) fn close_commitments(
        &mut self,
        cut: Option<(Bettor, usize)>,
        list: Option<&CommitmentList>,
        events: &mut Events,
    ) -> Answer {
        let CardStage::Commit(offer) = self.cards.stage else { return Err(self.not_awaited()) };
        let commitments = match list {
            Some(list) => self.checked(list)?,
            None => Vec::new(),
        };
        match (cut, offer.and_then(CutOffer::seat)) {
            (Some((bettor, at)), Some(asked)) if bettor == asked => {
                self.mark_cut(offer.expect("somebody is asked"), at, events)?;
            }
            (Some(_), _) => return Err(self.not_awaited()),
            (None, Some(bettor)) => events.push(TableEvent::CutRefused { bettor }),
            (None, None) => {}
        }
        let drawn = offer.filter(|_| cut.is_none());
        if commitments.is_empty() {
            events.push(TableEvent::Mixed { openings: 0, missing: Default::default() });
            self.cards.end_mix(drawn);
            return Ok(());
        }
        events.push(TableEvent::Committed { commitments: commitments.len() });
        self.cards.stage = CardStage::Open(ClosedList { commitments, drawn });
        Ok(())
    }

    /// The commitments of people at the table, one each, none equal to another.
    fn checked(&self, list: &CommitmentList) -> Result<Vec<Commitment>, TableRefusal> {
        let mut checked: Vec<Commitment> = Vec::new();
        for &(bettor, seal) in &list.commitments {
            let player = self.seats.chair_of(bettor)?.player.clone();
            let is_next = checked.last().is_none_or(|last| last.bettor < bettor);
            ensure(is_next, TableRefusal::ListNotInOrder)?;
            let is_like = |other: &Commitment| other.player == player || other.seal == seal;
            ensure(!checked.iter().any(is_like), TableRefusal::CommittedTwice { bettor })?;
            checked.push(Commitment { bettor, player, seal });
        }
        ensure(!checked.is_empty(), TableRefusal::ListNotInOrder)?;
        Ok(checked)
    }

    /// All openings come together, and the order that follows from them is fixed. A commitment that
    /// is not opened stands in for its bytes, and is named.
    pub(crate) fn open_commitments(
        &mut self,
        openings: &[(Bettor, Seal)],
        events: &mut Events,
    ) -> Answer {
        let CardStage::Open(ClosedList { commitments, drawn }) = &self.cards.stage else {
            return Err(self.not_awaited());
        };
        let is_rising = openings.windows(2).all(|pair| pair[0].0 < pair[1].0);
        ensure(is_rising, TableRefusal::ListNotInOrder)?;
        for &(bettor, _) in openings {
            let is_there = commitments.iter().any(|committed| committed.bettor == bettor);
            ensure(is_there, TableRefusal::NotCommitted { bettor })?;
        }
        let has_opened = |bettor| openings.iter().any(|(opener, _)| *opener == bettor);
        let missing = commitments.iter().map(|committed| committed.bettor);
        let missing = missing.filter(|bettor| !has_opened(*bettor)).collect();
        events.push(TableEvent::Mixed { openings: openings.len(), missing });
        let drawn = *drawn;
        self.cards.end_mix(drawn);
        Ok(())
    }
}
