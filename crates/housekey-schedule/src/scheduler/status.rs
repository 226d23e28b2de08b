use housekey_core::Result;
use serde::Serialize;

use super::Scheduler;
use crate::work::Kind;

/// A task, when it runs next and how its newest run ended: a line of `schedule:list`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskStatus {
    pub name: String,
    /// `job` or `closure`.
    pub kind: &'static str,
    /// `every day at 07:00`.
    pub when: String,
    pub timezone: String,
    /// The next time, as clocks in its time zone show it.
    pub next: Option<String>,
    /// The same in seconds since 1970.
    pub next_unix: Option<i64>,
    /// The time of its newest run, as clocks in its time zone show it.
    pub last: Option<String>,
    /// `done`, `failed`, `running`, `cut off`, `skipped` or `missed`.
    pub outcome: Option<String>,
    pub without_overlapping: bool,
    pub catch_up: bool,
}

impl Scheduler {
    /// Every task, the next one first.
    pub async fn status(&self) -> Result<Vec<TaskStatus>> {
        let now = self.parts.clock.unix_millis();
        let mut all = Vec::new();
        for task in &self.parts.tasks {
            let record = self.parts.store.load(&task.name).await?.map(|found| found.record);
            // A record without a run only says when the task was seen first.
            let ran = record.filter(|record| record.outcome.is_some() || record.owner.is_some());
            let outcome = ran.as_ref().map(|record| {
                let is_left = record.lease_ends <= now;
                let otherwise = if is_left { "cut off" } else { "running" };
                record.outcome.clone().unwrap_or_else(|| otherwise.to_owned())
            });
            let next = task.next_after(now);
            all.push(TaskStatus {
                name: task.name.clone(),
                kind: if matches!(task.work.0, Kind::Job { .. }) { "job" } else { "closure" },
                when: task.timing.words().to_owned(),
                timezone: task.zone.name().to_owned(),
                next: next.map(|next| task.zone.shown(next)),
                next_unix: next.map(|next| next.div_euclid(1000)),
                last: ran.map(|record| task.zone.shown(record.time)),
                outcome,
                without_overlapping: task.without_overlapping,
                catch_up: task.catch_up,
            });
        }
        all.sort_by_key(|task| task.next_unix.unwrap_or(i64::MAX));
        Ok(all)
    }
}
