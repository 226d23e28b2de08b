use housekey::prelude::*;

use crate::controllers::admin::{
    events_controller as events, impersonation_controller as impersonation, jobs_controller as jobs,
    user_controller as user, users_controller as users,
};

/// What admins see and do. All of it is for who is an admin at this moment and entered the password a while ago; what changes an
/// account is also an `action:…`, which a line of `demands` in `config/auth.rs` can make harder. The engine looks once more at
/// who asks, and tells what was done.
pub fn admin(route: &mut Routes) {
    let pages = route.group().prefix("/admin").name("admin.");
    pages.middleware(["auth", "admin", "password.confirm"]).routes(|route| {
        route.redirect("/", "/admin/users");
        route.get("/users", users::index).name("users");
        route.get("/events", events::index).name("events");

        route.get("/jobs", jobs::index).name("jobs");
        route.post("/jobs/failed/retry", jobs::retry_all).name("jobs.retry-all");
        route.delete("/jobs/failed", jobs::forget_all).name("jobs.forget-all");
        route.post("/jobs/failed/{id}/retry", jobs::retry).name("jobs.retry");
        route.delete("/jobs/failed/{id}", jobs::forget).name("jobs.forget");
        route.delete("/jobs/batches/{id}", jobs::cancel).name("jobs.cancel");

        route.get("/users/{id}", user::show).name("user");
        route.group().middleware("action:ban-user").routes(|route| {
            route.post("/users/{id}/ban", user::ban).name("user.ban");
            route.delete("/users/{id}/ban", user::unban).name("user.unban");
        });
        route.put("/users/{id}/role", user::role).middleware("action:change-user-role").name("user.role");
        route.group().middleware("action:set-user-password").routes(|route| {
            route.post("/users/{id}/password-reset", user::send_reset).name("user.password-reset");
            route.delete("/users/{id}/two-factor", user::reset_two_factor).name("user.two-factor");
        });
        route.group().middleware("action:end-user-sessions").routes(|route| {
            route.delete("/users/{id}/sessions", user::end_sessions).name("user.sessions");
            route.delete("/users/{id}/sessions/{session}", user::end_session).name("user.session");
        });
        route.delete("/users/{id}", user::destroy).middleware("action:remove-user").name("user.destroy");
        route
            .post("/users/{id}/impersonate", impersonation::start)
            .middleware("action:impersonate-user")
            .name("user.impersonate");
    });

    // The way back asks for nothing: whoever acts as somebody else does not know their password.
    route.post("/impersonation/stop", impersonation::stop).middleware("auth").name("impersonation.stop");
}
