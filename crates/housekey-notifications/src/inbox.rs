use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use housekey_core::{Clock, Error, Result, service};
use serde_json::Value;
use time::OffsetDateTime;

use crate::{Notifiable, NotifiableKey};

/// A notification somebody can read in the app.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredNotification {
    pub id: String,
    /// The notification's name.
    pub kind: String,
    pub owner: NotifiableKey,
    /// What [`to_array`](crate::Notification::to_array) said.
    pub data: Value,
    pub read_at: Option<OffsetDateTime>,
    pub created_at: OffsetDateTime,
}

/// Where the database channel keeps notifications: `DatabaseNotificationStore` over the table
/// `notifications`; [`MemoryNotificationStore`] is for tests.
pub trait NotificationStore: Send + Sync + 'static {
    /// Stores a notification. One whose id is there already is left as it is: a queue may deliver twice.
    fn insert(&self, notification: StoredNotification) -> StoreFuture<'_, ()>;

    /// What somebody has, newest first.
    fn list<'a>(
        &'a self,
        owner: &'a NotifiableKey,
        unread_only: bool,
    ) -> StoreFuture<'a, Vec<StoredNotification>>;

    /// Marks one, or all, of somebody's unread notifications as read, and answers how many.
    fn mark_as_read<'a>(
        &'a self,
        owner: &'a NotifiableKey,
        id: Option<&'a str>,
        at: OffsetDateTime,
    ) -> StoreFuture<'a, u64>;

    /// Throws one, or all, of somebody's notifications away, and answers how many.
    fn delete<'a>(&'a self, owner: &'a NotifiableKey, id: Option<&'a str>) -> StoreFuture<'a, u64>;
}

pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// What people can read in the app. [`inbox()`] gives the application's.
///
/// ```
/// use housekey_notifications::{Inbox, MemoryNotificationStore, Notifiable, inbox};
///
/// async fn bell(user: &dyn Notifiable) -> housekey_core::Result<usize> {
///     Ok(inbox()?.unread(user).await?.len())
/// }
///
/// let mut services = housekey_core::Services::builder();
/// services.insert(Inbox::new(MemoryNotificationStore::default()));
/// ```
#[derive(Clone)]
pub struct Inbox(Arc<dyn NotificationStore>);

impl Inbox {
    pub fn new(store: impl NotificationStore) -> Self {
        Self(Arc::new(store))
    }

    /// Everything somebody has, newest first.
    pub async fn all(&self, of: &dyn Notifiable) -> Result<Vec<StoredNotification>> {
        match of.notifiable_key() {
            Some(owner) => self.0.list(&owner, false).await,
            None => Ok(Vec::new()),
        }
    }

    /// What somebody has not read yet, newest first.
    pub async fn unread(&self, of: &dyn Notifiable) -> Result<Vec<StoredNotification>> {
        match of.notifiable_key() {
            Some(owner) => self.0.list(&owner, true).await,
            None => Ok(Vec::new()),
        }
    }

    /// Marks one as read. Somebody else's is left alone; the answer says whether it was theirs and unread.
    pub async fn mark_as_read(&self, of: &dyn Notifiable, id: &str) -> Result<bool> {
        match of.notifiable_key() {
            Some(owner) => Ok(self.0.mark_as_read(&owner, Some(id), now()).await? > 0),
            None => Ok(false),
        }
    }

    /// Marks everything as read, and answers how many were not.
    pub async fn mark_all_as_read(&self, of: &dyn Notifiable) -> Result<u64> {
        match of.notifiable_key() {
            Some(owner) => self.0.mark_as_read(&owner, None, now()).await,
            None => Ok(0),
        }
    }

    /// Throws one away. Somebody else's is left alone.
    pub async fn delete(&self, of: &dyn Notifiable, id: &str) -> Result<bool> {
        match of.notifiable_key() {
            Some(owner) => Ok(self.0.delete(&owner, Some(id)).await? > 0),
            None => Ok(false),
        }
    }

    /// Throws everything away: what deleting an account does.
    pub async fn clear(&self, of: &dyn Notifiable) -> Result<u64> {
        match of.notifiable_key() {
            Some(owner) => self.0.delete(&owner, None).await,
            None => Ok(0),
        }
    }

    pub(crate) fn store(&self) -> &dyn NotificationStore {
        &*self.0
    }
}

fn now() -> OffsetDateTime {
    service::<Clock>().map_or_else(|| Clock::system().now(), |clock| clock.now())
}

impl fmt::Debug for Inbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Inbox")
    }
}

/// The application's inbox, from anywhere below a handler, a command or a job.
pub fn inbox() -> Result<Inbox> {
    service::<Inbox>().map(Arc::unwrap_or_clone).ok_or_else(|| {
        Error::internal(
            "inbox() found no store for notifications: turn on housekey's database feature, or give \
             NotificationsProvider one",
        )
    })
}

/// Keeps notifications in memory, for tests.
#[derive(Debug, Default)]
pub struct MemoryNotificationStore(Mutex<Vec<StoredNotification>>);

impl MemoryNotificationStore {
    fn with<T>(&self, work: impl FnOnce(&mut Vec<StoredNotification>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl NotificationStore for MemoryNotificationStore {
    fn insert(&self, notification: StoredNotification) -> StoreFuture<'_, ()> {
        self.with(|all| {
            if !all.iter().any(|stored| stored.id == notification.id) {
                all.push(notification);
            }
        });
        Box::pin(async { Ok(()) })
    }

    fn list<'a>(
        &'a self,
        owner: &'a NotifiableKey,
        unread_only: bool,
    ) -> StoreFuture<'a, Vec<StoredNotification>> {
        let found = self.with(|all| {
            let theirs = all.iter().rev().filter(|stored| stored.owner == *owner);
            theirs.filter(|stored| !unread_only || stored.read_at.is_none()).cloned().collect()
        });
        Box::pin(async { Ok(found) })
    }

    fn mark_as_read<'a>(
        &'a self,
        owner: &'a NotifiableKey,
        id: Option<&'a str>,
        at: OffsetDateTime,
    ) -> StoreFuture<'a, u64> {
        let marked = self.with(|all| {
            let unread = all.iter_mut().filter(|stored| stored.owner == *owner && stored.read_at.is_none());
            let wanted = unread.filter(|stored| id.is_none_or(|id| stored.id == id));
            wanted.map(|stored| stored.read_at = Some(at)).count()
        });
        Box::pin(async move { Ok(marked as u64) })
    }

    fn delete<'a>(&'a self, owner: &'a NotifiableKey, id: Option<&'a str>) -> StoreFuture<'a, u64> {
        let deleted = self.with(|all| {
            let before = all.len();
            all.retain(|stored| stored.owner != *owner || id.is_some_and(|id| stored.id != id));
            before - all.len()
        });
        Box::pin(async move { Ok(deleted as u64) })
    }
}
