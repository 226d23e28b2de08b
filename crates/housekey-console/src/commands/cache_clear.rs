use housekey_cache::Cache;
use housekey_core::Result;

use crate::{Command, CommandContext};

/// `cache:clear`: empties the app's cache.
pub(crate) struct CacheClear;

impl Command for CacheClear {
    fn name(&self) -> &'static str {
        "cache:clear"
    }

    fn about(&self) -> &'static str {
        "Empty the cache"
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let cache = context.services()?.require::<Cache>()?;
        cache.clear().await?;
        let ui = context.ui();
        ui.success(format_args!("The {} cache is empty.", cache.store_name()));
        if cache.store_name() == "memory" {
            ui.note(
                "A memory cache belongs to its process: a running server keeps its own until it restarts.",
            );
        }
        Ok(())
    }
}
