//! `lictor catalog`: what is known about tools.

mod infer;

use crate::arguments::{Catalog, CatalogCommand};
use crate::exit::Exit;

/// Runs the command.
pub fn run(options: &Catalog) -> anyhow::Result<Exit> {
    match &options.command {
        CatalogCommand::Infer(options) => infer::run(options),
    }
}
