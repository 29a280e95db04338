//! Where a command's tool catalog comes from: `--tools` and `--overlay`, or
//! `lictor.toml`.

use crate::arguments::ToolOptions;
use crate::config::{Config, NAME};
use crate::input;
use anyhow::anyhow;
use lictor_contract::catalog::Catalog;
use lictor_contract::overlay::Overlay;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A file with tools, and whose they are if that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ToolFile {
    server: Option<String>,
    path: PathBuf,
}

impl ToolFile {
    /// Reads `FILE` or `SERVER=FILE`. What names a file as it stands is one;
    /// relative paths begin at `folder`.
    fn of(text: &OsStr, folder: &Path) -> ToolFile {
        let whole = folder.join(text);
        let parts = text.to_str().and_then(|it| it.split_once('='));
        match parts {
            Some((server, path)) if !server.contains(['/', '\\']) && !whole.exists() => ToolFile {
                server: Some(server.to_owned()),
                path: folder.join(path),
            },
            _ => ToolFile {
                server: None,
                path: whole,
            },
        }
    }
}

/// The files that a catalog is made of.
#[derive(Clone, Debug)]
pub struct Tools {
    files: Vec<ToolFile>,
    overlay: Option<PathBuf>,
}

impl Tools {
    /// The files that the flags name, else the settings.
    pub fn chosen(flags: &ToolOptions, config: &Config) -> anyhow::Result<Tools> {
        let here = Path::new("");
        let mut files: Vec<ToolFile> = flags
            .tools
            .iter()
            .map(|text| ToolFile::of(text, here))
            .collect();
        if files.is_empty() {
            let named = config.catalog.iter();
            files = named
                .map(|text| ToolFile::of(OsStr::new(text), &config.folder))
                .collect();
        }
        if files.is_empty() {
            return Err(anyhow!(
                "no tool catalog is named; add `--tools FILE`, or `catalog = \"FILE\"` to {NAME} beside the policy"
            ));
        }
        let beside = config.overlay.as_ref();
        let beside = beside.map(|overlay| config.folder.join(overlay));
        Ok(Tools {
            files,
            overlay: flags.overlay.clone().or(beside),
        })
    }

    /// The same with an overlay that something else names, which a flag outweighs.
    pub fn or_overlay(mut self, flags: &ToolOptions, named: Option<PathBuf>) -> Tools {
        if flags.overlay.is_none() {
            self.overlay = named.or(self.overlay);
        }
        self
    }

    /// The tools of all files, without what the overlay says: what a model is
    /// asked depends on these alone.
    pub fn catalog(&self) -> anyhow::Result<Catalog> {
        let mut joined = Catalog::default();
        for file in &self.files {
            let text = input::text(&file.path, "the tool catalog")?;
            let catalog = Catalog::of_server(input::without_mark(&text), file.server.as_deref());
            catalog
                .and_then(|catalog| joined.join(catalog))
                .map_err(|error| anyhow!("{}: {error}", file.path.display()))?;
        }
        Ok(joined)
    }

    /// The tools of all files, with what the overlay says.
    pub fn described(&self) -> anyhow::Result<Catalog> {
        let mut catalog = self.catalog()?;
        self.describe(&mut catalog)?;
        Ok(catalog)
    }

    /// Adds what the overlay says, if there is one.
    pub fn describe(&self, catalog: &mut Catalog) -> anyhow::Result<()> {
        match &self.overlay {
            Some(overlay) => describe(overlay, catalog),
            None => Ok(()),
        }
    }

    /// Everything that is read, and what it is, so that nothing writes over it.
    pub fn inputs(&self) -> Vec<(&Path, &str)> {
        let files = self.files.iter();
        files
            .map(|file| (file.path.as_path(), "the tool catalog"))
            .chain(self.overlay.iter().map(|it| (it.as_path(), "the overlay")))
            .collect()
    }
}

/// Adds what an overlay file says of the tools.
pub fn describe(overlay: &Path, catalog: &mut Catalog) -> anyhow::Result<()> {
    let text = input::text(overlay, "the overlay")?;
    Overlay::from_text(input::without_mark(&text))
        .and_then(|overlay| catalog.apply(&overlay))
        .map_err(|error| anyhow!("{}:{error}", overlay.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_stands_before_an_equals_sign() {
        let check = |text: &str, server: Option<&str>, path: &str| {
            let file = ToolFile::of(OsStr::new(text), Path::new("in"));
            assert_eq!(file.server.as_deref(), server, "{text}");
            assert_eq!(file.path, Path::new("in").join(path), "{text}");
        };
        check("tools.json", None, "tools.json");
        check("mail=tools.json", Some("mail"), "tools.json");
        check("mail=a=b.json", Some("mail"), "a=b.json");
        check("=tools.json", Some(""), "tools.json");
        check("a/b=c.json", None, "a/b=c.json");
    }
}
