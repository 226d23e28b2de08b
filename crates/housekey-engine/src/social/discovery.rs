//! What an OpenID provider says about itself.

use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use time::{Duration, OffsetDateTime};
use url::Url;

use super::runtime::ReadyProvider;
use super::{Discovery, Jwks, Provider, SocialError, TokenAuth};
use crate::Clock;
use crate::http_client::{HttpClient, HttpError, HttpRequest};
use crate::jose::ALGORITHMS;

/// For as long, nobody asks whether the document has changed.
const FRESH: Duration = Duration::hours(1);
/// While a provider is down, it is asked at most this often.
const BETWEEN_TRIES: Duration = Duration::seconds(10);

/// A provider that describes itself: fetched when it is first named, kept, and renewed beside.
pub(super) struct Discovered {
    provider: Provider,
    discovery: Discovery,
    /// Held by whoever fetches: the others wait and find what it brought.
    fetching: tokio::sync::Mutex<()>,
    kept: Mutex<CachedDocument>,
}

#[derive(Clone, Default)]
struct CachedDocument {
    ready: Option<Arc<ReadyProvider>>,
    tried: Option<OffsetDateTime>,
}

impl Discovered {
    pub(super) fn new(provider: Provider, discovery: Discovery) -> Self {
        let fetching = tokio::sync::Mutex::new(());
        Self { provider, discovery, fetching, kept: Mutex::default() }
    }

    /// The provider, or why it cannot be used now.
    pub(super) async fn ready(
        self: &Arc<Self>,
        client: &Arc<dyn HttpClient>,
        clock: &Clock,
    ) -> Result<Arc<ReadyProvider>, SocialError> {
        let kept = self.kept();
        let age = kept.tried.map(|tried| clock.now() - tried);
        if let Some(ready) = kept.ready {
            if age.is_none_or(|age| age >= FRESH) {
                let (this, client, clock) = (Arc::clone(self), Arc::clone(client), clock.clone());
                // At once, so that one of those who come now renews it, and not all.
                self.change(|kept| kept.tried = Some(clock.now()));
                tokio::spawn(async move {
                    let renewed = this.fetch(&*client).await;
                    this.keep(renewed);
                });
            }
            return Ok(ready);
        }
        let _turn = self.fetching.lock().await;
        let kept = self.kept();
        if let Some(ready) = kept.ready {
            return Ok(ready);
        }
        if kept.tried.is_some_and(|tried| clock.now() - tried < BETWEEN_TRIES) {
            return Err(HttpError::unreachable(format!(
                "the discovery document of `{}` could not be fetched a moment ago",
                self.provider.id
            ))
            .into());
        }
        self.change(|kept| kept.tried = Some(clock.now()));
        let fetched = self.fetch(&**client).await;
        self.keep(fetched.clone());
        fetched
    }

    /// Fetches the document now, whatever is kept.
    pub(super) async fn fetch(&self, client: &dyn HttpClient) -> Result<Arc<ReadyProvider>, SocialError> {
        let mut request = HttpRequest::get(self.discovery.url.clone());
        for (name, value) in &self.discovery.headers {
            request = request.header(name, value.reveal());
        }
        let response = client.send(request).await?;
        if !response.status.is_success() {
            return Err(SocialError::answered("its discovery document", response.status));
        }
        let document: Document = response.json()?;
        document.complete(self.provider.clone(), &self.discovery.url).map(Arc::new)
    }

    fn keep(&self, fetched: Result<Arc<ReadyProvider>, SocialError>) {
        match fetched {
            Ok(ready) => self.change(|kept| kept.ready = Some(ready)),
            Err(error) => {
                tracing::warn!(provider = self.provider.id, %error, "the discovery document of a social provider is not there");
            }
        }
    }

    fn kept(&self) -> CachedDocument {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn change(&self, change: impl FnOnce(&mut CachedDocument)) {
        change(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// What of the document we read.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Document {
    issuer: Option<String>,
    authorization_endpoint: Option<String>,
    token_endpoint: Option<String>,
    userinfo_endpoint: Option<String>,
    jwks_uri: Option<String>,
    end_session_endpoint: Option<String>,
    id_token_signing_alg_values_supported: Vec<String>,
    token_endpoint_auth_methods_supported: Vec<String>,
    authorization_response_iss_parameter_supported: bool,
}

impl Document {
    /// The provider with what the document says where the app said nothing.
    fn complete(self, provider: Provider, discovery_url: &str) -> Result<ReadyProvider, SocialError> {
        let is_https = discovery_url.starts_with("https://");
        let endpoint = |what: &str, url: Option<String>| match url {
            None => Ok(None),
            Some(url) if is_usable(&url, is_https) => Ok(Some(url)),
            Some(_) => Err(SocialError::answer(format!(
                "the discovery document of `{}` has a {what} that is no address, or one without TLS",
                provider.id
            ))),
        };
        let missing = |what: &str| {
            SocialError::answer(format!("the discovery document of `{}` has no {what}", provider.id))
        };
        let mut spec = provider.spec();
        if spec.authorization_endpoint.is_empty() {
            let what = "authorization_endpoint";
            spec.authorization_endpoint =
                endpoint(what, self.authorization_endpoint)?.ok_or_else(|| missing(what))?;
        }
        if spec.token_endpoint.is_empty() {
            let what = "token_endpoint";
            spec.token_endpoint = endpoint(what, self.token_endpoint)?.ok_or_else(|| missing(what))?;
        }
        if spec.user_info_endpoint.is_none() {
            spec.user_info_endpoint = endpoint("userinfo_endpoint", self.userinfo_endpoint)?;
        }
        if spec.end_session_endpoint.is_none() {
            spec.end_session_endpoint = endpoint("end_session_endpoint", self.end_session_endpoint)?;
        }
        if !self.id_token_signing_alg_values_supported.is_empty()
            && !provider.settings.disable_default_scope
            && !spec.scopes.iter().chain(&provider.settings.scope).any(|scope| scope == "openid")
        {
            spec.scopes.insert(0, "openid".into());
        }
        // Those who take the secret in a header only say so; the reference sends it in the form all the same.
        let methods = &self.token_endpoint_auth_methods_supported;
        let offers = |method: &str| methods.iter().any(|offered| offered == method);
        if provider.settings.authentication.is_none()
            && spec.token_auth == TokenAuth::Post
            && offers("client_secret_basic")
            && !offers("client_secret_post")
            && !provider.client_secret.is_empty()
        {
            spec.token_auth = TokenAuth::Basic;
        }
        let keys = endpoint("jwks_uri", self.jwks_uri)?;
        match (&mut spec.id_token, keys, &self.issuer) {
            (Some(id_token), Some(keys), Some(issuer)) => {
                if id_token.keys == Jwks::None {
                    id_token.keys = Jwks::Url(keys);
                    let listed = self.id_token_signing_alg_values_supported;
                    let known = listed.into_iter().filter(|listed| ALGORITHMS.contains(&listed.as_str()));
                    id_token.algorithms = known.collect();
                    if id_token.algorithms.is_empty() {
                        // Every provider has to speak it (OpenID Connect Discovery 3).
                        id_token.algorithms.push("RS256".into());
                    }
                }
                if id_token.issuers.is_empty() && !issuer.contains('{') {
                    id_token.issuers.push(issuer.clone());
                }
            }
            // Without keys or an issuer nothing could be verified, so there is nothing to bind to a sign-in.
            _ => spec.nonce = false,
        }
        Ok(ReadyProvider {
            requires_iss: self.authorization_response_iss_parameter_supported && self.issuer.is_some(),
            issuer: self.issuer,
            provider,
            spec,
        })
    }
}

/// Whether an address can be used, with TLS where the document came with it.
fn is_usable(url: &str, with_tls: bool) -> bool {
    Url::parse(url)
        .is_ok_and(|url| url.has_host() && (url.scheme() == "https" || url.scheme() == "http" && !with_tls))
}

#[cfg(test)]
mod tests {
    use std::time::Duration as Wait;

    use serde_json::{Value, json};

    use super::*;
    use crate::http_client::HttpError;
    use crate::options::{EngineOptions, Shared, SocialOptions};
    use crate::social::{FakePerson, FakeProviders, Social};

    const URL: &str = "https://id.example/.well-known/openid-configuration";

    fn provider() -> Provider {
        let mut provider =
            Provider::new(&crate::social::providers::generic::GENERIC, "id", "secret").with_id("example");
        provider.settings.discovery_url = Some(URL.into());
        provider
    }

    fn social(fakes: &FakeProviders, provider: Provider) -> (Social, Clock) {
        let clock = Clock::frozen_now();
        let options = EngineOptions {
            social_providers: [provider].into(),
            social: SocialOptions { http_client: Shared::new(Arc::new(fakes.clone())), ..Default::default() },
            ..EngineOptions::default()
        };
        (Social::new(&options, clock.clone()), clock)
    }

    fn document(change: impl FnOnce(&mut Value)) -> Value {
        let mut document = json!({
            "issuer": "https://id.example",
            "authorization_endpoint": "https://id.example/authorize",
            "token_endpoint": "https://id.example/token",
            "userinfo_endpoint": "https://id.example/userinfo",
            "jwks_uri": "https://id.example/jwks",
            "id_token_signing_alg_values_supported": ["none", "HS256", "ES256", "RS256"],
        });
        change(&mut document);
        document
    }

    #[tokio::test]
    async fn a_provider_describes_itself_once() {
        let fakes = FakeProviders::new().json(URL, document(|_| {}));
        let (social, _) = social(&fakes, provider());
        for _ in 0..3 {
            let ready = social.ready("example").await.unwrap();
            assert_eq!(ready.spec.token_endpoint, "https://id.example/token");
            assert_eq!(ready.issuer.as_deref(), Some("https://id.example"));
            let id_token = ready.spec.id_token.clone().unwrap();
            assert_eq!(id_token.algorithms, ["ES256", "RS256"], "neither `none` nor a shared secret");
            assert_eq!(ready.spec.scopes.first().map(String::as_str), Some("openid"));
            assert!(ready.sends_nonce() && ready.takes_id_tokens());
        }
        assert_eq!(fakes.requests().len(), 1);
        assert!(social.ready("unknown").await.is_none());
    }

    #[tokio::test]
    // spec: SOC-8
    async fn a_provider_that_is_down_is_asked_again_after_a_while() {
        let fakes = FakeProviders::new().answer(URL, |_| Err(HttpError::unreachable("down")));
        let (social, clock) = social(&fakes, provider());
        for _ in 0..5 {
            assert!(social.ready("example").await.is_none());
        }
        assert_eq!(fakes.requests().len(), 1, "not by every visitor");
        let fakes = fakes.json(URL, document(|_| {}));
        clock.advance(Wait::from_secs(10));
        assert!(social.ready("example").await.is_some());
        fakes.goes_down();
        clock.advance(Wait::from_secs(2 * 3600));
        assert!(social.ready("example").await.is_some(), "what is known stays known");
        assert!(social.check("example").await.unwrap_err().is_unreachable(), "but who asks now is told");
    }

    #[tokio::test]
    async fn a_document_that_leads_nowhere_safe_is_not_taken() {
        for wrong in [
            document(|document| document["token_endpoint"] = json!("http://id.example/token")),
            document(|document| document["token_endpoint"] = json!("file:///etc/passwd")),
            document(|document| document["token_endpoint"] = Value::Null),
            document(|document| document["authorization_endpoint"] = json!("javascript:alert(1)")),
            document(|document| document["jwks_uri"] = json!("ftp://id.example/keys")),
            document(|document| document["issuer"] = json!(5)),
            json!([]),
            json!("document"),
        ] {
            let fakes = FakeProviders::new().json(URL, wrong.clone());
            let (social, _) = social(&fakes, provider());
            assert!(social.ready("example").await.is_none(), "{wrong}");
        }
    }

    #[tokio::test]
    async fn what_the_app_says_wins() {
        let fakes = FakeProviders::new().json(URL, document(|_| {}));
        let mut own = provider();
        own.settings.token_url = Some("https://own.example/token".into());
        let (social, _) = social(&fakes, own);
        assert_eq!(social.ready("example").await.unwrap().spec.token_endpoint, "https://own.example/token");
    }

    #[tokio::test]
    async fn a_secret_goes_into_a_header_where_nothing_else_is_taken() {
        let only =
            |methods: Value| document(|document| document["token_endpoint_auth_methods_supported"] = methods);
        for (methods, expected) in [
            (json!(["client_secret_basic"]), TokenAuth::Basic),
            (json!(["client_secret_basic", "client_secret_post"]), TokenAuth::Post),
            (json!([]), TokenAuth::Post),
        ] {
            let fakes = FakeProviders::new().json(URL, only(methods));
            let (social, _) = social(&fakes, provider());
            assert_eq!(social.ready("example").await.unwrap().spec.token_auth, expected);
        }
    }

    #[tokio::test]
    async fn many_who_come_at_once_fetch_once() {
        let fakes = FakeProviders::new().person(&provider(), FakePerson::new("1", "Ada", "ada@example.com"));
        let (social, _) = social(&fakes, provider());
        let social = Arc::new(social);
        let all: Vec<_> = (0..20)
            .map(|_| {
                let social = Arc::clone(&social);
                tokio::spawn(async move { social.ready("example").await.is_some() })
            })
            .collect();
        for one in all {
            assert!(one.await.unwrap());
        }
        assert_eq!(fakes.requests().len(), 1);
    }
}
