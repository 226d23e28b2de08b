use housekey::prelude::*;

use crate::controllers::api::{
    auth_controller as auth, description_controller as description, profile_controller as profile,
};

/// The API. Everything below `/api` answers in JSON, whatever a client asks for, and is never cached.
///
/// No CSRF tokens here: a request is who its `authorization` header says, and another site's page cannot send that.
/// A new route gets its entry in openapi.json beside this file; a test sees to it.
pub fn api(route: &mut Routes) {
    route.group().prefix("/api").name("api.").without_csrf().routes(|route| {
        route.get("/openapi.json", description::show).name("openapi");

        route.group().middleware("throttle:6,1").routes(|route| {
            route.post("/register", auth::register).middleware("sign-up").name("register");
            route.post("/login", auth::login).name("login");
            route.post("/password/forgot", auth::forgot_password).name("password.forgot");
            route.post("/password/reset", auth::reset_password).name("password.reset");
            route.post("/email/verify", auth::verify_email).name("email.verify");
        });

        route.group().middleware("auth").routes(|route| {
            route.post("/logout", auth::logout).name("logout");
            route
                .post("/password/confirm", auth::confirm_password)
                .middleware("throttle:6,1")
                .name("password.confirm");
            route.get("/me", profile::show).name("me");
            route.patch("/me", profile::update).name("me.update");
            route
                .post("/email/resend", auth::resend_verification)
                .middleware("throttle:3,1")
                .name("email.resend");
        });
    });
}
