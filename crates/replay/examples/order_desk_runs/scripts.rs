//! The conversations, one module for each kind of concern.
//!
//! Agents differ in care. Each script is a plain sequence of what was said and called, so that a reader can see in one
//! place what a recording holds.

mod account;
mod cancelling;
mod damage;
mod delivery;
mod prices;

use super::money::Money;
use super::rng::Rng;
use super::session::Session;
use super::shop::{Address, Claim, Damage};
use super::stage::{Stage, Wanted, delivered, pending};
use super::task::Task;
use super::tools::Call;

/// All tasks, in the order of the recordings.
pub fn tasks() -> Vec<Task> {
    [
        cancelling::tasks(),
        delivery::tasks(),
        damage::tasks(),
        prices::tasks(),
        account::tasks(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
