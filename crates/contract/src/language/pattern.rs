//! Regular expressions as the language means them.

use crate::predicate::Pattern;
use regex::{Regex, RegexBuilder};

/// Most memory a compiled expression may take, in bytes.
const MAX_COMPILED: usize = 2 << 20;

/// Deepest nesting of groups.
const MAX_GROUPS: u32 = 100;

/// Compiles an expression with the settings that every part of Lictor uses:
/// linear time, case ignored unless it says `(?-i)`, bounded size.
///
/// # Errors
/// One clause that says why the expression is refused.
pub fn compile_pattern(pattern: &Pattern) -> Result<Regex, String> {
    RegexBuilder::new(&pattern.0)
        .case_insensitive(true)
        .size_limit(MAX_COMPILED)
        .nest_limit(MAX_GROUPS)
        .build()
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => "it is too large once compiled".to_owned(),
            // The engine draws the expression first and names the fault in the last line.
            other => {
                let text = other.to_string();
                let last = text.lines().last().unwrap_or_default();
                last.trim_start_matches("error: ").to_owned()
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignores_case_unless_told_and_bounds_size() {
        let compile = |text: &str| compile_pattern(&Pattern(text.to_owned()));
        assert!(compile("yes").unwrap().is_match("YES"));
        assert!(!compile("(?-i)yes").unwrap().is_match("YES"));
        assert_eq!(compile("(a").unwrap_err(), "unclosed group");
        assert!(compile("(?=a)").unwrap_err().contains("look-around"));
        assert!(
            compile("(a{1000}){1000}")
                .unwrap_err()
                .contains("too large")
        );
        assert!(compile(&"(".repeat(10_000)).is_err());
    }
}
