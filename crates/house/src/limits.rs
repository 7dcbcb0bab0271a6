//! How much a house takes at a time: `[limits]` of its configuration.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Tables, by default.
pub const MOST_TABLES: usize = 64;

/// The most tables that a configuration can ask for.
pub const MOST_TABLES_SAID: usize = 4096;

/// Sockets that are open at a time, by default.
pub const MOST_SOCKETS: usize = 1024;

/// Sockets besides those, by default: only for people who are seated and for staff, so that no crowd
/// keeps a player away from a table with chips on it.
pub const RESERVED_SOCKETS: usize = 256;

/// Sockets of one guest, and so the views of a table that a guest has, by default.
pub const MOST_SOCKETS_OF_A_GUEST: usize = 8;

/// Sockets from one address, by default.
pub const MOST_SOCKETS_OF_AN_ADDRESS: usize = 128;

/// Viewers of a table, by default.
pub const MOST_VIEWERS: usize = 256;

/// Connections that HTTP requests come over at a time, by default; for further ones idle connections and
/// requests that do not arrive give up their places. A WebSocket that is open does not count.
pub const MOST_CONNECTIONS: usize = 512;

/// Connections from one address, by default; further ones are closed.
pub const MOST_CONNECTIONS_OF_AN_ADDRESS: usize = 128;

/// Guests that come in within a day, by default: more than one address can send.
pub const GUESTS_A_DAY: u32 = 100_000;

/// Guests that come in from one address in a minute, by default.
pub const GUESTS_A_MINUTE: u32 = 30;

/// Messages that one person may send in a second, by default.
pub const MESSAGES_A_SECOND: u32 = 40;

/// Messages that are taken from one address in a second, by default.
pub const MESSAGES_OF_AN_ADDRESS: u32 = 400;

/// Tables of the same terms that are opened besides those of the configuration, by default.
pub const MOST_SPARE_TABLES: usize = 3;

/// Private tables that are open at a time, by default.
pub const MOST_PRIVATE_TABLES: usize = 16;

/// House players, by default.
pub const HOUSE_PLAYERS: usize = 16;

/// House players at one table, by default.
pub const HOUSE_PLAYERS_AT_A_TABLE: usize = 4;

/// Dollars that one supervisor corrects alone, by default; more needs a second one.
pub const CORRECTION_ALONE: u32 = 100;

/// Limits of which none may be wanted.
const MAY_BE_NONE: [&str; 5] = [
    "spare_tables",
    "private_tables",
    "house_players",
    "house_players_at_a_table",
    "reserved_sockets",
];

/// How much a house takes at a time. Each limit but those five is at least 1, and has an upper bound of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Tables; to 4096.
    pub tables: usize,
    /// Tables of the same terms that are opened when those of the configuration have no room; to 64, and
    /// 0 is none.
    pub spare_tables: usize,
    /// Private tables; to 1024, and 0 is none.
    pub private_tables: usize,
    /// House players who keep people company; to 32, and 0 is none.
    pub house_players: usize,
    /// House players at one table; to 6, and 0 is none.
    pub house_players_at_a_table: usize,
    /// Sockets; to 65536.
    pub sockets: usize,
    /// Sockets besides those, only for people who are seated and for staff; to 65536, and 0 is none.
    pub reserved_sockets: usize,
    /// Sockets of one person; to 64.
    pub sockets_of_a_guest: usize,
    /// Sockets from one address; to 65536.
    pub sockets_of_an_address: usize,
    /// Sockets that watch one table; to 4096.
    pub viewers: usize,
    /// Connections for requests; to 65536.
    pub connections: usize,
    /// Connections for requests from one address; to 65536.
    pub connections_of_an_address: usize,
    /// New guests and accounts in a day; to 10,000,000.
    pub guests_a_day: u32,
    /// Guests from one address in a minute; to 1,000,000.
    pub guests_a_minute: u32,
    /// Messages of one person in a second; to 100,000.
    pub messages_a_second: u32,
    /// Messages from one address in a second; to 1,000,000.
    pub messages_of_an_address: u32,
    /// Dollars that one supervisor corrects alone; to 10,000,000.
    pub correction_alone: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            tables: MOST_TABLES,
            spare_tables: MOST_SPARE_TABLES,
            private_tables: MOST_PRIVATE_TABLES,
            house_players: HOUSE_PLAYERS,
            house_players_at_a_table: HOUSE_PLAYERS_AT_A_TABLE,
            sockets: MOST_SOCKETS,
            reserved_sockets: RESERVED_SOCKETS,
            sockets_of_a_guest: MOST_SOCKETS_OF_A_GUEST,
            sockets_of_an_address: MOST_SOCKETS_OF_AN_ADDRESS,
            viewers: MOST_VIEWERS,
            connections: MOST_CONNECTIONS,
            connections_of_an_address: MOST_CONNECTIONS_OF_AN_ADDRESS,
            guests_a_day: GUESTS_A_DAY,
            guests_a_minute: GUESTS_A_MINUTE,
            messages_a_second: MESSAGES_A_SECOND,
            messages_of_an_address: MESSAGES_OF_AN_ADDRESS,
            correction_alone: CORRECTION_ALONE,
        }
    }
}

impl Limits {
    /// Refuses a limit that lets nobody in, or more than a house can take.
    pub(crate) fn check(&self) -> Result<(), LimitError> {
        let count = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        for (key, said, most) in [
            ("tables", self.tables, MOST_TABLES_SAID),
            ("spare_tables", self.spare_tables, 64),
            ("private_tables", self.private_tables, 1024),
            ("house_players", self.house_players, 32),
            ("house_players_at_a_table", self.house_players_at_a_table, 6),
            ("sockets", self.sockets, 65_536),
            ("reserved_sockets", self.reserved_sockets, 65_536),
            ("sockets_of_a_guest", self.sockets_of_a_guest, 64),
            ("sockets_of_an_address", self.sockets_of_an_address, 65_536),
            ("viewers", self.viewers, 4096),
            ("connections", self.connections, 65_536),
            ("connections_of_an_address", self.connections_of_an_address, 65_536),
            ("guests_a_day", count(self.guests_a_day), 10_000_000),
            ("guests_a_minute", count(self.guests_a_minute), 1_000_000),
            ("messages_a_second", count(self.messages_a_second), 100_000),
            ("messages_of_an_address", count(self.messages_of_an_address), 1_000_000),
            ("correction_alone", count(self.correction_alone), 10_000_000),
        ] {
            let may_be_none = MAY_BE_NONE.contains(&key);
            if (said == 0 && !may_be_none) || said > most {
                return Err(LimitError { key, most });
            }
        }
        Ok(())
    }
}

impl Limits {
    /// The most sockets in the lobby, where anybody may be: the other half is for those who play.
    pub(crate) fn sockets_in_the_lobby(&self) -> usize {
        self.sockets.div_ceil(2)
    }
}

/// Files that a house has open besides sockets: the store, logs, and what the system needs.
const OTHER_FILES: usize = 64;

impl Limits {
    /// Raises how many files the system lets this process have open, and takes no more sockets and
    /// connections than that allows: one that is refused costs less than a store that cannot be opened.
    pub(crate) fn within_open_files(self) -> Limits {
        let files = raise_open_files();
        let within = self.within(files);
        if within != self {
            let (wanted, sockets, connections) = (self.files(), within.sockets, within.connections);
            let reserved = within.reserved_sockets;
            tracing::warn!(
                what = "files",
                files,
                wanted,
                sockets,
                reserved,
                connections,
                "the system allows \
                too few open files; raise its limit (ulimit -n), or set fewer sockets and connections"
            );
        }
        within
    }

    /// The files that all sockets and connections need.
    fn files(&self) -> usize {
        self.sockets + self.reserved_sockets + self.connections + OTHER_FILES
    }

    /// As many sockets and connections as so many files allow, in proportion.
    fn within(self, files: usize) -> Limits {
        if self.files() <= files {
            return self;
        }
        let left = files.saturating_sub(OTHER_FILES);
        let wanted = self.sockets + self.reserved_sockets + self.connections;
        let connections = left * self.connections / wanted;
        let reserved_sockets = left * self.reserved_sockets / wanted;
        let sockets = left.saturating_sub(connections + reserved_sockets).max(1);
        Limits { sockets, reserved_sockets, connections: connections.max(1), ..self }
    }
}

/// Raises the limit of open files as far as the system lets this process, and tells it.
#[cfg(unix)]
fn raise_open_files() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: maximum, maximum };
    let now = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => maximum,
        Err(_) => current,
    };
    now.map_or(usize::MAX, |files| usize::try_from(files).unwrap_or(usize::MAX))
}

#[cfg(not(unix))]
fn raise_open_files() -> usize {
    usize::MAX
}

/// A limit that lets nobody in, or is more than a house can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitError {
    /// Which one.
    pub key: &'static str,
    /// The most it can be.
    pub most: usize,
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let least = u8::from(!MAY_BE_NONE.contains(&self.key));
        write!(f, "[limits] {} must be from {least} to {}", self.key, self.most)
    }
}

impl std::error::Error for LimitError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sockets_and_connections_fit_into_the_files_that_there_are() {
        let limits = Limits::default();
        assert_eq!(limits.within(1024 + 256 + 512 + 64), limits);
        for (files, expected) in [(280 + 64, (160, 40, 80)), (0, (1, 0, 1))] {
            let within = limits.within(files);
            let found = (within.sockets, within.reserved_sockets, within.connections);
            assert_eq!(found, expected, "{files}");
        }
    }
}
