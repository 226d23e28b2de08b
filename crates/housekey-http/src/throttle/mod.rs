//! `throttle`: how often one visitor may do a thing. spec: MID-6
//!
//! `"throttle:6,1"` (or [`throttle`]`(6, 1)`) allows six requests per minute and visitor on that route.
//! `"throttle:login"` (or [`throttle_by`]`("login")`) asks the limiter of that name, from `config/throttle.rs` or
//! [`App::limiter`](crate::App::limiter); its routes share what it counts.
//!
//! Attempts are counted in the application cache. When the cache is out of reach a throttled route answers 503: an
//! attacker who manages to break the cache must not win unlimited guesses at passwords by it. A limit that only saves
//! resources can be opened instead, with [`Limit::or_allow`] or for all of them in `config/throttle.rs`.
//!
//! A browser whose form is refused gets the page for a 429, with the time to wait and the way back. Who has a session finds
//! there what was typed. Nothing else is done for a refused request: it must stay cheap to refuse.

mod config;
mod guard;
mod limit;
mod limiters;
mod subject;
mod unavailable;

pub use config::ThrottleConfig;
pub use guard::{throttle, throttle_by};
pub use limit::{Limit, Limits};
pub use limiters::Limiters;
pub use subject::ThrottleSubject;
pub use unavailable::WhenUnavailable;

pub(crate) use guard::factory;
pub(crate) use subject::network;
