//! Who belongs to an organisation, and what they may do there.

mod active;
mod add;
mod has_permission;
mod leave;
mod list;
pub(super) mod owners;
mod people;
mod remove;
mod role;
pub(super) mod roles;
mod roles_of;
pub(super) mod seats;
mod update_role;
mod view;

pub use active::{Membership, active_membership};
pub use add::{NewMember, add_member};
pub use has_permission::{may, member_may};
pub use leave::leave_organization;
pub use list::{MemberFilter, MemberPage, MemberQuery, list_members};
pub(super) use people::{of, with_user};
pub use remove::remove_member;
pub use roles_of::{find_member, member_roles};
pub use update_role::update_member_role;
pub(super) use view::View;

use crate::Endpoint;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        active::endpoint(),
        role::endpoint(),
        list::endpoint(),
        update_role::endpoint(),
        remove::endpoint(),
        leave::endpoint(),
        has_permission::endpoint(),
    ]
}
