use std::sync::LazyLock;

use super::OrganizationOptions;
use crate::access::{AccessControl, Role, Statements};

const ORGANIZATION: [&str; 2] = ["update", "delete"];
const MEMBER: [&str; 3] = ["create", "update", "delete"];
const INVITATION: [&str; 2] = ["create", "cancel"];
const TEAM: [&str; 3] = ["create", "update", "delete"];
const ROLE: [&str; 4] = ["create", "read", "update", "delete"];

/// What the plugin asks for: the statements to build an access control of one's own on.
///
/// ```
/// use housekey_engine::access::{AccessControl, Statements};
/// use housekey_engine::plugins::organization::{OrganizationOptions, default_statements, owner_statements};
///
/// let access = AccessControl::new(default_statements().with("project", ["create", "archive"]))
///     .role("owner", owner_statements().with("project", ["create", "archive"]))
///     .unwrap()
///     .role("member", Statements::new().with("project", ["create"]))
///     .unwrap();
/// let options = OrganizationOptions { access: Some(access), ..Default::default() };
/// # let _ = options;
/// ```
pub fn default_statements() -> Statements {
    Statements::new()
        .with("organization", ORGANIZATION)
        .with("member", MEMBER)
        .with("invitation", INVITATION)
        .with("team", TEAM)
        .with("ac", ROLE)
}

/// What the role `owner` allows unless the options say otherwise: everything.
pub fn owner_statements() -> Statements {
    default_statements()
}

/// What the role `admin` allows unless the options say otherwise: everything but deleting the organisation.
pub fn admin_statements() -> Statements {
    default_statements().with("organization", ["update"])
}

/// What the role `member` allows unless the options say otherwise: seeing which roles there are.
pub fn member_statements() -> Statements {
    Statements::new().with("ac", ["read"])
}

/// The three roles that there are unless the options say otherwise.
pub fn default_access() -> AccessControl {
    let roles =
        [("owner", owner_statements()), ("admin", admin_statements()), ("member", member_statements())];
    let mut access = AccessControl::new(default_statements());
    for (name, statements) in roles {
        // Every one of them is made of the statements above.
        access = access.clone().role(name, statements).unwrap_or(access);
    }
    access
}

/// The roles of the options, which every organisation has.
pub(super) struct AccessOptions<'a>(&'a AccessControl);

impl<'a> AccessOptions<'a> {
    pub(super) fn new(options: &'a OrganizationOptions) -> Self {
        static USUAL: LazyLock<AccessControl> = LazyLock::new(default_access);
        Self(options.access.as_ref().unwrap_or(&*USUAL))
    }

    /// What there is to be allowed.
    pub(super) fn statements(&self) -> &'a Statements {
        self.0.statements()
    }

    /// A role by its name.
    pub(super) fn role(&self, name: &str) -> Option<&'a Role> {
        self.0.find(name)
    }

    /// Whether somebody may be given a role of this name: one that is defined, or one of the three usual ones, which then
    /// allows nothing.
    pub(super) fn is_known(&self, name: &str) -> bool {
        self.0.find(name).is_some() || ["owner", "admin", "member"].contains(&name)
    }
}
