//! Behaviour through the front door: requests to `Engine::handle`, and what the storage holds afterwards.

mod account;
mod bearer;
mod cookie_cache;
mod email;
mod endpoints;
mod events;
mod faults;
mod guessing;
mod hooks;
mod in_flight;
mod origin;
mod password_reset;
mod password_rules;
mod plugin;
mod rate_limit;
mod recovery;
mod reference;
mod sessions;
mod sign_in;
mod sign_up;
mod two_factor;
mod wire;
