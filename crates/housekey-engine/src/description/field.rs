use std::borrow::Cow;

use serde_json::Value as Json;

use super::Shape;

/// A field of a body, a query or an answer. It must be there unless it is [`optional`](Self::optional).
///
/// ```
/// use housekey_engine::Field;
///
/// let fields = [
///     Field::email("email"),
///     Field::secret("password"),
///     Field::boolean("rememberMe").optional().about("Whether the session outlives the browser; yes by default."),
/// ];
/// assert!(fields[0].is_required() && !fields[2].is_required());
/// ```
#[derive(Clone, Debug)]
pub struct Field {
    name: Cow<'static, str>,
    shape: Shape,
    about: Cow<'static, str>,
    is_required: bool,
    example: Option<Json>,
}

impl Field {
    pub fn new(name: impl Into<Cow<'static, str>>, shape: Shape) -> Self {
        Self { name: name.into(), shape, about: Cow::Borrowed(""), is_required: true, example: None }
    }

    pub fn text(name: impl Into<Cow<'static, str>>) -> Self {
        Self::new(name, Shape::text())
    }

    pub fn email(name: impl Into<Cow<'static, str>>) -> Self {
        Self::new(name, Shape::email())
    }

    /// Text that nobody else may see: a password, a code.
    pub fn secret(name: impl Into<Cow<'static, str>>) -> Self {
        Self::new(name, Shape::secret())
    }

    /// An address of a page, whole or below the app's own.
    pub fn url(name: impl Into<Cow<'static, str>>) -> Self {
        Self::new(name, Shape::url())
    }

    pub fn boolean(name: impl Into<Cow<'static, str>>) -> Self {
        Self::new(name, Shape::boolean())
    }

    pub fn integer(name: impl Into<Cow<'static, str>>) -> Self {
        Self::new(name, Shape::integer())
    }

    /// A moment, as ISO 8601.
    pub fn date(name: impl Into<Cow<'static, str>>) -> Self {
        Self::new(name, Shape::date())
    }

    /// One of some texts.
    pub fn choice<T: Into<Cow<'static, str>>>(
        name: impl Into<Cow<'static, str>>,
        choices: impl IntoIterator<Item = T>,
    ) -> Self {
        Self::new(name, Shape::choice(choices))
    }

    /// A list of items of one shape.
    pub fn list(name: impl Into<Cow<'static, str>>, item: Shape) -> Self {
        Self::new(name, Shape::list(item))
    }

    /// A row of a table (the engine's name) as clients see it.
    pub fn row(name: impl Into<Cow<'static, str>>, table: impl Into<Cow<'static, str>>) -> Self {
        Self::new(name, Shape::row(table))
    }

    #[must_use]
    pub fn optional(mut self) -> Self {
        self.is_required = false;
        self
    }

    #[must_use]
    pub fn or_null(mut self) -> Self {
        self.shape = self.shape.or_null();
        self
    }

    /// Says what the field is for, in the description of the API.
    #[must_use]
    pub fn about(mut self, about: impl Into<Cow<'static, str>>) -> Self {
        self.about = about.into();
        self
    }

    /// A value that it may have.
    #[must_use]
    pub fn example(mut self, example: impl Into<Json>) -> Self {
        self.example = Some(example.into());
        self
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// What it is for; may be empty.
    pub fn purpose(&self) -> &str {
        &self.about
    }

    pub fn is_required(&self) -> bool {
        self.is_required
    }

    pub fn given_example(&self) -> Option<&Json> {
        self.example.as_ref()
    }
}
