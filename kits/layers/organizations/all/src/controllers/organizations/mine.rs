use housekey::auth::engine::plugins::organization::{list_organizations, list_user_invitations};
use housekey::auth::{api, organization};
use housekey::prelude::*;
use time::OffsetDateTime;

/// An organisation that somebody is in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mine {
    pub id: String,
    pub name: String,
    pub slug: String,
    /// Whether it is the one they work in now.
    pub current: bool,
}

/// An invitation that waits for whoever is signed in.
#[derive(Clone, Debug)]
pub struct Received {
    pub id: String,
    /// The name of the organisation.
    pub organization: String,
    /// The role they would have.
    pub role: String,
    pub expires: OffsetDateTime,
}

/// The organisations of whoever is signed in, by name.
pub async fn mine() -> Result<Vec<Mine>> {
    let current = organization().map(|active| active.id().to_owned());
    let organizations = list_organizations(&mut api()?).await.or_http_error()?;
    let mut mine: Vec<Mine> = organizations
        .into_iter()
        .map(|organization| Mine {
            current: current.as_ref() == Some(&organization.id),
            id: organization.id,
            name: organization.name,
            slug: organization.slug,
        })
        .collect();
    mine.sort_by_cached_key(|organization| organization.name.to_lowercase());
    Ok(mine)
}

/// The invitations that wait for whoever is signed in, the newest last. Who has not proven their address sees none: it may be
/// somebody else's.
pub async fn received() -> Result<Vec<Received>> {
    if !require_user()?.email_verified {
        return Ok(Vec::new());
    }
    let now = service::<Clock>().map_or_else(OffsetDateTime::now_utc, |clock| clock.now());
    let waiting = list_user_invitations(&mut api()?).await.or_http_error()?.into_iter();
    let waiting = waiting.filter(|received| received.invitation.expires_at > now);
    Ok(waiting
        .map(|received| Received {
            organization: received.organization_name,
            role: received.invitation.role.unwrap_or_default(),
            expires: received.invitation.expires_at,
            id: received.invitation.id,
        })
        .collect())
}
