use housekey_core::Result;

use crate::commands::secrets::{self, fresh_secret};
use crate::{Command, CommandContext, Problem, env_file::EnvFile};

/// `auth:secret`: gives accounts a fresh `AUTH_SECRET`.
pub(crate) struct AuthSecret;

impl Command for AuthSecret {
    fn name(&self) -> &'static str {
        "auth:secret"
    }

    fn about(&self) -> &'static str {
        "Write a fresh AUTH_SECRET into .env"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command
            .arg(clap::arg!(--show "Only print a secret; change nothing"))
            .arg(clap::arg!(--force "Replace the present secret, which ends every session"))
    }

    /// An app without a secret may refuse to boot, and this is the remedy.
    fn needs_app(&self) -> bool {
        false
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        if context.flag("show") {
            context.ui().line(fresh_secret());
            return Ok(());
        }
        let mut env = secrets::open(&context)?;
        let outside = std::env::var("APP_KEY").ok();
        let replaced = replace(&mut env.file, outside, context.flag("force"), fresh_secret)?;
        env.save(&context, SECRET)?;
        if replaced {
            context.ui().note("Sessions and links of the old secret ended with it.");
        }
        Ok(())
    }
}

/// Puts a new secret into the file; answers whether there was an old one.
fn replace(
    file: &mut EnvFile,
    app_key: Option<String>,
    force: bool,
    generate: impl Fn() -> String,
) -> Result<bool, Problem> {
    let present = file.value(SECRET).filter(|value| !value.is_empty());
    if present.is_some() && !force {
        return Err(Problem::new(
            "AUTH_SECRET is set already; replacing it would end every session, and two-factor secrets that it \
             encrypted could not be read any more.",
        )
        .remedy(
            "Pass --force to replace it all the same. To change it without loss, list the new one before the old \
             one in `secrets` of config/auth.rs.",
        ));
    }
    let taken = [app_key, file.value("APP_KEY"), present.clone()];
    let fresh = secrets::unlike(&taken, generate)?;
    file.set(SECRET, &fresh, Some("APP_KEY"));
    Ok(present.is_some())
}

const SECRET: &str = "AUTH_SECRET";

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    // spec: CLI-5
    #[test]
    fn a_secret_equal_to_the_app_key_is_thrown_away() {
        for (inside, outside) in [("base64:c2FtZQ==", None), ("", Some("c2FtZQ==".to_owned()))] {
            let mut env = EnvFile::empty();
            env.set("APP_KEY", inside, None);
            let calls = Cell::new(0);
            let generate = || {
                calls.set(calls.get() + 1);
                if calls.get() == 1 { "base64:c2FtZQ==".to_owned() } else { "base64:b3RoZXI=".to_owned() }
            };
            assert!(!replace(&mut env, outside, false, generate).unwrap());
            assert_eq!(env.value("AUTH_SECRET").as_deref(), Some("base64:b3RoZXI="));
        }
    }

    #[test]
    fn a_stuck_random_source_is_an_error_not_an_equal_secret() {
        let mut env = EnvFile::empty();
        env.set("APP_KEY", "stuck", None);
        assert!(replace(&mut env, None, false, || "stuck".to_owned()).is_err());
        assert_eq!(env.value("AUTH_SECRET"), None);
    }
}
