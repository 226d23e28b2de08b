//! A lending library: books have owners, and so do channels about them.

use housekey_auth::config::{OrganizationOptions, Plugins, organization};
use housekey_auth::engine::options::{EmailAndPassword, EngineOptions};
use housekey_auth::engine::plugins::bearer;
use housekey_auth::gate::AppGate;
use housekey_auth::{Action, Auth, AuthConfig, AuthProvider, Demands, User, organization as present, user};
use housekey_core::{Config, ConfigFiles, Result};
use housekey_database::{FromRow, Model, db, record};
use housekey_engine_sql::SqlStorage;
use housekey_http::axum::extract::Path;
use housekey_http::config::HttpConfig;
use housekey_http::{App, Routes};
use housekey_live::{AppLive, Channel, Channels, Live, LiveConfig, LiveProvider, broadcast};
use housekey_mail::MailProvider;
use housekey_notifications::NotificationsProvider;
use housekey_testing::{TestApp, TestResponse};
use serde_json::{Value, json};

pub(crate) const PASSWORD: &str = "correct horse battery";

/// The cookie that says who is there.
pub(crate) const COOKIE: &str = "better-auth.session_token";

#[derive(FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "books")]
pub(crate) struct Book {
    pub(crate) id: i64,
    pub(crate) owner_id: String,
}

/// A row of one organisation.
#[derive(FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "shelves", belongs_to_organization)]
#[allow(dead_code, reason = "what is looked at is whether it is found")]
pub(crate) struct Shelf {
    pub(crate) id: i64,
    pub(crate) organization_id: String,
}

fn channels(live: &mut Channels) {
    live.public("news");
    live.public("rooms.{room}");
    live.can::<Book>("books.{book}", "view");
    live.can::<Shelf>("shelves.{shelf}", "look-at");
    live.channel("people.{person}", async |channel: Channel| {
        user().is_some_and(|user| user.id == channel.param("person"))
    });
    live.channel("organizations.{organization}", async |channel: Channel| {
        present().is_some_and(|active| active.id() == channel.param("organization"))
    });
    live.channel("broken", async |_: Channel| -> Result<bool> {
        Err(housekey_core::Error::internal("the database is away"))
    });
}

fn routes(route: &mut Routes) {
    route.post("/say/{channel}/{text}", async |Path((channel, text)): Path<(String, String)>| {
        broadcast(&channel, &text).await.map(|()| "said")
    });
    route.post("/say-much/{channel}/{bytes}", async |Path((channel, bytes)): Path<(String, usize)>| {
        broadcast(&channel, &"x".repeat(bytes)).await.map(|()| "said")
    });
}

/// The app, with an engine whose secret is known to all its processes.
pub(crate) fn app(change: impl FnOnce(&mut LiveConfig) + Send + 'static) -> App {
    let auth = AuthConfig {
        demands: Action::ALL.into_iter().fold(Demands::default(), |demands, action| demands.ask(action, [])),
        plugins: Plugins::from([organization(OrganizationOptions::default()), bearer(Default::default())]),
        engine: EngineOptions {
            secret: "a secret of the tests, with more than 32 characters".into(),
            email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
            ..Default::default()
        },
        ..AuthConfig::default()
    };
    App::new(ConfigFiles::new())
        .configure(move |config: &mut Config| {
            config.update::<AuthConfig>(|own| *own = auth);
            // Longer than any test may take: none of them waits for these, on however busy a machine.
            config.update::<HttpConfig>(|http| (http.write_timeout, http.shutdown_grace) = (3_600, 3_600));
            config.update::<LiveConfig>(change);
        })
        .provider(MailProvider::new())
        .provider(NotificationsProvider::new())
        .provider(LiveProvider)
        .provider(AuthProvider)
        .gate(|gate| {
            gate.define("view", |user: &User, book: &Book| user.id == book.owner_id);
            gate.define("look-at", |_: &User, _: &Shelf| true);
        })
        .live(channels)
        .routes(routes)
}

/// The app on a database of its own, with its tables.
pub(crate) async fn test_app(change: impl Fn(&mut LiveConfig) + Clone + Send + Sync + 'static) -> TestApp {
    test_app_of(move || app(change.clone())).await
}

/// The same for an app that has more than that.
pub(crate) async fn test_app_of(app: impl Fn() -> App + Send + Sync + 'static) -> TestApp {
    let app = TestApp::new(app);
    app.within(make_tables(&Auth::of(app.services()).unwrap())).await;
    app
}

pub(crate) async fn make_tables(auth: &Auth) {
    let database = auth.database().unwrap();
    SqlStorage::new(database.clone()).create_tables(auth.engine().schema()).await.unwrap();
    let made = database.schema(|schema| {
        schema.create("books", |table| {
            table.id();
            table.string("owner_id", 64);
        });
        schema.create("shelves", |table| {
            table.id();
            table.organization_id();
        });
    });
    made.await.unwrap();
}

/// Somebody who is signed in: their id, what their browser does, and its cookie.
pub(crate) async fn somebody(app: &TestApp, email: &str) -> (String, TestApp, String) {
    let visitor = app.visitor();
    let body = json!({ "name": email.split('@').next(), "email": email, "password": PASSWORD });
    let answer = engine_post(&visitor, "sign-up/email", &body).await;
    answer.assert_ok();
    let id = answer.json::<Value>()["user"]["id"].as_str().unwrap().to_owned();
    let cookie = format!("{COOKIE}={}", visitor.cookie(COOKIE).unwrap());
    (id, visitor, cookie)
}

pub(crate) async fn engine_post(app: &TestApp, path: &str, body: &Value) -> TestResponse {
    let origin = app.config().get::<AuthConfig>().engine.base_url.clone();
    app.post(&format!("/api/auth/{path}")).header("origin", &origin).json(body).await
}

/// Gives somebody a book.
pub(crate) async fn book_of(app: &TestApp, owner: &str) -> i64 {
    let owner = owner.to_owned();
    app.within(async {
        let book: Book = db()?.table("books").insert_returning(record! { "owner_id" => owner }, "id").await?;
        Ok::<_, housekey_core::Error>(book.id)
    })
    .await
    .unwrap()
}

pub(crate) fn live(app: &TestApp) -> Live {
    (*app.services().require::<Live>().unwrap()).clone()
}
