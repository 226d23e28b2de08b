use housekey::auth::api;
use housekey::auth::engine::Api;
use housekey::auth::engine::plugins::organization::{
    Invitation, InvitationStatus, OrganizationRef, list_invitations,
};
use housekey::prelude::*;
use time::OffsetDateTime;

/// An invitation that nobody has answered yet.
#[derive(Clone, Debug)]
pub struct InvitationRow {
    pub id: String,
    pub email: String,
    pub role: String,
    pub sent: OffsetDateTime,
    pub expires: OffsetDateTime,
    /// Whether it is too late to accept it. It can be sent again.
    pub is_expired: bool,
    /// The page where it is accepted, to be sent by other means. It proves nothing about the address: who signs up there
    /// confirms it first.
    pub link: String,
}

/// The invitations of the organisation that wait for an answer, the newest first.
pub async fn waiting_invitations() -> Result<Vec<InvitationRow>> {
    let app = service::<AppConfig>().unwrap_or_default();
    let now = service::<Clock>().map_or_else(OffsetDateTime::now_utc, |clock| clock.now());
    let mut waiting = waiting(&mut api()?).await?;
    waiting.sort_by_key(|invitation| std::cmp::Reverse(invitation.created_at));
    Ok(waiting
        .into_iter()
        .map(|invitation| InvitationRow {
            link: format!("{}/invitations/{}", app.url.trim_end_matches('/'), invitation.id),
            is_expired: invitation.expires_at <= now,
            id: invitation.id,
            email: invitation.email,
            role: invitation.role.unwrap_or_default(),
            sent: invitation.created_at,
            expires: invitation.expires_at,
        })
        .collect())
}

/// An invitation to the organisation that whoever asks works in. One of another organisation is not there.
pub async fn expect_invitation(api: &mut Api, id: &str) -> Result<Invitation> {
    waiting(api).await?.into_iter().find(|invitation| invitation.id == id).ok_or_else(Error::not_found)
}

async fn waiting(api: &mut Api) -> Result<Vec<Invitation>> {
    let all = list_invitations(api, OrganizationRef::Active).await.or_http_error()?;
    Ok(all.into_iter().filter(|invitation| invitation.status == InvitationStatus::Pending).collect())
}
