//! The shoe on the table: counted and never looked into.

use super::input::Seal;
use super::procedure::Procedure;

/// The shoe in use, or the one just retired. Which cards it holds is custody, and not known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableShoe {
    /// Counted from 1.
    pub number: u32,
    /// The commitment to its order.
    pub seal: Seal,
    /// How many cards it held after the shuffle.
    pub size: usize,
    /// How many cards went from the front to the back; none before the cut.
    pub cut: Option<usize>,
    /// How many cards have left it, burned ones included.
    pub dealt: usize,
    /// How many cards lie before the cut card (CW-5-f); none where there is no cut card.
    pub cut_card_at: Option<usize>,
    /// Whether the cut card has come out.
    pub cut_card_reached: bool,
}

impl TableShoe {
    /// A shuffled stack.
    pub(super) fn new(number: u32, seal: Seal, procedure: &Procedure) -> TableShoe {
        let size = procedure.cards;
        TableShoe {
            number,
            seal,
            size,
            cut: None,
            dealt: 0,
            cut_card_at: procedure.behind_cut_card.map(|behind| size - behind),
            cut_card_reached: false,
        }
    }

    /// How many cards are left.
    pub fn left(&self) -> usize {
        self.size - self.dealt
    }

    /// Whether the shoe is done with once the round is over (CW-7-d, DDS-4-a).
    pub(super) fn is_spent(&self) -> bool {
        self.cut_card_reached || self.cut_card_at.is_none()
    }
}
