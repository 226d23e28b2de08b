//! Whose rows a piece of work may touch: the organisation that rows of a [model](crate::BelongsToOrganization) belong to.
//!
//! This crate does not know what an organisation is. It knows an id, from one of three places: somebody [names](Tenant) it,
//! the work runs [inside of one](within_tenant), or the app has a [source](TenantSource) that knows it for the present request.

mod ambient;

pub(crate) use ambient::present;
pub use ambient::{TenantSource, within_tenant};

use std::fmt;
use std::sync::Arc;

/// Something that rows can belong to. In an app it is the active organisation; [`TenantId`] is for code that has only an id.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no organisation that rows could belong to",
    label = "not an organisation",
    note = "in a request, take the active one: `require_organization()?`",
    note = "in a job or a command, which know an id that somebody has checked: `TenantId::new(id)`"
)]
pub trait Tenant {
    /// What the column holds.
    fn tenant_id(&self) -> &str;
}

impl<T: Tenant + ?Sized> Tenant for &T {
    fn tenant_id(&self) -> &str {
        (**self).tenant_id()
    }
}

impl<T: Tenant + ?Sized> Tenant for Arc<T> {
    fn tenant_id(&self) -> &str {
        (**self).tenant_id()
    }
}

/// The id of an organisation, for code without a request: a job, a command, a seeder, a test.
///
/// Text by itself is no tenant: what a visitor wrote into an address would be one, too. Writing `TenantId::new` says that
/// somebody has looked whether it may be this one.
///
/// ```
/// use housekey_database::{Tenant, TenantId};
///
/// assert_eq!(TenantId::new("acme").tenant_id(), "acme");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct TenantId(String);

impl TenantId {
    /// The tenant with this id. Whether the visitor may see it is for the caller to check before.
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }
}

impl Tenant for TenantId {
    fn tenant_id(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for TenantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TenantId({:?})", self.0)
    }
}
