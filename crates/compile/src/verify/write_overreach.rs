//! `write-overreach`: a rule about changes that is bound to tools which change
//! nothing (NOMOS, write scope).
//!
//! A confirmation always speaks of changes. A limit, once-per or mutual
//! exclusion does so as soon as it guards one writing tool; over reading tools
//! alone it is taken at its word ('at most three look-ups'), since a limit on
//! look-ups is a real policy.

use crate::finding::Finding;
use crate::names::quoted;
use crate::part::{Part, Scope};
use lictor_contract::catalog::Catalog;
use lictor_contract::diagnostic::Code;
use lictor_contract::rule::{Body, Kind};

pub(super) fn check(part: &Part, catalog: &Catalog) -> Vec<Finding> {
    let Scope::Each(bodies) = &part.scope else {
        return Vec::new();
    };
    let Some(body) = part.body() else {
        return Vec::new();
    };
    let kind = body.kind();
    let about_changes = matches!(
        body,
        Body::Confirmation { .. }
            | Body::Limit { .. }
            | Body::OncePer { .. }
            | Body::MutualExclusion { .. }
    );
    if !about_changes {
        return Vec::new();
    }
    let reads: Vec<&str> = bodies
        .keys()
        .filter(|name| catalog.get(name).is_some_and(|tool| !tool.is_write()))
        .map(String::as_str)
        .collect();
    if reads.is_empty() {
        return Vec::new();
    }
    if reads.len() == bodies.len() {
        if kind != Kind::Confirmation {
            return Vec::new();
        }
        return vec![Finding::reject(
            Code::WriteOverreach,
            format!(
                "a confirmation guards {} only, which change nothing",
                quoted(reads)
            ),
            "bind it to the tools that change something",
        )];
    }
    let verb = if reads.len() == 1 {
        "changes"
    } else {
        "change"
    };
    let names = quoted(&reads);
    vec![Finding::strip_all(
        Code::WriteOverreach,
        reads,
        format!(
            "a {} is about changes, and {names} {verb} nothing",
            kind.name()
        ),
    )]
}
