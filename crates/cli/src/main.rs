//! The `lictor` command.

fn main() {}
