//! What can be typed, exactly as it was typed.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// Turns a written policy into rules that an LLM agent cannot break.
#[derive(Debug, Parser)]
#[command(name = "lictor", version, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compile a policy and a tool catalog into a verified contract library
    Compile(Compile),
    /// Verify hand-written rules, and seal what survives
    Check(Check),
    /// Judge recorded runs by a library
    Evaluate(Evaluate),
    /// Find rules that would refuse legitimate work in recorded runs
    Preflight(Preflight),
    /// Say what was recognised in recorded runs
    Transcripts(Transcripts),
    /// What is known about tools: propose an overlay from recorded runs
    Catalog(Catalog),
    /// Explain a diagnostic by its code or name
    Explain(Explain),
    /// Pack and unpack recorded model answers
    Samples(Samples),
    /// Temporal logic on finite traces: parse, sat, dfa, equiv
    Ltlf(Ltlf),
}

/// How a command prints its report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// One JSON object
    Json,
}

/// Where the tools come from.
#[derive(Debug, Args)]
pub struct ToolOptions {
    /// A tool catalog, a JSON file in OpenAI, Anthropic, MCP or OpenAPI form; several are joined
    /// [default: `catalog` of lictor.toml]
    #[arg(long, value_name = "[SERVER=]FILE")]
    pub tools: Vec<OsString>,
    /// What schemas do not say of the tools, as YAML or JSON [default: `overlay` of lictor.toml]
    #[arg(long, value_name = "FILE")]
    pub overlay: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Compile {
    /// The policy, a Markdown or text file
    pub policy: PathBuf,
    #[command(flatten)]
    pub tools: ToolOptions,
    /// Recorded runs for the preflight: files or folders
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub transcripts: Vec<PathBuf>,
    /// Samples for each section of the policy [default: `samples` of lictor.toml, else 5]
    #[arg(long, value_name = "N")]
    pub samples: Option<usize>,
    /// Recorded answers [default: the policy's name with .samples.jsonl]
    #[arg(long, value_name = "FILE")]
    pub answers: Option<PathBuf>,
    /// Write the requests that have no answer yet, and ask nobody
    #[arg(long, value_name = "FILE", conflicts_with = "responses")]
    pub write_requests: Option<PathBuf>,
    /// Take answers from this file, in the OpenAI batch format, and ask nobody
    #[arg(long, value_name = "FILE")]
    pub responses: Option<PathBuf>,
    /// The model to ask [default: LICTOR_MODEL, else `model` of lictor.toml]
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// Where the library goes [default: the policy's name with .json]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Switch a check off, for an ablation
    #[arg(long, value_name = "NAME")]
    pub no_check: Vec<String>,
    /// Share of refused calls in passing runs from which a binding is flagged
    #[arg(long, value_name = "SHARE", default_value_t = 0.9)]
    pub flag_at: f64,
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct Check {
    /// Rules as YAML or JSON
    pub rules: PathBuf,
    #[command(flatten)]
    pub tools: ToolOptions,
    /// Seal what survives into this library
    #[arg(long, value_name = "LIBRARY")]
    pub out: Option<PathBuf>,
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// What happens to a refused call in a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Replay {
    /// It stays in the trace, as in shadow
    #[default]
    Audit,
    /// It steps nothing, as live; its recorded result still supplies facts
    Gate,
}

/// How `evaluate` prints its report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum EvaluateFormat {
    /// Totals, for people
    #[default]
    Text,
    /// Totals and runs as one JSON object
    Json,
    /// One JSON object a run
    Jsonl,
}

#[derive(Debug, Args)]
pub struct Evaluate {
    /// A compiled library
    pub library: PathBuf,
    /// Recorded runs: files or folders
    #[arg(long, value_name = "PATH", num_args = 1.., required = true)]
    pub transcripts: Vec<PathBuf>,
    /// What happens to a call that the gate would have refused
    #[arg(long, value_enum, default_value_t)]
    pub replay: Replay,
    #[arg(long, value_enum, default_value_t)]
    pub format: EvaluateFormat,
}

#[derive(Debug, Args)]
pub struct Preflight {
    /// A compiled library
    pub library: PathBuf,
    /// Recorded, undefended runs: files or folders
    #[arg(long, value_name = "PATH", num_args = 1.., required = true)]
    pub transcripts: Vec<PathBuf>,
    /// Share of refused calls in passing runs from which a binding is flagged
    #[arg(long, value_name = "SHARE", default_value_t = 0.9)]
    pub flag_at: f64,
    /// Remove the flagged bindings and write what remains
    #[arg(long, requires = "out")]
    pub unbind: bool,
    /// Where the library without flagged bindings goes
    #[arg(long, value_name = "FILE", requires = "unbind")]
    pub out: Option<PathBuf>,
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// How `transcripts` prints its report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LinesFormat {
    /// For people
    #[default]
    Text,
    /// One JSON object
    Json,
    /// One JSON object a file
    Jsonl,
}

#[derive(Debug, Args)]
pub struct Transcripts {
    /// Recorded runs: files or folders
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    #[arg(long, value_enum, default_value_t)]
    pub format: LinesFormat,
}

#[derive(Debug, Args)]
pub struct Catalog {
    #[command(subcommand)]
    pub command: CatalogCommand,
}

#[derive(Debug, Subcommand)]
pub enum CatalogCommand {
    /// Propose an overlay from schemas and recorded runs, each line with its evidence
    Infer(Infer),
}

#[derive(Debug, Args)]
pub struct Infer {
    #[command(flatten)]
    pub tools: ToolOptions,
    /// Recorded runs: files or folders
    #[arg(long, value_name = "PATH", num_args = 1.., required = true)]
    pub transcripts: Vec<PathBuf>,
    /// Where the overlay goes [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Explain {
    /// A code or a name, such as L0101 or unknown-tool
    #[arg(required_unless_present = "list")]
    pub code: Option<String>,
    /// List everything that can be found
    #[arg(long)]
    pub list: bool,
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct Samples {
    #[command(subcommand)]
    pub command: SamplesCommand,
}

#[derive(Debug, Subcommand)]
pub enum SamplesCommand {
    /// Write recorded answers without the policy's text
    Pack(Repack),
    /// Restore packed answers and check them against the policy
    Unpack(Repack),
}

#[derive(Debug, Args)]
pub struct Repack {
    /// The samples file
    pub samples: PathBuf,
    /// The policy the answers are about
    #[arg(long, value_name = "FILE")]
    pub policy: PathBuf,
    /// Where the result goes
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

#[derive(Debug, Args)]
pub struct Ltlf {
    #[command(subcommand)]
    pub command: LtlfCommand,
}

#[derive(Debug, Subcommand)]
pub enum LtlfCommand {
    /// Print a formula in canonical form
    Parse(OneFormula),
    /// Decide whether a non-empty trace satisfies a formula, with a shortest one
    Sat(OneFormula),
    /// Print the minimal automaton
    Dfa(Dfa),
    /// Decide whether two formulas mean the same, with a shortest trace that tells them apart
    Equiv(TwoFormulas),
}

#[derive(Debug, Args)]
pub struct OneFormula {
    /// A formula over bare propositions
    pub formula: String,
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct TwoFormulas {
    /// The one
    pub left: String,
    /// The other
    pub right: String,
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// How an automaton is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DfaFormat {
    /// For people
    #[default]
    Text,
    /// One JSON object
    Json,
    /// One JSON object a formula
    Jsonl,
    /// Graphviz
    Dot,
    /// Hanoi omega-automata format
    Hoa,
}

#[derive(Debug, Args)]
pub struct Dfa {
    /// A formula over bare propositions
    #[arg(required_unless_present = "formulas", conflicts_with = "formulas")]
    pub formula: Option<String>,
    /// A file of lines `name<TAB>formula`
    #[arg(long, value_name = "FILE")]
    pub formulas: Option<PathBuf>,
    #[arg(long, value_enum, default_value_t)]
    pub format: DfaFormat,
    /// Add the microseconds of translation and minimisation
    #[arg(long)]
    pub timing: bool,
}
