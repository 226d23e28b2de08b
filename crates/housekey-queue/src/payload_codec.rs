use std::sync::Arc;

use housekey_core::{Encrypter, Error, Result};

/// Turns what jobs carry into text for the store and back.
#[derive(Clone, Debug, Default)]
pub(crate) struct PayloadCodec(pub(crate) Option<Arc<Encrypter>>);

impl PayloadCodec {
    pub(crate) fn encode(&self, name: &str, payload: &[u8]) -> Result<String> {
        self.encode_for(&purpose(name), payload)
    }

    pub(crate) fn encode_for(&self, purpose: &str, payload: &[u8]) -> Result<String> {
        match &self.0 {
            Some(encrypter) => Ok(encrypter.encrypt(payload, purpose)),
            None => Ok(String::from_utf8(payload.to_vec())?),
        }
    }

    /// What is not sealed is not opened where jobs are sealed: it was not put there by this application.
    pub(crate) fn decode(&self, name: &str, text: &str) -> Result<Vec<u8>> {
        self.decode_for(&purpose(name), text)
    }

    pub(crate) fn decode_for(&self, purpose: &str, text: &str) -> Result<Vec<u8>> {
        match &self.0 {
            Some(encrypter) => encrypter.decrypt(text, purpose).map_err(|_| {
                Error::internal(
                    "what it carries cannot be opened: it was not sealed by this application for this job, or APP_KEY \
                     was changed without keeping the old one in APP_PREVIOUS_KEYS",
                )
            }),
            None => Ok(text.as_bytes().to_vec()),
        }
    }
}

/// Bound to the job's name: one job's payload does not open as another's.
fn purpose(name: &str) -> String {
    format!("queued job {name}")
}
