//! What a caller may put into a role.

use serde_json::{Map, Value as Json};

use super::super::{
    INVALID_RESOURCE, MISSING_AC_INSTANCE, Member, NO_ACTIVE_ORGANIZATION, OrganizationOptions,
    OrganizationRef, ROLE_NAME_IS_ALREADY_TAKEN, YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION, caller,
};
use super::RoleRef;
use crate::access::{Permission, Statements};
use crate::{Api, ApiError, ErrorCode, Reader, Result, SignedIn, codes, type_of};

/// Refuses where nobody said what there is to be allowed: the usual roles are not meant to be built on by accident.
pub(super) fn check_access(options: &OrganizationOptions) -> Result<()> {
    if options.access.is_some() {
        return Ok(());
    }
    tracing::error!("roles of organisations need `access` of the organization plugin, which is unset");
    Err(MISSING_AC_INSTANCE.with(http::StatusCode::NOT_IMPLEMENTED))
}

/// The caller's membership, if it allows an action on roles.
pub(super) async fn member(
    api: &Api,
    signed_in: &SignedIn,
    organization: OrganizationRef<'_>,
    (action, denied): (&str, ErrorCode),
) -> Result<Member> {
    let id = organization.id(api, signed_in).await?;
    let id = id.ok_or_else(|| NO_ACTIVE_ORGANIZATION.bad_request())?;
    let member = Member::of(api, &id, &signed_in.user.id).await?;
    let member = member.ok_or_else(|| YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION.forbidden())?;
    caller::require(api, &member, "ac", action, denied).await?;
    Ok(member)
}

/// Refuses a role that allows what there is not, or what the caller is not allowed: nobody lifts themselves up by a role.
// spec: ORG-1
pub(super) async fn check_permission(
    api: &Api,
    options: &OrganizationOptions,
    member: &Member,
    permission: &Statements,
    denied: ErrorCode,
) -> Result<()> {
    let access = options.access();
    if permission.iter().any(|(resource, _)| access.statements().actions(resource).is_none()) {
        return Err(INVALID_RESOURCE.bad_request());
    }
    let mut missing = Vec::new();
    for (resource, actions) in permission.iter() {
        for action in actions {
            if !caller::allows(api, member, &Permission::of(resource, [action.as_str()])).await? {
                missing.push(Json::from(format!("{resource}:{action}")));
            }
        }
    }
    match missing.is_empty() {
        true => Ok(()),
        false => Err(denied.forbidden().with_field("missingPermissions", missing)),
    }
}

/// A name as it is kept: in small letters, without spaces around it. Lists of roles are separated by commas, so that it can have none.
pub(super) fn name(given: &str, field: &str) -> Result<String> {
    let name = given.trim().to_lowercase();
    let wrong = match name.as_str() {
        "" => "Too small: expected string to have >=1 characters",
        name if name.contains(',') => "Invalid input: a role's name has no comma",
        _ => return Ok(name),
    };
    Err(codes::VALIDATION_ERROR.saying(http::StatusCode::BAD_REQUEST, format!("[body.{field}] {wrong}")))
}

/// Refuses a name that the options have given away.
pub(super) fn check_name(options: &OrganizationOptions, name: &str) -> Result<()> {
    match options.access().role(name).is_some() || options.creator_role == name {
        true => Err(taken()),
        false => Ok(()),
    }
}

pub(super) fn taken() -> ApiError {
    ROLE_NAME_IS_ALREADY_TAKEN.bad_request()
}

/// What a role is to allow, as clients write it: `{"team": ["create"]}`.
pub(super) fn read_permission(body: &mut Reader<'_>, place: &str, given: Option<&Json>) -> Statements {
    let mut statements = Statements::new();
    let Some(Json::Object(resources)) = given else {
        let received = type_of(given);
        body.add_error(place, &format!("Invalid input: expected record, received {received}"));
        return statements;
    };
    for (resource, actions) in resources {
        let Json::Array(listed) = actions else {
            let received = type_of(Some(actions));
            let what = format!("Invalid input: expected array, received {received}");
            body.add_error(&format!("{place}.{resource}"), &what);
            continue;
        };
        let texts: Vec<_> = listed.iter().filter_map(Json::as_str).map(str::to_owned).collect();
        if let Some(position) = listed.iter().position(|action| !action.is_string()) {
            let received = type_of(listed.get(position));
            let what = format!("Invalid input: expected string, received {received}");
            body.add_error(&format!("{place}.{resource}.{position}"), &what);
        }
        statements.set(resource.clone(), texts);
    }
    statements
}

/// Which stored role a body or a query names, by name or by id.
pub(super) fn read_which(sent: &Map<String, Json>) -> (Option<String>, Option<String>) {
    let text = |field: &str| {
        sent.get(field).and_then(Json::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    (text("roleName"), text("roleId"))
}

/// The role that was named; the name decides where both are there. `place` is where one of them must stand.
pub(super) fn which<'a>(
    place: &str,
    (name, id): &'a (Option<String>, Option<String>),
) -> Result<RoleRef<'a>> {
    match (name, id) {
        (Some(name), _) => Ok(RoleRef::Name(name)),
        (None, Some(id)) => Ok(RoleRef::Id(id)),
        (None, None) => {
            let message = format!("[{place}] Invalid input");
            Err(codes::VALIDATION_ERROR.saying(http::StatusCode::BAD_REQUEST, message))
        }
    }
}
