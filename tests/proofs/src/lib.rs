//! A small shop with a film archive, for what no single test can show: `cargo xtask prove kills` starts it as several
//! processes (`serve`, `queue:work`, `schedule:work`) and kills them, `cargo xtask prove uploads` sends it a film of 2 GiB.
//!
//! Everything that happens in [`orders`] and [`schedule`] is written into tables, so that the proof can count it.

mod films;
mod orders;
mod schedule;

use housekey::prelude::*;

housekey::config!();
housekey::migrations!();

/// The whole app.
pub fn app() -> App {
    housekey::app(config::files())
        .migrations(migrations::all())
        .jobs(orders::jobs())
        .listeners(orders::listeners())
        .schedule(schedule::schedule)
        .routes(routes)
}

fn routes(route: &mut Routes) {
    route.get("/health", async || "up");
    // Called by a program that has no cookies, so nothing can be forged.
    route.group().without_csrf().routes(|route| {
        route.post("/orders/{number}", orders::order);
        route.post("/films", films::store).body_limit(films::LARGEST + 1024 * 1024);
    });
    route.get("/films/{name}", films::show);
}
