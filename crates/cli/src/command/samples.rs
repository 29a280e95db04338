//! `lictor samples`: recorded answers without the policy's text, and back.

use crate::arguments::{Repack, Samples, SamplesCommand};
use crate::exit::Exit;
use crate::{input, render};
use anyhow::{anyhow, bail};
use lictor_extract::{SamplesFile, pack, unpack};

/// Runs the command.
pub fn run(options: &Samples) -> anyhow::Result<Exit> {
    let (paths, packing) = match &options.command {
        SamplesCommand::Pack(paths) => (paths, true),
        SamplesCommand::Unpack(paths) => (paths, false),
    };
    let Repack {
        samples,
        policy,
        out,
    } = paths;
    input::apart(out, [(policy.as_path(), "the policy")])?;
    let policy = input::policy(policy)?;
    let text = input::text(samples, "the samples file")?;
    // Any lines of JSON could be rewritten; only answers are worth it.
    let (answers, notes) =
        SamplesFile::read(&text).map_err(|error| anyhow!("{}: {error}", samples.display()))?;
    if answers.is_empty() {
        bail!(
            "{}: no line is an answer of a model; give a samples file or the output file of a batch",
            samples.display()
        );
    }
    for note in notes {
        render::note(&format!("note: {}: {note}", samples.display()));
    }
    let result = if packing {
        pack(&text, &policy)
    } else {
        unpack(&text, &policy)
    };
    let result = result.map_err(|error| anyhow!("{}: {error}", samples.display()))?;
    input::write(out, &result)?;
    let done = if packing { "packed" } else { "unpacked" };
    render::line(&format!(
        "{} answers {done} into {}",
        result.lines().count(),
        out.display()
    ))?;
    Ok(Exit::Clean)
}
