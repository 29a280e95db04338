//! From paths to files. Only here does a file's name count: in a folder, files
//! with other endings are not opened.

use super::ReadError;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Endings of files that are opened in a folder.
const ENDINGS: [&str; 4] = [".json", ".jsonl", ".json.gz", ".jsonl.gz"];

/// Deepest nesting of folders that is followed.
const MAX_DEPTH: usize = 32;

/// A file to read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Where it is.
    pub(super) path: PathBuf,
    /// Whether it was named itself, not met in a folder.
    pub(super) named: bool,
}

/// The files under the given paths in order, and the folders among the paths.
pub(super) fn find(paths: &[PathBuf]) -> Result<(Vec<Found>, Vec<PathBuf>), ReadError> {
    let mut files = Vec::new();
    let mut folders = Vec::new();
    for path in paths {
        let metadata = fs::metadata(path).map_err(|source| match source.kind() {
            std::io::ErrorKind::NotFound => ReadError::Missing(path.clone()),
            _ => ReadError::Unreadable {
                path: path.clone(),
                source,
            },
        })?;
        if !metadata.is_dir() {
            files.push(Found {
                path: path.clone(),
                named: true,
            });
            continue;
        }
        let before = files.len();
        walk(path, path, 0, &mut files)?;
        if files.len() == before {
            return Err(ReadError::NothingInFolder(path.clone()));
        }
        folders.push(path.clone());
    }
    Ok((once(files), folders))
}

/// Each file once, however often and by whatever path it was named: a run that
/// is counted twice falsifies every share. A pipe has no path of its own and
/// stays.
fn once(files: Vec<Found>) -> Vec<Found> {
    let mut seen: BTreeMap<PathBuf, usize> = BTreeMap::new();
    let mut kept: Vec<Found> = Vec::new();
    for file in files {
        if let Ok(place) = fs::canonicalize(&file.path) {
            if let Some(first) = seen.get(&place).and_then(|index| kept.get_mut(*index)) {
                first.named |= file.named;
                continue;
            }
            seen.insert(place, kept.len());
        }
        kept.push(file);
    }
    kept
}

fn walk(root: &Path, folder: &Path, depth: usize, files: &mut Vec<Found>) -> Result<(), ReadError> {
    if depth > MAX_DEPTH {
        return Err(ReadError::TooDeep(root.to_path_buf()));
    }
    let unreadable = |source| ReadError::Unreadable {
        path: folder.to_path_buf(),
        source,
    };
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        entries.push(entry.map_err(unreadable)?.path());
    }
    entries.sort();
    for path in entries {
        if path.is_dir() {
            walk(root, &path, depth + 1, files)?;
        } else if is_candidate(&path) && path.is_file() {
            files.push(Found { path, named: false });
        }
    }
    Ok(())
}

fn is_candidate(path: &Path) -> bool {
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default()
        .to_ascii_lowercase();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}
