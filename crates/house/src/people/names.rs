//! Names that nobody is given.

use rules::table::Name;

/// The name under which the command line acts, and nobody else.
pub const COMMAND_LINE: &str = "command-line";

/// What the name of every guest begins with, and no other.
pub const GUEST: &str = "guest-";

/// Whether nobody is given this name: it is the command line's, or looks like a guest's. A guest who
/// makes an account may keep it.
pub fn is_reserved(name: &Name) -> bool {
    name.as_str() == COMMAND_LINE || name.as_str().starts_with(GUEST)
}
