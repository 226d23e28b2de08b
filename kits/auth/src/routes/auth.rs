use housekey::prelude::*;

use crate::controllers::auth::{
    confirm_password_controller as confirm_password, email_verification_controller as email_verification,
    password_reset_controller as password_reset, sign_in_controller as sign_in,
    sign_up_controller as sign_up, two_factor_challenge_controller as challenge,
};

/// What people do to get in and out. Every one of these takes a form or JSON.
pub fn auth(route: &mut Routes) {
    route.group().middleware(["guest", "throttle:6,1"]).routes(|route| {
        route.post("/sign-in", sign_in::store).name("sign-in.store");
        route.post("/sign-up", sign_up::store).name("sign-up.store");
        route.post("/forgot-password", password_reset::request).name("password.request");
        route.post("/two-factor-challenge", challenge::store).name("two-factor.challenge");
        route.post("/two-factor-challenge/recovery", challenge::recovery).name("two-factor.recovery");
    });

    route.post("/reset-password", password_reset::store).middleware("throttle:6,1").name("password.reset");
    route
        .post("/verify-email/confirm", email_verification::confirm)
        .middleware("throttle:6,1")
        .name("verification.confirm");
    route
        .post("/change-email/confirm", email_verification::confirm)
        .middleware("throttle:6,1")
        .name("change-email.confirm");

    route.group().middleware("auth").routes(|route| {
        route.post("/sign-out", sign_in::destroy).name("sign-out");
        route
            .post("/verify-email/resend", email_verification::resend)
            .middleware("throttle:3,1")
            .name("verification.resend");
        route
            .post("/confirm-password", confirm_password::store)
            .middleware("throttle:6,1")
            .name("password.confirm.store");
        route
            .post("/confirm-password/passkey", confirm_password::passkey)
            .middleware("throttle:6,1")
            .name("password.confirm.passkey");
    });
}
