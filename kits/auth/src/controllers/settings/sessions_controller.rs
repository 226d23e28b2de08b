use housekey::auth::api;
use housekey::prelude::*;

/// `DELETE /settings/sessions/{id}`: ends one session. A session is named by its id here; its token is a key to the account.
pub async fn destroy(CurrentUser(user): CurrentUser, Path(id): Path<String>) -> Result<Redirect> {
    let mut api = api()?;
    let sessions = api.sessions_of(&user.id).await.or_http_error()?;
    let session = sessions.into_iter().find(|session| session.id == id).ok_or_else(Error::not_found)?;
    api.revoke_session(&session.token).await.or_http_error()?;
    Ok(back().with("status", t("The session is ended.")))
}

/// `DELETE /settings/sessions`: ends all but this one.
pub async fn destroy_others() -> Result<Redirect> {
    api()?.revoke_other_sessions().await.or_http_error()?;
    Ok(back().with("status", t("You are signed out everywhere else.")))
}
