use housekey::auth::api;
use housekey::auth::engine::social::LinkSocial;
use housekey::prelude::*;

use super::ways_in::ways_in;
use crate::controllers::auth::leaving::leave_for;
use crate::controllers::auth::social_controller::{configured, refused};

/// `POST /settings/accounts/{provider}`: on to the provider, and back to the page with what became of it.
pub async fn connect(Path(id): Path<String>) -> Result<Response> {
    let provider = configured(&id)?;
    let page = route("settings.account")?;
    let input = LinkSocial {
        provider: provider.id.clone(),
        callback_url: Some(format!("{page}?connected={}", provider.id)),
        error_callback_url: Some(format!("{page}?provider={}", provider.id)),
        ..default()
    };
    match api()?.link_social(input).await {
        Ok(start) => leave_for(&start.url, &provider.name),
        Err(error) => refused(error, &provider, "settings.account"),
    }
}

/// `DELETE /settings/accounts/{id}`: one way in less, and never the last one. The provider hears nothing of it.
pub async fn disconnect(CurrentUser(user): CurrentUser, Path(id): Path<String>) -> Result<Redirect> {
    let accounts = ways_in(&user).await?.accounts;
    let account = accounts.into_iter().find(|account| account.id == id).ok_or_else(Error::not_found)?;
    if !account.removable {
        let mut errors = FieldErrors::new();
        errors.add("account", t("This is your only way in. Set a password first."));
        return Err(Error::invalid(errors));
    }
    let mut api = api()?;
    api.confirm_presence();
    api.unlink_account(&account.id).await.or_field_error("account")?;
    let name = &account.name;
    Ok(back().with("status", t!("You can no longer sign in with :name.", name)))
}
