use std::fmt;

use http::StatusCode;
use serde::Serialize;

use super::error::{
    ACCESS_DENIED, AUTHORIZATION_PENDING, EXPIRED_DEVICE_CODE, INVALID_CLIENT, INVALID_DEVICE_CODE,
    POLLING_TOO_FREQUENTLY, keep_nothing, refused, with_status,
};
use super::request::is_client;
use super::row::{DeviceStatus, Row};
use super::{DeviceAuthorizationOptions, options};
use crate::storage::Filter;
use crate::{
    Api, Commit, Endpoint, Field, Media, Record, Reply, Result, Secret, SecurityEventKind, Session, Shape,
    SignedIn, User, Value,
};

const GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// What a device polls with.
#[derive(Clone, Debug, Default)]
pub struct RedeemDeviceCode {
    pub device_code: Secret,
    /// The same as when it asked for the code.
    pub client_id: String,
}

/// What a device gets when it was let in.
#[derive(Clone)]
pub struct DeviceToken {
    /// The session that began for it.
    pub signed_in: SignedIn,
    /// What it asked for, separated by blanks.
    pub scope: String,
}

/// `POST /device/token`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/device/token", |api| Box::pin(answer(api)))
        .accepting(Media::JsonOrForm)
        .about("Gives a device a session once it was approved (RFC 8628). It asks again and again, as slowly as it was told.")
        .takes([
            Field::choice("grant_type", [GRANT]),
            Field::secret("device_code"),
            Field::text("client_id").example("a-command-line"),
        ])
        .answers(Shape::object([
            Field::secret("access_token"),
            Field::text("token_type"),
            Field::integer("expires_in"),
            Field::text("scope"),
        ]))
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body<'a> {
        access_token: &'a str,
        token_type: &'static str,
        expires_in: i64,
        scope: &'a str,
    }
    let mut body = api.request().read_body();
    if body.all().get("grant_type").and_then(serde_json::Value::as_str) != Some(GRANT) {
        body.add_error("grant_type", &format!("Invalid input: expected \"{GRANT}\""));
    }
    let device_code = body.secret("device_code");
    let client_id = body.text("client_id");
    body.finish()?;
    keep_nothing(api);
    let token = redeem(api, RedeemDeviceCode { device_code, client_id }).await?;
    let session = &token.signed_in.session;
    Reply::json(&Body {
        access_token: &session.token,
        token_type: "Bearer",
        expires_in: (session.expires_at - api.clock().now()).whole_seconds(),
        scope: &token.scope,
    })
}

/// Answers a device that polls. It gets a session once, after somebody approved; no cookie is set. Until then, and when it asks too
/// often, it is refused in the words of RFC 8628.
pub async fn redeem(api: &mut Api, input: RedeemDeviceCode) -> Result<DeviceToken> {
    let options = options(api)?;
    let invalid = |description| refused("invalid_grant", description);
    if !is_client(&options, &input.client_id).await? {
        return Err(invalid(INVALID_CLIENT));
    }
    let row = Row::by_device_code(api, &options, input.device_code.reveal()).await?;
    let row = row.ok_or_else(|| invalid(INVALID_DEVICE_CODE))?;
    if row.client_id.as_ref().is_some_and(|id| !id.is_empty() && *id != input.client_id) {
        return Err(invalid("Client ID mismatch"));
    }
    poll(api, &row).await?;
    if row.is_expired(api) {
        end(api, &row).await?;
        return Err(refused("expired_token", EXPIRED_DEVICE_CODE));
    }
    match row.status {
        Some(DeviceStatus::Pending) => Err(refused("authorization_pending", AUTHORIZATION_PENDING)),
        Some(DeviceStatus::Denied) => {
            end(api, &row).await?;
            Err(refused("access_denied", ACCESS_DENIED))
        }
        Some(DeviceStatus::Approved) => {
            let Some(user) = approver(api, &options, &row).await? else {
                end(api, &row).await?;
                return Err(refused("access_denied", ACCESS_DENIED));
            };
            sign_in(api, row, user).await
        }
        None => {
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            Err(with_status(status, "server_error", "Invalid device code status"))
        }
    }
}

/// Notes that the device polled, unless it did so a moment ago. Of any number that come at once, one is noted.
async fn poll(api: &Api, row: &Row) -> Result<()> {
    let too_often = || refused("slow_down", POLLING_TOO_FREQUENTLY);
    let now = api.clock().now();
    if let Some(last) = row.last_polled_at
        && (now - last).whole_milliseconds() < i128::from(row.polling_interval)
    {
        return Err(too_often());
    }
    let last = row.last_polled_at.map_or(Value::Null, Value::from);
    let mut changes = api.changes();
    let unchanged = Filter::by("id", &row.id).and_by("lastPolledAt", last);
    changes.update_expecting("deviceCode", unchanged, Record::new().with("lastPolledAt", now)).await?;
    match changes.commit().await? {
        Commit::Done => Ok(()),
        Commit::Lost => Err(too_often()),
    }
}

/// Removes a request that came to an end.
async fn end(api: &Api, row: &Row) -> Result<()> {
    let mut changes = api.changes();
    changes.delete("deviceCode", Filter::by("id", &row.id)).await?;
    changes.commit().await.map(drop)
}

/// Whoever approved, if what they approved with still stands: their session, except in rows of the reference, which do not say
/// which it was.
// spec: SEC-2
async fn approver(api: &Api, options: &DeviceAuthorizationOptions, row: &Row) -> Result<Option<User>> {
    let Some(id) = &row.user_id else { return Ok(None) };
    if options.reference_rows {
        return api.user(id).await;
    }
    let Some(sealed) = &row.approved_by else { return Ok(None) };
    let session = api.session_by_token(&api.decrypt(sealed)?).await?;
    Ok(session.filter(|session| session.user.id == *id).map(|session| User::clone(&session.user)))
}

/// Begins the device's session and spends the code, together: of two who bring it, one gets a session. Who approved gave their
/// second factor; it is not asked for here, where nobody could give it.
async fn sign_in(api: &mut Api, row: Row, user: User) -> Result<DeviceToken> {
    let mut changes = api.changes();
    let approved =
        Filter::by("id", &row.id).and_by("status", DeviceStatus::Approved.name()).and_by("userId", &user.id);
    changes.delete_expecting("deviceCode", approved).await?;
    let session: Session = api.prepare_session(&mut changes, &user.id, Some(true)).await?;
    if changes.commit().await? == Commit::Lost {
        return Err(refused("invalid_grant", INVALID_DEVICE_CODE));
    }
    api.set_sign_in_method("device-authorization");
    let mut event = api.sign_in_event(SecurityEventKind::SignIn, &user.id);
    event.session_id = Some(session.id.clone());
    api.emit(event.with("client", row.client_id)).await;
    api.alert_new_device(&user).await;
    Ok(DeviceToken { signed_in: SignedIn::new(session, user), scope: row.scope.unwrap_or_default() })
}

/// Without the token.
impl fmt::Debug for DeviceToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeviceToken").field("scope", &self.scope).finish_non_exhaustive()
    }
}
