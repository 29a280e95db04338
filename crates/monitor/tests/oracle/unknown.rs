//! What is unknown never admits what a value would refuse, nor turns a rule off.
//!
//! A session is compared with the same session in which less is known: an argument or a field of
//! a result is not there, an answer never came, a fact has gone stale, nobody knows the time, the
//! host said less, a yes is unclear. What the session that knows less admits, the other admits;
//! and what it calls violated, the other refuses.

use super::catalog::{Catalog, Change, Rule};
use super::desk::{self, DOORS, Door, Note};
use super::rules;
use super::same::asking;
use super::script::{self, Fate, Proposal, Saying, Step, proposals};
use super::{Tally, hold};
use lictor_contract::event::Arguments;
use lictor_contract::value::Value;
use lictor_monitor::RefusalKind;
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeMap;

/// What is taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Loss {
    Argument,
    Arguments,
    Field,
    Answer,
    Freshness,
    Time,
    Context,
    Yes,
}

/// A script that tells less than another.
struct Less {
    loss: Loss,
    steps: Vec<Step>,
    /// The number of a call that the other script does not have.
    more: Option<usize>,
}

fn fields(proposal: &mut Proposal) -> Option<&mut BTreeMap<String, Value>> {
    match &mut proposal.result {
        Value::Object(fields) => Some(fields),
        _ => None,
    }
}

/// The scripts that tell less than this one, in one way each.
fn less(catalog: &Catalog, steps: &[Step]) -> Vec<Less> {
    let mut all = Vec::new();
    let mut add = |loss, steps: Vec<Step>| {
        all.push(Less {
            loss,
            steps,
            more: None,
        });
    };
    let calls = proposals(&mut steps.to_vec()).count();
    let change = |number: usize, change: &dyn Fn(&mut Proposal) -> bool| {
        let mut changed = steps.to_vec();
        let different = proposals(&mut changed).nth(number).is_some_and(change);
        different.then_some(changed)
    };
    for number in 0..calls {
        // A call without a key surely does not carry it, so keys are left alone.
        for name in ["n", "s", "list", "at", "where"] {
            let default = name == "n" && catalog.amount.1.is_some();
            let without = change(number, &|proposal| match &mut proposal.arguments {
                Arguments::Read(fields) => !default && fields.remove(name).is_some(),
                Arguments::Unreadable(_) => false,
            });
            without.into_iter().for_each(|it| add(Loss::Argument, it));
        }
        for name in ["n", "s", "list", "rows", "map", "at"] {
            // Some of them tell the form of a result.
            let without = change(number, &|proposal| {
                let fields = fields(proposal).filter(|_| catalog.forms.is_empty());
                fields.is_some_and(|fields| fields.remove(name).is_some())
            });
            without.into_iter().for_each(|it| add(Loss::Field, it));
        }
        let unreadable = change(number, &|proposal| {
            let keyed = |name| {
                let carries = |it: &mut BTreeMap<String, Value>| it.contains_key(name);
                fields(&mut proposal.clone()).is_some_and(carries)
            };
            // What the result says of a key is believed.
            let told = keyed("key") || keyed("who");
            proposal.arguments = Arguments::Unreadable("{".to_owned());
            !told
        });
        unreadable
            .into_iter()
            .for_each(|it| add(Loss::Arguments, it));
    }
    // What was answered before is known, so the first answers of each kind of record are lost.
    for person in [false, true] {
        let of_kind =
            |it: &&mut Proposal| it.ok && it.fate != Fate::Never && (it.tool == "whois") == person;
        let answers = proposals(&mut steps.to_vec()).filter(of_kind).count();
        for lost in 1..=answers {
            let mut never = steps.to_vec();
            let answers = proposals(&mut never).filter(of_kind);
            // Until the answer says otherwise, the arguments are believed.
            let alike = answers.take(lost).all(|proposal| {
                proposal.fate = Fate::Never;
                ["key", "who"].iter().all(|name| {
                    let told = fields(proposal).and_then(|it| it.get(*name)).cloned();
                    told.is_none() || told.as_ref() == proposal.arguments.get(name)
                })
            });
            if alike && catalog.forms.is_empty() {
                add(Loss::Answer, never);
            }
        }
    }
    for (at, step) in steps.iter().enumerate() {
        let with = |step: Step| {
            let mut changed = steps.to_vec();
            changed[at] = step;
            changed
        };
        match step {
            Step::User(Saying::Yes | Saying::No) => {
                add(Loss::Yes, with(Step::User(Saying::Unclear)));
            }
            // Without its first time a session would take a later one of another kind.
            Step::Clock(Some(_)) => {
                let timeless = steps.iter().map(|step| match step {
                    Step::Clock(_) => Step::Clock(None),
                    other => other.clone(),
                });
                add(Loss::Time, timeless.collect());
            }
            Step::Context(name, _) if *name != "now" => {
                let others = steps
                    .iter()
                    .filter(|step| !matches!(step, Step::Context(other, _) if other == name));
                add(Loss::Context, others.cloned().collect());
            }
            _ => {}
        }
    }
    all.extend(stale(catalog, steps));
    all
}

/// The scripts with a write that changes what was read before.
fn stale(catalog: &Catalog, steps: &[Step]) -> Vec<Less> {
    let changes = catalog.records.iter().flat_map(|it| &it.changes);
    if !changes.into_iter().any(|it| it.write == "touch") {
        return Vec::new();
    }
    let mut before = 0;
    let mut all = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let Step::Turn { calls, .. } = step else {
            continue;
        };
        before += calls.len();
        for key in ["A1", "B2"] {
            let text = |it: &str| Value::text(it);
            let touch = Proposal {
                tool: "touch",
                arguments: Arguments::Read(BTreeMap::from([
                    ("key".to_owned(), text(key)),
                    ("who".to_owned(), text("ann")),
                ])),
                fate: Fate::Soon(0),
                ok: true,
                result: Value::Null,
                wait: 0,
                absent: false,
            };
            let mut steps = steps.to_vec();
            let turn = Step::Turn {
                says: None,
                size: None,
                calls: vec![touch],
            };
            steps.insert(at + 1, turn);
            all.push(Less {
                loss: Loss::Freshness,
                steps,
                more: Some(before),
            });
        }
    }
    all
}

/// Whether what is lost is, for this contract, something unknown, and not something else.
fn is_loss(loss: Loss, rule: &Rule) -> bool {
    let text = format!("{} {}", rule.assumption, rule.guarantee);
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    // `known` asks for the unknown itself; an argument may be a key, too.
    let asks = says(&["known(", "n = x"]);
    match loss {
        Loss::Argument | Loss::Arguments | Loss::Context | Loss::Time | Loss::Yes => !asks,
        // Fewer results introduce fewer values.
        Loss::Field => !asks && !says(&["from_tool", "untrusted"]),
        // In flight is something else than not known to have come.
        Loss::Answer => {
            !asks
                && !says(&[
                    "from_tool",
                    "untrusted",
                    "first(",
                    "every(",
                    "ok(look))",
                    "= ok(",
                ])
                && !says(&["@any", "| whois"])
                && !rules::observes_answers(std::slice::from_ref(rule))
        }
        // One more call is an event of its own.
        Loss::Freshness => !says(&["@any", "X ", "Y ", "turns", "touch"]) && says(&["call("]),
    }
}

/// What was said of one contract to each call, up to where it skips an event.
fn said(notes: &[Note], id: &str, more: Option<usize>) -> Vec<Option<RefusalKind>> {
    let mut said = Vec::new();
    let mut number = 0;
    for note in notes {
        match note {
            Note::Decision(_, _, refused) => {
                if more != Some(number) {
                    said.push(refused.get(id).copied());
                }
                number += 1;
            }
            Note::After(_, Some(broken), _) if broken.contains(id) => return said,
            Note::After(..) => {}
        }
    }
    said
}

fn rules() -> impl Strategy<Value = Vec<Rule>> {
    let of = |condition: BoxedStrategy<String>| asking(condition).boxed();
    prop_oneof![
        2 => of(rules::argued()),
        2 => of(rules::counted()),
        6 => of(rules::looked()),
        3 => of(rules::told()),
        3 => of(rules::hosted()),
        3 => proptest::collection::vec(rules::consenting(), 3..6),
        3 => rules::library(),
    ]
}

#[test]
fn less_knowledge_admits_no_more() {
    let seen: BTreeMap<Loss, Tally> = BTreeMap::from(
        [
            Loss::Argument,
            Loss::Arguments,
            Loss::Field,
            Loss::Answer,
            Loss::Freshness,
            Loss::Time,
            Loss::Context,
            Loss::Yes,
        ]
        .map(|loss| (loss, Tally::default())),
    );
    let steps = prop_oneof![3 => script::tidy(), 1 => script::script()];
    let catalog = super::catalog::catalog().prop_map(|mut catalog| {
        if catalog.forms.len() < 2 {
            catalog.forms.clear();
        }
        let item = &mut catalog.records[0];
        if item.changes.iter().all(|it| it.write != "touch") {
            item.changes.push(Change {
                write: "touch",
                fields: Vec::new(),
                key: Some("key"),
            });
        }
        catalog
    });
    let strategy = (rules(), catalog, steps, 0..3_usize);
    let cases = hold(280, strategy, |(rules, catalog, mut steps, third)| {
        // An answer that comes with the next step would come before an added one.
        for proposal in proposals(&mut steps) {
            if let Fate::Later(rank) = proposal.fate {
                proposal.fate = Fate::Soon(rank);
            }
        }
        let monitor = desk::monitor(&catalog, &rules);
        let known = desk::run(&monitor, &catalog, Door::Audit, &steps);
        for (number, less) in less(&catalog, &steps).into_iter().enumerate() {
            // There are many of these.
            let often = matches!(less.loss, Loss::Argument | Loss::Field);
            let told = rules.iter().any(|rule| is_loss(less.loss, rule));
            if !told || often && number % 3 != third {
                continue;
            }
            let unknown = desk::run(&monitor, &catalog, Door::Audit, &less.steps);
            for (index, rule) in rules.iter().enumerate() {
                if !is_loss(less.loss, rule) {
                    continue;
                }
                let id = format!("C{index}");
                let with = said(&known.notes, &id, None);
                let without = said(&unknown.notes, &id, less.more);
                for (with, without) in with.into_iter().zip(without) {
                    let told = || format!("{:?} {rule:?}\n{:#?}", less.loss, less.steps);
                    prop_assert!(with.is_none() || without.is_some(), "admitted: {}", told());
                    let violated = without == Some(RefusalKind::Violated);
                    let sure = violated && less.loss != Loss::Answer;
                    prop_assert!(!sure || with.is_some(), "no violation: {}", told());
                    seen[&less.loss].add(with.is_some() && with != without);
                    // From here on one of them has an event that the other skips.
                    if with.is_some() != without.is_some() {
                        break;
                    }
                }
            }
        }
        Ok(())
    });
    for (loss, tally) in &seen {
        tally.at_least(cases / 150, &format!("{loss:?}"));
    }
}

#[test]
fn every_completion_of_what_is_admitted_keeps_the_contract() {
    let seen = Tally::default();
    let completions = proptest::collection::vec(any::<u64>(), 6);
    let strategy = (
        rules::library(),
        script::session(),
        select(DOORS.to_vec()),
        completions,
    );
    let cases = hold(150, strategy, |(rules, (catalog, steps), mode, seeds)| {
        let monitor = desk::monitor(&catalog, &rules);
        let desk = desk::run(&monitor, &catalog, mode, &steps);
        for (index, (id, judge)) in super::judges(&catalog, &rules).into_iter().enumerate() {
            let rule = &rules[index];
            let simple = rule.for_each.is_empty() && rule.assumption == "true";
            let Some(mut judge) = judge.filter(|_| simple) else {
                continue;
            };
            for note in &desk.notes {
                match note {
                    // From here on it skips an event.
                    Note::After(_, Some(broken), _) if broken.contains(&id) => break,
                    Note::Decision(before, now, refused) if !refused.contains_key(&id) => {
                        let mut events = desk.as_in_messages(*before, Some(now));
                        events.push(now.clone());
                        for seed in seeds.iter().copied().chain([0, u64::MAX]) {
                            let (open, keeps) = judge.completed(&events, seed);
                            seen.add(open);
                            prop_assert!(keeps, "{rule:?} {seed}\n{events:#?}");
                        }
                    }
                    Note::Decision(..) if mode == Door::Audit => break,
                    _ => {}
                }
            }
        }
        Ok(())
    });
    seen.at_least(cases, "unknown");
}
