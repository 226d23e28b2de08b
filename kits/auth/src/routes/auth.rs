use housekey::prelude::*;

use crate::controllers::auth::{
    confirm_password_controller as confirm_password, email_verification_controller as email_verification,
    password_reset_controller as password_reset, sign_in_controller as sign_in,
    sign_up_controller as sign_up, social_controller as social, two_factor_challenge_controller as challenge,
};

/// What people do to get in and out. Every one of these takes a form or JSON. `offers:…` is a 404 where `config/auth.rs`
/// does not turn it on.
pub fn auth(route: &mut Routes) {
    route.group().typed(|route| {
        route.group().middleware(["guest", "throttle:6,1"]).routes(|route| {
            route.post("/sign-in", sign_in::store).middleware("offers:password").name("sign-in.store");
            route.post("/sign-up", sign_up::store).middleware("offers:sign-up").name("sign-up.store");
            route
                .post("/forgot-password", password_reset::request)
                .middleware("offers:password-reset")
                .name("password.request");
            route.post("/verify-email/send", email_verification::send).name("verification.send");
            route.group().middleware("offers:two-factor").routes(|route| {
                route.post("/two-factor-challenge", challenge::store).name("two-factor.challenge");
                route.post("/two-factor-challenge/recovery", challenge::recovery).name("two-factor.recovery");
            });
        });

        // Also for members: who has no password signs in again where others enter it. And more often than the rest: every
        // tab of a browser may begin its own.
        route
            .post("/auth/social/{provider}", social::start)
            .middleware(["offers:social", "throttle:60,1"])
            .name("social.start");
        route
            .post("/reset-password", password_reset::store)
            .middleware(["offers:password-reset", "throttle:6,1"])
            .name("password.reset");
        route
            .post("/verify-email/confirm", email_verification::confirm)
            .middleware("throttle:6,1")
            .name("verification.confirm");
        route
            .post("/change-email/confirm", email_verification::confirm)
            .middleware(["offers:change-email", "throttle:6,1"])
            .name("change-email.confirm");

        route.group().middleware("auth").routes(|route| {
            route.post("/sign-out", sign_in::destroy).name("sign-out");
            route
                .post("/verify-email/resend", email_verification::resend)
                .middleware("throttle:3,1")
                .name("verification.resend");
            route
                .post("/confirm-password", confirm_password::store)
                .middleware(["offers:password", "throttle:6,1"])
                .name("password.confirm.store");
            route
                .post("/confirm-password/passkey", confirm_password::passkey)
                .middleware(["offers:passkeys", "throttle:6,1"])
                .name("password.confirm.passkey");
        });
    });

    // Where a sign-in leads that happened elsewhere: at a provider, or between the browser and its passkey.
    route.get("/signed-in", sign_in::signed_in).middleware("auth").name("signed-in");
}
