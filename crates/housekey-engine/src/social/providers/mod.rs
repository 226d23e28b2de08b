//! What the engine knows about each provider: a file of data each, and its mapping.

pub(crate) mod generic;
mod github;
mod google;

use super::ProviderKind;

/// All kinds, by the ids that they have by themselves.
pub(super) const ALL: &[&ProviderKind] = &[&generic::GENERIC, &github::GITHUB, &google::GOOGLE];
