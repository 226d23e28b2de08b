use std::sync::Arc;

use time::{Duration, OffsetDateTime};

use super::cookie_cache::write_cache;
use crate::cookies::chunks_of;
use crate::models::{Changes, Commit};
use crate::{Api, Record, Result, SecurityEventKind, Session, SignedIn, User, codes, random};

/// Seconds that a session lives when it is to end with the browser.
pub(super) const ONE_DAY: u32 = 86_400;

impl Api {
    /// Begins a session for a user and sets its cookies. This is for code that has made sure who it is and asks for nothing
    /// more; [`sign_in_user`](Self::sign_in_user) asks for the second factor of somebody who has one.
    ///
    /// `remember` unset: as the browser was told before.
    pub async fn begin_session(&mut self, user: User, remember: Option<bool>) -> Result<Arc<SignedIn>> {
        let mut changes = self.changes();
        let session = self.prepare_session(&mut changes, &user.id, remember).await?;
        if changes.commit().await? == Commit::Lost {
            return Err(codes::FAILED_TO_CREATE_SESSION.with(http::StatusCode::INTERNAL_SERVER_ERROR));
        }
        let signed_in = self.adopt_session(SignedIn::new(session, user), remember).await;
        self.emit(self.sign_in_event(SecurityEventKind::SignIn, &signed_in.user.id)).await;
        Ok(signed_in)
    }

    /// Adds a new session to some changes, for code that writes something else together with it; otherwise
    /// [`begin_session`](Self::begin_session) does all of this. After the commit, and only if it was
    /// [`Done`](Commit::Done), [`adopt_session`](Self::adopt_session) hands it to the client.
    pub async fn prepare_session(
        &self,
        changes: &mut Changes,
        user_id: &str,
        remember: Option<bool>,
    ) -> Result<Session> {
        // Somebody who is only just being created is not there yet, and nobody has anything against them.
        if !self.plugin_hooks.session_guards.is_empty()
            && let Some(user) = self.user(user_id).await?
        {
            self.admit(&user).await?;
        }
        self.prepare_admitted(changes, user_id, remember).await
    }

    /// The same for somebody who was [admitted](Self::admit).
    pub(super) async fn prepare_admitted(
        &self,
        changes: &mut Changes,
        user_id: &str,
        remember: Option<bool>,
    ) -> Result<Session> {
        let now = self.core.clock.now();
        let forgotten = self.forgets(remember);
        let seconds = if forgotten { ONE_DAY } else { self.options().session.expires_in };
        let mut record = Record::new()
            .with("expiresAt", self.expiry(now, now, seconds))
            .with("token", random::alphanumeric(32))
            .with("createdAt", now)
            .with("updatedAt", now)
            .with("ipAddress", self.client_address().unwrap_or_default())
            .with("userAgent", self.user_agent())
            .with("userId", user_id);
        self.add_session_fields(&mut record).await?;
        self.end_presented_in(changes, user_id).await?;
        Session::from_record(changes.create("session", record).await?)
    }

    /// Adds to the row of a session that begins what plugins want to stand in it. [`prepare_session`](Self::prepare_session) does
    /// this; it is for plugins that write the row themselves.
    pub async fn add_session_fields(&self, session: &mut Record) -> Result<()> {
        let user_id = session.text("userId").unwrap_or_default().to_owned();
        for fields in &self.plugin_hooks.session_fields {
            session.merge(fields(self, &user_id).await?);
        }
        Ok(())
    }

    /// When a session that was begun then ends, if it is to live for so many seconds from now on.
    pub(super) fn expiry(&self, begun: OffsetDateTime, now: OffsetDateTime, seconds: u32) -> OffsetDateTime {
        let expiry = now + Duration::seconds(i64::from(seconds));
        match self.options().session.max_lifetime {
            0 => expiry,
            most => expiry.min(begun + Duration::seconds(i64::from(most))),
        }
    }

    /// What the client calls itself. A header may hold any byte; each is the character of that number, as in the
    /// reference.
    pub fn user_agent(&self) -> String {
        let header = self.incoming.headers.get(http::header::USER_AGENT);
        header.map(|value| value.as_bytes().iter().copied().map(char::from).collect()).unwrap_or_default()
    }

    /// Makes a session that was written just now the client's: sets its cookies. `remember` must be what
    /// [`prepare_session`](Self::prepare_session) was told.
    pub async fn adopt_session(&mut self, signed_in: SignedIn, remember: Option<bool>) -> Arc<SignedIn> {
        let signed_in = Arc::new(signed_in);
        self.hand_out(&signed_in, self.forgets(remember)).await;
        self.note_issued(&signed_in);
        signed_in
    }

    /// Sets the cookies of a session that was just read or written, and remembers it as this client's.
    pub async fn hand_out(&mut self, signed_in: &Arc<SignedIn>, forgotten: bool) {
        self.set_token_cookie(&signed_in.session.token, forgotten);
        let dont_remember = self.core.cookies.dont_remember.clone();
        if forgotten {
            self.set_signed_cookie(&dont_remember, "true", dont_remember.life());
        } else if self.has_cookie(&dont_remember) {
            self.clear_cookie(&dont_remember);
        }
        self.set_cached_copy(signed_in, forgotten).await;
        self.change_session(Some(signed_in));
    }

    /// Lets the client know that its session, or the user, was changed in the storage: the copy in the cookie is made again.
    pub async fn refresh_session(&mut self, now: &Arc<SignedIn>) {
        let forgotten = self.is_forgotten();
        self.set_cached_copy(now, forgotten).await;
        self.change_session(Some(now));
    }

    pub(crate) fn forgets(&self, remember: Option<bool>) -> bool {
        remember.map_or_else(|| self.is_forgotten(), |remember| !remember)
    }

    pub(crate) fn set_token_cookie(&mut self, token: &str, forgotten: bool) {
        let cookie = self.core.cookies.session_token.clone();
        let max_age = (!forgotten).then_some(self.options().session.expires_in);
        self.set_signed_cookie(&cookie, token, max_age);
    }

    /// Writes the copy of session and user into its cookie, if that is enabled. Only what was just read from the
    /// storage or written to it may be handed to this: a copy must never renew itself. A client that comes with a token
    /// instead of cookies gets none.
    // spec: EPC-3
    pub(crate) async fn set_cached_copy(&mut self, signed_in: &Arc<SignedIn>, forgotten: bool) {
        let options = &self.options().session.cookie_cache;
        if !options.enabled || self.has_presented_token {
            return;
        }
        let max_age = (!forgotten).then_some(options.max_age);
        self.clear_cached_copy();
        let Some(version) = self.cache_version(signed_in).await else { return };
        let Some(value) = write_cache(&self.core, signed_in, &version, forgotten) else { return };
        let Some(chunks) = chunks_of(&self.core.cookies.session_data, &value, max_age) else { return };
        for (name, header) in chunks {
            self.push_cookie(&name, header);
        }
    }

    /// Takes the copy away, every part of it that the request carried.
    pub(crate) fn clear_cached_copy(&mut self) {
        let cookie = self.core.cookies.session_data.clone();
        let carried: Vec<_> = self.jar.names_with(cookie.name()).map(str::to_owned).collect();
        for name in carried {
            let is_part =
                name.strip_prefix(cookie.name()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
            if is_part {
                self.push_cookie(&name, cookie.clear_as(&name));
            }
        }
    }
}
