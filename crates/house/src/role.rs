//! Who somebody is to the house.

use rules::table::Name;

/// What somebody may do in the house.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Plays, and watches.
    #[default]
    Player,
    /// Deals at a physical table.
    Dealer,
    /// Decides what went wrong (G-09).
    Supervisor,
    /// Reads what others may not yet.
    Auditor,
    /// Runs the house.
    Operator,
}

/// Somebody, and what they may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The name.
    pub name: Name,
    /// The role.
    pub role: Role,
}

impl Person {
    /// A player.
    pub fn player(name: Name) -> Person {
        Person { name, role: Role::Player }
    }
}
