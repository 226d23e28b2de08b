use housekey::prelude::*;

use crate::controllers::home_controller as home;
use crate::places;

/// A cache may keep the document of guests, and asks before it shows it again.
const PUBLIC: &str = "public, max-age=0, must-revalidate";
/// The document of members says nothing about them, but only their own browser keeps it.
const PRIVATE: &str = "private, max-age=0, must-revalidate";

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
    for page in [places::RESET_PASSWORD, places::CONFIRM_EMAIL, places::CONFIRM_NEW_EMAIL] {
        route
            .view(page, || shell("src/auth.ts"))
            .header("cache-control", PUBLIC)
            .header("referrer-policy", "same-origin");
    }

    route.group().prefix("/auth").middleware("guest").routes(|route| {
        route
            .view("/{path}", || shell("src/auth.ts"))
            .where_("path", ".*")
            .header("cache-control", PUBLIC)
            .name("guests");
    });
    // The guard stands before the document: whoever is not signed in gets no byte of it.
    route
        .view("/{path}", || shell("src/main.ts"))
        .where_("path", ".*")
        .middleware("auth")
        .header("cache-control", PRIVATE)
        .name("members");
}
