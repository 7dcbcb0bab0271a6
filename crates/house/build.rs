//! Builds the house again when the browser client was built again.

use std::path::Path;

fn main() {
    let client = "../../web/dist";
    // Cargo takes a path that is not there for one that has always changed.
    let watched = if Path::new(client).exists() { client } else { "../../web" };
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={watched}");
}
