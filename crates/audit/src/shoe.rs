//! What a log says about one shoe: all that is needed to check it.

use rules::card::Card;
use rules::table::{Commitment, Cutter, Input, Name, Order, Seal, Table, TableEvent};
use rules::wager::Bettor;

use crate::custody::{CardFact, SealedOrder, Trail};
use crate::tally::Unplayed;

/// What somebody contributed to the order of a shoe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// The place.
    pub bettor: Bettor,
    /// Who it was.
    pub player: Name,
    /// The commitment in the closed list.
    pub commitment: Seal,
    /// The bytes, if they were opened.
    pub bytes: Option<Seal>,
}

/// One shoe, from its shuffle to its end.
#[derive(Clone, Debug)]
pub struct ShoeRecord {
    /// Its number, counted from 1.
    pub number: u32,
    /// The commitment to its order; none at a physical table.
    pub seal: Option<Seal>,
    /// How many cards it held.
    pub size: usize,
    /// The house to which players committed; none where nobody did.
    pub house: Option<Name>,
    /// Who contributed to the order, from the dealer's far left.
    pub contributions: Vec<Contribution>,
    /// Who cut, and how many cards went from the front to the back; the dealer's cuts were drawn.
    pub cuts: Vec<(Cutter, usize)>,
    /// The fewest and the most cards that a cut could take.
    pub cut_bounds: (usize, usize),
    /// Who had it cut again.
    pub recut_by: Option<Name>,
    /// Why it was retired before a round was dealt from it.
    pub unplayed: Option<Unplayed>,
    /// The cards that have left it, first one first; none if nobody saw the face.
    pub dealt: Vec<Option<Card>>,
    /// The rounds that were dealt from it.
    pub rounds: Vec<u32>,
    /// Salt and order, once they are revealed.
    pub revealed: Option<SealedOrder>,
    trail: Trail,
}

impl ShoeRecord {
    /// An empty record.
    pub fn new(number: u32) -> ShoeRecord {
        ShoeRecord {
            number,
            seal: None,
            size: 0,
            house: None,
            contributions: Vec::new(),
            cuts: Vec::new(),
            cut_bounds: (0, 0),
            recut_by: None,
            unplayed: None,
            dealt: Vec::new(),
            rounds: Vec::new(),
            revealed: None,
            trail: Trail::default(),
        }
    }

    /// Follows an input that the table has taken.
    pub fn follow(&mut self, before: &Table, input: &Input, events: &[TableEvent], after: &Table) {
        let is_in_use = |table: &Table| table.shoe().is_some_and(|shoe| shoe.number == self.number);
        let (was_in_use, is_in_use) = (is_in_use(before), is_in_use(after));
        match input {
            Input::Commit { list: Some(list), .. } if was_in_use => {
                self.house = Some(list.house.clone());
                self.contributions = after.commitments().iter().map(committed).collect();
            }
            Input::Open { openings } if was_in_use => {
                for one in &mut self.contributions {
                    let opened = openings.iter().find(|(bettor, _)| *bettor == one.bettor);
                    one.bytes = opened.map(|(_, bytes)| *bytes);
                }
            }
            _ => {}
        }
        if let (Some(revealed), Input::Reveal { salt, order }) = (before.to_reveal(), input)
            && revealed.number == self.number
        {
            self.revealed = Some(SealedOrder { salt: salt.0, order: order.clone() });
        }
        for event in events {
            match event {
                TableEvent::Shuffled { shoe, seal, cards } if *shoe == self.number => {
                    (self.seal, self.size) = (*seal, usize::from(*cards));
                }
                TableEvent::Cut { by, at } if is_in_use => {
                    self.cuts.push((*by, *at));
                    self.cut_bounds = before.cut_bounds();
                }
                TableEvent::Ordered { order: Order::Recut, by, .. }
                    if is_in_use && self.seal.is_some() =>
                {
                    self.recut_by = Some(by.clone());
                }
                TableEvent::Retired { shoe, .. }
                    if *shoe == self.number && self.rounds.is_empty() =>
                {
                    self.unplayed = Unplayed::of(input);
                }
                TableEvent::BetsClosed if is_in_use => self.rounds.push(before.rounds_played() + 1),
                _ => {}
            }
        }
        let seen = self.trail.follow(before, input, events, after);
        if let Some(shoe) = after.shoe().filter(|_| is_in_use) {
            self.dealt.resize(shoe.dealt.max(self.dealt.len()), None);
        }
        for sight in seen.iter().filter(|sight| sight.spot.shoe == self.number) {
            if let (CardFact::Face(card), Some(place)) =
                (&sight.shows, self.dealt.get_mut(sight.spot.at))
            {
                *place = Some(*card);
            }
        }
    }

    /// What the key of the order is made of: the openings, and the commitments that were not opened,
    /// sorted.
    pub fn values(&self) -> Vec<Seal> {
        let value = |one: &Contribution| one.bytes.unwrap_or(one.commitment);
        let mut values: Vec<Seal> = self.contributions.iter().map(value).collect();
        values.sort_unstable();
        values
    }

    /// Whether its record is complete.
    pub fn is_over(&self, events: &[TableEvent]) -> bool {
        events.iter().any(|event| match *event {
            TableEvent::Revealed { shoe } => shoe == self.number,
            TableEvent::Retired { shoe, .. } => shoe == self.number && self.seal.is_none(),
            _ => false,
        })
    }
}

fn committed(commitment: &Commitment) -> Contribution {
    let Commitment { bettor, player, seal } = commitment.clone();
    Contribution { bettor, player, commitment: seal, bytes: None }
}

#[cfg(test)]
mod tests {
    use rules::terms::TermSheet;
    use rules::wager::Game;

    use super::*;
    use crate::custody::Custody;
    use crate::mix::mix;

    #[test]
    fn what_was_dealt_is_what_follows_from_seal_contributions_and_cuts() {
        let mut sheet = TermSheet::new(Game::CasinoWar);
        sheet.set([("decks", "6")]).unwrap();
        let mut table = Table::new(sheet);
        let (mut custody, mut record) = (Custody::default(), ShoeRecord::new(1));
        let mut order = custody.stack(&table);
        order.rotate_left(17);
        let sealed = SealedOrder { salt: [9; 32], order };
        custody.keep(sealed.clone());
        let mut is_over = false;
        let mut tell = |table: &mut Table, input: Input| {
            let (before, mut events) = (table.clone(), Vec::new());
            table.apply(&input, &mut events).unwrap();
            custody.follow(&before, &input, &events, table);
            record.follow(&before, &input, &events, table);
            is_over |= record.is_over(&events);
            (custody.clone(), record.clone(), is_over)
        };
        for line in ["sit 1 ann", "buy-in 1 100", "inspect 1"] {
            tell(&mut table, line.parse().unwrap());
        }
        let (seal, steps) = (Some(sealed.seal()), table.usual_shuffle());
        tell(&mut table, Input::Shuffle { seal, steps });
        let (bytes, commitment) = ("ab".repeat(32), "cd".repeat(32));
        let commit = format!("commit cut 1 60 house h1 1 {commitment}");
        let mut known = tell(&mut table, commit.parse().unwrap());
        let open = format!("open 1 {bytes}");
        for line in [&open, "card ??", "wager 1 main 10", "deal"] {
            known = tell(&mut table, line.parse().unwrap());
        }
        for _ in 0..2 {
            let card = known.0.next(&table);
            known = tell(&mut table, Input::Card(card));
        }
        let (_, record, is_over) = &known;
        assert_eq!(
            (record.size, &record.cuts[..], &record.rounds[..]),
            (312, &[(Cutter::Seat(Bettor::at(0)), 60)][..], &[1][..])
        );
        assert_eq!((record.revealed.clone(), *is_over), (None, false));
        let mut expected = mix(&sealed.order, &sealed.seal(), &[bytes.parse().unwrap()]);
        expected.rotate_left(60);
        let dealt = [None, Some(expected[1]), Some(expected[2])];
        assert_eq!(record.dealt, dealt, "the burn card is not known");
        assert_eq!(record.contributions.len(), 1);
        assert_eq!(record.values(), [bytes.parse().unwrap()]);
    }
}
