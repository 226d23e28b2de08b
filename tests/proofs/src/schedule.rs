//! Tasks for every minute, many of each kind, so that kills meet some of them at every step.

use std::time::Duration;

use housekey::prelude::*;
use housekey::queue::job_context;
use housekey::random;
use housekey::schedule::task_run;
use serde::{Deserialize, Serialize};

/// How many tasks there are of each kind.
const TASKS: u32 = 30;

pub(crate) fn schedule(schedule: &mut Schedule) {
    for number in 0..TASKS {
        // Exactly once: the job is written in one transaction with its time.
        schedule.every_minutes(1, Tick { number }).name(format!("job-{number}"));
        // At most once.
        schedule.every_minutes(1, run).name(format!("once-{number}"));
        // At least once.
        schedule.every_minutes(1, run).name(format!("sure-{number}")).catch_up();
        // At least once, and never two at a time, by a lock in the cache.
        schedule.every_minutes(1, run).name(format!("alone-{number}")).catch_up().without_overlapping();
    }
}

/// Long enough to be killed in.
async fn run() -> Result<()> {
    // Tells this run from another for the same time.
    let name = random::short_id();
    write("begun", &name).await?;
    tokio::time::sleep(Duration::from_millis(300)).await;
    write("done", &name).await
}

async fn write(what: &str, name: &str) -> Result<()> {
    let run = task_run().ok_or_else(|| Error::internal("this is not a scheduled run"))?;
    let row = record! {
        "task" => run.task.clone(), "what" => what, "run" => name, "time" => run.time.unix_timestamp(),
    };
    db()?.table("ran").insert(row).await.map(drop)
}

#[derive(Serialize, Deserialize)]
struct Tick {
    number: u32,
}

impl Job for Tick {
    const NAME: &'static str = "tick";

    async fn handle(self) -> Result<()> {
        let job = job_context().map(|job| job.id.to_string());
        let row = record! { "task" => format!("job-{}", self.number), "what" => "job", "job" => job };
        db()?.table("ran").insert(row).await.map(drop)
    }

    fn retries(&self) -> u32 {
        1000
    }
}
