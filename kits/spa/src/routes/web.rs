use housekey::prelude::*;

use crate::controllers::home_controller as home;

/// A cache may keep the document of guests, and asks before it shows it again.
const PUBLIC: &str = "public, max-age=0, must-revalidate";
/// The document of members says nothing about them, but only their own browser keeps it.
const PRIVATE: &str = "private, max-age=0, must-revalidate";

/// The pages that the server itself leads people to have a name each; all others are in the last line.
const MAIL_PAGES: &[(&str, &str)] = &[
    ("/auth/magic-link", "magic-link"),
    ("/auth/reset-password", "reset-password"),
    ("/auth/verify-email", "verify-email.link"),
    ("/auth/change-email", "change-email"),
];
const GUEST_PAGES: &[(&str, &str)] = &[
    ("/auth/sign-in", "sign-in"),
    ("/auth/sign-up", "sign-up"),
    ("/auth/link-sent", "magic-link.sent"),
    ("/auth/code", "email-code"),
    ("/auth/two-factor-challenge", "two-factor-challenge"),
    ("/auth/forgot-password", "forgot-password"),
    ("/auth/check-mail", "verify-email.sent"),
    ("/auth/{path}", "guests"),
];
const MEMBER_PAGES: &[(&str, &str)] = &[
    ("/dashboard", "dashboard"),
    ("/verify-email", "verify-email"),
    ("/settings/profile", "settings.profile"),
    ("/settings/two-factor", "settings.two-factor"),
    ("/settings/account", "settings.account"),
    ("/{path}", "members"),
];

/// The documents. There are two, the same bytes for everybody; what is on them is decided in `frontend/`, and what it
/// says comes from `/api`. An exact route wins over both.
pub fn web(route: &mut Routes) {
    route.get("/", home::index).name("home");
    // For load balancers and uptime checks: says that the process answers and touches nothing else.
    route.get("/health", home::health).name("health");
    // Tells password managers where passkeys are looked after.
    route.get("/.well-known/passkey-endpoints", home::passkey_endpoints).middleware("offers:passkeys");

    // Where links in mails lead: without the guard of the other guest pages, because whoever is signed in opens their mail
    // too, and must not be sent to the dashboard with the token unspent. The token is in the address; `same-origin` keeps
    // it from other sites.
    for &(page, name) in MAIL_PAGES {
        let route = route.view(page, || shell("src/auth.ts")).name(name);
        route.header("cache-control", PUBLIC).header("referrer-policy", "same-origin");
    }

    route.group().middleware("guest").where_("path", ".*").routes(|route| {
        for &(page, name) in GUEST_PAGES {
            route.get(page, home::guests).name(name).header("cache-control", PUBLIC);
        }
    });
    // The guard stands before the document: whoever is not signed in gets no byte of it.
    route.group().middleware("auth").where_("path", ".*").routes(|route| {
        for &(page, name) in MEMBER_PAGES {
            route.view(page, || shell("src/main.ts")).name(name).header("cache-control", PRIVATE);
        }
    });
}
