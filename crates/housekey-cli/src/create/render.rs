//! From the files of a kit and its layers to the files of a new app.

use std::collections::BTreeMap;

use super::env_file;
use crate::failure::Failure;
use crate::framework::Framework;
use crate::kept::KitRecord;
use crate::kits::Kit;
use crate::layers::{self, Files, Layers};
use crate::setup::{self, Setup};
use crate::words::Words;

/// Every file of the new app, by path: what the kit gives, what is kept of that, and what only this machine has.
pub(crate) fn app(
    kit: &'static Kit,
    layers: &Layers,
    words: Words,
    framework: &Framework,
) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let given = words.fill(layers::render(kit, layers)?);
    let kept = KitRecord::new(kit, layers.clone(), words, given);
    let mut files: Files = kept.given().clone();
    files.extend(kept.files());

    if let Some(example) = files.get(".env.example") {
        let env = env_file::from_example(&String::from_utf8_lossy(example), kit.secrets)?;
        files.insert(".env".to_owned(), env.into_bytes());
    }
    if let Some(setup) = Setup::of(kit) {
        files.insert(setup::FILE.to_owned(), setup.text().into_bytes());
    }
    if let Some(lock) = framework.lock_file() {
        files.insert("Cargo.lock".to_owned(), lock);
    }
    if let Some(lines) = framework.cargo_config() {
        files.entry(".cargo/config.toml".to_owned()).or_default().extend(lines.into_bytes());
    }
    Ok(files)
}
