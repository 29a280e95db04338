//! The runtime: session state, grounding of predicates, stepping and decisions.
