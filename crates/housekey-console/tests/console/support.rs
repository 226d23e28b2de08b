//! Drives the sample app's console in a folder of its own.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

pub(crate) const KEY: &str = "base64:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// A temporary app folder.
pub(crate) struct Folder {
    root: tempfile::TempDir,
}

/// What a run of the console said.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    /// With a `.env` that lets the app boot.
    pub(crate) fn new() -> Self {
        Self::with_env(&format!("APP_KEY={KEY}\n"))
    }

    pub(crate) fn with_env(text: &str) -> Self {
        let folder = Self { root: tempfile::tempdir().unwrap() };
        folder.write(".env", text);
        folder.write("Cargo.toml", "[package]\nname = \"sample\"\n");
        folder.write("src/lib.rs", "pub mod routes;\n");
        folder
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.root.path().join(below)
    }

    pub(crate) fn write(&self, below: &str, text: impl AsRef<[u8]>) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, below: &str) -> String {
        fs::read_to_string(self.path(below)).unwrap_or_else(|error| panic!("{below}: {error}"))
    }

    /// Runs a command line, split at blanks.
    #[track_caller]
    pub(crate) fn run(&self, line: &str) -> Said {
        self.run_with(line, &[])
    }

    #[track_caller]
    pub(crate) fn run_with(&self, line: &str, variables: &[(&str, &str)]) -> Said {
        let output = housekey_test_support::run(self.command(line).envs(variables.iter().copied()));
        Said {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The process, not yet started: a clean environment, nobody at the keyboard.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_housekey-sample"));
        command
            .args(line.split_whitespace())
            .env_clear()
            .env("APP_ROOT", self.root.path())
            .env("TERM", "xterm-256color")
            .current_dir(Path::new("/"))
            .stdin(Stdio::null());
        command
    }
}

impl Said {
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        self.code(0)
    }

    #[track_caller]
    pub(crate) fn code(self, expected: i32) -> Self {
        assert_eq!(self.code, expected, "\n--- out\n{}\n--- err\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub(crate) fn out(self, text: &str) -> Self {
        assert!(self.out.contains(text), "{text:?} is not in\n--- out\n{}\n--- err\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub(crate) fn err(self, text: &str) -> Self {
        assert!(self.err.contains(text), "{text:?} is not in\n--- err\n{}\n--- out\n{}", self.err, self.out);
        self
    }

    #[track_caller]
    pub(crate) fn hides(self, text: &str) -> Self {
        assert!(
            !self.out.contains(text) && !self.err.contains(text),
            "{text:?} was said:\n{}\n{}",
            self.out,
            self.err
        );
        self
    }
}
