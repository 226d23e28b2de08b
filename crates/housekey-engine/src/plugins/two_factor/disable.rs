use serde_json::json;

use super::password::{check_password, field, read_password};
use super::{TwoFactorOptions, totp, trusted_device, turned_off};
use crate::storage::Filter;
use crate::{Api, Endpoint, Reply, Result, Secret, SecurityEventKind, Shape};

/// `POST /two-factor/disable`
pub(super) fn endpoint(chosen: &TwoFactorOptions) -> Endpoint {
    Endpoint::post("/two-factor/disable", |api| {
        Box::pin(async move {
            let password = read_password(api)?;
            disable(api, password.as_ref()).await?;
            Reply::json(&json!({ "status": true }))
        })
    })
    .about(
        "Turns the second factor off and forgets its secret, its codes and every trusted \
             device.",
    )
    .takes([field(chosen)])
    .answers(Shape::status())
    .needs_session()
}

/// Turns the second factor off, forgets its secret, its codes and every trusted device, and replaces the session.
pub async fn disable(api: &mut Api, password: Option<&Secret>) -> Result<()> {
    let signed_in = api.require_stored_session().await?;
    check_password(api, &signed_in.user, password).await?;
    let mut changes = api.changes();
    changes.delete("twoFactor", Filter::by("userId", &signed_in.user.id)).await?;
    trusted_device::forget_in(api, &mut changes, &signed_in.user).await?;
    totp::rotate(api, changes, &signed_in, turned_off(), SecurityEventKind::TwoFactorDisabled).await?;
    Ok(())
}
