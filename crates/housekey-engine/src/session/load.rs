use std::sync::Arc;

use http::Method;
use time::Duration;

use super::cookie_cache::{Cached, read_cache};
use super::issue::ONE_DAY;
use crate::cookies::joined;
use crate::models::Changes;
use crate::options::CacheVersion;
use crate::storage::Filter;
use crate::{Api, Record, Result, Session, SignedIn, User, codes};

/// What is known of the session of a client.
#[derive(Clone, Debug, Default)]
pub(crate) enum SessionState {
    /// Nobody asked yet.
    #[default]
    Unknown,
    /// Answered from the cookie: good enough for most.
    FromCookie(Arc<SignedIn>),
    /// Answered from the storage.
    Stored { signed_in: Option<Arc<SignedIn>>, needs_refresh: bool },
}

impl SessionState {
    /// Who is signed in; `None` when nobody asked yet.
    pub(crate) fn known(&self) -> Option<Option<Arc<SignedIn>>> {
        match self {
            Self::Unknown => None,
            Self::FromCookie(signed_in) => Some(Some(Arc::clone(signed_in))),
            Self::Stored { signed_in, .. } => Some(signed_in.clone()),
        }
    }
}

/// How a session may be looked up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lookup {
    /// Believe the copy in the cookie.
    pub(crate) cached: bool,
    /// Renew the session when it is due.
    pub(crate) renew: bool,
}

impl Api {
    /// The session and user of this client, if any. The copy in the cookie is believed when it is enabled.
    pub async fn session(&mut self) -> Result<Option<Arc<SignedIn>>> {
        self.look_up(Lookup { cached: true, renew: true }).await
    }

    /// The session as the storage has it now: for everything that changes something.
    pub async fn stored_session(&mut self) -> Result<Option<Arc<SignedIn>>> {
        self.look_up(Lookup { cached: false, renew: true }).await
    }

    /// The same without renewing it: for whoever looks again and again on somebody's behalf, such as an open stream. What nobody
    /// uses runs out, however long it is looked at.
    pub async fn stored_session_unrenewed(&mut self) -> Result<Option<Arc<SignedIn>>> {
        self.look_up(Lookup { cached: false, renew: false }).await
    }

    /// The session, or 401.
    pub async fn require_session(&mut self) -> Result<Arc<SignedIn>> {
        self.session().await?.ok_or_else(|| codes::UNAUTHORIZED.unauthorized())
    }

    /// The session as the storage has it now, or 401.
    pub async fn require_stored_session(&mut self) -> Result<Arc<SignedIn>> {
        self.stored_session().await?.ok_or_else(|| codes::UNAUTHORIZED.unauthorized())
    }

    /// A session whose sign-in is recent, or 401, or 403.
    pub async fn require_fresh_session(&mut self) -> Result<Arc<SignedIn>> {
        let signed_in = self.require_stored_session().await?;
        if self.is_fresh(&signed_in.session) {
            Ok(signed_in)
        } else {
            Err(codes::SESSION_NOT_FRESH.forbidden())
        }
    }

    pub(crate) fn is_fresh(&self, session: &Session) -> bool {
        // Whoever acts for somebody else did not sign in as them: what wants a recent sign-in is not for them.
        if session.impersonated_by().is_some() {
            return false;
        }
        let age = self.options().session.fresh_age;
        age == 0 || self.core.clock.now() - session.created_at < Duration::seconds(i64::from(age))
    }

    /// Whether a renewal was due that the options leave to a POST.
    pub(crate) fn needs_refresh(&self) -> bool {
        matches!(self.session_state(), SessionState::Stored { needs_refresh: true, .. })
    }

    pub(crate) async fn look_up(&mut self, lookup: Lookup) -> Result<Option<Arc<SignedIn>>> {
        match self.session_state() {
            SessionState::Stored { signed_in, .. } => return Ok(signed_in),
            SessionState::FromCookie(signed_in) if lookup.cached => return Ok(Some(signed_in)),
            SessionState::FromCookie(_) | SessionState::Unknown => {}
        }
        let cookie = &self.core.cookies.session_token;
        let Some(token) = self.signed_cookie(cookie) else {
            self.note_session(SessionState::Stored { signed_in: None, needs_refresh: false });
            return Ok(None);
        };
        if let Some(signed_in) = self.believe_cookie(&token, lookup.cached).await {
            self.note_session(SessionState::FromCookie(Arc::clone(&signed_in)));
            return Ok(Some(signed_in));
        }
        let found = self.find_session(&token, lookup.renew).await?;
        let (signed_in, needs_refresh) = found.map_or((None, false), |(found, due)| (Some(found), due));
        self.note_session(SessionState::Stored { signed_in: signed_in.clone(), needs_refresh });
        match &signed_in {
            None => self.clear_session_cookies(),
            Some(signed_in) if lookup.renew && !self.is_forgotten() => {
                self.set_cached_copy(signed_in, false).await;
            }
            // A copy that was not believed goes, and none takes its place.
            Some(_) if lookup.cached && !self.has_presented_token => self.clear_cached_copy(),
            Some(_) => {}
        }
        Ok(signed_in)
    }

    /// The copy in the cookie, if it is enabled, ours, about this token and of the right version.
    // spec: EPC-3
    async fn believe_cookie(&mut self, token: &str, allowed: bool) -> Option<Arc<SignedIn>> {
        if self.has_presented_token {
            return None;
        }
        let value = joined(&self.jar, self.core.cookies.session_data.name())?;
        if !self.options().session.cookie_cache.enabled {
            self.clear_cached_copy();
            return None;
        }
        if !allowed {
            return None;
        }
        let Cached { signed_in, version } = read_cache(&self.core, &value)?;
        let current =
            signed_in.session.token == token && signed_in.session.expires_at > self.core.clock.now();
        if !current || signed_in.session.user_id != signed_in.user.id {
            return None;
        }
        (self.cache_version(&signed_in).await? == version).then_some(signed_in)
    }

    /// The version that a copy of this session must have; `None` when that cannot be said, and then no copy is
    /// believed or made.
    pub(crate) async fn cache_version(&self, signed_in: &Arc<SignedIn>) -> Option<String> {
        match &self.options().session.cookie_cache.version {
            None => Some("1".into()),
            Some(CacheVersion::Text(version)) => Some(version.clone()),
            Some(CacheVersion::Function(function)) => match function.call(Arc::clone(signed_in)).await? {
                Ok(version) => Some(version),
                Err(error) => {
                    tracing::warn!(%error, "the version of the cookie cache is unknown: the storage is read instead");
                    None
                }
            },
        }
    }

    /// The session with a token and its user, as the storage has them now, whoever asks. One that is over or whose user is shut out
    /// is ended and not given. It is not renewed, and no cookie is touched: [`hand_out`](Self::hand_out) makes it this client's.
    ///
    /// The token is the key to the session: ask only with one that the client proved to hold, as a signed cookie does.
    pub async fn session_by_token(&self, token: &str) -> Result<Option<Arc<SignedIn>>> {
        let found = self.find_living(token).await?;
        Ok(found.map(|(session, user)| Arc::new(SignedIn::new(session, user))))
    }

    async fn find_living(&self, token: &str) -> Result<Option<(Session, User)>> {
        let core = &self.core;
        let filter = Filter::by("token", token);
        let (sessions, users) = (core.table("session")?, core.table("user")?);
        let found = core.storage.find_with_parent(sessions, &filter, "userId", users).await?;
        let Some((session, user)) = found else { return Ok(None) };
        let (session, user) = (Session::from_record(session)?, User::from_record(user)?);
        // One that was begun before there was a maximum has a later end.
        if session.expires_at.min(self.expiry(session.created_at, session.expires_at, 0)) <= core.clock.now()
        {
            let mut changes = Changes::new(core);
            changes.delete("session", filter).await?;
            let _ = changes.commit().await?;
            return Ok(None);
        }
        // One that began while its user was shut out ends here.
        match self.admit(&user).await {
            Err(error) if error.is_internal() => Err(error),
            Err(_) => {
                self.end_session(token, None).await?;
                Ok(None)
            }
            Ok(()) => Ok(Some((session, user))),
        }
    }

    /// The stored session with its user, renewed if that is due; and whether a renewal waits for a POST.
    async fn find_session(&mut self, token: &str, renew: bool) -> Result<Option<(Arc<SignedIn>, bool)>> {
        let core = Arc::clone(&self.core);
        let Some((mut session, user)) = self.find_living(token).await? else { return Ok(None) };
        let now = core.clock.now();
        let mut needs_refresh = false;
        if self.is_due(&session) {
            let defer = core.options.session.defer_session_refresh;
            if defer && self.incoming.method == Method::GET {
                needs_refresh = true;
            } else if renew {
                session.expires_at = self.expiry(session.created_at, now, core.options.session.expires_in);
                session.updated_at = now;
                let changes = Record::new().with("expiresAt", session.expires_at).with("updatedAt", now);
                // Straight to the storage: a renewal changes nothing that a hook could be interested in. A session
                // that was ended meanwhile stays ended.
                let filter = Filter::by("token", token);
                if core.storage.update(core.table("session")?, &filter, &changes).await? == 0 {
                    return Ok(None);
                }
                self.set_token_cookie(token, false);
            }
        }
        Ok(Some((Arc::new(SignedIn::new(session, user)), needs_refresh)))
    }

    /// Whether `update_age` has passed since the last renewal.
    fn is_due(&self, session: &Session) -> bool {
        let options = &self.options().session;
        let passing =
            self.is_forgotten() || self.was_forgotten(session) || session.impersonated_by().is_some();
        if options.disable_session_refresh || passing {
            return false;
        }
        let now = self.core.clock.now();
        let renewed = session.expires_at - Duration::seconds(i64::from(options.expires_in));
        let due = renewed + Duration::seconds(i64::from(options.update_age)) <= now;
        // Towards its end for good a session has nothing left to be renewed by.
        let most = Duration::seconds(i64::from(options.max_lifetime));
        due && (options.max_lifetime == 0 || session.expires_at < session.created_at + most)
    }

    /// Whether the session was begun to end with the browser. The cookie that says so is the client's to leave out; the row
    /// tells by its length, which no other session has.
    fn was_forgotten(&self, session: &Session) -> bool {
        let day = Duration::seconds(i64::from(ONE_DAY));
        self.options().session.expires_in > ONE_DAY && session.expires_at - session.created_at <= day
    }

    /// Whether the session ends with the browser. Any signed value would verify here; only `true` counts.
    pub fn is_forgotten(&self) -> bool {
        self.signed_cookie(&self.core.cookies.dont_remember).as_deref() == Some("true")
    }
}
