use serde::ser::{Error as _, SerializeMap};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{ApiError, BoxError, Callback, Record, Result};

/// Functions called before and after rows are created, updated and deleted.
///
/// Hooks are added and never replaced: a framework's and an app's are all called, in the order of their addition. A
/// `before` hook may change what is written or refuse it; one that fails with an [`ApiError`] decides the answer. An
/// `after` hook is told what has happened: when it fails, a line is logged, and everything goes on.
///
/// ```
/// use housekey_engine::hooks::{BeforeWrite, DatabaseHooks};
/// use housekey_engine::{ApiError, Record};
///
/// let hooks = DatabaseHooks::new()
///     .before_create("user", |user: Record| async move {
///         let blocked = user.text("email").is_some_and(|email| email.ends_with("@example.org"));
///         Ok::<_, ApiError>(if blocked { BeforeWrite::Refuse } else { BeforeWrite::Proceed })
///     })
///     .after_delete("session", |session: Record| async move {
///         println!("session {:?} ended", session.text("id"));
///         Ok::<_, ApiError>(())
///     });
/// # let _ = hooks;
/// ```
#[derive(Clone, Debug, Default)]
pub struct DatabaseHooks(Vec<Hook>);

/// What a `before` hook decides.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum BeforeWrite {
    /// Write the row as it is.
    #[default]
    Proceed,
    /// With these fields set.
    ProceedWith(Record),
    Refuse,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteEvent {
    Create,
    Update,
    Delete,
}

#[derive(Clone, Debug)]
struct Hook {
    model: String,
    event: WriteEvent,
    run: Run,
}

#[derive(Clone, Debug)]
enum Run {
    Before(Callback<Record, BeforeWrite>),
    After(Callback<Record>),
}

macro_rules! adders {
    ($($name:ident $event:ident $run:ident $answer:ty, $doc:literal;)*) => {$(
        #[doc = $doc]
        #[must_use]
        pub fn $name<F, T, E>(mut self, model: impl Into<String>, hook: F) -> Self
        where
            F: Fn(Record) -> T + Send + Sync + 'static,
            T: Future<Output = std::result::Result<$answer, E>> + Send + 'static,
            E: Into<BoxError>,
        {
            let run = Run::$run(Callback::new(hook));
            self.0.push(Hook { model: model.into(), event: WriteEvent::$event, run });
            self
        }
    )*};
}

impl DatabaseHooks {
    pub fn new() -> Self {
        Self::default()
    }

    adders! {
        before_create Create Before BeforeWrite, "Asked with the new row.";
        after_create Create After (), "Told with the new row.";
        before_update Update Before BeforeWrite, "Asked with the fields that change.";
        after_update Update After (), "Told with the changed row.";
        before_delete Delete Before BeforeWrite, "Asked with the row.";
        after_delete Delete After (), "Told with the row that was.";
    }

    /// Adds the hooks of another list after these.
    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Whether any hook is about this.
    pub(crate) fn cares(&self, model: &str, event: WriteEvent) -> bool {
        self.0.iter().any(|hook| hook.event == event && hook.model == model)
    }

    pub(crate) async fn before(
        &self,
        model: &str,
        event: WriteEvent,
        record: &Record,
    ) -> Result<BeforeWrite> {
        let mut changed = Record::new();
        for callback in self.0.iter().filter_map(|hook| hook.before(model, event)) {
            let mut seen = record.clone();
            seen.merge(changed.clone());
            match callback.call(seen).await {
                Some(Err(error)) => return Err(refusal(error)),
                Some(Ok(BeforeWrite::Refuse)) => return Ok(BeforeWrite::Refuse),
                Some(Ok(BeforeWrite::ProceedWith(fields))) => changed.merge(fields),
                Some(Ok(BeforeWrite::Proceed)) | None => {}
            }
        }
        Ok(if changed.is_empty() { BeforeWrite::Proceed } else { BeforeWrite::ProceedWith(changed) })
    }

    /// Tells everybody, whoever of them fails: it has happened, and somebody else may have to end sessions for it.
    pub(crate) async fn after(&self, model: &str, event: WriteEvent, record: &Record) {
        for callback in self.0.iter().filter_map(|hook| hook.after(model, event)) {
            if let Some(Err(error)) = callback.call(record.clone()).await {
                tracing::error!(model, ?event, %error, "a database hook failed after the row was written");
            }
        }
    }
}

impl Hook {
    fn before(&self, model: &str, event: WriteEvent) -> Option<&Callback<Record, BeforeWrite>> {
        match &self.run {
            Run::Before(callback) if self.event == event && self.model == model => Some(callback),
            _ => None,
        }
    }

    fn after(&self, model: &str, event: WriteEvent) -> Option<&Callback<Record>> {
        match &self.run {
            Run::After(callback) if self.event == event && self.model == model => Some(callback),
            _ => None,
        }
    }
}

fn refusal(error: BoxError) -> ApiError {
    match error.downcast::<ApiError>() {
        Ok(error) => *error,
        Err(error) => ApiError::internal("a database hook failed", error),
    }
}

impl Serialize for DatabaseHooks {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        if !self.0.is_empty() {
            return Err(S::Error::custom("a function cannot be written down"));
        }
        serializer.serialize_map(Some(0))?.end()
    }
}

impl<'de> Deserialize<'de> for DatabaseHooks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        serde::de::IgnoredAny::deserialize(deserializer).map(|_| Self::new())
    }
}
