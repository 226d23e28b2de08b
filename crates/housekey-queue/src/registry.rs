use std::collections::BTreeMap;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use housekey_core::{Error, Result, ServicesBuilder};
use serde_json::Value;

use crate::{RateLimit, Unique, exponential, jitter};

/// The jobs an application knows, by name. It is filled while the application boots, by
/// [`AppJobs::jobs`](crate::AppJobs::jobs) and by providers; clones are the same registry.
#[derive(Clone, Default)]
pub struct JobRegistry(Arc<RwLock<BTreeMap<String, JobType>>>);

/// A kind of job, its type forgotten: made by [`job`](crate::job()).
#[derive(Clone)]
pub struct JobType {
    name: String,
    kind: &'static str,
    prepare: Arc<Prepare>,
    unique: Arc<UniqueOf>,
    without_fields: Option<(Value, String)>,
}

/// What makes a job unique that carries this.
type UniqueOf = dyn Fn(&Value) -> Option<Unique> + Send + Sync;

/// Reads what a job carries; the number is the attempt.
type Prepare = dyn Fn(&[u8], u32) -> serde_json::Result<Prepared> + Send + Sync;

/// A job that was read and can be started.
pub(crate) struct Prepared {
    pub(crate) retries: u32,
    pub(crate) backoff: Duration,
    pub(crate) timeout: Duration,
    pub(crate) rate_limit: Option<RateLimit>,
    pub(crate) work: Pin<Box<dyn Future<Output = Result<()>> + Send>>,
}

impl JobType {
    /// A kind of job by its name and what to do with what it carries, for parts of the framework that have no type of
    /// their own for it. It has the usual number of retries.
    ///
    /// ```
    /// use housekey_queue::{JobRegistry, JobType};
    ///
    /// let ping = JobType::by_name("ping", |payload| async move {
    ///     assert_eq!(payload["host"], "example.com");
    ///     Ok(())
    /// });
    /// JobRegistry::default().add(ping)?;
    /// # housekey_core::Result::<()>::Ok(())
    /// ```
    pub fn by_name<F>(name: impl Into<String>, handle: impl Fn(Value) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<()>> + Send + 'static,
    {
        Self::new(name, "a job by name", move |payload, attempt| {
            let payload: Value = serde_json::from_slice(payload)?;
            Ok(Prepared {
                retries: 3,
                backoff: jitter(exponential(Duration::from_secs(5), attempt)),
                timeout: Duration::from_secs(60),
                rate_limit: None,
                work: Box::pin(handle(payload)),
            })
        })
    }

    /// `kind` tells two jobs of one name apart; `prepare` reads what a job carries, and gets the number of the attempt.
    pub(crate) fn new(
        name: impl Into<String>,
        kind: &'static str,
        prepare: impl Fn(&[u8], u32) -> serde_json::Result<Prepared> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            kind,
            prepare: Arc::new(prepare),
            unique: Arc::new(|_| None),
            without_fields: None,
        }
    }

    pub(crate) fn unique_by(
        mut self,
        unique: impl Fn(&Value) -> Option<Unique> + Send + Sync + 'static,
    ) -> Self {
        self.unique = Arc::new(unique);
        self
    }

    /// Says what a job of this kind carries that needs no values, and the queue it names.
    pub(crate) fn can_be_made_of(mut self, without_fields: Option<(Value, String)>) -> Self {
        self.without_fields = without_fields;
        self
    }

    /// What a job of this kind carries that needs no values, and the queue it names: for who has only the kind, as a
    /// schedule does. `None`: its fields must be said.
    pub fn without_fields(&self) -> Option<(&Value, &str)> {
        self.without_fields.as_ref().map(|(payload, queue)| (payload, queue.as_str()))
    }

    /// What it is called in the store.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type's own name, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        self.kind
    }

    pub(crate) fn unique(&self, payload: &Value) -> Option<Unique> {
        (self.unique)(payload)
    }

    pub(crate) fn prepare(&self, payload: &[u8], attempt: u32) -> serde_json::Result<Prepared> {
        (self.prepare)(payload, attempt)
    }
}

impl JobRegistry {
    /// The registry of an application that is booting; made when nobody asked for it yet.
    pub fn of(services: &mut ServicesBuilder) -> Self {
        services.shared()
    }

    /// Makes a kind of job known. Two of one name are an error: a worker could not tell them apart.
    pub fn add(&self, job: JobType) -> Result<()> {
        let mut jobs = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(other) = jobs.get(job.name()).filter(|other| other.kind != job.kind) {
            return Err(Error::internal(format!(
                "two jobs are named `{}`: {} and {}; change the NAME of one",
                job.name, other.kind, job.kind
            )));
        }
        jobs.insert(job.name.clone(), job);
        Ok(())
    }

    pub fn names(&self) -> Vec<String> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }

    pub(crate) fn find(&self, name: &str) -> Option<JobType> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }
}

impl FromIterator<JobType> for JobRegistry {
    /// Of two jobs of one name the last is kept; [`JobRegistry::add`] refuses them.
    fn from_iter<I: IntoIterator<Item = JobType>>(jobs: I) -> Self {
        let jobs = jobs.into_iter().map(|job| (job.name.clone(), job)).collect();
        Self(Arc::new(RwLock::new(jobs)))
    }
}

impl fmt::Debug for JobRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

impl fmt::Debug for JobType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Job, job};
    use serde::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize)]
    struct One;
    #[derive(Serialize, Deserialize)]
    struct Other;

    impl Job for One {
        const NAME: &'static str = "same";
        async fn handle(self) -> Result<()> {
            Ok(())
        }
    }

    impl Job for Other {
        const NAME: &'static str = "same";
        async fn handle(self) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn two_types_of_one_name_are_refused_and_one_type_twice_is_not() {
        let registry = JobRegistry::default();
        registry.add(job::<One>()).unwrap();
        registry.add(job::<One>()).unwrap();
        let error = registry.add(job::<Other>()).unwrap_err().to_string();
        assert!(error.contains("One") && error.contains("Other") && error.contains("`same`"), "{error}");
    }
}
