use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// SQL text by what it is for. Building the text of a read by key takes about as long as the read's own part in our
/// code; a model reads by key all the time.
#[derive(Default)]
pub(crate) struct Texts(RwLock<HashMap<(&'static str, &'static str), Arc<str>>>);

impl Texts {
    pub(crate) fn get(&self, key: (&'static str, &'static str), build: impl FnOnce() -> String) -> Arc<str> {
        if let Some(text) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return text.clone();
        }
        let text: Arc<str> = build().into();
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(key, text.clone());
        text
    }
}
