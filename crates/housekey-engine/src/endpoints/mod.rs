//! The core endpoints, one file each: what it reads, what it does (a function of the [`Api`](crate::Api)), what it answers.
//!
//! [`of`] decides which of them exist: an endpoint that no option turns on is not there.

mod change_email;
mod change_password;
mod delete_user;
mod delete_user_callback;
mod error_page;
mod list_accounts;
mod list_sessions;
mod ok;
mod pending_email;
mod request_password_reset;
mod reset_password;
mod reset_password_callback;
mod revoke_other_sessions;
mod revoke_session;
mod revoke_sessions;
mod send_verification_email;
mod session;
mod set_password;
mod sign_in_email;
mod sign_in_password;
mod sign_out;
mod sign_up_email;
mod unlink_account;
mod update_session;
mod update_user;
mod verify_email;
mod verify_password;

pub use change_email::ChangeEmailTo;
pub use change_password::{ChangePassword, ChangedPassword};
pub use delete_user::{DeleteAccount, Deletion};
pub use list_accounts::Account;
pub use reset_password::ResetPassword;
pub use sign_in_email::{SignIn, SignInEmail};
pub use sign_in_password::SignInPassword;
pub use sign_up_email::{SignUpEmail, SignedUp};
pub use update_user::UpdateUser;
pub use verify_email::{EmailLink, VerifiedEmail};

use crate::Endpoint;
use crate::options::{AdditionalField, EngineOptions};

/// The endpoints that some options turn on.
pub(crate) fn of(options: &EngineOptions) -> Vec<Endpoint> {
    let password = &options.email_and_password;
    let reset = password.enabled && password.send_reset_password.is_set();
    let verification = options.email_verification.send_verification_email.is_set();
    let change_email = options.user.change_email.enabled;
    let linking = options.account.account_linking.enabled.unwrap_or(has_providers(options));
    let session_fields = options.session.additional_fields.values().any(AdditionalField::takes_input);
    let deletion = options.user.delete_user.enabled;
    let confirmed_deletion = deletion && options.user.delete_user.send_delete_account_verification.is_set();
    let choices = [
        (password.enabled && !password.disable_sign_up, vec![sign_up_email::endpoint()]),
        (password.enabled, vec![sign_in_email::endpoint()]),
        (true, vec![sign_out::endpoint(), session::endpoint()]),
        (options.session.defer_session_refresh, vec![session::refreshing_endpoint()]),
        (
            reset,
            vec![
                request_password_reset::endpoint(),
                reset_password_callback::endpoint(),
                reset_password::endpoint(),
            ],
        ),
        (verification, vec![send_verification_email::endpoint()]),
        (verification || change_email, vec![verify_email::endpoint()]),
        (change_email, vec![change_email::endpoint()]),
        (password.enabled, vec![change_password::endpoint()]),
        (true, vec![update_user::endpoint()]),
        (session_fields, vec![update_session::endpoint()]),
        (deletion, vec![delete_user::endpoint()]),
        (confirmed_deletion, vec![delete_user_callback::endpoint()]),
        (
            options.session.management,
            vec![
                list_sessions::endpoint(),
                revoke_session::endpoint(),
                revoke_sessions::endpoint(),
                revoke_other_sessions::endpoint(),
                // The reference always serves it. Here it comes with what lets people see how they are signed in, which
                // is on by default: so it is there as in the reference, and email and password alone are twelve.
                list_accounts::endpoint(),
            ],
        ),
        // Without another way in there is nothing to take away.
        (linking, vec![unlink_account::endpoint()]),
        (true, vec![ok::endpoint(), error_page::endpoint()]),
    ];
    let endpoints = choices.into_iter().filter(|(on, _)| *on).flat_map(|(_, endpoints)| endpoints);
    #[cfg(feature = "social")]
    let endpoints = endpoints.chain(crate::social::endpoints_of(options));
    endpoints.collect()
}

#[cfg(feature = "social")]
fn has_providers(options: &EngineOptions) -> bool {
    !options.social_providers.is_empty()
}

#[cfg(not(feature = "social"))]
fn has_providers(_: &EngineOptions) -> bool {
    false
}
