//! Reading and writing files, with one clear sentence for whatever goes wrong.

use anyhow::{Context, anyhow, bail};
use lictor_contract::library::Library;
use lictor_contract::source::Source;
use std::io::{Read as _, Write as _};
use std::path::Path;

/// Largest file that is read whole, in bytes.
const MAX_FILE: u64 = 256 << 20;

/// Largest policy, in bytes: some two hundred printed pages.
const MAX_POLICY: usize = 512 << 10;

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
    // What has no length of its own, as a pipe, is bounded too.
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(MAX_FILE + 1).read_to_end(&mut bytes))
        .with_context(|| format!("{what} `{shown}` cannot be read"))?;
    if bytes.len() as u64 > MAX_FILE {
        bail!("{what} `{shown}` is larger than {} MB", MAX_FILE >> 20);
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        anyhow!("{what} `{shown}` is no UTF-8 text (byte {at})")
    })?;
    if let Some(at) = text.find('\0') {
        let line = text.get(..at).unwrap_or_default().matches('\n').count() + 1;
        bail!("{shown}:{line}: {what} is no text file: a zero byte stands here");
    }
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

/// A policy: prose, and not so much of it that it cannot be one.
pub fn policy(path: &Path) -> anyhow::Result<Source> {
    let source = source(path, "the policy")?;
    let shown = path.display();
    let text = source.text();
    if text.len() > MAX_POLICY {
        bail!(
            "the policy `{shown}` is larger than {} KB; compile its parts one by one",
            MAX_POLICY >> 10
        );
    }
    if text.trim_start().starts_with(['{', '['])
        && serde_json::Deserializer::from_str(text)
            .into_iter::<serde::de::IgnoredAny>()
            .all(|value| value.is_ok())
    {
        bail!("the policy `{shown}` is JSON data; name the Markdown or text file that people read");
    }
    Ok(source)
}

/// The text without the byte order mark that some editors put before it.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// A sealed library.
pub fn library(path: &Path) -> anyhow::Result<Library> {
    let text = text(path, "the library")?;
    Library::from_json(without_mark(&text)).map_err(|error| anyhow!("{}: {error}", path.display()))
}

/// Refuses to write over a file that the same command reads: nobody wants
/// their policy replaced by the library made from it.
pub fn apart<'a>(
    out: &Path,
    inputs: impl IntoIterator<Item = (&'a Path, &'a str)>,
) -> anyhow::Result<()> {
    let Ok(place) = std::fs::canonicalize(out) else {
        return Ok(());
    };
    for (input, what) in inputs {
        if std::fs::canonicalize(input).is_ok_and(|input| input == place) {
            bail!(
                "`{}` is {what}, and the result would overwrite it; name another file to write",
                out.display()
            );
        }
    }
    Ok(())
}

/// Writes a file through a temporary one beside it, so that a reader never sees
/// half of it and a failure leaves the old one and nothing else. A link is
/// followed; a device or a pipe is written to and stays what it is.
pub fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let shown = path.display();
    let place = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    match std::fs::metadata(&place) {
        Ok(found) if found.is_dir() => bail!("`{shown}` is a folder; name a file to write"),
        Ok(found) if !found.is_file() => {
            return std::fs::OpenOptions::new()
                .write(true)
                .open(&place)
                .and_then(|mut file| file.write_all(text.as_bytes()))
                .with_context(|| format!("`{shown}` cannot be written"));
        }
        _ => {}
    }
    if let Some(folder) = place
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("the folder of `{shown}` cannot be made"))?;
    }
    let Some(name) = place.file_name() else {
        bail!("`{shown}` names no file to write");
    };
    let mut beside = name.to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    let beside = place.with_file_name(beside);
    let written = std::fs::File::create_new(&beside)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())
                .and_then(|()| file.sync_all())
        })
        .and_then(|()| std::fs::rename(&beside, &place));
    if written
        .as_ref()
        .is_err_and(|error| error.kind() != std::io::ErrorKind::AlreadyExists)
    {
        // What could not be finished is nobody's; that it is gone already is fine.
        let _ = std::fs::remove_file(&beside);
    }
    written.with_context(|| format!("`{shown}` cannot be written"))
}
