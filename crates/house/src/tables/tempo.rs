//! How fast a shoe is dealt, and so about how long it is until the next shuffle.

use std::time::Duration;

use rules::table::Table;
use tokio::time::Instant;

/// The steps in which a wait is told: it is only about so long.
const STEP: u64 = 10;

/// Since when a shoe has been watched, and how many of its cards were dealt before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tempo {
    shoe: u32,
    since: Instant,
    dealt: usize,
}

impl Tempo {
    /// The tempo of the shoe in use, from now on.
    pub(crate) fn of(table: &Table, now: Instant) -> Tempo {
        let (shoe, dealt) = table.shoe().map_or((0, 0), |shoe| (shoe.number, shoe.dealt));
        Tempo { shoe, since: now, dealt }
    }

    /// Begins again with another shoe.
    pub(crate) fn follow(&mut self, table: &Table, now: Instant) {
        if table.shoe().map_or(0, |shoe| shoe.number) != self.shoe {
            *self = Tempo::of(table, now);
        }
    }

    /// About how long it is until the cut card comes out, if cards go on leaving the shoe as they did;
    /// none before any has.
    pub(crate) fn until_shuffle(&self, table: &Table, now: Instant) -> Option<Duration> {
        let shoe = table.shoe().filter(|shoe| shoe.number == self.shoe)?;
        let dealt = u32::try_from(shoe.dealt.checked_sub(self.dealt)?).ok()?;
        let left = u32::try_from(shoe.cut_card_at?.saturating_sub(shoe.dealt)).ok()?;
        let wait = now.duration_since(self.since).checked_mul(left)?.checked_div(dealt)?;
        Some(Duration::from_secs((wait.as_secs() / STEP + 1) * STEP))
    }
}

#[cfg(test)]
mod tests {
    use rules::terms::TermSheet;
    use rules::wager::Game;

    use super::*;

    #[test]
    fn a_wait_is_as_long_as_the_cards_before_the_cut_card_take() {
        let mut table = Table::new(TermSheet::new(Game::DoubleDeck));
        let seal = "0".repeat(64);
        let steps = "wash plug riffle riffle strip turn riffle cut";
        let shuffle = format!("shuffle {seal} {steps}");
        let begun =
            ["sit 1 ann", "buy-in 1 100", "inspect 1", &shuffle, "commit cut 1 50", "card ??"];
        for line in begun {
            table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
        }
        let since = Instant::now();
        let tempo = Tempo::of(&table, since);
        let later = since + Duration::from_secs(40);
        assert_eq!(tempo.until_shuffle(&table, later), None, "no card has left the shoe");
        for line in ["wager 1 main 10", "deal", "card Ts", "card 9d", "card 8c", "card ??"] {
            table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
        }
        // Two decks of 104 cards, 35 of them behind the cut card (DDB-R17); one is burned, and four are
        // dealt in 40 seconds: 64 are left before it.
        assert_eq!(tempo.until_shuffle(&table, later), Some(Duration::from_secs(650)));
    }
}
