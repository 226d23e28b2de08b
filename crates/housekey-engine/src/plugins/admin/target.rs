//! The user whom an admin does something to.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value as Json;

use super::last_admin::{end_impersonations, keep_one_in};
use crate::storage::Filter;
use crate::{
    Api, ApiError, Commit, Reader, Record, Result, SecurityEvent, SecurityEventKind, SignedIn, User, codes,
};

/// How often a change is tried again that met another one.
const ATTEMPTS: usize = 8;

/// The user that a body names. Numbers are ids too, and what is not there is the id of nobody: so it is in the reference.
pub(super) fn read_user_id(body: &mut Reader<'_>) -> String {
    match body.all().get("userId") {
        Some(Json::String(_)) => body.text("userId"),
        Some(Json::Number(number)) => number.to_string(),
        Some(Json::Bool(value)) => value.to_string(),
        Some(Json::Null) => "null".into(),
        Some(Json::Array(_) | Json::Object(_)) => {
            body.add_error("userId", "Invalid input: expected string");
            String::new()
        }
        None => "undefined".into(),
    }
}

pub(super) async fn find(api: &Api, id: &str) -> Result<User> {
    api.user(id).await?.ok_or_else(|| codes::USER_NOT_FOUND.not_found())
}

/// Changes a user's row; with `and_end_sessions`, their sessions end with it. If it takes an admin away, another one is left.
pub(super) async fn change(api: &Api, id: &str, record: &Record, and_end_sessions: bool) -> Result<User> {
    let options = super::options(api)?;
    for _ in 0..ATTEMPTS {
        let before = find(api, id).await?;
        if let Some(email) = record.text("email")
            && api.user_by_email(email).await?.is_some_and(|other| other.id != before.id)
        {
            return Err(codes::USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL.bad_request());
        }
        let after = before.changed(record)?;
        let mut changes = api.changes();
        if options.is_acting_admin(&before) && !options.is_acting_admin(&after) {
            keep_one_in(api, &options, &mut changes, &before).await?;
            end_impersonations(&mut changes, &before).await?;
        }
        if before.email != after.email {
            // A link in the old mailbox would set the password of whoever has the new one.
            api.forget_ways_back_in(&mut changes, id).await?;
        }
        let written = changes.update_expecting("user", Filter::by("id", id), record.clone()).await?;
        if and_end_sessions {
            api.prepare_end(&mut changes, id, None).await?;
        }
        if changes.commit().await? == Commit::Done {
            return before.changed(&written);
        }
    }
    Err(ApiError::too_busy(Duration::from_secs(1)))
}

/// Deletes a user and everything that is theirs.
pub(super) async fn remove(api: &Api, id: &str) -> Result<User> {
    for _ in 0..ATTEMPTS {
        let user = find(api, id).await?;
        let mut changes = api.changes();
        api.prepare_removal(&mut changes, &user).await?;
        if changes.commit().await? == Commit::Done {
            return Ok(user);
        }
    }
    Err(ApiError::too_busy(Duration::from_secs(1)))
}

/// Lets an admin who changed themselves see that at once, and not when the copy in the cookie has run out.
pub(super) async fn refresh_copy(api: &mut Api, caller: &SignedIn, changed: &User) {
    if caller.user.id == changed.id {
        let now = Arc::new(SignedIn::new(Arc::clone(&caller.session), changed.clone()));
        api.refresh_session(&now).await;
    }
}

/// An event about somebody to whom an admin did something.
pub(super) fn event(api: &Api, kind: &'static str, target: &str, caller: &SignedIn) -> SecurityEvent {
    by(api.event(SecurityEventKind::Custom(kind), Some(target)), caller)
}

pub(super) fn by(event: SecurityEvent, caller: &SignedIn) -> SecurityEvent {
    event.with("by", &caller.user.id)
}
