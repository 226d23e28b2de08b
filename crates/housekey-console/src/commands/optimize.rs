use housekey_core::Result;

use super::config::{ConfigCache, ConfigClear};
use crate::{Command, CommandContext};

/// `optimize`: prepares everything that can be prepared before the app serves. Today that is the configuration.
pub(crate) struct Optimize;

impl Command for Optimize {
    fn name(&self) -> &'static str {
        "optimize"
    }

    fn about(&self) -> &'static str {
        "Prepare the app for production: freeze its configuration"
    }

    fn needs_app(&self) -> bool {
        false
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        ConfigCache.run(context).await
    }
}

/// `optimize:clear`: undoes `optimize`.
pub(crate) struct OptimizeClear;

impl Command for OptimizeClear {
    fn name(&self) -> &'static str {
        "optimize:clear"
    }

    fn about(&self) -> &'static str {
        "Undo optimize"
    }

    fn needs_app(&self) -> bool {
        false
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        ConfigClear.run(context).await
    }
}
