use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use sqlx::{ConnectOptions, Connection};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, TryAcquireError};
use tokio::time::{Instant, sleep, timeout_at};

use super::pool_history::PoolHistory;
use super::servers::Engine;
use crate::ConnectionConfig;

/// How long a connection may have been idle before it is asked whether it still lives. Asking costs a round trip.
const TRUSTED_IDLE: Duration = Duration::from_secs(1);

/// How long to wait before the first try again to reach a server that is starting.
const FIRST_PAUSE: Duration = Duration::from_millis(10);

/// How often connections that are no longer wanted are looked for, at most and at least.
const TENDED: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(30));

/// The connections to one server. Whoever wants one takes the one used last.
///
/// The pool that sqlx brings asks the server whether it is still there each time that a connection comes back: a round trip
/// more, and a task, for every statement outside of a transaction. This one asks where there is doubt.
pub(crate) struct ServerPool<E: Engine>(Arc<Shared<E>>);

struct Shared<E: Engine> {
    options: <E::Connection as Connection>::Options,
    history: PoolHistory,
    idle: Mutex<Vec<Idle<E>>>,
    /// One permit per connection that may be in use.
    permits: Arc<Semaphore>,
    max: u32,
    min: u32,
    acquire_timeout: Duration,
    idle_timeout: Option<Duration>,
    max_lifetime: Option<Duration>,
}

/// A connection that waits for work.
struct Idle<E: Engine> {
    connection: E::Connection,
    born: Instant,
    since: Instant,
}

impl<E: Engine> ServerPool<E> {
    /// A pool that connects when it is first asked for something, or at once where connections are to be kept ready.
    pub(super) fn new(
        config: &ConnectionConfig,
        options: <E::Connection as Connection>::Options,
        history: &PoolHistory,
    ) -> Self {
        let limit = |seconds: u64| (seconds > 0).then(|| Duration::from_secs(seconds));
        let max = config.pool.max.max(1);
        let shared = Arc::new(Shared {
            options,
            history: history.clone(),
            idle: Mutex::default(),
            permits: Arc::new(Semaphore::new(max as usize)),
            max,
            min: config.pool.min.min(max),
            acquire_timeout: Duration::from_secs(config.pool.acquire_timeout.max(1)),
            idle_timeout: limit(config.pool.idle_timeout),
            max_lifetime: limit(config.pool.max_lifetime),
        });
        let shortest = [shared.idle_timeout, shared.max_lifetime].into_iter().flatten().min();
        if shared.min > 0 || shortest.is_some() {
            let every = shortest.map_or(TENDED.1, |time| (time / 2).clamp(TENDED.0, TENDED.1));
            in_background(tend(Arc::downgrade(&shared), every));
        }
        Self(shared)
    }

    pub(super) async fn acquire(&self) -> Result<Lent<E>, sqlx::Error> {
        let shared = &self.0;
        let deadline = Instant::now() + shared.acquire_timeout;
        let permit = match Arc::clone(&shared.permits).try_acquire_owned() {
            Ok(permit) => permit,
            Err(TryAcquireError::Closed) => return Err(sqlx::Error::PoolClosed),
            Err(TryAcquireError::NoPermits) => {
                let waited = timeout_at(deadline, Arc::clone(&shared.permits).acquire_owned()).await;
                waited.map_err(|_| sqlx::Error::PoolTimedOut)?.map_err(|_| sqlx::Error::PoolClosed)?
            }
        };
        let (connection, born) = match shared.take_idle(deadline).await? {
            Some(found) => found,
            None => (shared.connect(deadline).await?, Instant::now()),
        };
        Ok(Lent { connection, born, shared: Arc::clone(shared), permit })
    }

    /// Connects once, beside the pool.
    pub(super) async fn try_to_connect(&self) -> Result<(), sqlx::Error> {
        self.0.options.connect().await?.close().await
    }

    /// How many connections are open, and how many of them wait for work.
    pub(super) fn counts(&self) -> (usize, usize) {
        let idle = self.0.idle().len();
        (idle + self.0.max as usize - self.0.permits.available_permits(), idle)
    }

    /// Waits until every connection is back, and ends them all.
    pub(super) async fn close(&self) {
        let all = self.0.permits.acquire_many(self.0.max).await;
        self.0.permits.close();
        drop(all);
        let idle = std::mem::take(&mut *self.0.idle());
        for idle in idle {
            let _ = idle.connection.close().await;
        }
    }
}

impl<E: Engine> Clone for ServerPool<E> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<E: Engine> Shared<E> {
    fn idle(&self) -> MutexGuard<'_, Vec<Idle<E>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn take_idle(&self, deadline: Instant) -> Result<Option<(E::Connection, Instant)>, sqlx::Error> {
        loop {
            let last = self.idle().pop();
            let Some(mut idle) = last else { return Ok(None) };
            if self.is_over(&idle) {
                in_background(idle.connection.close());
                continue;
            }
            // Asked only where there is doubt: it was idle for a while, or it has not been used since another one broke. So a
            // restarted server costs the request it interrupts, and not the next ones.
            let trusted = self.history.broken.since().map_or(TRUSTED_IDLE, |ago| ago.min(TRUSTED_IDLE));
            if idle.since.elapsed() >= trusted {
                let answer = timeout_at(deadline, idle.connection.ping()).await;
                if answer.map_err(|_| sqlx::Error::PoolTimedOut)?.is_err() {
                    continue;
                }
            }
            return Ok(Some((idle.connection, idle.born)));
        }
    }

    /// Connects. A server that is starting gets some time.
    async fn connect(&self, deadline: Instant) -> Result<E::Connection, sqlx::Error> {
        let mut pause = FIRST_PAUSE;
        loop {
            let attempt = timeout_at(deadline, self.options.connect()).await;
            let error = match attempt.map_err(|_| sqlx::Error::PoolTimedOut)? {
                Ok(connection) => return Ok(connection),
                Err(error) => error,
            };
            if !is_starting(&error) || Instant::now() + pause >= deadline {
                return Err(error);
            }
            sleep(pause).await;
            pause = (pause * 2).min(self.acquire_timeout / 5);
        }
    }

    /// Whether nobody should use it again.
    fn is_over(&self, idle: &Idle<E>) -> bool {
        self.is_too_old(idle.born) || self.idle_timeout.is_some_and(|limit| idle.since.elapsed() >= limit)
    }

    /// Whether it has lived long enough, or is older than the last change of the schema: it keeps prepared statements that no
    /// longer fit their tables.
    fn is_too_old(&self, born: Instant) -> bool {
        let age = born.elapsed();
        self.max_lifetime.is_some_and(|limit| age >= limit)
            || self.history.changed.since().is_some_and(|ago| age >= ago)
    }

    fn give_back(&self, connection: E::Connection, born: Instant) {
        if self.permits.is_closed() || self.is_too_old(born) {
            in_background(connection.close());
        } else {
            self.idle().push(Idle { connection, born, since: Instant::now() });
        }
    }

    /// Ends what is over.
    fn reap(&self) {
        let over: Vec<_> = self.idle().extract_if(.., |idle| self.is_over(idle)).collect();
        for idle in over {
            in_background(idle.connection.close());
        }
    }

    /// Opens connections until as many are there as are to be kept ready.
    async fn fill(&self) {
        while self.idle().len() + (self.max as usize - self.permits.available_permits()) < self.min as usize {
            let Ok(_permit) = self.permits.try_acquire() else { return };
            let Ok(connection) = self.connect(Instant::now() + self.acquire_timeout).await else { return };
            self.give_back(connection, Instant::now());
        }
    }
}

/// A connection out of its pool.
pub(super) struct Lent<E: Engine> {
    pub(super) connection: E::Connection,
    born: Instant,
    shared: Arc<Shared<E>>,
    permit: OwnedSemaphorePermit,
}

impl<E: Engine> Lent<E> {
    pub(super) fn give_back(self) {
        self.shared.give_back(self.connection, self.born);
        // Only now: whoever waits for it finds the connection.
        drop(self.permit);
    }

    /// Gives it back if the server answers. What somebody left on the line is read away, and a roll-back that waits is sent.
    pub(super) fn give_back_if_it_answers(mut self) {
        in_background(async move {
            if self.connection.ping().await.is_ok() {
                self.give_back();
            }
        });
    }

    /// Ends it with a word to the server.
    pub(super) fn close(self) {
        in_background(async move {
            let _ = self.connection.close().await;
            drop(self.permit);
        });
    }
}

/// What a pool does now and then, until nobody has it any more.
async fn tend<E: Engine>(pool: Weak<Shared<E>>, every: Duration) {
    while let Some(pool) = pool.upgrade().filter(|pool| !pool.permits.is_closed()) {
        pool.reap();
        pool.fill().await;
        drop(pool);
        sleep(every).await;
    }
}

/// Outside of a runtime there is no background: what the work holds ends without it.
fn in_background(work: impl Future<Output: Send> + Send + 'static) {
    if let Ok(runtime) = Handle::try_current() {
        runtime.spawn(work);
    }
}

fn is_starting(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(error) => error.kind() == std::io::ErrorKind::ConnectionRefused,
        sqlx::Error::Database(error) => error.is_transient_in_connect_phase(),
        _ => false,
    }
}
