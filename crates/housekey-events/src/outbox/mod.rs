//! Durable events that wait to be told.

mod row;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use housekey_core::{Clock, Encrypter, Error, Result, random};
use housekey_database::{Database, DatabaseError, DatabaseSource, Query, record};
use housekey_queue::JobId;
use tokio::sync::Notify;

pub(crate) use row::Borrowed;
use row::Candidate;
pub use row::FailedDelivery;

use crate::tables::OUTBOX;
use crate::{Event, Listener};

/// The table `event_outbox`: who is still to be told of what. Clones are the same.
#[derive(Clone)]
pub struct Outbox {
    source: DatabaseSource,
    encrypter: Arc<Encrypter>,
    clock: Clock,
    news: Arc<Notify>,
}

impl Outbox {
    pub(crate) fn new(source: DatabaseSource, encrypter: Arc<Encrypter>, clock: Clock) -> Self {
        Self { source, encrypter, clock, news: Arc::default() }
    }

    /// How many deliveries wait, those that were given up left out.
    pub async fn waiting(&self) -> Result<u64> {
        self.table()?.where_not_null("available_at").count().await
    }

    /// Deliveries that were given up, the newest first, at most `limit`.
    pub async fn failed(&self, limit: u64) -> Result<Vec<FailedDelivery>> {
        self.table()?.where_null("available_at").order_by_desc("id").limit(limit).get().await
    }

    /// Lets everything that was given up be tried again, as if it never was, and says how many there were.
    pub async fn retry_failed(&self) -> Result<u64> {
        let due = record! { "available_at" => self.now(), "attempts" => 0 };
        let retried = self.table()?.where_null("available_at").update(due).await?;
        self.wake();
        Ok(retried)
    }

    /// Writes an event down for each listener, as part of what this handle is part of.
    pub(crate) async fn write<E: Event>(&self, db: &Database, event: &E, to: &[Listener]) -> Result<()> {
        let payload = self.encrypter.encrypt(&serde_json::to_vec(event)?, &purpose(E::NAME));
        let event_id = JobId::new(&self.clock);
        let row = |listener: &Listener| {
            record! {
                "id" => JobId::new(&self.clock).as_str(),
                "event_id" => event_id.as_str(),
                "event" => E::NAME,
                "listener" => &listener.name,
                "payload" => &payload,
                "attempts" => 0,
                "available_at" => self.now(),
                "created_at" => self.clock.now(),
            }
        };
        db.table(OUTBOX).insert_many(to.iter().map(row).collect::<Vec<_>>()).await?;
        Ok(())
    }

    /// Borrows deliveries that are due, so many at most. Of several relays one gets each.
    pub(crate) async fn borrow(&self, most: usize, lease: Duration) -> Result<Vec<Borrowed>> {
        let db = self.source.get()?;
        let mut borrowed = Vec::new();
        loop {
            // More than are wanted: others may be after the same ones.
            let due = db.table(OUTBOX).where_("available_at", "<=", self.now());
            let due: Vec<Candidate> =
                due.order_by("available_at").order_by("id").limit(2 * most as u64).get().await?;
            let found = due.len();
            let mut lost = 0;
            for candidate in due {
                if borrowed.len() == most {
                    return Ok(borrowed);
                }
                match self.borrow_one(&db, candidate, lease).await {
                    Ok(Some(delivery)) => borrowed.push(delivery),
                    Ok(None) => lost += 1,
                    // What is in hand already must not wait for its lease to end.
                    Err(_) if !borrowed.is_empty() => return Ok(borrowed),
                    Err(error) => return Err(error),
                }
            }
            // Only if all were snatched away is there reason to look again.
            if found == 0 || lost < found {
                return Ok(borrowed);
            }
        }
    }

    async fn borrow_one(&self, db: &Database, row: Candidate, lease: Duration) -> Result<Option<Borrowed>> {
        let token = random::token();
        let attempt = row.attempts.saturating_add(1);
        let as_seen = db
            .table(OUTBOX)
            .where_eq("id", &row.id)
            .where_eq("available_at", row.available_at)
            .where_eq("lease", row.lease);
        let on_loan =
            record! { "available_at" => self.later(lease), "lease" => &token, "attempts" => attempt };
        let is_ours = as_seen.update(on_loan).await? == 1;
        Ok(is_ours.then_some(Borrowed {
            id: row.id,
            event_id: row.event_id,
            event: row.event,
            listener: row.listener,
            payload: row.payload,
            attempt,
            lease: token,
        }))
    }

    pub(crate) fn open(&self, delivery: &Borrowed) -> Result<Vec<u8>> {
        self.encrypter.decrypt(&delivery.payload, &purpose(&delivery.event))
    }

    /// It was told: removes it, and says whether the loan still held.
    pub(crate) async fn done(&self, delivery: &Borrowed) -> Result<bool> {
        let mine = self.on_loan(delivery)?;
        // A transaction that was given up can only be run again by whoever began it.
        let mut attempts_left = if self.source.get()?.in_transaction() { 1 } else { MAX_ATTEMPTS };
        loop {
            attempts_left -= 1;
            match mine.delete().await {
                Err(error) if attempts_left > 0 && is_deadlock(&error) => {}
                outcome => return Ok(outcome? == 1),
            }
        }
    }

    /// Puts it back for a while.
    pub(crate) async fn release(&self, delivery: &Borrowed, delay: Duration, attempts: u32) -> Result<()> {
        let change = record! { "available_at" => self.later(delay), "attempts" => attempts };
        self.on_loan(delivery)?.update(change).await.map(drop)
    }

    /// Gives it up, with the reason.
    pub(crate) async fn give_up(&self, delivery: &Borrowed, error: &str) -> Result<()> {
        let change = record! { "available_at" => None::<i64>, "error" => error };
        self.on_loan(delivery)?.update(change).await.map(drop)
    }

    /// The database, or the transaction that is open on it.
    pub(crate) fn database(&self) -> Result<Database> {
        self.source.get()
    }

    pub(crate) fn wake(&self) {
        self.news.notify_one();
    }

    pub(crate) async fn news(&self) {
        self.news.notified().await;
    }

    fn on_loan(&self, delivery: &Borrowed) -> Result<Query> {
        Ok(self.table()?.where_eq("id", &delivery.id).where_eq("lease", &delivery.lease))
    }

    fn table(&self) -> Result<Query> {
        Ok(self.source.get()?.table(OUTBOX))
    }

    fn now(&self) -> i64 {
        self.clock.unix_millis()
    }

    fn later(&self, delay: Duration) -> i64 {
        self.now().saturating_add(i64::try_from(delay.as_millis()).unwrap_or(i64::MAX))
    }
}

/// How often a change is tried that the engine gives up in favour of another's.
const MAX_ATTEMPTS: usize = 20;

fn is_deadlock(error: &Error) -> bool {
    DatabaseError::of(error).is_some_and(DatabaseError::is_deadlock)
}

fn purpose(event: &str) -> String {
    format!("event {event}")
}

impl fmt::Debug for Outbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outbox").field("source", &self.source).finish_non_exhaustive()
    }
}
