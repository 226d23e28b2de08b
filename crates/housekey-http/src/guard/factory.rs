use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use housekey_core::{Error, Result, Services};

use super::{Guard, GuardSpec};
use crate::nearest::nearest;

/// Makes a guard from the arguments behind its name, once per route that names it, while the application boots.
///
/// Implemented by every `Fn(&GuardArguments) -> Result<impl Guard>`.
pub trait GuardFactory: Send + Sync + 'static {
    /// Makes the guard, or says what is wrong with the arguments.
    fn make(&self, arguments: &GuardArguments<'_>) -> Result<Arc<dyn Guard>>;
}

impl<F, G> GuardFactory for F
where
    F: Fn(&GuardArguments<'_>) -> Result<G> + Send + Sync + 'static,
    G: Guard,
{
    fn make(&self, arguments: &GuardArguments<'_>) -> Result<Arc<dyn Guard>> {
        Ok(Arc::new(self(arguments)?))
    }
}

/// One guard for however many routes name it.
pub(crate) struct SharedGuard(pub(crate) Arc<dyn Guard>);

impl GuardFactory for SharedGuard {
    fn make(&self, _: &GuardArguments<'_>) -> Result<Arc<dyn Guard>> {
        Ok(self.0.clone())
    }
}

/// What stands behind the colon of `"throttle:6,1"`, and what the guard may build on.
#[derive(Debug)]
pub struct GuardArguments<'a> {
    name: &'a str,
    values: Vec<&'a str>,
    services: &'a Services,
}

impl<'a> GuardArguments<'a> {
    fn parse(spec: &'a str, services: &'a Services) -> Self {
        let (name, rest) = spec.split_once(':').unwrap_or((spec, ""));
        let values = if rest.is_empty() { Vec::new() } else { rest.split(',').map(str::trim).collect() };
        Self { name, values, services }
    }

    /// The guard's name, without its arguments.
    pub fn name(&self) -> &str {
        self.name
    }

    /// The arguments, trimmed.
    pub fn values(&self) -> &[&'a str] {
        &self.values
    }

    pub fn get(&self, position: usize) -> Option<&'a str> {
        self.values.get(position).copied()
    }

    /// One argument as a typed value; missing or malformed is an error that says which one, by its `label`.
    pub fn parse_at<T: FromStr>(&self, position: usize, label: &str) -> Result<T> {
        let Some(text) = self.get(position) else {
            return Err(Error::internal(format!(
                "the guard {:?} needs its argument {} ({label})",
                self.name,
                position + 1
            )));
        };
        text.parse().map_err(|_| {
            Error::internal(format!(
                "the guard {:?} cannot read {text:?} as its argument {} ({label})",
                self.name,
                position + 1
            ))
        })
    }

    pub fn services(&self) -> &Services {
        self.services
    }
}

/// The guards an application knows by name.
#[derive(Clone, Default)]
pub(crate) struct GuardRegistry(BTreeMap<String, Arc<dyn GuardFactory>>);

impl GuardRegistry {
    pub(crate) fn insert(&mut self, name: impl Into<String>, factory: Arc<dyn GuardFactory>) {
        self.0.insert(name.into(), factory);
    }

    /// The framework's own guards give way to an app's of the same name.
    pub(crate) fn insert_missing(&mut self, name: &str, factory: Arc<dyn GuardFactory>) {
        self.0.entry(name.to_owned()).or_insert(factory);
    }

    /// Resolves what a route named. `route` is how the route is called in the error.
    pub(crate) fn resolve(
        &self,
        spec: &GuardSpec,
        services: &Services,
        route: &str,
    ) -> Result<Arc<dyn Guard>> {
        let made = |spec: &str, factory: &dyn GuardFactory| {
            factory
                .make(&GuardArguments::parse(spec, services))
                .map_err(|error| error.context(format!("{route} names the guard {spec:?}")))
        };
        let spec = match spec {
            GuardSpec::Typed(guard) => return Ok(guard.clone()),
            GuardSpec::Made { label, factory } => return made(label, factory.as_ref()),
            GuardSpec::Named(spec) => spec,
        };
        let arguments = GuardArguments::parse(spec, services);
        let Some(factory) = self.0.get(arguments.name) else {
            let hint = match nearest(arguments.name, self.0.keys().map(String::as_str)) {
                Some(near) => format!("did you mean {near:?}?"),
                None if self.0.is_empty() => "no guard is registered".to_owned(),
                None => {
                    format!("known are: {}", self.0.keys().map(String::as_str).collect::<Vec<_>>().join(", "))
                }
            };
            return Err(Error::internal(format!(
                "{route} names the unknown guard {:?}; {hint}",
                arguments.name
            )));
        };
        made(spec, factory.as_ref())
    }
}

impl fmt::Debug for GuardRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
