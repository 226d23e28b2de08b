use housekey::auth::engine::plugins::api_key::ApiKey;
use housekey::prelude::*;

use super::moment::{day, moment};
use super::{member_of, private};
use crate::controllers::api_keys::keys::{ApiKeyState, mine, why_not};
use crate::controllers::api_keys::keys_controller::KIND;
use crate::controllers::api_keys::lifetimes::lifetimes;
use crate::views::components::{ApiKeyRow, ApiKeys};
use crate::views::pages::settings as pages;
use crate::views::pages::settings::ApiKeySettings;

/// `GET /settings/api-keys`: a key that was just made is on this page once, and in no cache.
pub async fn index(CurrentUser(user): CurrentUser) -> Result<View> {
    let rows = mine().await?.into_iter().map(|key| {
        let update = path_to_with("settings.api-keys.update", &[("id", &key.id)]);
        let destroy = path_to_with("settings.api-keys.destroy", &[("id", &key.id)]);
        row(key, update, destroy)
    });
    let keys = ApiKeys {
        rows: rows.collect(),
        fresh: session().flashed("api_key"),
        lifetimes: lifetimes(KIND)?,
        why_not_create: why_not(),
        may_change: why_not().is_none(),
        may_revoke: true,
        action: route("settings.api-keys.store")?,
    };
    Ok(private(view(pages::api_keys(&ApiKeySettings { member: member_of(&user), keys }))))
}

/// A key as lists show it, and where its forms go.
pub(super) fn row(key: ApiKey, update: String, destroy: String) -> ApiKeyRow {
    ApiKeyRow {
        state: ApiKeyState::of(&key),
        name: key.name.unwrap_or_else(|| t("A key")),
        start: key.start,
        created: moment(key.created_at),
        last_used: key.last_request.map(moment),
        expires: key.expires_at.map(day),
        id: key.id,
        update,
        destroy,
    }
}
