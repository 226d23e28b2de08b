use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use tokio::sync::Mutex;

use crate::models::record_of;
use crate::record::Value;
use crate::schema::Table;
use crate::storage::memory::Rows;
use crate::storage::{Comparison, Filter, Find, SecondaryStorage, Storage, StorageError, StorageResult};
use crate::{Clock, Record};

/// The sessions in the secondary storage.
pub(crate) struct SecondarySessions {
    store: Arc<dyn SecondaryStorage>,
    sessions: Table,
    users: Table,
    clock: Clock,
    /// The longest life of a session.
    longest: Duration,
    /// Lists are read and written back; within this process one after the other.
    lists: Mutex<()>,
}

#[derive(Serialize)]
struct StoredSession<'a> {
    session: &'a Record,
    user: Option<&'a Record>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    token: String,
    expires_at: i64,
}

impl SecondarySessions {
    /// `longest` is how many seconds a session may live.
    pub(super) fn new(
        store: Arc<dyn SecondaryStorage>,
        (sessions, users): (Table, Table),
        clock: Clock,
        longest: u32,
    ) -> Self {
        let longest = Duration::from_secs(u64::from(longest.max(86_400)));
        Self { store, sessions, users, clock, longest, lists: Mutex::new(()) }
    }

    pub(super) fn is(&self, table: &Table) -> bool {
        table.key == self.sessions.key
    }

    /// The living sessions that a filter may mean, as rows.
    pub(super) async fn candidates(&self, filter: &Filter) -> StorageResult<Rows> {
        let rows = if let Some(token) = equal(filter, "token") {
            self.get(token).await?.into_iter().collect()
        } else if let Some(user) = equal(filter, "userId") {
            let mut rows = Vec::new();
            for entry in self.list(user).await? {
                rows.extend(self.get(&entry.token).await?);
            }
            rows
        } else {
            let advice = "sessions in the secondary storage are found by `token` or `userId`; \
                          set session.storeSessionInDatabase to find them in other ways";
            return Err(StorageError::failure(advice));
        };
        Ok(Rows::of_table(&self.sessions, rows))
    }

    pub(super) async fn matching(&self, filter: &Filter) -> StorageResult<Vec<Record>> {
        Ok(self.candidates(filter).await?.find(&self.sessions, &Find::new(filter.clone())))
    }

    async fn get(&self, token: &str) -> StorageResult<Option<Record>> {
        let Some(kept) = self.read(token).await? else { return Ok(None) };
        let kept: Option<Map<String, Json>> = serde_json::from_str(&kept).ok();
        let session = kept.as_ref().and_then(|kept| kept.get("session")?.as_object());
        let Some(session) = session.and_then(|session| record_of(&self.sessions, session)) else {
            // Whatever lies under a key that looks like a token, it is no session.
            return Ok(None);
        };
        if session.text("token") != Some(token) {
            return Ok(None);
        }
        let revoked = self.read(&revoked_key(owner(&session))).await?;
        let revoked: i64 = revoked.and_then(|millis| millis.parse().ok()).unwrap_or(i64::MIN);
        Ok((millis(&session, "createdAt") >= revoked).then_some(session))
    }

    /// Keeps a session for as long as it lives, and says whether it still does: one that was ended is not begun again.
    pub(super) async fn put(&self, database: &dyn Storage, session: &Record) -> StorageResult<bool> {
        let (token, life) = (session.text("token").unwrap_or_default(), self.life(session));
        if life.is_zero() {
            return Ok(false);
        }
        let user = database.find_one(&self.users, &Filter::by("id", owner(session))).await?;
        let kept = serde_json::to_string(&StoredSession { session, user: user.as_ref() });
        self.write(token, &kept.map_err(StorageError::failure)?, life).await?;
        if self.read(&ended_key(token)).await?.is_some() {
            self.store.delete(token).await.map_err(StorageError::failure)?;
            return Ok(false);
        }
        let entry = Entry { token: token.to_owned(), expires_at: millis(session, "expiresAt") };
        self.relist(owner(session), token, Some(entry)).await?;
        Ok(true)
    }

    /// Ends a session, and says whether nobody else did before.
    async fn end(&self, session: &Record) -> StorageResult<bool> {
        let token = session.text("token").unwrap_or_default();
        let count = self.store.increment(&ended_key(token), self.longest).await;
        self.store.delete(token).await.map_err(StorageError::failure)?;
        self.relist(owner(session), token, None).await?;
        Ok(count.map_err(StorageError::failure)? == 1)
    }

    /// Ends what a filter means; all of a user's sessions also if the list has lost one.
    pub(super) async fn end_all(&self, filter: &Filter, sessions: &[Record]) -> StorageResult<u64> {
        let whole = filter.alternatives().is_empty();
        if let (Some(user), [_], true) = (equal(filter, "userId"), filter.conditions(), whole) {
            let now = self.clock.unix_millis().to_string();
            self.write(&revoked_key(user), &now, self.longest).await?;
        }
        let mut ended = 0;
        for session in sessions {
            ended += u64::from(self.end(session).await?);
        }
        Ok(ended)
    }

    async fn list(&self, user: &str) -> StorageResult<Vec<Entry>> {
        let list = self.read(&list_key(user)).await?;
        let mut list: Vec<Entry> = list.and_then(|list| serde_json::from_str(&list).ok()).unwrap_or_default();
        let now = self.clock.unix_millis();
        list.retain(|entry| entry.expires_at > now);
        Ok(list)
    }

    /// Takes a token off its user's list, and puts the entry there instead, if there is one.
    async fn relist(&self, user: &str, token: &str, entry: Option<Entry>) -> StorageResult<()> {
        let _one_at_a_time = self.lists.lock().await;
        let mut list = self.list(user).await?;
        list.retain(|other| other.token != token);
        list.extend(entry);
        list.sort_by_key(|entry| entry.expires_at);
        let key = list_key(user);
        let Some(last) = list.last() else {
            return self.store.delete(&key).await.map_err(StorageError::failure);
        };
        let life = until(last.expires_at, self.clock.unix_millis());
        self.write(&key, &serde_json::to_string(&list).map_err(StorageError::failure)?, life).await
    }

    fn life(&self, session: &Record) -> Duration {
        until(millis(session, "expiresAt"), self.clock.unix_millis())
    }

    async fn read(&self, key: &str) -> StorageResult<Option<String>> {
        self.store.get(key).await.map_err(StorageError::failure)
    }

    async fn write(&self, key: &str, value: &str, life: Duration) -> StorageResult<()> {
        self.store.set(key, value, Some(life)).await.map_err(StorageError::failure)
    }
}

/// The text that a field must be equal to.
pub(super) fn equal<'a>(filter: &'a Filter, field: &str) -> Option<&'a str> {
    let condition = filter.conditions().iter().find(|condition| {
        condition.field == field && condition.comparison == Comparison::Equal && !condition.value.is_null()
    });
    condition.and_then(|condition| condition.value.as_text())
}

fn owner(session: &Record) -> &str {
    session.text("userId").unwrap_or_default()
}

fn millis(session: &Record, field: &str) -> i64 {
    let moment = session.get(field).and_then(Value::as_date);
    moment.map_or(0, |moment| i64::try_from(moment.unix_timestamp_nanos() / 1_000_000).unwrap_or(0))
}

fn until(moment: i64, now: i64) -> Duration {
    Duration::from_millis(u64::try_from(moment - now).unwrap_or(0))
}

fn list_key(user: &str) -> String {
    format!("active-sessions-{user}")
}

fn revoked_key(user: &str) -> String {
    format!("revoked-sessions-before-{user}")
}

fn ended_key(token: &str) -> String {
    format!("ended-session-{token}")
}
