use housekey::auth::engine::plugins::admin::{impersonate_user, stop_impersonating};
use housekey::auth::{api, user};
use housekey::prelude::*;

use super::user_controller::refused;

/// `POST /admin/users/{id}/impersonate`: acts as somebody else, for an hour at most. What is done then is an event with the
/// admin's id.
pub async fn start(Path(id): Path<String>) -> Result<Redirect> {
    refused(impersonate_user(&mut api()?, &id).await)?;
    Ok(redirect(&route("dashboard")?))
}

/// `POST /impersonation/stop`: the way back.
pub async fn stop() -> Result<Redirect> {
    let whom = user().map(|user| user.id.clone());
    stop_impersonating(&mut api()?).await.or_http_error()?;
    let back = match whom {
        Some(id) => route_url("admin.user", &[("id", id.as_str())])?,
        None => route("dashboard")?,
    };
    Ok(redirect(&back).with("status", t("You are yourself again.")))
}
