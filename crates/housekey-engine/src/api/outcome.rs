use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::header::SET_COOKIE;
use http::{HeaderMap, HeaderName, HeaderValue};

use super::Api;
use crate::session::SessionState;
use crate::{Challenge, SignedIn};

/// What was said to one client so far: who is signed in, and what the answer will carry. Clones of an [`Api`] share it, so
/// that what one call did the next one knows.
#[derive(Default)]
pub(super) struct Outcome(Mutex<Said>);

#[derive(Default)]
struct Said {
    session: SessionState,
    issued: Option<Arc<SignedIn>>,
    challenged: Option<Challenge>,
    /// Name and header of every cookie to set; a later one replaces an earlier one of the same name.
    cookies: Vec<(String, String)>,
    headers: HeaderMap,
    listener: Option<SessionListener>,
}

type SessionListener = Arc<dyn Fn(Option<&Arc<SignedIn>>) + Send + Sync>;

impl Outcome {
    fn lock(&self) -> MutexGuard<'_, Said> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a request has led to so far.
impl Api {
    /// Is told at once when somebody else is signed in than before, or nobody any more: for a framework whose own session
    /// follows. Finding out who sent the request is no such change.
    pub fn on_session_change(&self, listener: impl Fn(Option<&Arc<SignedIn>>) + Send + Sync + 'static) {
        self.outcome.lock().listener = Some(Arc::new(listener));
    }

    /// The session that this client got, if it got one.
    pub fn new_session(&self) -> Option<Arc<SignedIn>> {
        self.outcome.lock().issued.clone()
    }

    /// What a plugin wants to see before it lets this client have a session, if it came to that.
    pub fn new_challenge(&self) -> Option<Challenge> {
        self.outcome.lock().challenged.clone()
    }

    /// Who is signed in as far as is known without asking; `None` when nobody asked yet.
    pub fn known_session(&self) -> Option<Option<Arc<SignedIn>>> {
        self.outcome.lock().session.known()
    }

    pub fn set_header(&mut self, name: HeaderName, value: HeaderValue) {
        self.outcome.lock().headers.insert(name, value);
    }

    /// The headers that the answer must carry, cookies included.
    pub fn into_headers(self) -> HeaderMap {
        self.take_headers()
    }

    pub(crate) fn take_headers(&self) -> HeaderMap {
        let mut said = self.outcome.lock();
        let mut headers = std::mem::take(&mut said.headers);
        for (name, header) in std::mem::take(&mut said.cookies) {
            match HeaderValue::try_from(header) {
                Ok(value) => drop(headers.append(SET_COOKIE, value)),
                Err(error) => tracing::error!(cookie = name, %error, "a cookie could not be written"),
            }
        }
        headers
    }

    pub(crate) fn push_cookie(&mut self, name: &str, header: String) {
        let cookies = &mut self.outcome.lock().cookies;
        match cookies.iter_mut().find(|(other, _)| other == name) {
            Some((_, slot)) => *slot = header,
            None => cookies.push((name.to_owned(), header)),
        }
    }

    /// Sets no cookie, and only takes away those that were to be: a request that failed halfway grants nothing.
    pub(crate) fn withhold_cookies(&mut self) {
        let mut said = self.outcome.lock();
        said.challenged = None;
        said.cookies.retain(|(_, header)| header.contains("=; Max-Age=0"));
    }

    /// The header of a cookie that will be set.
    pub(super) fn cookie_to_set(&self, name: &str) -> Option<String> {
        let said = self.outcome.lock();
        said.cookies.iter().find(|(other, _)| other == name).map(|(_, header)| header.clone())
    }

    pub(crate) fn session_state(&self) -> SessionState {
        self.outcome.lock().session.clone()
    }

    /// Notes who sent this request, as it was found out.
    pub(crate) fn note_session(&self, found: SessionState) {
        self.outcome.lock().session = found;
    }

    /// Notes who is signed in from now on.
    pub(crate) fn change_session(&self, now: Option<&Arc<SignedIn>>) {
        let token = |signed_in: &Arc<SignedIn>| signed_in.session.token.clone();
        let (before, listener) = {
            let mut said = self.outcome.lock();
            let before = said.session.known().flatten();
            said.session = SessionState::Stored { signed_in: now.cloned(), needs_refresh: false };
            (before, said.listener.clone())
        };
        // The lock is released: who listens may ask.
        if let Some(listener) = listener.filter(|_| before.as_ref().map(token) != now.map(token)) {
            listener(now);
        }
    }

    pub(crate) fn note_issued(&self, signed_in: &Arc<SignedIn>) {
        self.outcome.lock().issued = Some(Arc::clone(signed_in));
    }

    pub(crate) fn note_challenge(&self, challenge: &Challenge) {
        self.outcome.lock().challenged = Some(challenge.clone());
    }
}
