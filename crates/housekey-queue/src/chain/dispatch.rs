use housekey_core::{Error, Result};

use super::{Chain, Link, RemainingJobs};
use crate::dispatched::DispatchedJob;
use crate::driver::NewJob;
use crate::{JobId, Queue};

impl Queue {
    /// Hands the first job of a chain over, with all the others behind it.
    pub async fn dispatch_chain(&self, chain: Chain) -> Result<JobId> {
        let jobs = chain.jobs.into_iter().map(|job| job.into_link(self));
        let mut links: Vec<Link> = jobs.collect::<Result<_>>()?;
        let catch = chain.catch.map(|job| job.into_link(self)).transpose()?;
        if links.is_empty() {
            return Err(Error::internal("a chain needs a job: `chain((a, b, c))`"));
        }
        let first = links.remove(0);
        if let Some(recorded) = self.recorded() {
            let chain = links.into_iter().map(Into::into).collect();
            return Ok(recorded.add(DispatchedJob { chain, ..first.into() }, None, self.clock()));
        }
        let job = first.into_job(self.codec(), self.clock())?;
        let id = job.id.clone();
        let chain = RemainingJobs { links, catch }.encode(&id, self.codec())?;
        self.driver().push(vec![NewJob { chain, ..job }]).await?;
        self.news().notify_one();
        Ok(id)
    }
}
