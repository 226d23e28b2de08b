use housekey_core::Result;
use housekey_http::maintenance::Maintenance;

use crate::{Command, CommandContext};

/// `up`: ends what `down` began.
pub(crate) struct Up;

impl Command for Up {
    fn name(&self) -> &'static str {
        "up"
    }

    fn about(&self) -> &'static str {
        "Bring the app back from maintenance"
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let was_down = context.services()?.require::<Maintenance>()?.up().await?;
        context.ui().success(if was_down { "The app is up." } else { "The app was up already." });
        Ok(())
    }
}
