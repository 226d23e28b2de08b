use housekey::prelude::*;

use crate::controllers::api_keys::{keys_controller as keys, me_controller as me};

/// What people do with the keys of their programs, and what programs do with them. `action:…` asks for more first: `demands` in
/// `config/auth.rs`.
pub fn api_keys(route: &mut Routes) {
    let own = route.group().prefix("/settings/api-keys").name("settings.api-keys.");
    own.middleware("auth").typed(|route| {
        route.post("/", keys::store).middleware("action:create-api-key").name("store");
        route.patch("/{id}", keys::update).middleware("action:change-api-key").name("update");
        route.delete("/{id}", keys::destroy).middleware("action:delete-api-key").name("destroy");
    });

    // For programs. They send no cookie, so no page of another site can act in somebody's name here.
    route.group().prefix("/api").without_csrf().middleware("auth:api-key").routes(|route| {
        route.get("/me", me::show).name("api.me");
    });
}
