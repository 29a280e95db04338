//! An overlay proposed from schemas and recorded runs.
//!
//! The runs are read twice. The first reading ([`Observation`]) learns what each
//! tool's results are like, which tools return the same record, and how ids are
//! spelt; the second ([`Comparison`]) compares readings of one thing before and
//! after a write. Nothing is proposed without its evidence, no recorded value is
//! ever printed, and what only a person can know, such as whom to trust, is left
//! to one.

mod change;
mod effect;
mod id;
mod print;
mod propose;
mod record;
mod result;
mod shape;
mod step;
mod survey;

use crate::run::Run;
use change::Tracker;
use lictor_contract::catalog::Catalog;
use record::{Record, records};
use survey::Survey;

/// The first reading of the runs.
#[derive(Debug)]
pub struct Observation<'a> {
    catalog: &'a Catalog,
    survey: Survey<'a>,
}

impl<'a> Observation<'a> {
    /// An observation of the tools of a catalog. What the catalog already says
    /// is not proposed again.
    pub fn new(catalog: &'a Catalog) -> Self {
        Observation {
            catalog,
            survey: Survey::new(catalog),
        }
    }

    /// Looks at a run. Linear in its size.
    pub fn look(&mut self, run: &Run) {
        self.survey.look(run);
    }

    /// What was learned, to read the runs with once more.
    pub fn learned(mut self) -> Learned<'a> {
        self.survey.settle();
        Learned {
            records: records(&self.survey),
            catalog: self.catalog,
            survey: self.survey,
        }
    }
}

/// What the first reading gave.
#[derive(Debug)]
pub struct Learned<'a> {
    catalog: &'a Catalog,
    survey: Survey<'a>,
    records: Vec<Record<'a>>,
}

impl<'a> Learned<'a> {
    /// Begins the second reading.
    pub fn compare(&self) -> Comparison<'_, 'a> {
        Comparison {
            learned: self,
            tracker: Tracker::new(&self.survey, &self.records),
        }
    }
}

/// The second reading of the runs.
#[derive(Debug)]
pub struct Comparison<'s, 'a> {
    learned: &'s Learned<'a>,
    tracker: Tracker<'s, 'a>,
}

impl Comparison<'_, '_> {
    /// Follows the values of a run.
    pub fn follow(&mut self, run: &Run) {
        self.tracker.follow(run);
    }

    /// The proposal as the text of an overlay file.
    pub fn proposal(self) -> String {
        let learned = self.learned;
        let changes = self.tracker.changes;
        propose::overlay(learned.catalog, &learned.survey, &learned.records, &changes)
    }
}

#[cfg(test)]
mod tests;
