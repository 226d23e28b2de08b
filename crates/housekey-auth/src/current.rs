use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use housekey_core::{Error, Result, Scope};
use housekey_engine::{Api, Session, SignedIn, User, Value};
use housekey_http::RequestContext;
use http::HeaderMap;
use http::header::{COOKIE, SET_COOKIE};

use crate::{Auth, address};

/// Who is signed in on the present request, and the engine on its behalf. One per request, in its scope; a request that
/// brings no credentials and asks for nothing has none.
pub(crate) struct Current {
    auth: Arc<Auth>,
    api: Api,
    without_session: Arc<Mutex<WithoutSession>>,
}

/// What is known of who is here where no session of the engine's says it.
#[derive(Default)]
struct WithoutSession {
    /// Somebody whom a guard of the app's own knows by something else.
    recognised: Option<Arc<User>>,
    /// Set when an API key decides who is here: its user, or nobody where it is an organisation's.
    by_key: Option<Option<Arc<User>>>,
    /// Set when the store could not be asked. Pages then see a guest; guards answer with this.
    failure: Option<Arc<housekey_engine::ApiError>>,
}

/// Somebody, and the session they are here by, if it is one.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) user: Arc<User>,
    pub(crate) session: Option<Arc<Session>>,
}

impl Current {
    /// The one of the present request, if there is one yet.
    pub(crate) fn find() -> Option<Arc<Self>> {
        Scope::read(Scope::get::<Self>).flatten()
    }

    /// The one of the present request.
    pub(crate) fn of_request() -> Result<Arc<Self>> {
        if let Some(current) = Self::find() {
            return Ok(current);
        }
        let context = RequestContext::current().ok_or_else(|| {
            Error::internal("auth::api() needs a request; outside one, use Auth::current()?.engine().api()")
        })?;
        let auth = Auth::of(context.services())?;
        let api = auth.engine().api_for(&headers_for_engine(&auth, &context));
        Ok(Self::begin(auth, api))
    }

    /// Asks the engine who sent this request.
    pub(crate) async fn identify(auth: Arc<Auth>, context: &RequestContext) {
        let headers = headers_for_engine(&auth, context);
        let (mut api, begun) = auth.engine().begin_request(headers, context.client_ip()).await;
        let found = match begun {
            Ok(()) => api.session().await.map(drop),
            Err(error) => Err(error),
        };
        Self::begin_with(auth, api, found);
    }

    /// Asks again, long after the request was answered: the storage, not a copy; and it keeps no session alive.
    pub(crate) async fn identify_again(auth: Arc<Auth>, context: &RequestContext) -> Result<()> {
        let headers = headers_for_engine(&auth, context);
        let (mut api, begun) = auth.engine().begin_request(headers, context.client_ip()).await;
        let found = match begun {
            Ok(()) => api.stored_session_unrenewed().await.map(drop),
            Err(error) => Err(error),
        };
        Self::begin_with(auth, api, found).known().map(drop)
    }

    fn begin_with(auth: Arc<Auth>, api: Api, found: housekey_engine::Result<()>) -> Arc<Self> {
        let current = Self::begin(auth, api);
        if let Err(error) = found {
            tracing::error!(%error, "who is signed in could not be found out");
            current.without_session().failure = Some(Arc::new(error));
        }
        current
    }

    fn begin(auth: Arc<Auth>, api: Api) -> Arc<Self> {
        let without_session = Arc::<Mutex<WithoutSession>>::default();
        let last = Mutex::new(api.known_session().flatten().map(|signed_in| Holder::of(&signed_in)));
        api.on_session_change({
            let without_session = Arc::clone(&without_session);
            move |now| {
                *lock(&without_session) = WithoutSession::default();
                let now = now.map(|signed_in| Holder::of(signed_in));
                let before = std::mem::replace(&mut *lock(&last), now.clone());
                follow(before.as_ref(), now.as_ref());
            }
        });
        let current = Arc::new(Self { auth, api, without_session });
        Scope::read(|scope| scope.set(Arc::clone(&current)));
        current
    }

    fn without_session(&self) -> MutexGuard<'_, WithoutSession> {
        lock(&self.without_session)
    }

    /// The engine for this request. What it is asked to do holds for the request at once.
    pub(crate) fn api(&self) -> Api {
        self.api.clone()
    }

    fn who(&self) -> Option<Caller> {
        if let Some(by_key) = self.without_session().by_key.clone() {
            return by_key.map(|user| Caller { user, session: None });
        }
        if let Some(signed_in) = self.api.known_session().flatten() {
            let (user, session) = (Arc::clone(&signed_in.user), Arc::clone(&signed_in.session));
            return Some(Caller { user, session: Some(session) });
        }
        let recognised = self.without_session().recognised.clone()?;
        Some(Caller { user: recognised, session: None })
    }

    /// Who is here. A store that could not be asked means nobody.
    pub(crate) fn user(&self) -> Option<Arc<User>> {
        self.who().map(|who| who.user)
    }

    /// The session they are here by.
    pub(crate) fn session(&self) -> Option<Arc<Session>> {
        self.who()?.session
    }

    /// Who is here, or the error that kept it from being known.
    pub(crate) fn known(&self) -> Result<Option<Caller>> {
        if let Some(failure) = &self.without_session().failure {
            return Err(Error::internal(format!("who is signed in could not be found out: {failure}")));
        }
        Ok(self.who())
    }

    /// Says who is here, known by something else than a session.
    pub(crate) fn recognise(&self, user: User) {
        self.without_session().recognised = Some(Arc::new(user));
    }

    /// Says who is here by an API key. A session that came along is not looked at any more: nobody is two people.
    pub(crate) fn recognise_by_key(&self, user: Option<User>) {
        self.without_session().by_key = Some(user.map(Arc::new));
    }

    /// The headers that the answer must carry for what the engine was asked to do.
    pub(crate) async fn conclude(&self, failed: bool) -> HeaderMap {
        let concluded = self.auth.engine().finish_request(self.api(), failed).await;
        let mut headers = concluded.unwrap_or_else(|error| {
            tracing::error!(%error, "a hook of the auth engine failed after the request");
            HeaderMap::new()
        });
        if RequestContext::current().is_some_and(|context| !self.auth.reads_cookies(&context)) {
            headers.remove(SET_COOKIE);
        }
        headers
    }
}

fn lock<T>(known: &Mutex<T>) -> MutexGuard<'_, T> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The framework's session follows the engine's, so that nothing of one person reaches the next, and the tokens of forms
/// change with them.
// spec: MID-8
fn follow(before: Option<&Holder>, now: Option<&Holder>) {
    let Some(context) = RequestContext::current() else { return };
    match now {
        Some(now) if before.is_none_or(|before| now.is_still(before)) => {
            context.session().regenerate();
        }
        _ => context.session().invalidate(),
    }
}

/// Whose session a browser holds.
#[derive(Clone)]
pub(crate) struct Holder {
    user: Arc<User>,
    /// The admin who acts as them.
    impersonated_by: Option<String>,
}

impl Holder {
    pub(crate) fn of(signed_in: &SignedIn) -> Self {
        let impersonated_by = signed_in.session.impersonated_by().map(str::to_owned);
        Self { user: Arc::clone(&signed_in.user), impersonated_by }
    }

    /// Whether this is the person who was there before. Somebody who looked around without an account takes along what they did,
    /// and an admin who acts as somebody and comes back is the same person all the time.
    pub(crate) fn is_still(&self, before: &Self) -> bool {
        let was_anonymous = before.user.fields.get("isAnonymous").and_then(Value::as_bool).unwrap_or(false);
        let acts_as = |who: &Self, admin: &Self| who.impersonated_by.as_deref() == Some(&*admin.user.id);
        self.user.id == before.user.id || was_anonymous || acts_as(self, before) || acts_as(before, self)
    }
}

/// The headers of a request as the engine may see them.
fn headers_for_engine(auth: &Auth, context: &RequestContext) -> HeaderMap {
    let mut headers = context.headers().clone();
    if auth.tells_address() {
        address::tell(&mut headers, context.client_ip());
    }
    if !auth.reads_cookies(context) {
        headers.remove(COOKIE);
    }
    headers
}
