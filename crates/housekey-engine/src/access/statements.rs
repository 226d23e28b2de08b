use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Resources, each with actions, in the order in which they were named: what there is, or what a role allows.
///
/// ```
/// use housekey_engine::access::Statements;
///
/// let statements = Statements::new().with("user", ["list", "ban"]);
/// assert!(statements.has("user", "ban") && !statements.has("user", "delete"));
/// assert_eq!(serde_json::to_string(&statements).unwrap(), r#"{"user":["list","ban"]}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statements(Vec<(String, Vec<String>)>);

impl Statements {
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// The same with a resource and its actions; they take the place of those it had.
    #[must_use]
    pub fn with<A: Into<String>>(
        mut self,
        resource: impl Into<String>,
        actions: impl IntoIterator<Item = A>,
    ) -> Self {
        self.set(resource.into(), actions.into_iter().map(Into::into).collect());
        self
    }

    /// Sets the actions of a resource, in place of those it had.
    pub fn set(&mut self, resource: String, actions: Vec<String>) {
        match self.0.iter_mut().find(|(name, _)| *name == resource) {
            Some((_, there)) => *there = actions,
            None => self.0.push((resource, actions)),
        }
    }

    /// The actions of a resource; `None` when it is not named.
    pub fn actions(&self, resource: &str) -> Option<&[String]> {
        self.0.iter().find(|(name, _)| name == resource).map(|(_, actions)| actions.as_slice())
    }

    /// Whether an action on a resource is among them.
    pub fn has(&self, resource: &str, action: &str) -> bool {
        self.actions(resource).is_some_and(|actions| actions.iter().any(|one| one == action))
    }

    /// Resources and their actions in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.0.iter().map(|(resource, actions)| (resource.as_str(), actions.as_slice()))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Statements {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (resource, actions) in self.iter() {
            map.serialize_entry(resource, actions)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Statements {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Named;

        impl<'de> Visitor<'de> for Named {
            type Value = Statements;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("resources, each with a list of actions")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Statements, A::Error> {
                let mut statements = Statements::new();
                while let Some((resource, actions)) = map.next_entry()? {
                    statements.set(resource, actions);
                }
                Ok(statements)
            }
        }

        deserializer.deserialize_map(Named)
    }
}
