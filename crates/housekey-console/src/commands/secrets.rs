//! Secrets that commands write into `.env`.

use std::path::{Path, PathBuf};

use housekey_core::{AppKey, Result};

use crate::{CommandContext, Problem, env_file::EnvFile};

/// The app's `.env`, or what it starts as.
pub(super) struct SecretFile {
    pub(super) file: EnvFile,
    path: PathBuf,
    started_from_example: bool,
}

pub(super) fn open(context: &CommandContext) -> Result<SecretFile> {
    let path = context.paths().env_file();
    if let Some(file) = read(&path)? {
        return Ok(SecretFile { file, path, started_from_example: false });
    }
    let example = read(&path.with_file_name(".env.example"))?;
    let started_from_example = example.is_some();
    Ok(SecretFile { file: example.unwrap_or_else(EnvFile::empty), path, started_from_example })
}

fn read(path: &Path) -> Result<Option<EnvFile>> {
    let read = EnvFile::read(path);
    Ok(read.map_err(|error| Problem::new(format!("cannot read {}: {error}", path.display())))?)
}

impl SecretFile {
    /// Writes the file and tells what the reader should know about the secret `name` in it.
    pub(super) fn save(&self, context: &CommandContext, name: &str) -> Result<()> {
        let (ui, path) = (context.ui(), self.path.display());
        self.file.write(&self.path).map_err(|error| {
            Problem::new(format!("cannot write {path}: {error}"))
                .remedy(format!("Make the folder writable, or pass --show and set {name} yourself."))
        })?;
        if self.started_from_example {
            ui.note("There was no .env: it starts as a copy of .env.example.");
        }
        ui.success(format_args!("{name} written to {path}"));
        if context.paths().config_cache().is_file() {
            ui.warn(format_args!(
                "the configuration is cached and still holds the old {name}: run config:cache again."
            ));
        }
        if std::env::var_os(name).is_some_and(|value| !value.is_empty()) {
            ui.warn(format_args!("{name} is also set in the process environment, which wins over .env."));
        }
        Ok(())
    }
}

/// 32 random bytes as text.
pub(super) fn fresh_secret() -> String {
    AppKey::generate().to_text().reveal().to_owned()
}

/// A secret that is none of those `taken`. One must not open the other's locks: an equal pair would also keep the app
/// from booting.
pub(super) fn unlike(taken: &[Option<String>], generate: impl Fn() -> String) -> Result<String, Problem> {
    std::iter::repeat_with(generate)
        .take(8)
        .find(|fresh| !taken.iter().flatten().any(|other| same(fresh, other)))
        .ok_or_else(|| {
            Problem::new("the random source of this machine repeats itself; no secret was written")
        })
}

/// With or without the `base64:` in front it is the same secret.
fn same(a: &str, b: &str) -> bool {
    let bare = |secret: &'_ str| secret.trim().trim_start_matches("base64:").to_owned();
    bare(a) == bare(b)
}
