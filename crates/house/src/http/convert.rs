//! People as the protocol names them.

use wire::{ActView, PersonView};

use crate::people::{Kind, Role};
use crate::store::{ActRow, PersonRow};

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

pub(super) fn person(row: PersonRow) -> PersonView {
    let PersonRow { name, kind: of, role: as_, since, tokens } = row;
    PersonView { name, kind: kind(of), role: role(as_), since, tokens }
}

pub(super) fn act(row: ActRow) -> ActView {
    let ActRow { id, at, who, what, whom, more } = row;
    ActView { id, at, who, what, whom, more }
}
