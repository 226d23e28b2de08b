//! Who may do what: roles that allow actions on resources, and requests that ask for some of them.
//!
//! ```
//! use housekey_engine::access::{AccessControl, Permission, Statements};
//!
//! let control = AccessControl::new(Statements::new().with("article", ["write", "publish"]))
//!     .role("author", Statements::new().with("article", ["write"]))
//!     .unwrap()
//!     .role("editor", Statements::new().with("article", ["write", "publish"]))
//!     .unwrap();
//!
//! assert!(control.allows("author", &Permission::of("article", ["write"])));
//! assert!(!control.allows("author", &Permission::of("article", ["write", "publish"])));
//! assert!(control.allows("author,editor", &Permission::of("article", ["publish"])));
//! ```
//!
//! Several roles do not add up: one of them must allow the whole request by itself, as in the reference.

mod control;
mod permission;
mod role;
mod statements;
#[cfg(test)]
mod tests;

pub use control::{AccessControl, UnknownStatement};
pub use permission::{Connector, Permission};
pub use role::Role;
pub use statements::Statements;

/// The roles that a column or a list names: `admin,user`. Names are not trimmed, as in the reference: `admin, user` names a
/// role ` user`, which nobody defined and which allows nothing.
pub fn role_names(roles: &str) -> impl Iterator<Item = &str> {
    roles.split(',').filter(|name| !name.is_empty())
}
