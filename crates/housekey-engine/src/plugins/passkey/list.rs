use super::Passkey;
use crate::{Api, Endpoint, Reply, Result, Shape};

/// `GET /passkey/list-user-passkeys`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/passkey/list-user-passkeys", |api| {
        Box::pin(async move { Reply::json(&list_passkeys(api).await?) })
    })
    .about("Lists the passkeys of whoever is signed in.")
    .answers(Shape::list(Passkey::shape()))
    .needs_session()
}

/// The passkeys of whoever is signed in.
pub async fn list_passkeys(api: &mut Api) -> Result<Vec<Passkey>> {
    let signed_in = api.require_session().await?;
    Passkey::of(api, &signed_in.user.id).await
}
