use http::header::{CACHE_CONTROL, PRAGMA};
use http::{HeaderValue, Method};
use serde::Serialize;

use crate::models::{SessionView, UserView};
use crate::session::Lookup;
use crate::{Api, Endpoint, Field, Reply, Result, Shape};

/// `GET /get-session`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/get-session", |api| Box::pin(answer(api)))
        .about("Tells who is signed in. It is null when nobody is.")
        .takes([
            Field::text("disableCookieCache")
                .optional()
                .about("Any text: asks the storage, not the copy in the cookie."),
            Field::text("disableRefresh").optional().about("Any text: does not lengthen the session."),
        ])
        .answers(
            Shape::object([
                Field::row("session", "session"),
                Field::row("user", "user"),
                Field::boolean("needsRefresh").optional(),
            ])
            .or_null(),
        )
}

/// `POST /get-session`: renews, when a GET must not.
pub(super) fn refreshing_endpoint() -> Endpoint {
    Endpoint::post("/get-session", |api| Box::pin(answer(api)))
        .about("Tells who is signed in, and renews the session. It is null when nobody is.")
        .takes_query([
            Field::text("disableCookieCache")
                .optional()
                .about("Any text: asks the storage, not the copy in the cookie."),
            Field::text("disableRefresh").optional().about("Any text: does not lengthen the session."),
        ])
        .answers(
            Shape::object([
                Field::row("session", "session"),
                Field::row("user", "user"),
                Field::boolean("needsRefresh").optional(),
            ])
            .or_null(),
        )
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Body<'a> {
        session: SessionView<'a>,
        user: UserView<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        needs_refresh: Option<bool>,
    }
    // Any text but an empty one is a yes, even `false`: so it is in the reference.
    let says = |name: &str| api.request().query(name).is_some_and(|value| !value.is_empty());
    let lookup = Lookup { cached: !says("disableCookieCache"), renew: !says("disableRefresh") };
    let deferred = api.options().session.defer_session_refresh && api.request().method() == Method::GET;
    let reply = match api.look_up(lookup).await? {
        None => Reply::json(&())?,
        Some(signed_in) => Reply::json(&Body {
            session: api.session_view(&signed_in.session)?,
            user: api.user_view(&signed_in.user)?,
            needs_refresh: deferred.then(|| api.needs_refresh()),
        })?,
    };
    let no_store = reply.with_header(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(no_store.with_header(PRAGMA, HeaderValue::from_static("no-cache")))
}
