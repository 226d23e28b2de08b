//! Who may do what, through HTTP.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(missing_docs, unreachable_pub, reason = "a file that the console wrote looks as it does in an app")]

#[allow(dead_code, reason = "each test file uses its part")]
#[path = "support.rs"]
mod support;

/// What `housekey make:policy story` writes, in the surroundings it expects.
#[path = "../../housekey-console/tests/made/policies/story_policy.rs"]
mod story_policy;

mod models {
    pub(crate) mod story {
        pub struct Story;
    }
}

extern crate self as housekey;
pub(crate) use housekey_auth as auth;

use std::sync::atomic::{AtomicUsize, Ordering};

use axum::extract::Path;
use housekey_auth::User;
use housekey_auth::gate::{AppGate, Decision, Gate, Policy, PolicyBuilder, authorize, can, gate, model};
use housekey_core::{AppKey, EncryptionConfig, Env, Error, Result};
use housekey_http::axum;
use housekey_http::{App, Routes};
use housekey_testing::TestApp;
use housekey_view::prelude::*;
use support::{app_with, config, make_tables, sign_up};

/// The even ones are ada's, the third is nobody's business.
struct Post {
    number: u32,
}

impl Post {
    fn author(&self) -> &'static str {
        if self.number.is_multiple_of(2) { "ada@example.com" } else { "bob@example.com" }
    }
}

struct Comment;

struct PostPolicy;

impl Policy for PostPolicy {
    type Model = Post;

    fn abilities(self, post: &mut PolicyBuilder<Post>) {
        post.before(|user: &User, _: &str| {
            (user.name == "banned").then(|| Decision::deny("You are banned."))
        });
        post.define("view", |user: Option<&User>, post: &Post| user.is_some() || post.number < 10);
        post.define("create", |user: &User| user.name != "bob");
        post.define("update", Self::update);
        post.define("publish", Self::publish);
        post.define("peek", |_: &User, post: &Post| match post.number {
            3 => Decision::deny_as_not_found(),
            _ => Decision::allow(),
        });
    }
}

impl PostPolicy {
    fn update(user: &User, post: &Post) -> Decision {
        match user.email == post.author() {
            true => Decision::allow(),
            false => Decision::deny("You do not own this post."),
        }
    }

    async fn publish(user: &User, post: &Post) -> Result<bool> {
        tokio::task::yield_now().await;
        match post.number {
            13 => Err(Error::internal("the register of posts is out of reach")),
            _ => Ok(user.email == post.author()),
        }
    }
}

fn abilities(gate: &mut Gate) {
    gate.before(|user: &User, _: &str| (user.name == "root").then_some(true));
    gate.define("edit-settings", |user: &User| match user.name.as_str() {
        "ada" => Decision::allow(),
        _ => Decision::deny("Settings are ada's."),
    });
    gate.define("read-news", |_: Option<&User>| true);
    gate.define("comment", |user: Option<&User>| user.is_some());
    gate.define("audit", async |user: &User| user.name == "ada");
    gate.define("update", |_: &User, _: &Comment| true);
    gate.after(|_, ability, _| (ability == "audit-closed").then(|| Decision::deny("closed")));
    gate.define("audit-closed", |_: &User| true);
    gate.define("never", |_: &User| false);
    gate.after(|_, ability, decision| (ability == "never" && decision.is_denied()).then(Decision::allow));
}

fn routes(route: &mut Routes) {
    route.get("/settings", async || "the settings").middleware("can:edit-settings");
    route.get("/news", async || "the news").middleware("can:read-news");
    route.get("/comment", async || "a comment").middleware("can:comment");
    route.get("/audit", async || "the books").middleware("can:audit");
    route.get("/closed", async || "the books").middleware("can:audit-closed");
    route.get("/never", async || "never").middleware("can:never");
    route.get("/posts/new", async || "a new post").middleware("can:create,post");
    route.get("/posts/{number}/{ability}", async |Path((number, ability)): Path<(u32, String)>| {
        authorize(&ability, &Post { number }).await.map(|()| "yes")
    });
    route.get("/comments/{ability}", async |Path(ability): Path<String>| {
        authorize(&ability, &Comment).await.map(|()| "yes")
    });
    route.get("/toolbar/{number}", async |Path(number): Path<u32>| {
        let post = Post { number };
        view(rsx! {
            @if can("update", &post) { <a>"Edit"</a> }
            @if can("create", model::<Post>()) { <a>"New"</a> }
            @if can("edit-settings", ()) { <a>"Settings"</a> }
            @if can("publish", &post) { <a>"Publish"</a> }
        })
    });
    route.get("/inspect/{number}", async |Path(number): Path<u32>| -> Result<String> {
        let decision = gate().inspect("update", &Post { number }).await?;
        Ok(format!("{} {:?}", decision.is_allowed(), decision.reason()))
    });
    route.get("/others/{number}", async |Path(number): Path<u32>| -> Result<String> {
        let (post, me) = (Post { number }, housekey_auth::require_user()?);
        let guest = gate().for_guest();
        Ok(format!(
            "{} {} {}",
            gate()
                .for_user(User { email: "bob@example.com".into(), ..(*me).clone() })
                .allows("update", &post)
                .await?,
            guest.allows("view", &post).await?,
            guest.denies("update", &post).await?,
        ))
    });
}

fn site() -> App {
    app_with(config(), routes).gate(abilities).policy(PostPolicy)
}

async fn app() -> TestApp {
    let app = TestApp::new(site);
    make_tables(&app).await;
    app
}

async fn member(app: &TestApp, name: &str) -> TestApp {
    let visitor = app.visitor();
    sign_up(&visitor, &format!("{name}@example.com")).await;
    visitor
}

// spec: MID-5, ERR-1
#[tokio::test]
async fn who_is_allowed_passes_and_everybody_else_gets_403_with_the_reason() {
    let app = app().await;
    member(&app, "ada").await.get("/settings").await.assert_ok().assert_see("the settings");
    let bob = member(&app, "bob").await;
    bob.get("/settings").await.assert_forbidden().assert_see_escaped("Settings are ada's.");
    let refused = bob.get("/settings").accept_json().await;
    refused.assert_forbidden().assert_json_path("message", "Settings are ada's.");
}

// spec: MID-5
#[tokio::test]
async fn a_guest_is_asked_to_sign_in_unless_the_ability_takes_guests() {
    let app = app().await;
    app.get("/settings").await.assert_status(302).assert_redirect("/sign-in");
    app.get("/settings").accept_json().await.assert_status(401);
    app.get("/news").await.assert_ok();
    app.get("/comment").await.assert_forbidden();
    member(&app, "bob").await.get("/comment").await.assert_ok();
}

// spec: MID-5
#[tokio::test]
async fn an_ability_may_wait_for_something() {
    let app = app().await;
    member(&app, "ada").await.get("/audit").await.assert_ok();
    member(&app, "bob").await.get("/audit").await.assert_forbidden();
}

#[tokio::test]
async fn a_policy_decides_about_its_model() {
    let app = app().await;
    let (ada, bob) = (member(&app, "ada").await, member(&app, "bob").await);
    ada.get("/posts/2/update").await.assert_ok();
    let refused = bob.get("/posts/2/update").accept_json().await;
    refused.assert_forbidden().assert_json_path("message", "You do not own this post.");
    ada.get("/posts/2/publish").await.assert_ok();
    bob.get("/posts/2/publish").await.assert_forbidden();
    // What must not be known to exist is not found.
    ada.get("/posts/3/peek").await.assert_not_found();
    ada.get("/posts/4/peek").await.assert_ok();
    // The same name means another ability of another model.
    bob.get("/comments/update").await.assert_ok();
    bob.get("/comments/publish").await.assert_forbidden();
}

#[tokio::test]
async fn a_policy_decides_about_guests_where_it_takes_them() {
    let app = app().await;
    app.get("/posts/1/view").await.assert_ok();
    app.get("/posts/11/view").await.assert_forbidden();
    app.get("/posts/1/update").accept_json().await.assert_status(401);
    member(&app, "bob").await.get("/posts/11/view").await.assert_ok();
}

// spec: MID-5
#[tokio::test]
async fn a_route_can_ask_about_a_kind_of_thing() {
    let app = app().await;
    member(&app, "ada").await.get("/posts/new").await.assert_ok();
    member(&app, "bob").await.get("/posts/new").await.assert_forbidden();
    app.get("/posts/new").await.assert_redirect("/sign-in");
}

#[tokio::test]
async fn a_failure_is_no_refusal() {
    let app = app().await;
    member(&app, "ada").await.get("/posts/13/publish").await.assert_status(500);
}

#[tokio::test]
async fn a_superuser_may_do_everything_that_exists() {
    let app = app().await;
    let root = member(&app, "root").await;
    for path in
        ["/settings", "/posts/1/update", "/posts/2/update", "/posts/2/publish", "/posts/new", "/audit"]
    {
        root.get(path).await.assert_ok();
    }
    // A misspelt ability is not hidden by it.
    root.get("/posts/1/updaet").await.assert_forbidden();
    root.get("/comments/create").await.assert_forbidden();
}

#[tokio::test]
async fn the_hook_of_a_policy_speaks_for_its_model_only() {
    let app = app().await;
    let banned = member(&app, "banned").await;
    let refused = banned.get("/posts/1/view").accept_json().await;
    refused.assert_forbidden().assert_json_path("message", "You are banned.");
    banned.get("/posts/new").await.assert_forbidden();
    banned.get("/comments/update").await.assert_ok();
}

#[tokio::test]
async fn a_hook_afterwards_can_refuse_but_never_allow() {
    let app = app().await;
    let ada = member(&app, "ada").await;
    ada.get("/closed").accept_json().await.assert_forbidden().assert_json_path("message", "closed");
    ada.get("/never").await.assert_forbidden();
}

#[tokio::test]
async fn a_view_asks_without_waiting_and_what_would_wait_is_no() {
    let app = app().await;
    let page = member(&app, "ada").await.get("/toolbar/2").await;
    page.assert_see("Edit").assert_see("New").assert_see("Settings").assert_dont_see("Publish");
    let page = member(&app, "bob").await.get("/toolbar/2").await;
    page.assert_dont_see("Edit").assert_dont_see("New").assert_dont_see("Settings");
    app.get("/toolbar/2").await.assert_ok().assert_dont_see("Edit");
}

#[tokio::test]
async fn the_policy_that_the_console_writes_works() {
    let app = TestApp::new(|| {
        with(|route| {
            route.get("/stories/{ability}", async |Path(ability): Path<String>| {
                authorize(&ability, &models::story::Story).await.map(|()| "yes")
            });
        })
        .policy(story_policy::StoryPolicy)
    });
    make_tables(&app).await;
    app.get("/stories/view").await.assert_ok();
    let ada = member(&app, "ada").await;
    let refused = ada.get("/stories/update").accept_json().await;
    refused.assert_forbidden().assert_json_path("message", "You may not change this story.");
}

#[tokio::test]
async fn an_inspection_tells_the_reason() {
    let app = app().await;
    let bob = member(&app, "bob").await;
    bob.get("/inspect/1").await.assert_see("true None");
    bob.get("/inspect/2").await.assert_see("false Some(\"You do not own this post.\")");
}

#[tokio::test]
async fn the_gate_can_be_asked_for_somebody_else() {
    let app = app().await;
    let ada = member(&app, "ada").await;
    ada.get("/others/1").await.assert_see("true true true");
    ada.get("/others/12").await.assert_see("false false true");
}

#[tokio::test]
async fn outside_an_app_nothing_is_allowed() {
    assert!(!can("read-news", ()));
    assert!(gate().denies("read-news", ()).await.unwrap());
    let app = app().await;
    app.within(async { assert!(can("read-news", ()) && !can("comment", ())) }).await;
}

#[track_caller]
fn boot_error(app: App) -> String {
    let folder = tempfile::tempdir().unwrap();
    let key = AppKey::generate().to_text();
    let app = app.configure(|config| config.update::<EncryptionConfig>(|encryption| encryption.key = key));
    app.root(folder.path()).env(Env::empty()).boot().unwrap_err().to_string()
}

fn with(routes: fn(&mut Routes)) -> App {
    app_with(config(), routes)
}

// spec: MID-5
#[test]
fn a_route_that_names_an_unknown_ability_does_not_boot() {
    let error = boot_error(
        with(|route| {
            route.get("/books", async || "").middleware("can:audti");
        })
        .gate(abilities),
    );
    assert!(
        error.contains("GET /books") && error.contains("\"audti\"") && error.contains("audit"),
        "{error}"
    );
    let error = boot_error(with(|route| {
        route.get("/books", async || "").middleware("can:audit");
    }));
    assert!(error.contains("GET /books") && error.contains("none is defined yet"), "{error}");
    let error = boot_error(with(|route| {
        route.get("/books", async || "").middleware("can");
    }));
    assert!(error.contains("can:<ability>"), "{error}");
}

// spec: MID-5
#[test]
fn a_route_that_asks_about_a_thing_it_does_not_have_is_told_what_to_do() {
    let update = with(|route| {
        route.get("/edit", async || "").middleware("can:publish");
    });
    let error = boot_error(update.policy(PostPolicy));
    assert!(error.contains("GET /edit") && error.contains("authorize(\"publish\", &post)"), "{error}");
    let create = with(|route| {
        route.get("/new", async || "").middleware("can:create");
    });
    assert!(boot_error(create.policy(PostPolicy)).contains("can:create,post"));
    let unknown = with(|route| {
        route.get("/new", async || "").middleware("can:create,page");
    });
    let error = boot_error(unknown.policy(PostPolicy));
    assert!(error.contains("\"page\"") && error.contains("policies: post"), "{error}");
}

#[test]
fn what_is_defined_twice_does_not_boot() {
    let twice = with(|_| ()).gate(|gate| {
        gate.define("edit", |_: &User| true);
        gate.define("edit", |_: Option<&User>| true);
    });
    let error = boot_error(twice);
    assert!(error.contains("\"edit\"") && error.contains("twice"), "{error}");
    assert!(boot_error(with(|_| ()).policy(PostPolicy).policy(PostPolicy)).contains("twice"));
}

#[tokio::test]
async fn an_ability_asked_without_waiting_does_nothing_it_would_have_to_wait_for() {
    static BEGUN: AtomicUsize = AtomicUsize::new(0);
    async fn counted(_: Option<&User>) -> bool {
        BEGUN.fetch_add(1, Ordering::SeqCst);
        true
    }
    let app = TestApp::new(|| {
        with(|route| {
            route.get("/now", async || can("counted", ()).to_string());
            route.get("/later", async || gate().allows("counted", ()).await.map(|yes| yes.to_string()));
        })
        .gate(|gate| {
            gate.define("counted", counted);
        })
    });
    app.get("/now").await.assert_see("false");
    assert_eq!(BEGUN.load(Ordering::SeqCst), 0);
    app.get("/later").await.assert_see("true");
}
