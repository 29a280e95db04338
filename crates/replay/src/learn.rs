//! What recorded results show of a tool that its schema does not say.

use crate::run::Run;
use lictor_contract::catalog::Catalog;
use lictor_contract::event::{CallId, Event, Outcome};
use lictor_contract::names::Resolved;
use std::collections::BTreeMap;

/// Learns from a run's successful results which fields tools return, so that a
/// field that a draft could not name is found.
pub fn learn_results(catalog: &mut Catalog, run: &Run) {
    let tools: BTreeMap<CallId, &str> = run
        .calls()
        .map(|call| (call.id, call.tool.as_str()))
        .collect();
    let names = catalog.tool_names();
    for recorded in &run.events {
        if let Event::Return(answer) = &recorded.event
            && answer.outcome == Outcome::Ok
            && let Some(tool) = tools.get(&answer.call)
            && let Resolved::Tool(id) = names.resolve(tool)
        {
            catalog.learn(id, &answer.result);
        }
    }
}
