//! `type-mismatch`: a condition that compares values of different kinds.

use crate::finding::Finding;
use crate::part::Part;
use lictor_contract::catalog::Catalog;

pub(super) fn check(_part: &Part, _catalog: &Catalog) -> Vec<Finding> {
    Vec::new()
}
