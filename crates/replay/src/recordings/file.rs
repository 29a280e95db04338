//! The runs of one file.
//!
//! A text of the file is a message (the file is then one session), a run, or a
//! list of either. Runs get their numbers in the order of the file; a line that
//! cannot be read takes a number, too, so that damage renumbers nothing.

use super::ReadError;
use crate::format::{self, Envelope, Shape};
use crate::json::Members;
use crate::run::{Format, Oddity, Run};
use crate::session::Session;
use crate::source::{Piece, Pieces};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// Runs of one file, read as they are asked for.
pub(super) struct File {
    path: PathBuf,
    /// The name in `FILE#INDEX`.
    name: String,
    shown: String,
    pieces: Pieces,
    /// The session that the messages at hand belong to.
    session: Option<Session>,
    /// Runs that were read and not yet handed out.
    ready: VecDeque<Run>,
    /// Texts of a list that stood on one line, not yet read.
    pending: VecDeque<(u64, String)>,
    /// Number of the next run.
    index: u64,
    /// Whether any text has been seen, readable or not.
    any: bool,
    /// Damage before it is known whether it belongs to a session.
    early: Vec<(u64, String)>,
    beside: Vec<Oddity>,
    recognised: bool,
    first_unknown: Option<(u64, String)>,
}

impl File {
    /// Opens a file and looks at its first lines.
    pub(super) fn open(path: &Path) -> Result<File, ReadError> {
        let pieces = Pieces::open(path).map_err(|source| ReadError::Unreadable {
            path: path.to_path_buf(),
            source,
        })?;
        Ok(File {
            path: path.to_path_buf(),
            name: path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default(),
            shown: path.display().to_string(),
            pieces,
            session: None,
            ready: VecDeque::new(),
            pending: VecDeque::new(),
            index: 0,
            any: false,
            early: Vec::new(),
            beside: Vec::new(),
            recognised: false,
            first_unknown: None,
        })
    }

    /// Why the file gave nothing, if it did.
    pub(super) fn verdict(&self) -> Option<ReadError> {
        if self.recognised {
            return None;
        }
        let path = self.path.clone();
        if !self.any {
            return Some(ReadError::Empty(path));
        }
        let reason = match &self.first_unknown {
            Some((line, text)) => format!(" (line {line}: {text})"),
            None => String::new(),
        };
        Some(ReadError::Unrecognised { path, reason })
    }

    /// What was odd and belongs to no run.
    pub(super) fn into_beside(self) -> Vec<Oddity> {
        self.beside
    }

    fn beside(&mut self, line: u64, text: String) {
        self.beside.push(Oddity {
            file: self.shown.clone(),
            line: Some(line),
            run: None,
            message: None,
            text,
        });
    }

    /// A name for a run that has none of its own, and the number it takes.
    fn next_id(&mut self, own: Option<String>) -> String {
        let index = self.index;
        self.index += 1;
        own.unwrap_or_else(|| format!("{}#{index}", self.name))
    }

    fn close_session(&mut self) {
        if let Some(session) = self.session.take() {
            self.ready.push_back(session.finish());
        }
    }

    fn damage(&mut self, line: u64, text: String) {
        self.any = true;
        if let Some(session) = &mut self.session {
            session.gap(line, text);
        } else if self.recognised {
            self.index += 1;
            self.beside(line, text);
        } else {
            self.early.push((line, text));
        }
    }

    /// Puts early damage where it belongs, now that the form is known.
    fn recognise(&mut self) {
        if self.recognised {
            return;
        }
        self.recognised = true;
        for (line, text) in std::mem::take(&mut self.early) {
            self.damage(line, text);
        }
    }

    fn message(&mut self, line: u64, text: &str) {
        if self.session.is_none() {
            if self.recognised && self.index > 0 && !self.ready_for_session() {
                self.index += 1;
                self.beside(
                    line,
                    "a message stands among whole runs and was passed over".into(),
                );
                return;
            }
            let id = self.next_id(None);
            let session = Session::new(
                id,
                self.shown.clone(),
                Format::Chat,
                Envelope::default(),
                Some(line),
            );
            self.session = Some(session);
            self.recognise();
        }
        if let Some(session) = &mut self.session {
            session.at_line(line);
            session.message(text);
        }
    }

    /// Whether a new session of messages may start here: only documents that
    /// follow one another hold more than one.
    fn ready_for_session(&self) -> bool {
        matches!(self.pieces, Pieces::Document(_))
    }

    fn run(&mut self, line: u64, format: Format, members: &Members<'_>) {
        self.close_session();
        self.recognise();
        let mut envelope = Envelope::of(format, members);
        let id = self.next_id(envelope.about.id.take());
        let mut session = Session::new(id, self.shown.clone(), format, envelope, Some(line));
        for message in format::messages(format, members).unwrap_or_default() {
            session.message(message);
        }
        self.ready.push_back(session.finish());
    }

    fn bare_run(&mut self, line: u64, messages: &[&str]) {
        self.close_session();
        self.recognise();
        let id = self.next_id(None);
        let mut session = Session::new(
            id,
            self.shown.clone(),
            Format::Chat,
            Envelope::default(),
            Some(line),
        );
        for message in messages {
            session.message(message);
        }
        self.ready.push_back(session.finish());
    }

    fn unknown(&mut self, line: u64, text: &str) {
        let start: String = text.chars().take(40).collect();
        let dots = if start.len() < text.len() { "…" } else { "" };
        let reason = format!("`{start}{dots}`").replace('\n', " ");
        if let Some(session) = &mut self.session {
            session.at_line(line);
            session.message(text);
            return;
        }
        self.index += 1;
        self.first_unknown.get_or_insert((line, reason.clone()));
        self.beside(
            line,
            format!("neither a run nor a message, passed over: {reason}"),
        );
    }

    fn text(&mut self, line: u64, text: &str) {
        self.any = true;
        match Shape::of(text) {
            Shape::Message => self.message(line, text),
            Shape::Run(format, members) => self.run(line, format, &members),
            Shape::Messages(messages) => self.bare_run(line, &messages),
            Shape::Runs(runs) if !runs.is_empty() => {
                // A list inside a list comes before what is left of the outer one.
                for run in runs.into_iter().rev() {
                    self.pending.push_front((line, run.to_owned()));
                }
            }
            Shape::Runs(_) | Shape::Unknown => self.unknown(line, text),
        }
    }
}

impl Iterator for File {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        loop {
            if let Some(run) = self.ready.pop_front() {
                return Some(run);
            }
            if let Some((line, text)) = self.pending.pop_front() {
                self.text(line, &text);
                continue;
            }
            match self.pieces.next() {
                Some(Piece::Text { line, text }) => self.text(line, &text),
                Some(Piece::Damage { line, text }) => self.damage(line, text),
                Some(Piece::Boundary) => {
                    self.any = true;
                    self.close_session();
                }
                None => {
                    if self.session.is_none() {
                        if !self.recognised {
                            let early = std::mem::take(&mut self.early);
                            for (line, text) in early {
                                self.first_unknown.get_or_insert((line, text.clone()));
                                self.beside(line, text);
                            }
                        }
                        return None;
                    }
                    self.close_session();
                }
            }
        }
    }
}
