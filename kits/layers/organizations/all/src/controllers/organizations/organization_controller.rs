use housekey::auth::engine::plugins::organization::{
    NewOrganization, OrganizationChanges, OrganizationRef, create_organization, delete_organization,
    leave_organization, list_organizations, set_active_organization, update_organization,
};
use housekey::auth::{CurrentOrganization, api};
use housekey::prelude::*;

use super::slug::free_slug;
use crate::requests::organizations::{OrganizationChangesRequest, OrganizationRequest, SwitchRequest};

/// `POST /organizations`: whoever creates it owns it, and works in it from now on.
pub async fn store(Valid(form): Valid<OrganizationRequest>) -> Result<Redirect> {
    let mut api = api()?;
    let slug = match form.slug.filter(|slug| !slug.is_empty()) {
        Some(slug) => slug,
        None => free_slug(&mut api, &form.name).await?,
    };
    let input = NewOrganization { name: form.name, slug, ..default() };
    let created = create_organization(&mut api, input).await.or_field_error("slug")?;
    let name = created.organization.name;
    Ok(redirect(&route("settings.organization.invitations")?)
        .with("status", t!(":name is ready. Invite the people you work with.", name)))
}

/// `POST /organizations/switch`
pub async fn switch(Valid(form): Valid<SwitchRequest>) -> Result<Redirect> {
    let mut api = api()?;
    // The engine takes who asks for a foreign one out of their own. A form that was left open should not.
    let mine = list_organizations(&mut api).await.or_http_error()?;
    let wanted = mine.into_iter().find(|mine| mine.id == form.organization).ok_or_else(Error::not_found)?;
    set_active_organization(&mut api, Some(OrganizationRef::Id(&wanted.id))).await.or_http_error()?;
    let name = wanted.name;
    // Not back: that page is about the other one.
    Ok(redirect(&route("dashboard")?).with("status", t!("You are in :name now.", name)))
}

/// `PATCH /settings/organization`
pub async fn update(Valid(form): Valid<OrganizationChangesRequest>) -> Result<Redirect> {
    let changes = OrganizationChanges { name: Some(form.name), slug: Some(form.slug), ..default() };
    update_organization(&mut api()?, OrganizationRef::Active, changes).await.or_field_error("slug")?;
    Ok(back().with("status", t("Saved.")))
}

/// `DELETE /settings/organization`
pub async fn destroy(CurrentOrganization(active): CurrentOrganization) -> Result<Redirect> {
    delete_organization(&mut api()?, active.id()).await.or_field_error("organization")?;
    let name = active.name();
    Ok(redirect(&route("organizations")?).with("status", t!(":name is deleted.", name)))
}

/// `POST /settings/organization/leave`
pub async fn leave(CurrentOrganization(active): CurrentOrganization) -> Result<Redirect> {
    leave_organization(&mut api()?, active.id()).await.or_field_error("organization")?;
    let name = active.name();
    Ok(redirect(&route("organizations")?).with("status", t!("You have left :name.", name)))
}
