use housekey::prelude::*;

use crate::controllers::home_controller;

/// What people open in a browser: one page, which describes the API.
pub fn web(route: &mut Routes) {
    route.get("/", home_controller::index).name("home");

    // For load balancers and uptime checks: says that the process answers and touches nothing else.
    route.get("/health", home_controller::health).name("health");
}
