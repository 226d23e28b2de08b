//! A provider as an app configures it, and what the engine knows about its kind.

mod kind;
mod profile;
mod settings;
mod spec;

pub use kind::ProviderKind;
pub use profile::{Profile, ProfileCall, ProfileUser};
pub(crate) use profile::{field, text};
pub use settings::{IdTokenQuestion, ProviderSettings};
pub use spec::{
    AuthorizationParams, ClientSecretMaker, Discovery, Exchange, FetchProfile, IdTokenSpec, Jwks, MapProfile,
    NonceRule, ParameterOrder, Pkce, ProfileSource, ProviderSpec, ScopeOrder, TokenAuth,
};

use crate::Secret;
use crate::social::providers;

/// A provider that people may sign in with.
///
/// ```
/// use housekey_engine::social::Provider;
///
/// let provider = Provider::google("client id", "client secret").scope("https://www.googleapis.com/auth/calendar");
/// assert_eq!(provider.id, "google");
/// assert!(Provider::github("", "").is_unset(), "without its variables a provider does not exist");
/// ```
#[derive(Clone, Debug)]
pub struct Provider {
    /// Its name in addresses and in the account table.
    pub id: String,
    /// Its name on a button.
    pub name: String,
    /// The ids of the app at the provider. The first is used to sign in by redirect; an id token may be meant for any.
    pub client_ids: Vec<String>,
    /// The app's secret at the provider. Empty for a public client.
    pub client_secret: Secret,
    /// What an app may change about it.
    pub settings: ProviderSettings,
    kind: &'static ProviderKind,
}

impl Provider {
    /// A provider of a kind, under the kind's own id and name.
    pub fn new(
        kind: &'static ProviderKind,
        client_id: impl Into<String>,
        client_secret: impl Into<Secret>,
    ) -> Self {
        Self {
            id: kind.id.to_owned(),
            name: kind.name.to_owned(),
            client_ids: Some(client_id.into()).filter(|id| !id.is_empty()).into_iter().collect(),
            client_secret: client_secret.into(),
            settings: ProviderSettings::default(),
            kind,
        }
    }

    /// A kind that the engine knows by this id.
    pub fn kind_of(id: &str) -> Option<&'static ProviderKind> {
        providers::ALL.iter().copied().find(|kind| kind.id == id)
    }

    /// What the engine knows of providers of its kind.
    pub fn kind(&self) -> &'static ProviderKind {
        self.kind
    }

    /// Under another id: two apps at one provider.
    #[must_use]
    pub fn with_id(self, id: impl Into<String>) -> Self {
        Self { id: id.into(), ..self }
    }

    /// Under another name on its button.
    #[must_use]
    pub fn with_name(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// With one more id of the app, for which id tokens may be meant: that of a mobile app, for instance.
    #[must_use]
    pub fn also_for(mut self, client_id: impl Into<String>) -> Self {
        self.client_ids.push(client_id.into());
        self
    }

    #[must_use]
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.settings.scope.push(scope.into());
        self
    }

    /// With a setting that only this kind of provider has, by its name in the reference: `("tenantId", "…")`.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<serde_json::Value>) -> Self {
        self.settings.other.insert(name.into(), value.into());
        self
    }

    /// With other settings than those it had.
    #[must_use]
    pub fn with_settings(self, settings: ProviderSettings) -> Self {
        Self { settings, ..self }
    }

    /// Does not ask for a second factor after a sign-in here: the provider asks for one itself.
    #[must_use]
    pub fn trusted_for_two_factor(mut self) -> Self {
        self.settings.trusted_for_two_factor = true;
        self
    }

    /// Whether it does not exist: it has no client id, or is switched off.
    pub fn is_unset(&self) -> bool {
        self.client_ids.first().is_none_or(String::is_empty) || !self.settings.enabled
    }

    /// The id of the app that signs in by redirect.
    pub fn client_id(&self) -> &str {
        self.client_ids.first().map_or("", String::as_str)
    }

    /// Whether it needs a client secret and has none.
    pub(crate) fn lacks_secret(&self, spec: &ProviderSpec) -> bool {
        self.client_secret.is_empty()
            && spec.client_secret.is_none()
            && !spec.public_client
            && spec.token_auth != TokenAuth::None
    }

    /// How to speak to it: what its kind says, changed by the settings that every provider has.
    pub fn spec(&self) -> ProviderSpec {
        let mut spec = (self.kind.spec)(self);
        let settings = &self.settings;
        if let Some(endpoint) = &settings.authorization_endpoint {
            spec.authorization_endpoint.clone_from(endpoint);
        }
        if settings.disable_default_scope {
            spec.scopes.clear();
        }
        let params = &mut spec.authorization;
        for (ours, theirs) in
            [(&settings.prompt, &mut params.prompt), (&settings.response_mode, &mut params.response_mode)]
        {
            if ours.is_some() {
                theirs.clone_from(ours);
            }
        }
        spec
    }
}
