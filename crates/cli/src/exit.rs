//! Exit codes, documented in the README.

use lictor_contract::diagnostic::{Diagnostic, Severity};
use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Nothing to object to; notes do not count.
    Clean,
    /// At least one warning or error was reported.
    Findings,
    /// Bad usage or bad input: the command could not do its work.
    Unusable,
}

impl Exit {
    /// Clean unless one of the diagnostics is a warning or an error.
    pub fn of(diagnostics: &[Diagnostic]) -> Exit {
        Exit::found(diagnostics.iter().any(|it| it.severity > Severity::Note))
    }

    /// Findings or not.
    pub fn found(findings: bool) -> Exit {
        if findings {
            Exit::Findings
        } else {
            Exit::Clean
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Unusable => 2,
        })
    }
}
