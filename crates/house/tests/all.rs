//! The tests of the house from outside, as one program.

mod api;
mod attacks;
mod client;
#[cfg(unix)]
mod cluster;
mod coach;
mod company;
mod damage;
mod games;
mod hostile;
mod house;
mod house_players;
mod layers;
mod mishaps;
mod network;
#[cfg(unix)]
mod nodes;
mod people;
#[cfg(unix)]
mod postgres;
#[cfg(unix)]
mod postgres_server;
mod reconcile;
mod rights;
mod spectator;
mod staffed;
#[cfg(unix)]
mod store_contract;
#[cfg(unix)]
mod store_guards;
mod tutor;
mod wire_size;
