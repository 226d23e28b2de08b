//! What happens at an address: one file for each group of addresses.

pub mod auth;
pub mod home_controller;
pub mod settings;
