use super::{LAST_ADMIN, target};
use crate::access::role_names;
use crate::{Api, Record, Result, SecurityEventKind, User};

/// Makes somebody an admin, without asking whether anybody may: the way to the first one. For a command or a seeder, never for
/// what a request asks for. `by` says on whose behalf, in the event about it: `console`.
///
/// Whoever is an admin already stays as they are. Where no role makes an admin, this refuses.
// spec: ADM-2
pub async fn appoint_admin(api: &Api, user_id: &str, by: &str) -> Result<User> {
    let options = super::options(api)?;
    let before = target::find(api, user_id).await?;
    if options.is_admin(&before) {
        return Ok(before);
    }
    let Some(admin) = options.admin_roles.first() else { return Err(LAST_ADMIN.bad_request()) };
    let roles: Vec<_> = [admin.as_str()].into_iter().chain(role_names(options.roles_of(&before))).collect();
    let roles = roles.join(",");
    let user = target::change(api, user_id, &Record::new().with("role", &roles), false).await?;
    let event = api.event(SecurityEventKind::Custom("role-changed"), Some(user_id));
    api.emit(event.with("by", by).with("from", options.roles_of(&before)).with("to", roles)).await;
    Ok(user)
}
