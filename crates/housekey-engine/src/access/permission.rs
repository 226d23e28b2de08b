use serde_json::{Map, Value};

/// Whether all of several must be allowed, or one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Connector {
    #[default]
    And,
    Or,
}

impl Connector {
    /// Whether this holds for some things. Nothing at all is never allowed.
    pub(super) fn holds<T>(
        self,
        things: impl IntoIterator<Item = T>,
        mut allowed: impl FnMut(T) -> bool,
    ) -> bool {
        let mut things = things.into_iter().peekable();
        match self {
            Self::And => things.peek().is_some() && things.all(allowed),
            Self::Or => things.any(&mut allowed),
        }
    }
}

/// What somebody wants to do: actions on resources, all of them unless it says otherwise. An empty request, and one with a
/// resource without actions, is not allowed to anybody.
///
/// ```
/// use housekey_engine::access::Permission;
///
/// let both = Permission::of("user", ["list"]).and("session", ["list", "revoke"]);
/// let one = Permission::any_of("user", ["update", "ban"]);
/// # let _ = (both, one);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permission {
    pub(super) resources: Vec<Asked>,
    pub(super) connector: Connector,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) resource: String,
    pub(super) actions: Vec<String>,
    pub(super) connector: Connector,
}

impl Permission {
    /// Every one of these actions.
    pub fn of<A: Into<String>>(resource: impl Into<String>, actions: impl IntoIterator<Item = A>) -> Self {
        Self::default().and(resource, actions)
    }

    /// One of these actions.
    pub fn any_of<A: Into<String>>(
        resource: impl Into<String>,
        actions: impl IntoIterator<Item = A>,
    ) -> Self {
        Self::default().ask(resource.into(), actions, Connector::Or)
    }

    /// These actions of another resource as well.
    #[must_use]
    pub fn and<A: Into<String>>(
        self,
        resource: impl Into<String>,
        actions: impl IntoIterator<Item = A>,
    ) -> Self {
        self.ask(resource.into(), actions, Connector::And)
    }

    /// The same, content with one of its resources.
    #[must_use]
    pub fn any_resource(mut self) -> Self {
        self.connector = Connector::Or;
        self
    }

    /// A request as clients write it: `{"user": ["list"]}`. The error names the field that is no list of texts.
    pub fn from_json(json: &Map<String, Value>) -> Result<Self, String> {
        let mut permission = Self::default();
        for (resource, actions) in json {
            let listed = actions.as_array().and_then(|actions| {
                actions.iter().map(|action| action.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
            });
            let listed = listed.ok_or_else(|| resource.clone())?;
            permission = permission.and(resource, listed);
        }
        Ok(permission)
    }

    pub fn is_empty(&self) -> bool {
        self.resources.is_empty()
    }

    /// Resources and their actions in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.resources.iter().map(|asked| (asked.resource.as_str(), asked.actions.as_slice()))
    }

    fn ask<A: Into<String>>(
        mut self,
        resource: String,
        actions: impl IntoIterator<Item = A>,
        connector: Connector,
    ) -> Self {
        let actions = actions.into_iter().map(Into::into).collect();
        self.resources.push(Asked { resource, actions, connector });
        self
    }
}
