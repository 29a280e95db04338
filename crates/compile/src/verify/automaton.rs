//! The obligation of each binding as the exact decision procedures see it.

use crate::part::Part;
use lictor_contract::rule::{ConfirmationReading, Obligation};

pub(super) fn obligations(part: &Part) -> Vec<(Option<&str>, Obligation)> {
    part.rules()
        .into_iter()
        .map(|(tool, rule)| (tool, rule.obligation(ConfirmationReading::PerAction)))
        .collect()
}
