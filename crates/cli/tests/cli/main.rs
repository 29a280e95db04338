//! End-to-end tests: what a user sees through the real binary, what real
//! policies and runs give, and what the workspace promises about itself.

mod architecture;
mod ask;
mod bad_input;
mod cases;
mod catalog;
mod check;
mod compile;
mod field;
mod field_rules;
mod ltlf;
mod order_desk;
mod readme;
mod support;
mod transcripts;
