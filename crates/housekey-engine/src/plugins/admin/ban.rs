use http::StatusCode;
use serde_json::Value as Json;
use time::Duration;

use super::permission::{caller_who_may, is_banned};
use super::set_role::user_reply;
use super::{BANNED_USER, YOU_ARE_NOT_ALLOWED_TO_BAN_USERS, YOU_CANNOT_BAN_YOURSELF, target};
use crate::storage::Filter;
use crate::{
    Api, Commit, Endpoint, Field, Reader, Record, Reply, Result, SecurityEventKind, Shape, User, Value,
    type_of,
};

/// The longest ban that ends, in seconds: a thousand years.
const LONGEST: f64 = 31_556_952_000.0;

/// `POST /admin/ban-user`
pub(super) fn ban_endpoint() -> Endpoint {
    Endpoint::post("/admin/ban-user", |api| Box::pin(answer_ban(api)))
        .about("Keeps somebody out and ends their sessions.")
        .takes([
            Field::text("userId"),
            Field::text("banReason").optional(),
            Field::integer("banExpiresIn").optional().about("Seconds; for ever by itself."),
        ])
        .answers(Shape::object([Field::row("user", "user")]))
        .needs_session()
        .refuses(StatusCode::FORBIDDEN, [YOU_ARE_NOT_ALLOWED_TO_BAN_USERS])
}

/// `POST /admin/unban-user`
pub(super) fn unban_endpoint() -> Endpoint {
    Endpoint::post("/admin/unban-user", |api| Box::pin(answer_unban(api)))
        .about("Lets somebody in again.")
        .takes([Field::text("userId")])
        .answers(Shape::object([Field::row("user", "user")]))
        .needs_session()
        .refuses(StatusCode::FORBIDDEN, [YOU_ARE_NOT_ALLOWED_TO_BAN_USERS])
}

async fn answer_ban(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let id = target::read_user_id(&mut body);
    let reason = body.optional_text("banReason").filter(|reason| !reason.is_empty());
    let lasts = read_seconds(&mut body).map(Duration::seconds_f64);
    body.finish()?;
    let user = ban_user(api, &id, Ban { reason, lasts }).await?;
    user_reply(api, &user)
}

async fn answer_unban(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let id = target::read_user_id(&mut body);
    body.finish()?;
    let user = unban_user(api, &id).await?;
    user_reply(api, &user)
}

/// Why somebody is kept out, and for how long. What is unset, the plugin's options say.
#[derive(Clone, Debug, Default)]
pub struct Ban {
    pub reason: Option<String>,
    pub lasts: Option<Duration>,
}

/// Keeps somebody out and ends their sessions, if whoever is signed in may do that.
pub async fn ban_user(api: &mut Api, id: &str, ban: Ban) -> Result<User> {
    let caller = caller_who_may(api, "user", "ban", YOU_ARE_NOT_ALLOWED_TO_BAN_USERS).await?;
    let before = target::find(api, id).await?;
    if id == caller.user.id {
        return Err(YOU_CANNOT_BAN_YOURSELF.bad_request());
    }
    let options = super::options(api)?;
    options.check_target(&caller.user, &before)?;
    let usual = options.default_ban_expires_in.filter(|seconds| *seconds > 0);
    let lasts = ban.lasts.or_else(|| usual.map(|seconds| Duration::seconds(seconds.into())));
    let expires = lasts.map(|lasts| api.clock().now() + lasts.min(Duration::seconds_f64(LONGEST)));
    let reason = ban.reason.or_else(|| options.default_ban_reason.clone());
    let reason = reason.unwrap_or_else(|| "No reason".into());
    let record = Record::new().with("banned", true).with("banReason", reason).with("banExpires", expires);
    let user = target::change(api, id, &record, true).await?;
    api.emit(target::event(api, "user-banned", id, &caller).with("until", expires)).await;
    Ok(user)
}

/// Lets somebody in again, if whoever is signed in may do that.
pub async fn unban_user(api: &mut Api, id: &str) -> Result<User> {
    let caller = caller_who_may(api, "user", "ban", YOU_ARE_NOT_ALLOWED_TO_BAN_USERS).await?;
    let before = target::find(api, id).await?;
    super::options(api)?.check_target(&caller.user, &before)?;
    let user = target::change(api, id, &unbanned(), false).await?;
    api.emit(target::event(api, "user-unbanned", id, &caller)).await;
    Ok(user)
}
/// Seconds that a ban lasts. None, and 0, mean what the options say.
fn read_seconds(body: &mut Reader<'_>) -> Option<f64> {
    match body.all().get("banExpiresIn") {
        None => None,
        Some(Json::Number(number)) => match number.as_f64() {
            Some(0.0) => None,
            Some(seconds) if seconds > 0.0 && seconds <= LONGEST => Some(seconds),
            _ => {
                body.add_error("banExpiresIn", "Invalid input: expected a number of seconds");
                None
            }
        },
        Some(other) => {
            let received = type_of(Some(other));
            body.add_error("banExpiresIn", &format!("Invalid input: expected number, received {received}"));
            None
        }
    }
}

fn unbanned() -> Record {
    Record::new().with("banned", false).with("banReason", Value::Null).with("banExpires", Value::Null)
}

/// Refuses a session to somebody who is banned. A ban that has run out is cleared on the way.
// spec: ADM-1
pub(super) async fn admit(api: &Api, user: &User) -> Result<()> {
    if !is_banned(user) {
        return Ok(());
    }
    let expires = user.fields.get("banExpires").and_then(Value::as_date);
    if let Some(expires) = expires.filter(|expires| *expires < api.clock().now()) {
        // Only this ban: somebody may have made another one meanwhile.
        let same = Filter::by("id", &user.id).and_by("banned", true).and_by("banExpires", expires);
        let mut changes = api.changes();
        changes.update_expecting("user", same, unbanned()).await?;
        if changes.commit().await? == Commit::Done {
            return Ok(());
        }
        return match api.user(&user.id).await? {
            Some(now) if is_banned(&now) => refuse(api, &now).await,
            _ => Ok(()),
        };
    }
    refuse(api, user).await
}

async fn refuse(api: &Api, user: &User) -> Result<()> {
    let message = super::options(api)?.banned_user_message.of(user).await;
    let event = api.sign_in_event(SecurityEventKind::SignInRefused, &user.id);
    api.emit(event.with("reason", "banned")).await;
    Err(BANNED_USER.saying(StatusCode::FORBIDDEN, message))
}
