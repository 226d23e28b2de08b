use housekey::auth::engine::Api;
use housekey::auth::engine::plugins::api_key::{ApiKey, KeyQuery, list};
use housekey::auth::require_organization;
use housekey::prelude::*;

use super::keys::why_not;
use crate::controllers::organizations::roles::OWNER;

/// The kind of key that organisations have, in `config/auth.rs`.
pub const KIND: &str = "organization";

/// What somebody may do with the keys of the organisation they work in. Pages show what is allowed; whether it is, the engine decides
/// again when it is asked for.
#[derive(Clone, Debug, Default)]
pub struct KeyRights {
    pub may_see: bool,
    /// Why they make none, if they do not.
    pub why_not_create: Option<String>,
    pub may_change: bool,
    pub may_revoke: bool,
}

/// Those of whoever asks.
pub fn key_rights() -> Result<KeyRights> {
    let active = require_organization()?;
    let may = |action| active.has_role(OWNER) || active.may("apiKey", action);
    let by_role = (!may("create")).then(|| t("Your role makes no keys here."));
    Ok(KeyRights {
        may_see: may("read"),
        why_not_create: why_not().or(by_role),
        may_change: may("update") && why_not().is_none(),
        may_revoke: may("delete"),
    })
}

/// The keys of the organisation that whoever asks works in, the newest first.
pub async fn keys_of_organization(api: &mut Api) -> Result<Vec<ApiKey>> {
    let organization_id = Some(require_organization()?.id().to_owned());
    let newest_first = KeyQuery { organization_id, descending: true, ..default() };
    Ok(list(api, &newest_first).await.or_http_error()?.api_keys)
}
