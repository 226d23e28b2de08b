use housekey::prelude::*;

use crate::controllers::home_controller as home;
use crate::controllers::pages::{
    account_pages as account, auth_pages as auth, dashboard_page as dashboard, mail_sign_in_pages as by_mail,
};

/// The pages. What they send goes to the actions in `auth.rs` and `settings.rs`. `offers:…` is a 404 where
/// `config/auth.rs` does not turn it on.
pub fn web(route: &mut Routes) {
    route.get("/", home::index).name("home");
    // For load balancers and uptime checks: says that the process answers and touches nothing else.
    route.get("/health", home::health).name("health");

    route.group().middleware("guest").routes(|route| {
        route.get("/sign-in", auth::sign_in).name("sign-in");
        route.get("/sign-up", auth::sign_up).middleware("offers:sign-up").name("sign-up");
        route
            .get("/forgot-password", auth::forgot_password)
            .middleware("offers:password-reset")
            .name("forgot-password");
        route.get("/verify-email/sent", auth::check_mail).name("verify-email.sent");
        route
            .get("/two-factor-challenge", auth::two_factor_challenge)
            .middleware(["offers:two-factor", "throttle:30,1"])
            .name("two-factor-challenge");
    });

    // Also for members: who has no password confirms with a link or a code that it is them.
    route
        .get("/sign-in/link", by_mail::magic_link_sent)
        .middleware("offers:magic-link")
        .name("magic-link.sent");
    route.get("/sign-in/code", by_mail::email_code).middleware("offers:email-code").name("email-code");

    // These hold a token: it reaches no log, no cache and no other site. This one is told, to send a refused form back.
    route
        .get("/reset-password", auth::reset_password)
        .middleware("offers:password-reset")
        .name("reset-password")
        .header("referrer-policy", "same-origin");
    route
        .get("/magic-link", by_mail::magic_link)
        .middleware("offers:magic-link")
        .name("magic-link")
        .header("referrer-policy", "same-origin");
    route
        .get("/verify-email/confirm", auth::verify_email_link)
        .name("verify-email.link")
        .header("referrer-policy", "same-origin");
    route
        .get("/change-email/confirm", auth::change_email_link)
        .middleware("offers:change-email")
        .name("change-email")
        .header("referrer-policy", "same-origin");

    route.group().middleware(["auth", "accounts"]).routes(|route| {
        route.get("/verify-email", auth::verify_email).name("verify-email");
        route.get("/confirm-password", auth::confirm_password).name("confirm-password");
        route.get("/dashboard", dashboard::index).name("dashboard");

        route.redirect("/settings", "/settings/profile");
        route.get("/settings/profile", account::profile).name("settings.profile");
        route
            .get("/settings/password", account::password)
            .middleware("offers:password")
            .name("settings.password");
        route
            .get("/settings/two-factor", account::two_factor)
            .middleware("offers:two-factor")
            .name("settings.two-factor");
        route
            .get("/settings/passkeys", account::passkeys)
            .middleware("offers:passkeys")
            .name("settings.passkeys");
        // Where the script of that page leads when the engine asks for more first: the guard asks, then it goes back.
        route
            .get("/settings/passkeys/add", account::add_passkey)
            .middleware(["offers:passkeys", "action:add-passkey"])
            .name("settings.passkeys.add");
        route.get("/settings/sessions", account::sessions).name("settings.sessions");
        route.get("/settings/appearance", account::appearance).name("settings.appearance");
        route.get("/settings/account", account::account).name("settings.account");
    });

    // Tells password managers where passkeys are looked after.
    route.get("/.well-known/passkey-endpoints", home::passkey_endpoints).middleware("offers:passkeys");
}
