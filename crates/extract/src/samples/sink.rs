//! Writing answers down as they arrive.
//!
//! Answers cost money and minutes, so each is on disk before it counts. A line
//! goes out in one write and is synced; a writer that is killed loses at most
//! the line it was writing, which the reader skips.

use super::SamplesFile;
use serde::Serialize;
use serde_json::Value as Json;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

/// A samples file that is open for more answers.
#[derive(Debug)]
pub struct SamplesSink {
    file: File,
    /// Whether the file ends within a line.
    is_torn: bool,
    samples: SamplesFile,
}

/// One line of a batch output file.
#[derive(Debug, Serialize)]
pub(crate) struct AnswerLine<'a> {
    pub(crate) id: String,
    pub(crate) custom_id: &'a str,
    pub(crate) response: Option<Response>,
    pub(crate) error: Option<Failure>,
}

/// What a server answered.
#[derive(Debug, Serialize)]
pub(crate) struct Response {
    pub(crate) status_code: u16,
    pub(crate) request_id: String,
    pub(crate) body: Json,
}

/// Why there is no answer.
#[derive(Debug, Serialize)]
pub(crate) struct Failure {
    pub(crate) code: String,
    pub(crate) message: String,
}

impl SamplesSink {
    /// Opens a samples file for adding to it; it is made if it is not there.
    ///
    /// # Errors
    /// What the system says, and text that is not UTF-8 or no samples file, so
    /// that no other file is ever added to.
    pub fn open(path: &Path) -> io::Result<SamplesSink> {
        let mut file = File::options()
            .read(true)
            .append(true)
            .create(true)
            .open(path)?;
        file.seek(SeekFrom::Start(0))?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let (samples, _) = SamplesFile::read(&text)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        Ok(SamplesSink {
            file,
            is_torn: !text.is_empty() && !text.ends_with('\n'),
            samples,
        })
    }

    /// The answers so far.
    pub fn samples(&self) -> &SamplesFile {
        &self.samples
    }

    /// Adds an answer.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn append(&mut self, answer: &AnswerLine<'_>) -> io::Result<()> {
        let mut line = String::new();
        if self.is_torn {
            line.push('\n');
        }
        let json = serde_json::to_string(answer)?;
        line.push_str(&json);
        line.push('\n');
        // A write that fails half-way leaves a torn line.
        self.is_torn = true;
        self.file.write_all(line.as_bytes())?;
        self.file.flush()?;
        self.file.sync_data()?;
        self.is_torn = false;
        // The line was made here, so it is one.
        let _ = self.samples.add_line(&json);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::tests::completion;

    fn answer(id: &str) -> AnswerLine<'_> {
        AnswerLine {
            id: "x".into(),
            custom_id: id,
            response: Some(Response {
                status_code: 200,
                request_id: String::new(),
                body: completion(r#"{"rules": [], "no_rule": []}"#),
            }),
            error: None,
        }
    }

    #[test]
    fn answers_follow_a_torn_line_on_a_line_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.samples.jsonl");
        let mut sink = SamplesSink::open(&path).unwrap();
        sink.append(&answer("a")).unwrap();
        drop(sink);
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("{\"custom_id\": \"b\", \"resp");
        std::fs::write(&path, &text).unwrap();
        let mut sink = SamplesSink::open(&path).unwrap();
        assert!(sink.samples().is_answered("a"));
        sink.append(&answer("c")).unwrap();
        sink.append(&answer("d")).unwrap();
        assert!(sink.samples().is_answered("d"));
        let (file, notes) = SamplesFile::read(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!((file.len(), notes.len()), (3, 1));
    }

    #[test]
    fn another_file_is_not_added_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        std::fs::write(&path, "my notes\n").unwrap();
        assert!(
            SamplesSink::open(&path)
                .unwrap_err()
                .to_string()
                .contains("line 1")
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "my notes\n");
        assert!(SamplesSink::open(folder.path()).is_err());
    }
}
