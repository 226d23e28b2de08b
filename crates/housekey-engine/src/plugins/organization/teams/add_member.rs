use http::StatusCode;
use serde_json::Value as Json;

use super::super::hooks::{TeamMemberHook, ask};
use super::super::{
    ATTEMPTS, Member, NO_ACTIVE_ORGANIZATION, ORGANIZATION_NOT_FOUND, Organization, OrganizationRef, Team,
    TeamMember, USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION, YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER,
    caller, too_busy,
};
use super::{find, seats};
use crate::{Api, ApiError, Commit, Endpoint, ErrorCode, Field, Reply, Result, Shape, User};

/// `POST /organization/add-team-member`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/add-team-member", |api| Box::pin(answer(api)))
        .about("Takes a member of an organisation into one of its teams.")
        .takes([
            Field::text("teamId"),
            Field::text("userId"),
            Field::text("organizationId").optional().about("The active one by itself."),
        ])
        .answers(Shape::row("teamMember"))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let (team_id, user_id, id) = read(api)?;
    let organization = OrganizationRef::named(id.as_deref(), None);
    let member = add_team_member(api, organization, &team_id, &user_id).await?;
    Reply::json(&api.row_view("teamMember", &member.to_record())?)
}

/// The team, the user and the organisation that a body names.
pub(super) fn read(api: &Api) -> Result<(String, String, Option<String>)> {
    let mut body = api.request().read_body();
    let team_id = body.text("teamId");
    // Numbers are ids too: so it is in the reference.
    let user_id = match body.value("userId") {
        Json::String(_) => body.text("userId"),
        other => other.to_string(),
    };
    let id = body.optional_text("organizationId");
    body.finish()?;
    Ok((team_id, user_id, id))
}

/// Takes a member of an organisation into one of its teams. Whoever is in it already stays in it.
// spec: ORG-2
pub async fn add_team_member(
    api: &mut Api,
    organization: OrganizationRef<'_>,
    team_id: &str,
    user_id: &str,
) -> Result<TeamMember> {
    let about = About::read(
        api,
        organization,
        (team_id, user_id),
        ("update", YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER),
    )
    .await?;
    let options = super::super::options(api)?;
    let wanted = TeamMember {
        id: String::new(),
        team_id: team_id.to_owned(),
        user_id: user_id.to_owned(),
        created_at: Some(api.clock().now()),
    };
    let mut fields = ask(&options.hooks.before_add_team_member, about.hook(&wanted)).await?;
    fields.take("id");
    for _ in 0..ATTEMPTS {
        let team = find::team_of(api, &about.organization.id, team_id).await?;
        let mut joined = find::membership(api, team_id, user_id).await?;
        if joined.is_none() {
            seats::check_free(&options, &about.organization, &team, &about.user).await?;
            let mut changes = api.changes();
            let new = seats::take_in(api, &mut changes, &team, user_id, fields.clone()).await?;
            if changes.commit().await? == Commit::Done {
                joined = Some(new);
            }
        }
        if let Some(joined) = joined {
            options
                .hooks
                .after_add_team_member
                .call_or_log("after_add_team_member", about.hook(&joined))
                .await;
            return Ok(joined);
        }
    }
    Err(too_busy())
}

/// Somebody who is to join or leave a team, and that the caller may see to it.
pub(super) struct About {
    pub(super) organization: Organization,
    pub(super) team: Team,
    pub(super) user: User,
}

impl About {
    /// Finds them. `action` on members is what the caller must be allowed, and the code what is said otherwise.
    pub(super) async fn read(
        api: &mut Api,
        organization: OrganizationRef<'_>,
        (team_id, user_id): (&str, &str),
        (action, denied): (&str, ErrorCode),
    ) -> Result<Self> {
        super::check_enabled(api)?;
        let signed_in = caller::signed_in(api).await?;
        let id = organization.id(api, &signed_in).await?;
        let id = id.ok_or_else(|| NO_ACTIVE_ORGANIZATION.bad_request())?;
        let stranger = || USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION.bad_request();
        let member = Member::of(api, &id, &signed_in.user.id).await?.ok_or_else(stranger)?;
        caller::require(api, &member, "member", action, denied).await?;
        Member::of(api, &id, user_id).await?.ok_or_else(stranger)?;
        let team = find::team_of(api, &id, team_id).await?;
        let organization = Organization::with_id(api, &id).await?;
        let organization = organization.ok_or_else(|| ORGANIZATION_NOT_FOUND.bad_request())?;
        let user = api.user(user_id).await?;
        let user = user.ok_or_else(|| ApiError::message_only(StatusCode::BAD_REQUEST, "User not found"))?;
        Ok(Self { organization, team, user })
    }

    pub(super) fn hook(&self, team_member: &TeamMember) -> TeamMemberHook {
        TeamMemberHook {
            organization: self.organization.clone(),
            team: self.team.clone(),
            team_member: team_member.clone(),
            user: self.user.clone(),
        }
    }
}
