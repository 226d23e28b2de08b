//! The library, through the front door.

mod api;
mod audit;
mod books;
mod covers;
mod export;
mod invitations;
mod live;
mod loans;
mod reminders;
mod support;
mod tags;
