//! One finding for the user, and the registry of everything Lictor can find.
//!
//! A diagnostic is data; the command line renders it. Its code and its name
//! are stable and name the bad pattern, never the fix.

use serde::Serialize;
use std::ops::Range;

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; never changes an exit code.
    Note,
    /// Something the reviewer should look at.
    Warning,
    /// Something that cannot be used as it is.
    Error,
}

/// A place in one of the texts the user gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Name of the source, as `Source::name` gives it.
    pub file: String,
    /// Byte range in that source.
    pub range: Range<usize>,
    /// What stands there; may be empty.
    pub text: String,
}

impl Label {
    /// A label without words of its own.
    pub fn new(file: impl Into<String>, range: Range<usize>) -> Self {
        Label {
            file: file.into(),
            range,
            text: String::new(),
        }
    }

    /// Adds the words shown at the place.
    pub fn saying(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }
}

macro_rules! codes {
    ($($variant:ident $code:literal $name:literal $severity:ident $short:literal;)*) => {
        /// Everything Lictor can find, by its stable name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $(#[doc = $short] $variant,)* }

        impl Code {
            /// All codes in the order of their numbers.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The number, such as `L0103`.
            pub fn number(self) -> &'static str {
                match self { $(Code::$variant => $code,)* }
            }

            /// The speakable name, such as `unknown-tool`.
            pub fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)* }
            }

            /// How much a finding of this code weighs unless it is told otherwise.
            pub fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)* }
            }

            /// One sentence: what was found.
            pub fn summary(self) -> &'static str {
                match self { $(Code::$variant => $short,)* }
            }

            /// The page that `lictor explain` prints.
            pub fn page(self) -> &'static str {
                match self { $(Code::$variant => include_str!(concat!("../pages/", $name, ".md")),)* }
            }
        }
    };
}

codes! {
    Syntax "L0001" "syntax" Error "A formula or a rule could not be read.";
    TypeMismatch "L0002" "type-mismatch" Error "A term is used where another kind of value is needed.";
    QuoteNotFound "L0003" "quote-not-found" Warning "A candidate quotes words that the policy does not contain.";
    FailedSample "L0004" "failed-sample" Warning "A model answer was cut, refused or broke the schema.";
    UnitMismatch "L0005" "unit-mismatch" Error "A stretch of time stands beside a plain number or a time.";
    UnknownTool "L0101" "unknown-tool" Error "A rule names a tool that the catalog does not have.";
    AmbiguousTool "L0102" "ambiguous-tool" Error "A name fits more than one name of the catalog.";
    UnclassedTool "L0103" "unclassed-tool" Note "A tool has no effect class and counts as a write.";
    ArgumentNotInSignature "L0104" "argument-not-in-signature" Error "A rule reads an argument that its tool does not have.";
    UnguardedArgument "L0105" "unguarded-argument" Error "An argument or result is read where no event carries it.";
    UnguardedOptional "L0106" "unguarded-optional" Warning "A rule needs an optional argument to be present.";
    UnsatisfiableDomain "L0107" "unsatisfiable-domain" Error "No value the tool accepts can meet the rule.";
    UnscopedWildcard "L0108" "unscoped-wildcard" Error "A rule guards every tool there is.";
    WriteOverreach "L0109" "write-overreach" Warning "A rule about changes is bound to tools that change nothing.";
    SelfBlocking "L0110" "self-blocking" Error "A rule blocks every tool that could satisfy it.";
    Inconsistent "L0111" "inconsistent" Error "No behaviour at all satisfies the rule.";
    Tautology "L0112" "tautology" Warning "Every behaviour satisfies the rule, so it protects nothing.";
    UnsupportedPattern "L0113" "unsupported-pattern" Error "The rule uses a construct this version cannot enforce.";
    MinorityRule "L0114" "minority-rule" Note "Too few samples agree on the rule.";
    EmptyLibrary "L0115" "empty-library" Error "No rule survived.";
    AddressedToModel "L0116" "addressed-to-model" Warning "A text speaks to the model instead of about the work.";
    OverBlocking "L0117" "over-blocking" Warning "A rule refuses nearly all calls of a tool in runs that passed.";
    DuplicateId "L0118" "duplicate-id" Error "Two rules of one file have the same id.";
    UnmetExpectation "L0119" "unmet-expectation" Error "The rules of a file do not say what the file expects of them.";
    NameCollision "L0201" "name-collision" Warning "A host may give two tools of the catalog one name.";
    DanglingReference "L0202" "dangling-reference" Warning "A tool's schema refers to something that is not there.";
    IncompleteCatalog "L0203" "incomplete-catalog" Warning "A list of tools goes on elsewhere.";
}

impl Code {
    /// Finds a code by its number or its name.
    pub fn find(text: &str) -> Option<Code> {
        Code::ALL
            .iter()
            .copied()
            .find(|code| code.number().eq_ignore_ascii_case(text) || code.name() == text)
    }
}

/// One finding: what is wrong, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind of finding this is.
    pub code: Code,
    /// How much it weighs here.
    pub severity: Severity,
    /// One sentence, lower-case start, no final stop.
    pub message: String,
    /// What to do about it, or what was done; may be empty.
    pub help: String,
    /// Ids of the contracts or candidates it concerns.
    pub contracts: Vec<String>,
    /// Where, the most important place first.
    pub labels: Vec<Label>,
}

impl Diagnostic {
    /// A finding with its code's own weight and no place yet.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: code.severity(),
            message: message.into(),
            help: String::new(),
            contracts: Vec::new(),
            labels: Vec::new(),
        }
    }

    /// Sets what to do about it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// Names a contract or candidate it concerns.
    pub fn about(mut self, id: impl Into<String>) -> Self {
        self.contracts.push(id.into());
        self
    }

    /// Adds a place.
    pub fn at(mut self, label: Label) -> Self {
        self.labels.push(label);
        self
    }

    /// Gives it another weight than its code's own.
    pub fn weighing(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn numbers_and_names_are_unique_and_found_again() {
        let mut seen = BTreeSet::new();
        for code in Code::ALL {
            assert!(seen.insert(code.number()), "{}", code.number());
            assert!(seen.insert(code.name()), "{}", code.name());
            assert_eq!(Code::find(code.name()), Some(*code));
            assert_eq!(Code::find(&code.number().to_lowercase()), Some(*code));
        }
    }

    #[test]
    fn every_page_has_the_fixed_form() {
        for code in Code::ALL {
            let page = code.page();
            for heading in [
                "## What it finds",
                "## Why it hurts",
                "## Example",
                "## What the compiler does",
            ] {
                assert!(page.contains(heading), "{} lacks `{heading}`", code.name());
            }
            assert!(page.starts_with(&format!("# {} {}", code.number(), code.name())));
        }
    }
}
