//! The first look at the runs: what each tool's results are like, which records
//! they carry, and how ids are spelt.

use super::effect::{Guess, guess};
use super::id::{self, Spellings};
use super::result::{Class, Reading, Results, class};
use super::shape::Shape;
use super::step::{Seen, Step, steps};
use crate::run::Run;
use lictor_contract::catalog::{Catalog, Effect, Tool};
use lictor_contract::names::ToolNames;
use lictor_contract::value::Value;
use std::collections::BTreeMap;

/// Most names outside the catalog that are remembered.
const MAX_UNKNOWN: usize = 50;

/// What the runs showed so far.
#[derive(Debug)]
pub(super) struct Survey<'a> {
    pub(super) names: ToolNames,
    pub(super) tools: BTreeMap<&'a str, ToolSurvey<'a>>,
    pub(super) spellings: Spellings,
    /// Names that are no tool's, and how often each was called.
    pub(super) unknown: BTreeMap<String, u64>,
    pub(super) runs: u64,
}

/// What the runs showed of one tool.
#[derive(Debug)]
pub(super) struct ToolSurvey<'a> {
    pub(super) tool: &'a Tool,
    pub(super) guess: Guess,
    /// Answers, marked errors included.
    pub(super) answers: u64,
    /// Answers that the recording marks as errors.
    pub(super) errors: u64,
    pub(super) results: Results,
    /// The results as they are.
    raw: Shape,
    /// What is inside results that look wrapped, truth values alone apart.
    opened: Shape,
    truths: Shape,
    /// The values that results carry; known when all runs were looked at.
    pub(super) shape: Shape,
    /// For each argument: how often an object in the answer had a field of its
    /// name, and how often with the same value.
    pub(super) echoes: BTreeMap<String, Echo>,
}

/// How often an answer repeated an argument.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Echo {
    pub(super) same: u64,
    pub(super) asked: u64,
}

impl<'a> Survey<'a> {
    pub(super) fn new(catalog: &'a Catalog) -> Self {
        let tools = catalog.tools().map(|tool| {
            let survey = ToolSurvey {
                tool,
                guess: guess(&tool.name, &tool.description),
                answers: 0,
                errors: 0,
                results: Results::default(),
                raw: Shape::default(),
                opened: Shape::default(),
                truths: Shape::default(),
                shape: Shape::default(),
                echoes: BTreeMap::new(),
            };
            (tool.id.as_str(), survey)
        });
        Survey {
            tools: tools.collect(),
            names: catalog.tool_names(),
            spellings: Spellings::default(),
            unknown: BTreeMap::new(),
            runs: 0,
        }
    }

    /// Looks at a run. Linear in it, but for the search in sorted values.
    pub(super) fn look(&mut self, run: &Run) {
        self.runs += 1;
        let mut seen = id::Seen::default();
        for step in steps(run, &self.names) {
            match step {
                Seen::Unknown(name) => {
                    if self.unknown.len() < MAX_UNKNOWN || self.unknown.contains_key(name) {
                        *self.unknown.entry(name.to_owned()).or_default() += 1;
                    }
                }
                Seen::Called(arguments) => self.spellings.compare(arguments, &seen),
                Seen::Answered(step) => {
                    if let Some(result) = step.result {
                        seen.remember(result);
                    }
                    if let Some(survey) = self.tools.get_mut(step.tool) {
                        survey.count(&step);
                    }
                }
            }
        }
    }

    /// Ends the first look.
    pub(super) fn settle(&mut self) {
        for tool in self.tools.values_mut() {
            tool.settle();
        }
    }
}

impl ToolSurvey<'_> {
    fn count(&mut self, step: &Step<'_>) {
        self.answers += 1;
        let Some(result) = step.result else {
            self.errors += 1;
            return;
        };
        let class = class(result);
        self.results.count(&class, result);
        self.raw.learn(result);
        let Some(value) = super::result::opened(&class, result) else {
            return;
        };
        // A truth value alone may be no value but the outcome, and an empty object
        // a record that was not found.
        match class {
            Class::Truth(_) => self.truths.learn(value),
            Class::Empty => {}
            _ => self.opened.learn(value),
        }
        let (Value::Object(fields), Some(arguments)) = (value, step.arguments) else {
            return;
        };
        for (name, argument) in arguments {
            if let (Some(asked), Some(found)) = (id::key(argument), fields.get(name)) {
                let echo = self.echoes.entry(name.clone()).or_default();
                echo.asked += 1;
                echo.same += u64::from(id::key(found) == Some(asked));
            }
        }
    }

    /// Whether false is an answer of this tool like any other.
    pub(super) fn reads(&self) -> bool {
        match self.tool.effect {
            Some(effect) if !self.tool.hinted => effect == Effect::Read,
            _ => self.guess.reads,
        }
    }

    /// The effect class: the catalog's, else what the words say.
    pub(super) fn effect(&self) -> Option<Effect> {
        match self.tool.effect {
            Some(effect) if !self.tool.hinted => Some(effect),
            _ => self.guess.effect,
        }
    }

    /// How the tool's results are opened.
    pub(super) fn reading(&self) -> Reading {
        self.results.reading(self.reads())
    }

    /// Decides what the values are, now that all results have been seen.
    fn settle(&mut self) {
        self.shape = match self.results.is_opened() {
            true => std::mem::take(&mut self.opened),
            false => std::mem::take(&mut self.raw),
        };
        if self.results.is_opened() && self.results.truth_is_value(self.reads()) {
            self.shape.merge(&self.truths);
        }
    }
}
