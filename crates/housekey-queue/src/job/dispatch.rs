use std::time::Duration;

use housekey_core::{Error, Result};

use crate::{Job, JobId, Queue};

impl Queue {
    /// Hands a job over. Once this has answered, the job is not lost.
    pub async fn dispatch<J: Job>(&self, job: J) -> Result<JobId> {
        self.dispatch_after(job, Duration::ZERO).await
    }

    /// Hands a job over that is not to be started before `delay` has passed.
    pub async fn dispatch_after<J: Job>(&self, job: J, delay: Duration) -> Result<JobId> {
        let queue = job.queue().to_owned();
        self.dispatch_to(&queue, job, delay).await
    }

    /// Hands a job over to a queue that the job itself does not name.
    pub async fn dispatch_to<J: Job>(&self, queue: &str, job: J, delay: Duration) -> Result<JobId> {
        let payload = serde_json::to_value(&job).map_err(|error| {
            Error::from(error).context(format!("the job `{}` cannot be written as JSON", J::NAME))
        })?;
        self.push(J::NAME, payload, Some(queue), delay).await
    }

    /// Hands many jobs of a kind over, all or none.
    pub async fn dispatch_many<J: Job>(&self, jobs: impl IntoIterator<Item = J>) -> Result<Vec<JobId>> {
        let mut written = Vec::new();
        for job in jobs {
            written.push((job.queue().to_owned(), serde_json::to_value(&job)?));
        }
        self.push_many(J::NAME, written).await
    }
}
