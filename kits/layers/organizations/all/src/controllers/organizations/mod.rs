//! Working together: organisations, who is in them, and who is invited. The controllers do what forms ask for; the other
//! files read what pages show.

pub mod addresses;
pub mod invitations;
pub mod invitations_controller;
pub mod invited;
pub mod members;
pub mod members_controller;
pub mod mine;
pub mod organization_controller;
pub mod received_invitations_controller;
pub mod roles;
pub mod slug;
pub mod standing;
