//! `schedule:*`: what runs when, and the process that runs it.

mod list;
mod run;
mod work;

pub(super) use list::ScheduleList;
pub(super) use run::ScheduleRun;
pub(super) use work::ScheduleWork;

use housekey_core::Result;
use housekey_http::Application;
use housekey_schedule::{ScheduleConfig, ScheduleReport, Scheduler};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::{CommandContext, Problem, Ui};

/// The app's scheduler, if it has a schedule.
fn scheduler(context: &CommandContext) -> Result<Scheduler> {
    let services = context.services()?;
    if !Scheduler::is_needed(services) {
        return Err(Problem::new("this app has no schedule")
            .remedy("Add `.schedule(|schedule| …)` to the app, with a task or more.")
            .into());
    }
    Scheduler::new(services)
}

fn tell(ui: Ui, report: ScheduleReport) {
    let mut words = vec![format!("{} done", tasks(report.done))];
    let others = [
        (report.failed, "failed"),
        (report.cut_off, "cut off"),
        (report.skipped, "skipped"),
        (report.missed, "missed"),
    ];
    words
        .extend(others.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")));
    ui.success(format_args!("{}.", words.join(", ")));
}

fn tasks(count: u64) -> String {
    if count == 1 { "1 task".to_owned() } else { format!("{count} tasks") }
}

/// The schedule beside a server that was configured to run it. It stops at the signals that stop the server.
pub(super) struct BesideServing {
    stop: oneshot::Sender<()>,
    running: JoinHandle<Result<ScheduleReport>>,
}

impl BesideServing {
    pub(super) fn start(application: &Application, ui: Ui) -> Result<Option<Self>> {
        let services = application.services();
        if !application.config().get::<ScheduleConfig>().serve || !Scheduler::is_needed(services) {
            return Ok(None);
        }
        let scheduler = Scheduler::new(services)?;
        ui.note(format_args!("It runs the schedule too ({}).", tasks(scheduler.len() as u64)));
        let (stop, stopped) = oneshot::channel::<()>();
        let running = tokio::spawn(async move {
            tokio::select! {
                report = scheduler.run() => report,
                // The server ended by itself: its port was taken from it, or `housekey dev` is gone.
                _ = stopped => Ok(ScheduleReport::default()),
            }
        });
        Ok(Some(Self { stop, running }))
    }

    /// Waits for tasks that are still running, after a server that ended at a signal.
    pub(super) async fn end(self, server_ended_well: bool) -> Result<()> {
        if !server_ended_well {
            let _ = self.stop.send(());
            return Ok(());
        }
        // Kept until then: dropping it would end the schedule.
        let _stop = self.stop;
        self.running.await??;
        Ok(())
    }
}
