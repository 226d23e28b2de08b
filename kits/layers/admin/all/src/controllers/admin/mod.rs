//! What admins see and do. The engine's `admin` plugin does it, looks at who asks, and tells what was done: none of it is decided
//! here.

pub mod events_controller;
pub mod impersonation_controller;
pub mod jobs_controller;
pub mod user_controller;
pub mod users_controller;

mod moment;
mod person;

use housekey::axum::http::{HeaderValue, header};
use housekey::prelude::*;

/// Rows on a page of a list.
const ROWS: u32 = 25;

/// The part of a list that a page shows. One row more is asked for than shown: it says that there is a next page, and counting
/// a million rows would take longer than reading these.
fn part(page: u32) -> (u32, u32) {
    let skipped = page.saturating_sub(1).saturating_mul(ROWS);
    (ROWS + 1, skipped)
}

/// A page about other people: no cache keeps it.
fn private(page: View) -> View {
    page.header(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))
}
