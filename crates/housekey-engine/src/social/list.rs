use std::fmt;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::providers::generic::GENERIC;
use super::{Provider, ProviderSettings, TokenAuth};
use crate::Secret;

/// The providers that people may sign in with, in the order of their buttons. One without a client id does not exist.
///
/// Written down, it is the reference's map of providers by id.
///
/// ```
/// use housekey_engine::social::{Provider, SocialProviders};
///
/// let providers = SocialProviders::from([Provider::google("id", "secret"), Provider::github("", "")]);
/// assert_eq!(providers.iter().map(|provider| provider.id.as_str()).collect::<Vec<_>>(), ["google"]);
///
/// let json = r#"{"google": {"clientId": "id", "clientSecret": "secret", "prompt": "select_account"}}"#;
/// let providers: SocialProviders = serde_json::from_str(json).unwrap();
/// assert_eq!(providers.get("google").unwrap().settings.prompt.as_deref(), Some("select_account"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct SocialProviders {
    existing: Vec<Provider>,
    /// Those that do not exist, for lack of something.
    unset: Vec<Provider>,
}

impl SocialProviders {
    pub const fn new() -> Self {
        Self { existing: Vec::new(), unset: Vec::new() }
    }

    /// Adds one at the end, or in place of one of the same id. One that is [unset](Provider::is_unset) is left out.
    pub fn push(&mut self, provider: Provider) {
        if provider.is_unset() {
            self.unset.push(provider);
            return;
        }
        match self.existing.iter_mut().find(|other| other.id == provider.id) {
            Some(place) => *place = provider,
            None => self.existing.push(provider),
        }
    }

    pub fn get(&self, id: &str) -> Option<&Provider> {
        self.existing.iter().find(|provider| provider.id == id)
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Provider> {
        self.existing.iter()
    }

    /// Providers that were half configured: by their id, and what they lack.
    ///
    /// ```
    /// use housekey_engine::social::{Provider, SocialProviders};
    ///
    /// let providers = [Provider::google("id", ""), Provider::github("", "secret"), Provider::github("", "")];
    /// let incomplete = SocialProviders::from(providers).incomplete();
    /// assert_eq!(incomplete, [("google".into(), "a client secret"), ("github".into(), "a client id")]);
    /// ```
    pub fn incomplete(&self) -> Vec<(String, &'static str)> {
        let without_secret = self.existing.iter().filter(|provider| provider.lacks_secret(&provider.spec()));
        let without_id = self
            .unset
            .iter()
            .filter(|provider| provider.settings.enabled && !provider.client_secret.is_empty());
        without_secret
            .map(|provider| (provider.id.clone(), "a client secret"))
            .chain(without_id.map(|provider| (provider.id.clone(), "a client id")))
            .collect()
    }

    pub fn is_empty(&self) -> bool {
        self.existing.is_empty()
    }

    pub fn len(&self) -> usize {
        self.existing.len()
    }
}

impl<I: IntoIterator<Item = Provider>> From<I> for SocialProviders {
    fn from(providers: I) -> Self {
        let mut list = Self::new();
        for provider in providers {
            list.push(provider);
        }
        list
    }
}

impl<'a> IntoIterator for &'a SocialProviders {
    type Item = &'a Provider;
    type IntoIter = std::slice::Iter<'a, Provider>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// One provider as it is written down, below its id.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    /// What it is, when its id does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// TikTok's is a `clientKey`.
    #[serde(default, alias = "clientKey")]
    client_id: ClientIds,
    #[serde(default)]
    client_secret: Secret,
    /// The longer way to say `authentication`.
    #[serde(default, skip_serializing)]
    token_endpoint_auth: Option<TokenEndpointAuth>,
    #[serde(flatten)]
    settings: ProviderSettings,
}

#[derive(Deserialize)]
struct TokenEndpointAuth {
    method: AuthMethod,
}

/// The names of OpenID Connect discovery.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum AuthMethod {
    ClientSecretPost,
    ClientSecretBasic,
    None,
}

/// One id or several.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum ClientIds {
    One(String),
    Several(Vec<String>),
    /// `undefined` in JavaScript, which JSON has as `null`.
    Missing(()),
}

impl Default for ClientIds {
    fn default() -> Self {
        Self::Missing(())
    }
}

impl Entry {
    fn of(provider: &Provider) -> Self {
        let kind = provider.kind();
        Self {
            kind: (kind.id != provider.id).then(|| kind.id.to_owned()),
            name: (kind.name != provider.name).then(|| provider.name.clone()),
            client_id: match provider.client_ids.as_slice() {
                [one] => ClientIds::One(one.clone()),
                several => ClientIds::Several(several.to_vec()),
            },
            client_secret: provider.client_secret.clone(),
            token_endpoint_auth: None,
            settings: provider.settings.clone(),
        }
    }

    /// The provider; the error says what to write.
    fn read(self, id: String) -> Result<Provider, String> {
        let mut settings = self.settings;
        if let Some(TokenEndpointAuth { method }) = self.token_endpoint_auth {
            settings.authentication = Some(match method {
                AuthMethod::ClientSecretPost => TokenAuth::Post,
                AuthMethod::ClientSecretBasic => TokenAuth::Basic,
                AuthMethod::None => TokenAuth::None,
            });
        }
        // A generic provider shadows a built-in one of the same id, as in the reference.
        let is_generic = settings.discovery_url.is_some() || settings.token_url.is_some();
        let kind = match &self.kind {
            Some(kind) => Provider::kind_of(kind).ok_or_else(|| format!("there is no kind of provider `{kind}`"))?,
            None if is_generic => &GENERIC,
            None => Provider::kind_of(&id).ok_or_else(|| {
                format!(
                    "the social provider `{id}` is not one that the engine knows: give it a discoveryUrl, or an \
                     authorizationUrl, a tokenUrl and a userInfoUrl"
                )
            })?,
        };
        let mut provider = Provider::new(kind, "", self.client_secret).with_settings(settings);
        // The name of a generic provider is its id until it is told otherwise.
        let own = if id == kind.id || self.kind.is_some() { kind.name.to_owned() } else { id.clone() };
        provider.name = self.name.unwrap_or(own);
        provider.id = id;
        provider.client_ids = match self.client_id {
            ClientIds::One(id) => vec![id],
            ClientIds::Several(ids) => ids,
            ClientIds::Missing(()) => Vec::new(),
        };
        Ok(provider)
    }
}

impl Serialize for SocialProviders {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.existing.len()))?;
        for provider in &self.existing {
            map.serialize_entry(&provider.id, &Entry::of(provider))?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for SocialProviders {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder)
    }
}

/// Reads the map in the order in which it is written, which is that of the buttons.
struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = SocialProviders;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("social providers by id")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<SocialProviders, A::Error> {
        let mut providers = SocialProviders::new();
        while let Some((id, entry)) = map.next_entry::<String, Entry>()? {
            providers.push(entry.read(id).map_err(A::Error::custom)?);
        }
        Ok(providers)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(json: serde_json::Value) -> Result<SocialProviders, String> {
        serde_json::from_value(json).map_err(|error| error.to_string())
    }

    #[test]
    // spec: SOC-1
    fn a_provider_without_its_variables_does_not_exist() {
        let providers = read(json!({
            "google": { "clientId": "", "clientSecret": "" },
            "github": { "clientSecret": "s" },
            "gitlab": { "clientId": "1", "clientSecret": "s", "enabled": false },
            "discord": { "clientId": null },
        }))
        .unwrap();
        assert!(providers.is_empty() && providers.get("google").is_none());
    }

    #[test]
    fn a_provider_that_nobody_knows_says_what_to_write() {
        let error = read(json!({ "acme": { "clientId": "1" } })).unwrap_err();
        assert!(error.contains("`acme`") && error.contains("discoveryUrl"), "{error}");
        let known = json!({ "acme": { "clientId": "1", "discoveryUrl": "https://acme.example/x" } });
        let providers = read(known).unwrap();
        let acme = providers.get("acme").unwrap();
        assert_eq!((acme.kind().id, acme.name.as_str()), ("generic", "acme"));
    }

    #[test]
    fn a_generic_provider_shadows_a_built_in_one() {
        let own = json!({ "google": { "clientId": "1", "discoveryUrl": "https://own.example/x" } });
        assert_eq!(read(own).unwrap().get("google").unwrap().kind().id, "generic");
    }

    #[test]
    fn several_client_ids_are_read() {
        let providers =
            read(json!({ "google": { "clientId": ["web", "ios"], "clientSecret": "s" } })).unwrap();
        let google = providers.get("google").unwrap();
        assert_eq!((google.client_id(), google.client_ids.len()), ("web", 2));
    }

    #[test]
    fn the_last_of_one_id_counts() {
        let providers = SocialProviders::from([
            Provider::google("1", "s"),
            Provider::github("2", "s"),
            Provider::google("3", "s"),
        ]);
        let ids: Vec<&str> = providers.iter().map(Provider::client_id).collect();
        assert_eq!(ids, ["3", "2"]);
    }

    #[test]
    fn nothing_that_is_printed_shows_a_secret() {
        let provider = Provider::google("id", "hush").also_for("other");
        assert!(!format!("{:?} {:?}", provider, provider.spec()).contains("hush"));
        assert!(!format!("{:?}", SocialProviders::from([provider])).contains("hush"));
    }
}
