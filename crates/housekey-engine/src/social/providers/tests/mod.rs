//! Every provider: where a browser is sent, how a code is exchanged, what becomes of a profile.

mod fourteen;
mod generic;
mod others;
mod quirks;

use std::sync::Arc;

use http::StatusCode;
use serde_json::{Map, Value, json};
use url::Url;

use crate::Clock;
use crate::http_client::{HttpError, HttpRequest, HttpResponse};
use crate::options::{EngineOptions, Shared, SocialOptions};
use crate::social::runtime::{ReadyProvider, Social};
use crate::social::start::{Start, challenge};
use crate::social::{
    FakeProviders, Grant, Profile, ProfileUser, Provider, SocialError, SocialProviders, TokenSet,
};

const REDIRECT: &str = "http://localhost:3000/api/auth/callback/x";

/// What a provider is expected to do, and who it says to be there.
struct Case {
    provider: Provider,
    /// The authorization address: what stands in it besides state, redirect URI and challenge, decoded.
    authorization: &'static str,
    /// Whether it has a challenge.
    pkce: bool,
    /// The token endpoint.
    token: &'static str,
    auth: Auth,
    /// The claims of its id token.
    claims: Option<Value>,
    /// What it answers when it is asked for a profile.
    answers: Vec<(&'static str, Value)>,
    person: Person,
}

#[derive(Debug, PartialEq)]
enum Auth {
    Post,
    Basic,
    /// The secret stands somewhere else: the provider has a test of its own.
    Odd,
}

/// Id, name, address, picture, whether the address is proved.
type Person = (&'static str, Option<&'static str>, Option<&'static str>, Option<&'static str>, bool);

/// One provider, and the engine's side of it.
struct Bench {
    fakes: FakeProviders,
    social: Social,
    ready: ReadyProvider,
}

impl Bench {
    fn new(provider: Provider, fakes: FakeProviders) -> Self {
        let options = EngineOptions {
            social_providers: SocialProviders::from([provider.clone()]),
            social: SocialOptions { http_client: Shared::new(Arc::new(fakes.clone())), ..Default::default() },
            ..Default::default()
        };
        let social = Social::new(&options, Clock::system());
        Self { fakes, social, ready: ReadyProvider::without_discovery(provider) }
    }

    async fn profile(&self, tokens: &TokenSet, claims: Option<&Value>) -> Result<Profile, SocialError> {
        self.social.profile_of_verified(&self.ready, tokens, claims, None).await
    }

    async fn exchange(&self, device_id: Option<&str>) -> Result<TokenSet, SocialError> {
        let grant = Grant::Code { code: "the code", verifier: "ve", redirect_uri: REDIRECT, device_id };
        self.social.exchange(&self.ready, grant).await
    }

    /// The authorization address without what belongs to the flow, and whether it had a challenge.
    fn authorization(&self) -> (String, bool) {
        let start = Start { state: "st", verifier: "ve", redirect_uri: REDIRECT, ..Start::default() };
        let url = Url::parse(&self.ready.authorization_url(&start).unwrap()).unwrap();
        let mut found = Vec::new();
        let mut has_challenge = false;
        let mut required = vec!["state", "redirect_uri"];
        for (name, value) in url.query_pairs() {
            match &*name {
                "state" => assert_eq!(value, "st"),
                "redirect_uri" => assert_eq!(value, REDIRECT),
                "code_challenge_method" => assert_eq!(value, "S256"),
                "code_challenge" => {
                    assert_eq!(value, challenge("ve"));
                    has_challenge = true;
                }
                _ => found.push(format!("{name}={value}")),
            }
            required.retain(|wanted| *wanted != name);
        }
        assert!(required.is_empty(), "{required:?} is missing in {url}");
        let place = url.as_str().split('?').next().unwrap();
        let fragment = url.fragment().map(|fragment| format!("#{fragment}")).unwrap_or_default();
        (format!("{place}?{}{fragment}", found.join("&")), has_challenge)
    }

    fn last_request(&self) -> HttpRequest {
        self.fakes.requests().pop().expect("a request")
    }
}

fn tokens() -> TokenSet {
    // WeChat puts the person's id beside the access token.
    let raw = Map::from_iter([("openid".to_owned(), Value::from("oA1"))]);
    TokenSet { access_token: Some("the access token".into()), raw, ..TokenSet::default() }
}

fn person(user: &ProfileUser) -> (&str, Option<&str>, Option<&str>, Option<&str>, bool) {
    let ProfileUser { id, name, email, image, email_verified, .. } = user;
    (id, name.as_deref(), email.as_deref(), image.as_deref(), *email_verified)
}

/// Answers at one place, which may have several questions: the whole address has to be the expected one.
fn answering(fakes: FakeProviders, url: &str, answers: &[(&'static str, Value)]) -> FakeProviders {
    let place = url.split('?').next().unwrap().to_owned();
    let answers = answers.to_vec();
    fakes.answer(&place, move |request| {
        let found = answers.iter().find(|(url, _)| *url == request.url);
        let (_, answer) =
            found.ok_or_else(|| HttpError::answer(format!("nobody expected {}", request.url)))?;
        Ok(HttpResponse::of_json(StatusCode::OK, answer))
    })
}

/// Goes through all three steps with each.
async fn check(cases: Vec<Case>) {
    for case in cases {
        let id = case.provider.id.clone();
        let mut fakes = FakeProviders::new();
        if case.auth != Auth::Odd {
            fakes = fakes.json(case.token, json!({ "access_token": "at", "expires_in": 60 }));
        }
        for (url, _) in &case.answers {
            fakes = answering(fakes, url, &case.answers);
        }
        let bench = Bench::new(case.provider, fakes);

        let (authorization, pkce) = bench.authorization();
        assert_eq!((authorization.as_str(), pkce), (case.authorization, case.pkce), "{id}");

        if case.auth != Auth::Odd {
            let tokens = bench.exchange(None).await.unwrap();
            assert_eq!(tokens.access_token.unwrap().reveal(), "at", "{id}");
            let request = bench.last_request();
            assert_eq!(request.url, case.token, "{id}");
            assert_eq!(request.field("grant_type").as_deref(), Some("authorization_code"), "{id}");
            assert_eq!(request.field("code").as_deref(), Some("the code"), "{id}");
            assert_eq!(request.field("redirect_uri").as_deref(), Some(REDIRECT), "{id}");
            // TikTok gets a verifier without a challenge.
            assert_eq!(request.field("code_verifier").is_some(), case.pkce || id == "tiktok", "{id}");
            let is_basic = request.headers.get("authorization").is_some();
            assert_eq!(is_basic, case.auth == Auth::Basic, "{id}");
            let secret = (!is_basic).then(|| "secret".to_owned());
            assert_eq!(request.field("client_secret"), secret, "{id}");
        }

        let profile = bench.profile(&tokens(), case.claims.as_ref()).await;
        let profile = profile.unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(person(&profile.user), case.person, "{id}");
    }
}
