use serde_json::Value as Json;

use super::super::hooks::{TeamHook, ask};
use super::super::{
    Member, NO_ACTIVE_ORGANIZATION, NO_DATA_TO_UPDATE, ORGANIZATION_NOT_FOUND, Organization, OrganizationRef,
    TEAM_NOT_FOUND, Team, YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM, caller, fields,
};
use super::find;
use crate::storage::Filter;
use crate::{Api, Commit, Endpoint, Field, Record, Reply, Result, Shape, type_of};

/// What about a team is to be another.
#[derive(Clone, Debug, Default)]
pub struct TeamChanges {
    pub name: Option<String>,
    /// The columns of the app's own.
    pub fields: Record,
}

/// `POST /organization/update-team`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/update-team", |api| Box::pin(answer(api)))
        .about("Changes a team.")
        .takes([
            Field::text("teamId"),
            Field::new(
                "data",
                Shape::object([Field::text("name").optional(), Field::text("organizationId").optional()]),
            ),
        ])
        .answers(Shape::row("team"))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let team_id = body.text("teamId");
    let data = body.record("data");
    let mut text = |field: &str| match data.get(field) {
        None => None,
        Some(Json::String(text)) if !text.contains('\0') => Some(text.clone()),
        other => {
            let what = format!("Invalid input: expected string, received {}", type_of(other));
            body.add_error(&format!("data.{field}"), &what);
            None
        }
    };
    let (name, id) = (text("name"), text("organizationId"));
    if name.as_deref() == Some("") {
        body.add_error("data.name", "Too small: expected string to have >=1 characters");
    }
    body.finish()?;
    let fields = fields::input(api, "team", &data, "body.data", false)?;
    let organization = OrganizationRef::named(id.as_deref(), None);
    let team = update_team(api, organization, &team_id, TeamChanges { name, fields }).await?;
    Reply::json(&api.row_view("team", &team.to_record())?)
}

/// Changes a team. It stays in its organisation.
// spec: ORG-1
pub async fn update_team(
    api: &mut Api,
    organization: OrganizationRef<'_>,
    team_id: &str,
    changes: TeamChanges,
) -> Result<Team> {
    super::check_enabled(api)?;
    let signed_in = caller::signed_in(api).await?;
    let id = organization.id(api, &signed_in).await?;
    let id = id.ok_or_else(|| NO_ACTIVE_ORGANIZATION.bad_request())?;
    let denied = YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM;
    let member = Member::of(api, &id, &signed_in.user.id).await?.ok_or_else(|| denied.forbidden())?;
    caller::require(api, &member, "team", "update", denied).await?;
    let team = find::team_of(api, &id, team_id).await?;
    let organization = Organization::with_id(api, &id).await?;
    let organization = organization.ok_or_else(|| ORGANIZATION_NOT_FOUND.bad_request())?;
    let mut record = changes.fields;
    if let Some(name) = changes.name {
        record.set("name", name);
    }
    if record.is_empty() {
        return Err(NO_DATA_TO_UPDATE.bad_request());
    }
    let options = super::super::options(api)?;
    let hook = |team: &Team, changes: Record| TeamHook {
        organization: organization.clone(),
        team: team.clone(),
        user: Some((*signed_in.user).clone()),
        changes,
    };
    let asked = ask(&options.hooks.before_update_team, hook(&team, record.clone())).await?;
    record.merge(asked);
    for fixed in ["id", "organizationId", "memberCount"] {
        record.take(fixed);
    }
    let mut changes = api.changes();
    let own = Filter::by("id", &team.id).and_by("organizationId", &id);
    let written = changes.update_expecting("team", own, record.clone()).await?;
    if changes.commit().await? == Commit::Lost {
        return Err(TEAM_NOT_FOUND.bad_request());
    }
    let mut row = team.to_record();
    row.merge(written);
    let team = Team::from_record(row)?;
    options.hooks.after_update_team.call_or_log("after_update_team", hook(&team, record)).await;
    Ok(team)
}
