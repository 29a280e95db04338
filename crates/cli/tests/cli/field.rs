//! Real policies and real runs. These tests read recorded data that is not part
//! of the repository and skip, saying so, where it is missing.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it should be"
)]

use crate::support::{field_data, root};
use lictor_compile::{Compiled, Options};
use lictor_contract::catalog::Catalog;
use lictor_contract::event::Event;
use lictor_contract::library::{Library, Settings};
use lictor_contract::source::Source;
use lictor_extract::{SamplesFile, draft, plan, unpack};
use lictor_ltlf::semantics;
use lictor_monitor::{Monitor, Session};
use lictor_replay::evaluate::evaluate;
use lictor_replay::preflight::Flight;
use lictor_replay::replay::Mode;
use lictor_replay::{Recordings, Run, learn_results};
use serde_json::json;
use std::path::Path;

/// Samples for each section in the recorded answers.
const SAMPLES: usize = 5;

fn read(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(path.as_ref())
        .unwrap_or_else(|error| panic!("{}: {error}", path.as_ref().display()))
}

/// The sets of airline runs, with the folders they stand in.
const SETS: &[&str] = &[
    "tau-bench/airline/transcripts.gpt-4o",
    "tau2/airline/transcripts.toolorchestra",
    "tau2/airline/transcripts.whissle",
];

fn runs(data: &Path, set: &str) -> Vec<Run> {
    let path = data.join("data").join(format!("{set}.jsonl.gz"));
    Recordings::open(&[path])
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

/// The airline policy compiled from its recorded answers, with what the runs
/// show of the tools' results, as `lictor compile --transcripts` does it.
fn airline(data: &Path) -> Compiled {
    let folder = data.join("data/tau2/airline");
    let policy = Source::new("policy.md", read(folder.join("policy.md")));
    let mut catalog = Catalog::from_json(&read(folder.join("tools.json"))).unwrap();
    let packed = read(root().join("tests/field/tau2-airline.samples.jsonl"));
    let (answers, _) = SamplesFile::read(&unpack(&packed, &policy).unwrap()).unwrap();
    let plan = plan(&policy, &catalog, SAMPLES).unwrap();
    assert_eq!(
        plan.missing(&answers).len(),
        0,
        "the prompt changed; record the answers again"
    );
    let (draft, _) = draft(&plan, &answers);
    for set in SETS {
        for run in runs(data, set) {
            learn_results(&mut catalog, &run);
        }
    }
    lictor_compile::compile(
        &policy,
        &draft,
        &catalog,
        &Settings::default(),
        &Options::default(),
    )
}

/// What the compile of the airline policy gives, and what its library says to
/// the recorded runs, in numbers. A change here is a change of what the product
/// does with a real policy: look at it before you write it down with
/// `LICTOR_BLESS=1`.
#[test]
fn the_airline_policy_gives_the_recorded_numbers() {
    let Some(data) = field_data() else { return };
    let compiled = airline(&data);
    assert!(compiled.report.outcomes.is_partition());
    let library = compiled.library.unwrap();
    let monitor = Monitor::new(&library).unwrap();
    let contracts: Vec<_> = library
        .contracts
        .iter()
        .map(|contract| {
            let lines: Vec<_> = contract.clauses.iter().map(|clause| clause.lines).collect();
            json!({
                "id": contract.id, "kind": contract.kind, "lines": lines,
                "bindings": contract.bindings, "guarantee": contract.guarantee,
            })
        })
        .collect();
    let mut sets = serde_json::Map::new();
    let mut flight = Flight::new(&library, &monitor);
    for set in SETS {
        let runs = runs(&data, set);
        runs.iter().for_each(|run| flight.add(run));
        let totals = evaluate(&monitor, &runs, Mode::Audit).totals;
        sets.insert((*set).to_owned(), serde_json::to_value(totals).unwrap());
    }
    let preflight = flight.finish(0.9);
    let found = json!({
        "extract": compiled.report.extract,
        "resolve": compiled.report.resolve,
        "verify": compiled.report.verify,
        "vote": compiled.report.vote,
        "outcomes": compiled.report.outcomes,
        "coverage": compiled.report.totals,
        "contracts": contracts,
        "evaluate": sets,
        "flagged": preflight.flagged().collect::<Vec<_>>(),
        "preflight": preflight.summary,
    });
    let path = root().join("tests/field/tau2-airline.expected.json");
    let text = serde_json::to_string_pretty(&found).unwrap() + "\n";
    if std::env::var_os("LICTOR_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert_eq!(read(path), text);
}

/// Feeds a run and checks the machines against the direct semantics after each
/// event, over the same grounded letters.
fn compare(monitor: &Monitor, run: &Run) -> usize {
    let mut session = monitor.recording_session();
    let mut prefixes = 0;
    for recorded in &run.events {
        feed(&mut session, &recorded.event);
        prefixes += 1;
        for (formula, letters, accepts) in session.letters() {
            let holds =
                semantics::holds(formula, letters, |letter, literal| letter.contains(literal));
            assert_eq!(
                holds, accepts,
                "run {}, message {}",
                run.id, recorded.message
            );
        }
    }
    prefixes
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

/// Contracts of every kind that steps in its own way, over the airline's tools:
/// the compiled library has none that observes the agent's words, or the past.
fn more_kinds(library: &Library) -> Library {
    let mut more = library.clone();
    let guarantees = [
        "G (call(cancel_reservation) -> (!user S confirms) & count(ok(cancel_reservation), since = confirms) == 0)",
        "G (agent_says(/transferred to a human/) -> O call(transfer_to_human_agents))",
        "G (ok(book_reservation) -> WX G !call(book_reservation))",
        "G (error(update_reservation_flights) -> F ok(get_reservation_details | transfer_to_human_agents))",
        "!call(book_reservation | cancel_reservation) W ok(get_user_details)",
        "G (call(update_reservation_baggages) -> arg.total_baggages >= arg.nonfree_baggages & known(arg.payment_id))",
        "G (ok(get_user_details) -> known(result.membership)) & F user",
        "G (user_says(/refund|compensat/) -> X (!agent_says(/certificate/) U (user | call(@any))))",
    ];
    for (index, guarantee) in guarantees.iter().enumerate() {
        let mut contract = library.contracts[0].clone();
        contract.id = format!("MORE-{index}");
        contract.assumption = "true".into();
        contract.guarantee = (*guarantee).into();
        more.contracts.push(contract);
    }
    more
}

#[test]
fn the_monitor_agrees_with_the_direct_semantics_on_every_prefix() {
    let Some(data) = field_data() else { return };
    let library = more_kinds(&airline(&data).library.unwrap());
    let monitor = Monitor::new(&library).unwrap();
    let mut runs = self::runs(&data, "tau-bench/airline/transcripts.gpt-4o");
    runs.extend(self::runs(
        &data,
        "tau-bench/airline/transcripts.qwen2.5-coder-32b-textcalls",
    ));
    assert_eq!(runs.len(), 116 + 29);
    let prefixes: usize = runs.iter().map(|run| compare(&monitor, run)).sum();
    let events: usize = runs.iter().map(|run| run.events.len()).sum();
    assert_eq!(prefixes, events);
}
