use std::fmt;

use super::{Permission, Role, Statements, role_names};

/// The resources and actions that there are, and the roles that allow some of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccessControl {
    statements: Statements,
    roles: Vec<(String, Role)>,
}

impl AccessControl {
    /// Resources and actions, and no role yet.
    pub const fn new(statements: Statements) -> Self {
        Self { statements, roles: Vec::new() }
    }

    /// One more role; it takes the place of one with the same name. What it allows must exist: a slip of the pen would
    /// otherwise be a role that silently allows less.
    pub fn role(mut self, name: impl Into<String>, allowed: Statements) -> Result<Self, UnknownStatement> {
        let name = name.into();
        let known = |(resource, actions): (&str, &[String])| {
            let unknown = actions.iter().find(|action| !self.statements.has(resource, action));
            unknown.map(|action| format!("{resource}:{action}"))
        };
        if let Some(statement) = allowed.iter().find_map(known) {
            return Err(UnknownStatement { role: name, statement });
        }
        self.roles.retain(|(other, _)| *other != name);
        self.roles.push((name, Role::new(allowed)));
        Ok(self)
    }

    /// Which resources there are, and which actions on them.
    pub fn statements(&self) -> &Statements {
        &self.statements
    }

    pub fn find(&self, name: &str) -> Option<&Role> {
        self.roles.iter().find(|(other, _)| other == name).map(|(_, role)| role)
    }

    /// The names of the roles, in the order of their definition.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.roles.iter().map(|(name, _)| name.as_str())
    }

    /// Whether one of these roles (`admin,user`) allows a whole request.
    pub fn allows(&self, roles: &str, permission: &Permission) -> bool {
        role_names(roles).filter_map(|name| self.find(name)).any(|role| role.allows(permission))
    }
}

/// A role allows something that there is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownStatement {
    role: String,
    statement: String,
}

impl fmt::Display for UnknownStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { role, statement } = self;
        write!(f, "the role `{role}` allows `{statement}`, which the access control does not know")
    }
}

impl std::error::Error for UnknownStatement {}
