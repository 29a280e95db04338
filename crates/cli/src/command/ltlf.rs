//! `lictor ltlf`: the logic on its own, over bare propositions.

use crate::arguments::{
    Dfa as DfaOptions, DfaFormat, Format, Ltlf, LtlfCommand, OneFormula, TwoFormulas,
};
use crate::exit::Exit;
use crate::{input, render};
use anyhow::{anyhow, bail};
use lictor_ltlf::decide::{Answer, equivalent, satisfiable, valid};
use lictor_ltlf::semantics::holds_on_empty;
use lictor_ltlf::{Axioms, Dfa, Formula, Letter, Limits};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::time::Instant;

/// Runs the command.
pub fn run(options: &Ltlf) -> anyhow::Result<Exit> {
    match &options.command {
        LtlfCommand::Parse(options) => parse(options),
        LtlfCommand::Sat(options) => sat(options),
        LtlfCommand::Dfa(options) => dfa(options),
        LtlfCommand::Equiv(options) => equiv(options),
    }
}

/// Reads a formula; the error shows it with a caret under the place.
fn read(text: &str) -> anyhow::Result<Formula<String>> {
    lictor_ltlf::parse(text).map_err(|error| {
        let before = text.get(..error.offset).unwrap_or(text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        let shown = text
            .lines()
            .nth(before.matches('\n').count())
            .unwrap_or_default();
        if shown.chars().count() > 200 {
            return anyhow!("{error}");
        }
        let caret = " ".repeat(line.chars().count());
        anyhow!(
            "{}\n  {shown}\n  {caret}^\nhelp: {}",
            error.message,
            error.help
        )
    })
}

fn parse(options: &OneFormula) -> anyhow::Result<Exit> {
    let formula = read(&options.formula)?;
    match options.format {
        Format::Text => render::line(&formula.to_string())?,
        Format::Json => {
            let atoms: Vec<&String> = formula.atoms().into_iter().collect();
            render::json(
                &json!({"diagnostics": [], "formula": formula.to_string(), "atoms": atoms}),
            )?;
        }
    }
    Ok(Exit::Clean)
}

fn sat(options: &OneFormula) -> anyhow::Result<Exit> {
    let formula = read(&options.formula)?;
    let witness = satisfiable(&formula, &Axioms::none(), &Limits::default())?;
    match options.format {
        Format::Text => match &witness {
            Some(trace) => render::line(&format!(
                "satisfiable, for instance by {}",
                trace_text(trace)
            ))?,
            None => render::line("unsatisfiable: no non-empty trace satisfies it")?,
        },
        Format::Json => render::json(&json!({
            "diagnostics": [], "sat": witness.is_some(), "witness": witness, "eps": holds_on_empty(&formula),
        }))?,
    }
    Ok(Exit::found(witness.is_none()))
}

fn equiv(options: &TwoFormulas) -> anyhow::Result<Exit> {
    let (left, right) = (read(&options.left)?, read(&options.right)?);
    let answer = equivalent(&left, &right, &Axioms::none(), &Limits::default())?;
    let trace = answer.counterexample();
    let by_left = trace.map(|trace| {
        lictor_ltlf::semantics::holds(&left, trace, |letter, atom| letter.contains(atom))
    });
    match options.format {
        Format::Text => match trace {
            None => render::line("equivalent: the same non-empty traces satisfy both")?,
            Some(trace) => render::line(&format!(
                "different: only the {} one is satisfied by {}",
                if by_left == Some(true) {
                    "first"
                } else {
                    "second"
                },
                trace_text(trace)
            ))?,
        },
        Format::Json => render::json(&json!({
            "diagnostics": [], "equivalent": answer.is_yes(), "trace": trace, "satisfies_left": by_left,
        }))?,
    }
    Ok(Exit::found(!answer.is_yes()))
}

/// A trace as letters in braces.
fn trace_text(trace: &[Letter<String>]) -> String {
    let letter = |letter: &Letter<String>| {
        let atoms: Vec<&str> = letter.iter().map(String::as_str).collect();
        format!("{{{}}}", atoms.join(", "))
    };
    trace.iter().map(letter).collect::<Vec<_>>().join(" ")
}

fn dfa(options: &DfaOptions) -> anyhow::Result<Exit> {
    let Some(path) = &options.formulas else {
        let text = options.formula.as_deref().unwrap_or_default();
        return one_dfa("", &read(text)?, options).map(|()| Exit::Clean);
    };
    let text = input::text(path, "the formula file")?;
    let text = input::without_mark(&text);
    let is_formula = |line: &str| !(line.trim().is_empty() || line.starts_with('#'));
    if !text.lines().any(is_formula) {
        bail!(
            "the formula file `{}` has no formula; each line is a name, a tab and a formula",
            path.display()
        );
    }
    for (index, line) in text.lines().enumerate() {
        if !is_formula(line) {
            continue;
        }
        let place = format!("{}:{}", path.display(), index + 1);
        let Some((name, formula)) = line.split_once('\t') else {
            bail!("{place}: no tab; each line is a name, a tab and a formula");
        };
        let formula = read(formula).map_err(|error| anyhow!("{place}: {error}"))?;
        one_dfa(name, &formula, options).map_err(|error| anyhow!("{place}: {error}"))?;
    }
    Ok(Exit::Clean)
}

fn one_dfa(name: &str, formula: &Formula<String>, options: &DfaOptions) -> anyhow::Result<()> {
    let started = Instant::now();
    let dfa = Dfa::translate(formula, &Axioms::none(), &Limits::default())?;
    let micros = started.elapsed().as_secs_f64() * 1e6;
    match options.format {
        DfaFormat::Dot => render::text(&dfa.to_dot(Clone::clone)),
        DfaFormat::Hoa => render::text(&dfa.to_hoa(Clone::clone)),
        DfaFormat::Text => {
            let mut text = text_of(&dfa);
            if options.timing {
                let _ = writeln!(text, "{micros:.1} microseconds");
            }
            if !name.is_empty() {
                text.insert_str(0, &format!("{name}\n"));
            }
            render::text(&text)
        }
        DfaFormat::Json | DfaFormat::Jsonl => {
            let mut object = facts(name, formula, &dfa)?;
            if options.timing {
                object.insert("micros".into(), json!(micros));
            }
            if options.format == DfaFormat::Jsonl {
                return render::line(&Value::Object(object).to_string());
            }
            object.insert("transitions".into(), transitions(&dfa));
            object.insert("diagnostics".into(), json!([]));
            render::json(&Value::Object(object))
        }
    }
}

/// What the machine form says of every automaton (DESIGN section 8).
fn facts(
    name: &str,
    formula: &Formula<String>,
    dfa: &Dfa<String>,
) -> anyhow::Result<Map<String, Value>> {
    let limits = Limits::default();
    let sat = satisfiable(formula, &Axioms::none(), &limits)?.is_some();
    let valid = matches!(valid(formula, &Axioms::none(), &limits)?, Answer::Yes);
    Ok(Map::from_iter([
        ("name".to_owned(), json!(name)),
        ("states".to_owned(), json!(dfa.state_count())),
        ("sat".to_owned(), json!(sat)),
        ("valid".to_owned(), json!(valid)),
        ("eps".to_owned(), json!(dfa.is_accepting(dfa.initial()))),
    ]))
}

fn transitions(dfa: &Dfa<String>) -> Value {
    dfa.transitions()
        .map(|transition| {
            let cube: Map<String, Value> = transition
                .cube
                .iter()
                .map(|(atom, value)| ((*atom).clone(), Value::Bool(*value)))
                .collect();
            json!({"from": transition.from.index(), "if": cube, "to": transition.to.index()})
        })
        .collect()
}

fn text_of(dfa: &Dfa<String>) -> String {
    let mut text = String::new();
    for state in dfa.states() {
        let mut marks = Vec::new();
        if state == dfa.initial() {
            marks.push("initial");
        }
        if dfa.is_accepting(state) {
            marks.push("accepting");
        }
        if dfa.is_dead(state) {
            marks.push("dead");
        }
        if dfa.is_safe(state) {
            marks.push("safe");
        }
        let _ = writeln!(text, "state {}  {}", state.index(), marks.join(" "));
        for transition in dfa.transitions_of(state) {
            let cube: Vec<String> = transition
                .cube
                .iter()
                .map(|(atom, value)| {
                    if *value {
                        (*atom).clone()
                    } else {
                        format!("!{atom}")
                    }
                })
                .collect();
            let cube = if cube.is_empty() {
                "true".to_owned()
            } else {
                cube.join(" & ")
            };
            let _ = writeln!(text, "  {cube} -> {}", transition.to.index());
        }
    }
    text
}
