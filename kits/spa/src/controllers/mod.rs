//! What happens at an address: `auth` and `settings` hold what forms do, `api` what pages ask for.

pub mod api;
pub mod auth;
pub mod home_controller;
pub mod settings;
