//! Where people are sent. The auth layer names places only by these, so another frontend can put them elsewhere.

/// After a sign-out.
pub const HOME: &str = "/";
/// Where members go.
pub const DASHBOARD: &str = "/dashboard";
/// Where guests go.
pub const SIGN_IN: &str = "/sign-in";
/// Where a code is asked for after the password.
pub const TWO_FACTOR_CHALLENGE: &str = "/two-factor-challenge";
/// Where somebody waits until they have opened the link in their mail.
pub const VERIFY_EMAIL: &str = "/verify-email";
/// Where the link that proves an address leads.
pub const CONFIRM_EMAIL: &str = "/verify-email/confirm";
/// Where the link to the old address leads.
pub const CONFIRM_NEW_EMAIL: &str = "/change-email/confirm";
/// Where somebody who is not in yet is told to look into their mail.
pub const CHECK_MAIL: &str = "/verify-email/sent";
/// Where a new password is asked for.
pub const FORGOT_PASSWORD: &str = "/forgot-password";
/// Where the link to a new password leads.
pub const RESET_PASSWORD: &str = "/reset-password";
/// Where people look after their account.
pub const PROFILE: &str = "/settings/profile";
/// The page of the second factor.
pub const TWO_FACTOR: &str = "/settings/two-factor";
