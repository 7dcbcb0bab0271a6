//! The people of the house: roles, reserved names, passwords, who has tried too often, the limits that
//! players set themselves, and who does not play at all. Nothing here reads a clock or the disk.

pub mod bounds;
pub mod exclusion;
pub mod gains;
pub mod moment;
pub mod names;
pub mod password;
pub mod patience;
pub mod pseudonym;
mod role;

pub use role::{Kind, Person, Role};
