//! What is repeated where a table has moved to another node.

use wire::FromHouse;

use super::commands::TableCommand;

/// What a client has asked its table and was not told yet.
#[derive(Default)]
pub(crate) struct OpenAsks {
    /// The id of a message that watches the table, and the version that the client had then.
    watch: Option<(String, Option<u64>)>,
    /// Commands, by their ids.
    commands: Vec<(String, TableCommand)>,
    /// The ids of those that were asked again since, and may be answered twice.
    repeated: Vec<String>,
    /// The last version that the client was told.
    version: Option<u64>,
}

impl OpenAsks {
    /// Notes that the client watches a table, by this message and from this version. What it has asked
    /// stays open if that was the same table.
    pub(crate) fn watch(&mut self, id: String, from: Option<u64>, is_same: bool) {
        if !is_same {
            *self = OpenAsks::default();
        }
        (self.watch, self.version) = (Some((id, from)), None);
    }

    /// Notes a command.
    pub(crate) fn command(&mut self, id: String, what: TableCommand) {
        self.commands.push((id, what));
    }

    /// How many commands are open.
    pub(crate) fn count(&self) -> usize {
        self.commands.len()
    }

    /// The id under which the table is watched again, which is empty where the client was told that it
    /// watches, and the version from which.
    pub(crate) fn watch_again(&self) -> (String, Option<u64>) {
        self.watch.clone().unwrap_or((String::new(), self.version))
    }

    /// What is asked again.
    pub(crate) fn repeat(&mut self) -> Vec<(String, TableCommand)> {
        for (id, _) in &self.commands {
            if !self.repeated.contains(id) {
                self.repeated.push(id.clone());
            }
        }
        self.commands.clone()
    }

    /// Notes what the client is told. Tells whether it is meant for the client: that a table is watched
    /// again is not, nor is a step that waited for the client when it was watched again, and comes twice.
    pub(crate) fn follow(&mut self, message: &FromHouse) -> bool {
        match message {
            FromHouse::Answer { id, .. } => {
                if let Some((_, from)) = self.watch.take_if(|(of_watch, _)| of_watch == id) {
                    self.version = from;
                }
                let open = self.commands.len();
                self.commands.retain(|(of_command, _)| of_command != id);
                let is_open = self.commands.len() < open;
                let second = self.repeated.iter().position(|repeated| repeated == id);
                let is_second = !is_open && second.map(|at| self.repeated.remove(at)).is_some();
                !id.is_empty() && !is_second
            }
            // It is of the table that was watched before.
            FromHouse::Event { .. } if self.watch.is_some() => true,
            FromHouse::Event { version, .. } if Some(*version) <= self.version => false,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_waits_when_a_table_is_watched_again_is_told_once() {
        let event = |version| FromHouse::Event {
            version,
            events: Vec::new().into(),
            story: Vec::new().into(),
            number: 1,
            change: None,
        };
        let answer =
            |id: &str| FromHouse::Answer { id: id.to_owned(), ok: true, seq: None, refusal: None };
        let watch = |from| OpenAsks { watch: Some(("w".to_owned(), from)), ..OpenAsks::default() };
        let mut open = watch(Some(26));
        // Of the table before, where more had happened.
        assert!(open.follow(&event(500)));
        assert!(open.follow(&answer("w")));
        assert_eq!(open.version, Some(26));
        assert!(open.follow(&event(27)) && open.follow(&event(28)));
        // It was watched again from 27 on, while 28 waited.
        assert!(!open.follow(&answer("")) && !open.follow(&event(28)));
        assert!(open.follow(&event(29)));
        assert_eq!(open.version, Some(29));
        // A command that was asked again is answered once, and as often as it is asked by the client.
        open.command("c".to_owned(), TableCommand::Player(wire::PlayerCommand::Ready));
        assert_eq!(open.repeat().len(), 1);
        assert!(open.follow(&answer("c")) && !open.follow(&answer("c")));
        assert!(open.follow(&answer("c")) && open.follow(&answer("d")));
        // Who comes without a version is told everything.
        let mut open = watch(None);
        assert!(open.follow(&answer("w")) && open.follow(&event(1)));
    }

    #[test]
    fn what_was_asked_of_another_table_is_not_repeated() {
        let mut open = OpenAsks::default();
        open.command("c".to_owned(), TableCommand::Player(wire::PlayerCommand::Ready));
        open.watch("w".to_owned(), Some(3), true);
        assert_eq!((open.count(), open.watch_again()), (1, ("w".to_owned(), Some(3))));
        open.watch("v".to_owned(), None, false);
        assert_eq!((open.repeat().len(), open.watch_again()), (0, ("v".to_owned(), None)));
    }
}
