use housekey::auth::{Feature, offers, social_providers};
use housekey::cookies::Cookie;
use housekey::prelude::*;

const COOKIE: &str = "last_sign_in";

/// Keeps how this browser signs in, so that its next visitor need not remember. It says nothing about who they are.
pub fn remember(method: &str) {
    let cookie = Cookie::build((COOKIE, method.to_owned())).max_age(time::Duration::days(365));
    cookies().add(cookie.build());
}

/// How this browser signed in last, if that is still offered: `password`, `passkey`, `magic-link`, `email-code`, or
/// the id of a provider.
pub fn last_used() -> Option<String> {
    let method = cookies().get(COOKIE)?;
    let is_offered = match method.as_str() {
        "password" => offers(Feature::Password),
        "passkey" => offers(Feature::Passkeys),
        "magic-link" => offers(Feature::MagicLink),
        "email-code" => offers(Feature::EmailCode),
        id => social_providers().iter().any(|provider| provider.id == id),
    };
    is_offered.then_some(method)
}
