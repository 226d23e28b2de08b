//! Plugins: what a third party adds to an engine, as data.
//!
//! A plugin has an id and contributes any of: a part of the schema, endpoints, hooks around requests and writes, rate
//! rules, a challenge between correct credentials and a session, and what ends when the owner of an address takes the
//! account back. Two-factor and bearer are made of nothing else.

mod endpoint;
mod list;
mod recovery;
mod unread;

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::Response;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};

pub use endpoint::{Endpoint, Handler};
pub use list::Plugins;
pub(crate) use recovery::Recovery;

use crate::api::{
    KeepsSession, MailedWaysIn, PasswordCheckHook, RemovalGuard, SessionFields, SessionGuard, SignOutHook,
    UserFieldsHook, VerificationMail,
};
use crate::description::Credential;
use crate::hooks::{DatabaseHooks, RequestHooks};
use crate::options::RateRule;
use crate::schema::SchemaContribution;
use crate::{
    Api, BoxFuture, Challenge, ChallengeHook, Changes, Record, Result, Secret, SignedIn, User, UserFields,
};

/// Says what is wrong with the paths of the engine that is built.
type PathCheck = Arc<dyn Fn(&[&str]) -> Option<String> + Send + Sync>;
type EngineState = Arc<dyn Fn() -> Arc<dyn Any + Send + Sync> + Send + Sync>;

/// Something that adds to an engine: any of a part of the schema, endpoints, hooks, rate rules and a challenge. The
/// [crate](crate#writing-a-plugin) shows one from end to end.
#[derive(Clone)]
pub struct Plugin {
    id: String,
    contribution: SchemaContribution,
    endpoints: Vec<Endpoint>,
    credentials: Vec<Credential>,
    hooks: RequestHooks,
    database_hooks: DatabaseHooks,
    rate_rules: Vec<(String, RateRule)>,
    challenge: Option<ChallengeHook>,
    recovery: Vec<Recovery>,
    password_check: Option<PasswordCheckHook>,
    session_guard: Option<SessionGuard>,
    removal_guard: Option<RemovalGuard>,
    session_fields: Option<SessionFields>,
    user_fields: Option<UserFieldsHook>,
    sign_out: Option<SignOutHook>,
    keeps_session: Option<KeepsSession>,
    verification_mail: Option<VerificationMail>,
    mailed_ways_in: Option<MailedWaysIn>,
    problem: Option<String>,
    path_check: Option<PathCheck>,
    state: Option<Arc<dyn Any + Send + Sync>>,
    engine_state: Option<EngineState>,
    options_read: Vec<String>,
}

impl Plugin {
    /// A plugin that adds nothing yet.
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            contribution: SchemaContribution::new(),
            endpoints: Vec::new(),
            credentials: Vec::new(),
            hooks: RequestHooks::new(),
            database_hooks: DatabaseHooks::new(),
            rate_rules: Vec::new(),
            challenge: None,
            recovery: Vec::new(),
            password_check: None,
            session_guard: None,
            removal_guard: None,
            session_fields: None,
            user_fields: None,
            sign_out: None,
            keeps_session: None,
            verification_mail: None,
            mailed_ways_in: None,
            problem: None,
            path_check: None,
            state: None,
            engine_state: None,
            options_read: Vec::new(),
        }
    }

    /// What it adds to the schema.
    #[must_use]
    pub fn schema(mut self, contribution: SchemaContribution) -> Self {
        self.contribution = contribution;
        self
    }

    #[must_use]
    pub fn endpoint(mut self, endpoint: Endpoint) -> Self {
        self.endpoints.push(endpoint);
        self
    }

    /// One more way in which requests say who sends them, for the description of the API. What it does with them is a hook's.
    #[must_use]
    pub fn credential(mut self, credential: Credential) -> Self {
        self.credentials.push(credential);
        self
    }

    /// Called before every endpoint.
    #[must_use]
    pub fn before<F>(mut self, hook: F) -> Self
    where
        F: for<'a> Fn(&'a mut Api) -> BoxFuture<'a, Result<()>> + Send + Sync + 'static,
    {
        self.hooks = self.hooks.before(hook);
        self
    }

    /// Called after every endpoint.
    #[must_use]
    pub fn after<F>(mut self, hook: F) -> Self
    where
        F: for<'a> Fn(&'a mut Api, &'a mut Response<Bytes>) -> BoxFuture<'a, Result<()>>
            + Send
            + Sync
            + 'static,
    {
        self.hooks = self.hooks.after(hook);
        self
    }

    /// Called around writes, after the app's own hooks.
    #[must_use]
    pub fn database_hooks(mut self, hooks: DatabaseHooks) -> Self {
        self.database_hooks.extend(hooks);
        self
    }

    /// A limit for paths that match a pattern (`/two-factor/*`).
    #[must_use]
    pub fn rate_rule(mut self, pattern: impl Into<String>, rule: RateRule) -> Self {
        self.rate_rules.push((pattern.into(), rule));
        self
    }

    /// Called when someone gave the right credentials and before they get a session; it may ask for more first.
    #[must_use]
    pub fn challenge<F>(mut self, hook: F) -> Self
    where
        F: for<'a> Fn(&'a mut Api, &'a User) -> BoxFuture<'a, Result<Option<Challenge>>>
            + Send
            + Sync
            + 'static,
    {
        self.challenge = Some(Arc::new(hook));
        self
    }

    /// Asked about every password before it becomes somebody's, wherever one is set: at sign-up, in a change, a reset, by an
    /// admin or by server code. The rules of the options were asked before. An error refuses it.
    #[must_use]
    pub fn password_check<F>(mut self, check: F) -> Self
    where
        F: for<'a> Fn(&'a Api, &'a Secret) -> BoxFuture<'a, Result<()>> + Send + Sync + 'static,
    {
        self.password_check = Some(Arc::new(check));
        self
    }

    /// Asked about a user before a session begins for them, by whatever method, and again whenever one of theirs is read from
    /// the storage. An error refuses the first with it and ends the second.
    #[must_use]
    pub fn session_guard<F>(mut self, guard: F) -> Self
    where
        F: for<'a> Fn(&'a Api, &'a User) -> BoxFuture<'a, Result<()>> + Send + Sync + 'static,
    {
        self.session_guard = Some(Arc::new(guard));
        self
    }

    /// Asked before a user is deleted, by themselves or by somebody else. It may refuse, or add to the changes that delete
    /// them what must hold at that moment.
    #[must_use]
    pub fn removal_guard<F>(mut self, guard: F) -> Self
    where
        F: for<'a> Fn(&'a Api, &'a mut Changes, &'a User) -> BoxFuture<'a, Result<()>>
            + Send
            + Sync
            + 'static,
    {
        self.removal_guard = Some(Arc::new(guard));
        self
    }

    /// Gives fields of every session that begins for a user, whose id it is asked with. They are there from its first request
    /// on. Somebody who is only just being created is not in the storage yet.
    #[must_use]
    pub fn session_fields<F>(mut self, fields: F) -> Self
    where
        F: for<'a> Fn(&'a Api, &'a str) -> BoxFuture<'a, Result<Record>> + Send + Sync + 'static,
    {
        self.session_fields = Some(Arc::new(fields));
        self
    }

    /// Asked about the columns of plugins and of the app's own that somebody wants to set of a user: at sign-up, at
    /// `/update-user`, by an admin, from a provider's profile. It may change them, or refuse them with an error. Should the commit
    /// be lost because somebody else was faster, it is asked again: so a value that nobody else may have is refused by name.
    #[must_use]
    pub fn user_fields<F>(mut self, hook: F) -> Self
    where
        F: for<'a> Fn(&'a Api, &'a mut UserFields) -> BoxFuture<'a, Result<()>> + Send + Sync + 'static,
    {
        self.user_fields = Some(Arc::new(hook));
        self
    }

    /// Called when a client signs out, before its session ends: for what ends with it.
    #[must_use]
    pub fn sign_out<F>(mut self, hook: F) -> Self
    where
        F: for<'a> Fn(&'a mut Api) -> BoxFuture<'a, Result<()>> + Send + Sync + 'static,
    {
        self.sign_out = Some(Arc::new(hook));
        self
    }

    /// Says whether the session that a client came with outlives the sign-in of the user with that id. Where
    /// [`revoke_on_sign_in`](crate::options::SessionOptions::revoke_on_sign_in) is on, all others end.
    #[must_use]
    pub fn keeps_session<F>(mut self, keeps: F) -> Self
    where
        F: Fn(&SignedIn, &str) -> bool + Send + Sync + 'static,
    {
        self.keeps_session = Some(Arc::new(keeps));
        self
    }

    /// Called in place of sending the link that proves the address of a user, wherever one would be sent: for what proves it in
    /// another way. What it fails with is logged, and fails nobody's request.
    #[must_use]
    pub fn verification_mail<F>(mut self, send: F) -> Self
    where
        F: for<'a> Fn(&'a Api, &'a User) -> BoxFuture<'a, Result<()>> + Send + Sync + 'static,
    {
        self.verification_mail = Some(Arc::new(send));
        self
    }

    /// Called when the password of a user is changed, reset or replaced by somebody else, to add to the changes the end of what was
    /// mailed to them and lets somebody in: whoever saw it in the mailbox before is out as well.
    #[must_use]
    pub fn mailed_ways_in<F>(mut self, end: F) -> Self
    where
        F: for<'a> Fn(&'a Api, &'a mut Changes, &'a User) -> BoxFuture<'a, Result<()>>
            + Send
            + Sync
            + 'static,
    {
        self.mailed_ways_in = Some(Arc::new(end));
        self
    }

    /// Looks at the paths of all endpoints of the engine that is built, and says what is wrong: for options that name some of them.
    #[must_use]
    pub fn path_check(mut self, check: impl Fn(&[&str]) -> Option<String> + Send + Sync + 'static) -> Self {
        self.path_check = Some(Arc::new(check));
        self
    }

    /// Says what is wrong with its options: an engine with such a plugin is not built.
    #[must_use]
    pub fn problem(mut self, problem: impl Into<String>) -> Self {
        self.problem = Some(problem.into());
        self
    }

    /// Says that the rows of one of its tables are a way into an account: those whose field `owner` names the user. A
    /// password reset that is the first proof of the address deletes them and sets these fields of the user, since whoever
    /// signed up may have been somebody else.
    #[must_use]
    pub fn recovery(mut self, table: impl Into<String>, owner: &'static str, user: Record) -> Self {
        self.recovery.push(Recovery { table: table.into(), owner, user });
        self
    }

    /// What the plugin's own functions need; [`Api::plugin_state`] finds it by its type.
    #[must_use]
    pub fn state<T: Send + Sync + 'static>(mut self, state: Arc<T>) -> Self {
        self.state = Some(state);
        self
    }

    /// What the plugin remembers while an engine lives: made anew for every engine that is built with it, so that two engines
    /// share nothing. [`Api::plugin_state`] finds it by its type.
    #[must_use]
    pub fn engine_state<T: Send + Sync + 'static>(
        mut self,
        make: impl Fn() -> T + Send + Sync + 'static,
    ) -> Self {
        self.engine_state = Some(Arc::new(move || Arc::new(make())));
        self
    }

    /// Says that it reads an option which the engine itself does not: `other.organization`. What nobody
    /// reads is told to whoever set it ([`Plugins::unread`]).
    #[must_use]
    pub fn reads(mut self, option: impl Into<String>) -> Self {
        self.options_read.push(option.into());
        self
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn credentials(&self) -> &[Credential] {
        &self.credentials
    }

    pub(crate) fn has_challenge(&self) -> bool {
        self.challenge.is_some()
    }

    pub(crate) fn contribution(&self) -> &SchemaContribution {
        &self.contribution
    }

    pub(crate) fn endpoints(&self) -> &[Endpoint] {
        &self.endpoints
    }

    pub(crate) fn request_hooks(&self) -> &RequestHooks {
        &self.hooks
    }

    pub(crate) fn own_database_hooks(&self) -> &DatabaseHooks {
        &self.database_hooks
    }

    pub(crate) fn rate_rules(&self) -> &[(String, RateRule)] {
        &self.rate_rules
    }

    pub(crate) fn challenge_hook(&self) -> Option<&ChallengeHook> {
        self.challenge.as_ref()
    }

    pub(crate) fn recoveries(&self) -> &[Recovery] {
        &self.recovery
    }

    pub(crate) fn own_password_check(&self) -> Option<&PasswordCheckHook> {
        self.password_check.as_ref()
    }

    pub(crate) fn own_session_guard(&self) -> Option<&SessionGuard> {
        self.session_guard.as_ref()
    }

    pub(crate) fn own_removal_guard(&self) -> Option<&RemovalGuard> {
        self.removal_guard.as_ref()
    }

    pub(crate) fn own_session_fields(&self) -> Option<&SessionFields> {
        self.session_fields.as_ref()
    }

    pub(crate) fn own_user_fields(&self) -> Option<&UserFieldsHook> {
        self.user_fields.as_ref()
    }

    pub(crate) fn own_sign_out(&self) -> Option<&SignOutHook> {
        self.sign_out.as_ref()
    }

    pub(crate) fn own_keeps_session(&self) -> Option<&KeepsSession> {
        self.keeps_session.as_ref()
    }

    pub(crate) fn own_verification_mail(&self) -> Option<&VerificationMail> {
        self.verification_mail.as_ref()
    }

    pub(crate) fn own_mailed_ways_in(&self) -> Option<&MailedWaysIn> {
        self.mailed_ways_in.as_ref()
    }

    pub(crate) fn own_problem(&self) -> Option<String> {
        self.problem.as_ref().map(|problem| format!("plugin {}: {problem}", self.id))
    }

    pub(crate) fn problem_with_paths(&self, paths: &[&str]) -> Option<String> {
        let problem = self.path_check.as_ref().and_then(|check| check(paths))?;
        Some(format!("plugin {}: {problem}", self.id))
    }

    pub(crate) fn options_read(&self) -> &[String] {
        &self.options_read
    }

    /// A new memory for an engine.
    pub(crate) fn new_engine_state(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        self.engine_state.as_ref().map(|make| make())
    }

    pub(crate) fn own_state(&self) -> Option<&Arc<dyn Any + Send + Sync>> {
        self.state.as_ref()
    }
}

impl fmt::Debug for Plugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plugin").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Serialize for Plugin {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(S::Error::custom(format!("the plugin {} holds functions and cannot be written down", self.id)))
    }
}
