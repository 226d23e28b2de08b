use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use housekey_core::{Error, Result, Scope};
use housekey_engine::{Api, BoxFuture, Session, SignedIn, User};
use housekey_http::{LastWord, RequestContext, Response};
use http::HeaderMap;
use http::header::{COOKIE, SET_COOKIE};

use crate::{Auth, address};

/// Who is signed in on the present request, and what was said to the engine on its behalf. One per request, in its
/// scope; a request that brings no credentials and asks for nothing has none.
pub(crate) struct Current {
    auth: Arc<Auth>,
    state: Mutex<State>,
}

struct State {
    who: Option<Who>,
    /// Set when the store could not be asked. Pages then see a guest; guards answer with this.
    failure: Option<Arc<housekey_engine::ApiError>>,
    /// Knows what is known so far; every conversation begins as a copy.
    template: Api,
    /// Conversations that ended. Their cookies go out with the answer.
    ended: Vec<Api>,
}

/// Somebody, and the session they are here by. A guard of the app's own may know them by something else than a session.
#[derive(Clone)]
pub(crate) struct Who {
    pub(crate) user: Arc<User>,
    pub(crate) session: Option<Arc<Session>>,
}

impl Who {
    fn signed_in(signed_in: &SignedIn) -> Self {
        Self { user: Arc::clone(&signed_in.user), session: Some(Arc::clone(&signed_in.session)) }
    }

    fn token(&self) -> Option<&str> {
        self.session.as_ref().map(|session| session.token.as_str())
    }
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
        let template = auth.engine().api_for(&headers_for_engine(&auth, &context));
        Ok(Self::begin(auth, template))
    }

    /// Asks the engine who sent this request.
    pub(crate) async fn identify(auth: Arc<Auth>, context: &RequestContext) -> Arc<Self> {
        let headers = headers_for_engine(&auth, context);
        let (mut api, opened) = auth.engine().converse(headers, context.client_ip()).await;
        let found = match opened {
            Ok(()) => api.session().await,
            Err(error) => Err(error),
        };
        let current = Self::begin(auth, api.fork());
        let mut state = current.lock();
        state.ended.push(api);
        match found {
            Ok(signed_in) => state.who = signed_in.as_deref().map(Who::signed_in),
            Err(error) => {
                tracing::error!(%error, "who is signed in could not be found out");
                state.failure = Some(Arc::new(error));
            }
        }
        drop(state);
        current
    }

    fn begin(auth: Arc<Auth>, template: Api) -> Arc<Self> {
        let state = State { who: None, failure: None, template, ended: Vec::new() };
        let current = Arc::new(Self { auth, state: Mutex::new(state) });
        Scope::read(|scope| scope.set(Arc::clone(&current)));
        if let Some(context) = RequestContext::current() {
            context.add_last_word(Arc::clone(&current) as Arc<dyn LastWord>);
        }
        current
    }

    /// Who is here. A store that could not be asked means nobody.
    pub(crate) fn user(&self) -> Option<Arc<User>> {
        self.lock().who.as_ref().map(|who| Arc::clone(&who.user))
    }

    /// The session they are here by.
    pub(crate) fn session(&self) -> Option<Arc<Session>> {
        self.lock().who.as_ref()?.session.clone()
    }

    /// Who is here, or the error that kept it from being known.
    pub(crate) fn known(&self) -> Result<Option<Who>> {
        let state = self.lock();
        match &state.failure {
            None => Ok(state.who.clone()),
            Some(failure) => {
                Err(Error::internal(format!("who is signed in could not be found out: {failure}")))
            }
        }
    }

    /// Who is here on the present request, if that is known at once and for sure.
    pub(crate) fn here() -> Option<Who> {
        Self::find()?.known().ok().flatten()
    }

    /// Says who is here, known by something else than a session.
    pub(crate) fn recognise(&self, user: User) {
        self.lock().who = Some(Who { user: Arc::new(user), session: None });
    }

    /// Begins a conversation.
    pub(crate) fn open(&self) -> Api {
        self.lock().template.fork()
    }

    /// Takes a conversation back. What it learnt about who is there holds from now on; the framework's session follows,
    /// so that nothing of one person reaches the next, and the tokens of forms change with them.
    pub(crate) fn close(&self, api: Api) {
        let mut state = self.lock();
        if let Some(known) = api.known_session() {
            let known = known.map(|signed_in| Who::signed_in(signed_in));
            let changed = state.who.as_ref().and_then(Who::token) != known.as_ref().and_then(Who::token);
            if let Some(context) = RequestContext::current().filter(|_| changed) {
                match &known {
                    Some(_) => context.session().regenerate(),
                    None => context.session().invalidate(),
                }
            }
            state.who = known;
            state.failure = None;
            state.template = api.fork();
        }
        state.ended.push(api);
    }

    /// The headers that the answer must carry for what was said to the engine.
    pub(crate) async fn conclude(&self, failed: bool) -> HeaderMap {
        let ended = std::mem::take(&mut self.lock().ended);
        let mut headers = HeaderMap::new();
        for api in ended {
            match self.auth.engine().conclude(api, failed).await {
                Ok(more) => {
                    for (name, value) in &more {
                        headers.append(name.clone(), value.clone());
                    }
                }
                Err(error) => tracing::error!(%error, "a hook of the auth engine failed after the request"),
            }
        }
        if RequestContext::current().is_some_and(|context| !self.auth.reads_cookies(&context)) {
            headers.remove(SET_COOKIE);
        }
        headers
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The engine's cookies go out with the answer.
impl LastWord for Current {
    fn say<'a>(&'a self, response: &'a mut Response) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let failed = response.status().is_server_error();
            for (name, value) in &self.conclude(failed).await {
                response.headers_mut().append(name.clone(), value.clone());
            }
        })
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
