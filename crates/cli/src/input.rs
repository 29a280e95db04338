//! Reading and writing files, with one clear sentence for whatever goes wrong.

use anyhow::{Context, anyhow, bail};
use lictor_contract::catalog::Catalog;
use lictor_contract::library::Library;
use lictor_contract::source::Source;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Largest file that is read whole, in bytes.
const MAX_FILE: u64 = 256 << 20;

/// The text of a file.
pub fn text(path: &Path, what: &str) -> anyhow::Result<String> {
    let shown = path.display();
    let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => anyhow!("{what} `{shown}` does not exist"),
        _ => anyhow!("{what} `{shown}` cannot be read: {error}"),
    })?;
    if metadata.is_dir() {
        bail!("{what} `{shown}` is a folder; name a file");
    }
    if metadata.len() > MAX_FILE {
        bail!("{what} `{shown}` is larger than {} MB", MAX_FILE >> 20);
    }
    let bytes = std::fs::read(path).with_context(|| format!("{what} `{shown}` cannot be read"))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        anyhow!("{what} `{shown}` is no UTF-8 text (byte {at})")
    })?;
    if text.trim().is_empty() {
        bail!("{what} `{shown}` is empty");
    }
    Ok(text)
}

/// A file as a source that diagnostics can point into. It is called by the path
/// the user gave.
pub fn source(path: &Path, what: &str) -> anyhow::Result<Source> {
    Ok(Source::new(path.display().to_string(), text(path, what)?))
}

/// A tool catalog.
pub fn catalog(path: &Path) -> anyhow::Result<Catalog> {
    let text = text(path, "the tool catalog")?;
    Catalog::from_json(&text).map_err(|error| anyhow!("{}: {error}", path.display()))
}

/// A sealed library.
pub fn library(path: &Path) -> anyhow::Result<Library> {
    let text = text(path, "the library")?;
    Library::from_json(&text).map_err(|error| anyhow!("{}: {error}", path.display()))
}

/// Writes a file through a temporary one beside it, so that a reader never sees
/// half of it and a failure leaves the old one.
pub fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let shown = path.display();
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("the folder of `{shown}` cannot be made"))?;
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let beside = PathBuf::from(beside);
    let written = std::fs::File::create(&beside)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())
                .and_then(|()| file.sync_all())
        })
        .and_then(|()| std::fs::rename(&beside, path));
    written.with_context(|| format!("`{shown}` cannot be written"))
}
