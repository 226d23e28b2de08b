use housekey::prelude::*;

use crate::controllers::settings::{
    account_controller as account, connected_accounts_controller as accounts,
    passkeys_controller as passkeys, password_controller as password, profile_controller as profile,
    sessions_controller as sessions, two_factor_controller as two_factor,
};

/// What people do to look after their account. The pages open to anyone signed in; what could hurt asks for more first.
/// `action:…` stands in front of it, and what that asks for is a line of `demands` in `config/auth.rs`, for these routes
/// and for the engine's endpoints.
pub fn settings(route: &mut Routes) {
    route.group().prefix("/settings").name("settings.").middleware("auth").typed(|route| {
        route.post("/profile", profile::update).name("profile.update");
        // Seldom enough: the answer tells which names are taken.
        route
            .post("/profile/username", profile::change_username)
            .middleware(["offers:username", "throttle:6,1"])
            .name("username.change");
        route.group().middleware("offers:change-email").routes(|route| {
            route
                .post("/profile/email", profile::change_email)
                .middleware("action:change-email")
                .name("email.change");
            route.delete("/profile/email", profile::cancel_email).name("email.cancel");
        });
        route
            .put("/password", password::update)
            .middleware(["offers:password", "action:change-password"])
            .name("password.update");
        // Only for who has none: they signed in elsewhere.
        route
            .post("/password", password::store)
            .middleware(["offers:password", "action:set-password"])
            .name("password.store");
        route
            .post("/accounts/{provider}", accounts::connect)
            .middleware(["offers:social", "action:connect-account"])
            .name("accounts.connect");
        // Also where no provider is left: what was connected once may go.
        route
            .delete("/accounts/{id}", accounts::disconnect)
            .middleware("action:disconnect-account")
            .name("accounts.disconnect");
        route.group().middleware("offers:two-factor").routes(|route| {
            route
                .post("/two-factor", two_factor::enable)
                .middleware("action:enable-two-factor")
                .name("two-factor.enable");
            route
                .post("/two-factor/confirm", two_factor::confirm)
                .middleware("action:confirm-two-factor")
                .name("two-factor.confirm");
            route
                .delete("/two-factor", two_factor::disable)
                .middleware("action:disable-two-factor")
                .name("two-factor.disable");
            route
                .post("/two-factor/recovery-codes", two_factor::recovery_codes)
                .middleware("action:regenerate-recovery-codes")
                .name("two-factor.recovery-codes");
        });
        route.group().middleware("offers:passkeys").routes(|route| {
            route
                .patch("/passkeys/{id}", passkeys::rename)
                .middleware("action:rename-passkey")
                .name("passkeys.rename");
            route
                .delete("/passkeys/{id}", passkeys::destroy)
                .middleware("action:delete-passkey")
                .name("passkeys.destroy");
        });
        route.group().middleware("action:revoke-sessions").routes(|route| {
            route.delete("/sessions/{id}", sessions::destroy).name("sessions.destroy");
            route.delete("/sessions", sessions::destroy_others).name("sessions.destroy-others");
        });
        route
            .delete("/account", account::destroy)
            .middleware(["offers:delete-account", "action:delete-account"])
            .name("account.destroy");
    });

    // `verified` sends who has not opened the link in their mail to the page that says so: for what only the holder of
    // the address should get.
    route
        .get("/settings/account/data", account::data)
        .middleware(["auth", "verified", "throttle:6,1"])
        .name("settings.account.data");
}
