use housekey_core::Result;
use housekey_queue::{Queue, QueueConfig, Worker};

use super::super::dev_pipe;
use crate::{Command, CommandContext};

/// `queue:work`: does jobs until the process is told to stop.
pub(crate) struct QueueWork;

impl Command for QueueWork {
    fn name(&self) -> &'static str {
        "queue:work"
    }

    fn about(&self) -> &'static str {
        "Do the jobs that wait in the queue"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        let queues = clap::arg!(--queue <QUEUES> "Which queues, the most urgent first: mails,default");
        let jobs =
            clap::arg!(--concurrency <JOBS> "How many jobs at the same time [default: config/queue.rs]");
        let most = clap::arg!(--"max-jobs" <JOBS> "End after so many jobs");
        command
            .arg(queues.value_delimiter(','))
            .arg(clap::arg!(--all "Every queue that has jobs").conflicts_with("queue"))
            .arg(jobs.value_parser(clap::value_parser!(u16).range(1..)))
            .arg(most.value_parser(clap::value_parser!(u64).range(1..)))
            .arg(clap::arg!(--"stop-when-empty" "End when nothing is due"))
            .arg(clap::arg!(--"if-needed" "End at once where no job waits: with the driver `sync`"))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        if context.flag("if-needed") && !context.services()?.require::<Queue>()?.driver().keeps_jobs() {
            return Ok(());
        }
        let queue = super::queue(&context)?;
        let application = context.application()?;
        let config = application.config().get::<QueueConfig>();
        let mut worker = Worker::from_config((*queue).clone(), application.services().clone(), &config);
        let mut names = vec![queue.default_queue().to_owned()];
        if let Some(queues) = context.args().get_many::<String>("queue") {
            names = queues.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
            worker = worker.queues(names.clone());
        }
        if context.flag("all") {
            names = vec!["every queue".to_owned()];
            worker = worker.every_queue();
        }
        if let Some(jobs) = context.args().get_one::<u16>("concurrency") {
            worker = worker.concurrency((*jobs).into());
        }
        if let Some(jobs) = context.args().get_one::<u64>("max-jobs") {
            worker = worker.max_jobs(*jobs);
        }
        if context.flag("stop-when-empty") {
            worker = worker.stop_when_empty();
        }

        let ui = context.ui();
        ui.success(format_args!("Working on {} ({}).", names.join(", "), queue.driver().name()));
        // Beside `housekey dev`, Ctrl+C is for that.
        if !context.flag("stop-when-empty") && !context.flag("if-needed") {
            ui.note("Ctrl+C lets the jobs in hand finish and stops; twice, it stops at once.");
        }
        let env = context.env()?;
        #[cfg(feature = "events")]
        let relay = housekey_events::Relay::start(application.services());
        let report = tokio::select! {
            report = worker.run() => report,
            () = dev_pipe::end(&env) => return Ok(()),
        };
        #[cfg(feature = "events")]
        if let Some(relay) = relay {
            relay.stop().await;
        }
        let report = report?;
        let mut words = vec![format!("{} done", super::jobs(report.done))];
        let others = [
            (report.retried, "to be tried again"),
            (report.failed, "failed"),
            (report.postponed, "made to wait"),
            (report.skipped, "left out"),
            (report.returned, "put back"),
        ];
        words.extend(
            others.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")),
        );
        ui.success(format_args!("{}.", words.join(", ")));
        if report.failed > 0 {
            ui.note("`queue:failed` shows why.");
        }
        Ok(())
    }
}
