//! What happens at an address: one file for each group of addresses.

pub mod home_controller;

/// Everything below `/api`. It answers in JSON, its errors too.
pub mod api {
    pub mod auth_controller;
    pub mod profile_controller;
}
