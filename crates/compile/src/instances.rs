//! Rules that stand once for each value of some arguments (`for_each`): which
//! arguments those are, and whether every event finds its instances.
//!
//! An event reaches the instances whose values extend what it carries, so what
//! it carries must be the beginning of the list, or nothing of it.

use crate::finding::Finding;
use crate::names::{Match, find, near, quoted};
use crate::part::Part;
use crate::schema;
use lictor_contract::catalog::{Catalog, Tool};
use lictor_contract::diagnostic::Code;
use lictor_contract::predicate::{Atom, EventPredicate, Name, Path, ToolRef};
use lictor_contract::rule::{ConfirmationReading, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// The parameters of a part by the names that the catalog has for them.
pub fn ground(
    parameters: &[String],
    part: &Part,
    catalog: &Catalog,
    findings: &mut Vec<Finding>,
) -> Vec<String> {
    let mut tools: BTreeMap<&str, &Tool> = BTreeMap::new();
    for (_, rule) in part.rules() {
        tools.extend(observed(&rule, catalog));
    }
    if tools.is_empty() {
        // A rule over facts alone looks at every call.
        tools.extend(all(catalog));
    }
    let known: BTreeSet<&str> = tools
        .values()
        .flat_map(|tool| tool.parameters.keys().map(String::as_str))
        .collect();
    let open = tools.values().any(|tool| tool.open);
    let mut grounded: Vec<String> = Vec::new();
    for parameter in parameters {
        let found = find(&Name::Known(parameter.clone()), known.iter().copied());
        let name = match found {
            Match::Found(name) => name,
            Match::Unknown(_) if open => parameter.clone(),
            Match::Unknown(nearest) => {
                findings.push(Finding::reject(
                    Code::ArgumentNotInSignature,
                    format!(
                        "no tool that the rule observes has an argument `{parameter}`{}",
                        near(&nearest)
                    ),
                    "name in `for_each` what calls of the rule's tools carry",
                ));
                continue;
            }
            Match::Ambiguous(several) => {
                findings.push(Finding::reject(
                    Code::ArgumentNotInSignature,
                    format!("`{parameter}` in `for_each` fits {}", quoted(several)),
                    "name the one that is meant",
                ));
                continue;
            }
        };
        if !grounded.contains(&name) {
            grounded.push(name);
        }
    }
    grounded
}

/// What is wrong with the parameters of a rule: a tool that carries one of them
/// but not those before it. Its calls belong to no instance.
pub fn unreachable(rule: &Rule, catalog: &Catalog) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    for (name, tool) in observed(rule, catalog) {
        let carries = |parameter: &&String| tool.parameters.contains_key(*parameter);
        let missing = rule.for_each.iter().find(|parameter| !carries(parameter));
        let behind = rule
            .for_each
            .iter()
            .skip_while(|parameter| carries(parameter));
        let stray = behind.skip(1).find(carries);
        if let (Some(missing), Some(stray)) = (missing, stray) {
            found.push((
                format!(
                    "calls of `{name}` carry `{stray}` and not `{missing}`, which stands before it in `for_each`"
                ),
                "put first in `for_each` what every tool of the rule carries, or leave the other out",
            ));
        }
    }
    found
}

/// Parameters that calls of an observed tool may leave out, with the tool.
pub fn optional(rule: &Rule, catalog: &Catalog) -> Vec<(String, String)> {
    let tools = observed(rule, catalog).into_iter();
    let pairs = tools.flat_map(|(name, tool)| {
        let left_out = rule.for_each.iter().filter(|parameter| {
            let path = Path::fields([parameter.as_str()]);
            tool.parameters.contains_key(*parameter)
                && schema::reach(tool, &path).optional.is_some()
        });
        left_out.map(move |parameter| (name.to_owned(), parameter.clone()))
    });
    pairs.collect()
}

/// The tools that the event predicates of a rule name.
fn observed<'a>(rule: &Rule, catalog: &'a Catalog) -> BTreeMap<&'a str, &'a Tool> {
    let obligation = rule.obligation(ConfirmationReading::PerAction);
    let atoms = [&obligation.guarantee, &obligation.assumption]
        .into_iter()
        .flat_map(|formula| formula.atoms());
    let mut tools = BTreeMap::new();
    for atom in atoms {
        let Atom::Event(EventPredicate::Tool(_, pattern)) = atom else {
            continue;
        };
        // Classes of tools are expanded, but for the `@any` that a kind implies.
        let any = pattern.alternatives().any(|tool| *tool == ToolRef::Any);
        tools.extend(all(catalog).filter(|(name, _)| any || pattern.names_tool(name)));
    }
    tools
}

fn all(catalog: &Catalog) -> impl Iterator<Item = (&str, &Tool)> {
    catalog.tools().map(|tool| (tool.id.as_str(), tool))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::Scope;
    use lictor_contract::language::{Mode, parse_formula};
    use lictor_contract::predicate::{Formula, ToolPattern};
    use lictor_contract::rule::Body;

    const CATALOG: &str = r#"[
        {"name": "login", "parameters": {"properties": {}}},
        {"name": "open_case", "parameters": {"properties": {"user_id": {"type": "string"}}, "required": ["user_id"]}},
        {"name": "edit_case", "parameters": {"properties": {"user_id": {"type": "string"}, "case_id": {"type": "string"}},
         "required": ["user_id"]}},
        {"name": "close_case", "parameters": {"properties": {"case_id": {"type": "string"}}, "required": ["case_id"]}},
        {"name": "note", "parameters": {"properties": {"case_id": {"type": "string"}}, "additionalProperties": true}}]"#;

    fn rule(guarantee: &str, for_each: &[&str]) -> Rule {
        Rule {
            tools: ToolPattern::tool("login"),
            body: Body::Formula {
                assumption: Formula::True,
                guarantee: parse_formula(guarantee, Mode::Strict).unwrap().value,
            },
            for_each: for_each.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    #[track_caller]
    fn check_grounding(guarantee: &str, for_each: &[&str], expected: Result<&[&str], &str>) {
        let catalog = Catalog::from_json(CATALOG).unwrap();
        let rule = rule(guarantee, for_each);
        let part = Part {
            scope: Scope::Whole(Box::new(rule.clone())),
            wildcard: false,
            for_each: Vec::new(),
        };
        let mut findings = Vec::new();
        let grounded = ground(&rule.for_each, &part, &catalog, &mut findings);
        match expected {
            Ok(names) => {
                assert_eq!(grounded, names);
                assert!(findings.is_empty(), "{findings:?}");
            }
            Err(part) => assert!(findings[0].message.contains(part), "{findings:?}"),
        }
    }

    #[test]
    fn parameters_are_arguments_of_what_the_rule_observes() {
        check_grounding("G call(edit_case)", &["user_id"], Ok(&["user_id"]));
        check_grounding(
            "G call(edit_case)",
            &["UserId", "case-id"],
            Ok(&["user_id", "case_id"]),
        );
        check_grounding(
            "G call(edit_case)",
            &["caseId", "case_id"],
            Ok(&["case_id"]),
        );
        check_grounding(
            "G call(open_case)",
            &["case_id"],
            Err("an argument `case_id`"),
        );
        check_grounding("G call(open_case)", &["user_ids"], Err("(near: `user_id`)"));
        check_grounding("G call(note)", &["other"], Ok(&["other"]));
        check_grounding("G (turn.calls <= 1)", &["case_id"], Ok(&["case_id"]));
    }

    #[track_caller]
    fn check_reach(guarantee: &str, for_each: &[&str], expected: &[&str]) {
        let catalog = Catalog::from_json(CATALOG).unwrap();
        let found = unreachable(&rule(guarantee, for_each), &catalog);
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for ((found, _), expected) in found.iter().zip(expected) {
            assert!(found.contains(expected), "{found}");
        }
    }

    #[test]
    fn an_event_carries_the_beginning_of_the_list_or_nothing() {
        let both = ["user_id", "case_id"];
        check_reach("G (call(edit_case) -> O ok(open_case))", &both, &[]);
        check_reach("G (call(edit_case) -> O ok(login) & O user)", &both, &[]);
        check_reach("G call(open_case)", &["user_id"], &[]);
        check_reach(
            "G (call(edit_case) -> O error(close_case))",
            &both,
            &["`close_case` carry `case_id` and not `user_id`"],
        );
        check_reach(
            "G (call(edit_case) -> O error(close_case))",
            &["case_id", "user_id"],
            &[],
        );
        check_reach("F call(@any)", &both, &["`close_case`", "`note`"]);
        // A count looks at the whole session, whatever its calls carry.
        check_reach(
            "G (call(edit_case) -> count(ok(close_case)) == 0)",
            &both,
            &[],
        );
    }

    #[test]
    fn a_parameter_that_may_be_left_out_is_told() {
        let catalog = Catalog::from_json(CATALOG).unwrap();
        let rule = rule(
            "G (call(edit_case) -> O ok(login))",
            &["user_id", "case_id"],
        );
        assert_eq!(
            optional(&rule, &catalog),
            [("edit_case".to_owned(), "case_id".to_owned())]
        );
    }
}
