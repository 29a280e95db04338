//! Totals over graded runs.

use super::record::RunRecord;
use crate::replay::Mode;
use crate::run::Label;
use crate::statistics::Proportion;
use lictor_monitor::{Monitor, RefusalKind, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;

/// Violations by kind; a call counts once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Kinds {
    /// A contract is violated.
    pub violated: u64,
    /// No contract is violated, but one cannot be decided.
    pub undecidable: u64,
    /// The library does not know the tool.
    pub unknown_tool: u64,
}

impl Kinds {
    fn add(&mut self, kind: RefusalKind) {
        match kind {
            RefusalKind::Violated => self.violated += 1,
            RefusalKind::Undecidable => self.undecidable += 1,
            RefusalKind::UnknownTool => self.unknown_tool += 1,
        }
    }
}

/// What one contract did over all runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ContractTotals {
    /// Its id.
    pub contract: String,
    /// Calls that violate it, whatever else they violate.
    pub violated: u64,
    /// Calls that it cannot decide.
    pub undecidable: u64,
    /// Other events that broke it.
    pub falsified: u64,
    /// Runs that end with it unmet.
    pub pending: u64,
    /// Runs in which any of these occurs.
    pub runs: u64,
}

/// Runs by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verdicts {
    /// Runs whose verdict is idle.
    pub idle: u64,
    /// Runs whose verdict is active.
    pub active: u64,
    /// Runs whose verdict is fail.
    pub fail: u64,
}

impl Verdicts {
    fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Idle => self.idle += 1,
            Verdict::Active | Verdict::Pending | Verdict::Satisfied => self.active += 1,
            Verdict::Fail => self.fail += 1,
        }
    }
}

/// Runs of one label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LabelTotals {
    /// Runs with the label.
    pub runs: u64,
    /// Those among them in which a contract is violated by some call.
    pub with_violated: u64,
}

/// Totals over all runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Totals {
    /// How refused calls were treated.
    pub mode: Mode,
    /// Runs.
    pub runs: u64,
    /// Calls.
    pub calls: u64,
    /// Calls of tools that may change something.
    pub writes: u64,
    /// Calls the gate would have refused, by kind.
    pub violations: Kinds,
    /// Writes that violate a contract among all writes (NOMOS, Table V).
    /// Undecidable ones are not among them.
    pub violated_writes: Proportion,
    /// Runs by the agent's verdict.
    pub agent: Verdicts,
    /// Runs by the environment's verdict.
    pub env: Verdicts,
    /// Runs that passed.
    pub passed: LabelTotals,
    /// Runs that failed.
    pub failed: LabelTotals,
    /// Runs without a label.
    pub unlabelled: LabelTotals,
    /// Each contract, in library order, those without a finding included.
    pub contracts: Vec<ContractTotals>,
}

impl Totals {
    /// Totals over no run.
    pub fn new(monitor: &Monitor, mode: Mode) -> Totals {
        let contract = |id: &str| ContractTotals {
            contract: id.to_owned(),
            ..ContractTotals::default()
        };
        Totals {
            mode,
            runs: 0,
            calls: 0,
            writes: 0,
            violations: Kinds::default(),
            violated_writes: Proportion::new(0, 0),
            agent: Verdicts::default(),
            env: Verdicts::default(),
            passed: LabelTotals::default(),
            failed: LabelTotals::default(),
            unlabelled: LabelTotals::default(),
            contracts: monitor.contract_ids().map(contract).collect(),
        }
    }

    /// Counts one run.
    pub fn add(&mut self, record: &RunRecord) {
        self.runs += 1;
        self.calls += record.calls;
        self.writes += record.writes;
        let mut violated_writes = 0;
        for violation in &record.violations {
            self.violations.add(violation.kind);
            if violation.is_write && violation.kind == RefusalKind::Violated {
                violated_writes += 1;
            }
        }
        self.violated_writes =
            Proportion::new(self.violated_writes.of + violated_writes, self.writes);
        self.agent.add(record.agent);
        self.env.add(record.env);
        let label = match Label::of(record.pass) {
            Label::Pass => &mut self.passed,
            Label::Fail => &mut self.failed,
            Label::Unlabelled => &mut self.unlabelled,
        };
        label.runs += 1;
        let violated = record
            .violations
            .iter()
            .any(|violation| violation.kind == RefusalKind::Violated);
        label.with_violated += u64::from(violated);
        let of_run = findings_by_contract(record);
        for totals in &mut self.contracts {
            let Some(found) = of_run.get(totals.contract.as_str()) else {
                continue;
            };
            totals.violated += found.violated;
            totals.undecidable += found.undecidable;
            totals.falsified += found.falsified;
            totals.pending += found.pending;
            totals.runs += 1;
        }
    }
}

fn findings_by_contract(record: &RunRecord) -> BTreeMap<&str, ContractTotals> {
    let mut found: BTreeMap<&str, ContractTotals> = BTreeMap::new();
    for (contract, kind) in record
        .violations
        .iter()
        .flat_map(|violation| &violation.refusals)
    {
        let totals = found.entry(contract).or_default();
        match kind {
            RefusalKind::Violated => totals.violated += 1,
            RefusalKind::Undecidable => totals.undecidable += 1,
            RefusalKind::UnknownTool => {}
        }
    }
    for falsified in &record.falsified {
        found.entry(&falsified.contract).or_default().falsified += 1;
    }
    for pending in &record.pending {
        found.entry(&pending.contract).or_default().pending += 1;
    }
    found
}
