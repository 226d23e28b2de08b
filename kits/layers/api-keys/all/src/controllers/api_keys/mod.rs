//! Keys with which programs act for people.

pub mod keys;
pub mod keys_controller;
pub mod lifetimes;
pub mod me_controller;
