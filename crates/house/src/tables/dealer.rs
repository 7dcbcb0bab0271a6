//! The dealer: shuffles, keeps the cards nobody has seen, and knows what the table waits for.
//!
//! The dealer decides nothing. Where the table awaits a card, the next one of the sealed order comes;
//! where a player is silent for too long, that is an input like any other (G-06).

use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use audit::custody::Custody;
use audit::secret::LineSalt;
use rand::TryRng;
use rand::rngs::SysRng;
use rules::card::Card;
use rules::round::{Awaits, Round};
use rules::shoe;
use rules::table::{Cutter, Decks, Input, Order, Table, TableAwaits};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Bettors};

use crate::people::names::HOUSE;
use crate::store::StoreError;

pub use audit::custody::SealedOrder;

/// Where shuffled orders come from: [`entropy`], or a test.
pub type Orders = Arc<dyn Fn(Vec<Card>) -> io::Result<SealedOrder> + Send + Sync>;

/// Orders from the operating system's entropy.
pub fn entropy() -> Orders {
    Arc::new(shuffled)
}

/// Cards in an order of which each is equally likely.
fn shuffled(mut order: Vec<Card>) -> io::Result<SealedOrder> {
    for last in (1..order.len()).rev() {
        order.swap(last, random_below(last + 1)?);
    }
    Ok(SealedOrder { salt: random_bytes()?, order })
}

/// 32 bytes of the operating system's entropy.
pub(crate) fn random_bytes() -> io::Result<[u8; 32]> {
    let mut bytes = [0; 32];
    SysRng.try_fill_bytes(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes)
}

/// Where the salts of what only some may see come from: the operating system's entropy, or a test.
pub(crate) type Salts = Arc<dyn Fn() -> io::Result<LineSalt> + Send + Sync>;

/// Where the time of day comes from, in milliseconds of Unix time: the operating system, or a test.
pub(crate) type TimeOfDay = Arc<dyn Fn() -> u64 + Send + Sync>;

/// The time of day by the operating system.
pub(crate) fn time_of_day() -> TimeOfDay {
    Arc::new(|| {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        since.map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    })
}

/// Salts from the operating system's entropy.
pub(crate) fn salts() -> Salts {
    Arc::new(|| {
        let mut bytes = [0; 16];
        SysRng.try_fill_bytes(&mut bytes).map_err(io::Error::other)?;
        Ok(LineSalt::new(bytes))
    })
}

/// What stops a table without entropy.
pub(crate) fn no_entropy(error: io::Error) -> StoreError {
    StoreError::Failed(format!("the random source is unavailable: {error}"))
}

/// A number below a bound, each one equally likely.
fn random_below(bound: usize) -> io::Result<usize> {
    let bound = u32::try_from(bound).expect("a shoe has fewer cards than that");
    let mut failure = None;
    let chosen = shoe::below(bound, &mut || {
        SysRng.try_next_u64().unwrap_or_else(|error| {
            failure = Some(error);
            // Never rejected, so that the failure is told at once.
            u64::from(u32::MAX)
        })
    });
    match failure {
        Some(error) => Err(io::Error::other(error)),
        None => Ok(usize::try_from(chosen).expect("a small number")),
    }
}

/// How long this house keeps the seat of somebody who is gone and has no wager.
pub const ABSENCE: Duration = Duration::from_secs(300);

/// How much longer a table waits, once a round, for the answer of somebody whose connection is lost.
pub const GRACE: Duration = Duration::from_secs(15);

/// How fast a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Between two cards.
    pub card: Duration,
    /// For further wagers, after the first one.
    pub betting: Duration,
    /// For a look at spread cards (G-14).
    pub inspection: Duration,
    /// For the commitments of players to the order of a shoe, and again for their openings, at most;
    /// shorter where everybody has answered. A configuration allows [`rules::table::COMMITMENT_SECONDS`].
    pub contributions: Duration,
    /// For an answer; where there is none, the term `action_timeout_s` decides.
    pub answer: Option<Duration>,
    /// For the answer of somebody who is gone, once a round, when the time for it is over.
    pub grace: Duration,
    /// For somebody who is gone to come back to a seat without a wager.
    pub absence: Duration,
    /// For a first wager, before the cards are spread; where there is none, the term
    /// `idle_timeout_s` decides (G-14).
    pub idle: Option<Duration>,
}

/// The time that a term gives.
fn seconds(sheet: &TermSheet, key: &str) -> Duration {
    Duration::from_secs(sheet.number(key).expect("such a term is always a number").into())
}

impl Default for Pace {
    fn default() -> Pace {
        Pace {
            card: Duration::from_millis(350),
            betting: Duration::from_secs(15),
            inspection: Duration::from_secs(10),
            contributions: Duration::from_secs(1),
            answer: None,
            grace: GRACE,
            absence: ABSENCE,
            idle: None,
        }
    }
}

/// What happens by itself if nobody does anything before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// The cards are shuffled.
    Shuffle,
    /// A step of the dealer's own: a card, a turn, a cut, a reveal, other decks.
    Dealer,
    /// The list of commitments is closed.
    Commit,
    /// The openings are written down.
    Open,
    /// Whoever is asked to name the cut is not there, or works for the house.
    CutPassed(Bettor),
    /// Betting is closed.
    Deal,
    /// Cards of which nobody who is seated may be dealt any are shuffled.
    Reshuffle,
    /// Spread cards that nobody looks at.
    Inspection(Bettor),
    /// A cut that nobody makes.
    CutRefused(Bettor),
    /// Questions that nobody answers.
    Unanswered(Bettors),
    /// A choice that nobody makes after something went wrong.
    Unchosen(Bettor),
    /// A table where so many people place no wager.
    Idle(usize),
}

impl Due {
    /// What is due at a table. For a supervisor nothing but patience is.
    pub(crate) fn at(table: &Table) -> Option<Due> {
        let people = || table.everyone().count();
        match table.awaits() {
            TableAwaits::Inspection(bettor) => Some(Due::Inspection(bettor)),
            TableAwaits::Shuffle => Some(Due::Shuffle),
            TableAwaits::Commitments(_) => Some(Due::Commit),
            TableAwaits::Openings => Some(Due::Open),
            TableAwaits::Cut(Cutter::Seat(seat)) => Some(Due::CutRefused(seat)),
            TableAwaits::Round(Awaits::Acts(bettors)) => Some(Due::Unanswered(bettors)),
            TableAwaits::Choice(bettor) => Some(Due::Unchosen(bettor)),
            // The other batch goes into the machine while this one is in use (CW-2-d-4).
            TableAwaits::Wagers if table.may_store() => Some(Due::Shuffle),
            TableAwaits::Wagers if people() > 0 && shuffles_for_newcomers(table) => {
                Some(Due::Reshuffle)
            }
            TableAwaits::Wagers => Some(Due::of_wagers(table)),
            TableAwaits::Player => table.shoe_in_use().map(|_| Due::Idle(people())),
            TableAwaits::Decks
            | TableAwaits::Cut(Cutter::Dealer)
            | TableAwaits::Reveal
            | TableAwaits::Round(
                Awaits::Card(_) | Awaits::FaceDown(_) | Awaits::Peek | Awaits::Turn,
            ) => Some(Due::Dealer),
            TableAwaits::Round(Awaits::Nobody)
            | TableAwaits::Supervisor(_)
            | TableAwaits::Repair => None,
        }
    }

    /// What is due at a table whose dealer is a person: a clock runs for players alone.
    pub(crate) fn at_physical(table: &Table) -> Option<Due> {
        match (Due::at(table), table.awaits()) {
            (Some(Due::Shuffle | Due::Reshuffle), TableAwaits::Wagers) => {
                Some(Due::of_wagers(table))
            }
            (Some(Due::Shuffle | Due::Dealer), _) => None,
            (due, _) => due,
        }
    }

    fn of_wagers(table: &Table) -> Due {
        match table.everyone().any(|(_, chair)| !chair.wager.is_empty()) {
            true => Due::Deal,
            false => Due::Idle(table.everyone().count()),
        }
    }

    /// Of whom an answer is missing.
    pub(crate) fn asked(self) -> Vec<Bettor> {
        match self {
            Due::Unanswered(bettors) => bettors.iter().collect(),
            Due::Inspection(bettor) | Due::CutRefused(bettor) | Due::Unchosen(bettor) => {
                vec![bettor]
            }
            Due::Shuffle
            | Due::Dealer
            | Due::Commit
            | Due::Open
            | Due::CutPassed(_)
            | Due::Deal
            | Due::Reshuffle
            | Due::Idle(_) => Vec::new(),
        }
    }

    /// How long the dealer waits for it.
    pub(crate) fn after(self, pace: &Pace, table: &Table) -> Duration {
        let term = |key| seconds(table.sheet(), key);
        match self {
            Due::Shuffle | Due::Dealer | Due::Reshuffle => pace.card,
            Due::Commit | Due::Open => pace.contributions,
            Due::CutPassed(_) => Duration::ZERO,
            Due::Inspection(_) => pace.inspection,
            Due::Deal => pace.betting,
            Due::CutRefused(_) | Due::Unanswered(_) | Due::Unchosen(_) => {
                pace.answer.unwrap_or_else(|| term("action_timeout_s"))
            }
            Due::Idle(_) => pace.idle.unwrap_or_else(|| term("idle_timeout_s")),
        }
    }

    /// Whether a clock that runs for `before` goes on: for further wagers, and for those of whom an
    /// answer is still missing. Who comes to an idle table has all the time again.
    pub(crate) fn goes_on_from(self, before: Due) -> bool {
        match (before, self) {
            (Due::Unanswered(asked), Due::Unanswered(left)) => {
                left.iter().all(|bettor| asked.contains(bettor))
            }
            (Due::Idle(before), Due::Idle(people)) => people <= before,
            (Due::Shuffle | Due::Dealer, _) => false,
            (before, now) => before == now,
        }
    }

    /// Whether people are waited for, who see how long.
    pub(crate) fn has_clock(self) -> bool {
        let is_unseen = matches!(self, Due::Shuffle | Due::Dealer | Due::Reshuffle);
        !is_unseen && !matches!(self, Due::CutPassed(_) | Due::Idle(_))
    }
}

/// Whether the cards are shuffled for whoever sits down: between two rounds, where nobody who is seated
/// may bet, or nobody is, and the house may have the cards shuffled (G-25, G-27).
pub(crate) fn shuffles_for_newcomers(table: &Table) -> bool {
    matches!(table.awaits(), TableAwaits::Wagers | TableAwaits::Player)
        && table.everyone().all(|(bettor, _)| table.may_bet_next(Some(bettor)).is_err())
        && table.outcomes().contains(&Order::Reshuffle)
}

/// The order by which the house itself has cards shuffled that nobody who is seated may be dealt.
pub(crate) fn reshuffle() -> Input {
    let by = HOUSE.parse().expect("a name");
    let because = "nobody seated may bet before the shuffle".parse().ok();
    Input::Order { order: Order::Reshuffle, by, card: None, because }
}

/// The dealer's next step, where the table waits for one.
pub(crate) fn step(table: &Table, custody: &Custody) -> Option<Input> {
    match table.awaits() {
        TableAwaits::Decks => Some(Input::Decks(decks(table))),
        TableAwaits::Cut(Cutter::Dealer) => {
            let drawn = custody.drawn_cut(table);
            drawn.map(|at| Input::Cut { by: Cutter::Dealer, at: Some(at) })
        }
        TableAwaits::Round(Awaits::Card(_)) => {
            custody.next(table).map(|card| Input::Card(Some(card)))
        }
        TableAwaits::Round(Awaits::FaceDown(_)) => Some(Input::Card(None)),
        TableAwaits::Round(Awaits::Peek) => {
            let hole = custody.hole().zip(table.round());
            hole.map(|(hole, round)| Input::Peek(round.reader_answer(hole)))
        }
        TableAwaits::Round(Awaits::Turn) => custody.hole().map(Input::Turn),
        TableAwaits::Reveal => custody.reveal(table),
        _ => None,
    }
}

/// The cards that come to a table: shuffled ones have a reference (G-30).
fn decks(table: &Table) -> Decks {
    let mut entries = table.sheet().entries();
    match entries.any(|(term, value)| term.key == "card_supply" && value == "pre_shuffled") {
        true => {
            let reference = format!("shoe-{}", table.shoes() + 1);
            Decks::PreShuffled(reference.parse().expect("a word and a number"))
        }
        false => Decks::Inspected,
    }
}

#[cfg(test)]
mod tests {
    use rules::wager::Game;

    use super::*;

    #[test]
    fn a_shuffled_shoe_has_every_card_and_its_own_salt() {
        let cards: Vec<Card> = Card::DECK.into_iter().cycle().take(6 * 52).collect();
        let [one, other] = [(); 2].map(|()| shuffled(cards.clone()).unwrap());
        for card in Card::DECK {
            assert_eq!(one.order.iter().filter(|&&c| c == card).count(), 6);
        }
        assert_ne!(one.order, other.order);
        assert_ne!(one.salt, other.salt);
        assert_eq!(format!("{one:?}"), "SealedOrder");
    }

    #[test]
    fn cards_come_in_the_order_after_the_cut() {
        let mut table = Table::new(TermSheet::new(Game::CasinoWar));
        let mut custody = Custody::default();
        let sealed = shuffled(custody.stack(&table)).unwrap();
        custody.keep(sealed.clone());
        let mut put = |table: &mut Table, input: Input| {
            let (before, mut events) = (table.clone(), Vec::new());
            table.apply(&input, &mut events).unwrap();
            custody.follow(&before, &input, &events, table);
            custody.clone()
        };
        for line in ["sit 1 ann", "buy-in 1 100", "inspect 1"] {
            put(&mut table, line.parse().unwrap());
        }
        let (seal, steps) = (Some(sealed.seal()), table.usual_shuffle());
        put(&mut table, Input::Shuffle { seal, steps });
        for line in ["commit cut 1 60", "card ??"] {
            put(&mut table, line.parse().unwrap());
        }
        assert_eq!(Due::at(&table), Some(Due::Idle(1)));
        put(&mut table, "wager 1 main 10".parse().unwrap());
        let custody = put(&mut table, Input::Deal);
        assert_eq!(Due::at(&table), Some(Due::Dealer));
        let next = step(&table, &custody);
        assert_eq!(next, Some(Input::Card(Some(sealed.order[61]))));
    }
}
