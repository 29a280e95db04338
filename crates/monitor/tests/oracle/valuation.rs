//! What contracts are worth on every prefix (ContrAgent, Definition 2).

use super::catalog::{self, Rule};
use super::desk::{self, Act, DOORS};
use super::replay::act;
use super::rules;
use super::same::{Case, compare};
use super::script::{self, Fate, proposals};
use super::{Tally, hold};
use lictor_ltlf::semantics::holds;
use lictor_monitor::{Session, Verdict};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeMap;

fn cases<S: Strategy<Value = Rule>>(rule: S) -> impl Strategy<Value = Case> {
    let steps = prop_oneof![script::tidy(), script::script()];
    let session = (catalog::catalog(), steps);
    (vec(rule, 1..4), session, select(DOORS.to_vec()))
}

/// A contract for each value of one or two parameters.
fn parametric() -> impl Strategy<Value = Rule> {
    let owing = (rules::tools(), rules::tools(), 0..6).prop_map(|(a, b, form)| {
        Rule::of(match form {
            0 => format!("G (ok({a}) -> F call({b}))"),
            1 => format!("F ok({a})"),
            2 => format!("!call({a}) U ok({b})"),
            3 => format!("G (ok({a}) -> X (!call(@any) U call({b})))"),
            4 => format!("G (user_says(/human/) -> F call({a}))"),
            _ => format!("G (call({a}) -> (!call({a}) S ok({b})))"),
        })
    });
    let rule = prop_oneof![3 => rules::kind(rules::condition()), 2 => rules::formula(), 3 => owing];
    let parameters = select(vec![vec!["key"], vec!["key"], vec!["who", "key"]]);
    (rule, parameters).prop_map(|(rule, for_each)| Rule { for_each, ..rule })
}

#[test]
fn instances_are_worth_the_same() {
    let answers = [
        ("pending", 100),
        ("active", 200),
        ("satisfied", 2),
        ("fail", 100),
    ];
    compare(150, cases(parametric()), &answers);
}

/// A contract of which the environment owes something, too.
fn with_assumption() -> impl Strategy<Value = Rule> {
    let assumption = prop_oneof![
        rules::tools().prop_map(|a| format!("G !error({a})")),
        (rules::tools(), 0..3).prop_map(|(a, n)| format!("G (ok({a}) -> result.n >= {n})")),
        (rules::tools(), 0..3).prop_map(|(a, n)| format!("G (return({a}) -> arg.n != {n})")),
        select(vec![
            "G !user_says(/human/)",
            "G (confirms -> WX !confirms)",
            "F user"
        ])
        .prop_map(str::to_owned),
    ];
    let rule = prop_oneof![rules::kind(rules::condition()), rules::formula()];
    (rule, assumption).prop_map(|(rule, assumption)| Rule { assumption, ..rule })
}

#[test]
fn assumptions_are_worth_the_same() {
    let answers = [
        ("idle", 200),
        ("active", 100),
        ("fail", 50),
        ("undecidable", 20),
    ];
    compare(150, cases(with_assumption()), &answers);
}

/// Whether an instance that owes does, by the direct semantics over the letters that were kept.
fn owes(session: &Session<'_>, rules: &[Rule]) -> Vec<bool> {
    let mut owing: Vec<bool> = Vec::new();
    let mut of = None;
    for (formula, letters, _) in session.letters() {
        let root = of.is_none_or(|it| !std::ptr::eq(it, formula));
        if root {
            of = Some(formula);
            owing.push(false);
        }
        let met = holds(formula, letters, |letter, literal| letter.contains(literal));
        let rule = &rules[owing.len() - 1];
        if let Some(owing) = owing.last_mut()
            && (!root || rule.for_each.is_empty())
        {
            *owing |= !met;
        }
    }
    owing
}

#[test]
fn letters_that_are_kept_give_the_same_worth() {
    let (pending, fails) = (Tally::default(), Tally::default());
    let rule = prop_oneof![
        parametric(),
        rules::kind(rules::condition()),
        rules::formula()
    ];
    let cases = hold(150, cases(rule), |(mut rules, (catalog, steps), mode)| {
        rules
            .iter_mut()
            .for_each(|rule| rule.assumption = "true".to_owned());
        let monitor = desk::monitor(&catalog, &rules);
        let acts: Vec<Act> = desk::run(&monitor, &catalog, mode, &steps).acts;
        let (mut plain, mut kept) = (monitor.session(), monitor.recording_session());
        for it in &acts {
            // Letters are kept of all contracts, whether an event can move them or not.
            let said = act(&mut plain, it, true);
            prop_assert_eq!(&said, &act(&mut kept, it, true));
            for (formula, letters, accepts) in kept.letters() {
                let met = holds(formula, letters, |letter, literal| letter.contains(literal));
                prop_assert_eq!(met, accepts, "{:?}", letters);
            }
            for (owes, (id, verdict)) in owes(&kept, &rules).into_iter().zip(&said.2) {
                pending.add(owes);
                fails.add(*verdict == Verdict::Fail);
                let as_owed = *verdict == Verdict::Fail || owes == (*verdict == Verdict::Pending);
                prop_assert!(as_owed, "{id} {verdict:?} {owes}");
            }
        }
        Ok(())
    });
    pending.at_least(cases, "something owed");
    fails.at_least(cases, "a failure");
}

#[test]
fn what_is_settled_stays_so() {
    let settled = Tally::default();
    let rule = prop_oneof![parametric(), with_assumption(), rules::formula()];
    let cases = hold(150, cases(rule), |(rules, (catalog, mut steps), mode)| {
        // An answer before its siblings may have to be taken back.
        for proposal in proposals(&mut steps) {
            if proposal.fate == Fate::AtOnce {
                proposal.fate = Fate::Soon(0);
            }
        }
        let monitor = desk::monitor(&catalog, &rules);
        let acts = desk::run(&monitor, &catalog, mode, &steps).acts;
        let mut session = monitor.session();
        let mut before: BTreeMap<String, Verdict> = desk::verdicts(&session);
        for it in &acts {
            let (refused, broken, now) = act(&mut session, it, true);
            for (id, now) in &now {
                let was = before[id];
                let refused = refused.as_ref().is_some_and(|it| it.contains_key(id));
                let breaks = refused || broken.contains(id);
                let stays = match was {
                    Verdict::Fail => *now == Verdict::Fail,
                    Verdict::Idle => *now == Verdict::Idle && !breaks,
                    Verdict::Satisfied => {
                        matches!(now, Verdict::Satisfied | Verdict::Idle) && !breaks
                    }
                    Verdict::Pending | Verdict::Active => true,
                };
                settled.add(matches!(
                    was,
                    Verdict::Fail | Verdict::Idle | Verdict::Satisfied
                ));
                // An instance of its own may begin where nothing is settled.
                let parametric = rules.iter().any(|rule| !rule.for_each.is_empty());
                let fresh = parametric && was != Verdict::Fail;
                prop_assert!(stays || fresh, "{id}: {was:?} to {now:?}");
                let took_place = !matches!(it, Act::Withhold(_));
                let fails = *now == Verdict::Fail;
                prop_assert!(!(breaks && took_place) || fails, "{id} broken is {now:?}");
            }
            let worth: Vec<Verdict> = now.values().copied().collect();
            prop_assert_eq!(Some(session.env()), worth.iter().max().copied());
            prop_assert_eq!(Some(session.agent()), worth.iter().min().copied());
            before = now;
        }
        Ok(())
    });
    settled.at_least(cases, "something settled");
}
