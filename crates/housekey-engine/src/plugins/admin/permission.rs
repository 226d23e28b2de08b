use std::sync::Arc;

use http::StatusCode;

use super::AdminOptions;
use crate::access::{Permission, Role, role_names};
use crate::{Api, ApiError, ErrorCode, Result, SignedIn, User, Value};

/// Whether a user may do something.
pub fn is_allowed(api: &Api, user: &User, permission: &Permission) -> Result<bool> {
    Ok(super::options(api)?.allows(user, permission))
}

/// Whether a user is an admin: by role or by id.
pub fn is_admin(api: &Api, user: &User) -> Result<bool> {
    Ok(super::options(api)?.is_admin(user))
}

/// Whoever sent the request, as the storage has them now, or 401 without a word.
pub(super) async fn caller(api: &mut Api) -> Result<Arc<SignedIn>> {
    let signed_in = api.stored_session().await?;
    signed_in.ok_or_else(|| ApiError::empty(StatusCode::UNAUTHORIZED))
}

/// The same, if they may do this on users; the code says what they may not.
pub(super) async fn caller_who_may(
    api: &mut Api,
    resource: &str,
    action: &str,
    otherwise: ErrorCode,
) -> Result<Arc<SignedIn>> {
    let signed_in = caller(api).await?;
    require(&*super::options(api)?, &signed_in.user, resource, action, otherwise)?;
    Ok(signed_in)
}

/// Refuses somebody who may not do this.
pub(super) fn require(
    options: &AdminOptions,
    user: &User,
    resource: &str,
    action: &str,
    otherwise: ErrorCode,
) -> Result<()> {
    match options.allows(user, &Permission::of(resource, [action])) {
        true => Ok(()),
        false => Err(otherwise.forbidden()),
    }
}

impl AdminOptions {
    /// The roles of a user, as their column names them.
    pub(super) fn roles_of<'a>(&'a self, user: &'a User) -> &'a str {
        user.fields.text("role").filter(|role| !role.is_empty()).unwrap_or(&self.default_role)
    }

    pub(super) fn allows(&self, user: &User, permission: &Permission) -> bool {
        if self.admin_user_ids.contains(&user.id) {
            return true;
        }
        let roles = self.roles_of(user);
        match &self.access {
            Some(access) => access.allows(roles, permission),
            None => {
                let admin = Role::new(Self::admin_statements());
                role_names(roles).any(|role| role == "admin") && admin.allows(permission)
            }
        }
    }

    pub(super) fn is_admin(&self, user: &User) -> bool {
        self.admin_user_ids.contains(&user.id)
            || role_names(self.roles_of(user)).any(|role| self.admin_roles.iter().any(|admin| admin == role))
    }

    /// Whether a user is an admin who can do something about it.
    pub(super) fn is_acting_admin(&self, user: &User) -> bool {
        self.is_admin(user) && !is_banned(user)
    }
}

pub(super) fn is_banned(user: &User) -> bool {
    user.fields.get("banned").and_then(Value::as_bool).unwrap_or(false)
}
