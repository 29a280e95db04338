//! `unscoped-wildcard`: a rule that guards every tool there is.
//!
//! Some rules do mean every tool: nothing before a verification, nothing after
//! a hand-over, one call at a time. They ask about the session and not about
//! the arguments of the call, and `self-blocking` frees the tools that they
//! wait for. A rule about changes is narrowed by `write-overreach`. Everything
//! else guards far more than its clause speaks of.

use crate::finding::Finding;
use crate::part::{Part, demand};
use lictor_contract::catalog::Catalog;
use lictor_contract::diagnostic::Code;
use lictor_contract::predicate::{Formula, Term};
use lictor_contract::rule::Body;

pub(super) fn check(part: &Part, _: &Catalog) -> Vec<Finding> {
    let Some(body) = part.body().filter(|_| part.wildcard) else {
        return Vec::new();
    };
    let scoped = match body {
        Body::Confirmation { .. }
        | Body::Limit { .. }
        | Body::OncePer { .. }
        | Body::MutualExclusion { .. }
        | Body::AbsenceAfter { .. } => true,
        Body::Prohibition { condition: None }
        | Body::Response { .. }
        | Body::ImmediateResponse { .. } => false,
        // A formula names its tools itself.
        Body::Formula { .. } => true,
        Body::Precondition { .. } | Body::Prohibition { .. } | Body::Precedence { .. } => part
            .rules()
            .first()
            .and_then(|(_, rule)| demand(rule))
            .is_some_and(|demand| is_about_the_session(&demand)),
    };
    if scoped {
        return Vec::new();
    }
    vec![Finding::reject(
        Code::UnscopedWildcard,
        "the rule guards every tool there is",
        "name the tools that the clause speaks of",
    )]
}

fn is_about_the_session(demand: &Formula) -> bool {
    !matches!(demand, Formula::True | Formula::False)
        && demand.atoms().iter().all(|atom| {
            atom.all_terms()
                .iter()
                .all(|term| !matches!(term, Term::Arg(_)))
        })
}
