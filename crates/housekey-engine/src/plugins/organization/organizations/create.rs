use http::StatusCode;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::super::session::Place;
use super::super::{
    ATTEMPTS, Allowed, Member, MemberHook, ORGANIZATION_ALREADY_EXISTS, Organization, OrganizationHook,
    OrganizationOptions, Team, YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION,
    YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS, caller, events, fields, hooks, session, teams,
    too_busy,
};
use super::view;
use crate::storage::Filter;
use crate::{
    Api, ApiError, Changes, Commit, Endpoint, Field, OptimisticLock, Record, Reply, Result,
    SecurityEventKind, Shape, User,
};

/// An organisation that somebody wants.
#[derive(Clone, Debug, Default)]
pub struct NewOrganization {
    pub name: String,
    /// Its name in addresses.
    pub slug: String,
    pub logo: Option<String>,
    /// What the app keeps with it.
    pub metadata: Option<Map<String, Json>>,
    /// Whether the session stays where it is.
    pub keep_current_active: bool,
    /// Columns of the app's own.
    pub fields: Record,
}

/// An organisation that was just created, and its members.
#[derive(Clone, Debug)]
pub struct CreatedOrganization {
    pub organization: Organization,
    pub members: Vec<Member>,
}

/// `POST /organization/create`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/create", |api| Box::pin(answer(api)))
        .about(
            "Creates an organisation. Whoever is signed in is its first member, and their session \
             is in it.",
        )
        .takes([
            Field::text("name").example("Lovelace Ltd"),
            Field::text("slug").example("lovelace"),
            Field::url("logo").or_null().optional(),
            Field::new("metadata", Shape::map(Shape::any())).optional(),
            Field::boolean("keepCurrentActiveOrganization").optional(),
        ])
        .answers(Shape::row_with(
            "organization",
            [view::metadata(), Field::list("members", Shape::row("member"))],
        ))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body {
        #[serde(flatten)]
        organization: Record,
        members: Vec<Record>,
    }
    let mut body = api.request().read_body();
    let new = NewOrganization {
        name: body.some_text("name"),
        slug: body.some_text("slug"),
        logo: body.nullable_text("logo"),
        metadata: body.optional_record("metadata"),
        keep_current_active: body.optional_bool("keepCurrentActiveOrganization").unwrap_or(false),
        fields: Record::new(),
    };
    let sent = body.all();
    body.finish()?;
    let fields = fields::input(api, "organization", &sent, "body", true)?;
    let created = create_organization(api, NewOrganization { fields, ..new }).await?;
    let members = created.members.iter().map(|member| fields::view(api, "member", &member.to_record()));
    let members = members.collect::<Result<_>>()?;
    Reply::json(&Body { organization: view::written(api, &created.organization)?, members })
}

/// Creates an organisation for whoever is signed in. They are its first member, with the role that there is always somebody
/// with, and their session is in it.
pub async fn create_organization(api: &mut Api, new: NewOrganization) -> Result<CreatedOrganization> {
    let signed_in = caller::signed_in_or(api, || ApiError::empty(StatusCode::UNAUTHORIZED)).await?;
    let options = super::super::options(api)?;
    let user = User::clone(&signed_in.user);
    if !may_create(&options, &user).await? {
        return Err(YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION.forbidden());
    }
    // Before anybody is asked or told of it.
    if let Some(limit) = limit(&options, &user).await? {
        check_limit(api, &user, limit).await?;
    }
    refuse_taken(api, &new.slug).await?;
    let (organization, member) = draft(api, &options, &user, &new).await?;
    for _ in 0..ATTEMPTS {
        let mut changes = api.changes();
        take_turn_in(api, &options, &mut changes, &user).await?;
        refuse_taken(api, &organization.slug).await?;
        let row = changes.create("organization", organization.to_record()).await?;
        let organization = Organization::from_record(row)?;
        let member = Member::from_record(changes.create("member", member.to_record()).await?)?;
        let team = teams::first_in(api, &mut changes, &organization, &user).await?;
        let place = Place {
            organization: Some(organization.id.clone()),
            team: team.as_ref().map(|team| team.id.clone()),
        };
        if !new.keep_current_active {
            session::move_in(api, &mut changes, &signed_in, &place).await?;
        }
        if changes.commit().await? == Commit::Lost {
            continue;
        }
        if !new.keep_current_active {
            session::moved(api, &signed_in, &place).await?;
        }
        told(api, &options, &user, &organization, &member, team.as_ref()).await?;
        return Ok(CreatedOrganization { organization, members: vec![member] });
    }
    Err(too_busy())
}

async fn may_create(options: &OrganizationOptions, user: &User) -> Result<bool> {
    match &options.allow_user_to_create_organization {
        Allowed::Everybody => Ok(true),
        Allowed::Nobody => Ok(false),
        Allowed::Function(function) => match function.call(user.clone()).await {
            Some(Ok(allowed)) => Ok(allowed),
            Some(Err(error)) => {
                Err(ApiError::internal("it is unknown who may create an organisation", error))
            }
            None => Ok(true),
        },
    }
}

/// The organisation and its first member as they will be, after the hooks had their say.
async fn draft(
    api: &Api,
    options: &OrganizationOptions,
    user: &User,
    new: &NewOrganization,
) -> Result<(Organization, Member)> {
    let now = api.clock().now();
    let organization = Organization {
        id: api.new_id("organization").await?,
        name: new.name.clone(),
        slug: new.slug.clone(),
        logo: new.logo.clone(),
        created_at: now,
        metadata: new.metadata.clone(),
        fields: new.fields.clone(),
    };
    let hook = OrganizationHook {
        organization: organization.clone(),
        user: user.clone(),
        member: None,
        changes: Record::new(),
    };
    let wanted = hooks::ask(&options.hooks.before_create_organization, hook).await?;
    let organization = organization.changed(wanted)?;
    let member = Member {
        id: api.new_id("member").await?,
        organization_id: organization.id.clone(),
        user_id: user.id.clone(),
        role: options.creator_role.clone(),
        created_at: now,
        fields: Record::new(),
    };
    let hook = MemberHook {
        organization: organization.clone(),
        member: member.clone(),
        user: user.clone(),
        new_role: None,
    };
    let wanted = hooks::ask(&options.hooks.before_add_member, hook).await?;
    Ok((organization, member.changed(wanted)?))
}

async fn refuse_taken(api: &Api, slug: &str) -> Result<()> {
    match Organization::with_slug(api, slug).await? {
        Some(_) => Err(ORGANIZATION_ALREADY_EXISTS.bad_request()),
        None => Ok(()),
    }
}

/// How many organisations somebody may be in and still create one.
async fn limit(options: &OrganizationOptions, user: &User) -> Result<Option<u64>> {
    options.organization_limit.number(Some(user), None).await
}

async fn check_limit(api: &Api, user: &User, limit: u64) -> Result<()> {
    let own = Filter::by("userId", &user.id);
    match api.storage().count(api.table("member")?, &own).await? < limit {
        true => Ok(()),
        false => Err(YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS.forbidden()),
    }
}

/// Adds to the changes what makes sure that this is not one organisation too many.
async fn take_turn_in(
    api: &Api,
    options: &OrganizationOptions,
    changes: &mut Changes,
    user: &User,
) -> Result<()> {
    let Some(limit) = limit(options, user).await? else { return Ok(()) };
    let lock = OptimisticLock::read(api, lock_name(&user.id)).await?;
    check_limit(api, user, limit).await?;
    lock.write_in(changes).await
}

/// What the lock on the organisations of a person is called.
pub(in super::super) fn lock_name(user_id: &str) -> String {
    format!("organization-count:{user_id}")
}

async fn told(
    api: &Api,
    options: &OrganizationOptions,
    user: &User,
    organization: &Organization,
    member: &Member,
    team: Option<&Team>,
) -> Result<()> {
    let kind = SecurityEventKind::OrganizationCreated;
    api.emit(events::event(api, kind, &user.id, &organization.id, None)).await;
    let hook = MemberHook {
        organization: organization.clone(),
        member: member.clone(),
        user: user.clone(),
        new_role: None,
    };
    options.hooks.after_add_member.call_or_log("afterAddMember", hook).await;
    if let Some(team) = team {
        teams::first_made(api, organization, team, user).await?;
    }
    let hook = OrganizationHook {
        organization: organization.clone(),
        user: user.clone(),
        member: Some(member.clone()),
        changes: Record::new(),
    };
    options.hooks.after_create_organization.call_or_log("afterCreateOrganization", hook).await;
    Ok(())
}
