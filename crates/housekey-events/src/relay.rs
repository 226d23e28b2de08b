use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use housekey_core::{Config, Error, Result, Scope, Services};
use housekey_queue::{exponential, redact};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};

use crate::outbox::Borrowed;
use crate::{Delivery, EventsConfig, Listener, Listeners, Outbox, queued};

/// Tells durable events to their listeners. One runs beside `serve` and `queue:work`; any number may, on any number of
/// machines.
///
/// ```no_run
/// # async fn example(application: housekey_http::Application) -> housekey_core::Result<()> {
/// use housekey_events::Relay;
///
/// if let Some(relay) = Relay::of(application.services()) {
///     relay.run_until(async { /* … */ }).await;
/// }
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Relay {
    listeners: Listeners,
    outbox: Outbox,
    services: Services,
    config: EventsConfig,
}

/// A relay in a task of its own, from [`Relay::start`].
#[derive(Debug)]
pub struct RunningRelay {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl RunningRelay {
    /// Lets what is in hand come to an end, and stops.
    pub async fn stop(self) {
        let _ = self.stop.send(());
        let _ = self.task.await;
    }
}

/// How long a relay waits at most before it asks a database again that did not answer.
const LONGEST_TROUBLE: Duration = Duration::from_secs(30);

/// How long something waits for a process that knows its listener: while a new version is rolled out, the old one does not.
const UNKNOWN: Duration = Duration::from_secs(60);

impl Relay {
    /// The relay of an application; `None` if it has no listener to a durable event.
    pub fn of(services: &Services) -> Option<Self> {
        let listeners = services.get::<Listeners>().filter(|listeners| listeners.has_durable())?;
        let (listeners, outbox) = ((*listeners).clone(), (*services.get::<Outbox>()?).clone());
        let config = services.get::<Config>().map(|config| (*config.get::<EventsConfig>()).clone());
        Some(Self { listeners, outbox, services: services.clone(), config: config.unwrap_or_default() })
    }

    /// Runs one in a task of its own.
    pub fn start(services: &Services) -> Option<RunningRelay> {
        let relay = Self::of(services)?;
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(async move { relay.run_until(async { drop(stopped.await) }).await });
        Some(RunningRelay { stop, task })
    }

    /// Works until `stop` is ready, and finishes what is in hand.
    pub async fn run_until(&self, stop: impl Future<Output = ()>) {
        let mut stop = pin!(stop);
        let poll = Duration::from_millis(self.config.poll.max(1));
        let mut trouble = Duration::ZERO;
        loop {
            // Not raced against `stop`: what is borrowed would wait for its lease to end.
            let wait = match self.deliver_batch().await {
                Ok(count) => {
                    trouble = Duration::ZERO;
                    if count == 0 { poll } else { Duration::ZERO }
                }
                Err(error) => {
                    trouble = (trouble * 2).clamp(poll, LONGEST_TROUBLE.max(poll));
                    tracing::error!(%error, "durable events cannot be told; it is tried again");
                    trouble
                }
            };
            tokio::select! {
                biased;
                () = &mut stop => return,
                () = self.outbox.news(), if trouble.is_zero() && !wait.is_zero() => {}
                () = sleep(wait) => {}
            }
        }
    }

    /// Tells everything that is due, and says how many deliveries that were.
    pub async fn deliver_due(&self) -> Result<usize> {
        let mut delivered = 0;
        loop {
            match self.deliver_batch().await? {
                0 => return Ok(delivered),
                more => delivered += more,
            }
        }
    }

    async fn deliver_batch(&self) -> Result<usize> {
        let borrowed = self.outbox.borrow(self.config.concurrency.max(1), self.lease()).await?;
        let count = borrowed.len();
        let mut running = JoinSet::new();
        for delivery in borrowed {
            let relay = self.clone();
            running.spawn(async move { relay.deliver(&delivery).await });
        }
        while running.join_next().await.is_some() {}
        Ok(count)
    }

    /// Tells one listener, and writes down what came of it. If even that fails, it is told again when the lease ends.
    async fn deliver(&self, delivery: &Borrowed) {
        let (event, listener, attempt) = (&delivery.event, &delivery.listener, delivery.attempt);
        let Some(known) = self.listeners.find(event, listener) else {
            tracing::warn!(event, listener, "nobody of this name listens here; the event waits for who does");
            let waits = self.outbox.release(delivery, UNKNOWN, attempt.saturating_sub(1)).await;
            return report(waits, delivery);
        };
        if attempt > known.retries.saturating_add(1) {
            // It never got as far as failing: every process that told it was killed, or stopped answering.
            let reason = format!(
                "it was begun {} times and never came to an end; look for what killed its processes",
                attempt - 1
            );
            tracing::error!(event, listener, attempt, error = reason, "a listener failed for good");
            return report(self.outbox.give_up(delivery, &reason).await, delivery);
        }
        let (error, is_final) = match self.tell(&known, delivery).await {
            Ok(()) => return tracing::debug!(event, listener, attempt, "told"),
            Err(Untold::Never(error)) => (error, true),
            Err(Untold::Failed(error)) => (error, attempt > known.retries),
        };
        let payload = self.outbox.open(delivery).unwrap_or_default();
        let reason = redact(&error.to_string(), &serde_json::from_slice(&payload).unwrap_or_default());
        let told = if is_final {
            tracing::error!(event, listener, attempt, error = reason, "a listener failed for good");
            self.outbox.give_up(delivery, &reason).await
        } else {
            let delay = exponential(Duration::from_secs(5), attempt);
            tracing::warn!(
                event,
                listener,
                attempt,
                error = reason,
                "a listener failed and is told again in {delay:?}"
            );
            self.outbox.release(delivery, delay, attempt).await
        };
        report(told, delivery);
    }

    async fn tell(&self, listener: &Listener, delivery: &Borrowed) -> Result<(), Untold> {
        let payload = self.outbox.open(delivery).map_err(Untold::Never)?;
        let about = Delivery {
            event_id: delivery.event_id.clone(),
            event: delivery.event.clone(),
            listener: delivery.listener.clone(),
            attempt: delivery.attempt,
        };
        let work = async {
            match &listener.queue {
                Some(_) => {
                    let event = serde_json::from_slice(&payload)?;
                    self.with_mark(delivery, queued::push(listener, Some(&delivery.event_id), event)).await
                }
                None if listener.once => self.with_mark(delivery, listener.read(&payload)?).await,
                None => {
                    listener.read(&payload)?.await?;
                    // It was told. Should the loan have run out meanwhile, somebody else tells it as well.
                    self.outbox.done(delivery).await.map(drop)
                }
            }
        };
        let work =
            Scope::with(self.services.clone(), Arc::new(about)).enter(AssertUnwindSafe(work).catch_unwind());
        let time_limit = self.time_limit();
        match timeout(time_limit, work).await {
            Ok(Ok(outcome)) => outcome.map_err(Untold::Failed),
            Ok(Err(_)) => Err(Untold::Failed(Error::internal("it panicked"))),
            Err(_) => Err(Untold::Failed(Error::internal(format!("it took longer than {time_limit:?}")))),
        }
    }

    /// The work and the mark that it was done, both or neither.
    async fn with_mark(&self, delivery: &Borrowed, work: impl Future<Output = Result<()>>) -> Result<()> {
        let db = self.outbox.database()?;
        db.transaction(async |_| {
            work.await?;
            match self.outbox.done(delivery).await? {
                true => Ok(()),
                false => {
                    Err(Error::internal("somebody else has it in hand by now; what was done is taken back"))
                }
            }
        })
        .await
    }

    fn time_limit(&self) -> Duration {
        Duration::from_secs(self.config.timeout.max(1))
    }

    /// Longer than any listener may take: nobody else is told meanwhile.
    fn lease(&self) -> Duration {
        self.time_limit() + (self.time_limit() / 4).max(Duration::from_secs(1))
    }
}

/// Why a listener does not know yet.
enum Untold {
    Failed(Error),
    /// What was written down cannot be read, now or later.
    Never(Error),
}

fn report(outcome: Result<()>, delivery: &Borrowed) {
    if let Err(error) = outcome {
        let (event, listener) = (&delivery.event, &delivery.listener);
        tracing::error!(event, listener, %error, "what came of a delivery could not be written down");
    }
}
