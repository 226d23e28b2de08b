use housekey_core::Result;

use super::{Batch, BatchId};
use crate::Queue;
use crate::any_job::AnyJob;
use crate::chain::Link;
use crate::dispatched::{DispatchedBatch, DispatchedJob};
use crate::driver::{NewBatch, NewJob};

impl Queue {
    /// Hands all jobs of a batch over, or none.
    pub async fn dispatch_batch(&self, batch: Batch) -> Result<BatchId> {
        let id = BatchId::new(self.clock());
        let jobs = batch.jobs.into_iter().map(|job| job.into_link(self));
        let jobs: Vec<Link> = jobs.collect::<Result<_>>()?;
        let link = |job: Option<AnyJob>| job.map(|job| job.into_link(self)).transpose();
        let (then, catch, finally) = (link(batch.then)?, link(batch.catch)?, link(batch.finally)?);
        let first = jobs.first().map(|job| job.name.clone());
        let name = batch.name.or(first).unwrap_or_else(|| "empty".to_owned());
        if let Some(recorded) = self.recorded() {
            let jobs = jobs.into_iter().map(DispatchedJob::from).collect();
            let [then, catch, finally] = [then, catch, finally].map(|link| link.map(DispatchedJob::from));
            let batch = DispatchedBatch { id: id.clone(), name, jobs, then, catch, finally };
            recorded.add_batch(batch, self.clock());
            return Ok(id);
        }
        let job = |link: Link| link.into_job(self.codec(), self.clock());
        let of_batch = |link| Ok(NewJob { batch: Some(id.clone()), ..job(link)? });
        let jobs = jobs.into_iter().map(of_batch).collect::<Result<Vec<_>>>()?;
        let batch = NewBatch {
            id: id.clone(),
            name,
            allows_failures: batch.allows_failures,
            then: then.map(job).transpose()?,
            catch: catch.map(job).transpose()?,
            finally: finally.map(job).transpose()?,
        };
        self.driver().start_batch(batch, jobs).await?;
        self.news().notify_one();
        Ok(id)
    }
}
