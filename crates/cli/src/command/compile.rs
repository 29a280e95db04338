//! `lictor compile`: a policy and a catalog become a verified library.

mod answers;
mod report;

use crate::arguments::{Compile, Format};
use crate::config::Config;
use crate::exit::Exit;
use crate::tools::Tools;
use crate::{input, recordings, render};
use anyhow::{anyhow, bail};
use lictor_compile::{Compiled, Options, compile};
use lictor_contract::diagnostic::{Code, Diagnostic};
use lictor_contract::draft::SampleOutcome;
use lictor_contract::language::nearest;
use lictor_contract::source::Source;
use lictor_extract::{Plan, draft, plan};
use lictor_monitor::Monitor;
use lictor_replay::preflight::{Preflight, preflight};
use lictor_replay::{Run, learn_results};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Samples for each section unless something else is said.
const SAMPLES: usize = 5;

/// Most samples for each section; a vote settles with far fewer.
const MOST_SAMPLES: usize = 100;

/// Runs the command.
pub fn run(options: &Compile) -> anyhow::Result<Exit> {
    let config = Config::beside(&options.policy)?;
    let disabled = disabled(&options.no_check)?;
    super::preflight::check_share(options.flag_at)?;
    let policy = input::policy(&options.policy)?;
    let tools = Tools::chosen(&options.tools, &config)?;
    let mut catalog = tools.catalog()?;
    let samples = options.samples.or(config.samples).unwrap_or(SAMPLES);
    if samples > MOST_SAMPLES {
        bail!("{samples} samples for each section are too many; ask for at most {MOST_SAMPLES}");
    }
    apart(options, &tools)?;
    let plan =
        plan(&policy, &catalog, samples).map_err(|error| anyhow!("{}: {error}", policy.name()))?;

    // After the requests are planned, since what a model is asked never depends
    // on an overlay or on recordings; before it is asked, so that a wrong path
    // costs nothing.
    tools.describe(&mut catalog)?;
    let mut runs: Vec<Run> = Vec::new();
    let mut oddities = Vec::new();
    if !options.transcripts.is_empty() && options.write_requests.is_none() {
        oddities = recordings::each(&options.transcripts, |run| {
            learn_results(&mut catalog, run);
            runs.push(run.clone());
            Ok(())
        })?;
    }

    let Some(answers) = answers::gather(options, &config, &plan, &policy)? else {
        return Ok(Exit::Clean);
    };
    let (draft, mut diagnostics) = draft(&plan, &answers);
    if draft
        .reports
        .iter()
        .all(|report| report.outcome != SampleOutcome::Read)
    {
        bail!("{}", nothing_read(&plan, &diagnostics));
    }
    let compiled = compile(
        &policy,
        &draft,
        &catalog,
        &config.settings(),
        &Options {
            disabled,
            ..Options::default()
        },
    );
    diagnostics.extend(compiled.diagnostics.iter().cloned());
    let preflight = match &compiled.library {
        Some(library) if !runs.is_empty() => {
            let monitor = Monitor::new(library)?;
            Some(preflight(library, &monitor, &runs, options.flag_at))
        }
        _ => None,
    };
    if let (Some(preflight), Some(library)) = (&preflight, &compiled.library) {
        diagnostics.extend(super::preflight::diagnostics(
            preflight,
            library,
            Some(&policy),
        ));
    }
    let out = write(options, &compiled)?;
    tell(
        options,
        &policy,
        &compiled,
        preflight.as_ref(),
        &diagnostics,
        out.as_ref(),
    )?;
    recordings::note(&oddities);
    // A repair that succeeded is a note; a rejection is for somebody to look at.
    Ok(Exit::of(&diagnostics))
}

/// Sees to it that what is written replaces nothing that is read.
fn apart(options: &Compile, tools: &Tools) -> anyhow::Result<()> {
    let answers = answers::beside(options);
    let runs = options.transcripts.iter();
    let mut inputs = vec![
        (options.policy.as_path(), "the policy"),
        (&answers, "the samples file"),
    ];
    inputs.extend(tools.inputs());
    inputs.extend(runs.map(|run| (run.as_path(), "a recorded run")));
    inputs.extend(
        options
            .responses
            .iter()
            .map(|it| (it.as_path(), "the responses file")),
    );
    let out = match &options.write_requests {
        Some(requests) => requests.clone(),
        None => out(options),
    };
    input::apart(&out, inputs)
}

/// Where the library goes.
fn out(options: &Compile) -> PathBuf {
    let beside = || options.policy.with_extension("json");
    options.out.clone().unwrap_or_else(beside)
}

/// The checks that are switched off.
fn disabled(names: &[String]) -> anyhow::Result<BTreeSet<Code>> {
    let checks = lictor_compile::checks();
    names
        .iter()
        .map(|name| {
            Code::find(name)
                .filter(|code| checks.contains(code))
                .ok_or_else(|| {
                    let near = nearest(name, checks.iter().map(|code| code.name()));
                    let hint = near.map_or_else(
                        || "`lictor explain --list` lists them".to_owned(),
                        |near| format!("did you mean `{near}`?"),
                    );
                    anyhow!("there is no check `{name}` to switch off; {hint}")
                })
        })
        .collect()
}

/// Why there is nothing to compile.
fn nothing_read(plan: &Plan, diagnostics: &[Diagnostic]) -> String {
    let first = diagnostics.iter().find(|it| it.code == Code::FailedSample);
    let why = first.map_or_else(String::new, |it| {
        format!("; the first failure: {}", it.message)
    });
    format!(
        "none of the {} requests has an answer that can be read, so there is no library{why}; \
         set OPENAI_API_KEY and LICTOR_MODEL, or use --write-requests and --responses",
        plan.requests().len()
    )
}

/// Writes the library; where, or nothing if there is none.
fn write(options: &Compile, compiled: &Compiled) -> anyhow::Result<Option<PathBuf>> {
    let Some(library) = &compiled.library else {
        return Ok(None);
    };
    let out = out(options);
    input::write(&out, &library.to_json())?;
    Ok(Some(out))
}

fn tell(
    options: &Compile,
    policy: &Source,
    compiled: &Compiled,
    preflight: Option<&Preflight>,
    diagnostics: &[Diagnostic],
    out: Option<&PathBuf>,
) -> anyhow::Result<()> {
    let parts = report::Parts {
        policy,
        report: &compiled.report,
        library: compiled.library.as_ref(),
        preflight,
        diagnostics,
        out,
    };
    match options.format {
        Format::Json => render::json(&report::json(&parts)?),
        Format::Text => render::text(&report::text(&parts)),
    }
}
