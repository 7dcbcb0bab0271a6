//! People as the protocol names them.

use wire::{EventView, PersonView, SuspensionView};

use crate::people::{Kind, Role};
use crate::store::{EventRow, PersonRow};

pub(super) fn role(role: Role) -> wire::Role {
    match role {
        Role::Player => wire::Role::Player,
        Role::Dealer => wire::Role::Dealer,
        Role::Supervisor => wire::Role::Supervisor,
        Role::Auditor => wire::Role::Auditor,
        Role::Operator => wire::Role::Operator,
    }
}

pub(super) fn role_of(role: wire::Role) -> Role {
    match role {
        wire::Role::Player => Role::Player,
        wire::Role::Dealer => Role::Dealer,
        wire::Role::Supervisor => Role::Supervisor,
        wire::Role::Auditor => Role::Auditor,
        wire::Role::Operator => Role::Operator,
    }
}

pub(super) fn kind(kind: Kind) -> wire::Kind {
    match kind {
        Kind::Guest => wire::Kind::Guest,
        Kind::Account => wire::Kind::Account,
        Kind::Bot => wire::Kind::Bot,
    }
}

pub(super) fn kind_of(kind: wire::Kind) -> Kind {
    match kind {
        wire::Kind::Guest => Kind::Guest,
        wire::Kind::Account => Kind::Account,
        wire::Kind::Bot => Kind::Bot,
    }
}

/// Somebody as they are at a moment.
pub(super) fn person(row: PersonRow, now: i64) -> PersonView {
    let PersonRow { name, kind: of, role: as_, since, tokens, exclusion } = row;
    let suspension = exclusion.suspension;
    let suspension = suspension.filter(|hold| hold.until.is_none_or(|until| until > now));
    PersonView {
        name,
        kind: kind(of),
        role: role(as_),
        since,
        tokens,
        excluded_until: exclusion.own.filter(|until| *until > now),
        suspension: suspension.map(|hold| SuspensionView { until: hold.until }),
    }
}

pub(super) fn event(row: EventRow) -> EventView {
    let EventRow { id, at, who, what, whom, more } = row;
    EventView { id, at, who, what, whom, more }
}
