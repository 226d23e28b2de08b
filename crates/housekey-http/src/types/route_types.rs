use http::{Method, StatusCode};

#[cfg(feature = "types")]
use super::described::{Described, TypeForm};

/// What is known of one route: filled by its [inputs](super::Input) and its [answer](super::Answer).
#[derive(Debug, Default)]
pub struct RouteTypes {
    method: Method,
    /// The statuses that a client may be refused with.
    pub refusals: Vec<StatusCode>,
    /// The names that a refusal with 422 can hold.
    pub fields: Vec<String>,
    #[cfg(feature = "types")]
    pub params: Option<TypeForm>,
    #[cfg(feature = "types")]
    pub query: Option<TypeForm>,
    pub body: Option<BodyType>,
    pub answer: Option<ClientType>,
    #[cfg(feature = "types")]
    pub confirmed: Vec<ConfirmedField>,
    #[cfg(feature = "types")]
    pub rules: Vec<RuledField>,
}

/// A type, as a client is told of it.
#[derive(Clone, Debug)]
pub enum ClientType {
    /// In TypeScript.
    Text(String),
    /// The TypeScript of a Rust type.
    #[cfg(feature = "types")]
    Of(TypeForm),
}

/// What a client sends.
#[derive(Clone, Debug)]
pub struct BodyType {
    /// One of these.
    pub forms: Vec<ClientType>,
    pub is_optional: bool,
}

/// A field that has to be sent a second time under another name.
#[cfg(feature = "types")]
#[derive(Clone, Debug)]
pub struct ConfirmedField {
    /// The TypeScript name of the type that has the field.
    pub of: String,
    pub field: String,
    pub twin: String,
}

/// A field and what the rules of its type say about it, as keywords of JSON Schema.
#[cfg(feature = "types")]
#[derive(Clone, Debug)]
pub struct RuledField {
    /// The TypeScript name of the type that has the field.
    pub of: String,
    pub field: String,
    pub keywords: serde_json::Map<String, serde_json::Value>,
}

impl RouteTypes {
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
        self.body = Some(BodyType { forms: vec![ClientType::Text(typescript.into())], is_optional: false });
    }

    /// A body that nothing is known about, not even whether there is one.
    pub fn any_body(&mut self) {
        self.body = Some(BodyType { forms: vec![ClientType::Text("unknown".into())], is_optional: true });
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
    pub(crate) fn new(method: Method) -> Self {
        Self { method, ..Self::default() }
    }

    /// The values of the path's parameters: a struct that names them, a tuple in their order, or a single one.
    pub fn params<T: Described>(&mut self) {
        self.params = Some(TypeForm::of::<T>());
    }

    pub fn query<T: Described>(&mut self) {
        self.query = Some(TypeForm::of::<T>());
    }

    pub fn body<T: Described>(&mut self) {
        self.body = Some(BodyType { forms: vec![ClientType::Of(TypeForm::of::<T>())], is_optional: false });
    }

    pub fn answer<T: Described>(&mut self) {
        self.answer = Some(ClientType::Of(TypeForm::of::<T>()));
    }

    /// The body may be this as well.
    pub(super) fn or_body<T: Described>(&mut self) {
        if let Some(body) = &mut self.body {
            body.forms.push(ClientType::Of(TypeForm::of::<T>()));
        }
    }

    /// Notes what the rules of the type say about a field.
    pub(super) fn add_rules<T: Described>(
        &mut self,
        field: String,
        keywords: serde_json::Map<String, serde_json::Value>,
    ) {
        if let Some(declaration) = TypeForm::of::<T>().declaration {
            self.rules.push(RuledField { of: declaration.name, field, keywords });
        }
    }

    /// Has a field of the type sent a second time.
    pub(super) fn confirmed<T: Described>(&mut self, field: String, twin: String) {
        if let Some(declaration) = TypeForm::of::<T>().declaration {
            self.confirmed.push(ConfirmedField { of: declaration.name, field, twin });
        }
    }
}
