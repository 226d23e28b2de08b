//! Guards that ask who is there.
//!
//! | name | lets pass | others |
//! |---|---|---|
//! | `auth` | who is signed in | a browser goes to `redirect_guests_to`, a JSON client gets 401 |
//! | `auth:name` | whom the way [named so](AppIdentity::identify_by) knows | the same |
//! | `auth:api-key` | who sends an [API key](crate::api_key()) that is good | 401; 429 when it was used too often |
//! | `auth:session,api-key` | who is known by one of these | as `auth` |
//! | `api-key:project.read` | whose key allows this | 401 without a key, 403 with another |
//! | `guest` | who is not signed in | a browser goes to `redirect_members_to` |
//! | `verified` | whose address is proven | a browser goes to `redirect_unverified_to`, a JSON client gets 403 |
//! | `password.confirm` | whoever [entered their password](mod@confirm) a while ago | 423, which to a browser is the page that asks for it |
//! | `action:delete-account` | who brings what `demands` in `config/auth.rs` [asks for](crate::Demands) | as `verified` and `password.confirm` do; 429 |
//! | `captcha`, `captcha:/sign-up/email` | who brings what the widget of the captcha answered, with the cargo feature `http-client`; with a path, where the captcha stands before that endpoint | 422 at the field `captcha` |
//! | `offers:two-factor` | everyone, if `config/auth.rs` turns the [feature](crate::Feature) on | 404 |
//! | `member` | who is in an organisation | a browser goes to `redirect_without_organization_to`, a JSON client gets 403 |
//! | `role:owner,admin` | who has one of these roles there | the same; 403 |
//! | `feature:beta` | whose organisation has `true` in this column | 404 |
//! | `admin` | who is an admin, by what the storage says now | 403 |
//! | `can:ability` | whom the [gate](crate::gate) allows it | 403; a guest as `auth` would, unless the ability takes guests |
//! | [`can::<Book>("update")`](can) | whom the gate allows it for the row that the address names | the same; 404 when there is none |

pub(crate) mod action;
mod admin;
mod api_key;
mod auth;
mod can;
#[cfg(feature = "http-client")]
mod captcha;
pub mod confirm;
mod feature;
mod guest;
mod identifiers;
mod identify;
mod intended;
mod member;
mod offers;
mod verified;

pub(crate) use admin::admin;
pub(crate) use api_key::api_key;
pub(crate) use auth::auth;
pub use can::can;
pub(crate) use can::can_named;
#[cfg(feature = "http-client")]
pub(crate) use captcha::captcha;
#[cfg(feature = "passkeys")]
pub use confirm::confirm_with_passkey;
pub use confirm::{
    AppConfirm, ConfirmForm, Confirmation, confirm, confirm_password, confirm_with, is_confirmed, replay,
};
pub(crate) use feature::feature;
pub(crate) use guest::guest;
pub use identifiers::AppIdentity;
pub(crate) use identifiers::Identifiers;
pub(crate) use identify::Identify;
pub use intended::intended;
pub(crate) use member::{member, role};
pub(crate) use offers::offers;
pub(crate) use verified::{unverified, verified};
