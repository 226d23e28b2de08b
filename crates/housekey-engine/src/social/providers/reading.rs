//! What several providers need to read a profile.

use serde_json::Value;

use crate::social::provider::field;
use crate::social::{MapProfile, Profile, ProfileUser, Provider};

/// The standard claims of OpenID Connect, with the first of these fields as the name.
pub(super) fn standard(profile: &Value, id: &str, names: &[&str]) -> Option<ProfileUser> {
    let user = ProfileUser::read(profile, id)?;
    Some(
        user.name(profile, names)
            .email(profile, "email")
            .image(profile, "picture")
            .verified(profile, "email_verified"),
    )
}

/// A profile that stands somewhere inside the answer. Only that part is kept.
pub(super) fn inside(provider: &Provider, answer: &Value, path: &str, map: MapProfile) -> Option<Profile> {
    let data = field(answer, path)?;
    Some(Profile::new(map(provider, data)?, data.clone()))
}

/// An address for people of a provider that shows none: `<id>@<provider>.placeholder.invalid`, as in the reference. No mail
/// can ever reach it, and it is never proved.
pub(super) fn placeholder(provider: &str, id: &str) -> String {
    // An id is the provider's text: what could not stand in an address must not make one.
    let id: String = id
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() || ".-_".contains(letter) { letter } else { '-' })
        .collect();
    format!("{id}@{provider}.placeholder.invalid")
}

/// Two parts of a name.
pub(super) fn full_name(first: Option<String>, last: Option<String>) -> Option<String> {
    let parts: Vec<String> = [first, last].into_iter().flatten().collect();
    Some(parts.join(" ").trim().to_owned()).filter(|name| !name.is_empty())
}

/// Texts of a setting that is one text or a list.
pub(super) fn texts(setting: Option<&Value>) -> Vec<String> {
    match setting {
        Some(Value::String(text)) if !text.is_empty() => vec![text.clone()],
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// A host or an address without what would make two slashes or two schemes of it.
pub(super) fn without_trailing_slash(address: &str) -> &str {
    address.trim().trim_end_matches('/')
}
