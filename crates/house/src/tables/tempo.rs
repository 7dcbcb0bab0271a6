//! How fast a shoe is dealt, and so about how long it is until the next shuffle; and how long rounds
//! take.

use std::collections::VecDeque;
use std::time::Duration;

use rules::table::Table;
use tokio::time::Instant;

/// The steps in which a wait is told: it is only about so long.
const STEP: u64 = 10;

/// How many rounds tell how long one takes.
const ROUNDS: usize = 9;

/// Since when a shoe has been watched, how many of its cards were dealt before, and what the last rounds
/// took.
#[derive(Clone, Debug)]
pub(crate) struct Tempo {
    shoe: u32,
    since: Instant,
    dealt: usize,
    /// When the round in play began, if that was seen.
    round_since: Option<Instant>,
    rounds: VecDeque<Duration>,
}

impl Tempo {
    /// The tempo of the shoe in use, from now on.
    pub(crate) fn of(table: &Table, now: Instant) -> Tempo {
        let (shoe, dealt) = table.shoe().map_or((0, 0), |shoe| (shoe.number, shoe.dealt));
        Tempo { shoe, since: now, dealt, round_since: None, rounds: VecDeque::new() }
    }

    /// Notes how far the table is, and begins again with another shoe.
    pub(crate) fn follow(&mut self, table: &Table, now: Instant) {
        if table.shoe().map_or(0, |shoe| shoe.number) != self.shoe {
            let (round_since, rounds) = (self.round_since, std::mem::take(&mut self.rounds));
            *self = Tempo { round_since, rounds, ..Tempo::of(table, now) };
        }
        match (table.round().is_some(), self.round_since) {
            (true, None) => self.round_since = Some(now),
            (false, Some(since)) => {
                self.round_since = None;
                self.rounds.truncate(ROUNDS - 1);
                self.rounds.push_front(now.duration_since(since));
            }
            _ => {}
        }
    }

    /// How long a round takes, from the first card to the last payment: the middle one of the last
    /// rounds, so that one round that stood still says nothing.
    pub(crate) fn round_time(&self) -> Option<Duration> {
        let mut rounds: Vec<Duration> = self.rounds.iter().copied().collect();
        rounds.sort_unstable();
        rounds.get(rounds.len() / 2).map(|time| Duration::from_secs(time.as_secs().max(1)))
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

    fn shuffle_by_hand() -> String {
        format!("shuffle {} wash plug riffle riffle strip turn riffle cut", "0".repeat(64))
    }

    #[test]
    fn a_wait_is_as_long_as_the_cards_before_the_cut_card_take() {
        let mut table = Table::new(TermSheet::new(Game::DoubleDeck));
        let shuffle = shuffle_by_hand();
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

    #[test]
    fn a_round_takes_as_long_as_the_middle_one_of_the_last() {
        let mut table = Table::new(TermSheet::new(Game::CasinoWar));
        let shuffle = shuffle_by_hand();
        let begun =
            ["sit 1 ann", "buy-in 1 100", "inspect 1", &shuffle, "commit cut 1 60", "card ??"];
        for line in begun {
            table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
        }
        let mut now = Instant::now();
        let mut tempo = Tempo::of(&table, now);
        assert_eq!(tempo.round_time(), None);
        for (seconds, middle) in [(12, 12), (600, 600), (8, 12), (9, 12), (9, 9)] {
            for line in ["wager 1 main 10", "deal"] {
                table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
                tempo.follow(&table, now);
            }
            now += Duration::from_secs(seconds);
            for line in ["card Ks", "card 2d"] {
                table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
                tempo.follow(&table, now);
            }
            assert_eq!(tempo.round_time(), Some(Duration::from_secs(middle)), "{seconds}");
            // Nobody is in a hurry to bet.
            now += Duration::from_secs(1000);
        }
    }
}
