//! The row that says that a user signs in with a provider.

use super::{Outcome, ProviderIdentity};
use crate::social::refusal::Refusal;
use crate::storage::{Filter, Find};
use crate::{Api, Record, encode_component};

/// An account that is on file.
pub(super) struct FoundAccount {
    pub(super) row: Record,
    /// What has to change for it to be found again: nothing, or the id under which the provider knows the person now.
    pub(super) new_key: Record,
}

impl Api {
    /// The account of whoever comes from a provider.
    pub(super) async fn find_account(&self, identity: ProviderIdentity<'_>) -> Outcome<Option<FoundAccount>> {
        let id = &identity.profile.user.id;
        if let Some(row) = self.account_with(identity, id).await? {
            return Ok(Some(FoundAccount { row, new_key: Record::new() }));
        }
        let Some(former) = former_id(identity).filter(|former| *former != id) else { return Ok(None) };
        let row = self.account_with(identity, former).await?;
        Ok(row.map(|row| FoundAccount { row, new_key: Record::new().with("accountId", id) }))
    }

    async fn account_with(&self, identity: ProviderIdentity<'_>, id: &str) -> Outcome<Option<Record>> {
        if id.is_empty() || id.contains('\0') {
            return Err(Refusal::code(
                "unable_to_get_user_info",
                "the provider gave no usable id of the person",
            ));
        }
        let filter = Filter::by("providerId", &identity.ready.provider.id).and_by("accountId", id);
        let mut rows =
            self.core.storage.find(self.core.table("account")?, &Find::new(filter).limit(2)).await?;
        let owner = |row: &Record| row.text("userId").map(str::to_owned);
        // The reference has no unique rule for this, so that a database of its may hold both.
        if rows.len() > 1 && rows.first().map(owner) != rows.get(1).map(owner) {
            let why = "two users have the same account of this provider in the account table: one of the rows has to go";
            return Err(Refusal::code("unable_to_link_account", why));
        }
        Ok((!rows.is_empty()).then(|| rows.swap_remove(0)))
    }

    /// A new account of a user.
    pub(super) fn account_record(&self, identity: ProviderIdentity<'_>, user_id: &str) -> Outcome<Record> {
        let provider = &identity.ready.provider.id;
        let mut record = Record::new()
            // Together with the account's id this is unique: of two requests that connect the same account, one does.
            .with("issuer", format!("local:oauth:{}", encode_component(provider)))
            .with("accountId", &identity.profile.user.id)
            .with("providerId", provider)
            .with("userId", user_id);
        record.merge(self.token_fields(identity.tokens)?);
        if !identity.by_id_token {
            record.set("scope", identity.tokens.scopes.join(","));
        }
        Ok(record)
    }
}

/// The id by which the reference knew somebody before version 1.7: Microsoft's `sub`, where it is `oid` now. Both are in the
/// same, verified id token.
fn former_id(identity: ProviderIdentity<'_>) -> Option<&String> {
    identity.profile.user.former_id.as_ref().filter(|id| !id.is_empty())
}
