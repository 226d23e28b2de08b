use housekey::prelude::*;

use crate::controllers::api::device_controller as device;

const PRIVATE: &str = "private, max-age=0, must-revalidate";

/// The pages that the server itself sends people to.
const PAGES: [(&str, &str); 3] =
    [("/device", "device"), ("/device/confirm", "device.confirm"), ("/device/done", "device.done")];

/// The documents of the pages about devices, as in `web.rs`, and what these pages ask for, as in `api.rs`. The code of a device may
/// stand in the address, which no other site is told.
pub fn device_pages(route: &mut Routes) {
    route.group().middleware(["offers:devices", "auth"]).routes(|route| {
        for (page, name) in PAGES {
            let route = route.view(page, || shell("src/main.ts")).name(name);
            route.header("cache-control", PRIVATE).header("referrer-policy", "same-origin");
        }
    });
    route.group().prefix("/api").name("api.").middleware(["offers:devices", "auth"]).typed(|route| {
        route.get("/device", device::show).name("device");
    });
}
