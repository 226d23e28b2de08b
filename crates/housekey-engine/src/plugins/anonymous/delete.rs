use http::StatusCode;

use super::{codes, is_visitor, options};
use crate::{Api, Commit, Endpoint, Reply, Result, SecurityEventKind, Shape};

/// `POST /delete-anonymous-user`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/delete-anonymous-user", |api| {
        Box::pin(async move {
            delete(api).await?;
            Reply::json(&serde_json::json!({ "success": true }))
        })
    })
    .about("Deletes the anonymous user who is signed in.")
    .answers(Shape::success())
    .needs_session()
    .refuses(StatusCode::BAD_REQUEST, [codes::DELETE_ANONYMOUS_USER_DISABLED])
    .refuses(StatusCode::FORBIDDEN, [codes::USER_IS_NOT_ANONYMOUS])
}

/// Deletes the anonymous user who is signed in, with everything that is theirs. Somebody who has another way in by now has an
/// account, which is deleted as any other.
pub async fn delete(api: &mut Api) -> Result<()> {
    let options = options(api)?;
    let signed_in = api.require_stored_session().await?;
    if options.disable_delete_anonymous_user {
        return Err(codes::DELETE_ANONYMOUS_USER_DISABLED.bad_request());
    }
    if !is_visitor(api, &signed_in.user).await? {
        return Err(codes::USER_IS_NOT_ANONYMOUS.forbidden());
    }
    let mut changes = api.changes();
    api.prepare_removal(&mut changes, &signed_in.user).await?;
    if changes.commit().await? == Commit::Lost {
        return Err(codes::FAILED_TO_DELETE_ANONYMOUS_USER.with(StatusCode::INTERNAL_SERVER_ERROR));
    }
    api.emit(api.event(SecurityEventKind::AccountDeleted, Some(&signed_in.user.id))).await;
    api.clear_session_cookies();
    Ok(())
}
