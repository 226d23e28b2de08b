use std::panic::Location;

use time::Weekday;

use crate::task::Task;
use crate::timing::Timing;
use crate::work::IntoWork;

/// What an app does when: written with [`AppSchedule::schedule`](crate::AppSchedule::schedule).
///
/// Times are those that clocks show in the time zone of the task. When clocks go forward, a time of the day that is
/// skipped comes at the moment of the change; when they go back, one that is shown twice counts once. Intervals
/// (`every_minutes`, `hourly`, a cron expression with `*` for the minute or hour) go on evenly through both.
///
/// ```
/// use housekey_schedule::{Schedule, Weekday};
///
/// # async fn sweep() -> housekey_core::Result<()> { Ok(()) }
/// # async fn report() -> housekey_core::Result<()> { Ok(()) }
/// fn schedule(schedule: &mut Schedule) {
///     schedule.every_minutes(5, sweep).name("sweep");
///     schedule.weekly_on(Weekday::Monday, "08:00", report).name("weekly report").timezone("Europe/Berlin");
///     schedule.cron("0 9 * * MON-FRI", async || report().await).name("daily report");
/// }
/// # schedule(&mut Schedule::default());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    tasks: Vec<Task>,
}

impl Schedule {
    /// Every so many minutes, 1 to 1440, counted from midnight UTC of the first day of 1970.
    #[track_caller]
    pub fn every_minutes<K>(&mut self, minutes: u32, work: impl IntoWork<K>) -> &mut Task {
        self.add(Timing::every_minutes(minutes), work)
    }

    /// Every hour, when clocks show `:00`.
    #[track_caller]
    pub fn hourly<K>(&mut self, work: impl IntoWork<K>) -> &mut Task {
        self.add(Timing::hourly_at(0), work)
    }

    #[track_caller]
    pub fn hourly_at<K>(&mut self, minute: u8, work: impl IntoWork<K>) -> &mut Task {
        self.add(Timing::hourly_at(minute), work)
    }

    /// Every day at a time such as `07:00`.
    #[track_caller]
    pub fn daily_at<K>(&mut self, time: &str, work: impl IntoWork<K>) -> &mut Task {
        self.add(Timing::daily_at(time), work)
    }

    #[track_caller]
    pub fn weekly_on<K>(&mut self, day: Weekday, time: &str, work: impl IntoWork<K>) -> &mut Task {
        self.add(Timing::weekly_on(day, time), work)
    }

    /// Every month on this day, 1 to 31; on the last day of a month that is shorter.
    #[track_caller]
    pub fn monthly_on<K>(&mut self, day: u8, time: &str, work: impl IntoWork<K>) -> &mut Task {
        self.add(Timing::monthly_on(day, time), work)
    }

    /// By a cron expression: minute, hour, day of the month, month, weekday.
    #[track_caller]
    pub fn cron<K>(&mut self, expression: &str, work: impl IntoWork<K>) -> &mut Task {
        self.add(Timing::cron(expression), work)
    }

    #[track_caller]
    fn add<K>(&mut self, timing: Result<Timing, String>, work: impl IntoWork<K>) -> &mut Task {
        let place = Location::caller();
        let at = self.tasks.len();
        self.tasks.push(Task::new(timing, work.into_work(), place));
        &mut self.tasks[at]
    }

    pub(crate) fn into_tasks(self) -> Vec<Task> {
        self.tasks
    }
}
