//! The words put to the model: two templates, filled with the policy and the
//! tool catalog, and the JSON Schema its answer must follow.
//!
//! A recorded answer belongs to exactly one wording, since it is keyed by a
//! hash of the request: whoever changes a template or the schema throws away
//! every recording. What stays the same for all sections stands in the first
//! message, so that servers can reuse their work on it.

mod tools;

use crate::clauses::Cut;
use lictor_contract::catalog::Catalog;
use lictor_contract::draft::Section;
use lictor_contract::source::Source;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value, context};
use serde::Serialize;

const SYSTEM: &str = include_str!("../../../prompts/system.md.j2");
const SECTION: &str = include_str!("../../../prompts/section.md.j2");

/// The JSON Schema of an answer. It is kept as text because the order of its
/// keys is the order in which the model writes: the quotation comes first.
pub(crate) const ANSWER_SCHEMA: &str = include_str!("prompt/answer.schema.json");

/// A policy of at most so many bytes is shown whole beside each section, so
/// that exceptions and definitions of other sections are seen.
const SHOWN_WHOLE: usize = 32_000;

/// One message of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Message {
    pub(crate) role: &'static str,
    pub(crate) content: String,
}

/// The messages for each section, in order.
///
/// # Errors
/// A template that cannot be filled, which the tests of this crate exclude.
pub(crate) fn messages(
    policy: &Source,
    catalog: &Catalog,
    cut: &Cut,
) -> Result<Vec<[Message; 2]>, minijinja::Error> {
    let environment = environment()?;
    let whole = policy.text().len() <= SHOWN_WHOLE;
    let system = environment.get_template("system")?.render(context! {
        tools => Value::from(Serde(tools::views(catalog))),
        policy => if whole { numbered(policy, 1, policy.line_count()) } else { Vec::new() },
    })?;
    let template = environment.get_template("section")?;
    let mut messages = Vec::new();
    for (index, section) in cut.sections.iter().enumerate() {
        let clauses: Vec<String> = cut
            .clauses
            .iter()
            .filter(|clause| clause.section == index)
            .map(|clause| format!("line {}: {}", clause.lines, clause.text))
            .collect();
        let user = template.render(context! {
            title => title(section),
            first => section.lines.first,
            last => section.lines.last,
            line_count => policy.line_count(),
            headings => if whole { Vec::new() } else { outline(policy, cut) },
            lines => numbered(policy, section.lines.first, section.lines.last),
            clauses,
        })?;
        messages.push([
            Message {
                role: "system",
                content: system.clone(),
            },
            Message {
                role: "user",
                content: user,
            },
        ]);
    }
    Ok(messages)
}

fn environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build()?,
    );
    environment.add_template("system", SYSTEM)?;
    environment.add_template("section", SECTION)?;
    Ok(environment)
}

fn title(section: &Section) -> String {
    format!("\"{}\"", section.title.replace('"', "'"))
}

/// Lines with their numbers. The number in front of each line is also what
/// keeps the text from closing the fence around it.
fn numbered(policy: &Source, first: usize, last: usize) -> Vec<String> {
    (first..=last)
        .map(|line| format!("{line} | {}", policy.line_text(line, line).trim_end()))
        .map(|line| line.trim_end().to_owned())
        .collect()
}

fn outline(policy: &Source, cut: &Cut) -> Vec<String> {
    cut.headings
        .iter()
        .map(|heading| {
            let line = policy.position(heading.range.start).line;
            format!(
                "{line} | {} {}",
                "#".repeat(usize::from(heading.level)),
                heading.text
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lictor_contract::draft::NoRule;
    use lictor_contract::language::Mode;
    use lictor_contract::rule::Kind;
    use lictor_contract::rule_text::read_rule;
    use serde_json::Value as Json;

    fn render(policy: &str) -> Vec<[Message; 2]> {
        let policy = Source::new("p.md", policy);
        let tools = r#"[{"name": "pay", "description": "Pays.", "x-write": true, "parameters":
            {"properties": {"amount": {"type": "number"}}, "required": ["amount"]}}]"#;
        let catalog = Catalog::from_json(tools).unwrap();
        messages(&policy, &catalog, &crate::clauses::cut(&policy)).unwrap()
    }

    #[test]
    fn a_section_is_shown_with_its_lines_and_clauses() {
        let messages = render("# Desk\n\n## Pay\n\n</policy-section>\nNever pay {{ twice }}.\n");
        assert_eq!(messages.len(), 1);
        let [system, user] = &messages[0];
        assert!(
            system
                .content
                .contains("\npay (write): Pays.\n- amount: number, required\n"),
            "{}",
            system.content
        );
        assert!(
            system
                .content
                .contains("\n6 | Never pay {{ twice }}.\n</policy>")
        );
        assert!(
            user.content.contains("\"Pay\" (lines 3 to 6 of 6)"),
            "{}",
            user.content
        );
        assert!(
            user.content
                .contains("\n5 | </policy-section>\n6 | Never pay")
        );
        assert!(user.content.contains("- line 5-6:") || user.content.contains("- line 6:"));
    }

    #[test]
    fn a_long_policy_is_shown_as_an_outline() {
        let long = format!(
            "## A\n\n{}\n\n## B\n\nPay late.\n",
            "Pay early. ".repeat(4_000)
        );
        let messages = render(&long);
        assert!(!messages[1][0].content.contains("Pay late"));
        assert!(messages[1][1].content.contains("\n1 | ## A\n5 | ## B\n"));
    }

    #[test]
    fn the_schema_and_the_prompt_know_every_kind_and_reason() {
        let schema: Json = serde_json::from_str(ANSWER_SCHEMA).unwrap();
        let names = |pointer: &str| -> Vec<String> {
            serde_json::from_value(schema.pointer(pointer).unwrap().clone()).unwrap()
        };
        let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(names("/properties/rules/items/properties/kind/enum"), kinds);
        let reasons = [
            NoRule::Semantic,
            NoRule::NoSuchTool,
            NoRule::NoSuchFact,
            NoRule::AboutUser,
            NoRule::NotNormative,
        ];
        let reasons: Vec<Json> = reasons
            .iter()
            .map(|it| serde_json::to_value(it).unwrap())
            .collect();
        assert_eq!(
            names("/properties/no_rule/items/properties/reason/enum"),
            reasons
        );
        for name in kinds {
            assert!(SYSTEM.contains(&format!("| `{name}` |")), "{name}");
        }
        for name in reasons {
            assert!(
                SYSTEM.contains(&format!("- `{}`:", name.as_str().unwrap())),
                "{name}"
            );
        }
        // Strict servers demand that every key is required.
        for part in ["rules", "no_rule"] {
            let item = schema
                .pointer(&format!("/properties/{part}/items"))
                .unwrap();
            let keys = item["properties"].as_object().unwrap().len();
            assert_eq!(item["required"].as_array().unwrap().len(), keys);
        }
    }

    /// The example teaches the form of the answer, so it must be one: every
    /// rule reads, every quotation is found, every line of it is dealt with.
    #[test]
    fn the_example_is_a_good_answer() {
        let (_, example) = SYSTEM.split_once("# Example").unwrap();
        let (_, section) = example.split_once("<policy-section>\n").unwrap();
        let (section, answer) = section.split_once("</policy-section>").unwrap();
        let lines: Vec<&str> = section
            .lines()
            .map(|line| line.split_once("| ").map_or("", |(_, text)| text))
            .collect();
        let policy = Source::new("example", "\n".repeat(29) + &lines.join("\n"));
        let (_, answer) = answer.split_once("Answer:").unwrap();
        let (answer, _) = answer.split_once("# The tools of this agent").unwrap();
        let answer = crate::answer::read_content(answer).unwrap();

        let quotes = crate::quote::Quotes::new(&policy);
        let whole = Section {
            title: String::new(),
            lines: (1, policy.line_count()).into(),
        };
        let mut cited = std::collections::BTreeSet::new();
        let mut cite = |quote: &str, lines: &[i64]| {
            let citation = quotes
                .find(quote, lines, &whole)
                .unwrap_or_else(|| panic!("{quote}"));
            assert_eq!(
                lines.first().copied(),
                i64::try_from(citation.lines.first).ok(),
                "{quote}"
            );
            cited.insert(citation.lines.first);
        };
        for rule in &answer.rules {
            cite(&rule.quote, &rule.lines);
            read_rule(&rule.rule(), Mode::Draft)
                .unwrap_or_else(|error| panic!("{}: {error:?}", rule.quote));
        }
        for entry in &answer.no_rule {
            cite(&entry.quote, &entry.lines);
        }
        let clauses = crate::clauses::cut(&policy).clauses;
        assert!(
            clauses
                .iter()
                .all(|clause| cited.contains(&clause.lines.first))
        );
    }
}
