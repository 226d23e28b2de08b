//! Work at its time: every day at seven, every five minutes, by cron expression; once per time, on however many machines.
//!
//! - A [`Schedule`] says what runs when. An app writes one with [`AppSchedule::schedule`]; each [`Task`] in it is a job of
//!   the queue or a closure.
//! - A [`Scheduler`] (`schedule:work`, `schedule:run`, or inside `serve`) starts tasks when their time has come.
//!   However many of them there are, in however many processes, each time of a task has one run.
//! - [`ScheduleConfig`] (`config/schedule.rs`) says in which time zone, and where the last run of each task is kept.
//! - [`task_run`] tells a running closure which time it runs for, and when the process is asked to stop.
//!
//! ```
//! use housekey_core::{ConfigFiles, Result};
//! use housekey_http::App;
//! use housekey_queue::{Job, job};
//! use housekey_schedule::{AppSchedule, Schedule};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct RemindLenders;
//!
//! impl Job for RemindLenders {
//!     const NAME: &'static str = "remind-lenders";
//!
//!     async fn handle(self) -> Result<()> {
//!         Ok(())
//!     }
//! }
//!
//! async fn sweep() -> Result<()> {
//!     Ok(())
//! }
//!
//! fn schedule(schedule: &mut Schedule) {
//!     schedule.daily_at("07:00", job::<RemindLenders>()).timezone("Europe/Berlin").catch_up();
//!     schedule.every_minutes(5, sweep).name("sweep").without_overlapping();
//! }
//!
//! let app = App::new(ConfigFiles::new()).schedule(schedule);
//! # drop(app);
//! ```
//!
//! # What is promised
//!
//! **Once per time.** Before a task runs, its time is written down where all processes look (a compare-and-swap on the
//! task's record); who comes second finds it taken. What is written is the time of the schedule, not of the clock on the
//! wall, so machines whose clocks differ agree. A lock alone could not do this: it frees itself, and a machine that is a
//! minute late would find it free.
//!
//! **Killed in the middle.** A closure runs at most once per time; with [`Task::catch_up`] at least once, because a run
//! that was cut off is made up for. A job whose queue is in the same database as the record is dispatched in one
//! transaction with it: exactly once, and from there on the queue's promise holds.
//!
//! # Why jiff, and what croner is for
//!
//! [jiff](https://docs.rs/jiff) says of every time on the wall whether it is skipped or repeated when clocks change, and
//! leaves what to do then to us. Its time zones are compiled in: two machines with one release never disagree about
//! them. [croner](https://docs.rs/croner) reads cron expressions. Its own search for the next time is not used: in
//! version 4.0 `30 1 * * *` comes twice on the day when clocks go forward in Berlin.

mod config;
mod local_time;
mod provider;
mod record;
mod schedule;
mod scheduler;
mod store;
mod task;
mod task_run;
mod timing;
mod work;

#[cfg(feature = "database")]
pub mod tables;

pub use config::ScheduleConfig;
pub use local_time::{local_moment, local_now};
pub use provider::AppSchedule;
pub use schedule::Schedule;
pub use scheduler::{ScheduleReport, Scheduler, TaskStatus};
pub use task::Task;
pub use task_run::{TaskRun, task_run};
pub use time::Weekday;
#[doc(hidden)]
pub use work::{ByClosure, ByKind, ByValue};
pub use work::{IntoWork, Work};
