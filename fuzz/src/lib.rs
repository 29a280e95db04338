//! The properties that the targets look at; the crate of the readers has them,
//! and its tests hold the corpus to them.

#[path = "../../crates/contract/tests/corpus/properties.rs"]
pub mod properties;
