//! Asks before something that cannot be undone happens to a production app.

use std::io::{self, BufRead, IsTerminal, Write};

use housekey_core::Result;

use crate::{CommandContext, Problem};

/// The `--force` flag that [`confirm_in_production`] honours; add it to a destructive command's arguments.
#[must_use]
pub fn force_flag() -> clap::Arg {
    clap::Arg::new("force")
        .long("force")
        .action(clap::ArgAction::SetTrue)
        .help("Do not ask, also in production")
}

/// Lets a destructive command go on outside production, with `--force`, or after the person typed `yes`.
///
/// Without a terminal nobody can be asked: the command fails and names the flag.
///
/// ```no_run
/// # async fn run(context: housekey_console::CommandContext) -> housekey_core::Result<()> {
/// housekey_console::confirm_in_production(&context, "This deletes every invoice.")?;
/// # Ok(()) }
/// ```
///
/// # Errors
/// When the answer is no, or nobody can answer.
pub fn confirm_in_production(context: &CommandContext, consequence: &str) -> Result<()> {
    if context.flag("force") || !context.environment()?.is_production() {
        return Ok(());
    }
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        return Err(Problem::new(format!("this app runs in production. {consequence}"))
            .remedy("Pass --force to do it anyway.")
            .into());
    }
    context.ui().warn(format_args!("this app runs in production. {consequence}"));
    if says_yes(stdin.lock(), io::stderr())? {
        return Ok(());
    }
    Err(Problem::new("nothing was done, as you wished").into())
}

fn says_yes(mut answers: impl BufRead, mut prompt: impl Write) -> io::Result<bool> {
    write!(prompt, "Type `yes` to go on: ")?;
    prompt.flush()?;
    let mut answer = String::new();
    answers.read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

#[cfg(test)]
mod tests {
    use super::says_yes;

    #[test]
    fn only_a_clear_yes_is_a_yes() {
        let said = |text: &str| says_yes(text.as_bytes(), std::io::sink()).unwrap();
        assert!(said("yes\n") && said("Y\n") && said(" YES "));
        assert!(!said("") && !said("\n") && !said("no\n") && !said("yesterday\n"));
    }
}
