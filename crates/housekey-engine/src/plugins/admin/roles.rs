use serde_json::Value as Json;

use super::{
    AdminOptions, INVALID_ROLE_TYPE, ONLY_ADMINS_CHANGE_ADMINS, YOU_ARE_NOT_ALLOWED_TO_SET_NON_EXISTENT_VALUE,
};
use crate::access::role_names;
use crate::{Result, User};

impl AdminOptions {
    /// The roles that a client names, as the column holds them: `admin,user`.
    ///
    /// One name is one role. A comma inside of a name would be a second role that whoever looked at the first did not see.
    pub(super) fn read_roles(&self, given: &Json) -> Result<String> {
        let names: Vec<&Json> = match given {
            Json::Array(names) => names.iter().collect(),
            one => vec![one],
        };
        let names =
            names.into_iter().map(|name| name.as_str().ok_or_else(|| INVALID_ROLE_TYPE.bad_request()));
        let names = names.collect::<Result<Vec<_>>>()?;
        let known = |name: &&str| match &self.access {
            Some(access) => access.find(name).is_some(),
            None => !name.trim().is_empty() && !name.contains([',', '\0']),
        };
        if names.is_empty() || !names.iter().all(known) {
            return Err(YOU_ARE_NOT_ALLOWED_TO_SET_NON_EXISTENT_VALUE.bad_request());
        }
        Ok(names.join(","))
    }

    /// Refuses to let somebody who is no admin make one.
    pub(super) fn check_grant(&self, caller: &User, roles: &str) -> Result<()> {
        let makes_admin = role_names(roles).any(|role| self.admin_roles.iter().any(|admin| admin == role));
        if makes_admin && !self.is_admin(caller) {
            return Err(ONLY_ADMINS_CHANGE_ADMINS.forbidden());
        }
        Ok(())
    }

    /// Refuses to let somebody who is no admin touch one: a role that may set passwords or addresses would be a way to become
    /// whoever one likes.
    pub(super) fn check_target(&self, caller: &User, target: &User) -> Result<()> {
        if self.is_admin(target) && !self.is_admin(caller) && caller.id != target.id {
            return Err(ONLY_ADMINS_CHANGE_ADMINS.forbidden());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::access::AccessControl;

    #[test]
    fn one_name_is_one_role() {
        let free = AdminOptions::default();
        assert_eq!(free.read_roles(&json!(["admin", "user"])).unwrap(), "admin,user");
        assert_eq!(free.read_roles(&json!("author")).unwrap(), "author");
        for wrong in [json!("user,admin"), json!(["user,admin"]), json!(""), json!([]), json!(" ")] {
            let error = free.read_roles(&wrong).unwrap_err();
            assert!(error.is(YOU_ARE_NOT_ALLOWED_TO_SET_NON_EXISTENT_VALUE), "{wrong}");
        }
        assert!(free.read_roles(&json!(["user", 5])).unwrap_err().is(INVALID_ROLE_TYPE));
        assert!(free.read_roles(&json!(null)).unwrap_err().is(INVALID_ROLE_TYPE));
    }

    #[test]
    fn where_roles_are_defined_no_others_are_given() {
        let access = AccessControl::new(AdminOptions::statements())
            .role("admin", AdminOptions::admin_statements())
            .unwrap();
        let strict = AdminOptions { access: Some(access), ..AdminOptions::default() };
        assert!(strict.read_roles(&json!("admin")).is_ok());
        assert!(strict.read_roles(&json!("user")).is_err());
        assert!(strict.problem().is_none());
    }

    #[test]
    fn an_admin_role_that_nobody_defined_is_a_problem() {
        let options = AdminOptions { admin_roles: vec!["boss".into()], ..AdminOptions::default() };
        assert!(options.problem().unwrap().contains("`boss`"));
    }
}
