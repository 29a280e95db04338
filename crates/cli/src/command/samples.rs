//! `lictor samples`: recorded answers without the policy's text, and back.

use crate::arguments::{Repack, Samples, SamplesCommand};
use crate::exit::Exit;
use crate::{input, render};
use anyhow::anyhow;
use lictor_extract::{pack, unpack};

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
    let policy = input::source(policy, "the policy")?;
    let text = input::text(samples, "the samples file")?;
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
