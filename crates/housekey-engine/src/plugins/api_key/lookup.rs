//! Finding a key, and whose it is, in one read.

use super::generate::hash;
use super::row::ApiKey;
use super::{ApiKeyOptions, KeyOwner, OwnerKind};
use crate::plugins::organization::Organization;
use crate::storage::Filter;
use crate::{Api, Result, Secret, User, constant_time_eq};

/// What is longer is no key of anybody's, and not worth a hash.
const LONGEST: usize = 512;

/// A key by what it says, and whoever it belongs to. A key whose owner is gone is none.
pub(super) async fn find(
    api: &Api,
    options: &ApiKeyOptions,
    key: &Secret,
) -> Result<Option<(ApiKey, KeyOwner)>> {
    if key.is_empty() || key.len() > LONGEST {
        return Ok(None);
    }
    let hash = hash(key);
    if options.of_kind(OwnerKind::User).next().is_some()
        && let Some(found) = with_owner(api, options, &hash, OwnerKind::User).await?
    {
        return Ok(Some(found));
    }
    if options.of_kind(OwnerKind::Organization).next().is_some() && api.table("organization").is_ok() {
        return with_owner(api, options, &hash, OwnerKind::Organization).await;
    }
    Ok(None)
}

async fn with_owner(
    api: &Api,
    options: &ApiKeyOptions,
    hash: &str,
    kind: OwnerKind,
) -> Result<Option<(ApiKey, KeyOwner)>> {
    let owners = match kind {
        OwnerKind::User => "user",
        OwnerKind::Organization => "organization",
    };
    let (keys, owners) = (api.table("apikey")?, api.table(owners)?);
    let filter = Filter::by("key", hash);
    let found = api.storage().find_with_parent(keys, &filter, "referenceId", owners).await?;
    let Some((row, owner)) = found else { return Ok(None) };
    // A database may take capital letters and small ones for the same.
    if !row.text("key").is_some_and(|stored| constant_time_eq(stored.as_bytes(), hash.as_bytes())) {
        return Ok(None);
    }
    let key = ApiKey::from_record(row)?;
    // An id may be a user's and an organisation's, so its configuration says whose the key is.
    if options.named(Some(&key.config_id)).is_none_or(|config| config.references != kind) {
        return Ok(None);
    }
    let owner = match kind {
        OwnerKind::User => KeyOwner::User(Box::new(User::from_record(owner)?)),
        OwnerKind::Organization => KeyOwner::Organization(Box::new(Organization::from_record(owner)?)),
    };
    Ok(Some((key, owner)))
}
