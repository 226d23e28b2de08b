//! Whose a key is, and who may see to it.

use http::StatusCode;

use super::{
    ApiKey, ApiKeyConfig, INSUFFICIENT_API_KEY_PERMISSIONS, KEY_NOT_FOUND, ORGANIZATION_PLUGIN_REQUIRED,
    OwnerKind, USER_NOT_MEMBER_OF_ORGANIZATION,
};
use crate::access::Permission;
use crate::plugins::organization::{self, Organization, OrganizationOptions};
use crate::{Api, Result, SecurityEvent, SecurityEventKind, Session, User, codes};

/// Whom an API key belongs to.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyOwner {
    User(Box<User>),
    Organization(Box<Organization>),
}

impl KeyOwner {
    /// The id of the user or the organisation.
    pub fn id(&self) -> &str {
        match self {
            Self::User(user) => &user.id,
            Self::Organization(organization) => &organization.id,
        }
    }

    pub fn user(&self) -> Option<&User> {
        match self {
            Self::User(user) => Some(user),
            Self::Organization(_) => None,
        }
    }

    pub fn organization(&self) -> Option<&Organization> {
        match self {
            Self::User(_) => None,
            Self::Organization(organization) => Some(organization),
        }
    }
}

/// Refuses somebody who may not do this with the keys of an organisation. Whoever has the role of its creator may do everything.
pub(super) async fn require_in_organization(
    api: &Api,
    user_id: &str,
    organization_id: &str,
    action: &str,
) -> Result<()> {
    let Some(options) = api.plugin_state::<OrganizationOptions>() else {
        return Err(ORGANIZATION_PLUGIN_REQUIRED.with(StatusCode::INTERNAL_SERVER_ERROR));
    };
    let member = organization::find_member(api, organization_id, user_id).await?;
    let member = member.ok_or_else(|| USER_NOT_MEMBER_OF_ORGANIZATION.forbidden())?;
    let permission = Permission::of("apiKey", [action]);
    if member.has_role(&options.creator_role) || organization::member_may(api, &member, &permission).await? {
        Ok(())
    } else {
        Err(INSUFFICIENT_API_KEY_PERMISSIONS.forbidden())
    }
}

/// Refuses somebody who may not do this with a key. Of the keys of other users they do not learn that they exist.
pub(super) async fn require(
    api: &Api,
    user_id: &str,
    key: &ApiKey,
    config: &ApiKeyConfig,
    action: &str,
) -> Result<()> {
    match config.references {
        OwnerKind::Organization => require_in_organization(api, user_id, &key.reference_id, action).await,
        OwnerKind::User if key.reference_id == user_id => Ok(()),
        OwnerKind::User => Err(KEY_NOT_FOUND.not_found()),
    }
}

/// Refuses whoever acts as somebody else: a key would still be there when they are gone.
pub(super) fn refuse_impersonation(session: &Session) -> Result<()> {
    match session.impersonated_by() {
        Some(_) => Err(codes::SESSION_NOT_FRESH.forbidden()),
        None => Ok(()),
    }
}

/// Something that somebody did with a key.
pub(super) fn event(
    api: &Api,
    kind: SecurityEventKind,
    user_id: Option<&str>,
    key: &ApiKey,
    config: &ApiKeyConfig,
) -> SecurityEvent {
    let mut event = api.event(kind, user_id).with("key", &key.id);
    if let Some(name) = &key.name {
        event = event.with("name", name);
    }
    match config.references {
        OwnerKind::Organization => event.with("organization", &key.reference_id),
        OwnerKind::User => event,
    }
}
