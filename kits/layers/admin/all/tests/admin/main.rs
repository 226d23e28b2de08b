//! The pages of admins, as a browser without script gets them; and everybody who must not.

mod doors;
mod events;
mod impersonation;
mod jobs;
mod support;
mod user;
mod users;
