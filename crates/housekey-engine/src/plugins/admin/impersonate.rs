use http::StatusCode;
use std::sync::Arc;

use serde::Serialize;
use time::Duration;

use super::permission::{caller_who_may, require};
use super::{
    YOU_ARE_IMPERSONATING_ALREADY, YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS, YOU_CANNOT_IMPERSONATE_ADMINS,
    target,
};
use crate::{
    Api, Commit, Endpoint, Field, Record, Reply, Result, Session, SessionView, Shape, SignedIn, UserView,
    codes, random,
};

/// Where the way back is kept: the admin's token, and what their browser was told about remembering.
pub(super) const ADMIN_SESSION: &str = "admin_session";

/// `POST /admin/impersonate-user`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/admin/impersonate-user", |api| Box::pin(answer(api)))
        .about("Lets whoever is signed in act as somebody else for a while.")
        .takes([Field::text("userId")])
        .answers(Shape::object([Field::row("session", "session"), Field::row("user", "user")]))
        .needs_session()
        .refuses(StatusCode::FORBIDDEN, [YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let id = target::read_user_id(&mut body);
    body.finish()?;
    let signed_in = impersonate_user(api, &id).await?;
    reply(api, &signed_in)
}

/// Lets whoever is signed in act as somebody else for a while, if they may. [`stop_impersonating`](super::stop_impersonating)
/// is the way back.
// spec: ADM-2
pub async fn impersonate_user(api: &mut Api, id: &str) -> Result<Arc<SignedIn>> {
    let denied = YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS;
    let caller = caller_who_may(api, "user", "impersonate", denied).await?;
    // The way back leads to one person. A second step would lose it, and who did what.
    if caller.session.impersonated_by().is_some() {
        return Err(YOU_ARE_IMPERSONATING_ALREADY.forbidden());
    }
    let user = target::find(api, id).await?;
    let options = super::options(api)?;
    if options.is_admin(&user) && !options.allow_impersonating_admins {
        require(&options, &caller.user, "user", "impersonate-admins", YOU_CANNOT_IMPERSONATE_ADMINS)?;
    }
    api.admit(&user).await?;
    let now = api.clock().now();
    let mut record = Record::new()
        .with("expiresAt", now + Duration::seconds(i64::from(options.impersonation_session_duration)))
        .with("token", random::alphanumeric(32))
        .with("createdAt", now)
        .with("updatedAt", now)
        .with("ipAddress", api.client_address().unwrap_or_default())
        .with("userAgent", api.user_agent())
        .with("userId", &user.id)
        .with("impersonatedBy", &caller.user.id);
    api.add_session_fields(&mut record).await?;
    let mut changes = api.changes();
    let session = Session::from_record(changes.create("session", record).await?)?;
    if changes.commit().await? == Commit::Lost {
        return Err(codes::FAILED_TO_CREATE_SESSION.with(http::StatusCode::INTERNAL_SERVER_ERROR));
    }
    let begun = target::event(api, "impersonation-started", &user.id, &caller);
    api.emit(begun.with("session", &session.id)).await;
    let signed_in = Arc::new(SignedIn::new(session, user));
    hand_over(api, &caller, &signed_in).await;
    Ok(signed_in)
}

/// Gives the browser the new session, and keeps the admin's for the way back.
async fn hand_over(api: &mut Api, admin: &SignedIn, signed_in: &Arc<SignedIn>) {
    let remembered = api.signed_cookie(&api.cookie("dont_remember")).unwrap_or_default();
    api.clear_cookie(&api.cookie("session_data"));
    let way_back = format!("{}:{remembered}", admin.session.token);
    let life = api.options().session.expires_in;
    api.set_signed_cookie(&api.cookie(ADMIN_SESSION), &way_back, Some(life));
    api.hand_out(signed_in, true).await;
}

/// `{"session": …, "user": …}`
pub(super) fn reply(api: &Api, signed_in: &SignedIn) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body<'a> {
        session: SessionView<'a>,
        user: UserView<'a>,
    }
    Reply::json(&Body {
        session: api.session_view(&signed_in.session)?,
        user: api.user_view(&signed_in.user)?,
    })
}
