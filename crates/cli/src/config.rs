//! `lictor.toml` beside the policy: settings that flags override.

use anyhow::{Context, anyhow};
use lictor_contract::library::{Settings, Unlisted};
use lictor_contract::rule::ConfirmationReading;
use lictor_contract::time::{Time, Zone};
use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Name of the settings file.
pub const NAME: &str = "lictor.toml";

/// What a settings file may say. Unknown keys are errors.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The files of the tool catalog, relative to the settings file: one text,
    /// or a list of them, each perhaps with `SERVER=` before it.
    #[serde(deserialize_with = "one_or_more")]
    pub catalog: Vec<String>,
    /// The overlay of the catalog, relative to the settings file.
    pub overlay: Option<PathBuf>,
    /// Samples for each section.
    pub samples: Option<usize>,
    /// The model to ask.
    pub model: Option<String>,
    /// How far one yes reaches.
    pub confirmation: ConfirmationReading,
    /// What happens to tools that the catalog does not have.
    pub unlisted: Unlisted,
    /// The time that the policy states as the present one.
    #[serde(deserialize_with = "time")]
    pub now: Option<String>,
    /// The zone of times that are written without one.
    #[serde(deserialize_with = "zone")]
    pub zone: Option<String>,
    /// The languages in which a yes is understood.
    pub lexicon: Vec<String>,
    /// The folder of the settings file.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// Reads one text or a list of texts.
fn one_or_more<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    struct Texts;
    impl<'de> Visitor<'de> for Texts {
        type Value = Vec<String>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a text in quotes, or a list of such texts")
        }
        fn visit_str<E>(self, text: &str) -> Result<Vec<String>, E> {
            Ok(vec![text.to_owned()])
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<String>, A::Error> {
            let mut texts = Vec::new();
            while let Some(text) = items.next_element()? {
                texts.push(text);
            }
            Ok(texts)
        }
    }
    deserializer.deserialize_any(Texts)
}

/// A time, as a text or in the form that TOML itself has.
fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(
        untagged,
        expecting = "expected a time such as `2026-04-03T11:00:00-05:00`"
    )]
    enum Given {
        Text(String),
        Time(toml::value::Datetime),
    }
    let text = match Given::deserialize(deserializer)? {
        Given::Text(text) => text,
        Given::Time(time) => time.to_string(),
    };
    match text.parse::<Time>() {
        Ok(_) => Ok(Some(text)),
        Err(error) => Err(D::Error::custom(error)),
    }
}

fn zone<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = String::deserialize(deserializer)?;
    match Zone::named(&text) {
        Ok(_) => Ok(Some(text)),
        Err(error) => Err(D::Error::custom(error)),
    }
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
        config.folder = folder.to_path_buf();
        Ok(config)
    }

    /// The settings that change what contracts mean.
    pub fn settings(&self) -> Settings {
        Settings {
            confirmation: self.confirmation,
            unlisted: self.unlisted,
            now: self.now.clone(),
            zone: self.zone.clone(),
            lexicon: self.lexicon.clone(),
        }
    }
}
