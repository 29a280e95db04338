//! The two texts of a result's form, in the predicate language.

use super::{OverlayError, Word};
use crate::language::{Mode, SyntaxError, parse_formula, parse_term, print_formula};
use crate::predicate::{Atom, Term};

/// A condition over `result` alone, in canonical form.
pub(super) fn condition(word: &Word) -> Result<String, OverlayError> {
    let parsed = parse_formula(&word.text, Mode::Strict).map_err(|error| wrong(word, &error))?;
    let formula = parsed.value;
    let help = "write a condition over the one result, such as `result[0] == true`";
    if !formula.is_propositional() {
        let message = format!("`{}` speaks of other events than the result's", word.text);
        return Err(OverlayError::new(word.at, message, help));
    }
    for atom in formula.atoms() {
        let foreign = atom.all_atoms().into_iter().find(|it| !is_of_values(it));
        let terms = atom.all_terms().into_iter();
        let foreign = match foreign {
            Some(atom) => Some(atom.to_string()),
            None => terms
                .filter(|term| !is_of_result(term))
                .map(ToString::to_string)
                .next(),
        };
        if let Some(foreign) = foreign {
            let message = format!("`{foreign}` is not known from the result alone");
            return Err(OverlayError::new(word.at, message, help));
        }
    }
    Ok(print_formula(&formula))
}

/// Whether the atom looks at nothing but the values of its terms.
fn is_of_values(atom: &Atom) -> bool {
    !matches!(
        atom,
        Atom::Event(_)
            | Atom::Listed(_)
            | Atom::Permitted(_)
            | Atom::FromUser(_)
            | Atom::FromTool(..)
            | Atom::Untrusted(_)
    )
}

/// Whether a result alone gives the term a value, its inner terms apart.
fn is_of_result(term: &Term) -> bool {
    matches!(
        term,
        Term::Result(_)
            | Term::Constant(_)
            | Term::Duration(_)
            | Term::Apply(..)
            | Term::Zip(..)
            | Term::Arithmetic(..)
            | Term::Variable(..)
            | Term::Current(_)
    )
}

/// A path from `result`, in canonical form.
pub(super) fn value(word: &Word) -> Result<String, OverlayError> {
    match parse_term(&word.text, Mode::Strict).map_err(|error| wrong(word, &error))? {
        path @ Term::Result(_) if path.inner().into_iter().all(is_of_result) => {
            Ok(path.to_string())
        }
        _ => Err(OverlayError::new(
            word.at,
            format!("`{}` is no path from `result`", word.text),
            "write `result`, or a path such as `result[1]` or `result.data`",
        )),
    }
}

fn wrong(word: &Word, error: &SyntaxError) -> OverlayError {
    let culprit = word.text.get(error.range.clone()).unwrap_or_default();
    let within = match culprit {
        "" => format!("`{}` cannot be read", word.text),
        culprit => format!("`{}` cannot be read at `{culprit}`", word.text),
    };
    OverlayError::new(
        word.at,
        format!("{within}: {}", error.message),
        &*error.help,
    )
}
