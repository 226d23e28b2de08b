use std::sync::Arc;

use serde_json::json;
use time::OffsetDateTime;

use super::error::{EXPIRED_USER_CODE, INVALID_USER_CODE, refused};
use super::row::{DeviceStatus, Row};
use super::{DeviceAuthorizationOptions, options};
use crate::storage::Filter;
use crate::{Api, Commit, Endpoint, Field, Record, Reply, Result, Shape, SignedIn, Value};

/// What the page that asks a person should show: who asks for what, from where and when. Somebody else may have started it and
/// talked the person into entering the code; this is what they can tell it by.
#[derive(Clone, Debug)]
pub struct DeviceSignIn {
    pub status: DeviceStatus,
    /// Until when it can be approved.
    pub expires_at: OffsetDateTime,
    /// What is asked for. Only the person who claimed the request sees it.
    pub request: Option<DeviceRequest>,
}

/// What a device asks for.
#[derive(Clone, Debug)]
pub struct DeviceRequest {
    /// What the device calls itself. Nobody has proven it, unless
    /// [`validate_client`](DeviceAuthorizationOptions::validate_client) knows it.
    pub client_id: Option<String>,
    /// What it wants, separated by blanks.
    pub scope: Option<String>,
    pub asked_at: Option<OffsetDateTime>,
    pub ip_address: Option<String>,
    pub user_agent: Option<String>,
}

/// `GET /device`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/device", |api| Box::pin(answer(api)))
        .about(
            "Says where the request with a user code stands. Whoever is signed in and looks first is the only one who may \
             approve or deny it.",
        )
        .takes([Field::text("user_code").example("ABCD2345")])
        .answers(Shape::object([
            Field::text("user_code"),
            Field::choice("status", ["pending", "approved", "denied"]),
            Field::text("client_id").or_null().optional(),
            Field::text("scope").or_null().optional(),
        ]))
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut query = api.request().read_query();
    let user_code = query.text("user_code");
    query.finish()?;
    let found = inspect(api, &user_code).await?;
    let mut body = json!({ "user_code": user_code, "status": found.status.name() });
    if let (Some(body), Some(request)) = (body.as_object_mut(), found.request) {
        body.insert("client_id".into(), request.client_id.into());
        body.insert("scope".into(), request.scope.into());
    }
    Reply::json(&body)
}

/// Says where the request with a user code stands. If somebody is signed in and nobody else has looked before, it is theirs from
/// now on: nobody else can approve or deny it.
pub async fn inspect(api: &mut Api, user_code: &str) -> Result<DeviceSignIn> {
    let options = options(api)?;
    let signed_in = api.stored_session().await?;
    count(api, &options, signed_in.as_deref()).await?;
    let mut row = find(api, &options, user_code).await?;
    let Some(status) = row.status else { return Err(refused("invalid_request", INVALID_USER_CODE)) };
    if let (Some(signed_in), None, DeviceStatus::Pending) = (&signed_in, &row.user_id, status) {
        row.user_id = claim(api, &row.id, signed_in).await?;
    }
    let is_own = signed_in.is_some_and(|signed_in| row.user_id.as_ref() == Some(&signed_in.user.id));
    let request = is_own.then_some(DeviceRequest {
        client_id: row.client_id,
        scope: row.scope,
        asked_at: row.created_at,
        ip_address: row.ip_address,
        user_agent: row.user_agent,
    });
    Ok(DeviceSignIn { status, expires_at: row.expires_at, request })
}

/// Counts a try of whoever is signed in, before it is known whether it was right. A right one is not taken back: anybody can
/// have codes that are right.
// spec: SEC-4
pub(super) async fn count(
    api: &Api,
    options: &DeviceAuthorizationOptions,
    signed_in: Option<&SignedIn>,
) -> Result<()> {
    let Some(signed_in) = signed_in else { return Ok(()) };
    api.throttle("device-user-code", &signed_in.user.id, &[options.tries_per_user]).await
}

/// The living request with a user code.
pub(super) async fn find(api: &Api, options: &DeviceAuthorizationOptions, user_code: &str) -> Result<Row> {
    let row = Row::by_user_code(api, options, user_code).await?;
    let row = row.ok_or_else(|| refused("invalid_request", INVALID_USER_CODE))?;
    if row.is_expired(api) {
        return Err(refused("expired_token", EXPIRED_USER_CODE));
    }
    Ok(row)
}

/// Makes a request that is nobody's somebody's. Of two who try, one gets it.
async fn claim(api: &Api, id: &str, signed_in: &Arc<SignedIn>) -> Result<Option<String>> {
    let mut changes = api.changes();
    let free =
        Filter::by("id", id).and_by("status", DeviceStatus::Pending.name()).and_by("userId", Value::Null);
    let claimed = Record::new().with("userId", &signed_in.user.id);
    changes.update_expecting("deviceCode", free, claimed).await?;
    Ok((changes.commit().await? == Commit::Done).then(|| signed_in.user.id.clone()))
}
