use housekey_core::Result;

use super::secrets::{self, fresh_secret};
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
            context.ui().line(fresh_secret());
            return Ok(());
        }
        let mut env = secrets::open(&context)?;
        let moved = rotate(&mut env.file, context.flag("force"), fresh_secret)?;
        env.save(&context, KEY)?;
        if moved {
            context.ui().note("The old key moved to APP_PREVIOUS_KEYS, so what it sealed still opens.");
        }
        Ok(())
    }
}

/// Puts a new key into the file; answers whether an old one was kept for reading.
fn rotate(file: &mut EnvFile, force: bool, generate: impl Fn() -> String) -> Result<bool, Problem> {
    let present = file.value(KEY).filter(|value| !value.is_empty());
    if present.is_some() && !force {
        return Err(Problem::new("APP_KEY is set already; replacing it would end every session.").remedy(
            "Pass --force to replace it: the old key moves to APP_PREVIOUS_KEYS and still opens what it sealed.",
        ));
    }

    let taken = [file.value("AUTH_SECRET"), present.clone()];
    let fresh = secrets::unlike(&taken, generate)?;

    if let Some(old) = &present {
        let known = file.value(PREVIOUS).unwrap_or_default();
        let rest = known.split(',').map(str::trim).filter(|key| !key.is_empty() && key != old);
        let list: Vec<&str> = std::iter::once(old.as_str()).chain(rest).collect();
        file.set(PREVIOUS, &list.join(","), Some(KEY));
    }
    file.set(KEY, &fresh, None);
    Ok(present.is_some())
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
