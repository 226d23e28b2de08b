//! The pages of organisations: choosing and creating one, looking after it, and answering an invitation.

mod choose;
mod create;
mod general;
mod invitation;
mod invitations;
mod members;

pub use choose::{Choose, ReceivedRow, choose};
pub use create::{Create, create};
pub use general::{General, general};
pub use invitation::{Invitation, Welcome, invitation};
pub use invitations::{InvitationRow, Invitations, invitations};
pub use members::{MemberRow, Members, members};
