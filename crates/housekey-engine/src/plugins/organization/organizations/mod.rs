//! Organisations themselves.

mod check_slug;
mod create;
mod delete;
mod find;
mod full;
mod list;
mod set_active;
mod update;
mod view;

pub use check_slug::slug_is_free;
pub(super) use create::lock_name;
pub use create::{CreatedOrganization, NewOrganization, create_organization};
pub(super) use delete::delete_in;
pub use delete::delete_organization;
pub use find::find_organization;
pub use full::{FullOrganization, full_organization};
pub use list::list_organizations;
pub use set_active::set_active_organization;
pub use update::{OrganizationChanges, update_organization};

use crate::Endpoint;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        create::endpoint(),
        check_slug::endpoint(),
        list::endpoint(),
        find::endpoint(),
        full::endpoint(),
        set_active::endpoint(),
        update::endpoint(),
        delete::endpoint(),
    ]
}
