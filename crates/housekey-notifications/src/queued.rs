use housekey_core::{Encrypter, Error, Result};
use serde_json::{Value, json};

use crate::channel::Delivery;

/// The name under which queued notifications stand in a queue. A worker gives their payload to
/// [`run_notification_job`](crate::run_notification_job).
pub const NOTIFICATION_JOB: &str = "housekey.notification";

/// What the payload is sealed for.
const PURPOSE: &str = "queued notification";

/// A mail holds links that sign people in: what waits in a queue's store is sealed.
pub(crate) fn encode(delivery: &Delivery, encrypter: Option<&Encrypter>) -> Result<Value> {
    match encrypter {
        Some(encrypter) => Ok(json!({ "sealed": encrypter.encrypt_value(delivery, PURPOSE)? })),
        None => Ok(serde_json::to_value(delivery)?),
    }
}

pub(crate) fn decode(payload: &Value, encrypter: Option<&Encrypter>) -> Result<Delivery> {
    let Some(encrypter) = encrypter else { return Ok(serde_json::from_value(payload.clone())?) };
    let sealed = payload["sealed"].as_str().ok_or_else(|| {
        Error::internal("a queued notification is not sealed; it was not put there by this application")
    })?;
    encrypter.decrypt_value(sealed, PURPOSE).map_err(|error| {
        error
            .context("a queued notification cannot be opened; was APP_KEY changed without APP_PREVIOUS_KEYS?")
    })
}
