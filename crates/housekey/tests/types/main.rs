//! TypeScript from Rust, through the crate that apps name: what typed routes with accounts in front of them become.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(dead_code, reason = "the types are only described")]

use housekey::axum::extract::Query;
use housekey::guard::{GuardFuture, from_fn};
use housekey::prelude::*;
use housekey::types::{Input, TypeFiles};
use housekey::{Env, Guard};
use serde::{Deserialize, Serialize};

fn files(routes: impl FnOnce(&mut Routes) + Send + 'static) -> Result<TypeFiles> {
    let app = housekey::app(ConfigFiles::new()).env(Env::empty()).routes(routes);
    let app = app.configure(|config| config.update::<AppConfig>(|app| app.env = Environment::Testing));
    TypeFiles::of(app.boot()?.routes())
}

/// The profile form.
#[typescript]
#[derive(Deserialize, Validated)]
struct ProfileRequest {
    #[validate(required, max(120))]
    name: String,
}

/// Another password for the account.
///
/// The old one is asked for.
#[typescript]
#[derive(Deserialize, Validated)]
struct PasswordRequest {
    #[validate(required)]
    current_password: Secret,
    /// Typed twice.
    #[validate(required, min(8), confirmed)]
    password: Secret,
    #[serde(default)]
    sign_out_others: bool,
    note: Option<String>,
}

#[typescript]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Profile {
    full_name: String,
    image: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<String>,
    role: Role,
    logins: u64,
    #[serde(skip_serializing)]
    password_hash: String,
}

#[typescript]
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Role {
    Owner,
    Member,
}

/// A page of a longer list.
#[typescript]
#[derive(Serialize)]
struct Page<T> {
    items: Vec<T>,
    next: Option<u32>,
}

#[typescript]
#[derive(Deserialize, Validated)]
struct Filter {
    q: Option<String>,
    #[serde(default)]
    #[validate(max(5), each(max(20)))]
    tags: Vec<String>,
}

#[typescript]
#[derive(Deserialize)]
struct Place {
    team: String,
    post: u64,
}

/// An extractor of an app's own.
struct Tenant;

impl Input for Tenant {}

impl<S: Sync> housekey::axum::extract::FromRequestParts<S> for Tenant {
    type Rejection = Error;

    async fn from_request_parts(_: &mut housekey::axum::http::request::Parts, _: &S) -> Result<Self> {
        Ok(Self)
    }
}

/// A guard of an app's own.
struct Paid;

impl Guard for Paid {
    fn name(&self) -> String {
        "paid".into()
    }

    fn handle(&self, request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(async move { Ok(next.run(request).await) })
    }

    fn refuses_with(&self) -> &[StatusCode] {
        &[StatusCode::PAYMENT_REQUIRED, StatusCode::NOT_FOUND]
    }
}

async fn update(Valid(_): Valid<ProfileRequest>) -> Result<Redirect> {
    Ok(back())
}

async fn password(CurrentUser(_): CurrentUser, Valid(_): Valid<PasswordRequest>) -> Result<Redirect> {
    Ok(back())
}

async fn rename(Path(_): Path<String>, Valid(_): Valid<ProfileRequest>) -> Result<Redirect> {
    Ok(back())
}

async fn profile(_: Tenant, user: Option<CurrentUser>) -> Result<Json<Option<Profile>>> {
    drop(user);
    Ok(Json(None))
}

async fn members(ValidQuery(_): ValidQuery<Filter>) -> Json<Page<Profile>> {
    Json(Page { items: Vec::new(), next: None })
}

async fn teams(Query(_): Query<Filter>) -> Json<Page<String>> {
    Json(Page { items: Vec::new(), next: None })
}

async fn post(Path(_): Path<Place>) -> (StatusCode, Json<Vec<(u32, Role)>>) {
    (StatusCode::OK, Json(Vec::new()))
}

async fn webhook(_: Request) -> Result<Response> {
    Ok(StatusCode::NO_CONTENT.into_response())
}

async fn version(Path((_, _)): Path<(String, u32)>) -> StatusCode {
    StatusCode::NO_CONTENT
}

fn settings(route: &mut Routes) {
    route.group().prefix("/settings").name("settings.").middleware("auth").typed(|route| {
        route.post("/profile", update).name("profile.update");
        route.put("/password", password).middleware("throttle:6,1").name("password.update");
        route.group().middleware("password.confirm").routes(|route| {
            route.patch("/passkeys/{id}", rename).name("passkeys.rename");
        });
    });
    route.group().prefix("/api").typed(|route| {
        route.get("/profile", profile);
        route.get("/members", members).middleware("auth");
        route.get("/teams", teams);
        route.get("/teams/{team}/posts/{post}", post);
        route.get("/files/{name}/{version}", version).where_("version", "[0-9]+");
        route.post("/webhook", webhook).without_csrf().middleware(Paid);
        route.get("/health", async || StatusCode::NO_CONTENT).middleware(from_fn("log", log));
    });
    // Not for clients.
    route.get("/", async || "Welcome");
}

async fn log(request: Request, next: Next) -> Result<Response> {
    Ok(next.run(request).await)
}

#[test]
fn the_types_of_requests_and_answers_are_written_by_name() {
    let api = files(settings).unwrap().api;
    assert_eq!(api, include_str!("api.gen.ts"), "\n{api}");
}

#[test]
fn routes_are_written_with_what_their_guards_and_their_input_refuse() {
    let routes = files(settings).unwrap().routes;
    assert_eq!(routes, include_str!("routes.gen.ts"), "\n{routes}");
}

#[test]
fn an_app_without_typed_routes_gets_files_that_say_nothing() {
    let files = files(|route| {
        route.get("/", async || "Welcome");
    });
    let files = files.unwrap();
    let empty = "// Written by `housekey types`; edit the Rust instead.\n\nexport {}\n";
    assert_eq!((files.api.as_str(), files.routes.as_str()), (empty, empty));
}

mod elsewhere {
    use super::*;

    #[typescript]
    #[derive(Serialize)]
    pub(super) struct Profile {
        nickname: String,
    }

    pub(super) async fn profile() -> Json<Profile> {
        Json(Profile { nickname: String::new() })
    }
}

#[test]
fn two_types_of_one_name_are_refused_with_both_their_places() {
    let clash = files(|route| {
        route.group().typed(|route| {
            route.get("/one", profile);
            route.get("/other", elsewhere::profile);
        });
    });
    let said = clash.unwrap_err().to_string();
    assert!(said.contains("two types are called Profile"), "{said}");
    assert!(said.contains("types::Profile") && said.contains("types::elsewhere::Profile"), "{said}");
    assert!(said.contains("#[ts(rename"), "{said}");
}
