use super::Routes;
use super::definition::{Attributes, join};
use crate::guard::IntoGuards;

/// Routes that have something in common.
///
/// ```
/// use housekey_http::Routes;
///
/// fn web(route: &mut Routes) {
///     route.group().prefix("/admin").name("admin.").middleware(["auth", "can:manage"]).routes(|route| {
///         route.get("/users", async || "users").name("users"); // GET /admin/users, named admin.users
///     });
/// }
/// ```
#[derive(Debug)]
#[must_use = "a group does nothing until `.routes(…)` gives it routes"]
pub struct GroupBuilder<'a> {
    routes: &'a mut Routes,
    attributes: Attributes,
}

impl<'a> GroupBuilder<'a> {
    pub(crate) fn new(routes: &'a mut Routes, attributes: Attributes) -> Self {
        Self { routes, attributes }
    }

    /// Puts a path in front of every route.
    pub fn prefix(mut self, prefix: &str) -> Self {
        self.attributes.prefix = join(&self.attributes.prefix, prefix);
        self
    }

    /// Puts text in front of every name. The separator is yours: `"admin."`.
    pub fn name(mut self, prefix: &str) -> Self {
        self.attributes.name.push_str(prefix);
        self
    }

    /// Puts guards in front of every route, the outer group's first.
    pub fn middleware(mut self, guards: impl IntoGuards) -> Self {
        self.attributes.guards.extend(guards.into_guards());
        self
    }

    /// Constrains a parameter in every route that has it.
    pub fn where_(mut self, parameter: &str, expression: &str) -> Self {
        self.attributes.constraints.push((parameter.to_owned(), expression.to_owned()));
        self
    }

    /// Takes every route out of CSRF protection.
    pub fn without_csrf(mut self) -> Self {
        self.attributes.without_csrf = true;
        self
    }

    /// Writes down the routes of the group.
    pub fn routes(self, write: impl FnOnce(&mut Routes)) {
        let mut inner = Routes::with_attributes(self.attributes);
        write(&mut inner);
        self.routes.absorb(inner);
    }
}
