use housekey_core::Error;
use housekey_database::Database;
use housekey_engine::options::EngineOptions;
use housekey_engine::storage::Records;
use housekey_engine::{Callback, Plugin, Record, SecurityEvent, random};
use housekey_engine_sql::SqlStorage;
use housekey_http::request_id;

use super::{Events, table};

/// The table of events, where the app keeps them.
pub(crate) fn plugin(events: Events) -> Option<Plugin> {
    events.days().map(|_| table::plugin())
}

/// Listens to the engine. A function of the app's own is called afterwards.
// spec: SEC-9
pub(crate) fn listen(options: &mut EngineOptions, events: Events, database: &Database) {
    let storage = events.days().map(|_| SqlStorage::new(database.clone()));
    let app = std::mem::take(&mut options.on_security_event);
    options.on_security_event = Callback::new(move |event: SecurityEvent| {
        let (storage, app) = (storage.clone(), app.clone());
        async move {
            log(&event);
            if let Some(storage) = storage {
                keep(storage, &event).await?;
            }
            match app.call(event).await {
                Some(Err(error)) => Err(Error::internal(error.to_string())),
                _ => Ok(()),
            }
        }
    });
}

/// Fields and no prose: a line is for programs. What a client calls itself is left out, it may be anything.
fn log(event: &SecurityEvent) {
    let detail = serde_json::to_string(&event.detail).unwrap_or_default();
    tracing::info!(
        target: "housekey::security",
        event = event.kind.name(),
        user = event.user_id.as_deref(),
        session = event.session_id.as_deref(),
        address = event.address.as_deref(),
        request_id = request_id(),
        detail = (!event.detail.is_empty()).then_some(detail),
    );
}

/// In the same request and after what happened was committed, also by a transaction of the app around it: a table that is
/// full, locked or missing must keep nobody out. The row is one insert beside the several writes of a sign-in, in a task of
/// its own, so that a client who hangs up does not take it along. What fails is logged; the line above is there by then.
async fn keep(storage: SqlStorage, event: &SecurityEvent) -> Result<(), Error> {
    let detail = (!event.detail.is_empty()).then(|| serde_json::to_value(&event.detail)).transpose()?;
    let row = Record::new()
        .with("id", random::alphanumeric(32))
        .with("kind", event.kind.name())
        .with("userId", event.user_id.as_deref())
        .with("sessionId", event.session_id.as_deref())
        .with("address", event.address.as_deref())
        .with("userAgent", Some(event.user_agent.as_str()).filter(|agent| !agent.is_empty()))
        .with("detail", detail)
        .with("createdAt", event.at);
    let database = storage.database();
    let write = async move {
        let written = tokio::spawn(async move { storage.create(&table::table(), &row).await }).await;
        let failed = match written {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        tracing::error!(error = failed, "an event about an account could not be kept; the log has it");
    };
    database.after_commit(write).await;
    Ok(())
}
