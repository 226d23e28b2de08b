use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};

use super::Plugin;

/// Plugins, in the order in which they act.
///
/// ```
/// use housekey_engine::{Plugin, Plugins};
///
/// let mut plugins = Plugins::from([Plugin::new("first")]);
/// plugins.push(Plugin::new("second"));
/// assert_eq!(plugins.iter().map(Plugin::id).collect::<Vec<_>>(), ["first", "second"]);
/// assert!(plugins.contains("first") && !plugins.contains("third"));
/// ```
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Plugins(Vec<Plugin>);

impl Plugins {
    /// One more, after the others.
    pub fn push(&mut self, plugin: Plugin) {
        self.0.push(plugin);
    }

    /// Whether one of this id is among them.
    pub fn contains(&self, id: &str) -> bool {
        self.0.iter().any(|plugin| plugin.id() == id)
    }

    /// What the one with this id keeps for its own functions, if it is a `T`: its options, mostly.
    pub fn state<T: Send + Sync + 'static>(&self, id: &str) -> Option<Arc<T>> {
        let plugin = self.0.iter().find(|plugin| plugin.id() == id)?;
        Arc::clone(plugin.own_state()?).downcast().ok()
    }

    /// Puts a plugin in the place of the one with its id: how a framework fills in what an app left open.
    pub fn replace(&mut self, plugin: Plugin) {
        if let Some(place) = self.0.iter_mut().find(|other| other.id() == plugin.id()) {
            *place = plugin;
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Plugin> {
        self.0.iter()
    }

    /// The error names the id that two of them have.
    pub(crate) fn check_ids(&self) -> Result<(), String> {
        let mut ids: Vec<_> = self.0.iter().map(Plugin::id).collect();
        ids.sort_unstable();
        match ids.array_windows::<2>().find(|[one, other]| one == other) {
            Some([id, _]) => Err(format!("there are two plugins with the id `{id}`")),
            None => Ok(()),
        }
    }
}

impl<const N: usize> From<[Plugin; N]> for Plugins {
    fn from(plugins: [Plugin; N]) -> Self {
        Self(plugins.into())
    }
}

impl Extend<Plugin> for Plugins {
    fn extend<I: IntoIterator<Item = Plugin>>(&mut self, plugins: I) {
        self.0.extend(plugins);
    }
}

impl FromIterator<Plugin> for Plugins {
    fn from_iter<I: IntoIterator<Item = Plugin>>(plugins: I) -> Self {
        Self(plugins.into_iter().collect())
    }
}

impl<'de> Deserialize<'de> for Plugins {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Only an empty list is ever written.
        serde::de::IgnoredAny::deserialize(deserializer).map(|_| Self::default())
    }
}
