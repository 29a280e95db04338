//! Why recordings could not be read, one sentence each.

use crate::format::LOOKED_FOR;
use std::path::PathBuf;

/// Why a path gives no runs.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is nothing at the path.
    #[error("there is no file or folder `{}`; check the path", .0.display())]
    Missing(PathBuf),
    /// The system does not let it be read.
    #[error("`{}` cannot be read; check its permissions", path.display())]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file without content.
    #[error("the transcript file `{}` is empty; record a run first", .0.display())]
    Empty(PathBuf),
    /// A file with content, but nothing that is known.
    #[error("no format recognised in `{}`{reason}; looked for {LOOKED_FOR}", path.display())]
    Unrecognised {
        /// The path.
        path: PathBuf,
        /// What stands there instead, from a colon on; may be empty.
        reason: String,
    },
    /// A folder without a transcript anywhere below it.
    #[error("the folder `{}` holds no transcripts; they end in .json, .jsonl, .json.gz or .jsonl.gz", .0.display())]
    NothingInFolder(PathBuf),
    /// Folders nested beyond reason, as a ring of links makes them.
    #[error("the folders below `{}` are nested too deep; name the inner folder instead", .0.display())]
    TooDeep(PathBuf),
}

impl ReadError {
    /// The finding when the file was not named but met in a folder.
    pub(super) fn in_a_folder(&self) -> String {
        match self {
            ReadError::Empty(_) => "the file is empty and was passed over".into(),
            _ => "no transcript was recognised, so the file was passed over".into(),
        }
    }
}
