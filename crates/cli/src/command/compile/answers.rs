//! Where the answers come from: the samples file beside the policy, a file of
//! responses, or a model.

use crate::arguments::Compile;
use crate::config::Config;
use crate::input;
use crate::render;
use anyhow::{Context, anyhow};
use indicatif::{ProgressBar, ProgressStyle};
use lictor_contract::source::Source;
use lictor_extract::{Endpoint, Plan, SamplesFile, SamplesSink, ask, has_packed_texts, unpack};
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

/// Where recorded answers are kept.
pub fn beside(options: &Compile) -> PathBuf {
    let named = || options.policy.with_extension("samples.jsonl");
    options.answers.clone().unwrap_or_else(named)
}

/// The answers to compile from; none if only requests were asked for.
pub fn gather(
    options: &Compile,
    config: &Config,
    plan: &Plan,
    policy: &Source,
) -> anyhow::Result<Option<SamplesFile>> {
    let beside = beside(options);
    if let Some(path) = &options.responses {
        let answers = read(path, policy)?
            .ok_or_else(|| anyhow!("the responses file `{}` does not exist", path.display()))?;
        return Ok(Some(answers));
    }
    let answers = read(&beside, policy)?.unwrap_or_default();
    let missing = plan.missing(&answers).len();
    if let Some(path) = &options.write_requests {
        input::write(path, &plan.write_requests(&answers))?;
        render::line(&format!("{missing} requests written to {}", path.display()))?;
        return Ok(None);
    }
    if missing == 0 {
        return Ok(Some(answers));
    }
    let model = options.model.clone().or_else(|| config.model.clone());
    match Endpoint::from_environment(model) {
        Ok(endpoint) => ask_model(plan, policy, &beside, &endpoint).map(Some),
        // Without an endpoint what is recorded is compiled, and the rest is
        // reported as not answered.
        Err(why) if missing < plan.requests().len() => {
            let all = plan.requests().len();
            render::note(&format!(
                "note: {missing} of {all} requests have no answer, and no model was asked: {why}"
            ));
            Ok(Some(answers))
        }
        Err(why) if answers.is_empty() => Err(anyhow!(
            "there are no recorded answers in `{}`, and no model can be asked: {why}",
            beside.display()
        )),
        Err(why) => Err(anyhow!(
            "none of the {} recorded answers in `{}` is about this policy and these tools as they are now, and no model can be asked: {why}",
            answers.len(),
            beside.display()
        )),
    }
}

/// Reads a samples file, packed or not; a packed one is checked against the policy.
fn read(path: &Path, policy: &Source) -> anyhow::Result<Option<SamplesFile>> {
    if !path.exists() {
        return Ok(None);
    }
    let mut text = input::text(path, "the samples file")?;
    if has_packed_texts(&text) {
        text = unpack(&text, policy).map_err(|error| anyhow!("{}: {error}", path.display()))?;
    }
    let (answers, notes) =
        SamplesFile::read(&text).map_err(|error| anyhow!("{}: {error}", path.display()))?;
    for note in notes {
        render::note(&format!("note: {}: {note}", path.display()));
    }
    Ok(Some(answers))
}

/// Asks what has no answer yet; each answer is on disk before the next is awaited.
fn ask_model(
    plan: &Plan,
    policy: &Source,
    path: &Path,
    endpoint: &Endpoint,
) -> anyhow::Result<SamplesFile> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("no runtime for network requests")?;
    let mut sink = SamplesSink::open(path)
        .with_context(|| format!("`{}` cannot be written", path.display()))?;
    let bar = progress_bar();
    let asked = runtime.block_on(ask(plan, &mut sink, endpoint, &|progress| {
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
    }));
    bar.finish_and_clear();
    asked?;
    Ok(read(path, policy)?.unwrap_or_default())
}

/// A bar on a terminal, nothing in a pipe.
fn progress_bar() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(0);
    if let Ok(style) =
        ProgressStyle::with_template("asking {bar:30} {pos}/{len} answers, {elapsed}")
    {
        bar.set_style(style);
    }
    bar
}
