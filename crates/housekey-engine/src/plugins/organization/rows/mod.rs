//! The rows of the plugin's tables.

mod invitation;
mod member;
mod organization;
mod organization_role;
mod team;
mod team_member;

pub use invitation::{Invitation, InvitationStatus};
pub use member::{Member, MemberUser, MemberWithUser};
pub use organization::Organization;
pub use organization_role::OrganizationRole;
pub use team::Team;
pub use team_member::TeamMember;
