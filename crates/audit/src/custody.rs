//! Custody of cards that nobody has seen: which orders the house holds, and where each card is.
//!
//! The order of a shoe is kept apart from the table. A trail follows the table and knows by place,
//! never by face, which card goes where. With the orders it is the [`Custody`] of a dealer; with the
//! orders that are revealed later it is the proof.

use std::fmt;

use rules::card::Card;
use rules::games::AnyRound;
use rules::notation::Words;
use rules::round::{Event, Place, Remedy, Round};
use rules::shoe;
use rules::table::{Cutter, Input, Irregularity, Seal, Table, TableEvent};
use rules::terms::TermSheet;
use rules::wager::Bettor;

use crate::hash::Hash;
use crate::mix::{drawn_cut, drawn_discards, key, mix};
use crate::seal::seal;

/// What the lines of a custody begin with where they stand among those of a table.
pub const CUSTODY: &str = "custody ";

/// An order of cards that the house committed to, and the salt of the commitment.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedOrder {
    /// The salt.
    pub salt: [u8; 32],
    /// Every card before mix and cut, the front one first.
    pub order: Vec<Card>,
}

impl SealedOrder {
    /// The commitment to it.
    pub fn seal(&self) -> Seal {
        seal(&self.salt, &self.order)
    }
}

/// Prints nothing: an order must not leak into logs.
impl fmt::Debug for SealedOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealedOrder")
    }
}

/// The cards of the shoes at a table that are not revealed yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Custody {
    trail: Trail,
    kept: Vec<HeldShoe>,
}

/// A shoe of which the house knows the order.
#[derive(Clone, PartialEq, Eq)]
struct HeldShoe {
    sealed: SealedOrder,
    seal: Seal,
    /// The shoe, once the table has been told of it.
    shoe: Option<u32>,
    /// The cards as they leave the shoe.
    cards: Vec<Card>,
}

impl fmt::Debug for HeldShoe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HeldShoe({})", self.seal)
    }
}

impl Custody {
    /// Takes an order into custody, before the table is told of its shuffle.
    pub fn keep(&mut self, sealed: SealedOrder) {
        let (seal, cards) = (sealed.seal(), sealed.order.clone());
        self.kept.push(HeldShoe { sealed, seal, shoe: None, cards });
    }

    /// Where the cards lie between two rounds, by place and never by face.
    pub fn standing(&self) -> Vec<String> {
        let sealed = self.trail.shoes.iter().map(SealedShoe::line);
        let burned =
            self.trail.burned.iter().map(|spot| format!("burned {} {}", spot.shoe, spot.at));
        sealed.chain(burned).collect()
    }

    /// The custody that these lines describe, with the order of each of its shoes; none if the lines
    /// do not come from a custody, or an order is not the one that was sealed.
    pub fn resumed<'a>(
        standing: impl IntoIterator<Item = &'a str>,
        mut order: impl FnMut(u32) -> Option<SealedOrder>,
    ) -> Option<Custody> {
        let mut custody = Custody { trail: Trail::resumed(standing)?, ..Custody::default() };
        for shoe in custody.trail.shoes.clone() {
            custody.keep(order(shoe.number).filter(|order| order.seal() == shoe.seal)?);
        }
        custody.lay();
        Some(custody)
    }

    /// Follows an input that the table has taken.
    pub fn follow(&mut self, before: &Table, input: &Input, events: &[TableEvent], after: &Table) {
        self.trail.follow(before, input, events, after);
        if moves_cards(input) {
            self.lay();
        }
        let is_secret =
            |kept: &HeldShoe| self.trail.shoes.iter().any(|shoe| kept.shoe == Some(shoe.number));
        if matches!(input, Input::Reveal { .. }) {
            self.kept.retain(is_secret);
        }
    }

    /// Lays every order as its shoe was mixed and cut.
    fn lay(&mut self) {
        for shoe in &self.trail.shoes {
            let is_known = |kept: &HeldShoe| kept.shoe == Some(shoe.number);
            let is_new = |kept: &HeldShoe| kept.shoe.is_none() && kept.seal == shoe.seal;
            let at = self.kept.iter().position(is_known);
            if let Some(at) = at.or_else(|| self.kept.iter().position(is_new)) {
                let kept = &mut self.kept[at];
                kept.shoe = Some(shoe.number);
                kept.cards = shoe.as_dealt(&kept.sealed.order);
            }
        }
    }

    /// The next card of the shoe in use.
    pub fn next(&self, table: &Table) -> Option<Card> {
        let shoe = table.shoe()?;
        self.card(Spot { shoe: shoe.number, at: shoe.dealt })
    }

    /// The card that lies face down before the dealer.
    pub fn hole(&self) -> Option<Card> {
        self.card(self.trail.hole?)
    }

    /// The card that a report is about, as it truly is: the next one of the shoe, or the one that lies
    /// face down. None where a report is about no card, or about one that does not come from here.
    pub fn reported(&self, table: &Table, what: Irregularity) -> Option<Card> {
        match what {
            Irregularity::HoleSeen(_) => self.hole().or_else(|| self.next(table)),
            what => what.drawn().and_then(|_| self.next(table)),
        }
    }

    /// The burned cards of the shoe in use, for a player who asks (DAB-7-c).
    pub fn burned(&self, table: &Table) -> Option<Vec<Card>> {
        self.trail.burned(table.shoe()?.number).map(|spot| self.card(spot)).collect()
    }

    /// The cards of the next shuffle, in no order.
    pub fn stack(&self, table: &Table) -> Vec<Card> {
        full_shoe(table.sheet())
    }

    /// The order of the discards, where cards ran out in mid-round and the shoe was sealed: drawn
    /// from its key, and nobody's choice (G-18).
    pub fn refill(&self, table: &Table) -> Option<SealedOrder> {
        let shoe = self.trail.in_use(table)?;
        let held = self.kept.iter().find(|kept| kept.shoe == Some(shoe.number))?;
        let layout = Layout::of(table, self.trail.hole);
        let cards = layout.discards(table.sheet(), |spot| self.card(spot))?;
        Some(drawn_discards(cards, shoe.key(), shoe.draws, &held.sealed.salt))
    }

    /// The cut that the table awaits and nobody named: drawn from the key of its shoe.
    pub fn drawn_cut(&self, table: &Table) -> Option<usize> {
        self.trail.drawn_cut(table)
    }

    /// Salt and order of the shoe that is to be revealed.
    pub fn reveal(&self, table: &Table) -> Option<Input> {
        let number = table.to_reveal()?.number;
        let kept = self.kept.iter().find(|kept| kept.shoe == Some(number))?;
        let SealedOrder { salt, order } = kept.sealed.clone();
        Some(Input::Reveal { salt: Seal(salt), order })
    }

    fn card(&self, spot: Spot) -> Option<Card> {
        self.kept.iter().find(|kept| kept.shoe == Some(spot.shoe))?.cards.get(spot.at).copied()
    }
}

/// Whether an input can change which card lies where.
const fn moves_cards(input: &Input) -> bool {
    matches!(
        input,
        Input::Shuffle { .. }
            | Input::Commit { .. }
            | Input::Open { .. }
            | Input::Cut { .. }
            | Input::Order { .. }
    )
}

/// A place in a shoe: so many cards lay before it, after mix and cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) shoe: u32,
    pub(crate) at: usize,
}

/// What everyone learned about a card.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sight {
    pub(crate) spot: Spot,
    pub(crate) shows: CardFact,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CardFact {
    Face(Card),
    /// What the card reader said of it in a round.
    Answer {
        round: Box<AnyRound>,
        natural: bool,
    },
}

impl CardFact {
    /// Whether it is true of a card.
    pub(crate) fn is_true(&self, card: Card) -> bool {
        match self {
            CardFact::Face(face) => *face == card,
            CardFact::Answer { round, natural } => round.reader_answer(card) == *natural,
        }
    }
}

/// Where the cards of sealed shoes lie, by place and never by face.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trail {
    /// The shoes that are not revealed yet, the oldest first.
    pub(crate) shoes: Vec<SealedShoe>,
    /// The cards burned before a round.
    burned: Vec<Spot>,
    /// The card that lies face down before the dealer.
    hole: Option<Spot>,
    /// The card that was last drawn in error.
    drawn: Option<Spot>,
}

/// A shoe of which only a commitment is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SealedShoe {
    pub(crate) number: u32,
    pub(crate) seal: Seal,
    /// The closed list of commitments.
    pub(crate) committed: Vec<(Bettor, Seal)>,
    /// What the key is made of: openings, and the commitments that were not opened, sorted.
    values: Vec<Seal>,
    /// The key of the shoe whose discards these are.
    inherited: Option<Hash>,
    /// Whether the list of commitments was closed, so that cuts of the dealer's are drawn.
    is_closed: bool,
    /// How often something was drawn from the key.
    draws: u32,
    /// How many cards went from the front to the back.
    cut: usize,
    pub(crate) holds: Contents,
}

/// Which cards a shoe must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Contents {
    /// All cards of the table.
    All,
    /// All but these, which lay on the layout when the discards were shuffled in mid-round.
    AllBut(Layout),
    /// Only the rules that the log was written under can tell.
    Unknown,
}

impl SealedShoe {
    /// A shoe that nobody has added to or cut yet.
    pub(crate) fn new(number: u32, seal: Seal, holds: Contents) -> SealedShoe {
        let (committed, values) = (Vec::new(), Vec::new());
        let (inherited, is_closed, draws, cut) = (None, false, 0, 0);
        SealedShoe { number, seal, committed, values, inherited, is_closed, draws, cut, holds }
    }

    /// What is drawn where nobody chooses comes from this key.
    fn key(&self) -> Hash {
        self.inherited.unwrap_or_else(|| key(&self.seal, &self.values))
    }

    /// All openings are there; commitments that were not opened stand in for their bytes.
    fn open(&mut self, openings: &[(Bettor, Seal)]) {
        let opened = |(bettor, commitment): &(Bettor, Seal)| {
            let found = openings.iter().find(|(opener, _)| opener == bettor);
            found.map_or(*commitment, |(_, bytes)| *bytes)
        };
        self.values = self.committed.iter().map(opened).collect();
        self.values.sort_unstable();
    }

    /// Adds bytes in the sequence of the log, as the rules of version 2 did.
    pub(crate) fn add(&mut self, bytes: Seal) {
        self.values.push(bytes);
    }

    /// The order in which the discards of this shoe are shuffled next, if its salt is this one.
    pub(crate) fn drawn_discards(&self, cards: Vec<Card>, salt: &[u8; 32]) -> SealedOrder {
        drawn_discards(cards, self.key(), self.draws, salt)
    }

    fn line(&self) -> String {
        let SealedShoe { number, seal, cut, draws, values, .. } = self;
        let mut line = format!("sealed {number} {seal} cut {cut}");
        if self.is_closed {
            line += &format!(" draws {draws}");
        }
        values.iter().for_each(|bytes| line += &format!(" {bytes}"));
        line
    }

    /// The cards of an order as they leave this shoe.
    pub(crate) fn as_dealt(&self, order: &[Card]) -> Vec<Card> {
        let mut cards = mix(order, &self.seal, &self.values);
        let cut = self.cut.min(cards.len());
        cards.rotate_left(cut);
        cards
    }
}

/// Something that happened to the cards of a shoe.
#[derive(Clone, Debug)]
pub(crate) enum CardMove {
    /// A shoe of which only a commitment is known begins, or waits in a machine.
    Shuffled(SealedShoe),
    /// A card was burned before a round.
    Burned,
    /// A card was dealt face down to the dealer.
    FaceDown,
    /// The face-down card was seen by everyone before it was turned.
    HoleShown(Card),
    /// A card left the shoe out of turn.
    Drawn(Card),
    /// The round is over.
    Settled,
    /// Salt and order of this shoe are known.
    Revealed(u32),
}

impl Trail {
    /// The trail that the lines of a custody describe; none if they do not come from one.
    pub(crate) fn resumed<'a>(standing: impl IntoIterator<Item = &'a str>) -> Option<Trail> {
        let mut trail = Trail::default();
        for line in standing {
            let mut words = Words::new(line);
            if words.skip("sealed") {
                let (number, seal) = (words.read().ok()?, words.read().ok()?);
                let mut shoe = SealedShoe::new(number, seal, Contents::All);
                shoe.cut = words.after("cut").ok()?;
                // Rules of version 2 drew nothing.
                if words.skip("draws") {
                    (shoe.is_closed, shoe.draws) = (true, words.read().ok()?);
                }
                shoe.values = words.rest().ok()?;
                trail.shoes.push(shoe);
            } else {
                let shoe = words.after("burned").ok()?;
                trail.burned.push(Spot { shoe, at: words.read().ok()? });
            }
            words.end().ok()?;
        }
        Some(trail)
    }

    /// Follows an input that the table has taken, and tells which cards it showed.
    pub(crate) fn follow(
        &mut self,
        before: &Table,
        input: &Input,
        events: &[TableEvent],
        after: &Table,
    ) -> Vec<Sight> {
        let next = before.shoe().map(|shoe| Spot { shoe: shoe.number, at: shoe.dealt });
        let answer = match (input, before.round()) {
            (Input::Peek(natural), Some(round)) => {
                let (round, natural) = (Box::new(*round), *natural);
                self.see_hole(CardFact::Answer { round, natural })
            }
            _ => None,
        };
        let moves = events.iter().filter_map(|event| self.card_move(event, before, after));
        let moves: Vec<CardMove> = moves.collect();
        let mut seen = self.take(next, input, moves);
        seen.extend(answer);
        if let Some(shoe) = after.shoe() {
            self.cut(shoe.number, |_| shoe.cut.unwrap_or(0));
        }
        seen
    }

    /// What an event did to cards.
    fn card_move(&self, what: &TableEvent, before: &Table, after: &Table) -> Option<CardMove> {
        Some(match what {
            TableEvent::Shuffled { shoe: number, seal: Some(seal), .. } => {
                let in_use = after.shoe();
                let is_refill = in_use.is_some_and(|shoe| shoe.number == *number && shoe.refill);
                let holds = match is_refill {
                    true => Contents::AllBut(Layout::of(before, self.hole)),
                    false => Contents::All,
                };
                let ran_out = self.in_use(before).filter(|_| is_refill);
                let mut shoe = SealedShoe::new(*number, *seal, holds);
                if let Some(ran_out) = ran_out {
                    (shoe.inherited, shoe.draws) = (Some(ran_out.key()), ran_out.draws + 1);
                    shoe.is_closed = true;
                }
                CardMove::Shuffled(shoe)
            }
            TableEvent::Burned => CardMove::Burned,
            TableEvent::Round(Event::FaceDown(place)) if *place != Place::Burn => {
                CardMove::FaceDown
            }
            TableEvent::Round(Event::Remedied(Remedy::HoleCardShown(card))) => {
                CardMove::HoleShown(*card)
            }
            TableEvent::Drawn(card) => CardMove::Drawn(*card),
            TableEvent::Settled => CardMove::Settled,
            TableEvent::Revealed { shoe } => CardMove::Revealed(*shoe),
            _ => return None,
        })
    }

    /// Follows an input and what it did to cards, where `next` was the front card of the shoe, and
    /// tells which cards it showed.
    pub(crate) fn take(
        &mut self,
        mut next: Option<Spot>,
        input: &Input,
        moves: Vec<CardMove>,
    ) -> Vec<Sight> {
        let in_use = next.map_or(0, |spot| spot.shoe);
        let mut seen = Vec::new();
        match input {
            Input::Commit { list, .. } => {
                let list = list.iter().flat_map(|list| list.commitments.iter().copied());
                if let Some(shoe) = self.shoe_mut(in_use) {
                    (shoe.committed, shoe.is_closed) = (list.collect(), true);
                }
            }
            Input::Cut { by: Cutter::Dealer, at: Some(_) } => {
                let closed = self.shoe_mut(in_use).filter(|shoe| shoe.is_closed);
                closed.into_iter().for_each(|shoe| shoe.draws += 1);
            }
            Input::Open { openings } => {
                self.shoe_mut(in_use).into_iter().for_each(|shoe| shoe.open(openings));
            }
            Input::Card(Some(card)) => {
                seen.extend(next.map(|spot| Sight { spot, shows: CardFact::Face(*card) }));
            }
            Input::Turn(card) => seen.extend(self.see_hole(CardFact::Face(*card))),
            Input::ShowBurn { cards, .. } => {
                let faces = cards.iter().map(|card| CardFact::Face(*card));
                let shown = self.burned(in_use).zip(faces);
                seen.extend(shown.map(|(spot, shows)| Sight { spot, shows }));
            }
            _ => {}
        }
        // A card that was drawn in error can go on as a face-down one (G-10).
        let is_dealt = matches!(input, Input::Card(_));
        for card_move in moves {
            match card_move {
                CardMove::Shuffled(shoe) => self.shoes.push(shoe),
                CardMove::Burned => {
                    // What lies in the discard rack of a shoe that is never revealed is forgotten.
                    let shoes = &self.shoes;
                    let matters = |shoe| shoe == in_use || shoes.iter().any(|it| it.number == shoe);
                    self.burned.retain(|spot| matters(spot.shoe));
                    self.burned.extend(if is_dealt { next } else { self.drawn });
                }
                CardMove::FaceDown => self.hole = if is_dealt { next } else { self.drawn },
                CardMove::HoleShown(card) => seen.extend(self.see_hole(CardFact::Face(card))),
                CardMove::Drawn(card) => {
                    seen.extend(next.map(|spot| Sight { spot, shows: CardFact::Face(card) }));
                    self.drawn = next;
                    next = next.map(|spot| Spot { at: spot.at + 1, ..spot });
                }
                CardMove::Settled => (self.hole, self.drawn) = (None, None),
                CardMove::Revealed(number) => {
                    self.shoes.retain(|shoe| shoe.number != number);
                    self.burned.retain(|spot| spot.shoe != number);
                }
            }
        }
        seen
    }

    pub(crate) fn shoe_mut(&mut self, number: u32) -> Option<&mut SealedShoe> {
        self.shoes.iter_mut().find(|shoe| shoe.number == number)
    }

    /// The shoe that a table uses, if its order was sealed.
    pub(crate) fn in_use(&self, table: &Table) -> Option<&SealedShoe> {
        let number = table.shoe()?.number;
        self.shoes.iter().find(|shoe| shoe.number == number)
    }

    /// The cut that is drawn next, if nobody names one.
    pub(crate) fn drawn_cut(&self, table: &Table) -> Option<usize> {
        let shoe = self.in_use(table)?;
        Some(drawn_cut(shoe.key(), shoe.draws, table.cut_bounds()))
    }

    /// The burned cards of a shoe, the first one first.
    fn burned(&self, shoe: u32) -> impl Iterator<Item = Spot> {
        self.burned.iter().copied().filter(move |spot| spot.shoe == shoe)
    }

    /// Changes how many cards of a shoe went from the front to the back.
    pub(crate) fn cut(&mut self, number: u32, cut: impl FnOnce(usize) -> usize) {
        if let Some(shoe) = self.shoes.iter_mut().find(|shoe| shoe.number == number) {
            shoe.cut = cut(shoe.cut);
        }
    }

    fn see_hole(&self, shows: CardFact) -> Option<Sight> {
        self.hole.map(|spot| Sight { spot, shows })
    }
}

/// The cards on the layout at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    faces: Vec<Card>,
    /// The one that nobody has seen.
    hole: Option<Spot>,
}

impl Layout {
    fn of(table: &Table, hole: Option<Spot>) -> Layout {
        let cards = table.layout();
        let hole = hole.filter(|_| cards.contains(&None));
        Layout { faces: cards.into_iter().flatten().collect(), hole }
    }

    /// All cards of the table but these; none where the unseen one cannot be told, or where one
    /// lies here that the table does not have.
    pub(crate) fn discards(
        &self,
        sheet: &TermSheet,
        face: impl FnOnce(Spot) -> Option<Card>,
    ) -> Option<Vec<Card>> {
        let hole = match self.hole {
            Some(spot) => Some(face(spot)?),
            None => None,
        };
        let mut cards = full_shoe(sheet);
        for card in self.faces.iter().copied().chain(hole) {
            let at = cards.iter().position(|other| *other == card)?;
            cards.remove(at);
        }
        Some(cards)
    }
}

/// The cards that a shoe of the table holds, in no order.
pub(crate) fn full_shoe(sheet: &TermSheet) -> Vec<Card> {
    (0..shoe::decks(sheet)).flat_map(|_| shoe::deck(sheet.game())).collect()
}
