//! The pages below `/admin`, drawn by the server: nothing of them is in what the browsers of others load.

mod events;
mod jobs;
mod pager;
mod serious;
mod user;
mod users;

pub use events::{EventList, EventRow, events};
pub use jobs::{BatchRow, FailedRow, JobList, JobRow, QueueRow, jobs};
pub use user::{SessionRow, UserPage, user};
pub use users::{Person, UserList, users};
