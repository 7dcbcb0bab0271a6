//! What is whose at which table, as the tables last said: nobody asks them all for it.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use rules::money::Cents;
use rules::table::Name;

/// What is somebody's at a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Holding {
    /// In the rack.
    pub(crate) rack: Cents,
    /// On the layout, and not decided.
    pub(crate) staked: Cents,
}

/// The holdings of everybody who has a place at a table.
#[derive(Clone, Default)]
pub(crate) struct Holdings(Arc<RwLock<HashMap<Name, BTreeMap<String, Holding>>>>);

impl Holdings {
    /// Notes who has what at a table now, and who had something before.
    pub(crate) fn set(&self, table: &str, before: &[(Name, Holding)], now: &[(Name, Holding)]) {
        let mut people = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for (name, _) in before.iter().filter(|(name, _)| !now.iter().any(|(is, _)| is == name)) {
            if let Some(tables) = people.get_mut(name) {
                tables.remove(table);
                if tables.is_empty() {
                    people.remove(name);
                }
            }
        }
        for (name, holding) in now {
            people.entry(name.clone()).or_default().insert(table.to_owned(), *holding);
        }
    }

    /// Whether somebody has a place at a table.
    pub(crate) fn has_place(&self, name: &Name) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).contains_key(name)
    }

    /// The tables where somebody has a place, by name, and what is theirs there.
    pub(crate) fn of(&self, name: &Name) -> Vec<(String, Holding)> {
        let people = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let tables = people.get(name).into_iter().flatten();
        tables.map(|(table, holding)| (table.clone(), *holding)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_leaves_a_table_holds_nothing_there() {
        let [ann, bob]: [Name; 2] = ["ann", "bob"].map(|name| name.parse().unwrap());
        let holding = |rack| Holding { rack: Cents::new(rack), staked: Cents::ZERO };
        let holdings = Holdings::default();
        let both = [(ann.clone(), holding(5)), (bob.clone(), holding(7))];
        holdings.set("war-1", &[], &both);
        holdings.set("free-1", &[], &both[..1]);
        let tables = [("free-1".to_owned(), holding(5)), ("war-1".to_owned(), holding(5))];
        assert_eq!(holdings.of(&ann), tables);
        holdings.set("war-1", &both, &[(bob.clone(), holding(8))]);
        assert_eq!(holdings.of(&ann), tables[..1]);
        assert_eq!(holdings.of(&bob), [("war-1".to_owned(), holding(8))]);
        holdings.set("free-1", &both[..1], &[]);
        assert!(holdings.of(&ann).is_empty());
        assert!(!holdings.has_place(&ann) && holdings.has_place(&bob));
    }
}
