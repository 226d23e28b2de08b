//! Invitations: from somebody who may, to an address, for a while.

mod accept;
mod cancel;
mod find;
mod invite;
mod list;
mod list_own;
mod pending;
mod recipient;
mod reject;

pub use accept::accept_invitation;
pub use cancel::cancel_invitation;
pub use find::{InvitationDetails, invitation};
pub(super) use invite::lock_name;
pub use invite::{NewInvitation, invite_member};
pub use list::list_invitations;
pub(super) use list::{may_list, shown_to};
pub use list_own::{UserInvitation, list_user_invitations};
pub use pending::{PendingInvitation, pending_invitation};
pub use reject::reject_invitation;

use super::{Invitation, fields};
use crate::{Api, Endpoint, Record, Result};

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        invite::endpoint(),
        accept::endpoint(),
        reject::endpoint(),
        cancel::endpoint(),
        find::endpoint(),
        list::endpoint(),
        list_own::endpoint(),
    ]
}

/// An invitation as clients see it.
fn view(api: &Api, invitation: &Invitation) -> Result<Record> {
    fields::view(api, "invitation", &invitation.to_record())
}
