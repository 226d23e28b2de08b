use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::FutureExt;
use housekey_core::{Error, Result, Scope};
use housekey_database::{Database, DatabaseSource};

use crate::emitted::EmittedEvents;
use crate::relay::Relay;
use crate::{Event, Listener, Listeners, Outbox, queued};

/// Tells events to those who listen: a service of the application, found by [`events`](crate::events). Cheap to clone.
#[derive(Clone)]
pub struct Events(Arc<Inner>);

#[derive(Default)]
pub(crate) struct Inner {
    pub(crate) listeners: Listeners,
    /// `None`: the app has no database, so no event can wait for a commit or be durable.
    pub(crate) database: Option<DatabaseSource>,
    pub(crate) outbox: Option<Outbox>,
    /// Under a test runner durable events are told at once, so that a test sees what comes of them.
    pub(crate) tells_at_once: bool,
    pub(crate) is_recording: AtomicBool,
    pub(crate) is_quiet: AtomicBool,
    pub(crate) recorded: EmittedEvents,
    /// Outside of an application.
    pub(crate) is_nowhere: bool,
}

impl Events {
    pub(crate) fn new(inner: Inner) -> Self {
        Self(Arc::new(inner))
    }

    pub(crate) fn nowhere() -> Self {
        Self::new(Inner { is_nowhere: true, ..Inner::default() })
    }

    /// Tells everybody who listens: see [`emit`](crate::emit).
    pub async fn emit<E: Event>(&self, event: E) -> Result<()> {
        let database = self.0.database.as_ref().map(DatabaseSource::get).transpose()?;
        self.emit_on(database.as_ref(), event).await
    }

    /// Tells everybody who listens when this transaction is committed: see [`emit_in`](crate::emit_in).
    pub async fn emit_in<E: Event>(&self, transaction: &Database, event: E) -> Result<()> {
        self.emit_on(Some(transaction), event).await
    }

    /// Durable events that are not told yet, if the app has a database for them.
    pub fn outbox(&self) -> Option<&Outbox> {
        self.0.outbox.as_ref()
    }

    pub(crate) fn recorded(&self) -> &EmittedEvents {
        &self.0.recorded
    }

    pub(crate) fn keep_quiet(&self) {
        self.0.is_recording.store(true, Ordering::Release);
        self.0.is_quiet.store(true, Ordering::Release);
    }

    async fn emit_on<E: Event>(&self, db: Option<&Database>, event: E) -> Result<()> {
        if self.0.is_nowhere {
            return Err(Error::internal(format!(
                "nobody can be told of `{}` here: emitting works inside an application that has the events provider",
                E::NAME
            )));
        }
        if self.0.is_recording.load(Ordering::Acquire) {
            let (recorded, copy) = (self.0.recorded.clone(), event.clone());
            after_commit(db, async move { recorded.add(copy) }).await;
        }
        let listeners = self.0.listeners.to::<E>()?;
        if self.0.is_quiet.load(Ordering::Acquire) || listeners.is_empty() {
            return Ok(());
        }
        if E::DURABLE {
            return self.write_down(db, &event, &listeners).await;
        }
        match db.filter(|db| db.current().in_transaction()) {
            Some(db) => {
                let told = async move {
                    if let Err(error) = tell(&event, &listeners).await {
                        tracing::error!(event = E::NAME, %error, "what a listener is to do could not be queued");
                    }
                };
                after_commit(Some(db), told).await;
                Ok(())
            }
            None => tell(&event, &listeners).await,
        }
    }

    async fn write_down<E: Event>(&self, db: Option<&Database>, event: &E, to: &[Listener]) -> Result<()> {
        let (Some(db), Some(outbox)) = (db, &self.0.outbox) else {
            return Err(Error::internal(format!(
                "the event `{}` is durable, and this app has no database to keep it in",
                E::NAME
            )));
        };
        outbox.write(&db.current(), event, to).await?;
        let events = self.clone();
        after_commit(Some(db), async move { events.told_soon().await }).await;
        Ok(())
    }

    /// What was written down is there for everybody: wakes whoever tells it.
    async fn told_soon(&self) {
        if let Some(outbox) = &self.0.outbox {
            outbox.wake();
        }
        if self.0.tells_at_once
            && let Some(scope) = Scope::current()
            && let Some(relay) = Relay::of(scope.services())
            && let Err(error) = relay.deliver_due().await
        {
            tracing::error!(%error, "durable events could not be told");
        }
    }
}

/// Tells a plain event to each in turn. Only the queue can make it fail.
async fn tell<E: Event>(event: &E, listeners: &[Listener]) -> Result<()> {
    let mut outcome = Ok(());
    for listener in listeners {
        if listener.queue.is_some() {
            outcome = outcome.and(queued::push(listener, None, serde_json::to_value(event)?).await);
            continue;
        }
        let told = AssertUnwindSafe(async { listener.call(event).await }).catch_unwind().await;
        let (event, listener) = (E::NAME, listener.name.as_str());
        match told {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(event, listener, %error, "a listener failed"),
            // What it said was logged when it happened.
            Err(_) => tracing::error!(event, listener, "a listener panicked"),
        }
    }
    outcome
}

/// Work for when the transaction is committed, or for now if there is none. It keeps the scope it was asked for in, whoever
/// commits.
async fn after_commit(db: Option<&Database>, work: impl Future<Output = ()> + Send + 'static) {
    match (db, Scope::current()) {
        (Some(db), Some(scope)) => db.after_commit(scope.enter(work)).await,
        (Some(db), None) => db.after_commit(work).await,
        (None, _) => work.await,
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").field("listeners", &self.0.listeners).finish_non_exhaustive()
    }
}
