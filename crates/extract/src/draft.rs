//! Putting the answers together: what each sample proposed, where in the
//! policy it rests, and what became of each sample.

use crate::plan::Plan;
use crate::quote::Quotes;
use crate::request::Request;
use crate::samples::SamplesFile;
use lictor_contract::diagnostic::{Code, Diagnostic, Label, Severity};
use lictor_contract::draft::{Candidate, Draft, SampleOutcome, SampleReport, Section, Unencoded};

/// What the answers of a samples file say about the policy. Findings are
/// failed samples, and candidates that quote words the policy does not have.
pub fn draft(plan: &Plan, samples: &SamplesFile) -> (Draft, Vec<Diagnostic>) {
    let mut draft = Draft {
        sections: plan.cut.sections.clone(),
        clauses: plan.cut.clauses.clone(),
        samples: plan.samples,
        ..Draft::default()
    };
    let mut findings = Vec::new();
    let mut models: Vec<&str> = Vec::new();
    let mut reader = Reader {
        plan,
        quotes: Quotes::new(&plan.policy),
        draft: &mut draft,
        findings: &mut findings,
    };
    for request in plan.requests() {
        let kept = samples.get(&request.custom_id);
        if let Some(kept) = kept.filter(|kept| kept.outcome.is_ok())
            && !models.contains(&kept.model.as_str())
        {
            models.push(&kept.model);
        }
        reader.read(request, kept);
    }
    models.retain(|model| !model.is_empty());
    models.sort_unstable();
    draft.model = models.join(", ");
    (draft, findings)
}

struct Reader<'a> {
    plan: &'a Plan,
    quotes: Quotes<'a>,
    draft: &'a mut Draft,
    findings: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    /// Takes the answer to one request.
    fn read(&mut self, request: &Request, kept: Option<&crate::samples::Kept>) {
        let Some(section) = self.plan.cut.sections.get(request.section) else {
            return;
        };
        let outcome = match kept.map(|kept| &kept.outcome) {
            Some(Ok(answer)) => {
                self.take(request, section, answer);
                SampleOutcome::Read
            }
            Some(Err(reason)) => SampleOutcome::Failed(reason.clone()),
            None => SampleOutcome::Failed("it was not answered".to_owned()),
        };
        if let SampleOutcome::Failed(reason) = &outcome {
            let message = format!(
                "sample {} of section `{}` failed: {reason}",
                request.sample + 1,
                section.title
            );
            self.findings.push(
                Diagnostic::new(Code::FailedSample, message)
                    .help("the next compile with a model asks it again")
                    .at(self.heading(section)),
            );
        }
        self.draft.reports.push(SampleReport {
            section: request.section,
            sample: request.sample,
            outcome,
        });
    }

    fn take(&mut self, request: &Request, section: &Section, answer: &crate::answer::Answer) {
        for (index, rule) in answer.rules.iter().enumerate() {
            let id = format!(
                "s{}.{}.{}",
                request.sample + 1,
                request.section + 1,
                index + 1
            );
            match self.quotes.find(&rule.quote, &rule.lines, section) {
                Some(citation) => self.draft.candidates.push(Candidate {
                    id,
                    sample: request.sample,
                    section: request.section,
                    citation,
                    rule: rule.rule(),
                    says: rule.says.trim().to_owned(),
                }),
                None => {
                    let message = format!(
                        "candidate {id} quotes words that are not in the policy: {}",
                        shown(&rule.quote)
                    );
                    let finding = Diagnostic::new(Code::QuoteNotFound, message)
                        .help("the candidate is rejected")
                        .about(id)
                        .at(self.heading(section));
                    self.findings.push(finding);
                }
            }
        }
        for entry in &answer.no_rule {
            match self.quotes.find(&entry.quote, &entry.lines, section) {
                Some(citation) => self.draft.unencoded.push(Unencoded {
                    sample: request.sample,
                    citation,
                    reason: entry.reason,
                    note: entry.note.trim().to_owned(),
                }),
                None => {
                    let message = format!(
                        "sample {} of section `{}` declares words not encodable that are not in the policy: {}",
                        request.sample + 1,
                        section.title,
                        shown(&entry.quote)
                    );
                    let finding = Diagnostic::new(Code::QuoteNotFound, message)
                        .help("the declaration is ignored")
                        .weighing(Severity::Note)
                        .at(self.heading(section));
                    self.findings.push(finding);
                }
            }
        }
    }

    fn heading(&self, section: &Section) -> Label {
        let policy = &self.plan.policy;
        Label::new(
            policy.name(),
            policy.lines(section.lines.first, section.lines.first),
        )
    }
}

fn shown(quote: &str) -> String {
    format!("`{}`", crate::answer::shorten(quote).replace('`', "'"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::tests::{completion, rule_json};
    use lictor_contract::catalog::Catalog;
    use lictor_contract::draft::NoRule;
    use lictor_contract::source::Source;

    fn example() -> Plan {
        let policy = Source::new("p.md", "## A\nPay at most 5.\n## B\nBe kind. Pay late.\n");
        let catalog = Catalog::from_json(r#"[{"name": "pay"}]"#).unwrap();
        crate::plan::plan(&policy, &catalog, 2).unwrap()
    }

    fn line(plan: &Plan, request: usize, content: &str) -> String {
        let custom_id = &plan.requests()[request].custom_id;
        let body = completion(content);
        serde_json::json!({"custom_id": custom_id, "response": {"status_code": 200, "body": body}})
            .to_string()
    }

    #[test]
    fn answers_become_candidates_declarations_and_reports() {
        let plan = example();
        let rules = serde_json::json!({"rules": [rule_json("Pay at most 6.", 2), rule_json("Pay at most 5.", 2)],
            "no_rule": []});
        let none = serde_json::json!({"rules": [], "no_rule": [
            {"quote": "Be kind.", "lines": [4, 4], "reason": "semantic", "note": " tone "},
            {"quote": "Be cruel.", "lines": [4, 4], "reason": "semantic", "note": ""}]});
        let text = [
            line(&plan, 0, &rules.to_string()),
            line(&plan, 2, &none.to_string()),
            line(&plan, 3, "{"),
        ]
        .join("\n");
        let (draft, findings) = draft(&plan, &SamplesFile::read(&(text + "\n")).unwrap().0);
        assert_eq!(
            (draft.sections.len(), draft.clauses.len(), draft.samples),
            (2, 3, 2)
        );
        assert_eq!(draft.model, "m-1");
        assert_eq!(draft.candidates.len(), 1);
        let candidate = &draft.candidates[0];
        assert_eq!(
            (candidate.id.as_str(), candidate.sample, candidate.section),
            ("s1.1.2", 0, 0)
        );
        assert_eq!(
            (
                candidate.citation.lines.first,
                candidate.citation.quote.as_str()
            ),
            (2, "Pay at most 5.")
        );
        assert_eq!(draft.unencoded.len(), 1);
        assert_eq!(draft.unencoded[0].reason, NoRule::Semantic);
        assert_eq!(draft.unencoded[0].note, "tone");
        let outcomes: Vec<bool> = draft
            .reports
            .iter()
            .map(|it| it.outcome == SampleOutcome::Read)
            .collect();
        assert_eq!(outcomes, [true, false, true, false]);
        let codes: Vec<Code> = findings.iter().map(|it| it.code).collect();
        assert_eq!(
            codes,
            [
                Code::QuoteNotFound,
                Code::FailedSample,
                Code::QuoteNotFound,
                Code::FailedSample
            ]
        );
        assert_eq!(findings[0].contracts, ["s1.1.1"]);
        assert!(findings[0].message.contains("`Pay at most 6.`"));
    }

    #[test]
    fn without_answers_every_sample_failed() {
        let plan = example();
        let (draft, findings) = draft(&plan, &SamplesFile::default());
        assert_eq!(
            (draft.reports.len(), findings.len(), draft.candidates.len()),
            (4, 4, 0)
        );
        assert!(
            findings
                .iter()
                .all(|it| it.message.contains("not answered"))
        );
    }
}
