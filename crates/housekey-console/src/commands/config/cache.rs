use housekey_core::{Result, config};

use crate::{Command, CommandContext};

/// `config:cache`: writes the resolved configuration down as JSON, which boot then reads instead of the functions.
pub(crate) struct ConfigCache;

impl Command for ConfigCache {
    fn name(&self) -> &'static str {
        "config:cache"
    }

    fn about(&self) -> &'static str {
        "Freeze the configuration as JSON"
    }

    /// It reads the config functions, not what an earlier cache made of them.
    fn needs_app(&self) -> bool {
        false
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let path = context.paths().config_cache();
        let report = config::ConfigCache::write(&path, context.app()?.files(), &context.env()?)?;
        let ui = context.ui();
        for skipped in &report.skipped {
            ui.line(skipped);
        }
        let files = report.cached.len();
        ui.success(format_args!(
            "Configuration of {files} {} cached in {}",
            if files == 1 { "file" } else { "files" },
            path.display()
        ));
        ui.note("Changes to config/ and .env count again after config:cache or config:clear.");
        Ok(())
    }
}
