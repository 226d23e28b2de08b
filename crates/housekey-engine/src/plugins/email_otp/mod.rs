//! Codes that are sent by mail: to sign in, to prove an address, to set a new password, to move to another address.
//!
//! ```
//! use housekey_engine::options::EngineOptions;
//! use housekey_engine::plugins::email_otp::{EmailOtpMail, EmailOtpOptions, email_otp};
//! use housekey_engine::{Callback, Engine};
//!
//! let send_verification_otp = Callback::new(|mail: EmailOtpMail| async move {
//!     println!("to {}: a code for {}", mail.email, mail.kind);
//!     Ok::<_, std::io::Error>(())
//! });
//! let codes = email_otp(EmailOtpOptions { send_verification_otp, ..Default::default() });
//! let builder = Engine::builder(EngineOptions::default()).plugins([codes]);
//! # let _ = builder;
//! ```
//!
//! A code is short, so what protects it is how often it may be tried. Every try is counted before it is compared: in the row of the
//! code, three times, and over all codes of an address where rate limits are on.
//!
//! The functions of this module are the endpoints for server code: [`send`], [`sign_in`], [`verify_email`], …

mod change_email;
mod check;
mod codes;
mod kind;
mod on_sign_up;
mod options;
mod request_email_change;
mod request_password_reset;
mod reset_password;
mod row;
mod send;
mod server_only;
mod sign_in;
mod stored;
mod verify_email;

use std::sync::Arc;

pub use change_email::change_email;
pub use check::check;
pub use codes::{INVALID_OTP, OTP_EXPIRED, TOO_MANY_ATTEMPTS};
pub use kind::EmailOtpType;
pub use options::{ChangeEmailByCode, EmailOtpMail, EmailOtpOptions, ResendStrategy, StoredCode};
pub use request_email_change::request_email_change;
pub use request_password_reset::request_password_reset;
pub use reset_password::reset_password;
pub use send::send;
pub use server_only::{code, create_code};
pub use sign_in::{SignInEmailOtp, sign_in};
pub use verify_email::verify_email;

use crate::{Api, ApiError, Plugin, Result};

/// Fewer digits than this can be guessed within the tries that there are.
const SHORTEST_CODE: usize = 6;

/// The plugin. Without [`send_verification_otp`](EmailOtpOptions::send_verification_otp) it serves nothing.
pub fn email_otp(options: EmailOtpOptions) -> Plugin {
    let mut plugin = Plugin::new("email-otp");
    if options.otp_length < SHORTEST_CODE {
        plugin = plugin
            .problem(format!("otp_length must be at least {SHORTEST_CODE}: shorter codes can be guessed"));
    }
    if options.send_verification_otp.is_set() {
        let endpoints = [
            send::endpoint(),
            check::endpoint(),
            verify_email::endpoint(),
            sign_in::endpoint(),
            request_password_reset::endpoint(),
            request_password_reset::former_endpoint(),
            reset_password::endpoint(),
            request_email_change::endpoint(),
            change_email::endpoint(),
        ];
        for endpoint in endpoints {
            plugin = plugin.rate_rule(endpoint.path().to_owned(), options.rate_limit).endpoint(endpoint);
        }
        plugin = plugin.mailed_ways_in(|api, changes, user| Box::pin(row::end_all_in(api, changes, user)));
        if options.override_default_email_verification {
            plugin = plugin.verification_mail(|api, user| {
                Box::pin(send::deliver(api, &user.email, EmailOtpType::EmailVerification))
            });
        } else if options.send_verification_on_sign_up {
            plugin = plugin.after(|api, response| Box::pin(on_sign_up::send_after(api, response)));
        }
    }
    plugin.state(Arc::new(options))
}

/// The plugin's options, as far as the engine has the plugin.
fn options(api: &Api) -> Result<Arc<EmailOtpOptions>> {
    let options = api.plugin_state();
    options.ok_or_else(|| {
        ApiError::internal("the email-otp plugin was called", "it is not among the engine's plugins")
    })
}
