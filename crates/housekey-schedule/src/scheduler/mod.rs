//! Starts tasks at their time, and ends in order.

mod considering;
mod lease;
mod running;
mod status;

use std::collections::BTreeMap;
use std::future::pending;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use housekey_cache::Cache;
use housekey_core::{Clock, Config, Error, Result, Services, StopSignals};
use housekey_queue::Queue;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::ScheduleConfig;
use crate::record::Outcome;
use crate::store::RunStore;
use crate::task::PlannedTask;
use considering::Considered;

pub use status::TaskStatus;

/// The tasks of an application.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan(pub(crate) Vec<PlannedTask>);

/// Starts the tasks of an application when their time has come. Any number of them can be at work, in any number of
/// processes: each time of a task has one run.
///
/// A test moves a frozen clock and calls [`run_due`](Self::run_due).
///
/// ```no_run
/// # use housekey_core::Result;
/// # use housekey_http::Application;
/// use housekey_schedule::Scheduler;
///
/// # async fn work(application: Application) -> Result<()> {
/// let report = Scheduler::new(application.services())?.run().await?;
/// println!("{} done, {} failed", report.done, report.failed);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Scheduler {
    parts: Arc<Parts>,
    poll: Duration,
}

#[derive(Debug)]
struct Parts {
    tasks: Vec<Arc<PlannedTask>>,
    store: RunStore,
    cache: Cache,
    clock: Clock,
    queue: Option<Queue>,
    #[cfg(feature = "database")]
    queue_config: housekey_queue::QueueConfig,
    services: Services,
    config: ScheduleConfig,
}

/// Counts how the runs of a [`Scheduler`] ended, and the times at which none began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScheduleReport {
    /// Runs that ended well; a job is done when it is with the queue.
    pub done: u64,
    pub failed: u64,
    /// Runs that did not end before the process did.
    pub cut_off: u64,
    /// Times at which the run before was still going on.
    pub skipped: u64,
    /// Times that were past for too long when somebody looked.
    pub missed: u64,
}

/// How often a task that catches up is looked at between its times: another process may have died with it.
const BETWEEN_LOOKS: i64 = 5_000;

impl Scheduler {
    pub fn new(services: &Services) -> Result<Self> {
        let config = services.require::<Config>()?;
        let plan = services.get::<Plan>().ok_or_else(|| {
            Error::internal("this app has no schedule: add `.schedule(…)` to it, with a task or more")
        })?;
        let parts = Parts {
            tasks: plan.0.iter().cloned().map(Arc::new).collect(),
            store: (*services.require::<RunStore>()?).clone(),
            cache: (*services.require::<Cache>()?).clone(),
            clock: (*services.require::<Clock>()?).clone(),
            queue: services.get::<Queue>().map(|queue| (*queue).clone()),
            #[cfg(feature = "database")]
            queue_config: (*config.get::<housekey_queue::QueueConfig>()).clone(),
            services: services.clone(),
            config: (*config.get::<ScheduleConfig>()).clone(),
        };
        Ok(Self { parts: Arc::new(parts), poll: Duration::from_secs(1) })
    }

    /// How long it rests at most between two looks at the clock, which can be set, and which goes on while a machine
    /// sleeps. Otherwise a second.
    #[must_use]
    pub fn poll(mut self, poll: Duration) -> Self {
        self.poll = poll;
        self
    }

    /// Whether an application has tasks.
    pub fn is_needed(services: &Services) -> bool {
        services.get::<Plan>().is_some_and(|plan| !plan.0.is_empty())
    }

    pub fn len(&self) -> usize {
        self.parts.tasks.len()
    }

    pub fn is_empty(&self) -> bool {
        self.parts.tasks.is_empty()
    }

    /// Runs until the process is told to stop (SIGTERM, SIGINT): starts nothing more then, tells the running tasks, and
    /// waits for them as long as the configured grace. A second signal ends them at once.
    pub async fn run(&self) -> Result<ScheduleReport> {
        let signals = Arc::new(tokio::sync::Mutex::new(StopSignals::listen()?));
        let next = || {
            let signals = signals.clone();
            async move {
                let signal = signals.lock().await.next().await;
                tracing::info!(signal, "the schedule was asked to stop");
            }
        };
        self.work(next(), next()).await
    }

    /// Runs until `stop` is ready, and ends in order.
    pub async fn run_until(&self, stop: impl Future<Output = ()>) -> Result<ScheduleReport> {
        self.work(stop, pending()).await
    }

    /// Starts what is due now, and waits for it.
    pub async fn run_due(&self) -> Result<ScheduleReport> {
        let (_ends, ends) = Endings::new();
        let mut looks = JoinSet::new();
        for task in &self.parts.tasks {
            looks.spawn(self.clone().look(task.clone(), ends.clone()));
        }
        let mut report = ScheduleReport::default();
        let mut trouble = None;
        while let Some(looked) = looks.join_next().await {
            match looked.map_err(Error::from)?.1 {
                Ok(considered) => report.count(considered),
                Err(error) => trouble = Some(error),
            }
        }
        trouble.map_or(Ok(report), Err)
    }

    /// Runs one task now, whatever its time is. Nothing is written down about it.
    pub async fn run_task(&self, name: &str) -> Result<()> {
        let task = self.parts.tasks.iter().find(|task| task.name == name).ok_or_else(|| {
            let known: Vec<&str> = self.parts.tasks.iter().map(|task| task.name.as_str()).collect();
            Error::internal(format!("there is no task `{name}`; there are: {}", known.join(", ")))
        })?;
        let (_ends, ends) = Endings::new();
        self.parts.perform(task, self.parts.clock.unix_millis(), 1, &ends).await
    }

    async fn work(
        &self,
        stop: impl Future<Output = ()>,
        hurry: impl Future<Output = ()>,
    ) -> Result<ScheduleReport> {
        let (ends, endings) = Endings::new();
        let mut looks = JoinSet::new();
        let mut report = ScheduleReport::default();
        // Every task is looked at first: it may be new, or its time have passed while nobody was there.
        let mut look_at: BTreeMap<&str, i64> =
            self.parts.tasks.iter().map(|task| (task.name.as_str(), i64::MIN)).collect();
        let mut stop = pin!(stop);
        loop {
            let now = self.parts.clock.unix_millis();
            for task in &self.parts.tasks {
                let Some(at) = look_at.get_mut(task.name.as_str()).filter(|at| **at <= now) else { continue };
                looks.spawn(self.clone().look(task.clone(), endings.clone()));
                let next = task.next_after(now).unwrap_or(i64::MAX);
                *at = if task.catch_up { next.min(now + BETWEEN_LOOKS) } else { next };
            }
            let next = look_at.values().copied().min().unwrap_or(i64::MAX);
            let rest = Duration::from_millis(
                next.saturating_sub(self.parts.clock.unix_millis()).max(1).unsigned_abs(),
            );
            tokio::select! {
                biased;
                () = &mut stop => break,
                Some(looked) = looks.join_next() => {
                    let Ok((task, outcome)) = looked else { continue };
                    match outcome {
                        Ok(considered) => report.count(considered),
                        Err(error) => {
                            tracing::error!(task = task.name, %error, "a task cannot be looked at; it is tried again");
                            let soon = self.parts.clock.unix_millis() + BETWEEN_LOOKS;
                            if let Some(at) = look_at.get_mut(task.name.as_str()) {
                                *at = soon.min(*at);
                            }
                        }
                    }
                }
                () = sleep(rest.min(self.poll)) => {}
            }
        }
        let _ = ends.stopping.send(true);
        let mut hurry = pin!(hurry);
        let mut grace = pin!(sleep(Duration::from_secs(self.parts.config.grace)));
        let mut in_grace = true;
        while !looks.is_empty() {
            tokio::select! {
                Some(looked) = looks.join_next() => {
                    if let Ok((_, Ok(considered))) = looked {
                        report.count(considered);
                    }
                }
                () = &mut grace, if in_grace => { in_grace = false; let _ = ends.now.send(true); }
                () = &mut hurry, if in_grace => { in_grace = false; let _ = ends.now.send(true); }
            }
        }
        Ok(report)
    }

    async fn look(self, task: Arc<PlannedTask>, ends: Endings) -> (Arc<PlannedTask>, Result<Considered>) {
        let considered = self.parts.consider(&task, &ends).await;
        (task, considered)
    }
}

/// How running tasks hear that the process ends: first that it will, then that it does.
#[derive(Clone, Debug)]
struct Endings {
    stopping: watch::Receiver<bool>,
    now: watch::Receiver<bool>,
}

struct EndingSenders {
    stopping: watch::Sender<bool>,
    now: watch::Sender<bool>,
}

impl Endings {
    fn new() -> (EndingSenders, Self) {
        let (stopping, is_stopping) = watch::channel(false);
        let (now, is_now) = watch::channel(false);
        (EndingSenders { stopping, now }, Self { stopping: is_stopping, now: is_now })
    }

    fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Waits until the process ends, whatever is still going on.
    async fn now(&self) {
        let mut now = self.now.clone();
        if now.wait_for(|now| *now).await.is_err() {
            pending::<()>().await;
        }
    }
}

impl ScheduleReport {
    fn count(&mut self, considered: Considered) {
        let Considered::Ended(outcome) = considered else { return };
        *match outcome {
            Outcome::Done => &mut self.done,
            Outcome::Failed => &mut self.failed,
            Outcome::CutOff => &mut self.cut_off,
            Outcome::Missed => &mut self.missed,
            Outcome::Skipped => &mut self.skipped,
        } += 1;
    }
}
