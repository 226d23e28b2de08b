//! Sessions that their owner did not begin in person. spec: SEC-1
//!
//! Who has no password confirms by having just signed in. A device that somebody let in has a young session too, and whoever was
//! talked into that has shown nothing at the device: so it confirms nothing. The mark lies with the other short-lived rows in the
//! database, where every process finds it.

use std::time::Duration;

use housekey_core::{Error, Result};
use housekey_engine::options::EngineOptions;
use housekey_engine::{Api, Callback, SecurityEvent, SecurityEventKind, Session};

use crate::{Auth, OrHttpError};

/// For how long a sign-in with another provider is a confirmation for somebody who has no password to enter.
pub(super) const JUST_SIGNED_IN: Duration = Duration::from_secs(10 * 60);

/// How a device is signed in.
const BY_DEVICE: &str = "device-authorization";

/// Listens for sessions that began otherwise, before the app's own function hears of them.
pub(crate) fn listen(options: &mut EngineOptions) {
    let app = std::mem::take(&mut options.on_security_event);
    options.on_security_event = Callback::new(move |event: SecurityEvent| {
        let app = app.clone();
        async move {
            note(&event).await?;
            match app.call(event).await {
                Some(Err(error)) => Err(Error::internal(error.to_string())),
                _ => Ok(()),
            }
        }
    });
}

async fn note(event: &SecurityEvent) -> Result<()> {
    let is_device = event.kind == SecurityEventKind::SignIn && event.detail.text("method") == Some(BY_DEVICE);
    let Some(session) = event.session_id.as_deref().filter(|_| is_device) else { return Ok(()) };
    let api = Auth::current()?.engine().api();
    let seconds = u32::try_from(JUST_SIGNED_IN.as_secs()).unwrap_or(u32::MAX);
    api.verifications().create(&name(session), "device", seconds).await.or_http_error().map(drop)
}

/// Whether its owner began a session that is not older than the mark lasts.
pub(super) async fn was_there(api: &Api, session: &Session) -> Result<bool> {
    Ok(api.verifications().find(&name(&session.id)).await.or_http_error()?.is_none())
}

fn name(session: &str) -> String {
    format!("not-in-person:{session}")
}
