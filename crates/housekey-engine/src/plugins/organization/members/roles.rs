//! Roles as clients write them: one, several, or several in one text.

use http::StatusCode;
use serde_json::Value as Json;

use super::super::{OrganizationOptions, roles};
use crate::{Api, ApiError, Reader, Result};

/// Reads `role`, which must be there: a text or a list of them.
pub(in super::super) fn read(body: &mut Reader<'_>) -> Vec<String> {
    match body.all().get("role") {
        Some(Json::String(role)) => vec![role.clone()],
        Some(Json::Array(items)) if items.iter().all(Json::is_string) => {
            items.iter().filter_map(Json::as_str).map(str::to_owned).collect()
        }
        _ => {
            body.add_error("role", "Invalid input");
            Vec::new()
        }
    }
}

/// The names among some texts, each once, as the column holds them: without spaces, separated by commas. Empty when there is none.
pub(in super::super) fn joined(given: &[String]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in given.iter().flat_map(|text| text.split(',')).map(str::trim) {
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(",")
}

/// Refuses a role that there is not in an organisation.
pub(in super::super) async fn check(
    api: &Api,
    options: &OrganizationOptions,
    organization_id: &str,
    joined: &str,
    refusal: fn(String) -> ApiError,
) -> Result<()> {
    for name in joined.split(',') {
        if name.contains('\0') || !roles::is_known(api, options, organization_id, name).await? {
            return Err(refusal(format!("ROLE_NOT_FOUND: {name}")));
        }
    }
    Ok(())
}

/// As most say it.
pub(in super::super) fn unknown(message: String) -> ApiError {
    super::super::ROLE_NOT_FOUND.saying(StatusCode::BAD_REQUEST, message)
}

/// As an invitation says it: without a code.
pub(in super::super) fn unknown_without_code(message: String) -> ApiError {
    ApiError::message_only(StatusCode::BAD_REQUEST, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_trimmed_and_named_once() {
        let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(joined(&texts(&[" admin , member", "admin"])), "admin,member");
        assert_eq!(joined(&texts(&["", " , "])), "");
    }
}
