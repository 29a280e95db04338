//! `lictor check`: hand-written rules verified, and what survives sealed.

use crate::arguments::{Check, Format};
use crate::config::Config;
use crate::exit::Exit;
use crate::tools::Tools;
use crate::{input, render};
use lictor_compile::check;
use lictor_contract::diagnostic::{Code, Diagnostic, Label};
use lictor_contract::rule_file::{ExpectedVerdict, read_rule_file};
use lictor_contract::source::Source;
use lictor_monitor::Monitor;
use lictor_replay::expectation::{self, Unmet};
use serde_json::json;
use std::path::Path;

/// Runs the command.
pub fn run(options: &Check) -> anyhow::Result<Exit> {
    let config = Config::beside(&options.rules)?;
    let rules = input::source(&options.rules, "the rule file")?;
    let (file, _) = read_rule_file(&rules).map_err(anyhow::Error::msg)?;
    let overlay = file.overlay.as_ref().map(|overlay| {
        let folder = options.rules.parent().unwrap_or(Path::new(""));
        folder.join(&overlay.value)
    });
    let tools = Tools::chosen(&options.tools, &config)?.or_overlay(&options.tools, overlay);
    let catalog = tools.described()?;
    if let Some(out) = &options.out {
        let mut inputs = tools.inputs();
        inputs.push((&options.rules, "the rule file"));
        input::apart(out, inputs)?;
    }
    let mut checked = check(&rules, &catalog, &config.settings()).map_err(anyhow::Error::msg)?;
    if let Some(library) = &checked.library {
        let monitor = Monitor::new(library)?;
        let unmet = checked
            .expectations
            .iter()
            .flat_map(|expectation| expectation::unmet(&monitor, expectation));
        let unmet: Vec<Diagnostic> = unmet.map(|it| diagnostic(&it, &rules)).collect();
        checked.diagnostics.extend(unmet);
    }
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

/// An expectation that the rules do not meet, where it stands in the file.
fn diagnostic(unmet: &Unmet<'_>, rules: &Source) -> Diagnostic {
    let message = format!(
        "{}: the call of `{}` should be {}, but {}",
        unmet.expectation.name,
        unmet.tool,
        match unmet.expected.verdict {
            ExpectedVerdict::Allow => "allowed",
            ExpectedVerdict::Refuse => "refused",
            ExpectedVerdict::Undecidable => "undecidable",
        },
        unmet.found
    );
    let found = Diagnostic::new(Code::UnmetExpectation, message)
        .help("mend the rule, or the expectation if the rule is right")
        .at(Label::new(rules.name(), unmet.expected.range.clone()));
    match &unmet.expected.by {
        Some(id) => found.about(id),
        None => found,
    }
}
