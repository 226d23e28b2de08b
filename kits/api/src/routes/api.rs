use housekey::prelude::*;

use crate::controllers::api::{auth_controller as auth, profile_controller as profile};

/// The API. Everything below `/api` answers in JSON, whatever a client asks for, and is never cached.
///
/// No CSRF tokens here: a request is who its `authorization` or `x-api-key` header says, and another site's page cannot send those.
/// The routes are typed: what they take and answer is read from their handlers, and `/api/docs` shows it.
pub fn api(route: &mut Routes) {
    route.group().prefix("/api").name("api.").without_csrf().typed(|route| {
        route.group().heading("Session").routes(|route| {
            // `captcha:…` asks where config/auth.rs has a captcha before the engine's endpoint that does the same.
            route
                .post("/register", auth::register)
                .middleware(["throttle:6,1", "sign-up", "captcha:/sign-up/email"])
                .status(StatusCode::CREATED)
                .refuses(StatusCode::NOT_FOUND, "Sign-up is turned off.")
                .about("Make an account. A mail asks to confirm the address.")
                .name("register");
            route
                .post("/login", auth::login)
                .middleware(["throttle:6,1", "captcha:/sign-in/email"])
                .refuses(StatusCode::UNAUTHORIZED, "Address or password is wrong. It is not told which.")
                .refuses(StatusCode::FORBIDDEN, "The account asks for more than a password.")
                .about("Sign in. Six attempts in one minute from one address.")
                .name("login");
            route
                .post("/logout", auth::logout)
                .middleware("auth")
                .about("Sign out. The token is worth nothing from now on.")
                .name("logout");
        });

        route.group().heading("Profile").routes(|route| {
            // A program may show an API key in `x-api-key` instead of a token, where a route says so.
            route
                .get("/me", profile::show)
                .middleware("auth:session,api-key")
                .about("Who the token, or the API key, belongs to.")
                .name("me");
            route
                .patch("/me", profile::update)
                .middleware("auth")
                .about("Change the profile.")
                .name("me.update");
        });

        route.group().heading("Password").routes(|route| {
            route
                .post("/password/forgot", auth::forgot_password)
                .middleware(["throttle:6,1", "captcha:/request-password-reset"])
                .about("Ask for a new password. If there is such an account, a mail is on its way.")
                .name("password.forgot");
            route
                .post("/password/reset", auth::reset_password)
                .middleware("throttle:6,1")
                .about("Choose a new password. Every session of the account ends.")
                .name("password.reset");
            route
                .post("/password/confirm", auth::confirm_password)
                .middleware(["auth", "throttle:6,1"])
                .about("Show that it is you. What answers 423 is content for a while after this.")
                .name("password.confirm");
        });

        route.group().heading("Email").routes(|route| {
            route
                .post("/email/verify", auth::verify_email)
                .middleware("throttle:6,1")
                .about("Confirm the address.")
                .name("email.verify");
            route
                .post("/email/resend", auth::resend_verification)
                .middleware(["auth", "throttle:3,1"])
                .about("Send the mail again. Three in one minute.")
                .name("email.resend");
        });
    });
}
