//! Signing in with others: which providers there are, and what can be wrong with them before anyone visits.

#[cfg(feature = "social")]
mod checks;

#[cfg(feature = "social")]
pub(crate) use checks::warnings;
use housekey_engine::Engine;

use crate::{Auth, Feature};

/// A provider that people may sign in with, as a button needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SocialProvider {
    /// What it is called in addresses: `google`.
    pub id: String,
    /// What it is called on a button: `Google`.
    pub name: String,
}

/// The providers that people may sign in with, in the order of `config/auth.rs`. None outside of an app with accounts, and
/// none where the endpoints that they send people back to are not mounted.
///
/// ```
/// use housekey_auth::social_providers;
///
/// let labels: Vec<String> = social_providers().iter().map(|one| format!("Continue with {}", one.name)).collect();
/// assert!(labels.is_empty());
/// ```
// spec: SOC-1
pub fn social_providers() -> Vec<SocialProvider> {
    match Auth::current() {
        Ok(auth) if auth.offers(Feature::Social) => listed(auth.engine()),
        _ => Vec::new(),
    }
}

#[cfg(feature = "social")]
fn listed(engine: &Engine) -> Vec<SocialProvider> {
    let all = engine.options().social_providers.iter();
    all.map(|provider| SocialProvider { id: provider.id.clone(), name: provider.name.clone() }).collect()
}

#[cfg(not(feature = "social"))]
fn listed(_: &Engine) -> Vec<SocialProvider> {
    Vec::new()
}
