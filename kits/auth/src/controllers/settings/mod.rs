//! Looking after an account.

pub mod account_controller;
pub mod connected_accounts_controller;
pub mod history;
pub mod passkeys_controller;
pub mod password_controller;
pub mod place;
pub mod profile_controller;
pub mod sessions_controller;
pub mod two_factor_controller;
pub mod ways_in;
