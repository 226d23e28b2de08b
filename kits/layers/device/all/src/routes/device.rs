use housekey::prelude::*;

use crate::controllers::device::{code_controller as code, decision_controller as decision};

/// What people do who let a device in. Whoever could let one in with a session alone could stay: so that asks for more first, as
/// `demands` in `config/auth.rs` says. Turning one away does not.
pub fn device(route: &mut Routes) {
    route.group().prefix("/device").name("device.").middleware(["offers:devices", "auth"]).typed(|route| {
        route.post("/", code::store).middleware("throttle:6,1").name("enter");
        route.post("/approve", decision::approve).middleware("action:approve-device").name("approve");
        route.post("/deny", decision::deny).name("deny");
    });
}
