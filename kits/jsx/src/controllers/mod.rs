//! What happens at an address: `auth` and `settings` hold what forms do, `pages` what is shown.

pub mod auth;
pub mod home_controller;
pub mod pages;
pub mod settings;
