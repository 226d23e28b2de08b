use std::fmt;
use std::sync::Arc;

use super::{Guard, GuardFactory};

/// A guard as a route names it: by name, to be looked up at boot, or as a value.
#[derive(Clone)]
pub enum GuardSpec {
    /// `"throttle:6,1"`: the part before the colon names the guard, the rest are its arguments.
    Named(String),
    /// A guard that is there already.
    Typed(Arc<dyn Guard>),
    /// A guard that is made at boot, when the services are there. `label` is written as a name is.
    Made { label: String, factory: Arc<dyn GuardFactory> },
}

impl GuardSpec {
    /// The name shown in `route:list`.
    pub fn label(&self) -> String {
        match self {
            Self::Named(name) => name.clone(),
            Self::Typed(guard) => guard.name(),
            Self::Made { label, .. } => label.clone(),
        }
    }
}

impl fmt::Debug for GuardSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GuardSpec").field(&self.label()).finish()
    }
}

/// What `.middleware(…)` takes: a name, several names, or a typed guard.
pub trait IntoGuards {
    /// The guards, in the order they stand.
    fn into_guards(self) -> Vec<GuardSpec>;
}

impl IntoGuards for &str {
    fn into_guards(self) -> Vec<GuardSpec> {
        vec![GuardSpec::Named(self.to_owned())]
    }
}

impl IntoGuards for String {
    fn into_guards(self) -> Vec<GuardSpec> {
        vec![GuardSpec::Named(self)]
    }
}

impl IntoGuards for GuardSpec {
    fn into_guards(self) -> Vec<GuardSpec> {
        vec![self]
    }
}

impl<G: Guard> IntoGuards for G {
    fn into_guards(self) -> Vec<GuardSpec> {
        vec![GuardSpec::Typed(Arc::new(self))]
    }
}

impl<T: IntoGuards, const N: usize> IntoGuards for [T; N] {
    fn into_guards(self) -> Vec<GuardSpec> {
        self.into_iter().flat_map(IntoGuards::into_guards).collect()
    }
}

impl<T: IntoGuards> IntoGuards for Vec<T> {
    fn into_guards(self) -> Vec<GuardSpec> {
        self.into_iter().flat_map(IntoGuards::into_guards).collect()
    }
}

impl<A: IntoGuards, B: IntoGuards> IntoGuards for (A, B) {
    fn into_guards(self) -> Vec<GuardSpec> {
        let mut guards = self.0.into_guards();
        guards.extend(self.1.into_guards());
        guards
    }
}
