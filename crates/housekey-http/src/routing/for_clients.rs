use housekey_core::Error;
use http::{Method, StatusCode};

use super::matched::CsrfCheck;
use super::route::Route;
use super::table::RouteTable;
use crate::types::RouteTypes;

impl Route {
    /// What a client can know of it, its guards and its path included; `None` unless it was written as a typed route.
    pub fn types(&self, method: &Method) -> Option<RouteTypes> {
        let describe = self.types?;
        let mut types = RouteTypes::new(method.clone());
        describe(&mut types);
        for guard in self.guards() {
            guard.refuses_with().iter().for_each(|status| types.refuses(*status));
        }
        self.refusals.iter().for_each(|(status, _)| types.refuses(*status));
        if self.matched.pattern.has_parameters() {
            types.refuses(StatusCode::NOT_FOUND);
        }
        if self.matched.csrf == CsrfCheck::Token && !method.is_safe() {
            types.refuses(Error::csrf_mismatch().status());
        }
        Some(types)
    }
}

impl RouteTable {
    /// How many routes clients are told about.
    pub fn typed_count(&self) -> usize {
        self.iter().filter(|route| route.types.is_some()).count()
    }
}
