//! Temporal logic on finite traces: syntax, semantics, automata and decision procedures.
