//! The organisation that the present request is for.
//!
//! - [`organization`] and [`require_organization`] say which; [`CurrentOrganization`] is the extractor.
//! - [`ActiveOrganization`] is the organisation and what the present user is there: roles, permissions, settings.
//! - [`invited`] is an invitation that somebody holds in their hands, with an account or without.

mod active;
mod extract;
mod invited;
mod present;
mod proof;

pub use active::ActiveOrganization;
pub use extract::CurrentOrganization;
pub use invited::{Invited, InvitedOutcome, InvitedSignUp, invited};
pub(crate) use present::{find_out, known, none_active};
pub use present::{organization, refresh_organization, require_organization};
pub(crate) use proof::prove;
