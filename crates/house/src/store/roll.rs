//! What tables ask about people all the time, held in memory.

use std::collections::{HashMap, HashSet};

use rules::money::Cents;
use rules::table::Name;

use super::database::{Pool, query};
use super::{StoreResult, StoredRow};
use crate::people::exclusion::{Exclusion, Suspension};

const BOTS: &str = "SELECT name FROM people WHERE kind = 'bot'";

/// What tables ask about people all the time.
#[derive(Debug, Default)]
pub(super) struct Roll {
    /// Who has ever set a bound.
    pub(super) bounded: HashSet<Name>,
    /// Who is a program.
    pub(super) bots: HashSet<Name>,
    /// Who has ever been kept from playing.
    pub(super) exclusions: HashMap<Name, Exclusion>,
    /// Which guests get an account under another name now.
    pub(super) renamed: Vec<Name>,
    /// Which guests got one since the house was opened: they are nobody now, and a socket of theirs may
    /// still be open for a moment.
    pub(super) former_guests: HashSet<Name>,
    /// What lies at each table before the deal, since anybody may set a bound meanwhile.
    pub(super) risks: HashMap<String, Vec<(Name, Cents)>>,
    /// How many changes it has followed, so that nothing older than them replaces it.
    pub(super) followed: u64,
}

impl Roll {
    pub(super) async fn read(from: &Pool) -> StoreResult<Roll> {
        let bounded = query("SELECT DISTINCT person FROM bounds").fetch_all(from).await?;
        let bots = query(BOTS);
        let bots = bots.fetch_all(from).await?;
        let bounded = bounded.iter().map(|row| StoredRow::new(row, "bounds", &[]).parsed("person"));
        let bots = bots.iter().map(|row| StoredRow::new(row, "people", &[]).parsed("name"));
        let (bounded, bots) = (bounded.collect::<Result<_, _>>()?, bots.collect::<Result<_, _>>()?);
        let mut exclusions: HashMap<Name, Exclusion> = HashMap::new();
        let rows = query("SELECT person, decided, until FROM exclusions");
        for row in &rows.fetch_all(from).await? {
            let row = StoredRow::new(row, "exclusions", &["person", "decided"]);
            let exclusion = exclusions.entry(row.parsed("person")?).or_default();
            let until = row.whole_or_none("until")?;
            match row.get("decided")? {
                "own" => exclusion.own = until,
                "house" => exclusion.suspension = Some(Suspension { until }),
                _ => return Err(row.damage_at("decided")),
            }
        }
        Ok(Roll { bounded, bots, exclusions, ..Roll::default() })
    }

    /// Whether somebody gets an account under another name, or has one.
    pub(super) fn is_renamed(&self, person: &Name) -> bool {
        self.former_guests.contains(person) || self.renamed.contains(person)
    }

    /// Replaces what the store has by what was read of it. What only this process knows stays.
    pub(super) fn replace(&mut self, read: Roll, former_guest: Option<Name>) {
        let Roll { bounded, bots, exclusions, .. } = read;
        (self.bounded, self.bots, self.exclusions) = (bounded, bots, exclusions);
        self.former_guests.extend(former_guest);
    }

    /// Follows a change that is on the disk.
    pub(super) fn follow(&mut self, change: RollChange) {
        self.followed += 1;
        match change {
            RollChange::Bounded(name) => drop(self.bounded.insert(name)),
            RollChange::Bot(name) => drop(self.bots.insert(name)),
            RollChange::Excluded(name, until) => {
                let exclusion = self.exclusions.entry(name).or_default();
                *exclusion = exclusion.extended(until);
            }
            RollChange::Suspended(name, suspension) => {
                self.exclusions.entry(name).or_default().suspension = suspension;
            }
            RollChange::Renamed { guest, name } => {
                if self.bounded.contains(&guest) {
                    self.bounded.insert(name.clone());
                }
                if let Some(exclusion) = self.exclusions.get(&guest).copied() {
                    self.exclusions.insert(name.clone(), exclusion);
                }
                if guest != name {
                    self.former_guests.insert(guest);
                }
            }
        }
    }
}

/// What of a change tables ask about all the time.
pub(super) enum RollChange {
    Bounded(Name),
    Bot(Name),
    Excluded(Name, i64),
    Suspended(Name, Option<Suspension>),
    Renamed { guest: Name, name: Name },
}
