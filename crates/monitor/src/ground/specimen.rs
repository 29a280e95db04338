//! A moment for tests of what needs no session.

use super::{Moment, Now};
use crate::history::History;
use crate::world::World;
use lictor_contract::event::Turn;
use lictor_contract::library::Library;
use std::collections::BTreeMap;

/// Runs a test at an agent turn of a session in which nothing has happened.
pub fn with_moment<T>(test: impl FnOnce(&Moment<'_>) -> T) -> T {
    let world = World::new(&Library::default()).unwrap();
    let (history, patterns) = (History::default(), BTreeMap::new());
    test(&Moment {
        history: &history,
        now: Now::Agent {
            text: "",
            turn: Turn(0),
        },
        patterns: &patterns,
        world: &world,
        scope: None,
        as_read: false,
        before_answers_of: None,
    })
}
