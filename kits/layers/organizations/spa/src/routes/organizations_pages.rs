use housekey::prelude::*;

use crate::controllers::api::{
    invitation_controller as invitation, organizations_controller as organizations,
};

const PUBLIC: &str = "public, max-age=0, must-revalidate";
const PRIVATE: &str = "private, max-age=0, must-revalidate";

/// The pages that the server itself sends people to.
const PAGES: &[(&str, &str)] = &[
    ("/organizations", "organizations"),
    ("/organizations/create", "organizations.create"),
    ("/settings/organization", "settings.organization"),
    ("/settings/organization/members", "settings.organization.members"),
    ("/settings/organization/invitations", "settings.organization.invitations"),
];

/// The documents of the pages about organisations, as in `web.rs`, and what these pages ask for, as in `api.rs`.
pub fn organizations_pages(route: &mut Routes) {
    // For everybody, as all links in mails are: a new person makes an account there, a known one may be signed in.
    route
        .view("/invitations/{id}", || shell("src/auth.ts"))
        .name("invitations.show")
        .header("cache-control", PUBLIC)
        .header("referrer-policy", "same-origin")
        .sensitive();
    route.group().middleware("auth").routes(|route| {
        for &(page, name) in PAGES {
            route.view(page, || shell("src/main.ts")).name(name).header("cache-control", PRIVATE);
        }
    });

    route.group().prefix("/api").name("api.").typed(|route| {
        // With POST: the id opens the invitation to whoever has it, and stands in no log.
        route.post("/invitation", invitation::show).middleware("throttle:30,1").name("invitation");
        route.get("/organizations", organizations::index).middleware("auth").name("organizations");
        let own = route.group().prefix("/settings/organization").name("settings.organization");
        own.middleware(["auth", "member"]).routes(|route| {
            route.get("/", organizations::show);
            route.get("/members", organizations::members).name(".members");
            route.get("/invitations", organizations::invitations).name(".invitations");
        });
    });
}
