//! The people of the house: passwords, who has tried too often, and the bounds that players set
//! themselves. Nothing here reads a clock or the disk.

pub mod bounds;
pub mod gains;
pub mod password;
pub mod patience;
