//! What the library does by itself.

use housekey::prelude::*;
use housekey::schedule::Weekday;

use crate::covers;
use crate::jobs::RemindReaders;

pub fn schedule(schedule: &mut Schedule) {
    schedule.daily_at("07:00", job::<RemindReaders>()).timezone("Europe/Berlin").catch_up();
    schedule.weekly_on(Weekday::Sunday, "04:00", covers::sweep).name("sweep covers").without_overlapping();
}
