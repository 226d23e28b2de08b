use housekey::prelude::*;

use crate::controllers::organizations::{
    invitations_controller as invitations, members_controller as members,
    organization_controller as organization, received_invitations_controller as received,
};

/// What people do with the organisations they are in. The engine checks the role of whoever asks, here and at its own
/// endpoints; `member` sends who is in no organisation to the page where they choose one. `action:…` asks for more first:
/// `demands` in `config/auth.rs`. `same-organization` keeps a form that was drawn for one from acting on another.
pub fn organizations(route: &mut Routes) {
    route.group().middleware("auth").typed(|route| {
        route
            .post("/organizations", organization::store)
            .middleware("throttle:20,1")
            .name("organizations.store");
        route.post("/organizations/switch", organization::switch).name("organizations.switch");
    });

    let own = route.group().prefix("/settings/organization").name("settings.organization.");
    own.middleware(["auth", "member", "same-organization"]).typed(|route| {
        route.patch("/", organization::update).name("update");
        route.delete("/", organization::destroy).middleware("action:delete-organization").name("destroy");
        route.post("/leave", organization::leave).name("leave");
        route
            .patch("/members/{id}", members::update)
            .middleware("action:change-member-role")
            .name("members.update");
        route
            .delete("/members/{id}", members::destroy)
            .middleware("action:remove-member")
            .name("members.destroy");
        route
            .post("/invitations", invitations::store)
            .middleware("action:invite-member")
            .name("invitations.store");
        // These hold the id of an invitation, and with it somebody can accept it: it reaches no log.
        route
            .post("/invitations/{id}/resend", invitations::resend)
            .middleware("action:invite-member")
            .name("invitations.resend")
            .sensitive();
        route.delete("/invitations/{id}", invitations::destroy).name("invitations.destroy").sensitive();
    });

    route.group().prefix("/invitations/{id}").name("invitations.").typed(|route| {
        route
            .post("/sign-up", received::sign_up)
            .middleware(["guest", "offers:sign-up", "throttle:6,1"])
            .name("sign-up")
            .sensitive();
        route.group().middleware(["auth", "throttle:20,1"]).routes(|route| {
            route.post("/accept", received::accept).name("accept").sensitive();
            route.post("/decline", received::decline).name("decline").sensitive();
            route.post("/sign-out", received::sign_out).name("sign-out").sensitive();
        });
    });
    // A link for who has an account: the guard keeps the address while they sign in, and it leads back to the invitation.
    route
        .get("/invitations/{id}/sign-in", received::signed_in)
        .middleware("auth")
        .name("invitations.sign-in")
        .header("referrer-policy", "same-origin")
        .sensitive();
}
