use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use data_encoding::BASE64URL_NOPAD;
use housekey_core::{Clock, Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::data::Change;
use crate::manager::{SessionLookup, SessionManager};
use crate::state::{LoadState, State};
use crate::ticket::Ticket;

/// A visitor's session.
///
/// A handle: clones speak of the same session. It is loaded from its store when something is first *read* from it,
/// and saved at the end of the request if something changed. A session with nothing in it is not stored and sets no
/// cookie.
///
/// Reading waits for the store; writing notes the change and does not. What a response still does while it streams
/// comes too late to be saved.
#[derive(Clone)]
pub struct Session(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    /// None outside a request: such a session is kept nowhere.
    pub(crate) manager: Option<Arc<SessionManager>>,
    pub(crate) clock: Clock,
    state: Mutex<State>,
    loading: tokio::sync::Mutex<()>,
}

impl Session {
    /// The session that a cookie names, as a request opens it. For the kernel and for test harnesses.
    pub fn open(cookie: Option<&str>, manager: Arc<SessionManager>, clock: Clock) -> Self {
        let ticket = cookie.and_then(|text| Ticket::decode(text, manager.tickets()));
        Self::build(State::new(ticket), Some(manager), clock)
    }

    /// A session that belongs to no request: empty, and kept nowhere.
    pub fn detached() -> Self {
        Self::build(State::default(), None, Clock::system())
    }

    fn build(state: State, manager: Option<Arc<SessionManager>>, clock: Clock) -> Self {
        Self(Arc::new(Inner {
            manager,
            clock,
            state: Mutex::new(state),
            loading: tokio::sync::Mutex::new(()),
        }))
    }

    /// The value of a key. A flashed value is thereby spent: the next request will not see it.
    pub async fn get<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>> {
        self.load().await?;
        let value = self.state().read(key);
        value.map(|value| typed(key, value)).transpose()
    }

    /// The value of a key, which is forgotten.
    pub async fn pull<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>> {
        let value = self.get(key).await?;
        self.state().forget(key);
        Ok(value)
    }

    /// Whether a key has a value, flashed ones included. Spends nothing.
    pub async fn has(&self, key: &str) -> Result<bool> {
        self.load().await?;
        Ok(self.state().has(key))
    }

    /// Everything, flashed values included. Spends nothing.
    pub async fn all(&self) -> Result<Map<String, Value>> {
        self.load().await?;
        Ok(self.state().all())
    }

    /// Adds to a counter and answers its value as this request sees it. Requests that count at the same time all
    /// count; each may see its own sum.
    pub async fn increment(&self, key: &str, by: i64) -> Result<i64> {
        self.load().await?;
        let mut state = self.state();
        state.change(Change::Increment(key.to_owned(), by));
        Ok(state.data.number(key))
    }

    /// Takes from a counter. See [`increment`](Self::increment).
    pub async fn decrement(&self, key: &str, by: i64) -> Result<i64> {
        self.increment(key, by.saturating_neg()).await
    }

    pub fn put(&self, key: &str, value: impl Serialize) -> Result<()> {
        let value = plain(key, &value)?;
        self.state().put(key, value);
        Ok(())
    }

    /// Adds a value at the end of a list; a key that holds no list becomes one.
    pub fn push(&self, key: &str, value: impl Serialize) -> Result<()> {
        let value = plain(key, &value)?;
        self.state().change(Change::Push(key.to_owned(), value));
        Ok(())
    }

    pub fn forget(&self, key: &str) {
        self.state().forget(key);
    }

    /// Leaves a value for the next request that reads it. One that nobody reads is dropped after five minutes.
    pub fn flash(&self, key: &str, value: impl Serialize) -> Result<()> {
        let value = plain(key, &value)?;
        let now = self.0.clock.unix();
        self.state().flash(key.to_owned(), value, now);
        Ok(())
    }

    /// Sets a value for this request alone: a page drawn now finds it as if it had been flashed.
    pub fn flash_now(&self, key: &str, value: impl Serialize) -> Result<()> {
        let value = plain(key, &value)?;
        self.state().flash_now(key.to_owned(), value);
        Ok(())
    }

    /// Keeps all flashed values for one more request.
    pub fn reflash(&self) {
        let now = self.0.clock.unix();
        self.state().keep(None, now);
    }

    /// Keeps these flashed values for one more request.
    pub fn keep<'k>(&self, keys: impl IntoIterator<Item = &'k str>) {
        let now = self.0.clock.unix();
        let mut state = self.state();
        keys.into_iter().for_each(|key| state.keep(Some(key), now));
    }

    /// A flashed value without waiting for the store: for views, which do not wait.
    ///
    /// A request whose session has flashed values is loaded before its handler runs, so this finds them.
    pub fn flashed<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let value = self.state().read_flash(key)?;
        serde_json::from_value(value).ok()
    }

    /// Gives the session a new id and keeps its contents. The old id is dead from then on, and so is every form's
    /// token. Call it whenever somebody's rights change: signing in above all.
    pub fn regenerate(&self) {
        self.state().regenerate();
    }

    /// Ends the session: contents gone, id dead. What is put into it afterwards starts a new one.
    pub fn invalidate(&self) {
        self.state().invalidate();
    }

    /// The session's id. Who asks for it relies on it coming back, so from now on the visitor has a cookie.
    pub fn id(&self) -> String {
        let mut state = self.state();
        state.needs_cookie = true;
        state.id().to_hex()
    }

    /// The token that this session's forms must send along. It is derived from the id: concurrent first requests
    /// agree on it, a new id changes it, and no store is touched.
    pub fn csrf_token(&self) -> String {
        let Some(manager) = &self.0.manager else { return String::new() };
        let mut state = self.state();
        state.needs_cookie = true;
        state.token(|id| BASE64URL_NOPAD.encode(&manager.form_tokens().sign(id.as_bytes())))
    }

    /// Whether there is a session at all that a token could belong to.
    pub fn may_accept_a_token(&self) -> bool {
        self.state().source.is_some()
    }

    /// Whether a token belongs to the session that the browser's cookie names.
    pub async fn accepts_token(&self, token: &str) -> Result<bool> {
        let Some(manager) = &self.0.manager else { return Ok(false) };
        let age = self.state().cookie_age(self.0.clock.unix());
        if age.is_none_or(|age| age >= manager.lifetime()) {
            // Too old to be trusted on its own: only a living record speaks for it.
            self.load().await?;
        }
        let Some(id) = self.state().source else { return Ok(false) };
        let Ok(token) = BASE64URL_NOPAD.decode(token.as_bytes()) else { return Ok(false) };
        Ok(manager.form_tokens().verify(id.as_bytes(), &token))
    }

    /// Whether the store knows this session: something was kept in it before.
    pub async fn is_stored(&self) -> bool {
        self.load().await.is_ok() && matches!(self.state().seen, LoadState::Alive { .. })
    }

    /// Whether the session must be loaded before a page is drawn: because something was flashed to it, which views find
    /// without waiting, or because its cookie is older than a session may be, and a page's token must not be made for
    /// an id that is dead.
    pub fn wants_preload(&self) -> bool {
        let Some(manager) = &self.0.manager else { return false };
        let state = self.state();
        state.ticket.is_some_and(|ticket| ticket.has_flash)
            || state.cookie_age(self.0.clock.unix()).is_some_and(|age| age >= manager.lifetime())
    }

    /// Loads the session now. A failure is only logged: whoever needs the session asks again and is told.
    pub async fn preload(&self) {
        if let Err(error) = self.load().await {
            // A page without a session is still a page.
            tracing::warn!(%error, "the session could not be loaded");
        }
    }

    pub(crate) async fn load(&self) -> Result<()> {
        if self.state().is_loaded() {
            return Ok(());
        }
        let _one_at_a_time = self.0.loading.lock().await;
        let source = self.state().source;
        let now = self.0.clock.unix();
        let (found, lifetime) = match (&self.0.manager, source) {
            (Some(manager), Some(id)) => (manager.read(&id, now).await?, manager.lifetime()),
            _ => (SessionLookup::Absent { version: None }, 0),
        };
        let mut state = self.state();
        // It may have been loaded, or ended, while this task waited.
        if !state.is_loaded() {
            state.take_in(found, now, lifetime);
        }
        Ok(())
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Session {
    // Neither the contents nor the id: both are secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("loaded", &self.state().is_loaded()).finish_non_exhaustive()
    }
}

fn plain(key: &str, value: &impl Serialize) -> Result<Value> {
    serde_json::to_value(value)
        .map_err(|error| Error::from(error).context(format!("the session cannot hold the value of `{key}`")))
}

fn typed<T: DeserializeOwned>(key: &str, value: Value) -> Result<T> {
    serde_json::from_value(value).map_err(|error| {
        let wanted = std::any::type_name::<T>();
        Error::from(error).context(format!("the session's `{key}` is not a {wanted}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn outside_a_request_a_session_works_and_is_kept_nowhere() {
        let session = Session::detached();
        session.put("name", "Ada").unwrap();
        assert_eq!(session.get::<String>("name").await.unwrap().as_deref(), Some("Ada"));
        assert_eq!(session.increment("n", 2).await.unwrap(), 2);
        assert_eq!(session.decrement("n", 3).await.unwrap(), -1);
        assert_eq!(session.csrf_token(), "");
        assert!(session.finish().await.unwrap().is_none());
        assert!(!Session::detached().has("name").await.unwrap());
    }

    #[tokio::test]
    async fn a_value_of_another_type_is_an_error_that_names_the_key() {
        let session = Session::detached();
        session.put("age", "old").unwrap();
        let error = session.get::<u32>("age").await.unwrap_err().to_string();
        assert!(error.contains("`age`") && error.contains("u32"), "{error}");
    }
}
