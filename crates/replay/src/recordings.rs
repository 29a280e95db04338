//! All runs of some files and folders, one in memory at a time.

mod error;
mod file;
mod paths;

pub use error::ReadError;
use file::File;
use paths::Found;
use serde::Serialize;
use std::path::PathBuf;
use std::vec;

use crate::run::{Format, Label, Oddity, Run};

/// What was recognised in one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileReport {
    /// The file, as it was named or found.
    pub file: String,
    /// The format of its first run; none if nothing was recognised.
    pub format: Option<Format>,
    /// Runs read.
    pub runs: u64,
    /// The agent's calls in them.
    pub calls: u64,
    /// Runs that passed.
    pub pass: u64,
    /// Runs that failed.
    pub fail: u64,
    /// Runs without a label.
    pub unlabelled: u64,
    /// Oddities in all, those of the runs included.
    pub oddities: u64,
    /// Oddities that belong to no run.
    #[serde(skip)]
    pub beside: Vec<Oddity>,
}

impl FileReport {
    fn new(file: &str) -> Self {
        FileReport {
            file: file.to_owned(),
            format: None,
            runs: 0,
            calls: 0,
            pass: 0,
            fail: 0,
            unlabelled: 0,
            oddities: 0,
            beside: Vec::new(),
        }
    }

    fn count(&mut self, run: &Run) {
        self.format.get_or_insert(run.format);
        self.runs += 1;
        self.calls += run.calls().count() as u64;
        self.oddities += run.oddities.len() as u64;
        match run.label() {
            Label::Pass => self.pass += 1,
            Label::Fail => self.fail += 1,
            Label::Unlabelled => self.unlabelled += 1,
        }
    }
}

/// Iterates over the runs of all files, in the order given, folders in the
/// order of names. What was read so far is told by [`Recordings::reports`].
pub struct Recordings {
    files: vec::IntoIter<Found>,
    current: Option<(File, bool)>,
    reports: Vec<FileReport>,
    /// Folders that were walked, to be named if nothing was found in them.
    folders: Vec<PathBuf>,
    ended: bool,
}

impl Recordings {
    /// Finds the files; none is opened yet.
    ///
    /// # Errors
    /// [`ReadError`] names the path that does not exist or holds no candidate.
    pub fn open(paths: &[PathBuf]) -> Result<Recordings, ReadError> {
        let (files, folders) = paths::find(paths)?;
        Ok(Recordings {
            files: files.into_iter(),
            current: None,
            reports: Vec::new(),
            folders,
            ended: false,
        })
    }

    /// One report for each file that was opened so far.
    pub fn reports(&self) -> &[FileReport] {
        &self.reports
    }

    /// Ends the file at hand: a file that was named must hold something, one
    /// that was only met in a folder need not.
    fn close(&mut self, file: File, named: bool) -> Option<ReadError> {
        let nothing = file.verdict();
        let report = self.reports.last_mut()?;
        report.beside = match &nothing {
            None => file.into_beside(),
            Some(error) => vec![Oddity {
                file: report.file.clone(),
                line: None,
                run: None,
                message: None,
                text: error.in_a_folder(),
            }],
        };
        report.oddities += report.beside.len() as u64;
        nothing.filter(|_| named)
    }
}

impl Iterator for Recordings {
    type Item = Result<Run, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((mut file, named)) = self.current.take() {
                if let Some(run) = file.next() {
                    if let Some(report) = self.reports.last_mut() {
                        report.count(&run);
                    }
                    self.current = Some((file, named));
                    return Some(Ok(run));
                }
                if let Some(error) = self.close(file, named) {
                    return Some(Err(error));
                }
            }
            let Some(found) = self.files.next() else {
                let empty = !self.ended && self.reports.iter().all(|report| report.runs == 0);
                self.ended = true;
                let folder = self.folders.first().filter(|_| empty)?;
                return Some(Err(ReadError::NothingInFolder(folder.clone())));
            };
            match File::open(&found.path) {
                Ok(file) => {
                    self.reports
                        .push(FileReport::new(&found.path.display().to_string()));
                    self.current = Some((file, found.named));
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

#[cfg(test)]
mod tests;
