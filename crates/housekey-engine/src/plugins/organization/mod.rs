//! Organisations: people who work together, with roles, invitations, teams and roles of their own.
//!
//! ```
//! use housekey_engine::options::EngineOptions;
//! use housekey_engine::plugins::organization;
//! use housekey_engine::{Engine, MemoryStorage};
//!
//! let options = EngineOptions { secret: "a secret of at least thirty-two characters".into(), ..Default::default() };
//! let plugins = [organization(Default::default())];
//! let engine = Engine::builder(options).plugins(plugins).build(MemoryStorage::new()).unwrap();
//! assert!(engine.endpoints().iter().any(|endpoint| endpoint.path() == "/organization/create"));
//! ```
//!
//! The functions of this module are the endpoints for server code: [`create_organization`], [`invite_member`], … They ask for the
//! same permissions. [`add_member`] and [`pending_invitation`] ask for none, and have no endpoint.
//!
//! # Where this differs from the reference
//!
//! - The database decides who is a member, who is invited and what a role is called: a read that was overtaken decides nothing.
//!   Owners, seats and limits hold when many come at once.
//! - Whoever is removed, and whatever is deleted, has no effect left at the next request: sessions are taken out of the
//!   organisation, and every endpoint reads the membership from the storage.
//! - The copy of the session in the cookie is made again by whatever moves it to another organisation.
//! - Somebody who signs in is where they were last.
//! - No list is cut at 100.
//! - Nobody deletes their account and leaves an organisation without an owner.

mod access;
mod caller;
mod codes;
mod events;
mod fields;
mod hooks;
mod invitations;
mod limit;
mod members;
mod options;
mod organization_ref;
mod organizations;
mod removal;
mod roles;
mod rows;
mod schema;
mod session;
mod teams;

use std::sync::Arc;

use access::AccessOptions;
pub use access::{admin_statements, default_access, default_statements, member_statements, owner_statements};
pub use codes::*;
pub use hooks::{
    Before, InvitationHook, MemberHook, OrganizationHook, OrganizationHooks, TeamHook, TeamMemberHook,
};
pub use invitations::{
    InvitationDetails, NewInvitation, PendingInvitation, UserInvitation, accept_invitation,
    cancel_invitation, invitation, invite_member, list_invitations, list_user_invitations,
    pending_invitation, reject_invitation,
};
pub use members::{
    MemberFilter, MemberPage, MemberQuery, Membership, NewMember, active_membership, add_member, find_member,
    leave_organization, list_members, may, member_may, member_roles, remove_member, update_member_role,
};
pub use options::{
    Allowed, DynamicRoles, InvitationMail, Limit, LimitQuestion, OrganizationOptions, TeamOptions,
};
pub use organization_ref::OrganizationRef;
pub use organizations::{
    CreatedOrganization, FullOrganization, NewOrganization, OrganizationChanges, create_organization,
    delete_organization, find_organization, full_organization, list_organizations, set_active_organization,
    slug_is_free, update_organization,
};
pub use roles::{
    NewRole, RoleChanges, RoleRef, create_role, delete_role, find_role, list_roles, update_role,
};
pub use rows::{
    Invitation, InvitationStatus, Member, MemberUser, MemberWithUser, Organization, OrganizationRole, Team,
    TeamMember,
};
pub use teams::{
    NewTeam, TeamChanges, add_team_member, create_team, list_team_members, list_teams, list_user_teams,
    remove_team, remove_team_member, set_active_team, update_team,
};

use crate::{Api, ApiError, Plugin, Result};

/// How often a change is tried again that met another one.
const ATTEMPTS: usize = 16;

/// Organisations: people who work together, with roles, invitations, teams and roles of their own.
pub fn organization(options: OrganizationOptions) -> Plugin {
    let plugin = Plugin::new("organization")
        .session_fields(|api, user_id| Box::pin(session::restored(api, user_id)))
        .removal_guard(|api, changes, user| Box::pin(removal::before_removal(api, changes, user)));
    let mut endpoints = organizations::endpoints();
    endpoints.extend(invitations::endpoints());
    endpoints.extend(members::endpoints());
    endpoints.extend(teams::endpoints(&options));
    endpoints.extend(roles::endpoints(&options));
    let plugin = endpoints.into_iter().fold(plugin, Plugin::endpoint);
    let plugin = match schema::schema(&options) {
        Ok(schema) => plugin.schema(schema),
        Err(problem) => plugin.problem(problem.to_string()),
    };
    let plugin = match options.problem() {
        Some(problem) => plugin.problem(problem),
        None => plugin,
    };
    plugin.state(Arc::new(options))
}

/// The plugin's options, as far as the engine has the plugin.
fn options(api: &Api) -> Result<Arc<OrganizationOptions>> {
    let options = api.plugin_state();
    options.ok_or_else(|| {
        ApiError::internal("the organization plugin was called", "it is not among the engine's plugins")
    })
}

/// So many others change the same thing at the same moment that this one was always late.
fn too_busy() -> ApiError {
    ApiError::too_busy(std::time::Duration::from_secs(1))
}
