//! Other people's sessions: told without their tokens, and ended.

use http::StatusCode;
use serde::Serialize;
use serde_json::json;

use super::permission::caller_who_may;
use super::{
    YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS, YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS, target,
};
use crate::storage::Filter;
use crate::{Api, Commit, Endpoint, Field, Reply, Result, SecurityEventKind, Session, SessionView, Shape};

/// `POST /admin/list-user-sessions`
pub(super) fn list_endpoint() -> Endpoint {
    Endpoint::post("/admin/list-user-sessions", |api| Box::pin(answer_list(api)))
        .about(
            "Lists somebody's sessions. In place of each token stands what ends that session and \
             is worth nothing else.",
        )
        .takes([Field::text("userId")])
        .answers(Shape::object([Field::list("sessions", Shape::row("session"))]))
        .needs_session()
        .refuses(StatusCode::FORBIDDEN, [YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS])
}

/// `POST /admin/revoke-user-session`
pub(super) fn revoke_endpoint() -> Endpoint {
    Endpoint::post("/admin/revoke-user-session", |api| Box::pin(answer_revoke(api)))
        .about("Ends one session of somebody's.")
        .takes([Field::text("sessionToken").about("What the list of sessions told.")])
        .answers(Shape::success())
        .needs_session()
        .refuses(StatusCode::FORBIDDEN, [YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS])
}

/// `POST /admin/revoke-user-sessions`
pub(super) fn revoke_all_endpoint() -> Endpoint {
    Endpoint::post("/admin/revoke-user-sessions", |api| Box::pin(answer_revoke_all(api)))
        .about("Ends every session of somebody.")
        .takes([Field::text("userId")])
        .answers(Shape::success())
        .needs_session()
        .refuses(StatusCode::FORBIDDEN, [YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS])
}

async fn answer_list(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body<'a> {
        sessions: Vec<SessionView<'a>>,
    }
    let mut body = api.request().read_body();
    let id = target::read_user_id(&mut body);
    body.finish()?;
    let sessions = list_user_sessions(api, &id).await?;
    let sessions = sessions.iter().map(|session| api.session_view(session)).collect::<Result<Vec<_>>>()?;
    Reply::json(&Body { sessions })
}

/// Somebody's sessions, if whoever is signed in may see them. Whoever knows a token is that session, so nobody is told somebody
/// else's: what stands in its place ends it and is worth nothing else.
// spec: ADM-1
pub async fn list_user_sessions(api: &mut Api, id: &str) -> Result<Vec<Session>> {
    caller_who_may(api, "session", "list", YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS).await?;
    let mut sessions = api.sessions_of(id).await?;
    for session in &mut sessions {
        session.token.clone_from(&session.id);
    }
    Ok(sessions)
}

async fn answer_revoke(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let given = body.text("sessionToken");
    body.finish()?;
    revoke_user_session(api, &given).await?;
    Reply::json(&json!({ "success": true }))
}

/// Ends one session of somebody's, if whoever is signed in may do that: by what [`list_user_sessions`] told in place of its
/// token. Says whose it was; one that is not there has ended already.
pub async fn revoke_user_session(api: &mut Api, given: &str) -> Result<Option<String>> {
    let caller =
        caller_who_may(api, "session", "revoke", YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS).await?;
    let Some(session) = find(api, given).await? else { return Ok(None) };
    super::options(api)?.check_target(&caller.user, &target::find(api, &session.user_id).await?)?;
    let mut changes = api.changes();
    changes.delete_expecting("session", Filter::by("token", &session.token)).await?;
    if changes.commit().await? == Commit::Done {
        let event = api.event(SecurityEventKind::SessionRevoked, Some(&session.user_id));
        api.emit(target::by(event, &caller)).await;
    }
    Ok(Some(session.user_id))
}

/// A session by its token, its id, or what a list told.
async fn find(api: &Api, given: &str) -> Result<Option<Session>> {
    for field in ["token", "id"] {
        let filter = Filter::by(field, given);
        if let Some(found) = api.storage().find_one(api.table("session")?, &filter).await? {
            return Session::from_record(found).map(Some);
        }
    }
    Ok(None)
}

async fn answer_revoke_all(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let id = target::read_user_id(&mut body);
    body.finish()?;
    revoke_user_sessions(api, &id).await?;
    // Of nobody there is nothing to end, and the reference says that it did.
    Reply::json(&json!({ "success": true }))
}

/// Ends every session of somebody, if whoever is signed in may do that.
pub async fn revoke_user_sessions(api: &mut Api, id: &str) -> Result<()> {
    let caller =
        caller_who_may(api, "session", "revoke", YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS).await?;
    if let Some(user) = api.user(id).await? {
        super::options(api)?.check_target(&caller.user, &user)?;
        let mut changes = api.changes();
        api.prepare_end(&mut changes, id, None).await?;
        let _ = changes.commit().await?;
        let event = api.event(SecurityEventKind::SessionsRevoked, Some(id)).with("scope", "all");
        api.emit(target::by(event, &caller)).await;
    }
    Ok(())
}
