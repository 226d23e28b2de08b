use crate::core::Core;
use crate::storage::Filter;
use crate::{Record, Result, User};

/// The provider that stands for address and password.
pub(crate) const CREDENTIAL: &str = "credential";
/// What such an account carries as its issuer, so that (`issuer`, `accountId`) is unique among all of them.
const ISSUER: &str = "local:credential";

/// The account of a user who has a password.
pub(crate) fn credential_account(user: &str, hash: &str) -> Record {
    Record::new()
        .with("issuer", ISSUER)
        .with("accountId", user)
        .with("providerId", CREDENTIAL)
        .with("userId", user)
        .with("password", hash)
}

/// The credential account of a user, if there is one.
pub(crate) async fn find_credential(core: &Core, user: &User) -> Result<Option<Record>> {
    let filter = Filter::by("userId", &user.id).and_by("providerId", CREDENTIAL);
    Ok(core.storage.find_one(core.table("account")?, &filter).await?)
}
