//! `lictor catalog infer`: an overlay proposed from schemas and recorded runs.

use crate::arguments::Infer;
use crate::config::{Config, NAME};
use crate::exit::Exit;
use crate::tools::Tools;
use crate::{input, recordings, render};
use anyhow::anyhow;
use lictor_contract::catalog::Catalog;
use lictor_contract::overlay::Overlay;
use lictor_replay::infer::Observation;
use std::path::Path;

/// Runs the command.
pub fn run(options: &Infer) -> anyhow::Result<Exit> {
    let config = Config::beside(Path::new(NAME))?;
    let tools = Tools::chosen(&options.tools, &config)?;
    let catalog = tools.described()?;
    if let Some(out) = &options.out {
        let mut inputs = tools.inputs();
        let runs = options.transcripts.iter();
        inputs.extend(runs.map(|run| (run.as_path(), "a recorded run")));
        input::apart(out, inputs)?;
    }
    let mut observation = Observation::new(&catalog);
    let oddities = recordings::each(&options.transcripts, |run| {
        observation.look(run);
        Ok(())
    })?;
    let learned = observation.learned();
    let mut comparison = learned.compare();
    recordings::each(&options.transcripts, |run| {
        comparison.follow(run);
        Ok(())
    })?;
    let proposal = comparison.proposal();
    check(&proposal, &catalog)?;
    match &options.out {
        Some(out) => {
            input::write(out, &proposal)?;
            render::line(&format!("the proposal is in {}", out.display()))?;
        }
        None => render::text(&proposal)?,
    }
    recordings::note(&oddities);
    Ok(Exit::Clean)
}

/// Nobody is handed an overlay that the next command would refuse.
fn check(proposal: &str, catalog: &Catalog) -> anyhow::Result<()> {
    Overlay::from_text(proposal)
        .and_then(|overlay| catalog.clone().apply(&overlay))
        .map_err(|error| {
            anyhow!(
                "the proposal is no overlay that these tools can take ({error}); please report it"
            )
        })
}
