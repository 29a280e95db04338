//! `lictor check`: hand-written rules verified, and what survives sealed.

use crate::arguments::{Check, Format};
use crate::config::Config;
use crate::exit::Exit;
use crate::{input, render};
use lictor_compile::check;
use serde_json::json;

/// Runs the command.
pub fn run(options: &Check) -> anyhow::Result<Exit> {
    let config = Config::beside(&options.rules)?;
    let rules = input::source(&options.rules, "the rule file")?;
    let tools = config.catalog(options.tools.as_ref())?;
    let catalog = input::catalog(&tools)?;
    if let Some(out) = &options.out {
        input::apart(
            out,
            [
                (options.rules.as_path(), "the rule file"),
                (tools.as_path(), "the tool catalog"),
            ],
        )?;
    }
    let checked = check(&rules, &catalog, &config.settings()).map_err(anyhow::Error::msg)?;
    let contracts = checked
        .library
        .as_ref()
        .map_or(0, |library| library.contracts.len());
    if let (Some(out), Some(library)) = (&options.out, &checked.library) {
        input::write(out, &library.to_json())?;
    }
    match options.format {
        Format::Json => {
            let library = checked.library.as_ref();
            let ids: Vec<&str> = library
                .iter()
                .flat_map(|it| &it.contracts)
                .map(|it| it.id.as_str())
                .collect();
            render::json(&json!({
                "diagnostics": render::diagnostics::json(&checked.diagnostics, &[&rules]),
                "contracts": ids,
            }))?;
        }
        Format::Text => {
            render::text(&render::diagnostics::text(&checked.diagnostics, &[&rules]))?;
            let sealed = match &options.out {
                Some(out) if checked.library.is_some() => format!(", sealed in {}", out.display()),
                _ => String::new(),
            };
            render::line(&format!(
                "{contracts} of {} rules verified{sealed}",
                checked.rules
            ))?;
        }
    }
    Ok(Exit::of(&checked.diagnostics))
}
