//! How much a house takes at a time: `[limits]` of its configuration.

use serde::Deserialize;

use crate::config::ConfigError;
use crate::entrance::MOST_CONNECTIONS;
use crate::http::{GUESTS_A_MINUTE, MOST_GUESTS, MOST_SOCKETS, MOST_SOCKETS_OF_A_GUEST};
use crate::table_task::MOST_VIEWERS;
use crate::wire::MESSAGES_A_SECOND;

/// Tables, where nothing is said.
pub const MOST_TABLES: usize = 64;

/// The most tables that a configuration can ask for.
pub const MOST_TABLES_SAID: usize = 4096;

/// How much a house takes at a time. Each limit is at least 1, and has an upper bound of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Tables; to 4096.
    pub tables: usize,
    /// Sockets; to 65536.
    pub sockets: usize,
    /// Sockets of one person; to 64.
    pub sockets_of_a_guest: usize,
    /// Sockets that watch one table; to 4096.
    pub viewers: usize,
    /// Connections for requests; to 65536.
    pub connections: usize,
    /// Guests before the house is started again; to 10,000,000.
    pub guests: usize,
    /// Guests from one address in a minute; to 1,000,000.
    pub guests_a_minute: u32,
    /// Messages of a client in a second; to 100,000.
    pub messages_a_second: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            tables: MOST_TABLES,
            sockets: MOST_SOCKETS,
            sockets_of_a_guest: MOST_SOCKETS_OF_A_GUEST,
            viewers: MOST_VIEWERS,
            connections: MOST_CONNECTIONS,
            guests: MOST_GUESTS,
            guests_a_minute: GUESTS_A_MINUTE,
            messages_a_second: MESSAGES_A_SECOND,
        }
    }
}

impl Limits {
    /// Refuses a limit that lets nobody in, or more than a house can take.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let count = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        for (key, said, most) in [
            ("tables", self.tables, MOST_TABLES_SAID),
            ("sockets", self.sockets, 65_536),
            ("sockets_of_a_guest", self.sockets_of_a_guest, 64),
            ("viewers", self.viewers, 4096),
            ("connections", self.connections, 65_536),
            ("guests", self.guests, 10_000_000),
            ("guests_a_minute", count(self.guests_a_minute), 1_000_000),
            ("messages_a_second", count(self.messages_a_second), 100_000),
        ] {
            if said == 0 || said > most {
                return Err(ConfigError::Limit { key, most });
            }
        }
        Ok(())
    }
}
