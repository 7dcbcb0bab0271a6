//! The people of the house: roles, reserved names, passwords, who has tried too often, and the limits
//! that players set themselves. Nothing here reads a clock or the disk.

pub mod bounds;
pub mod gains;
pub mod names;
pub mod password;
pub mod patience;
mod role;

pub use role::{Kind, Person, Role};
