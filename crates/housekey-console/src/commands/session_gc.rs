use housekey_core::Result;
use housekey_http::session::SessionManager;

use crate::{Command, CommandContext};

/// `session:gc`: sweeps expired sessions out of their store.
pub(crate) struct SessionGc;

impl Command for SessionGc {
    fn name(&self) -> &'static str {
        "session:gc"
    }

    fn about(&self) -> &'static str {
        "Remove expired sessions"
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let removed = context.services()?.require::<SessionManager>()?.collect_garbage().await?;
        let sessions = if removed == 1 { "session" } else { "sessions" };
        context.ui().success(format_args!("{removed} expired {sessions} removed."));
        Ok(())
    }
}
