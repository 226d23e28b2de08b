use housekey_core::{AppConfig, is_local_host};
use housekey_engine::options::EngineOptions;

/// What whoever starts the app should know about its providers. Each says what to do.
// spec: SOC-1
pub(crate) fn warnings(options: &EngineOptions, about: &AppConfig, is_mounted: bool) -> Vec<String> {
    let providers = &options.social_providers;
    let mut warnings: Vec<String> = providers.incomplete().into_iter().map(half).collect();
    for name in &options.account.account_linking.trusted_providers {
        // The reference counts the password among them.
        if providers.get(name).is_none() && !matches!(name.as_str(), "email-password" | "credential") {
            warnings.push(format!(
                "config/auth.rs trusts the provider `{name}` with linking accounts, and there is none of that name. \
                 `housekey auth:providers` lists those that there are."
            ));
        }
    }
    if providers.is_empty() {
        return warnings;
    }
    if options.account.skip_state_cookie_check {
        warnings.push(
            "config/auth.rs sets `account.skip_state_cookie_check`: whoever gets somebody to follow a link can sign them in as \
             somebody else. Take it out unless every client is one that keeps no cookies."
                .into(),
        );
    }
    if !is_mounted {
        warnings.push(
            "config/auth.rs has social providers, and `mount` is off: a provider sends people back to an endpoint of the \
             engine, so none is offered. Set AUTH_MOUNT to true, or take `social_providers` out."
                .into(),
        );
    }
    if about.env.is_production() && !is_fit_for_redirects(&options.base_url) {
        warnings.push(format!(
            "providers send people back to https addresses alone, and APP_URL is {}: most refuse it. Set APP_URL to the \
             https address that people use.",
            options.base_url
        ));
    }
    warnings
}

/// Somebody copied one of two variables.
fn half((id, lacks): (String, &'static str)) -> String {
    let name = id.to_uppercase().replace('-', "_");
    format!(
        "the social provider `{id}` lacks {lacks}, so nobody can sign in with it. Set {name}_CLIENT_ID and \
         {name}_CLIENT_SECRET in .env (config/auth.rs says what they are called), or leave both empty."
    )
}

/// Providers take plain http for this machine alone.
fn is_fit_for_redirects(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("http://") else { return true };
    is_local_host(rest.split(['/', '?', '#']).next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_send_people_back_over_https_or_to_this_machine() {
        for good in ["https://shop.example", "http://localhost:3000", "http://127.0.0.1:3000/x"] {
            assert!(is_fit_for_redirects(good), "{good}");
        }
        for bad in ["http://shop.example", "http://localhost.example:3000"] {
            assert!(!is_fit_for_redirects(bad), "{bad}");
        }
    }
}
