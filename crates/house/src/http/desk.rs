//! House players: which there are, by what the house knows them, and where they were sent.
//!
//! Their tokens are in no store, and are made anew at every start.

use std::io;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use rules::table::{Name, Seal};

use crate::config::Company;
use crate::people::names::house_players;
use crate::people::{Kind, Person, Role};
use crate::tables::dealer::random_bytes;

/// How long a house player rests who comes back from a table.
const RESTS_FOR: Duration = Duration::from_secs(2);

/// The house players.
#[derive(Default)]
pub(crate) struct Desk {
    pub(super) players: Vec<HousePlayer>,
    /// Who plays for them.
    pub(super) company: Option<Arc<dyn Company>>,
}

/// A house player.
pub(super) struct HousePlayer {
    pub(super) name: Name,
    pub(super) token: String,
    /// The table it was sent to last, when, and whether it is still busy there.
    sent: Mutex<Option<(String, Instant, Weak<()>)>>,
}

impl Desk {
    /// So many house players, for whom somebody plays.
    pub(crate) fn new(company: Arc<dyn Company>, most: usize) -> io::Result<Desk> {
        let player = |name| {
            let token = Seal(random_bytes()?).to_string();
            Ok(HousePlayer { name, token, sent: Mutex::default() })
        };
        let players = house_players().take(most).map(player).collect::<io::Result<_>>()?;
        Ok(Desk { players, company: Some(company) })
    }

    /// Whose token this is, if it is a house player's.
    pub(super) fn whose(&self, token: &str) -> Option<Person> {
        let player = self.players.iter().find(|player| player.token == token)?;
        Some(Person { name: player.name.clone(), kind: Kind::Bot, role: Role::Player })
    }

    /// How many were sent to a table and are busy there.
    pub(super) fn busy_at(&self, table: &str) -> usize {
        let at = |player: &&HousePlayer| player.busy_at().as_deref() == Some(table);
        self.players.iter().filter(at).count()
    }
}

impl HousePlayer {
    /// The table at which it is busy.
    fn busy_at(&self) -> Option<String> {
        let sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let (table, _, busy) = sent.as_ref()?;
        (busy.strong_count() > 0).then(|| table.clone())
    }

    /// Whether it can be sent somewhere.
    pub(super) fn is_free(&self) -> bool {
        let sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let rests = |(_, since, busy): &(String, Instant, Weak<()>)| {
            busy.strong_count() > 0 || since.elapsed() < RESTS_FOR
        };
        !sent.as_ref().is_some_and(rests)
    }

    /// Notes where it is sent, and what is alive for as long as it is busy there.
    pub(super) fn note(&self, table: &str, busy: Weak<()>) {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        *sent = Some((table.to_owned(), Instant::now(), busy));
    }
}
