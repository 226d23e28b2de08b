use housekey::auth::api;
use housekey::auth::engine::plugins::passkey::list_passkeys;
use housekey::prelude::*;

use super::{member_of, private};
use crate::models::User;
use crate::views::pages::{Dashboard, dashboard};

/// `GET /dashboard`
pub async fn index(CurrentUser(user): CurrentUser) -> Result<View> {
    let mut api = api()?;
    let passkeys = list_passkeys(&mut api).await.refuse()?.len();
    let sessions = api.sessions_of(&user.id).await.refuse()?.len();
    let account = User::find_or_404(user.id.clone()).await?;
    Ok(private(view(dashboard(&Dashboard {
        member: member_of(&user),
        passkeys,
        two_factor: account.two_factor_enabled.unwrap_or(false),
        sessions,
    }))))
}
