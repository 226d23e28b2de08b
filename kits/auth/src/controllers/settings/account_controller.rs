use housekey::auth::api;
use housekey::auth::engine::DeleteAccount;
use housekey::prelude::*;

use crate::places;

/// `DELETE /settings/account`
pub async fn destroy() -> Result<Redirect> {
    let mut api = api()?;
    api.confirm_presence();
    api.delete_user(DeleteAccount::default()).await.refuse()?;
    drop(api);
    Ok(redirect(places::HOME).with("status", t("Your account is deleted. Farewell.", &[])))
}
