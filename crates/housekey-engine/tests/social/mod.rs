//! Sign-in with others through the front door: providers in memory answer what the engine asks, truly or falsely.

mod accounts;
mod at_rest;
mod attacks;
mod banned;
mod callback;
mod connecting;
mod events;
mod faults;
mod id_token_sign_in;
mod id_tokens;
mod imitation;
mod linking;
mod logs;
mod people;
mod pre_hijacking;
mod providers;
mod real_client;
mod refresh;
mod refusals;
mod sign_out;
mod starting;
mod state;
mod troubled;
mod two_factor;

use std::sync::Arc;

use housekey_engine::options::{EngineOptions, Shared};
use housekey_engine::{Engine, EngineBuilder, Record};
use http::StatusCode;
use serde_json::{Value, json};
use url::Url;

use crate::support::{Answer, Browser, ORIGIN, TestEngine, options};
use imitation::{Imitation, Internet, Key, Person, Places, parameter};

/// The tenant of the people that the imitation of Microsoft knows.
const TENANT: &str = "11111111-2222-3333-4444-555555555555";

/// An engine and the providers that it knows.
struct Social {
    test: TestEngine,
    /// What the engine was built with.
    options: EngineOptions,
    internet: Internet,
    /// OpenID with discovery.
    acme: Imitation,
    /// Another one of the same kind.
    other: Imitation,
    /// Plain OAuth 2: no id token, no discovery.
    plain: Imitation,
    google: Imitation,
    microsoft: Imitation,
}

/// The engine as it is without any option.
fn social() -> Social {
    social_with(|_| {}, |_| {})
}

/// An engine with accounts configured as the reference spells it.
fn social_accounts(account: &Value) -> Social {
    social_with(|options| options.account = serde_json::from_value(account.clone()).unwrap(), |_| {})
}

/// An engine whose providers are configured otherwise.
fn social_where(change: impl FnOnce(&mut Value)) -> Social {
    social_with(|_| {}, change)
}

fn social_with(change: impl FnOnce(&mut EngineOptions), providers: impl FnOnce(&mut Value)) -> Social {
    social_built(change, providers, |builder| builder)
}

fn social_built(
    change: impl FnOnce(&mut EngineOptions),
    providers: impl FnOnce(&mut Value),
    build: impl FnOnce(EngineBuilder) -> EngineBuilder,
) -> Social {
    let acme = Imitation::new("acme", Places::openid("https://id.acme.test"), Key::p256("first"));
    let other = Imitation::new("other", Places::openid("https://other.test"), Key::p256("first"));
    let plain = Places {
        authorize: "https://plain.test/authorize".into(),
        token: "https://plain.test/token".into(),
        user_info: "https://plain.test/me".into(),
        ..Places::default()
    };
    let plain = Imitation::new("plain", plain, Key::p256("unused"));
    let google = Places {
        issuer: "https://accounts.google.com".into(),
        authorize: "https://accounts.google.com/o/oauth2/v2/auth".into(),
        token: "https://oauth2.googleapis.com/token".into(),
        keys: "https://www.googleapis.com/oauth2/v3/certs".into(),
        ..Places::default()
    };
    let google = Imitation::new("google", google, Key::rsa("google-1"));
    let login = "https://login.microsoftonline.com";
    let microsoft = Places {
        issuer: format!("{login}/{TENANT}/v2.0"),
        authorize: format!("{login}/common/oauth2/v2.0/authorize"),
        token: format!("{login}/common/oauth2/v2.0/token"),
        keys: format!("{login}/common/discovery/v2.0/keys"),
        ..Places::default()
    };
    let microsoft = Imitation::new("microsoft", microsoft, Key::rsa("microsoft-1"));
    let internet = Internet::of(&[&acme, &other, &plain, &google, &microsoft]);

    let mut settings = json!({});
    for site in [&acme, &other, &plain, &google, &microsoft] {
        settings[site.name] = json!({ "clientId": site.client_id, "clientSecret": site.client_secret });
    }
    for site in [&acme, &other] {
        settings[site.name]["discoveryUrl"] = json!(site.places.discovery);
        settings[site.name]["scopes"] = json!(["openid", "profile", "email"]);
    }
    settings["plain"]["authorizationUrl"] = json!(plain.places.authorize);
    settings["plain"]["tokenUrl"] = json!(plain.places.token);
    settings["plain"]["userInfoUrl"] = json!(plain.places.user_info);
    settings["plain"]["scopes"] = json!(["who"]);
    settings["microsoft"]["disableProfilePhoto"] = json!(true);
    providers(&mut settings);

    let mut options = options();
    options.social_providers = serde_json::from_value(settings).unwrap();
    options.social.http_client = Shared::new(Arc::new(internet.clone()));
    change(&mut options);
    let test = TestEngine::new(build(Engine::builder(options.clone())));
    internet.runs_by(&test.clock);
    Social { test, options, internet, acme, other, plain, google, microsoft }
}

impl Social {
    fn browser(&self) -> Browser {
        self.test.browser()
    }

    /// The same rows and the same providers under an engine of its own, as another process has them.
    fn another_engine(&self, change: impl FnOnce(&mut EngineOptions)) -> TestEngine {
        let mut options = self.options.clone();
        change(&mut options);
        self.test.under(options)
    }

    /// The whole way at a provider: start, agree, come back.
    async fn visit(&self, browser: &mut Browser, site: &Imitation, person: &Person) -> Answer {
        let page = start(browser, site.name).await;
        come_back(browser, site, &site.agree(&page, person)).await
    }

    /// The whole way at Acme.
    async fn sign_in(&self, browser: &mut Browser, person: &Person) -> Answer {
        self.visit(browser, &self.acme, person).await
    }

    /// A new browser in which somebody signed in at Acme.
    async fn signed_in(&self, person: &Person) -> Browser {
        let mut browser = self.browser();
        self.sign_in(&mut browser, person).await.assert_leads_in();
        browser
    }

    /// Somebody who signed up with a password, signed in; their address is proven or not.
    async fn with_password(&self, email: &str, verified: bool) -> Browser {
        let mut browser = self.browser();
        browser.sign_up(email).await.assert(StatusCode::OK);
        if verified {
            self.change_user(email, &Record::new().with("emailVerified", true)).await;
        }
        browser
    }

    async fn change_user(&self, email: &str, changes: &Record) {
        use housekey_engine::storage::{Filter, Records as _};
        let schema = self.test.engine.schema();
        let filter = Filter::by("email", email);
        self.test.storage.update(schema.table("user").unwrap(), &filter, changes).await.unwrap();
    }

    async fn change_account(&self, provider: &str, changes: &Record) {
        use housekey_engine::storage::{Filter, Records as _};
        let schema = self.test.engine.schema();
        let filter = Filter::by("providerId", provider);
        let changed = self.test.storage.update(schema.table("account").unwrap(), &filter, changes).await;
        assert!(changed.unwrap() > 0, "there is such an account");
    }

    async fn user(&self, email: &str) -> Option<Record> {
        self.test.rows("user").await.into_iter().find(|row| row.text("email") == Some(email))
    }

    /// The accounts at a provider.
    async fn accounts(&self, provider: &str) -> Vec<Record> {
        let mut rows = self.test.rows("account").await;
        rows.retain(|row| row.text("providerId") == Some(provider));
        rows
    }

    async fn account(&self, provider: &str) -> Record {
        let accounts = self.accounts(provider).await;
        assert_eq!(accounts.len(), 1, "{accounts:?}");
        accounts.into_iter().next().unwrap()
    }

    /// Nobody was made, connected or let in.
    async fn assert_nothing_made(&self) {
        for table in ["user", "account", "session"] {
            let rows = self.test.rows(table).await;
            assert!(rows.is_empty(), "{table}: {rows:?}");
        }
    }

    /// What is kept, to compare later.
    async fn snapshot(&self) -> Vec<Vec<Record>> {
        let mut found = Vec::new();
        for table in ["user", "account", "session"] {
            found.push(self.test.rows(table).await);
        }
        found
    }
}

/// Where a flow of these tests ends.
fn ends() -> Value {
    json!({ "callbackURL": "/in", "errorCallbackURL": "/failed", "newUserCallbackURL": "/welcome" })
}

fn with(mut body: Value, mut more: Value) -> Value {
    body.as_object_mut().unwrap().append(more.as_object_mut().unwrap());
    body
}

/// Begins a flow: the provider's page to which the browser is sent.
async fn start(browser: &mut Browser, provider: &str) -> Url {
    start_with(browser, provider, json!({})).await
}

async fn start_with(browser: &mut Browser, provider: &str, more: Value) -> Url {
    let body = with(with(ends(), json!({ "provider": provider })), more);
    let answer = browser.post("/sign-in/social", body).await.assert(StatusCode::OK).json();
    Url::parse(answer["url"].as_str().unwrap()).unwrap()
}

/// Begins to connect an account to whoever is signed in.
async fn start_link(browser: &mut Browser, provider: &str) -> Url {
    let body = json!({ "provider": provider, "callbackURL": "/linked", "errorCallbackURL": "/failed" });
    let answer = browser.post("/link-social", body).await.assert(StatusCode::OK).json();
    Url::parse(answer["url"].as_str().unwrap()).unwrap()
}

/// The provider sends the browser back.
async fn come_back(browser: &mut Browser, site: &Imitation, query: &str) -> Answer {
    browser.get(&format!("/callback/{}?{query}", site.name)).await
}

impl Answer {
    fn location(&self) -> &str {
        assert_eq!(self.status, StatusCode::FOUND, "{self:?}");
        self.header("location").unwrap()
    }

    /// Sent on with a session.
    #[track_caller]
    fn assert_leads_in(self) -> Self {
        assert!(["/in", "/welcome"].contains(&self.location()), "{self:?}");
        assert!(self.cookie("session_token").is_some_and(|cookie| !cookie.is_cleared()), "{self:?}");
        self
    }

    #[track_caller]
    fn assert_leads_to(self, target: &str) -> Self {
        assert_eq!(self.location(), target);
        self
    }

    /// Sent where the flow wanted failures to go, with this reason and nothing granted.
    #[track_caller]
    fn assert_failed(self, reason: &str) -> Self {
        let error = self.error();
        assert_eq!((error.1.as_deref(), error.0.as_str()), (Some(reason), "/failed"), "{self:?}");
        self.assert_grants_nothing()
    }

    /// Sent to the engine's own page for errors, with this reason and nothing granted.
    #[track_caller]
    fn assert_lost(self, reason: &str) -> Self {
        let error = self.error();
        assert_eq!((error.1.as_deref(), error.0.as_str()), (Some(reason), "/api/auth/error"), "{self:?}");
        self.assert_grants_nothing()
    }

    #[track_caller]
    fn assert_grants_nothing(self) -> Self {
        let session = self.cookie("session_token").filter(|cookie| !cookie.is_cleared());
        assert!(session.is_none(), "{self:?}");
        self
    }

    /// Path and reason of a redirect that says why.
    fn error(&self) -> (String, Option<String>) {
        let url = Url::parse(ORIGIN).unwrap().join(self.location()).unwrap();
        assert_eq!(url.origin().ascii_serialization(), ORIGIN, "{self:?}");
        (url.path().to_owned(), parameter(&url, "error"))
    }

    fn error_description(&self) -> Option<String> {
        parameter(&Url::parse(ORIGIN).unwrap().join(self.location()).unwrap(), "error_description")
    }

    /// The cookie that ties a flow to this browser.
    fn state_cookie(&self) -> &crate::support::SetCookie {
        let found = self.cookies.iter().find(|cookie| cookie.name.contains("state"));
        found.unwrap_or_else(|| panic!("a state cookie: {self:?}"))
    }
}

/// The cookies in a browser that tie flows to it.
fn state_cookies(browser: &Browser) -> Vec<String> {
    browser.cookies.keys().filter(|name| name.contains("state")).cloned().collect()
}
