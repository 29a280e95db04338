//! `lictor explain`: the page of a diagnostic, or the list of all.

use crate::arguments::{Explain, Format};
use crate::exit::Exit;
use crate::render;
use anyhow::anyhow;
use lictor_contract::diagnostic::Code;
use lictor_contract::language::nearest;
use serde_json::json;

/// Runs the command.
pub fn run(options: &Explain) -> anyhow::Result<Exit> {
    let codes = match &options.code {
        Some(text) if !options.list => vec![find(text)?],
        _ => Code::ALL.to_vec(),
    };
    match options.format {
        Format::Json => {
            let codes: Vec<_> = codes
                .iter()
                .map(|code| {
                    json!({"code": code.number(), "name": code.name(), "severity": code.severity(),
                        "summary": code.summary(), "page": code.page()})
                })
                .collect();
            render::json(&json!({"diagnostics": [], "codes": codes}))?;
        }
        Format::Text if options.list => {
            let width = codes
                .iter()
                .map(|code| code.name().len())
                .max()
                .unwrap_or_default();
            for code in codes {
                render::line(&format!(
                    "{}  {:width$}  {}",
                    code.number(),
                    code.name(),
                    code.summary()
                ))?;
            }
        }
        Format::Text => {
            for code in codes {
                render::text(code.page())?;
            }
        }
    }
    Ok(Exit::Clean)
}

fn find(text: &str) -> anyhow::Result<Code> {
    Code::find(text).ok_or_else(|| {
        let near = nearest(text, Code::ALL.iter().map(|code| code.name()));
        let hint = near.map_or_else(
            || "`lictor explain --list` lists them".to_owned(),
            |name| format!("did you mean `{name}`?"),
        );
        anyhow!("there is no diagnostic `{text}`; {hint}")
    })
}
