//! What the tests of the binary share: a folder of their own and the command in it.

#![allow(dead_code, reason = "each test file uses its own part of this")]
#![allow(clippy::unwrap_used, reason = "a helper that fails has to fail its test")]

#[cfg(unix)]
pub(crate) mod app;
pub(crate) mod kept;
pub(crate) mod layers;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// An empty folder with the `housekey` binary at hand. Gone at the end of the test.
pub(crate) struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    pub(crate) fn write(&self, path: &str, content: &str) {
        let file = self.path(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }

    /// An executable shell script, to stand in for another program.
    #[cfg(unix)]
    pub(crate) fn script(&self, path: &str, lines: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        self.write(path, &format!("#!/bin/sh\n{lines}"));
        fs::set_permissions(self.path(path), fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The names of everything in a folder, hidden or not.
    pub(crate) fn entries(&self, below: &str) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.path(below))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = housekey(self.folder.path());
        // The temporary folder may lie inside a repository on the machine of whoever runs this.
        command.env("GIT_CEILING_DIRECTORIES", "/");
        command
    }

    /// The same in a folder of the sandbox.
    pub(crate) fn housekey_in(&self, folder: &str, arguments: &[&str]) -> Run {
        Run::of(self.command().current_dir(self.path(folder)).args(arguments))
    }

    /// Runs git in a folder, as somebody.
    pub(crate) fn git(&self, folder: &str, arguments: &[&str]) {
        let mut git = Command::new("git");
        git.current_dir(self.path(folder)).args(["-c", "user.name=A", "-c", "user.email=a@example.com"]);
        git.args(["-c", "commit.gpgsign=false", "-c", "core.autocrlf=false"]);
        Run::of(git.args(arguments)).assert_ok();
    }

    /// Everything in a folder becomes a commit.
    pub(crate) fn commit(&self, folder: &str) {
        if !self.path(folder).join(".git").exists() {
            self.git(folder, &["init", "--quiet"]);
        }
        self.git(folder, &["add", "--all"]);
        self.git(folder, &["commit", "--quiet", "--message", "x"]);
    }

    /// Runs `housekey` without a terminal and waits for it.
    pub(crate) fn housekey(&self, arguments: &[&str]) -> Run {
        Run::of(self.command().args(arguments))
    }
}

pub(crate) fn housekey(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_housekey"));
    command.current_dir(folder).stdin(Stdio::null()).env_remove("CARGO_TARGET_DIR").env_remove("PORT");
    command
}

/// A finished run.
pub(crate) struct Run(Output);

impl Run {
    pub(crate) fn of(command: &mut Command) -> Self {
        Self(housekey_test_support::run(command))
    }

    pub(crate) fn code(&self) -> Option<i32> {
        self.0.status.code()
    }

    /// Everything it said, on both streams.
    pub(crate) fn said(&self) -> String {
        format!("{}{}", String::from_utf8_lossy(&self.0.stdout), String::from_utf8_lossy(&self.0.stderr))
    }

    #[track_caller]
    pub(crate) fn assert_ok(&self) -> &Self {
        assert_eq!(self.code(), Some(0), "{}", self.said());
        self
    }

    #[track_caller]
    pub(crate) fn assert_refused(&self, code: i32) -> &Self {
        assert_eq!(self.code(), Some(code), "{}", self.said());
        self
    }

    #[track_caller]
    pub(crate) fn assert_never_says(&self, text: &str) -> &Self {
        assert!(!self.said().contains(text), "`{text}` is in:\n{}", self.said());
        self
    }

    #[track_caller]
    pub(crate) fn assert_says(&self, text: &str) -> &Self {
        assert!(self.said().contains(text), "`{text}` is not in:\n{}", self.said());
        self
    }
}
