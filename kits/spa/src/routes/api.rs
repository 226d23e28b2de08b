use housekey::prelude::*;

use crate::controllers::api::{
    email_link_controller as email_link, magic_link_controller as magic_link,
    password_reset_controller as password_reset, session_controller as session,
    settings_controller as settings, signed_in_controller as signed_in,
    social_refusal_controller as social_refusal,
};

/// What the pages ask for. Everything below `/api` answers in JSON, errors too, and is never cached.
pub fn api(route: &mut Routes) {
    route.group().prefix("/api").name("api.").typed(|route| {
        route.get("/session", session::show).name("session");
        // With POST: the token of a link stands in the body, and in no log.
        route.post("/email-link", email_link::show).middleware("throttle:30,1").name("email-link");
        route
            .post("/magic-link", magic_link::show)
            .middleware(["offers:magic-link", "throttle:30,1"])
            .name("magic-link");
        route
            .post("/password-reset", password_reset::show)
            .middleware(["offers:password-reset", "throttle:30,1"])
            .name("password-reset");

        route
            .post("/social-refusal", social_refusal::show)
            .middleware(["offers:social", "throttle:30,1"])
            .name("social-refusal");

        route.group().middleware("auth").routes(|route| {
            route.post("/signed-in", signed_in::store).name("signed-in");
            route.get("/settings/profile", settings::profile).name("settings.profile");
            route.get("/settings/history", settings::history).name("settings.history");
            route.get("/settings/accounts", settings::accounts).name("settings.accounts");
            route.get("/settings/sessions", settings::sessions).name("settings.sessions");
            route
                .get("/settings/passkeys", settings::passkeys)
                .middleware("offers:passkeys")
                .name("settings.passkeys");
            route
                .get("/settings/two-factor", settings::two_factor)
                .middleware("offers:two-factor")
                .name("settings.two-factor");
        });
    });

    // Not the document: a script that mistyped an address wants to know.
    route.any("/api/{path}", async || Error::not_found()).where_("path", ".*").without_csrf();
}
