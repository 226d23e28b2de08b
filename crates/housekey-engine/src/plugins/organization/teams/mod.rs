//! Teams: some of the members of an organisation.
//!
//! How many belong to one is kept with it (`memberCount`), and is right however many join and leave at the same moment: whoever
//! changes it says from which number ([`seats`]).

mod add_member;
mod create;
mod find;
mod first;
mod invited;
mod leave;
mod list;
mod list_members;
mod list_of_user;
mod remove;
mod remove_member;
mod seats;
mod set_active;
mod update;

pub use add_member::add_team_member;
pub use create::{NewTeam, create_team};
pub(super) use find::of;
pub(super) use first::{first_in, first_made};
pub(super) use invited::{check_invited, join_invited_in};
pub(super) use leave::leave_in;
pub use list::list_teams;
pub use list_members::list_team_members;
pub use list_of_user::list_user_teams;
pub use remove::remove_team;
pub use remove_member::remove_team_member;
pub use set_active::set_active_team;
pub use update::{TeamChanges, update_team};

use super::OrganizationOptions;
use crate::{Api, ApiError, Endpoint, Result};

/// The endpoints, which are there only with teams.
pub(super) fn endpoints(options: &OrganizationOptions) -> Vec<Endpoint> {
    if options.teams.is_none() {
        return Vec::new();
    }
    vec![
        create::endpoint(),
        list::endpoint(),
        update::endpoint(),
        remove::endpoint(),
        set_active::endpoint(),
        list_of_user::endpoint(),
        list_members::endpoint(),
        add_member::endpoint(),
        remove_member::endpoint(),
    ]
}

/// Refuses server code that asks for teams where there are none.
fn check_enabled(api: &Api) -> Result<()> {
    match super::options(api)?.teams {
        Some(_) => Ok(()),
        None => {
            Err(ApiError::internal("teams were asked for", "`teams` of the organization plugin is unset"))
        }
    }
}
