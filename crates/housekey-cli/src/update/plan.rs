//! What becomes of every file, decided before any is touched.

use std::path::Path;
use std::{fs, io};

use super::merge::{self, Merged};
use super::write::Write;
use crate::failure::Failure;
use crate::kept::KitRecord;

/// What happens to one file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FileAction {
    /// It was not there.
    New,
    /// You had not touched it.
    Replaced,
    /// Your edits and the kit's are both in it.
    Merged,
    /// The kit has it no more, and you had not touched it.
    Removed,
    /// Both sides are in it, marked, in so many places.
    Conflict(usize),
    /// Yours stays; the kit's is in the file named here, because of what is said.
    Beside(String, &'static str),
    /// You had removed it, and the kit changed it.
    StaysRemoved,
    /// The kit has it no more, and you had edited it.
    Stays,
}

#[derive(Debug)]
pub(super) struct Step {
    pub(super) path: String,
    pub(super) action: FileAction,
    write: Option<Write>,
}

/// What becomes of all files that the kit changes.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) steps: Vec<Step>,
    /// What is kept of it.
    kept: Vec<Write>,
}

/// A file as it is in the app.
enum Found {
    Nothing,
    File(Vec<u8>),
    /// A link, a folder: nothing of the kit's, and not followed.
    Other,
}

impl Plan {
    pub(super) fn make(
        app: &Path,
        before: &KitRecord,
        now: &KitRecord,
        other: &str,
    ) -> Result<Self, Failure> {
        let (base, new) = (before.given(), now.given());
        let mut paths: Vec<&String> = base.keys().chain(new.keys()).collect();
        paths.sort();
        paths.dedup();
        let mut steps = Vec::new();
        for path in paths {
            let (was, is) = (base.get(path).map(Vec::as_slice), new.get(path).map(Vec::as_slice));
            if was != is
                && let Some(step) = step(app, path, was, is, other)?
            {
                steps.push(step);
            }
        }
        let mut kept = Vec::new();
        for (path, after) in now.files() {
            let before = match look(app, &path)? {
                Found::File(content) => Some(content),
                Found::Nothing => None,
                Found::Other => return Err(in_the_way(&path)),
            };
            if before.as_ref() != Some(&after) {
                kept.push(Write { path, before, after: Some(after) });
            }
        }
        Ok(Self { steps, kept })
    }

    /// What has to be written, what is kept last.
    pub(super) fn writes(&self) -> Vec<&Write> {
        self.changes().chain(&self.kept).collect()
    }

    /// The writes to files of the app.
    pub(super) fn changes(&self) -> impl Iterator<Item = &Write> {
        self.steps.iter().filter_map(|step| step.write.as_ref())
    }

    /// Nothing is to be done or said.
    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.kept.is_empty()
    }

    /// Somebody has to look at a file.
    pub(super) fn has_conflicts(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.action, FileAction::Conflict(_) | FileAction::Beside(..)))
    }

    pub(super) fn touches(&self, file: &str) -> bool {
        self.changes().any(|write| write.path == file || write.path.ends_with(&format!("/{file}")))
    }
}

fn step(
    app: &Path,
    path: &str,
    base: Option<&[u8]>,
    new: Option<&[u8]>,
    other: &str,
) -> Result<Option<Step>, Failure> {
    let found = look(app, path)?;
    let done = |action, write| Ok(Some(Step { path: path.to_owned(), action, write }));
    let write = |before: &[u8], after: Option<Vec<u8>>| {
        Some(Write { path: path.to_owned(), before: Some(before.to_owned()), after })
    };
    match (base, new, found) {
        (None, Some(new), Found::Nothing) => done(
            FileAction::New,
            Some(Write { path: path.to_owned(), before: None, after: Some(new.to_owned()) }),
        ),
        (_, Some(new), Found::File(yours)) if merge::is_same(&yours, new) => Ok(None),
        (None, Some(new), Found::File(_)) => beside(app, path, new, "you have a file of that name"),
        (_, Some(new), Found::Other) => beside(app, path, new, "it is no ordinary file"),
        (Some(base), Some(new), Found::File(yours)) if merge::is_same(&yours, base) => {
            done(FileAction::Replaced, write(&yours, Some(merge::in_the_style_of(&yours, new))))
        }
        (Some(base), Some(new), Found::File(yours)) => match merge::merge(base, &yours, new, other) {
            // The kit's change was there already.
            Merged::Clean(text) if text == yours => Ok(None),
            Merged::Clean(text) => done(FileAction::Merged, write(&yours, Some(text))),
            Merged::Conflict { text, places } => {
                done(FileAction::Conflict(places), write(&yours, Some(text)))
            }
            Merged::Binary => beside(app, path, new, "it has no lines to merge"),
        },
        (Some(_), Some(_), Found::Nothing) => done(FileAction::StaysRemoved, None),
        (Some(base), None, Found::File(yours)) if merge::is_same(&yours, base) => {
            done(FileAction::Removed, write(&yours, None))
        }
        (Some(_), None, Found::File(_) | Found::Other) => done(FileAction::Stays, None),
        (_, None, _) => Ok(None),
    }
}

/// Puts the kit's file beside yours, under a name that is free.
fn beside(app: &Path, path: &str, new: &[u8], why: &'static str) -> Result<Option<Step>, Failure> {
    for number in 1.. {
        let name = if number == 1 {
            format!("{path}.housekey-new")
        } else {
            format!("{path}.housekey-new-{number}")
        };
        match look(app, &name)? {
            Found::File(there) if there == new => {
                let action = FileAction::Beside(name, why);
                return Ok(Some(Step { path: path.to_owned(), action, write: None }));
            }
            Found::Nothing => {
                let write = Write { path: name.clone(), before: None, after: Some(new.to_owned()) };
                let action = FileAction::Beside(name, why);
                return Ok(Some(Step { path: path.to_owned(), action, write: Some(write) }));
            }
            Found::File(_) | Found::Other => {}
        }
    }
    Ok(None)
}

/// Looks without following a link: one that leads out of the app must not be read through, and less written through.
fn look(app: &Path, path: &str) -> Result<Found, Failure> {
    let parts: Vec<&str> = path.split('/').collect();
    let mut place = app.to_owned();
    for (index, part) in parts.iter().enumerate() {
        place.push(part);
        let is_last = index + 1 == parts.len();
        match fs::symlink_metadata(&place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
            Err(error) => return Err(unreadable(path, &error)),
            Ok(found) if !is_last && !found.is_dir() => return Err(in_the_way(&parts[..=index].join("/"))),
            Ok(found) if is_last && !found.is_file() => return Ok(Found::Other),
            Ok(_) => {}
        }
    }
    fs::read(&place).map(Found::File).map_err(|error| unreadable(path, &error))
}

fn in_the_way(path: &str) -> Failure {
    Failure::failed(format!("`{path}` is a link or a file where the kit has a folder or a file of its own"))
        .help("Links are not followed, so that nothing outside the app is changed. Nothing was written.\nMove it aside, run the command, then put it back.")
}

fn unreadable(path: &str, error: &io::Error) -> Failure {
    Failure::failed(format!("`{path}` cannot be read: {error}")).help("Nothing was written.")
}
