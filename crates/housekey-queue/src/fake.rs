use crate::dispatched::{DispatchedBatch, DispatchedJob, DispatchedJobs};
use crate::{Job, Queue};

impl Queue {
    /// From now on jobs are only recorded, and done by nobody.
    pub fn fake(&self) -> FakeQueue {
        FakeQueue(self.record())
    }
}

/// Jobs that were dispatched and only recorded, from [`Queue::fake`]. Clones see the same jobs.
///
/// ```
/// # use std::time::Duration;
/// # use housekey_core::Result;
/// # use housekey_queue::{Job, JobRegistry, Queue, job};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Debug, Serialize, Deserialize)] struct Greet { name: String }
/// # impl Job for Greet {
/// #     const NAME: &'static str = "greet";
/// #     async fn handle(self) -> Result<()> { Ok(()) }
/// # }
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<()> {
/// # let queue = Queue::sync(JobRegistry::from_iter([job::<Greet>()]));
/// let fake = queue.fake();
/// queue.dispatch_after(Greet { name: "Ada".into() }, Duration::from_secs(60)).await?;
///
/// fake.assert_dispatched::<Greet>(|greet| greet.name == "Ada");
/// fake.assert_dispatched_times::<Greet>(1);
/// assert_eq!(fake.all()[0].delay, Duration::from_secs(60));
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Default)]
pub struct FakeQueue(DispatchedJobs);

impl FakeQueue {
    /// Every job, in order.
    pub fn all(&self) -> Vec<DispatchedJob> {
        self.0.lock().clone()
    }

    /// Every batch, in order. Their jobs are among [`all`](Self::all) too.
    pub fn batches(&self) -> Vec<DispatchedBatch> {
        self.0.batches().clone()
    }

    /// The jobs of a kind, in order.
    pub fn of<J: Job>(&self) -> Vec<J> {
        let jobs = self.0.lock();
        let own = jobs.iter().filter(|job| job.name == J::NAME);
        own.filter_map(|job| serde_json::from_value(job.payload.clone()).ok()).collect()
    }

    /// # Panics
    /// When no job of this kind was dispatched for which `is_meant` holds.
    #[track_caller]
    pub fn assert_dispatched<J: Job>(&self, is_meant: impl FnMut(&J) -> bool) -> &Self {
        let found = self.of::<J>().iter().any(is_meant);
        assert!(found, "no such `{}` was dispatched; {}", J::NAME, self.summary());
        self
    }

    /// # Panics
    /// When not exactly so many jobs of this kind were dispatched.
    #[track_caller]
    pub fn assert_dispatched_times<J: Job>(&self, times: usize) -> &Self {
        let found = self.of::<J>().len();
        assert!(
            found == times,
            "`{}` was dispatched {found} times, not {times}; {}",
            J::NAME,
            self.summary()
        );
        self
    }

    /// Asks for a [`chain`](crate::chain()) by the names of its jobs: `assert_chained([ChargeCard::NAME, PackOrder::NAME])`.
    ///
    /// # Panics
    /// When no chain of exactly these jobs was dispatched.
    #[track_caller]
    pub fn assert_chained<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> &Self {
        let names: Vec<&str> = names.into_iter().collect();
        let found = self.0.lock().iter().any(|first| {
            let chain = std::iter::once(first).chain(&first.chain);
            !first.chain.is_empty() && chain.map(|job| job.name.as_str()).eq(names.iter().copied())
        });
        assert!(found, "no chain {} was dispatched; {}", names.join(" → "), self.summary());
        self
    }

    /// # Panics
    /// When no batch was dispatched for which `is_meant` holds.
    #[track_caller]
    pub fn assert_batched(&self, is_meant: impl FnMut(&DispatchedBatch) -> bool) -> &Self {
        let batches = self.batches();
        let names: Vec<_> = batches.iter().map(|batch| batch.name.as_str()).collect();
        let found = batches.iter().any(is_meant);
        assert!(found, "no such batch was dispatched; there are {}: {}", names.len(), names.join(", "));
        self
    }

    /// # Panics
    /// When a job of this kind was dispatched.
    #[track_caller]
    pub fn assert_not_dispatched<J: Job>(&self) -> &Self {
        self.assert_dispatched_times::<J>(0)
    }

    /// # Panics
    /// When any job was dispatched.
    #[track_caller]
    pub fn assert_nothing_dispatched(&self) -> &Self {
        assert!(self.0.lock().is_empty(), "nothing should be dispatched; {}", self.summary());
        self
    }

    fn summary(&self) -> String {
        let jobs = self.0.lock();
        if jobs.is_empty() {
            return "nothing was dispatched".into();
        }
        let lines = jobs.iter().map(|job| {
            let chain: String = job.chain.iter().map(|next| format!(" → {}", next.name)).collect();
            format!("  {} {}{chain}", job.name, job.payload)
        });
        format!("these were dispatched:\n{}", lines.collect::<Vec<_>>().join("\n"))
    }
}
