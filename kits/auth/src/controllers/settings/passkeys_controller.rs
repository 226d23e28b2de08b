use housekey::auth::api;
use housekey::auth::engine::Api;
use housekey::auth::engine::plugins::passkey::{delete_passkey, list_passkeys, rename_passkey};
use housekey::prelude::*;

use crate::requests::settings::PasskeyNameRequest;

/// `PATCH /settings/passkeys/{id}`
pub async fn rename(Path(id): Path<String>, Valid(form): Valid<PasskeyNameRequest>) -> Result<Redirect> {
    let mut api = api()?;
    expect_own(&mut api, &id).await?;
    rename_passkey(&mut api, &id, &form.name).await.or_http_error()?;
    Ok(back().with("status", t("Saved.")))
}

/// `DELETE /settings/passkeys/{id}`
pub async fn destroy(Path(id): Path<String>) -> Result<Redirect> {
    let mut api = api()?;
    expect_own(&mut api, &id).await?;
    delete_passkey(&mut api, &id).await.or_http_error()?;
    Ok(back().with("status", t("The passkey is removed.")))
}

/// Somebody else's passkey is answered like one that does not exist.
async fn expect_own(api: &mut Api, id: &str) -> Result<()> {
    let own = list_passkeys(api).await.or_http_error()?;
    if own.iter().any(|passkey| passkey.id == id) { Ok(()) } else { Err(Error::not_found()) }
}
