//! One file for each page: a function that draws it, and before it what the page wants to know. Controllers fill that in;
//! pages ask for nothing themselves.

pub mod by_mail;
pub mod settings;

mod confirm_password;
mod dashboard;
mod forgot_password;
mod reset_password;
mod sign_in;
mod sign_up;
mod two_factor_challenge;
mod verify_email;
mod welcome;

pub use confirm_password::{ConfirmPassword, confirm_password};
pub use dashboard::{Dashboard, dashboard};
pub use forgot_password::{ForgotPassword, forgot_password};
pub use reset_password::{ResetPassword, reset_password};
pub use sign_in::{SignIn, sign_in};
pub use sign_up::{SignUp, sign_up};
pub use two_factor_challenge::{TwoFactorChallenge, two_factor_challenge};
pub use verify_email::{EmailLink, VerifyEmail, verify_email};
pub use welcome::{Welcome, welcome};
