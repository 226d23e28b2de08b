use housekey::prelude::*;

/// Who created an organisation, and whomever they made their equal. One is always left.
pub const OWNER: &str = "owner";

/// The roles that there are, the mightiest first. One of your own goes here, into `role_name` and `role_text`, and into
/// `access` of the plugin in `config/auth.rs`.
pub const ROLES: [&str; 3] = [OWNER, "admin", "member"];

/// The roles that somebody may give: only an owner makes owners.
pub fn roles_to_give(is_owner: bool) -> Vec<&'static str> {
    ROLES.into_iter().filter(|role| is_owner || *role != OWNER).collect()
}

/// What a role is called on pages. Somebody can have several, with commas between them.
pub fn role_name(roles: &str) -> String {
    let names: Vec<String> = roles
        .split(',')
        .map(|role| match role {
            OWNER => t("Owner"),
            "admin" => t("Admin"),
            "member" => t("Member"),
            other => other.to_owned(),
        })
        .collect();
    names.join(", ")
}

/// What a role may do, in one sentence.
pub fn role_text(role: &str) -> String {
    match role {
        OWNER => t("May do everything, also delete the organization and make others owners."),
        "admin" => t("Looks after members, invitations and the name."),
        "member" => t("Works here, and changes nothing about the organization."),
        _ => String::new(),
    }
}

/// Whether a list of roles has this one.
pub fn has_role(roles: &str, wanted: &str) -> bool {
    roles.split(',').any(|role| role == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_is_looked_for_as_a_whole_word() {
        assert!(has_role("admin,owner", OWNER));
        assert!(!has_role("co-owner,owners", OWNER));
        assert_eq!(roles_to_give(false), ["admin", "member"]);
        assert_eq!(roles_to_give(true), ROLES);
    }
}
