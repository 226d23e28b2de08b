use std::fmt;
use std::future::Future;

use housekey_core::service;

use super::{Tenant, TenantId};

tokio::task_local! {
    static WITHIN: TenantId;
}

/// Runs some work inside of an organisation: models that belong to one mean its rows, whatever the present request says.
/// For jobs, commands, seeders and tests.
///
/// ```
/// use housekey_database::{TenantId, within_tenant};
///
/// # async fn example(organization_id: String) {
/// within_tenant(&TenantId::new(organization_id), async {
///     // Post::query()? means the posts of this organisation.
/// })
/// .await;
/// # }
/// ```
///
/// Like a transaction, it holds for this task and not for one that the work spawns.
pub fn within_tenant<T, F>(tenant: &T, work: F) -> impl Future<Output = F::Output> + use<T, F>
where
    T: Tenant + ?Sized,
    F: Future,
{
    WITHIN.scope(TenantId::new(tenant.tenant_id()), work)
}

/// What knows which organisation the present request is for. A service of the app; who brings accounts brings it.
pub struct TenantSource(Box<Find>);

type Find = dyn Fn() -> Option<String> + Send + Sync;

impl TenantSource {
    /// Asks this function, whenever a model needs to know.
    pub fn new(find: impl Fn() -> Option<String> + Send + Sync + 'static) -> Self {
        Self(Box::new(find))
    }
}

impl fmt::Debug for TenantSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TenantSource")
    }
}

/// The organisation that the running task is in, if it is in one.
pub(crate) fn present() -> Option<TenantId> {
    let named = WITHIN.try_with(Clone::clone).ok();
    named.or_else(|| service::<TenantSource>().and_then(|source| (source.0)()).map(TenantId::new))
}
