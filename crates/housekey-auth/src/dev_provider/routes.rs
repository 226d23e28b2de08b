use std::sync::Arc;

use axum::Json;
use axum::response::IntoResponse;
use housekey_core::{Error, Result, service};
use housekey_http::axum::Form;
use housekey_http::axum::extract::Query;
use housekey_http::guard::{from_fn, this_machine};
use housekey_http::response::{Redirect, redirect};
use housekey_http::{Response, Routes, csp_nonce};
use housekey_view::{View, view};
use http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde::Deserialize;

use super::authorize::AuthorizationRequest;
use super::openid::{OpenId, TokenRequest};
use super::page::{AuthorizePage, Who};
use super::person::Person;
use super::{ID, PATH};
use crate::Auth;

/// The addresses below `/dev/openid`: for who sits at this machine alone.
// spec: SOC-10, SEC-6
pub(super) fn routes(route: &mut Routes) {
    route.group().prefix(PATH).name("dev.openid.").middleware(from_fn("this-machine", this_machine)).routes(
        |route| {
            route.get("/.well-known/openid-configuration", discovery).name("discovery");
            route.get("/jwks", keys).name("jwks");
            route.get("/authorize", ask).name("authorize");
            route.post("/authorize", authorize).name("authorize.store");
            // The engine calls, not a browser with somebody's cookies: the client secret says who it is.
            route.post("/token", tokens).name("token").without_csrf();
            route.get("/userinfo", profile).name("userinfo");
            route.get("/end-session", end_session).name("end-session");
        },
    );
}

async fn discovery() -> Result<Response> {
    Ok(Json(openid()?.discovery()).into_response())
}

async fn keys() -> Result<Response> {
    Ok(Json(openid()?.keys()).into_response())
}

/// The page that asks who to be.
async fn ask(Query(asked): Query<AuthorizationRequest>) -> Result<Response> {
    check(&asked)?;
    match asked.error() {
        Some(error) => Ok(redirect(&asked.back("error", error, openid()?.issuer())).into_response()),
        None => Ok(page(asked, Who::default(), StatusCode::OK).into_response()),
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Answered {
    #[serde(flatten)]
    asked: AuthorizationRequest,
    #[serde(flatten)]
    who: Who,
    /// `refuse`, when that button was pressed.
    answer: String,
}

/// Sends the browser back to the engine: with a code, or with a refusal.
async fn authorize(Form(answered): Form<Answered>) -> Result<Response> {
    let Answered { asked, who, answer } = answered;
    check(&asked)?;
    let openid = openid()?;
    let refused = (answer == "refuse").then_some("access_denied").or_else(|| asked.error());
    if let Some(error) = refused {
        return Ok(redirect(&asked.back("error", error, openid.issuer())).into_response());
    }
    if !who.email.contains('@') {
        let who = Who { is_wrong: true, ..who };
        return Ok(page(asked, who, StatusCode::UNPROCESSABLE_ENTITY).into_response());
    }
    let person = Person {
        name: who.name.trim().to_owned(),
        email: who.email.trim().to_owned(),
        email_verified: who.email_verified.is_some(),
    };
    let code = openid.code_for(person, asked.clone());
    Ok(redirect(&asked.back("code", &code, openid.issuer())).into_response())
}

async fn tokens(Form(asked): Form<TokenRequest>) -> Result<Response> {
    let (status, body) = openid()?.tokens(&asked)?;
    Ok((status, [(CACHE_CONTROL, "no-store")], Json(body)).into_response())
}

async fn profile(headers: HeaderMap) -> Result<Response> {
    let (status, body) = openid()?.profile(bearer(&headers));
    Ok((status, [(CACHE_CONTROL, "no-store")], Json(body)).into_response())
}

/// The token behind `Bearer`.
pub(super) fn bearer(headers: &HeaderMap) -> &str {
    let given = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    given.strip_prefix("Bearer ").unwrap_or_default()
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Ended {
    post_logout_redirect_uri: String,
    state: String,
}

/// Nobody is signed in here, so there is nothing to end: the browser goes back to the app, and nowhere else.
async fn end_session(Query(ended): Query<Ended>) -> Result<Redirect> {
    let openid = openid()?;
    let app = openid.issuer().strip_suffix(PATH).unwrap_or_default();
    let rest = ended.post_logout_redirect_uri.strip_prefix(app);
    let is_ours = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']));
    let target = if is_ours { &ended.post_logout_redirect_uri } else { "/" };
    Ok(match ended.state.as_str() {
        "" => redirect(target),
        state => {
            let joint = if target.contains('?') { '&' } else { '?' };
            redirect(&format!("{target}{joint}state={}", housekey_engine::encode_component(state)))
        }
    })
}

/// A stranger's address gets nobody sent to it, and a stranger's client nothing at all.
fn check(asked: &AuthorizationRequest) -> Result<()> {
    let own = Auth::current()?.engine().redirect_uri(ID);
    if asked.client_id != openid()?.client_id() || own.as_deref() != Some(asked.redirect_uri.as_str()) {
        return Err(Error::new(
            StatusCode::BAD_REQUEST,
            "The development account is for this app alone: client_id and redirect_uri must be its own.",
        ));
    }
    Ok(())
}

fn page(asked: AuthorizationRequest, who: Who, status: StatusCode) -> View {
    let nonce = csp_nonce().unwrap_or_default();
    // No script, no picture. The form leads back to the app, which may lead on.
    let policy = format!(
        "default-src 'none'; style-src 'nonce-{nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    let page = view(AuthorizePage { asked, who, nonce }).status(status);
    let page = page.header(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    match HeaderValue::try_from(policy) {
        Ok(policy) => page.header(CONTENT_SECURITY_POLICY, policy),
        Err(_) => page,
    }
}

fn openid() -> Result<Arc<OpenId>> {
    service::<OpenId>().ok_or_else(Error::not_found)
}
