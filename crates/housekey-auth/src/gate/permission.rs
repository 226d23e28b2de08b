use housekey_engine::User;
use housekey_engine::access::Permission;

use crate::ActiveOrganization;

/// An ability of those whose role in the active organisation allows all of these actions on a resource.
///
/// ```
/// use housekey_auth::gate::{AppGate, permission};
/// use housekey_core::ConfigFiles;
/// use housekey_http::App;
///
/// let app = App::new(ConfigFiles::new()).gate(|gate| {
///     gate.define("invite-members", permission("invitation", ["create"]));
/// });
/// # drop(app);
/// ```
// spec: ORG-4
pub fn permission<A, I>(
    resource: &'static str,
    actions: I,
) -> impl Fn(&User, &ActiveOrganization) -> bool + Send + Sync + 'static + use<A, I>
where
    A: Into<String>,
    I: IntoIterator<Item = A>,
{
    let permission = Permission::of(resource, actions);
    move |_: &User, organization: &ActiveOrganization| organization.allows(&permission)
}
