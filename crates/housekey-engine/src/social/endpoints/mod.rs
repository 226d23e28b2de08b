//! The endpoints of social sign-in. They exist when there is a provider to sign in with.

mod account_info;
mod callback;
mod get_access_token;
mod id_token;
mod link_social;
mod own_account;
mod refresh_token;
mod sign_in_social;
mod start;
mod start_body;

pub use account_info::{AccountInfo, AccountOwner};
pub use get_access_token::AccessToken;
pub use id_token::IdToken;
pub use link_social::LinkSocial;
pub use own_account::AccountChoice;
pub use refresh_token::RefreshedTokens;
pub use sign_in_social::SignInSocial;
pub use start::SocialStart;

use crate::Endpoint;
use crate::options::EngineOptions;

/// The endpoints that some options turn on.
pub(crate) fn of(options: &EngineOptions) -> Vec<Endpoint> {
    if options.social_providers.is_empty() {
        return Vec::new();
    }
    vec![
        sign_in_social::endpoint(),
        callback::endpoint(),
        callback::form_endpoint(),
        link_social::endpoint(),
        get_access_token::endpoint(),
        refresh_token::endpoint(),
        account_info::endpoint(),
    ]
}
