//! What a supervisor may decide: exactly what the clause allows as things stand.

use super::irregularity::Irregularity;
use super::{Order, PitRefusal, ShoeFaults};
use crate::book::{Cures, DealerMissed, HoleSeen, Kind, SecondFaceUp, ShufflerFault};
use crate::card::{Card, Rank, Suit};
use crate::games::blackjack::HoleCard;
use crate::games::{AnyRound, hole_card};
use crate::refusal::{Refusal, Source, ensure};
use crate::round::{Awaits, Place, Remedy, Round};
use crate::table::cards::{CardStage, Method, NextUse, Stack};
use crate::table::rounds::Play;
use crate::table::{Answer, Table, TableRefusal};
use crate::wager::Game;

/// Any card, to ask the round whether a face-down card lies there.
const ANY: Card = Card::new(Rank::Two, Suit::Clubs);

impl Table {
    /// How the book resolves irregularities.
    pub(super) fn cures(&self) -> &'static Cures {
        &self.sheet.game().book().cures
    }

    /// The outcomes of an irregularity, or why there is none to decide.
    pub(crate) fn outcomes_of(&self, what: Irregularity) -> Result<Vec<Order>, TableRefusal> {
        let kind = what.kind();
        ensure(kind.source(self.sheet.game()).is_some(), PitRefusal::NeverHere { kind })?;
        if let Some(card) = what.drawn() {
            self.check_drawn(card)?;
        }
        let orders = match what {
            Irregularity::Misdealt { place, .. } => self.after_misdeal(Some(place)),
            Irregularity::DrawnSeen(_) => self.after_misdeal(None),
            Irregularity::FaceUp(_) => self.after_face_up(),
            Irregularity::Ten(card) => self.after_ten(card),
            Irregularity::DrawnUnseen => self.after_unseen(),
            Irregularity::Overdraw(_) => self.after_overdraw(),
            Irregularity::DealerMissed => self.after_missed_dealer(),
            Irregularity::NoCard { seat } => self.after_no_card(seat),
            Irregularity::OneCard { seat } => self.after_one_card(seat),
            Irregularity::MissedHit { seat, hand } => self.after_missed_hit(seat, hand),
            Irregularity::ShufflerFault => self.after_shuffler_fault(),
            Irregularity::ReaderMisused => self.after_reader_misused(),
            Irregularity::ReaderBroken => self.after_reader_broken(),
            Irregularity::BurnForgotten => self.after_forgotten_burn(),
            Irregularity::HoleSeen(card) => self.after_hole_seen(card)?,
            Irregularity::BadCut => self.after_bad_cut(),
        };
        match orders.is_empty() {
            true => Err(PitRefusal::NothingToReport { kind }.into()),
            false => Ok(orders),
        }
    }

    /// Whether a card is in this game's deck, and can still come.
    pub(crate) fn check_drawn(&self, card: Card) -> Answer {
        ensure(self.sheet.game().book().deck.holds(card), Refusal::CardNotInDeck)?;
        self.check_face(card)
    }

    /// The round, while cards can come to it.
    fn round_at_hand(&self) -> Option<&AnyRound> {
        self.round().filter(|_| self.cards.is_dealing() && !self.needs_refill())
    }

    /// Whether the round would accept a remedy.
    fn would_take(&self, remedy: Remedy) -> Result<(), Refusal> {
        let mut round = *self.round_at_hand().ok_or(Refusal::RoundNotStarted)?;
        round.remedy(remedy, &mut ())
    }

    /// Whether a card that is reported as misdealt lies where it is due.
    pub(crate) fn is_where_due(&self, what: Irregularity) -> bool {
        let Irregularity::Misdealt { place, .. } = what else { return false };
        let due = self.round().map(Round::awaits);
        due == Some(Awaits::Card(place)) || due == Some(Awaits::FaceDown(place))
    }

    /// Everyone who can be released (DAB-15-a, CW-10-a, FBB-11-a, G-10).
    fn releases(&self) -> impl Iterator<Item = Order> {
        let can_go = |bettor| self.would_take(Remedy::Release(bettor)).is_ok();
        let everyone = self.seats.everyone().map(|(bettor, _)| bettor);
        everyone.filter(move |bettor| can_go(*bettor)).map(Order::Release)
    }

    /// A card lies open where it is not due. It goes forward, or from hand to hand once everyone
    /// has two cards; in Double Down Stud every hand is void (DAB-15-a, DAB-15-f, DDS-11-d,
    /// CW-10-a, FBB-11-a, FBB-11-d, DDB-R18, G-10, G-16).
    fn after_misdeal(&self, place: Option<Place>) -> Vec<Order> {
        match self.cards.stage() {
            CardStage::Burning(_) if self.cards.shows_a_card() => return self.after_seen_burn(),
            CardStage::Dealing if self.round().is_none() => return self.after_early_card(place),
            _ => {}
        }
        let Some(round) = self.round_at_hand() else { return self.after_round() };
        if self.cards.shoe().is_none_or(|shoe| shoe.left() == 0) || self.pit.exposed.is_some() {
            return Vec::new();
        }
        if self.cures().wrong_count_voids {
            return vec![Order::Void];
        }
        match !round.is_first_deal() && self.cures().open_card_goes_round {
            true if place.is_none() => vec![Order::Offer],
            true => [Order::Offer].into_iter().chain(self.releases()).collect(),
            false => [Order::Forward].into_iter().chain(self.releases()).collect(),
        }
    }

    /// Where burned cards are shown on request, a card that was seen is still the burn card
    /// (DAB-7-c); elsewhere another one is burned (CW-7-a, G-13).
    #[doc(alias = "CW-1-burn-card")]
    fn after_seen_burn(&self) -> Vec<Order> {
        vec![if self.cards.procedure().shows_burn { Order::Forward } else { Order::Discard }]
    }

    /// A card seen before its round would help whoever still bets, and nobody is due it: it is burned
    /// (CW-10-a, DAB-15-a, FBB-11-a, G-10), and in Double Down Stud the cards are shuffled
    /// (DDS-11-d).
    fn after_early_card(&self, place: Option<Place>) -> Vec<Order> {
        let of_the_last = place.map_or(Vec::new(), |_| self.after_round());
        let of_the_next = match self.cures().wrong_count_voids {
            _ if !self.cards.shows_a_card() => None,
            true => Some(Order::Reshuffle),
            false => Some(Order::Discard),
        };
        of_the_last.into_iter().chain(of_the_next).collect()
    }

    /// A wrong count that is found after the settlement still makes all hands void (DDS-11-d,
    /// DDS-R11).
    fn after_round(&self) -> Vec<Order> {
        only_if(self.cures().wrong_count_voids && self.may_void_last(), Order::Void)
    }

    /// The first one is not used; a second one means that the shuffle was bad (DAB-15-b, DDS-11-b,
    /// CW-10-b, FBB-11-b, G-15, FBB-R21, DDB-R18).
    fn after_face_up(&self) -> Vec<Order> {
        if !self.cards.shows_a_card() {
            return Vec::new();
        }
        let threshold = self.sheet.choice("face_up_void_threshold");
        let undo = if self.round().is_some() { Order::Void } else { Order::Reshuffle };
        match self.cures().second_face_up {
            _ if self.found().face_up == 0 => vec![Order::Discard],
            SecondFaceUp::UndoneOrUnused => vec![Order::Discard, undo],
            SecondFaceUp::UnusedOrShuffled if threshold != Some("2") => {
                vec![Order::Discard, Order::Reshuffle]
            }
            SecondFaceUp::Undone | SecondFaceUp::UnusedOrShuffled => vec![undo],
        }
    }

    /// A ten does not belong in a shoe of Double Attack (DAB-15-c). An open one is found before it
    /// counts in a hand, and the next card replaces it; one that lies face down is already dealt, and
    /// is replaced in the same way, or the round is void (DAB-R30).
    fn after_ten(&self, card: Card) -> Vec<Order> {
        let lies_down = self.round_at_hand().is_some_and(|round| round.awaits() == Awaits::Turn);
        match self.found().tens {
            _ if !self.cards.shows_a_card() || !card.is(Rank::Ten) => Vec::new(),
            0 if lies_down => vec![Order::Remove, Order::Void],
            0 => vec![Order::Remove],
            _ if self.round().is_some() => vec![Order::Void],
            _ => vec![Order::Reshuffle],
        }
    }

    /// Nobody knows the card, so it is as good as any (DAB-15-d, DDS-11-c, CW-10-c, FBB-11-c).
    fn after_unseen(&self) -> Vec<Order> {
        only_if(self.cards.shows_a_card(), Order::UseNext)
    }

    /// The dealer's hand was complete, and the round is settled (DAB-15-g, FBB-11-e, G-19).
    fn after_overdraw(&self) -> Vec<Order> {
        let is_physical = self.cards.shoe().is_some_and(|shoe| shoe.seal.is_none());
        let is_there = match self.cards.stage() {
            CardStage::Dealing => self.cards.rounds_of_shoe() > 0,
            // The shoe of that round has just been retired; a physical one has no order to reveal.
            CardStage::Retired(NextUse::Shuffle) => self.cards.has_just_retired(),
            CardStage::Stacked(Stack::Used) => is_physical,
            _ => self.cards.is_of_other_batch() && is_physical,
        };
        let has_card = is_there && self.cards.shoe().is_some_and(|shoe| shoe.left() > 0);
        only_if(has_card && self.round().is_none() && self.rounds.last().is_some(), Order::Discard)
    }

    /// The round is void, or the dealer's card comes next or later, as the book says (DAB-15-e,
    /// DAB-R27, DDS-11-d, CW-R12, FBB-11-f).
    fn after_missed_dealer(&self) -> Vec<Order> {
        let Some(round) = self.round_at_hand() else { return self.after_round() };
        let is_due =
            matches!(round.awaits(), Awaits::Card(Place::Dealer) | Awaits::FaceDown(Place::Dealer));
        let later = self.would_take(Remedy::DealerOwedCard).is_ok();
        match self.cures().dealer_missed {
            _ if self.cures().wrong_count_voids => only_if(is_due || self.has_dealt(), Order::Void),
            DealerMissed::FirstVoids if is_due && round.dealer_points().is_none() => {
                vec![Order::Void]
            }
            _ if !later => Vec::new(),
            DealerMissed::PlaysOn => vec![Order::PlayOn],
            DealerMissed::Later | DealerMissed::FirstVoids => vec![Order::Later],
        }
    }

    /// Whether a card of the round lies on the layout: from then on a wrong count can be seen.
    fn has_dealt(&self) -> bool {
        self.rounds.play().is_some_and(|play| !play.felt.lying().is_empty())
    }

    /// Whether this hand's card is the next one due.
    fn awaits_hand(&self, seat: u8, hand: u8) -> bool {
        let due = self.round_at_hand().map(Round::awaits);
        due == Some(Awaits::Card(Place::Hand { seat, hand }))
    }

    /// A box that was passed over for its first card is out of the round (DAB-15-i, DDS-11-d,
    /// CW-10-d, FBB-11-h).
    fn after_no_card(&self, seat: u8) -> Vec<Order> {
        let Some(round) = self.round_at_hand() else { return Vec::new() };
        let is_first = round.is_first_deal() && round.points(seat.into(), 0).is_none();
        let order = if self.cures().wrong_count_voids { Order::Void } else { Order::Dead };
        only_if(is_first && self.awaits_hand(seat, 0), order)
    }

    /// A box that was passed over for its second card chooses (DAB-15-i, FBB-11-h, G-17).
    fn after_one_card(&self, seat: u8) -> Vec<Order> {
        let Some(round) = self.round_at_hand() else { return Vec::new() };
        let has_one = round.is_first_deal() && round.points(seat.into(), 0).is_some();
        match has_one && self.awaits_hand(seat, 0) {
            true => self.late_or_dead(seat, 0),
            false => Vec::new(),
        }
    }

    /// A hand that was passed over later chooses, until the dealer reveals; then the wagers go back
    /// (DAB-15-j, FBB-11-i, CW-R12, G-17).
    fn after_missed_hit(&self, seat: u8, hand: u8) -> Vec<Order> {
        let Some(round) = self.round_at_hand() else { return Vec::new() };
        let revealed = round.awaits() == Awaits::Card(Place::Dealer);
        let is_open = self.awaits_hand(seat, hand) || revealed;
        let can_be_late = self.would_take(Remedy::LateCard { seat, hand }).is_ok();
        match !round.is_first_deal() && (is_open || can_be_late) {
            true => self.late_or_dead(seat, hand),
            false => Vec::new(),
        }
    }

    fn late_or_dead(&self, seat: u8, hand: u8) -> Vec<Order> {
        if self.would_take(Remedy::LateCard { seat, hand }).is_ok() {
            return vec![Order::Offer];
        }
        only_if(self.would_take(Remedy::DeadHand { seat, hand }).is_ok(), Order::Dead)
    }

    /// The machine shuffles again, or is taken out of use where the book allows (DAB-15-k, DAB-15-l,
    /// DDS-11-e, CW-10-e, FBB-11-l, FBB-11-m).
    fn after_shuffler_fault(&self) -> Vec<Order> {
        let is_stacked = matches!(self.cards.stage(), CardStage::Stacked(_));
        let shuffles = is_stacked || self.needs_refill() || self.may_store();
        match !shuffles || self.cards.procedure().method == Method::Manual {
            true => Vec::new(),
            false => match self.cures().shuffler_fault {
                ShufflerFault::Restart => vec![Order::Restart],
                ShufflerFault::RestartOrRemove => vec![Order::Restart, Order::RemoveDevice],
                ShufflerFault::RestartOrCover => vec![Order::Restart, Order::CoverDevice],
            },
        }
    }

    /// The reader revealed nothing to anyone, unless players could see the card themselves
    /// (DAB-15-m, FBB-11-j, DAB-R31).
    #[doc(alias("DAB-15-m-1", "DAB-15-m-2"))]
    fn after_reader_misused(&self) -> Vec<Order> {
        let Some(round) = self.round_at_hand() else { return Vec::new() };
        let has_reader = self.would_take(Remedy::ReaderOutOfUse) != Err(Refusal::NothingToCure);
        let hole_is_down = self.would_take(Remedy::HoleCardShown(ANY)).is_ok();
        let is_misuse = !round.shows_half_a_natural() && !self.pit.reader_is_out;
        let reveals = self.sheet.choice("reader_reveals_to_players") == Some("on");
        match has_reader && hole_is_down && is_misuse {
            true if reveals => vec![Order::Void],
            true => vec![Order::PlayOn],
            false => Vec::new(),
        }
    }

    /// Double Attack goes on without a reader; the others finish a round that no longer needs it, and
    /// stop (DAB-15-n, FBB-11-k, FBB-R22).
    fn after_reader_broken(&self) -> Vec<Order> {
        // DAB-R03, DDB-R09, FBB-6-g
        if self.pit.reader_is_out || hole_card(&self.sheet) != Some(HoleCard::Reader) {
            return Vec::new();
        }
        match self.round().map(|_| self.would_take(Remedy::ReaderOutOfUse)) {
            None | Some(Ok(())) => vec![Order::OutOfUse],
            Some(Err(Refusal::ReaderStopsTheTable)) => vec![Order::Repaired, Order::Void],
            Some(Err(_)) => Vec::new(),
        }
    }

    /// Play continues as if the card had been burned (DAB-15-o, CW-10-f, FBB-11-n, CW-R06).
    fn after_forgotten_burn(&self) -> Vec<Order> {
        let in_round = self.round_at_hand().map(Round::awaits);
        let is_due = matches!(self.cards.stage(), CardStage::Burning(_))
            || in_round == Some(Awaits::FaceDown(Place::Burn));
        only_if(is_due, Order::PlayOn)
    }

    /// Double Down Stud is void while wagers are open; a blackjack goes on with the card open,
    /// unless the house voids it (DDS-11-a, DDS-R17, DAB-R32).
    fn after_hole_seen(&self, card: Card) -> Result<Vec<Order>, TableRefusal> {
        let Some(round) = self.round_at_hand() else { return Ok(Vec::new()) };
        self.check_drawn(card)?;
        Ok(match (self.cures().hole_seen, self.would_take(Remedy::HoleCardShown(card))) {
            (HoleSeen::VoidsUntilTurn, Ok(())) => vec![Order::Void],
            (HoleSeen::VoidsUntilTurn, Err(_)) if self.hides_hole() => vec![Order::PlayOn],
            (_, Err(refusal @ Refusal::ReaderContradicted)) => return Err(refusal.into()),
            (_, Err(_)) => Vec::new(),
            (_, Ok(())) if round.exposed_hole_voids() => vec![Order::Void],
            (HoleSeen::StaysOpenOrLeave, Ok(())) => {
                [Order::PlayOn].into_iter().chain(self.releases()).collect()
            }
            (HoleSeen::StaysOpen, Ok(())) => vec![Order::PlayOn],
        })
    }

    /// Whether a face-down card that nobody has seen is to be turned.
    fn hides_hole(&self) -> bool {
        let hides = |play: &Play| play.round().awaits() == Awaits::Turn && play.hole_seen.is_none();
        self.rounds.play().is_some_and(hides)
    }

    /// The cards are cut again before any is dealt (DAB-4-g, DDS-4-f, FBB-4-f, CW-R11).
    fn after_bad_cut(&self) -> Vec<Order> {
        only_if(self.check_recut().is_ok(), Order::Recut)
    }

    /// What was found in the shoe so far, as the house counts (G-15, DAB-R30); in Free Bet the
    /// book counts per round (FBB-11-b, FBB-R21).
    pub(super) fn found(&self) -> ShoeFaults {
        let now = ShoeFaults {
            shoe: self.cards.shoe().map_or(0, |shoe| shoe.number),
            round: self.rounds.played(),
            ..ShoeFaults::default()
        };
        let found = self.pit.found;
        let per_round = self.cures().face_up_by_round
            || self.sheet.choice("face_up_count_scope") == Some("round");
        match found.shoe == now.shoe && !(per_round && found.round != now.round) {
            true => ShoeFaults { round: now.round, ..found },
            false => now,
        }
    }
}

/// This order, where it is open.
fn only_if(is_open: bool, order: Order) -> Vec<Order> {
    is_open.then_some(order).into_iter().collect()
}

impl Order {
    /// The source that lets a supervisor give an order without a report.
    pub(crate) fn source(self, game: Game) -> Source {
        let (kind, ruling) = match self {
            Order::Recut => (Kind::BadCut, "G-12"),
            Order::Repaired => (Kind::ReaderBroken, "G-22"),
            Order::Reshuffle => return TableRefusal::NoRoundYet.source(game),
            Order::Admit(_) => return TableRefusal::NotBarred.source(game),
            Order::Surrender(_) | Order::Extend(_) => return Source::of("G-06"),
            _ => return Source::of("G-09"),
        };
        kind.source(game).unwrap_or(Source::of(ruling))
    }
}
