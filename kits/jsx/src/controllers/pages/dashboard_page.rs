use housekey::auth::engine::plugins::{passkey::list_passkeys, two_factor};
use housekey::auth::{Feature, api, offers};
use housekey::prelude::*;

use super::{member_of, private};
use crate::views::pages::{Dashboard, dashboard};

/// `GET /dashboard`
pub async fn index(CurrentUser(user): CurrentUser) -> Result<View> {
    let mut api = api()?;
    let passkeys = match offers(Feature::Passkeys) {
        true => Some(list_passkeys(&mut api).await.or_http_error()?.len()),
        false => None,
    };
    let sessions = api.count_sessions_of(&user.id).await.or_http_error()?;
    Ok(private(view(dashboard(&Dashboard {
        member: member_of(&user),
        passkeys,
        two_factor: offers(Feature::TwoFactor).then(|| two_factor::is_enabled(&user)),
        sessions,
    }))))
}
