use crate::{Api, SecurityEvent, SecurityEventKind, SignedIn};

/// Something that happened to somebody in an organisation. `by` is there where somebody else did it.
pub(super) fn event(
    api: &Api,
    kind: SecurityEventKind,
    user_id: &str,
    organization_id: &str,
    by: Option<&SignedIn>,
) -> SecurityEvent {
    let event = api.event(kind, Some(user_id)).with("organization", organization_id);
    match by.filter(|by| by.user.id != user_id) {
        Some(by) => event.with("by", &by.user.id),
        None => event,
    }
}
