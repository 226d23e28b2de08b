use super::options;
use super::row::Link;
use crate::{Api, Result, Secret};

/// A link that works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundLink {
    /// The address that it was sent to.
    pub email: String,
    /// Whether it works in this browser. One that is [bound](super::MagicLinkOptions::bind_to_browser) to another can be opened
    /// there.
    pub is_here: bool,
}

/// What a link is, without spending it: for the page that asks first. `None` when it was used, is too old or never was.
// spec: KEY-3
pub async fn inspect(api: &Api, token: &Secret) -> Result<Option<FoundLink>> {
    let options = options(api)?;
    let found = Link::find(api, &options, token).await?;
    Ok(found.map(|link| FoundLink { email: link.email, is_here: link.is_here }))
}
