//! `.housekey/`: what the kit gave the app, kept with the app.
//!
//! A three-way merge needs the common ancestor: without it nobody can tell an edit of the user's from a change of the
//! kit. `kit.json` says in words what the archive beside it holds in full. Both are small, made of nothing but the kit and
//! the app's name, and belong under version control.

mod archive;

use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};

use serde_json::{Value, json};

use crate::failure::Failure;
use crate::kits::Kit;
use crate::layers::{Files, Layers};
use crate::words::Words;

/// The folder in an app.
pub(crate) const FOLDER: &str = ".housekey";
const NOTE: &str = ".housekey/kit.json";
const ARCHIVE: &str = ".housekey/kit.archive";
/// Entries of the archive that are no files of the app.
const ABOUT_THE_KIT: &str = "/kit";
const WORDS: &str = "/words";
const STEPS_KNOWN: &str = "/steps";

/// The version of the kits in this binary.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

include!(concat!(env!("OUT_DIR"), "/steps.rs"));

/// What a kit gave an app.
#[derive(Debug)]
pub(crate) struct KitRecord {
    pub(crate) kit: &'static Kit,
    pub(crate) layers: Layers,
    pub(crate) words: Words,
    pub(crate) version: String,
    given: Files,
    /// The changelog's steps that were there already.
    steps: BTreeSet<String>,
}

impl KitRecord {
    /// What this binary gives.
    pub(crate) fn new(kit: &'static Kit, layers: Layers, words: Words, given: Files) -> Self {
        let steps = STEPS.iter().map(|&step| step.to_owned()).collect();
        Self { kit, layers, words, version: VERSION.to_owned(), given, steps }
    }

    /// What an app has kept; nothing when it has no such folder.
    pub(crate) fn read(app: &Path) -> Result<Option<Self>, Failure> {
        for place in [FOLDER, NOTE, ARCHIVE] {
            match fs::symlink_metadata(app.join(place)) {
                Ok(found) if found.is_symlink() => {
                    return Err(damaged(&format!("`{place}` is a symbolic link")));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound && place == FOLDER => return Ok(None),
                Ok(_) => {}
                Err(error) => return Err(damaged(&format!("`{place}` cannot be read: {error}"))),
            }
        }
        let read = |place: &str| {
            fs::read(app.join(place)).map_err(|error| damaged(&format!("`{place}` cannot be read: {error}")))
        };
        let note: Value = serde_json::from_slice(&read(NOTE)?)
            .map_err(|error| damaged(&format!("`{NOTE}` is no JSON: {error}")))?;
        let mut entries =
            archive::unpack(&read(ARCHIVE)?).map_err(|why| damaged(&format!("`{ARCHIVE}` {why}")))?;
        let said: Option<Value> =
            entries.remove(ABOUT_THE_KIT).and_then(|text| serde_json::from_slice(&text).ok());
        if said.as_ref() != Some(&note) {
            return Err(damaged(&format!(
                "`{NOTE}` and `{ARCHIVE}` do not belong together: one of them was changed without the other"
            )));
        }
        Self::understand(&note, entries)
            .ok_or_else(|| damaged(&format!("`{NOTE}` does not say what it should")))?
            .map(Some)
    }

    fn understand(note: &Value, mut given: Files) -> Option<Result<Self, Failure>> {
        let kit = note["kit"].as_str()?;
        let names: Vec<&str> = note["layers"].as_array()?.iter().map(Value::as_str).collect::<Option<_>>()?;
        let words = Words::from_json(&serde_json::from_slice(&given.remove(WORDS)?).ok()?)?;
        let version = note["version"].as_str()?.to_owned();
        let steps = String::from_utf8(given.remove(STEPS_KNOWN)?).ok()?;
        let steps = steps.lines().map(str::to_owned).collect();
        let known = Kit::find(kit).and_then(|kit| Ok((kit, Layers::parse(kit, names)?)));
        Some(known.map(|(kit, layers)| Self { kit, layers, words, version, given, steps }))
    }

    /// The files as the kit gave them.
    pub(crate) fn given(&self) -> &Files {
        &self.given
    }

    /// The steps of upgrading that came since.
    pub(crate) fn new_steps(&self) -> Vec<&'static str> {
        STEPS.iter().copied().filter(|&step| !self.steps.contains(step)).collect()
    }

    /// The two files below `.housekey`.
    pub(crate) fn files(&self) -> Files {
        let note = json!({
            "about": "What the kit gave this app. `housekey add` and `housekey upgrade` need it: commit it, edit nothing.",
            "kit": self.kit.name,
            "version": self.version,
            "layers": self.layers.names(),
            "app": self.words.name(),
        });
        let note = format!("{note:#}\n").into_bytes();
        let steps: String = self.steps.iter().map(|step| format!("{step}\n")).collect();
        let mut entries = self.given.clone();
        entries.insert(ABOUT_THE_KIT.to_owned(), note.clone());
        entries.insert(WORDS.to_owned(), self.words.to_json().to_string().into_bytes());
        entries.insert(STEPS_KNOWN.to_owned(), steps.into_bytes());
        [(NOTE.to_owned(), note), (ARCHIVE.to_owned(), archive::pack(&entries))].into()
    }
}

fn damaged(why: &str) -> Failure {
    Failure::failed(format!("what the kit gave this app cannot be read: {why}")).help(format!(
        "Nothing was written. Take the folder back from version control:\n  \
         git log --oneline -- {FOLDER}\n  git checkout <commit> -- {FOLDER}\n\
         After a merge of two branches, take it from one of them and repeat the `housekey add` of the other.\n\
         If it is lost, remove the folder and begin anew with `housekey upgrade --from-kit=<kit>`."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::framework::Framework;
    use crate::name::AppName;

    fn kept() -> KitRecord {
        let words = Words::new(&AppName::parse("shop").unwrap(), &Framework::Registry);
        let given = [("src/main.rs".to_owned(), b"fn main() {}\n".to_vec())].into();
        KitRecord::new(Kit::find("none").unwrap(), Layers::default(), words, given)
    }

    #[test]
    fn what_is_kept_is_the_same_when_read_and_made_again() {
        let folder = tempfile::tempdir().unwrap();
        assert!(KitRecord::read(folder.path()).unwrap().is_none());
        fs::create_dir(folder.path().join(FOLDER)).unwrap();
        for (path, content) in kept().files() {
            fs::write(folder.path().join(path), content).unwrap();
        }
        let read = KitRecord::read(folder.path()).unwrap().unwrap();
        assert_eq!(read.given(), kept().given());
        assert_eq!(read.files(), kept().files(), "byte for byte");
        assert!(read.new_steps().is_empty());
    }

    #[test]
    fn a_step_that_was_not_there_yet_is_new() {
        let mut kept = kept();
        kept.steps.clear();
        assert_eq!(kept.new_steps(), STEPS);
    }
}
