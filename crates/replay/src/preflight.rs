//! Replay before deployment: does a binding refuse what honest runs need?
//!
//! A rule that refuses nearly every call its tool makes in runs that did their
//! task is not strict, it is wrong, whatever the policy says. Runs are replayed
//! with the gate's own transitions, and each (contract, tool) pair gets a row
//! (NOMOS, Table IX).

use crate::replay::{Mode, replay};
use crate::run::{Label, Run};
use crate::statistics::Proportion;
use lictor_contract::library::Library;
use lictor_monitor::Monitor;
use serde::Serialize;
use std::borrow::Borrow;
use std::collections::BTreeMap;

/// What becomes of a binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BindingVerdict {
    /// It refuses at least the flag line's share of its tool's calls in passing runs.
    Flagged,
    /// It refuses less.
    Kept,
    /// No passing run calls its tool, so nothing can be said.
    NoVerdict,
}

/// One (contract, tool) pair over all runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BindingReport {
    /// The contract.
    pub contract: String,
    /// The tool.
    pub tool: String,
    /// Whether a passing run calls the tool.
    pub supported: bool,
    /// Whether it refuses any replayed call, in runs of any label.
    pub fired: bool,
    /// Refused calls among the tool's calls in passing runs.
    pub passed: Proportion,
    /// The same in failed runs: what the rule would have prevented.
    pub failed: Proportion,
    /// The same in runs without a label.
    pub unlabelled: Proportion,
    /// What becomes of it.
    pub verdict: BindingVerdict,
}

/// The highest refusal rate over the bindings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Worst {
    /// The contract.
    pub contract: String,
    /// The tool.
    pub tool: String,
    /// Its rate in passing runs.
    pub refused: Proportion,
}

/// A row of NOMOS's Table IX.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Contracts of the library.
    pub contracts: u64,
    /// Bindings.
    pub bindings: u64,
    /// Bindings whose tool is called in a passing run.
    pub supported: u64,
    /// Bindings that refuse at least one call.
    pub fired: u64,
    /// The worst binding; none if none is supported.
    pub worst: Option<Worst>,
    /// Bindings that are flagged.
    pub flagged: u64,
}

/// The report of a preflight.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Preflight {
    /// The share of refused calls from which on a binding is flagged.
    pub flag_at: f64,
    /// Runs that passed.
    pub passed_runs: u64,
    /// Runs that failed.
    pub failed_runs: u64,
    /// Runs without a label.
    pub unlabelled_runs: u64,
    /// One row for each binding: contracts in library order, tools as bound.
    pub bindings: Vec<BindingReport>,
    /// The row of the whole library.
    pub summary: Summary,
}

impl Preflight {
    /// The flagged bindings as (contract, tool).
    pub fn flagged(&self) -> impl Iterator<Item = (&str, &str)> {
        self.bindings
            .iter()
            .filter(|binding| binding.verdict == BindingVerdict::Flagged)
            .map(|binding| (binding.contract.as_str(), binding.tool.as_str()))
    }
}

/// Replays a library over runs in gate mode and judges its bindings. A binding
/// is flagged if it refuses at least the share `flag_at` of the calls that its
/// tool makes in runs that passed.
pub fn preflight<R: Borrow<Run>>(
    library: &Library,
    monitor: &Monitor,
    runs: impl IntoIterator<Item = R>,
    flag_at: f64,
) -> Preflight {
    let mut flight = Flight::new(library, monitor);
    for run in runs {
        flight.add(run.borrow());
    }
    flight.finish(flag_at)
}

/// Calls and refusals of one label.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    passed: u64,
    failed: u64,
    unlabelled: u64,
}

impl Counts {
    fn add(&mut self, label: Label) {
        match label {
            Label::Pass => self.passed += 1,
            Label::Fail => self.failed += 1,
            Label::Unlabelled => self.unlabelled += 1,
        }
    }

    fn total(self) -> u64 {
        self.passed + self.failed + self.unlabelled
    }
}

/// A preflight under way, for runs that come one by one.
pub struct Flight<'l> {
    library: &'l Library,
    monitor: &'l Monitor,
    runs: Counts,
    calls: BTreeMap<String, Counts>,
    refused: BTreeMap<(String, String), Counts>,
}

impl<'l> Flight<'l> {
    /// A preflight over no run.
    pub fn new(library: &'l Library, monitor: &'l Monitor) -> Self {
        Flight {
            library,
            monitor,
            runs: Counts::default(),
            calls: BTreeMap::new(),
            refused: BTreeMap::new(),
        }
    }

    /// Replays one run.
    pub fn add(&mut self, run: &Run) {
        let label = run.label();
        self.runs.add(label);
        for judged in replay(self.monitor, run, Mode::Gate).calls {
            let tool = self.monitor.tool_id(&judged.call.tool).to_owned();
            self.calls.entry(tool.clone()).or_default().add(label);
            for contract in judged
                .decision
                .refusals
                .into_iter()
                .filter_map(|refusal| refusal.contract)
            {
                self.refused
                    .entry((contract, tool.clone()))
                    .or_default()
                    .add(label);
            }
        }
    }

    /// The report.
    pub fn finish(self, flag_at: f64) -> Preflight {
        let mut bindings = Vec::new();
        for contract in &self.library.contracts {
            for tool in &contract.bindings {
                let calls = self.calls.get(tool).copied().unwrap_or_default();
                let refused = self
                    .refused
                    .get(&(contract.id.clone(), tool.clone()))
                    .copied()
                    .unwrap_or_default();
                let passed = Proportion::new(refused.passed, calls.passed);
                let verdict = match passed.rate {
                    None => BindingVerdict::NoVerdict,
                    Some(rate) if rate >= flag_at => BindingVerdict::Flagged,
                    Some(_) => BindingVerdict::Kept,
                };
                bindings.push(BindingReport {
                    contract: contract.id.clone(),
                    tool: tool.clone(),
                    supported: calls.passed > 0,
                    fired: refused.total() > 0,
                    passed,
                    failed: Proportion::new(refused.failed, calls.failed),
                    unlabelled: Proportion::new(refused.unlabelled, calls.unlabelled),
                    verdict,
                });
            }
        }
        Preflight {
            flag_at,
            passed_runs: self.runs.passed,
            failed_runs: self.runs.failed,
            unlabelled_runs: self.runs.unlabelled,
            summary: summary(self.library, &bindings),
            bindings,
        }
    }
}

fn summary(library: &Library, bindings: &[BindingReport]) -> Summary {
    let count = |holds: &dyn Fn(&BindingReport) -> bool| {
        bindings.iter().filter(|binding| holds(binding)).count() as u64
    };
    // The first of equals, so that the report does not depend on chance.
    let mut worst: Option<&BindingReport> = None;
    for binding in bindings.iter().filter(|binding| binding.supported) {
        if worst.is_none_or(|worst| binding.passed.rate > worst.passed.rate) {
            worst = Some(binding);
        }
    }
    Summary {
        contracts: library.contracts.len() as u64,
        bindings: bindings.len() as u64,
        supported: count(&|binding| binding.supported),
        fired: count(&|binding| binding.fired),
        worst: worst.map(|binding| Worst {
            contract: binding.contract.clone(),
            tool: binding.tool.clone(),
            refused: binding.passed,
        }),
        flagged: count(&|binding| binding.verdict == BindingVerdict::Flagged),
    }
}

#[cfg(test)]
mod tests;
