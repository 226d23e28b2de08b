use housekey::prelude::*;

use crate::controllers::auth::{
    accounts_controller as accounts, confirm_password_controller as confirm_password,
    email_code_controller as email_code, email_verification_controller as email_verification,
    magic_link_controller as magic_link, password_reset_controller as password_reset,
    sign_in_controller as sign_in, sign_up_controller as sign_up, social_controller as social,
    two_factor_challenge_controller as challenge,
};

/// What people do to get in and out. Every one of these takes a form or JSON. `offers:…` is a 404 where `config/auth.rs`
/// does not turn it on.
pub fn auth(route: &mut Routes) {
    route.group().typed(|route| {
        route.group().middleware(["guest", "throttle:6,1"]).routes(|route| {
            // `captcha:…` asks where config/auth.rs has a captcha before the engine's endpoint that does the same.
            route
                .post("/sign-in", sign_in::store)
                .middleware(["offers:password", "captcha:/sign-in/email,/sign-in/username"])
                .name("sign-in.store");
            route
                .post("/sign-up", sign_up::store)
                .middleware(["offers:sign-up", "captcha:/sign-up/email"])
                .name("sign-up.store");
            route
                .post("/forgot-password", password_reset::request)
                .middleware(["offers:password-reset", "captcha:/request-password-reset"])
                .name("password.request");
            route
                .post("/sign-in/link", magic_link::send)
                .middleware(["offers:magic-link", "captcha:/sign-in/magic-link"])
                .name("magic-link.send");
            route
                .post("/sign-in/code", email_code::send)
                .middleware(["offers:email-code", "captcha:/email-otp/send-verification-otp"])
                .name("email-code.send");
            route
                .post("/verify-email/send", email_verification::send)
                .middleware("captcha:/send-verification-email")
                .name("verification.send");
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
        // Also for members: whoever is signed in opens their mail too, and may have asked for it to confirm that it is them.
        route
            .post("/sign-in/code/enter", email_code::store)
            .middleware(["offers:email-code", "throttle:6,1"])
            .name("email-code.store");
        route
            .post("/magic-link", magic_link::store)
            .middleware(["offers:magic-link", "throttle:6,1"])
            .name("magic-link.store");
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
            route.group().prefix("/accounts").middleware("offers:several-accounts").routes(|route| {
                route.post("/add", accounts::add).name("accounts.add");
                route.post("/{id}/switch", accounts::switch).name("accounts.switch");
                route.delete("/{id}", accounts::destroy).name("accounts.destroy");
            });
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
            // For who has no password: signing in once more is what they can show.
            route
                .post("/confirm-password/link", confirm_password::link)
                .middleware(["offers:magic-link", "throttle:6,1"])
                .name("password.confirm.link");
            route
                .post("/confirm-password/code", confirm_password::code)
                .middleware(["offers:email-code", "throttle:6,1"])
                .name("password.confirm.code");
        });
    });

    // Where a sign-in leads that happened elsewhere: at a provider, or between the browser and its passkey.
    route.get("/signed-in", sign_in::signed_in).middleware("auth").name("signed-in");
}
