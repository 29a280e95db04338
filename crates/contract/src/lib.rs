//! The nouns every pass shares: catalogs, events, values, predicates, drafts,
//! contracts, libraries and diagnostics.
//!
//! Nothing here reads a file, a clock or a network. The crate sits between
//! `lictor-ltlf`, which knows logic but no agents, and the passes, which know
//! each other only through the types of this crate.

pub mod alphabet;
pub mod catalog;
pub mod check;
pub mod contract;
pub mod declared;
pub mod decode;
pub mod diagnostic;
pub mod draft;
pub mod event;
pub mod language;
pub mod library;
pub mod names;
pub mod overlay;
pub mod predicate;
pub mod rule;
pub mod rule_file;
pub mod rule_text;
pub mod schema;
pub mod source;
pub mod time;
pub mod value;
