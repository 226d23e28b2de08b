use std::sync::Arc;

use http::StatusCode;

use super::error::{ALREADY_PROCESSED, AUTHENTICATION_REQUIRED, NOT_CLAIMED, refused, with_status};
use super::inspect::{count, find};
use super::options;
use super::row::DeviceStatus;
use crate::storage::Filter;
use crate::{Api, Commit, Endpoint, Field, Record, Reply, Result, SecurityEventKind, Shape, SignedIn};

/// `POST /device/approve`
pub(super) fn approve_endpoint() -> Endpoint {
    Endpoint::post("/device/approve", |api| {
        Box::pin(async move {
            let user_code = read(api)?;
            approve(api, &user_code).await?;
            Reply::json(&serde_json::json!({ "success": true }))
        })
    })
    .about("Lets a device in. Only whoever looked at its request first may do so.")
    .takes([Field::text("userCode").example("ABCD2345")])
    .answers(Shape::success())
    .needs_session()
}

/// `POST /device/deny`
pub(super) fn deny_endpoint() -> Endpoint {
    Endpoint::post("/device/deny", |api| {
        Box::pin(async move {
            let user_code = read(api)?;
            deny(api, &user_code).await?;
            Reply::json(&serde_json::json!({ "success": true }))
        })
    })
    .about("Refuses a device. Only whoever looked at its request first may do so.")
    .takes([Field::text("userCode").example("ABCD2345")])
    .answers(Shape::success())
    .needs_session()
}

fn read(api: &Api) -> Result<String> {
    let mut body = api.request().read_body();
    let user_code = body.text("userCode");
    body.finish()?;
    Ok(user_code)
}

/// Lets the device with a user code in, as whoever is signed in. They must have [looked](super::inspect) at the request before.
pub async fn approve(api: &mut Api, user_code: &str) -> Result<()> {
    decide(api, user_code, DeviceStatus::Approved).await
}

/// Refuses the device with a user code.
pub async fn deny(api: &mut Api, user_code: &str) -> Result<()> {
    decide(api, user_code, DeviceStatus::Denied).await
}

async fn decide(api: &mut Api, user_code: &str, decision: DeviceStatus) -> Result<()> {
    let options = options(api)?;
    let signed_in = signed_in(api).await?;
    count(api, &options, Some(&signed_in)).await?;
    let row = find(api, &options, user_code).await?;
    let processed = || refused("invalid_request", ALREADY_PROCESSED);
    if row.status != Some(DeviceStatus::Pending) {
        return Err(processed());
    }
    let Some(owner) = &row.user_id else { return Err(refused("invalid_request", NOT_CLAIMED)) };
    if *owner != signed_in.user.id {
        let what = if decision == DeviceStatus::Approved { "approve" } else { "deny" };
        let description = format!("You are not authorized to {what} this device authorization");
        return Err(with_status(StatusCode::FORBIDDEN, "access_denied", &description));
    }
    if signed_in.session.impersonated_by().is_some() {
        // The device's session would outlive the visit of an admin.
        let description = "Not while somebody else is signed in for you";
        return Err(with_status(StatusCode::FORBIDDEN, "access_denied", description));
    }
    let mut decided = Record::new().with("status", decision.name());
    if !options.reference_rows && decision == DeviceStatus::Approved {
        decided = decided.with("approvedBy", api.encrypt(&signed_in.session.token)?);
    }
    let mut changes = api.changes();
    // Of two decisions, one counts.
    let open = Filter::by("id", &row.id)
        .and_by("status", DeviceStatus::Pending.name())
        .and_by("userId", &signed_in.user.id);
    changes.update_expecting("deviceCode", open, decided).await?;
    if changes.commit().await? == Commit::Lost {
        return Err(processed());
    }
    let kind = match decision {
        DeviceStatus::Approved => SecurityEventKind::DeviceApproved,
        _ => SecurityEventKind::DeviceDenied,
    };
    let event = api.event(kind, Some(&signed_in.user.id));
    api.emit(event.with("client", row.client_id).with("from", row.ip_address)).await;
    Ok(())
}

async fn signed_in(api: &mut Api) -> Result<Arc<SignedIn>> {
    let signed_in = api.stored_session().await?;
    signed_in.ok_or_else(|| with_status(StatusCode::UNAUTHORIZED, "unauthorized", AUTHENTICATION_REQUIRED))
}
