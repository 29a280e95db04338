//! `lictor.toml` beside the policy: settings that flags override.

use anyhow::{Context, anyhow};
use lictor_contract::library::{Settings, Unlisted};
use lictor_contract::rule::ConfirmationReading;
use serde::Deserialize;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Name of the settings file.
const NAME: &str = "lictor.toml";

/// What a settings file may say. Unknown keys are errors.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The tool catalog, relative to the settings file.
    pub catalog: Option<PathBuf>,
    /// Samples for each section.
    pub samples: Option<usize>,
    /// The model to ask.
    pub model: Option<String>,
    /// How far one yes reaches.
    pub confirmation: ConfirmationReading,
    /// What happens to tools that the catalog does not have.
    pub unlisted: Unlisted,
}

impl Config {
    /// Reads the settings beside a file; without any, the defaults.
    pub fn beside(file: &Path) -> anyhow::Result<Config> {
        let folder = file.parent().unwrap_or(Path::new(""));
        let path = folder.join(NAME);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Config::default()),
            Err(error) => {
                return Err(error).with_context(|| {
                    format!(
                        "the settings file `{}` cannot be read; mend or remove it",
                        path.display()
                    )
                });
            }
        };
        let mut config: Config = toml::from_str(&text).map_err(|error| {
            let line = error
                .span()
                .and_then(|span| text.get(..span.start))
                .map_or(1, |before| before.matches('\n').count() + 1);
            // What the reader calls by its Rust name, users call by another.
            let message = error
                .message()
                .replace("usize", "a whole number")
                .replace("path string", "a text in quotes")
                .replace("wanted string or table", "expected a text in quotes");
            anyhow!("{}:{line}: {message}", path.display())
        })?;
        config.catalog = config.catalog.map(|catalog| folder.join(catalog));
        Ok(config)
    }

    /// The settings that change what contracts mean.
    pub fn settings(&self) -> Settings {
        Settings {
            confirmation: self.confirmation,
            unlisted: self.unlisted,
        }
    }

    /// The catalog that a flag or the settings name.
    pub fn catalog(&self, flag: Option<&PathBuf>) -> anyhow::Result<PathBuf> {
        flag.or(self.catalog.as_ref()).cloned().ok_or_else(|| {
            anyhow!("no tool catalog is named; add `--tools FILE`, or `catalog = \"FILE\"` to {NAME} beside the policy")
        })
    }
}
