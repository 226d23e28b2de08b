//! Providers for tests.

mod key;

pub use key::FakeKey;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::StatusCode;
use serde_json::{Value, json};
use url::Url;

use super::start::challenge;
use super::{Jwks, Provider};
use crate::http_client::{FakeHttpClient, HttpClient, HttpError, HttpRequest, HttpResponse};
use crate::{BoxFuture, Clock, random};

/// Providers that answer from memory: for tests of apps. No request leaves the machine, and one that nobody expected fails.
///
/// [`person`](Self::person) says who is at the other side of a provider, [`approve`](Self::approve) is that person's click on
/// "Allow": it gives the address that the browser comes back to.
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use std::sync::Arc;
/// use bytes::Bytes;
/// use housekey_engine::options::{EngineOptions, Shared, SocialOptions};
/// use housekey_engine::social::{FakePerson, FakeProviders, Provider, SocialProviders};
/// use housekey_engine::{Engine, MemoryStorage};
///
/// let google = Provider::google("id", "secret");
/// let fakes = FakeProviders::new().person(&google, FakePerson::new("7", "Ada", "ada@example.com"));
/// let options = EngineOptions {
///     secret: "a secret of at least thirty-two characters".into(),
///     social_providers: SocialProviders::from([google]),
///     social: SocialOptions { http_client: Shared::new(Arc::new(fakes.clone())), ..Default::default() },
///     ..Default::default()
/// };
/// let engine = Engine::builder(options).build(MemoryStorage::new()).unwrap();
///
/// let start = http::Request::post("/api/auth/sign-in/social").header("content-type", "application/json");
/// let start = engine.handle(start.body(Bytes::from(r#"{"provider":"google"}"#)).unwrap()).await;
/// let callback = fakes.approve(start.headers()["location"].to_str().unwrap());
/// assert!(callback.starts_with("http://localhost:3000/api/auth/callback/google?code="));
/// # });
/// ```
#[derive(Clone, Default)]
pub struct FakeProviders {
    http: FakeHttpClient,
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    flows: Mutex<HashMap<String, Flow>>,
    clock: Mutex<Clock>,
}

/// A sign-in that was approved and whose code nobody has brought yet.
#[derive(Clone, Default)]
struct Flow {
    nonce: Option<String>,
    challenge: Option<String>,
    redirect_uri: Option<String>,
}

/// What a token endpoint puts into its tokens.
struct Issue {
    issuer: String,
    audience: String,
    claims: Value,
    has_id_token: bool,
}

/// Who is at the other side of a provider.
#[derive(Clone, Debug, Default)]
pub struct FakePerson {
    /// The person's id at the provider.
    pub id: String,
    pub name: String,
    pub email: String,
    /// Whether the provider says that it proved the address.
    pub email_verified: bool,
    /// More fields of the profile, or other values for those that are there: by the provider's names.
    pub profile: serde_json::Map<String, Value>,
}

impl FakePerson {
    /// A person with a proved address.
    pub fn new(id: impl Into<String>, name: impl Into<String>, email: impl Into<String>) -> Self {
        let (id, name, email) = (id.into(), name.into(), email.into());
        Self { id, name, email, email_verified: true, profile: serde_json::Map::new() }
    }

    /// The same person, whose address the provider has not proved.
    #[must_use]
    pub fn unverified(self) -> Self {
        Self { email_verified: false, ..self }
    }

    /// The profile, by all the names that providers have for the same things.
    fn claims(&self) -> Value {
        let mut claims = json!({
            "sub": self.id, "id": self.id, "user_id": self.id, "oid": self.id,
            "name": self.name, "login": self.name, "username": self.name, "display_name": self.name,
            "email": self.email,
            "email_verified": self.email_verified, "verified": self.email_verified,
        });
        if let Some(fields) = claims.as_object_mut() {
            fields.extend(self.profile.clone());
        }
        claims
    }
}

impl FakeProviders {
    /// Providers that answer nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Issues id tokens at the time of this clock: for tests that stop theirs.
    #[must_use]
    pub fn clock(self, clock: Clock) -> Self {
        *lock(&self.inner.clock) = clock;
        self
    }

    /// Answers requests to an address, whatever their query, with JSON.
    #[must_use]
    pub fn json(self, url: &str, body: Value) -> Self {
        Self { http: self.http.json(url, body), ..self }
    }

    /// Answers requests to an address, whatever their query, with a function.
    #[must_use]
    pub fn answer(
        self,
        url: &str,
        answer: impl Fn(&HttpRequest) -> Result<HttpResponse, HttpError> + Send + Sync + 'static,
    ) -> Self {
        Self { http: self.http.answer(url, answer), ..self }
    }

    /// Nobody is there any more: no connection to any of the addresses.
    pub fn goes_down(&self) {
        self.http.goes_down();
    }

    /// This person is at the other side of the provider from now on: its endpoints answer, its id tokens are signed. Replaces
    /// who was there before. A provider whose profile takes more than the usual names needs an
    /// [`answer`](Self::answer) of its own.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "a person is made where they are given")]
    pub fn person(mut self, provider: &Provider, person: FakePerson) -> Self {
        let spec = provider.spec();
        let issuer = match &spec.discovery {
            Some(discovery) => {
                let issuer = discovery.url.split("/.well-known/").next().unwrap_or_default().to_owned();
                self = self.json(&discovery.url, discovery_document(&issuer));
                issuer
            }
            None => spec.id_token.as_ref().and_then(|spec| spec.issuers.first().cloned()).unwrap_or_default(),
        };
        let or = |given: &str, path: &str| {
            if given.is_empty() { format!("{issuer}{path}") } else { given.to_owned() }
        };
        let token_endpoint = or(&spec.token_endpoint, "/token");
        let user_info = or(spec.user_info_endpoint.as_deref().unwrap_or_default(), "/userinfo");
        let keys = match spec.id_token.as_ref().map(|spec| &spec.keys) {
            Some(Jwks::Url(url)) => url.clone(),
            _ => format!("{issuer}/jwks"),
        };
        let claims = person.claims();
        if provider.kind().id == "github" {
            let emails =
                json!([{ "email": person.email, "primary": true, "verified": person.email_verified }]);
            self = self.json("https://api.github.com/user/emails", emails);
        }
        // Not to keep itself alive.
        let flows = Arc::downgrade(&self.inner);
        let issue = Issue {
            issuer,
            audience: provider.client_id().to_owned(),
            claims: claims.clone(),
            has_id_token: spec.id_token.is_some(),
        };
        self.json(&keys, FakeKey::set(&[&FakeKey::rsa()])).json(&user_info, claims).answer(
            &token_endpoint,
            move |request| match flows.upgrade() {
                Some(flows) => Ok(flows.tokens(request, &issue)),
                None => Err(HttpError::unreachable("the fake provider is gone")),
            },
        )
    }

    /// The person's click on "Allow" at an authorization address: where the browser is sent then.
    ///
    /// # Panics
    ///
    /// When this is no authorization address.
    pub fn approve(&self, authorization_url: &str) -> String {
        #[expect(clippy::expect_used, reason = "a fake, and the test is wrong")]
        let url = Url::parse(authorization_url).expect("an authorization address");
        let parameter = |name: &str| {
            url.query_pairs().find(|(other, _)| other == name).map(|(_, value)| value.into_owned())
        };
        let (nonce, challenge) = (parameter("nonce"), parameter("code_challenge"));
        let redirect_uri = parameter("redirect_uri");
        let code = random::alphanumeric(32);
        let target = redirect_uri.clone().unwrap_or_default();
        lock(&self.inner.flows).insert(code.clone(), Flow { nonce, challenge, redirect_uri });
        let query = [("code", code), ("state", parameter("state").unwrap_or_default())];
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
        format!("{target}?{query}")
    }

    /// Everything that was asked, in its order.
    pub fn requests(&self) -> Vec<HttpRequest> {
        self.http.requests()
    }
}

impl Inner {
    /// A token endpoint that takes each code once, and from the one who started only.
    fn tokens(&self, request: &HttpRequest, issue: &Issue) -> HttpResponse {
        let field = |name: &str| request.field(name);
        let refused =
            |error: &str| HttpResponse::of_json(StatusCode::BAD_REQUEST, &json!({ "error": error }));
        let flow = match field("grant_type").as_deref() {
            Some("refresh_token") => Flow::default(),
            _ => {
                let flow = lock(&self.flows).remove(&field("code").unwrap_or_default());
                let Some(flow) = flow else { return refused("invalid_grant") };
                let proved = field("code_verifier").map(|verifier| challenge(&verifier));
                if flow.challenge.is_some() && proved != flow.challenge
                    || flow.redirect_uri != field("redirect_uri")
                {
                    return refused("invalid_grant");
                }
                flow
            }
        };
        let now = lock(&self.clock).now().unix_timestamp();
        let mut id_token = issue.claims.clone();
        if let Some(fields) = id_token.as_object_mut() {
            for (name, value) in [
                ("iss", json!(issue.issuer)),
                ("aud", json!(issue.audience)),
                ("iat", json!(now)),
                // Far off: apps' tests move their clocks.
                ("exp", json!(now + 315_360_000)),
            ] {
                // What the person's profile says wins: a test may want a wrong one.
                fields.entry(name).or_insert(value);
            }
            if let Some(nonce) = flow.nonce {
                fields.entry("nonce").or_insert(nonce.into());
            }
        }
        let id_token = issue.has_id_token.then(|| FakeKey::rsa().sign(&id_token));
        let answer = json!({
            "access_token": random::alphanumeric(24),
            "refresh_token": random::alphanumeric(24),
            "id_token": id_token,
            "token_type": "Bearer",
            "expires_in": 3600,
            "scope": "openid email profile",
        });
        HttpResponse::of_json(StatusCode::OK, &answer)
    }
}

fn discovery_document(issuer: &str) -> Value {
    json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "userinfo_endpoint": format!("{issuer}/userinfo"),
        "jwks_uri": format!("{issuer}/jwks"),
        "end_session_endpoint": format!("{issuer}/end-session"),
        "id_token_signing_alg_values_supported": ["RS256"],
    })
}

impl HttpClient for FakeProviders {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, HttpError>> {
        self.http.send(request)
    }
}

impl fmt::Debug for FakeProviders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.http.fmt(f)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
