use std::collections::HashMap;

use housekey::auth::engine::SecurityEventKind;
use housekey::auth::events::{EventFilter, KeptEvent, find};
use housekey::auth::{Auth, Device, api};
use housekey::prelude::*;

use super::moment::moment;
use super::{ROWS, part, private};
use crate::controllers::settings::history::what_happened;
use crate::controllers::settings::place::place;
use crate::models::User;
use crate::requests::admin::EventListRequest;
use crate::views::pages::admin::{EventList, EventRow, events};

/// Kinds that the engine's plugins tell, besides those of the engine itself.
const OF_ADMINS: [&str; 8] = [
    "impersonation-started",
    "impersonation-stopped",
    "password-reset-sent",
    "password-set-by-admin",
    "role-changed",
    "user-banned",
    "user-unbanned",
    "user-updated",
];

/// `GET /admin/events`: what happened to accounts, the newest first.
pub async fn index(ValidQuery(wanted): ValidQuery<EventListRequest>) -> Result<View> {
    let page = wanted.page.max(1);
    let (limit, offset) = part(page);
    let auth = Auth::current()?;
    let text = |given: &str| Some(given.trim().to_owned()).filter(|given| !given.is_empty());
    let user_id = match text(&wanted.user) {
        // An address that nobody has is the id of nobody: nothing is found.
        Some(email) if email.contains('@') => {
            let found = api()?.user_by_email(&email.to_lowercase()).await.or_http_error()?;
            Some(found.map_or(email, |user| user.id))
        }
        other => other,
    };
    let filter = EventFilter { user_id, kind: text(&wanted.kind), offset, ..default() };
    let mut found = find(&auth, &filter, limit).await?;
    let has_next = found.len() > ROWS as usize;
    found.truncate(ROWS as usize);
    let kinds = SecurityEventKind::ALL.iter().map(|kind| kind.name()).chain(OF_ADMINS);
    let mut kinds: Vec<&'static str> = kinds.collect();
    kinds.sort_unstable();
    Ok(private(view(events(&EventList {
        events: rows(found).await?,
        kept: auth.config().events.days().is_some(),
        kinds,
        user: wanted.user,
        kind: wanted.kind,
        page,
        has_next,
    }))))
}

/// Events with the names of those they are about, and of those who did it.
pub(super) async fn rows(events: Vec<KeptEvent>) -> Result<Vec<EventRow>> {
    let by = |event: &KeptEvent| {
        let detail = event.detail.as_ref()?;
        ["impersonatedBy", "by"].iter().find_map(|name| detail[*name].as_str()).map(str::to_owned)
    };
    let mut ids: Vec<String> =
        events.iter().flat_map(|event| event.user_id.clone().into_iter().chain(by(event))).collect();
    ids.sort_unstable();
    ids.dedup();
    let people = match ids.is_empty() {
        true => Vec::new(),
        false => User::query()?.where_in("id", ids).get().await?,
    };
    let names: HashMap<&str, &User> = people.iter().map(|user| (user.id.as_str(), user)).collect();
    let name = |id: &String| names.get(id.as_str()).map_or_else(|| id.clone(), |user| user.email.clone());
    let rows = events.iter().map(|event| EventRow {
        what: what_happened(event),
        kind: event.kind.clone(),
        about: event.user_id.as_ref().map(|id| (id.clone(), name(id))),
        by: by(event).filter(|by| Some(by) != event.user_id.as_ref()).map(|by| name(&by)),
        device: Device::of(event.user_agent.as_deref()).name,
        ip: place(event.address.as_deref()),
        at: moment(event.at),
    });
    Ok(rows.collect())
}
