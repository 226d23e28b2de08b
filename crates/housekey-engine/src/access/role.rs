use super::{Permission, Statements};

/// What a role allows.
///
/// ```
/// use housekey_engine::access::{Permission, Role, Statements};
///
/// let author = Role::new(Statements::new().with("article", ["write"]));
/// assert!(author.allows(&Permission::of("article", ["write"])));
/// assert!(!author.allows(&Permission::of("article", Vec::<String>::new())));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Role(Statements);

impl Role {
    /// A role that allows these and nothing else.
    pub const fn new(statements: Statements) -> Self {
        Self(statements)
    }

    pub fn statements(&self) -> &Statements {
        &self.0
    }

    /// Whether it allows a whole request.
    pub fn allows(&self, permission: &Permission) -> bool {
        permission.connector.holds(&permission.resources, |asked| {
            asked.connector.holds(&asked.actions, |action| self.0.has(&asked.resource, action))
        })
    }
}

impl From<Statements> for Role {
    fn from(statements: Statements) -> Self {
        Self::new(statements)
    }
}
