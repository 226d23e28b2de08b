use housekey_core::{Result, config};

use crate::{Command, CommandContext};

/// `config:clear`: removes the frozen configuration.
pub(crate) struct ConfigClear;

impl Command for ConfigClear {
    fn name(&self) -> &'static str {
        "config:clear"
    }

    fn about(&self) -> &'static str {
        "Remove the frozen configuration"
    }

    /// A damaged cache keeps the app from booting, and this is the remedy.
    fn needs_app(&self) -> bool {
        false
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let removed = config::ConfigCache::clear(&context.paths().config_cache())?;
        if removed {
            context.ui().success("The cached configuration is removed; config/ and .env are read live.");
        } else {
            context.ui().success("There was no cached configuration.");
        }
        Ok(())
    }
}
