//! Running the real binary in a folder of its own.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test stops at the first thing that is not as it should be, and says what it skips"
)]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder with recorded data, if there is one; says so if not.
pub fn field_data() -> Option<PathBuf> {
    let found = std::env::var_os("LICTOR_FIELD_DATA").map(PathBuf::from);
    if found.is_none() {
        eprintln!("skipped: LICTOR_FIELD_DATA names no folder with recorded data");
    }
    found
}

/// A temporary folder and the command run inside it.
pub struct Desk {
    folder: tempfile::TempDir,
}

impl Default for Desk {
    fn default() -> Self {
        Desk::new()
    }
}

impl Desk {
    /// An empty folder.
    pub fn new() -> Self {
        Desk {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// A folder with a file in it.
    pub fn with(name: &str, text: &str) -> Self {
        let desk = Desk::new();
        desk.write(name, text);
        desk
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Reads a file.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Copies a file of the repository into the folder.
    pub fn copy(&self, from: &str, name: &str) {
        std::fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        std::fs::copy(root().join(from), self.path(name)).unwrap();
    }

    /// The names in the folder, sorted.
    pub fn names(&self) -> Vec<std::ffi::OsString> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }

    /// Runs `lictor` in the folder while nobody reads what it prints.
    pub fn run_unread<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Run {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lictor"))
            .args(arguments)
            .current_dir(self.folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        Run::of(&child.wait_with_output().unwrap())
    }

    /// Runs `lictor` in the folder, with no model at hand.
    pub fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Run {
        self.run_with(arguments, &[])
    }

    /// Runs `lictor` in the folder with these variables and no others of the model.
    pub fn run_with<S: AsRef<OsStr>>(&self, arguments: &[S], variables: &[(&str, &str)]) -> Run {
        let output = Command::new(env!("CARGO_BIN_EXE_lictor"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env_remove("OPENAI_API_KEY")
            .env_remove("OPENAI_BASE_URL")
            .env_remove("LICTOR_MODEL")
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        Run::of(&output)
    }
}

/// What a run of the command left behind.
#[derive(Debug)]
pub struct Run {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Run {
    fn of(output: &Output) -> Self {
        Run {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Exit code and both outputs as one text for snapshots.
    pub fn shown(&self) -> String {
        format!(
            "exit {}\n--- out\n{}--- err\n{}",
            self.code, self.out, self.err
        )
    }

    /// The output as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.shown()))
    }
}
