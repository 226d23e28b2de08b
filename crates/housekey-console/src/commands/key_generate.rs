use std::path::Path;

use housekey_core::{AppKey, Result};

use crate::{Command, CommandContext, Problem, env_file::EnvFile};

/// `key:generate`: gives the app a fresh `APP_KEY`.
pub(crate) struct KeyGenerate;

impl Command for KeyGenerate {
    fn name(&self) -> &'static str {
        "key:generate"
    }

    fn about(&self) -> &'static str {
        "Write a fresh APP_KEY into .env"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command
            .arg(clap::arg!(--show "Only print a key; change nothing"))
            .arg(clap::arg!(--force "Replace the present key, which moves to APP_PREVIOUS_KEYS"))
    }

    /// An app without a key may refuse to boot, and this is the remedy.
    fn needs_app(&self) -> bool {
        false
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        if context.flag("show") {
            context.ui().line(fresh_key());
            return Ok(());
        }
        let path = context.paths().env_file();
        let (mut file, started_from_example) = open(&path)?;
        let moved = rotate(&mut file, context.flag("force"), fresh_key)?;
        file.write(&path).map_err(|error| {
            Problem::new(format!("cannot write {}: {error}", path.display()))
                .remedy("Make the folder writable, or run key:generate --show and set APP_KEY yourself.")
        })?;

        let ui = context.ui();
        if started_from_example {
            ui.note("There was no .env: it starts as a copy of .env.example.");
        }
        ui.success(format_args!("APP_KEY written to {}", path.display()));
        if moved {
            ui.note("The old key moved to APP_PREVIOUS_KEYS, so what it sealed still opens.");
        }
        if context.paths().config_cache().is_file() {
            ui.warn("the configuration is cached and still holds the old key: run config:cache again.");
        }
        if std::env::var_os("APP_KEY").is_some_and(|value| !value.is_empty()) {
            ui.warn("APP_KEY is also set in the process environment, which wins over .env.");
        }
        Ok(())
    }
}

fn fresh_key() -> String {
    AppKey::generate().to_text().reveal().to_owned()
}

fn open(path: &Path) -> Result<(EnvFile, bool)> {
    let read = |path: &Path| {
        EnvFile::read(path).map_err(|error| Problem::new(format!("cannot read {}: {error}", path.display())))
    };
    if let Some(file) = read(path)? {
        return Ok((file, false));
    }
    let example = read(&path.with_file_name(".env.example"))?;
    Ok(example.map_or_else(|| (EnvFile::empty(), false), |file| (file, true)))
}

/// Puts a new key into the file; answers whether an old one was kept for reading.
fn rotate(file: &mut EnvFile, force: bool, generate: impl Fn() -> String) -> Result<bool, Problem> {
    let present = file.value(KEY).filter(|value| !value.is_empty());
    if present.is_some() && !force {
        return Err(Problem::new("APP_KEY is set already; replacing it would end every session.").remedy(
            "Pass --force to replace it: the old key moves to APP_PREVIOUS_KEYS and still opens what it sealed.",
        ));
    }

    // One secret must not open the other's locks: an equal pair would also keep the app from booting.
    let taken = [file.value("AUTH_SECRET"), present.clone()];
    let fresh = std::iter::repeat_with(&generate)
        .take(8)
        .find(|key| !taken.iter().flatten().any(|other| same_key(key, other)))
        .ok_or_else(|| {
            Problem::new("the random source of this machine repeats itself; no key was written")
        })?;

    if let Some(old) = &present {
        let known = file.value(PREVIOUS).unwrap_or_default();
        let rest = known.split(',').map(str::trim).filter(|key| !key.is_empty() && key != old);
        let list: Vec<&str> = std::iter::once(old.as_str()).chain(rest).collect();
        file.set(PREVIOUS, &list.join(","), Some(KEY));
    }
    file.set(KEY, &fresh, None);
    Ok(present.is_some())
}

/// With or without the `base64:` in front it is the same secret.
fn same_key(a: &str, b: &str) -> bool {
    let bare = |key: &'_ str| key.trim().trim_start_matches("base64:").to_owned();
    bare(a) == bare(b)
}

const KEY: &str = "APP_KEY";
const PREVIOUS: &str = "APP_PREVIOUS_KEYS";

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn file(pairs: &[(&str, &str)]) -> EnvFile {
        let mut file = EnvFile::empty();
        for (key, value) in pairs {
            file.set(key, value, None);
        }
        file
    }

    // spec: CLI-5
    #[test]
    fn a_key_equal_to_the_auth_secret_is_thrown_away() {
        let mut env = file(&[("AUTH_SECRET", "c2FtZQ==")]);
        let calls = Cell::new(0);
        let generate = || {
            calls.set(calls.get() + 1);
            if calls.get() == 1 { "base64:c2FtZQ==".to_owned() } else { "base64:b3RoZXI=".to_owned() }
        };
        rotate(&mut env, false, generate).unwrap();
        assert_eq!(env.value("APP_KEY").as_deref(), Some("base64:b3RoZXI="));
        assert_eq!(calls.get(), 2);
    }

    #[test]
    fn a_stuck_random_source_is_an_error_not_an_equal_key() {
        let mut env = file(&[("AUTH_SECRET", "stuck")]);
        assert!(rotate(&mut env, false, || "stuck".to_owned()).is_err());
        assert_eq!(env.value("APP_KEY"), None);
    }

    #[test]
    fn old_keys_line_up_newest_first_and_once() {
        let mut env = file(&[("APP_KEY", "two"), ("APP_PREVIOUS_KEYS", "one, two")]);
        assert!(rotate(&mut env, true, || "three".to_owned()).unwrap());
        assert_eq!(env.value("APP_PREVIOUS_KEYS").as_deref(), Some("two,one"));
        assert_eq!(env.value("APP_KEY").as_deref(), Some("three"));
    }

    #[test]
    fn an_empty_key_is_no_key() {
        let mut env = file(&[("APP_KEY", "")]);
        assert!(!rotate(&mut env, false, || "new".to_owned()).unwrap());
        assert_eq!(env.value("APP_PREVIOUS_KEYS"), None);
    }
}
