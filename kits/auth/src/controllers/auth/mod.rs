//! Getting in and out.

pub mod accounts_controller;
pub mod captcha;
pub mod confirm_password_controller;
pub mod email_code_controller;
pub mod email_verification_controller;
pub mod last_used;
pub mod leaving;
pub mod magic_link_controller;
pub mod password_reset_controller;
pub mod sign_in_controller;
pub mod sign_up_controller;
pub mod signing_in_again;
pub mod social_controller;
pub mod social_errors;
pub mod two_factor_challenge_controller;
pub mod usernames;
pub mod visitor;
