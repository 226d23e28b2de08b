//! The pages below `/admin`, drawn by the server: nothing of them is in what the browsers of others load.

mod events;
mod pager;
mod user;
mod users;

pub use events::{EventList, EventRow, events};
pub use user::{SessionRow, UserPage, user};
pub use users::{Person, UserList, users};
