use std::ops::Deref;

use housekey_database::Tenant;
use housekey_engine::Value;
use housekey_engine::access::{Permission, Role};
use housekey_engine::plugins::organization::Membership;
use serde::de::DeserializeOwned;

/// The organisation that the present request is for, and the present user as its member. Read from the storage for this request:
/// whoever was removed a second ago has none.
///
/// It stands for the rows of [models](housekey_database::BelongsToOrganization): `Post::of(&organization)`.
#[derive(Clone, Debug)]
pub struct ActiveOrganization {
    membership: Membership,
    allowed: Vec<Role>,
}

impl ActiveOrganization {
    pub(super) fn new(membership: Membership, allowed: Vec<Role>) -> Self {
        Self { membership, allowed }
    }

    pub fn id(&self) -> &str {
        &self.organization.id
    }

    pub fn name(&self) -> &str {
        &self.organization.name
    }

    /// The roles of the present user there.
    pub fn roles(&self) -> impl Iterator<Item = &str> {
        self.member.roles()
    }

    /// Whether the present user has this role there. What somebody may do is better asked with [`may`](Self::may).
    pub fn has_role(&self, name: &str) -> bool {
        self.member.has_role(name)
    }

    /// Whether the present user may do this there: `organization.may("invitation", "create")`. Roles that the organisation
    /// defined itself count.
    pub fn may(&self, resource: &str, action: &str) -> bool {
        self.allows(&Permission::of(resource, [action]))
    }

    /// The same for several things at once. One of the roles has to allow all of it.
    pub fn allows(&self, permission: &Permission) -> bool {
        self.allowed.iter().any(|role| role.allows(permission))
    }

    /// A setting of the organisation: a key of its `metadata`, if it is there and is a `T`.
    ///
    /// Whoever may update the organisation may write anything into its metadata, over the engine's endpoint too. So this is for
    /// what members decide about themselves (a language, a colour). What the app grants (a plan, an early feature) is a
    /// [column](Self::has) that clients cannot set.
    ///
    /// ```
    /// # use housekey_auth::ActiveOrganization;
    /// fn weeks_begin_on_sunday(organization: &ActiveOrganization) -> bool {
    ///     organization.setting("weekBegins").is_some_and(|day: String| day == "sunday")
    /// }
    /// ```
    pub fn setting<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let value = self.organization.metadata.as_ref()?.get(key)?;
        T::deserialize(value).ok()
    }

    /// Whether the organisation has a feature: whether this column of the app's own is `true`. The guard `feature:beta` asks
    /// the same in front of a route.
    pub fn has(&self, feature: &str) -> bool {
        self.organization.fields.get(feature).and_then(Value::as_bool).unwrap_or(false)
    }
}

/// `organization` and `member`, the rows.
impl Deref for ActiveOrganization {
    type Target = Membership;

    fn deref(&self) -> &Membership {
        &self.membership
    }
}

impl Tenant for ActiveOrganization {
    fn tenant_id(&self) -> &str {
        self.id()
    }
}
