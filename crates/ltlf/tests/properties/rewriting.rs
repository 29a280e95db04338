//! Text, negation normal form and the laws of the logic.

use lictor_ltlf::{Formula, parse};
use proptest::prelude::*;

use super::strategies::{F, Trace, formulas, holds, traces};

fn same(left: &F, right: &F, trace: &Trace) -> Result<(), TestCaseError> {
    prop_assert_eq!(
        holds(left, trace),
        holds(right, trace),
        "{} against {} on {:?}",
        left,
        right,
        trace
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn a_printed_formula_is_read_back(formula in formulas()) {
        prop_assert_eq!(parse(&formula.to_string()), Ok(formula));
    }

    #[test]
    fn text_never_panics(text in "[a-c!&|<>XFGUWYSH()\\[\\]\" \\\\-]{0,30}") {
        if let Ok(formula) = parse(&text) {
            prop_assert_eq!(parse(&formula.to_string()), Ok(formula));
        }
    }

    #[test]
    fn negation_normal_form_means_the_same(formula in formulas(), trace in traces()) {
        same(&formula.nnf_plain().unwrap(), &formula, &trace)?;
        let negated = Formula::not(formula);
        same(&negated.nnf_plain().unwrap(), &negated, &trace)?;
    }

    #[test]
    fn a_simplified_formula_means_the_same_and_is_no_larger(formula in formulas(), trace in traces()) {
        let simpler = formula.simplify();
        same(&simpler, &formula, &trace)?;
        same(&simpler, &formula, &Vec::new())?;
        prop_assert!(simpler.size() <= formula.size(), "{}", simpler);
    }

    #[test]
    fn operators_unfold(f in formulas(), g in formulas(), trace in traces()) {
        // On the empty trace the sides differ where a Boolean operand of the right side is true there, so it is left out.
        if trace.is_empty() {
            return Ok(());
        }
        let (f, g) = (|| f.clone(), || g.clone());
        let until = Formula::until(f(), g());
        same(&until, &Formula::or([g(), Formula::and([f(), Formula::next(until.clone())])]), &trace)?;
        let release = Formula::release(f(), g());
        same(&release, &Formula::and([g(), Formula::or([f(), Formula::weak_next(release.clone())])]), &trace)?;
        let since = Formula::since(f(), g());
        same(&since, &Formula::or([g(), Formula::and([f(), Formula::yesterday(since.clone())])]), &trace)?;
        let triggered = Formula::triggered(f(), g());
        same(&triggered, &Formula::and([g(), Formula::or([f(), Formula::weak_yesterday(triggered.clone())])]), &trace)?;
        let both = Formula::and([f(), g()]);
        same(&triggered, &Formula::or([Formula::historically(g()), Formula::since(g(), both)]), &trace)?;
        same(&Formula::weak_until(f(), g()), &Formula::or([until, Formula::always(f())]), &trace)?;
        same(&Formula::strong_release(f(), g()), &Formula::and([release, Formula::eventually(f())]), &trace)?;
        same(&Formula::eventually(f()), &Formula::until(Formula::True, f()), &trace)?;
        same(&Formula::historically(f()), &Formula::not(Formula::once(Formula::not(f()))), &trace)?;
    }
}
