//! Who somebody is to the house.

use rules::table::Name;

use super::names;

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

impl Role {
    /// Every role.
    pub const ALL: [Role; 5] =
        [Role::Player, Role::Dealer, Role::Supervisor, Role::Auditor, Role::Operator];

    /// Its one name, in the store and on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Role::Player => "player",
            Role::Dealer => "dealer",
            Role::Supervisor => "supervisor",
            Role::Auditor => "auditor",
            Role::Operator => "operator",
        }
    }

    /// The role of a name.
    pub fn named(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// How somebody is known to the house.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// By a cookie alone.
    #[default]
    Guest,
    /// By a name and a password.
    Account,
    /// A program, by a token that the house gave out.
    Bot,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 3] = [Kind::Guest, Kind::Account, Kind::Bot];

    /// Its one name, in the store and on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Guest => "guest",
            Kind::Account => "account",
            Kind::Bot => "bot",
        }
    }

    /// The kind of a name.
    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Somebody, and what they may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The name.
    pub name: Name,
    /// How the house knows them.
    pub kind: Kind,
    /// The role.
    pub role: Role,
}

impl Person {
    /// Whether that is a program with which the house keeps people company.
    pub fn is_house_player(&self) -> bool {
        self.kind == Kind::Bot && names::is_house_player(&self.name)
    }

    /// A guest, who plays.
    pub fn player(name: Name) -> Person {
        Person { name, kind: Kind::Guest, role: Role::Player }
    }
}
