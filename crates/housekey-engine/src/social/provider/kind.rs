use std::fmt;

use super::{Provider, ProviderSpec};

/// What a provider is: Google, GitHub, any OpenID provider. One constant each, in the folder `providers`.
pub struct ProviderKind {
    /// The id that a provider of this kind has unless it is given another: `google`.
    pub id: &'static str,
    /// The name on its button.
    pub name: &'static str,
    /// How to speak to it. Called once when the engine is built, with what the app has set.
    pub spec: fn(&Provider) -> ProviderSpec,
}

impl fmt::Debug for ProviderKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ProviderKind").field(&self.id).finish()
    }
}
