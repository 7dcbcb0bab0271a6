//! What is repeated where a table has moved to another node.

use wire::FromHouse;

use super::commands::TableCommand;

/// What a client has asked its table and was not told yet.
#[derive(Default)]
pub(crate) struct OpenAsks {
    /// The id of a message that watches the table, and the version that the client had then.
    pub(crate) watch: Option<(String, Option<u64>)>,
    /// Commands, by their ids.
    pub(crate) commands: Vec<(String, TableCommand)>,
    /// The last version that the client was told.
    pub(crate) version: Option<u64>,
}

impl OpenAsks {
    /// Notes what the client is told. Tells whether it is meant for the client: that a table is watched
    /// again is not.
    pub(crate) fn follow(&mut self, message: &FromHouse) -> bool {
        match message {
            FromHouse::Answer { id, .. } => {
                if self.watch.as_ref().is_some_and(|(of_watch, _)| of_watch == id) {
                    self.watch = None;
                }
                self.commands.retain(|(of_command, _)| of_command != id);
                !id.is_empty()
            }
            FromHouse::State { version, .. }
            | FromHouse::Event { version, .. }
            | FromHouse::Change { version, .. } => {
                self.version = Some(*version);
                true
            }
            _ => true,
        }
    }
}
