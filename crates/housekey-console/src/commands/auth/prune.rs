use housekey_auth::Auth;
use housekey_auth::prune::{Prunable, stale};
use housekey_core::{Clock, Result};

use crate::{Command, CommandContext};

/// After so many rows it is said how far it got.
const TOLD_EVERY: u64 = 10_000;

/// `auth:prune`: removes what has run out, piece by piece, while people sign in.
pub(crate) struct AuthPrune;

impl Command for AuthPrune {
    fn name(&self) -> &'static str {
        "auth:prune"
    }

    fn about(&self) -> &'static str {
        "Remove old events, and sessions and links that have run out"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command.arg(clap::arg!(--pretend "Only count; remove nothing"))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let ui = context.ui();
        let auth = Auth::of(context.services()?)?;
        let clock = context.services()?.require::<Clock>()?;
        for stale in stale(&auth, &clock)? {
            let name = name(stale.what());
            if context.flag("pretend") {
                ui.note(format_args!("{} {name} would go.", stale.count().await?));
                continue;
            }
            let mut told = 0;
            let removed = stale.remove(|removed| {
                if removed >= told + TOLD_EVERY {
                    told = removed;
                    ui.note(format_args!("{removed} {name} so far"));
                }
            });
            ui.success(format_args!("{} {name} removed.", removed.await?));
        }
        Ok(())
    }
}

fn name(what: Prunable) -> &'static str {
    match what {
        Prunable::ApiKeys => "expired API keys",
        Prunable::Events => "old events",
        Prunable::Sessions => "expired sessions",
        Prunable::Verifications => "expired links and codes",
    }
}
