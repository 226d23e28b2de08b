use housekey::auth::engine::ApiError;
use housekey::auth::engine::plugins::admin::{
    self, Ban, ban_user, find_user, list_user_sessions, remove_user, revoke_user_session,
    revoke_user_sessions, send_password_reset, set_role, unban_user, user_factors,
};
use housekey::auth::{Device, Feature, api, events, offers};
use housekey::prelude::*;
use housekey::serde_json::json;

use super::events_controller::rows;
use super::moment::moment;
use super::person::person;
use super::private;
use crate::controllers::settings::place::place;
use crate::requests::admin::{BanRequest, RoleRequest};
use crate::views::pages::admin::{SessionRow, UserPage, user as user_page};

/// How much of the past the page shows.
const SHOWN: u32 = 15;
/// The role of `admin_roles` in `config/auth.rs`.
const ADMIN: &str = "admin";

/// `GET /admin/users/{id}`
pub async fn show(CurrentUser(me): CurrentUser, Path(id): Path<String>) -> Result<View> {
    let mut api = api()?;
    let found = find_user(&mut api, &id).await.or_http_error()?;
    let sessions = list_user_sessions(&mut api, &id).await.or_http_error()?.into_iter().map(|session| {
        let device = Device::of(session.user_agent.as_deref());
        SessionRow {
            impersonated: session.impersonated_by().is_some(),
            device: device.name,
            mobile: device.is_mobile,
            ip: place(session.ip_address.as_deref()),
            first_seen: moment(session.created_at),
            last_seen: moment(session.updated_at),
            id: session.id,
        }
    });
    let past = events::recent(&id, SHOWN).await?;
    let props = UserPage {
        person: person(&found)?,
        is_me: found.id == me.id,
        factors: user_factors(&mut api, &id).await.or_http_error()?,
        sessions: sessions.collect(),
        events: rows(past).await?,
        can_reset_password: offers(Feature::PasswordReset),
    };
    Ok(private(view(user_page(&props))))
}

/// `POST /admin/users/{id}/ban`: every session of theirs ends with it.
pub async fn ban(Path(id): Path<String>, Valid(form): Valid<BanRequest>) -> Result<Redirect> {
    let lasts = form.days.map(|days| time::Duration::days(days.into()));
    let ban = Ban { reason: Some(form.reason), lasts };
    refused(ban_user(&mut api()?, &id, ban).await)?;
    done(&id, t("The account is closed, and all its sessions are over."))
}

/// `DELETE /admin/users/{id}/ban`
pub async fn unban(Path(id): Path<String>) -> Result<Redirect> {
    refused(unban_user(&mut api()?, &id).await)?;
    done(&id, t("The account is open again."))
}

/// `PUT /admin/users/{id}/role`: an admin more, or one less. Other roles stay.
pub async fn role(Path(id): Path<String>, Valid(form): Valid<RoleRequest>) -> Result<Redirect> {
    let mut api = api()?;
    let found = find_user(&mut api, &id).await.or_http_error()?;
    let roles = found.fields.text("role").unwrap_or_default().split(',');
    let mut roles: Vec<&str> = roles.filter(|role| !role.is_empty() && *role != ADMIN).collect();
    if form.admin {
        roles.insert(0, ADMIN);
    } else if roles.is_empty() {
        roles.push("user");
    }
    refused(set_role(&mut api, &id, &json!(roles)).await)?;
    let message = match form.admin {
        true => t!(":name is an admin now.", name = found.name),
        false => t!(":name is no admin any more.", name = found.name),
    };
    done(&id, message)
}

/// `POST /admin/users/{id}/password-reset`
pub async fn send_reset(Path(id): Path<String>) -> Result<Redirect> {
    refused(send_password_reset(&mut api()?, &id).await)?;
    done(&id, t("A link to a new password is on its way to them."))
}

/// `DELETE /admin/users/{id}/two-factor`
pub async fn reset_two_factor(Path(id): Path<String>) -> Result<Redirect> {
    refused(admin::reset_two_factor(&mut api()?, &id).await)?;
    done(&id, t("The second factor is off. They can set up a new one."))
}

/// `DELETE /admin/users/{id}/sessions/{session}`: a session of somebody else is answered like one that does not exist.
pub async fn end_session(Path((id, session)): Path<(String, String)>) -> Result<Redirect> {
    let mut api = api()?;
    let sessions = list_user_sessions(&mut api, &id).await.or_http_error()?;
    let session = sessions.into_iter().find(|known| known.id == session).ok_or_else(Error::not_found)?;
    refused(revoke_user_session(&mut api, &session.token).await)?;
    done(&id, t("The session is ended."))
}

/// `DELETE /admin/users/{id}/sessions`
pub async fn end_sessions(Path(id): Path<String>) -> Result<Redirect> {
    let mut api = api()?;
    find_user(&mut api, &id).await.or_http_error()?;
    refused(revoke_user_sessions(&mut api, &id).await)?;
    done(&id, t("All their sessions are ended."))
}

/// `DELETE /admin/users/{id}`
pub async fn destroy(Path(id): Path<String>) -> Result<Redirect> {
    let mut api = api()?;
    let found = find_user(&mut api, &id).await.or_http_error()?;
    refused(remove_user(&mut api, &id).await)?;
    let message = t!("The account of :name is deleted.", name = found.name);
    Ok(redirect(&route("admin.users")?).with("status", message))
}

/// What the rules forbid (the last admin, oneself) is said above the page that it was asked on. Nobody with this id is a 404.
pub(super) fn refused<T>(result: std::result::Result<T, ApiError>) -> Result<T> {
    match result {
        Err(error) if error.status() != StatusCode::NOT_FOUND => Err(error).or_field_error("user"),
        other => other.or_http_error(),
    }
}

fn done(id: &str, message: String) -> Result<Redirect> {
    Ok(redirect(&route_url("admin.user", &[("id", id)])?).with("status", message))
}
