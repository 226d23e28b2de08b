use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::{Limit, Limits, ThrottleConfig};
use crate::{Registrar, Request};

pub(super) type Limiter = Arc<dyn Fn(&Request) -> Limits + Send + Sync>;

/// The limiters an application knows by name, and the settings they share. A service of the application.
#[derive(Clone, Default)]
pub struct Limiters {
    named: BTreeMap<String, Limiter>,
    pub(super) config: ThrottleConfig,
}

impl Limiters {
    /// Adds a limiter, replacing one of the same name.
    pub fn insert<L: Into<Limits>>(
        &mut self,
        name: &str,
        limiter: impl Fn(&Request) -> L + Send + Sync + 'static,
    ) {
        self.named.insert(name.to_owned(), Arc::new(move |request| limiter(request).into()));
    }

    /// Takes over the configuration; its limiters give way to those made in code.
    pub(crate) fn configure(&mut self, config: &ThrottleConfig) {
        for (name, limits) in &config.limiters {
            self.add_missing(name, fixed(limits.clone()));
        }
        self.config = config.clone();
    }

    fn add_missing(&mut self, name: &str, limiter: Limiter) {
        self.named.entry(name.to_owned()).or_insert(limiter);
    }

    pub(super) fn get(&self, name: &str) -> Option<Limiter> {
        self.named.get(name).cloned()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.named.keys().map(String::as_str)
    }
}

impl fmt::Debug for Limiters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.named.keys()).finish()
    }
}

fn fixed(limits: Vec<Limit>) -> Limiter {
    Arc::new(move |_| Limits(limits.clone()))
}

impl Registrar<'_> {
    /// Makes a limiter known by name, unless the app has one of that name.
    pub fn limiter<L: Into<Limits>>(
        &mut self,
        name: &str,
        limiter: impl Fn(&Request) -> L + Send + Sync + 'static,
    ) {
        let limiter: Limiter = Arc::new(move |request| limiter(request).into());
        self.contribute(|limiters: &mut Limiters| limiters.add_missing(name, limiter));
    }
}
