use super::Api;
use crate::{Record, SecurityEvent, SecurityEventKind};

/// Telling what happened.
// spec: SEC-9
impl Api {
    /// An event about a user, or about nobody, that happened in this request. [`emit`](Self::emit) hands it over.
    pub fn event(&self, kind: SecurityEventKind, user_id: Option<&str>) -> SecurityEvent {
        let signed_in = self.known_session().flatten();
        // What an admin does as somebody else is not that person's doing: every event says so.
        let admin = signed_in.as_ref().and_then(|signed_in| signed_in.session.impersonated_by());
        let detail = admin.map_or_else(Record::new, |admin| Record::new().with("impersonatedBy", admin));
        let session = signed_in.clone().filter(|signed_in| Some(signed_in.user.id.as_str()) == user_id);
        SecurityEvent {
            kind,
            user_id: user_id.map(str::to_owned),
            session_id: session.map(|signed_in| signed_in.session.id.clone()),
            address: self.client_address(),
            user_agent: self.user_agent().chars().take(SecurityEvent::LONGEST_USER_AGENT).collect(),
            at: self.core.clock.now(),
            detail,
        }
    }

    /// Tells the app that something happened. Call it once, and after the commit: what was undone did not happen. A sink
    /// that fails is logged and fails nobody's request.
    ///
    /// ```
    /// use housekey_engine::{Api, SecurityEventKind};
    ///
    /// async fn invited(api: &Api, user_id: &str) {
    ///     api.emit(api.event(SecurityEventKind::Custom("invitation-accepted"), Some(user_id))).await;
    /// }
    /// ```
    pub async fn emit(&self, event: SecurityEvent) {
        let kind = event.kind.name();
        if let Some(Err(error)) = self.core.options.on_security_event.call(event).await {
            tracing::error!(event = kind, %error, "a security event could not be handed over");
        }
    }

    /// Says by what the person proves who they are: the `method` of the sign-in that follows.
    pub fn set_sign_in_method(&mut self, method: &'static str) {
        self.sign_in_method = Some(method);
    }

    /// By what the person proved who they are, as far as anybody said so in this request.
    pub fn sign_in_method(&self) -> Option<&'static str> {
        self.sign_in_method
    }

    /// With which provider the person signed in, if it was one.
    pub fn sign_in_provider(&self) -> Option<&str> {
        self.sign_in_provider.as_deref()
    }

    /// Says with which provider the person signs in: the `provider` of the sign-in that follows. It is the id of one that the
    /// options name, and no text of a visitor's.
    pub fn set_sign_in_provider(&mut self, provider: impl Into<String>) {
        self.sign_in_provider = Some(provider.into());
    }

    /// An event about a sign-in, with its method.
    pub fn sign_in_event(&self, kind: SecurityEventKind, user_id: &str) -> SecurityEvent {
        let event = self.event(kind, Some(user_id)).with("method", self.sign_in_method.unwrap_or("other"));
        match &self.sign_in_provider {
            Some(provider) => event.with("provider", provider),
            None => event,
        }
    }

    /// Tells that the sessions of a user were ended, all of them or all but this one: for whoever ended them together with
    /// something else ([`prepare_end`](Self::prepare_end)).
    pub async fn emit_sessions_revoked(&self, user_id: &str, others_only: bool) {
        let scope = if others_only { "others" } else { "all" };
        let event = self.event(SecurityEventKind::SessionsRevoked, Some(user_id));
        self.emit(event.with("scope", scope)).await;
    }
}
