//! API keys in an app: guards, the accessor, permissions, keys of organisations and what they are bound to, through HTTP.
mod guards;
mod organizations;
mod secrets;

use crate::support::test_app;
use housekey_auth::engine::access::Statements;
use housekey_auth::engine::plugins::api_key::{
    self as keys, ApiKeyConfig, ApiKeyOptions, KeyFor, NewApiKey, OwnerKind,
};
use housekey_auth::engine::plugins::{api_key as plugin, bearer, organization};
use housekey_auth::engine::{Plugins, User};
use housekey_auth::{Auth, AuthConfig, api_key, require_api_key, session, user};
use housekey_core::Result;
use housekey_http::Routes;
use housekey_testing::TestApp;

const HEADER: &str = "x-api-key";

fn with_keys(auth: &mut AuthConfig) {
    let configurations = vec![
        ApiKeyConfig { count_every_use: true, ..ApiKeyConfig::default() },
        ApiKeyConfig {
            config_id: "organization".into(),
            references: OwnerKind::Organization,
            ..ApiKeyConfig::default()
        },
    ];
    let options = ApiKeyOptions { configurations, ..ApiKeyOptions::default() };
    auth.plugins =
        Plugins::from([bearer(Default::default()), organization(Default::default()), plugin(options)]);
}

/// Who is there, by what.
async fn who() -> String {
    let name = user().map_or_else(|| "nobody".to_owned(), |user| user.email.clone());
    let key =
        api_key().map_or_else(|| "no key".to_owned(), |shown| shown.key.name.clone().unwrap_or_default());
    let by = if session().is_some() { "session" } else { "no session" };
    format!("{name}, {key}, {by}")
}

fn routes(route: &mut Routes) {
    route.get("/open", who);
    route.get("/people", who).middleware("auth");
    route.get("/keys", who).middleware("auth:api-key");
    route.get("/both", who).middleware("auth:session,api-key");
    route.get("/read", who).middleware("api-key:project.read");
    route.get("/write", who).middleware(["auth:api-key", "api-key:project.read,project.write"]);
    route.get("/required", async || -> Result<String> { Ok(require_api_key()?.key.id.clone()) });
    organizations::routes(route);
}

async fn app() -> TestApp {
    test_app(with_keys, routes).await
}

async fn key_of(app: &TestApp, owner: KeyFor<'_>, wanted: NewApiKey) -> String {
    let auth = app.services().require::<Auth>().unwrap();
    let made = app.within(async { keys::create_for(&auth.engine().api(), owner, wanted).await });
    made.await.unwrap().key.reveal().to_owned()
}

/// Ada, and a key of hers that allows to read projects.
async fn ada(app: &TestApp) -> (User, String) {
    let ada = app.user("ada@example.com").await;
    let wanted = NewApiKey {
        name: Some("laptop".into()),
        permissions: Some(Statements::new().with("project", ["read"])),
        ..NewApiKey::default()
    };
    let key = key_of(app, KeyFor::User(&ada.id), wanted).await;
    (ada, key)
}
