use housekey_core::Result;

use crate::{Command, CommandContext};

/// `queue:size`: counts the jobs that wait.
pub(crate) struct QueueSize;

impl Command for QueueSize {
    fn name(&self) -> &'static str {
        "queue:size"
    }

    fn about(&self) -> &'static str {
        "Count the jobs in the queues"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command.arg(clap::arg!([queue] ... "The queues; every one that has jobs if none is named"))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let queue = super::queue(&context)?;
        let named = context.args().get_many::<String>("queue").map(|names| names.cloned().collect());
        let mut names: Vec<String> = match named {
            Some(names) => names,
            None => queue.driver().queues().await?,
        };
        if names.is_empty() {
            names.push(queue.default_queue().to_owned());
        }
        let mut rows = Vec::new();
        for name in names {
            let size = queue.driver().size(&name).await?;
            let counts = [size.ready, size.delayed, size.reserved].map(|count| count.to_string());
            rows.push([vec![name], counts.to_vec()].concat());
        }
        context.ui().table(&["Queue", "Due", "Later", "In hand"], &rows);
        Ok(())
    }
}
