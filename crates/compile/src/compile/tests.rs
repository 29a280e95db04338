//! Whole compiles over small drafts: votes by meaning, counts that add up, and
//! a row for every clause.

use super::*;
use lictor_contract::draft::{
    Citation, Clause, NoRule, RuleText, SampleReport, Section, Unencoded,
};
use lictor_contract::library::Coverage;

const POLICY: &str = "Only a pending order may be cancelled.\n\
    Refunds are capped at 150, and each order is refunded once.\n\
    Ask for a yes before any change.\n\
    Be kind.\n\
    We sell bicycles.\n\
    Never refund in cash.\n";

const TOOLS: &str = r#"[
  {"name": "get_order", "x-write": false, "parameters": {"properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}},
  {"name": "cancel", "x-write": true, "parameters": {"properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}},
  {"name": "refund", "x-write": true, "parameters": {"properties": {"order_id": {"type": "string"}, "amount": {"type": "number"}}, "required": ["order_id", "amount"]}}]"#;

/// A draft of five samples, all read, over one section.
struct Drafting {
    policy: Source,
    draft: Draft,
}

impl Drafting {
    fn new() -> Self {
        let policy = Source::new("desk-rules.md", POLICY);
        let clauses = (1..=policy.line_count())
            .map(|line| Clause {
                lines: Lines {
                    first: line,
                    last: line,
                },
                range: policy.lines(line, line),
                text: policy.line_text(line, line).to_owned(),
                headings: Vec::new(),
                section: 0,
            })
            .collect();
        let draft = Draft {
            sections: vec![Section {
                title: "Desk".into(),
                lines: Lines { first: 1, last: 6 },
            }],
            clauses,
            samples: 5,
            reports: (0..5)
                .map(|sample| SampleReport {
                    section: 0,
                    sample,
                    outcome: SampleOutcome::Read,
                })
                .collect(),
            model: "m".into(),
            ..Draft::default()
        };
        Drafting { policy, draft }
    }

    fn citation(&self, line: usize) -> Citation {
        Citation {
            lines: Lines {
                first: line,
                last: line,
            },
            range: self.policy.lines(line, line),
            quote: self.policy.line_text(line, line).to_owned(),
        }
    }

    fn says(
        &mut self,
        sample: usize,
        line: usize,
        kind: &str,
        tools: &[&str],
        slot: &str,
    ) -> &mut Self {
        let number = self
            .draft
            .candidates
            .iter()
            .filter(|other| other.sample == sample)
            .count()
            + 1;
        let mut rule = RuleText {
            kind: kind.into(),
            tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
            ..RuleText::default()
        };
        match kind {
            "precondition" | "prohibition" => {
                rule.condition = (!slot.is_empty()).then(|| slot.into())
            }
            "once-per" => rule.keys = vec![slot.into()],
            "formula" => rule.guarantee = Some(slot.into()),
            _ => {}
        }
        self.draft.candidates.push(Candidate {
            id: format!("s{}.1.{number}", sample + 1),
            sample,
            section: 0,
            citation: self.citation(line),
            rule,
            says: format!("line {line}"),
        });
        self
    }

    fn silent(&mut self, sample: usize, line: usize, reason: NoRule) -> &mut Self {
        let citation = self.citation(line);
        self.draft.unencoded.push(Unencoded {
            sample,
            citation,
            reason,
            note: "why".into(),
        });
        self
    }

    fn compile(&self) -> Compiled {
        let catalog = Catalog::from_json(TOOLS).unwrap();
        compile(
            &self.policy,
            &self.draft,
            &catalog,
            &Settings::default(),
            &Options::default(),
        )
    }
}

fn guarantees(compiled: &Compiled) -> Vec<String> {
    let contracts = compiled
        .library
        .iter()
        .flat_map(|library| &library.contracts);
    contracts
        .map(|contract| {
            format!(
                "{} {} {}",
                contract.id,
                contract.bindings.join("+"),
                contract.guarantee
            )
        })
        .collect()
}

const PENDING: &str = r#"last(get_order, order_id = arg.order_id).status == "pending""#;

#[test]
fn five_wordings_of_one_rule_are_one_contract() {
    let mut drafting = Drafting::new();
    drafting
        .says(0, 1, "precondition", &["cancel"], PENDING)
        .says(1, 1, "prohibition", &["?cancel"], &format!("!({PENDING})"))
        .says(
            2,
            1,
            "formula",
            &["cancel"],
            &format!("G (call(cancel) -> {PENDING})"),
        )
        .says(
            3,
            1,
            "precondition",
            &["Cancel"],
            r#"last(get_order, order_id = arg.order_id).status in ["pending"]"#,
        )
        .says(
            4,
            1,
            "prohibition",
            &["cancel"],
            r#"last(get_order, order_id = arg.order_id).status != "pending""#,
        );
    let compiled = drafting.compile();
    assert_eq!(
        guarantees(&compiled),
        [format!("DES-001 cancel G (call(cancel) -> {PENDING})")]
    );
    let library = compiled.library.as_ref().unwrap();
    let evidence = &library.contracts[0].evidence;
    assert_eq!(
        (
            evidence.samples,
            evidence.votes[0].votes,
            evidence.candidates.len()
        ),
        (5, 5, 5)
    );
    assert_eq!(
        (
            compiled.report.outcomes.enforced,
            compiled.report.outcomes.merged
        ),
        (1, 4)
    );
    assert_eq!(Library::from_json(&library.to_json()).unwrap(), *library);
}

#[test]
fn the_vote_is_per_binding_and_the_bindings_come_back_together() {
    let mut drafting = Drafting::new();
    for sample in 0..5 {
        let tools: &[&str] = if sample < 3 {
            &["cancel", "refund"]
        } else {
            &["cancel", "get_order"]
        };
        drafting.says(sample, 3, "confirmation", tools, "");
    }
    let compiled = drafting.compile();
    assert_eq!(
        guarantees(&compiled),
        [
            "DES-001 cancel+refund G (call(cancel | refund) -> !user S confirms & count(ok(cancel | refund), since = confirms) == 0)"
        ]
    );
    let votes: Vec<u32> = compiled.library.unwrap().contracts[0]
        .evidence
        .votes
        .iter()
        .map(|votes| votes.votes)
        .collect();
    assert_eq!(votes, [5, 3]);
    assert_eq!(compiled.report.outcomes.repaired["write-overreach"], 2);
}

#[test]
fn two_of_five_are_a_minority_and_told() {
    let mut drafting = Drafting::new();
    drafting
        .says(0, 2, "prohibition", &["refund"], "arg.amount > 150")
        .says(1, 2, "precondition", &["refund"], "arg.amount <= 150")
        .says(1, 2, "precondition", &["refund"], "arg.amount < 151")
        // One sample counts once, however often it repeats itself.
        .says(1, 2, "precondition", &["refund"], "150 >= arg.amount");
    let compiled = drafting.compile();
    assert!(compiled.library.is_none());
    assert_eq!(compiled.report.outcomes.minority, 4);
    let row = &compiled.report.minority[0];
    assert_eq!((row.votes, row.samples, row.candidates.len()), (2, 5, 3));
    let codes: Vec<Code> = compiled
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.code)
        .collect();
    assert_eq!(
        codes,
        [Code::MinorityRule, Code::MinorityRule, Code::EmptyLibrary]
    );
    assert!(
        matches!(&compiled.report.coverage[1].coverage, Coverage::Missed { note } if note.contains("minority-rule"))
    );
}

#[test]
fn the_majority_is_taken_over_the_answers_that_could_be_read() {
    let mut drafting = Drafting::new();
    drafting
        .says(0, 2, "prohibition", &["refund"], "arg.amount > 150")
        .says(1, 2, "precondition", &["refund"], "arg.amount <= 150");
    for report in drafting.draft.reports.iter_mut().skip(3) {
        report.outcome = SampleOutcome::Failed("cut".into());
    }
    let compiled = drafting.compile();
    assert_eq!(guarantees(&compiled).len(), 1);
    let provenance = compiled.library.unwrap().provenance;
    assert_eq!(
        (provenance.samples, provenance.answers, provenance.failed),
        (5, 3, 2)
    );
}

#[test]
fn one_conjunction_and_two_rules_agree() {
    let mut drafting = Drafting::new();
    for sample in 0..3 {
        drafting.says(
            sample,
            2,
            "precondition",
            &["refund"],
            "arg.amount <= 150 & count(ok(refund), order_id = arg.order_id) == 0",
        );
    }
    for sample in 3..5 {
        drafting.says(sample, 2, "precondition", &["refund"], "arg.amount <= 150");
        drafting.says(sample, 2, "once-per", &["refund"], "order_id");
    }
    let compiled = drafting.compile();
    let library = compiled.library.as_ref().unwrap();
    assert_eq!(library.contracts.len(), 2);
    assert!(
        library
            .contracts
            .iter()
            .all(|contract| contract.evidence.votes[0].votes == 5)
    );
    assert_eq!(
        compiled.report.coverage[1].coverage,
        Coverage::Enforced {
            contracts: vec!["DES-001".into(), "DES-002".into()]
        }
    );
}

#[test]
fn every_clause_gets_one_row_and_every_candidate_one_fate() {
    let mut drafting = Drafting::new();
    for sample in 0..5 {
        drafting.says(sample, 1, "precondition", &["cancel"], PENDING);
        drafting.says(sample, 6, "prohibition", &["pay_cash"], "");
        drafting.silent(sample, 4, NoRule::Semantic);
        if sample < 3 {
            drafting.silent(sample, 5, NoRule::NotNormative);
            drafting.says(
                sample,
                2,
                "precondition",
                &["refund", "cancel"],
                "arg.amount <= 150 & arg.price > 3",
            );
        }
    }
    drafting.says(0, 3, "precondition", &["refund"], "arg.amount <=");
    let compiled = drafting.compile();
    let report = &compiled.report;
    assert!(report.outcomes.is_partition(), "{:?}", report.outcomes);
    assert_eq!(report.outcomes.rejected["unknown-tool"], 5);
    assert_eq!(report.outcomes.rejected["syntax"], 1);
    assert_eq!(report.outcomes.repaired["argument-not-in-signature"], 3);
    let status = |row: usize| format!("{:?}", report.coverage[row].coverage);
    assert!(status(0).starts_with("Enforced"), "{}", status(0));
    assert!(status(1).starts_with("PartlyEnforced"), "{}", status(1));
    assert!(status(2).starts_with("Missed"), "{}", status(2));
    assert!(status(3).starts_with("NotDecidable"), "{}", status(3));
    assert_eq!(report.coverage[4].coverage, Coverage::NotNormative);
    assert!(
        status(5).contains("`pay_cash` (5 of 5 samples)"),
        "{}",
        status(5)
    );
    assert_eq!(
        report.totals.enforced + report.totals.partly_enforced + report.totals.missed,
        4
    );
    // Findings carry the policy's words.
    let unknown = compiled
        .diagnostics
        .iter()
        .find(|found| found.code == Code::UnknownTool)
        .unwrap();
    assert_eq!(
        POLICY.get(unknown.labels[0].range.clone()).unwrap(),
        "Never refund in cash."
    );
    assert_eq!(unknown.contracts.len(), 5);
}

#[test]
fn an_ablation_is_one_option() {
    let mut drafting = Drafting::new();
    for sample in 0..5 {
        drafting.says(sample, 3, "confirmation", &["cancel", "get_order"], "");
    }
    let catalog = Catalog::from_json(TOOLS).unwrap();
    let bindings = |disabled: BTreeSet<Code>| {
        let options = Options {
            disabled,
            ..Options::default()
        };
        let compiled = compile(
            &drafting.policy,
            &drafting.draft,
            &catalog,
            &Settings::default(),
            &options,
        );
        compiled.library.unwrap().contracts[0].bindings.clone()
    };
    assert_eq!(bindings(BTreeSet::new()), ["cancel"]);
    assert_eq!(
        bindings(BTreeSet::from([Code::WriteOverreach])),
        ["cancel", "get_order"]
    );
}

#[test]
fn a_section_without_an_answer_was_not_asked() {
    let mut drafting = Drafting::new();
    for report in &mut drafting.draft.reports {
        report.outcome = SampleOutcome::Failed("refused".into());
    }
    let compiled = drafting.compile();
    assert!(compiled.library.is_none());
    assert!(
        compiled
            .report
            .coverage
            .iter()
            .all(|row| row.coverage == Coverage::NotAsked)
    );
}

#[test]
fn the_order_of_candidates_decides_nothing_but_the_words() {
    let mut drafting = Drafting::new();
    for sample in 0..5 {
        drafting.says(sample, 1, "precondition", &["cancel"], PENDING);
        drafting.says(sample, 2, "prohibition", &["refund"], "arg.amount > 150");
    }
    let first = drafting.compile();
    drafting.draft.candidates.reverse();
    let second = drafting.compile();
    let meanings = |compiled: &Compiled| -> Vec<String> {
        compiled
            .library
            .iter()
            .flat_map(|library| &library.contracts)
            .map(|contract| contract.meaning.clone())
            .collect()
    };
    assert_eq!(meanings(&first), meanings(&second));
}
