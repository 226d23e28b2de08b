//! The engine as functions: what the endpoints call, and what server code calls directly.

mod absolute_url;
mod address;
mod alerts;
mod challenge;
mod code_guess;
mod cookies;
mod events;
mod first_proof;
mod input;
mod known_device;
mod mail;
mod outcome;
mod password;
mod plugin_hooks;
mod secrets;
mod throttle;
mod user_fields;

pub use challenge::{Challenge, ChallengeHook};
pub(crate) use input::is_handled;
pub(crate) use password::Guess;
pub(crate) use plugin_hooks::{
    KeepsSession, MailedWaysIn, PasswordCheckHook, PluginHooks, RemovalGuard, SessionFields, SessionGuard,
    SignOutHook, UserFieldsHook, VerificationMail,
};
pub use user_fields::{FieldsOrigin, UserFields};

use std::fmt;
use std::sync::Arc;

use self::outcome::Outcome;
use crate::cookies::Jar;
use crate::core::Core;
use crate::models::{
    Changes, RowView, SessionView, UserView, Verifications, credential_account, find_credential,
};
use crate::options::{EngineOptions, OriginRequest};
use crate::password::{Owner, check_new_password};
use crate::schema::{Schema, Table};
use crate::storage::{Filter, Storage};
use crate::wire::{Incoming, Origins};
use crate::{Clock, Record, Result, Secret, Session, User, codes};

/// The engine for one client: its headers come in, cookies go out.
///
/// A call takes effect when it returns: who is signed in then, and which cookies the answer sets. Clones are handles of the
/// same client and share that; what one of them [was told](Self::confirm_presence) about the person, the others do not know.
///
/// [`Engine::api`](crate::Engine::api) gives one for a client with nothing, [`Engine::api_for`](crate::Engine::api_for)
/// one for a request. After the calls, [`into_headers`](Self::into_headers) has the cookies for the response.
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use housekey_engine::{Engine, MemoryStorage, SignUpEmail};
/// use housekey_engine::options::{EmailAndPassword, EngineOptions};
///
/// let options = EngineOptions {
///     secret: "a secret of at least thirty-two characters".into(),
///     email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
///     ..Default::default()
/// };
/// let engine = Engine::build(options, MemoryStorage::new()).unwrap();
///
/// let mut api = engine.api();
/// let ada = SignUpEmail { name: "Ada".into(), email: "ada@example.com".into(), password: "correct horse".into(), ..Default::default() };
/// let signed_up = api.sign_up_email(ada).await.unwrap();
/// assert_eq!(signed_up.user.email, "ada@example.com");
/// assert!(api.into_headers().contains_key("set-cookie"));
/// # });
/// ```
#[derive(Clone)]
pub struct Api {
    pub(crate) core: Arc<Core>,
    /// What plugins have a say in.
    pub(crate) plugin_hooks: Arc<PluginHooks>,
    pub(crate) incoming: Incoming,
    pub(crate) jar: Jar,
    /// Whether the session token came in another way than by its cookie: [`present_session_token`](Api::present_session_token).
    pub(crate) has_presented_token: bool,
    outcome: Arc<Outcome>,
    /// Whether the person proved to be there in person.
    present: bool,
    /// Whether what the person signs in with is two factors in one.
    two_factors: bool,
    /// By what the person proves who they are.
    sign_in_method: Option<&'static str>,
    /// With which provider.
    sign_in_provider: Option<String>,
}

impl Api {
    pub(crate) fn new(core: Arc<Core>, plugin_hooks: Arc<PluginHooks>, incoming: Incoming) -> Self {
        Self {
            core,
            plugin_hooks,
            jar: Jar::read(&incoming.headers),
            incoming,
            has_presented_token: false,
            outcome: Arc::default(),
            present: false,
            two_factors: false,
            sign_in_method: None,
            sign_in_provider: None,
        }
    }

    pub fn request(&self) -> &Incoming {
        &self.incoming
    }

    pub fn options(&self) -> &EngineOptions {
        &self.core.options
    }

    /// The tables and columns, those of plugins among them.
    pub fn schema(&self) -> &Schema {
        &self.core.schema
    }

    /// A table by the engine's name for it, as [`storage`](Self::storage) wants it; a plugin's own are found too.
    pub fn table(&self, key: &str) -> Result<&Table> {
        self.core.table(key)
    }

    /// The storage, for reading. Rows are written with [`changes`](Self::changes), so that hooks are called.
    pub fn storage(&self) -> &dyn Storage {
        self.core.storage.as_ref()
    }

    pub fn clock(&self) -> &Clock {
        &self.core.clock
    }

    /// Begins some writes that happen together.
    pub fn changes(&self) -> Changes {
        Changes::new(&self.core)
    }

    /// Values that live for a while under an identifier.
    pub fn verifications(&self) -> Verifications<'_> {
        Verifications(&self.core)
    }

    /// The user with this id, read from the storage.
    pub async fn user(&self, id: &str) -> Result<Option<User>> {
        let found = self.core.storage.find_one(self.core.table("user")?, &Filter::by("id", id)).await?;
        found.map(User::from_record).transpose()
    }

    pub async fn user_by_email(&self, email: &str) -> Result<Option<User>> {
        let filter = Filter::by("email", email.to_lowercase());
        let found = self.core.storage.find_one(self.core.table("user")?, &filter).await?;
        found.map(User::from_record).transpose()
    }

    /// Whether a user has a password; those who came another way have none.
    pub async fn has_password(&self, user: &User) -> Result<bool> {
        Ok(find_credential(&self.core, user).await?.is_some())
    }

    /// Refuses a user whose address is not proven. For what gives an account another way in or a factor: whoever signs up with
    /// an address that is not theirs could keep its owner out.
    pub fn require_verified_email(&self, user: &User) -> Result<()> {
        if user.email_verified { Ok(()) } else { Err(codes::EMAIL_NOT_VERIFIED.forbidden()) }
    }

    /// The host of the app's address, without its port.
    pub fn host(&self) -> &str {
        self.core.base.host()
    }

    /// An id that the same name always gives, in the form that ids have: of two who create a row under it at the same
    /// time, the primary key lets one.
    pub fn id_from(&self, name: &str) -> String {
        self.core.id_from(name)
    }

    /// The id of a new row, for whoever must know it before the row is written; [`Changes::create`] makes one otherwise.
    pub async fn new_id(&self, table: &str) -> Result<String> {
        self.core.new_id(table).await
    }

    /// Refuses what is no address of mail.
    pub fn check_email(&self, email: &str) -> Result<()> {
        self.core.check_email(email)
    }

    /// Refuses a new password that the options do not allow to a person of this name and address.
    pub async fn check_new_password(&self, password: &Secret, name: &str, email: &str) -> Result<()> {
        self.check_password_of(Owner { name, email }, password).await
    }

    /// What the rules of the options say to a new password, and then the plugins.
    // spec: SEC-8
    pub(crate) async fn check_password_of(&self, owner: Owner<'_>, password: &Secret) -> Result<()> {
        check_new_password(self.options(), password, owner).await?;
        for check in &self.plugin_hooks.password_checks {
            check(self, password).await?;
        }
        Ok(())
    }

    /// Adds to some changes the password of a user who has none. It is not judged here.
    pub async fn add_password_in(
        &self,
        changes: &mut Changes,
        user_id: &str,
        password: &Secret,
    ) -> Result<()> {
        let hash = self.core.passwords.hash(password).await?;
        changes.create("account", credential_account(user_id, &hash)).await.map(drop)
    }

    /// What a plugin keeps with itself ([`Plugin::state`](crate::Plugin::state)).
    pub fn plugin_state<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.core.plugin_states.iter().find_map(|state| Arc::clone(state).downcast().ok())
    }

    /// Says that whoever is signed in has just proved to be there in person, by entering the password again or with a
    /// passkey. What asks for the password once more is then content without it. For server code that asked itself.
    pub fn confirm_presence(&mut self) {
        self.present = true;
    }

    /// Whether [`confirm_presence`](Self::confirm_presence) was said.
    pub fn is_presence_confirmed(&self) -> bool {
        self.present
    }

    /// Says that what the person signs in with is two factors in one: a device that they have, which made sure who uses it. A
    /// challenge for a second factor is then content.
    pub fn confirm_two_factors(&mut self) {
        self.two_factors = true;
    }

    /// Whether [`confirm_two_factors`](Self::confirm_two_factors) was said.
    pub fn are_two_factors_confirmed(&self) -> bool {
        self.two_factors
    }

    /// Whether pages of an origin (`https://shop.example`) may call: our own, and those that the options trust.
    pub async fn trusts_origin(&self, origin: &str) -> bool {
        self.origins().await.trust(origin)
    }

    pub(crate) async fn origins(&self) -> Origins {
        Origins::of(&self.core, || self.origin_request()).await
    }

    /// What functions of the options that decide per request are told of it.
    pub(crate) fn origin_request(&self) -> OriginRequest {
        OriginRequest { headers: self.incoming.headers.clone(), path: self.incoming.path.clone() }
    }

    /// The client's address as it is stored with a session and shown to its owner.
    pub fn client_address(&self) -> Option<String> {
        self.core.addresses.of(&self.incoming).map(|address| address.to_string())
    }

    /// The same as the limits count it: of a long address only the part that is one client's.
    pub fn counted_address(&self) -> Option<String> {
        self.core.addresses.counted(&self.incoming)
    }

    /// A user as clients see it: for the body of an answer.
    pub fn user_view<'a>(&'a self, user: &'a User) -> Result<UserView<'a>> {
        Ok(UserView(user, self.core.table("user")?))
    }

    /// A session as clients see it, its token included: only for the one whose session it is.
    pub fn session_view<'a>(&'a self, session: &'a Session) -> Result<SessionView<'a>> {
        Ok(SessionView(session, self.core.table("session")?))
    }

    /// A row of any table as clients may see it: schema order, `id` last, hidden columns left out.
    pub fn row_view<'a>(&'a self, table: &str, record: &'a Record) -> Result<RowView<'a>> {
        Ok(RowView(record, self.core.table(table)?))
    }
}

impl fmt::Debug for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Api").field("path", &self.incoming.path).finish_non_exhaustive()
    }
}
