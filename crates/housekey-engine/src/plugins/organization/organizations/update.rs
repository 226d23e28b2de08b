use http::StatusCode;
use serde_json::{Map, Value as Json};

use super::super::{
    ATTEMPTS, Member, NO_DATA_TO_UPDATE, ORGANIZATION_NOT_FOUND, ORGANIZATION_SLUG_ALREADY_TAKEN,
    Organization, OrganizationHook, OrganizationRef, USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
    YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION, caller, fields, hooks, too_busy,
};
use super::view;
use crate::storage::Filter;
use crate::{
    Api, ApiError, Commit, Endpoint, Field, Reader, Record, Reply, Result, Shape, User, Value, type_of,
};

/// What is to be different about an organisation; what is unset stays.
#[derive(Clone, Debug, Default)]
pub struct OrganizationChanges {
    pub name: Option<String>,
    pub slug: Option<String>,
    /// `Some(None)` takes it away.
    pub logo: Option<Option<String>>,
    pub metadata: Option<Map<String, Json>>,
    /// Columns of the app's own.
    pub fields: Record,
}

/// `POST /organization/update`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/update", |api| Box::pin(answer(api)))
        .about("Changes an organisation, for a member who may.")
        .takes([
            Field::new(
                "data",
                Shape::object([
                    Field::text("name").optional(),
                    Field::text("slug").optional(),
                    Field::url("logo").or_null().optional(),
                    Field::new("metadata", Shape::map(Shape::any())).optional(),
                ]),
            ),
            Field::text("organizationId").optional().about("The active one by itself."),
        ])
        .answers(Shape::row_with("organization", [view::metadata()]))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let data = match body.all().remove("data") {
        Some(Json::Object(data)) => data,
        other => {
            let received = type_of(other.as_ref());
            body.add_error("data", &format!("Invalid input: expected object, received {received}"));
            Map::new()
        }
    };
    let id = body.optional_text("organizationId");
    body.finish()?;
    let mut reader = Reader::of_fields("body.data", data.clone());
    let has = |field: &str| data.contains_key(field);
    let changes = OrganizationChanges {
        name: has("name").then(|| reader.some_text("name")),
        slug: has("slug").then(|| reader.some_text("slug")),
        logo: has("logo").then(|| reader.nullable_text("logo")),
        metadata: reader.optional_record("metadata"),
        fields: Record::new(),
    };
    reader.finish()?;
    let fields = fields::input(api, "organization", &data, "body.data", false)?;
    let changes = OrganizationChanges { fields, ..changes };
    let updated = update_organization(api, OrganizationRef::named(id.as_deref(), None), changes).await?;
    Reply::json(&view::written(api, &updated)?)
}

/// Changes an organisation, for a member who may.
pub async fn update_organization(
    api: &mut Api,
    which: OrganizationRef<'_>,
    wanted: OrganizationChanges,
) -> Result<Organization> {
    let nobody = || ApiError::message_only(StatusCode::UNAUTHORIZED, "User not found");
    let signed_in = caller::signed_in_or(api, nobody).await?;
    let id = which.id(api, &signed_in).await?.ok_or_else(|| ORGANIZATION_NOT_FOUND.bad_request())?;
    let member = Member::of(api, &id, &signed_in.user.id).await?;
    let member = member.ok_or_else(|| USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION.bad_request())?;
    let denied = YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION;
    caller::require(api, &member, "organization", "update", denied).await?;
    let mut record = record(wanted);
    if record.is_empty() {
        return Err(NO_DATA_TO_UPDATE.bad_request());
    }
    let options = super::super::options(api)?;
    let hook = |organization: &Organization, changes: &Record| OrganizationHook {
        organization: organization.clone(),
        user: User::clone(&signed_in.user),
        member: Some(member.clone()),
        changes: changes.clone(),
    };
    let before = find(api, &id).await?;
    record.merge(hooks::ask(&options.hooks.before_update_organization, hook(&before, &record)).await?);
    for _ in 0..ATTEMPTS {
        let before = find(api, &id).await?;
        if let Some(slug) = record.text("slug")
            && Organization::with_slug(api, slug).await?.is_some_and(|other| other.id != id)
        {
            return Err(ORGANIZATION_SLUG_ALREADY_TAKEN.bad_request());
        }
        let mut changes = api.changes();
        let written = changes.update_expecting("organization", Filter::by("id", &id), record.clone()).await?;
        if changes.commit().await? == Commit::Done {
            let after = before.changed(written)?;
            let told = hook(&after, &record);
            options.hooks.after_update_organization.call_or_log("afterUpdateOrganization", told).await;
            return Ok(after);
        }
    }
    Err(too_busy())
}

async fn find(api: &Api, id: &str) -> Result<Organization> {
    Organization::with_id(api, id).await?.ok_or_else(|| ORGANIZATION_NOT_FOUND.bad_request())
}

fn record(wanted: OrganizationChanges) -> Record {
    let OrganizationChanges { name, slug, logo, metadata, fields } = wanted;
    let mut record = Record::new();
    if let Some(name) = name {
        record.set("name", name);
    }
    if let Some(slug) = slug {
        record.set("slug", slug);
    }
    if let Some(logo) = logo {
        record.set("logo", Value::from(logo));
    }
    if let Some(metadata) = metadata {
        record.set("metadata", Json::Object(metadata).to_string());
    }
    record.merge(fields);
    record
}
