use serde::Serialize;

use super::super::{
    Invitation, MemberWithUser, Organization, OrganizationRef, Team, caller, fields, invitations, members,
    teams,
};
use super::{find, view};
use crate::plugins::listing::number;
use crate::{Api, Endpoint, Field, Record, Reply, Result, Shape};

/// An organisation with everything that one of its members may see of it.
#[derive(Clone, Debug)]
pub struct FullOrganization {
    pub organization: Organization,
    /// The invitations, for those who may invite.
    pub invitations: Vec<Invitation>,
    pub members: Vec<MemberWithUser>,
    /// The teams, where there are teams.
    pub teams: Vec<Team>,
}

/// `GET /organization/get-full-organization`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/organization/get-full-organization", |api| Box::pin(answer(api)))
        .about(
            "Tells about an organisation with its members, invitations and teams. It is null when \
             none is active.",
        )
        .takes([
            Field::text("organizationId").optional().about("The active one by itself."),
            Field::text("organizationSlug").optional(),
            Field::integer("membersLimit").optional(),
        ])
        .answers(
            Shape::row_with(
                "organization",
                [
                    Field::list("invitations", Shape::row("invitation")),
                    Field::list("members", members::View::shape()),
                    Field::list("teams", Shape::map(Shape::any())).optional(),
                ],
            )
            .or_null(),
        )
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body {
        #[serde(flatten)]
        organization: Record,
        invitations: Vec<Record>,
        members: Vec<members::View>,
        #[serde(skip_serializing_if = "Option::is_none")]
        teams: Option<Vec<Record>>,
    }
    let mut query = api.request().read_query();
    let (id, slug) = (query.optional_text("organizationId"), query.optional_text("organizationSlug"));
    let limit = number(query.all().get("membersLimit")).map(u64::from);
    query.finish()?;
    let which = OrganizationRef::named(id.as_deref(), slug.as_deref());
    let Some(full) = full_organization(api, which, limit).await? else {
        return Reply::json(&());
    };
    let has_teams = super::super::options(api)?.teams.is_some();
    let teams = full.teams.iter().map(|team| {
        // Here alone clients are told how many belong to a team.
        let count = team.member_count;
        Ok(fields::view(api, "team", &team.to_record())?.with("memberCount", count))
    });
    let invited = full.invitations.iter();
    Reply::json(&Body {
        organization: view::row(api, &full.organization)?,
        invitations: invited
            .map(|invitation| fields::view(api, "invitation", &invitation.to_record()))
            .collect::<Result<_>>()?,
        members: full.members.iter().map(|member| members::View::of(api, member)).collect::<Result<_>>()?,
        teams: has_teams.then(|| teams.collect::<Result<_>>()).transpose()?,
    })
}

/// An organisation with its members (at most so many, the oldest first), invitations and teams, for one of its members. `None`
/// when none is active.
pub async fn full_organization(
    api: &mut Api,
    which: OrganizationRef<'_>,
    members_limit: Option<u64>,
) -> Result<Option<FullOrganization>> {
    let signed_in = caller::signed_in(api).await?;
    let Some((organization, member)) = find::own(api, &signed_in, which).await? else { return Ok(None) };
    let invitations = match invitations::may_list(api, &member).await? {
        true => invitations::shown_to(api, &member).await?,
        false => Vec::new(),
    };
    Ok(Some(FullOrganization {
        invitations,
        members: members::of(api, &organization.id, members_limit).await?,
        teams: teams::of(api, &organization.id).await?,
        organization,
    }))
}
