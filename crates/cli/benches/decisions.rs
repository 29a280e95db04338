//! How long a decision takes: the order desk's library over its recorded runs.
//!
//! `cargo bench -p lictor` prints the figures of the README. Time decides no
//! test; the figures are for people.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark prints its figures and stops where it cannot go on"
)]

use lictor_contract::event::{Call, Event};
use lictor_contract::library::Library;
use lictor_monitor::{Monitor, Session};
use lictor_replay::{Recordings, Run};
use std::path::Path;
use std::time::{Duration, Instant};

/// Times over all runs.
const ROUNDS: usize = 200;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("compiled/order-desk.json")).unwrap();
    let library = Library::from_json(&text).unwrap();
    let started = Instant::now();
    let monitor = Monitor::new(&library).unwrap();
    let loading = started.elapsed();
    let runs: Vec<Run> = Recordings::open(&[root.join("tests/transcripts/order-desk.jsonl")])
        .unwrap()
        .map(Result::unwrap)
        .collect();

    let mut decisions: Vec<Duration> = Vec::new();
    let mut events = 0_u64;
    let mut feeding = Duration::ZERO;
    for _ in 0..ROUNDS {
        for run in &runs {
            let mut session = monitor.session();
            for recorded in &run.events {
                if let Event::Call(call) = &recorded.event {
                    decisions.push(decide(&session, call));
                }
                let started = Instant::now();
                feed(&mut session, &recorded.event);
                feeding += started.elapsed();
                events += 1;
            }
        }
    }
    decisions.sort_unstable();
    let at = |share: f64| decisions[((decisions.len() - 1) as f64 * share) as usize].as_nanos();
    println!(
        "library: {} contracts over {} tools, loaded in {:.1} ms",
        library.contracts.len(),
        library.tools.len(),
        loading.as_secs_f64() * 1e3
    );
    println!(
        "decisions: {} in {} rounds over {} runs",
        decisions.len(),
        ROUNDS,
        runs.len()
    );
    println!(
        "one decision: median {} ns, p90 {} ns, p99 {} ns",
        at(0.5),
        at(0.9),
        at(0.99)
    );
    println!(
        "one event fed: mean {} ns over {events} events",
        feeding.as_nanos() / u128::from(events)
    );
}

fn decide(session: &Session<'_>, call: &Call) -> Duration {
    let started = Instant::now();
    std::hint::black_box(session.decide(call));
    started.elapsed()
}

fn feed(session: &mut Session<'_>, event: &Event) {
    match event {
        Event::Context { key, value } => session.context(key, value.clone()),
        Event::User { turn, text } => drop(session.user_turn(*turn, text)),
        Event::Agent { turn, text } => drop(session.agent_turn(*turn, text)),
        Event::Call(call) => session.admit(call),
        Event::Return(answer) => drop(session.after_return(answer)),
    }
}
