use http::StatusCode;

use super::super::hooks::{TeamHook, ask};
use super::super::{
    ATTEMPTS, Member, NO_ACTIVE_ORGANIZATION, ORGANIZATION_NOT_FOUND, Organization, OrganizationRef, Team,
    YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION,
    YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION, YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS,
    caller, fields, too_busy,
};
use super::find;
use crate::{Api, ApiError, Commit, Endpoint, Field, OptimisticLock, Record, Reply, Result, Shape};

#[derive(Clone, Debug)]
pub struct NewTeam<'a> {
    pub name: String,
    pub organization: OrganizationRef<'a>,
    /// The columns of the app's own.
    pub fields: Record,
}

/// `POST /organization/create-team`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/create-team", |api| Box::pin(answer(api)))
        .about("Makes a team in an organisation, with nobody in it.")
        .takes([
            Field::text("name").example("Engines"),
            Field::text("organizationId").optional().about("The active one by itself."),
        ])
        .answers(Shape::row("team"))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let name = body.text("name");
    let id = body.optional_text("organizationId");
    let sent = body.all();
    body.finish()?;
    let fields = fields::input(api, "team", &sent, "body", true)?;
    let organization = OrganizationRef::named(id.as_deref(), None);
    let team = create_team(api, NewTeam { name, organization, fields }).await?;
    Reply::json(&api.row_view("team", &team.to_record())?)
}

/// Makes a team in an organisation, with nobody in it.
// spec: ORG-1
pub async fn create_team(api: &mut Api, new: NewTeam<'_>) -> Result<Team> {
    super::check_enabled(api)?;
    let nobody = || ApiError::empty(StatusCode::UNAUTHORIZED);
    let signed_in = caller::signed_in_or(api, nobody).await?;
    let id = new.organization.id(api, &signed_in).await?;
    let id = id.ok_or_else(|| NO_ACTIVE_ORGANIZATION.bad_request())?;
    let member = Member::of(api, &id, &signed_in.user.id).await?;
    // The reference's words, though nobody is invited here.
    let member =
        member.ok_or_else(|| YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION.forbidden())?;
    let denied = YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION;
    caller::require(api, &member, "team", "create", denied).await?;
    let organization = Organization::with_id(api, &id).await?;
    let organization = organization.ok_or_else(|| ORGANIZATION_NOT_FOUND.bad_request())?;
    let now = api.clock().now();
    let wanted = Team {
        id: String::new(),
        name: new.name,
        member_count: 0,
        organization_id: id,
        created_at: now,
        updated_at: Some(now),
        fields: new.fields,
    };
    let options = super::super::options(api)?;
    let limit = options.teams.as_ref().map(|teams| &teams.maximum_teams);
    let most = match limit {
        Some(limit) => limit.number(Some(&signed_in.user), Some(&organization)).await?,
        None => None,
    };
    check_number(api, &organization, most).await?;
    let hook = |team: &Team| TeamHook {
        organization: organization.clone(),
        team: team.clone(),
        user: Some((*signed_in.user).clone()),
        changes: Record::new(),
    };
    let asked = ask(&options.hooks.before_create_team, hook(&wanted)).await?;
    let mut row = wanted.to_record();
    row.take("id");
    row.merge(asked);
    let row = row.with("memberCount", 0_i64).with("organizationId", &organization.id);
    for _ in 0..ATTEMPTS {
        let mut changes = api.changes();
        if most.is_some() {
            let lock = OptimisticLock::read(api, lock_of(&organization.id)).await?;
            check_number(api, &organization, most).await?;
            lock.write_in(&mut changes).await?;
        }
        let team = Team::from_record(changes.create("team", row.clone()).await?)?;
        if changes.commit().await? == Commit::Done {
            options.hooks.after_create_team.call_or_log("after_create_team", hook(&team)).await;
            return Ok(team);
        }
    }
    Err(too_busy())
}

/// What only one at a time may change: how many teams an organisation has.
pub(super) fn lock_of(organization_id: &str) -> String {
    format!("organization-teams:{organization_id}")
}

async fn check_number(api: &Api, organization: &Organization, most: Option<u64>) -> Result<()> {
    let Some(most) = most else { return Ok(()) };
    match find::of(api, &organization.id).await?.len() as u64 >= most {
        true => Err(YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS.bad_request()),
        false => Ok(()),
    }
}
