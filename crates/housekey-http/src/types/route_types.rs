use http::{Method, StatusCode};

#[cfg(feature = "types")]
use super::declarations::{Declarations, Described};

/// What is known of one route: filled by its [inputs](super::Input) and its [answer](super::Answer).
#[derive(Debug, Default)]
pub struct RouteTypes {
    method: Method,
    pub(super) refusals: Vec<StatusCode>,
    pub(super) fields: Vec<String>,
    #[cfg(feature = "types")]
    pub(super) params: Params,
    #[cfg(feature = "types")]
    pub(super) query: Option<String>,
    pub(super) body: Option<Body>,
    pub(super) answer: Option<String>,
    #[cfg(feature = "types")]
    pub(super) declarations: Declarations,
}

/// What the parameters of a path are.
#[cfg(feature = "types")]
#[derive(Debug, Default)]
pub(super) enum Params {
    /// Text: nothing reads them, or nothing says more.
    #[default]
    Text,
    /// A struct with a field for each.
    Named(String),
    /// A type for each, in their order.
    InOrder(Vec<String>),
}

#[derive(Debug)]
#[cfg_attr(not(feature = "types"), expect(dead_code, reason = "without the feature nobody asks"))]
pub(super) struct Body {
    pub(super) text: String,
    pub(super) is_optional: bool,
}

impl RouteTypes {
    /// The method of the route.
    pub fn method(&self) -> &Method {
        &self.method
    }

    /// A JSON client may be refused with this status.
    pub fn refuses(&mut self, status: StatusCode) {
        if !self.refusals.contains(&status) {
            self.refusals.push(status);
        }
    }

    /// A refusal with 422 may name this field. `tags.${number}` stands for every item of a list.
    pub fn field(&mut self, name: impl Into<String>) {
        let name = name.into();
        if !self.fields.contains(&name) {
            self.fields.push(name);
        }
    }

    /// The body, in TypeScript: `FormData`.
    pub fn body_text(&mut self, typescript: impl Into<String>) {
        self.body = Some(Body { text: typescript.into(), is_optional: false });
    }

    /// A body that nothing is known about, not even whether there is one.
    pub fn any_body(&mut self) {
        self.body = Some(Body { text: "unknown".into(), is_optional: true });
    }

    /// The answer, in TypeScript.
    pub fn answer_text(&mut self, typescript: impl Into<String>) {
        self.answer = Some(typescript.into());
    }

    /// Lets something describe itself that refuses nobody after all: an extractor in an `Option`.
    pub(super) fn without_refusals(&mut self, describe: impl FnOnce(&mut Self)) {
        let before = std::mem::take(&mut self.refusals);
        describe(self);
        self.refusals = before;
    }
}

#[cfg(feature = "types")]
impl RouteTypes {
    pub(super) fn of(method: Method, declarations: Declarations) -> Self {
        Self { method, declarations, ..Self::default() }
    }

    /// The values of the path's parameters: a struct that names them, a tuple in their order, or a single one.
    pub fn params<T: Described>(&mut self) {
        self.params = match self.declarations.object::<T>() {
            Some(name) => Params::Named(name),
            None => Params::InOrder(self.declarations.items::<T>()),
        };
    }

    pub fn query<T: Described>(&mut self) {
        self.query = Some(self.declarations.reference::<T>());
    }

    pub fn body<T: Described>(&mut self) {
        let text = self.declarations.reference::<T>();
        self.body_text(text);
    }

    pub fn answer<T: Described>(&mut self) {
        self.answer = Some(self.declarations.reference::<T>());
    }
}
