//! The `lictor` command: arguments, progress, rendering and exit codes.
//!
//! This crate is the one place where the passes are strung together, and the
//! only one that touches files, the environment and the terminal.

mod arguments;
mod command;
mod config;
mod exit;
mod input;
mod recordings;
mod render;
mod tools;

use arguments::{Arguments, Command};
use clap::Parser;
use exit::Exit;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are no errors; everything else is bad usage.
            let asked = !error.use_stderr();
            let _ = error.print();
            return if asked { Exit::Clean } else { Exit::Unusable }.into();
        }
    };
    match run(arguments.command) {
        Ok(exit) => exit.into(),
        Err(error) => {
            render::error(&error);
            Exit::Unusable.into()
        }
    }
}

fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Compile(options) => command::compile::run(&options),
        Command::Check(options) => command::check::run(&options),
        Command::Evaluate(options) => command::evaluate::run(&options),
        Command::Preflight(options) => command::preflight::run(&options),
        Command::Transcripts(options) => command::transcripts::run(&options),
        Command::Catalog(options) => command::catalog::run(&options),
        Command::Explain(options) => command::explain::run(&options),
        Command::Samples(options) => command::samples::run(&options),
        Command::Ltlf(options) => command::ltlf::run(&options),
    }
}
