//! Writes the recorded runs of the order desk to standard output.
//!
//! ```text
//! cargo run -p lictor-replay --example order_desk_runs > tests/transcripts/order-desk.jsonl
//! ```
//!
//! The runs are simulated: scripted customers talk to scripted agents of varying care, whose calls are carried out on a
//! small shop. The same seed gives the same bytes; `tests/order_desk_runs.rs` holds the committed file to that.

mod effects;
mod json;
mod money;
mod rng;
mod scripts;
mod session;
mod shop;
mod stage;
mod task;
mod tools;

use std::io::{self, Write};

/// The seed of the committed recordings.
const SEED: u64 = 2_041;

/// The recordings, one JSON object a line.
pub fn recordings() -> String {
    let runs = scripts::tasks()
        .into_iter()
        .flat_map(|task| task.play(SEED));
    runs.map(|run| format!("{run}\n")).collect()
}

fn main() -> io::Result<()> {
    io::stdout().lock().write_all(recordings().as_bytes())
}
