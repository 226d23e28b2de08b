use housekey::auth::{add_account, sign_out_account, switch_account};
use housekey::prelude::*;

/// `POST /accounts/add`: on to the sign-in, with everybody who is signed in here still signed in.
pub async fn add() -> Result<Redirect> {
    add_account()?;
    Ok(redirect(&route("sign-in")?))
}

/// `POST /accounts/{id}/switch`: goes on as somebody else who is signed in here.
pub async fn switch(Path(id): Path<String>) -> Result<Redirect> {
    switch_account(&id).await?;
    Ok(redirect(&route("dashboard")?))
}

/// `DELETE /accounts/{id}`: signs out of one account and stays in the others.
pub async fn destroy(Path(id): Path<String>) -> Result<Redirect> {
    sign_out_account(&id).await?;
    let to = route(if user().is_some() { "dashboard" } else { "home" })?;
    Ok(redirect(&to).with("status", t("You are signed out.")))
}
