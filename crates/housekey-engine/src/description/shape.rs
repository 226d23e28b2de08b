use std::borrow::Cow;

use super::Field;

/// What a JSON value looks like.
///
/// ```
/// use housekey_engine::{Field, Shape};
///
/// let answer = Shape::object([Field::text("token").or_null(), Field::row("user", "user")]);
/// let page = Shape::object([Field::list("users", Shape::row("user")), Field::integer("total")]);
/// # let _ = (answer, page);
/// ```
#[derive(Clone, Debug)]
pub struct Shape {
    kind: ShapeKind,
    is_nullable: bool,
}

#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ShapeKind {
    /// Anything, `null` included.
    Any,
    Null,
    Boolean,
    Integer,
    Number,
    /// Text, of a format that JSON Schema knows.
    Text(Option<&'static str>),
    Choice(Vec<Cow<'static, str>>),
    List(Box<Shape>),
    /// These fields. Others may stand beside them.
    Object(Vec<Field>),
    /// Any names, values of one shape.
    Map(Box<Shape>),
    /// A row of a table as clients see it: without hidden columns. The name is the engine's.
    Row(Cow<'static, str>),
    /// A row with more fields beside its columns.
    RowWith(Cow<'static, str>, Vec<Field>),
    OneOf(Vec<Shape>),
}

impl Shape {
    fn new(kind: ShapeKind) -> Self {
        Self { kind, is_nullable: false }
    }

    pub fn any() -> Self {
        Self::new(ShapeKind::Any)
    }

    pub fn null() -> Self {
        Self::new(ShapeKind::Null)
    }

    pub fn boolean() -> Self {
        Self::new(ShapeKind::Boolean)
    }

    pub fn integer() -> Self {
        Self::new(ShapeKind::Integer)
    }

    pub fn number() -> Self {
        Self::new(ShapeKind::Number)
    }

    pub fn text() -> Self {
        Self::new(ShapeKind::Text(None))
    }

    pub fn email() -> Self {
        Self::new(ShapeKind::Text(Some("email")))
    }

    /// Text that nobody else may see.
    pub fn secret() -> Self {
        Self::new(ShapeKind::Text(Some("password")))
    }

    /// An address, whole or below the app's own.
    pub fn url() -> Self {
        Self::new(ShapeKind::Text(Some("uri-reference")))
    }

    /// A moment, as ISO 8601.
    pub fn date() -> Self {
        Self::new(ShapeKind::Text(Some("date-time")))
    }

    /// One of some texts.
    pub fn choice<T: Into<Cow<'static, str>>>(choices: impl IntoIterator<Item = T>) -> Self {
        Self::new(ShapeKind::Choice(choices.into_iter().map(Into::into).collect()))
    }

    pub fn list(item: Self) -> Self {
        Self::new(ShapeKind::List(Box::new(item)))
    }

    /// Fields. Others may stand beside them.
    pub fn object(fields: impl IntoIterator<Item = Field>) -> Self {
        Self::new(ShapeKind::Object(fields.into_iter().collect()))
    }

    /// Any names, values of one shape.
    pub fn map(value: Self) -> Self {
        Self::new(ShapeKind::Map(Box::new(value)))
    }

    /// A row of a table (the engine's name) as [`row_view`](crate::Api::row_view) and its siblings show it. Which columns that are
    /// is read from the schema, so none that is hidden can be among them.
    pub fn row(table: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ShapeKind::Row(table.into()))
    }

    /// A row with more fields beside its columns.
    pub fn row_with(table: impl Into<Cow<'static, str>>, fields: impl IntoIterator<Item = Field>) -> Self {
        Self::new(ShapeKind::RowWith(table.into(), fields.into_iter().collect()))
    }

    /// A value of one of these shapes.
    pub fn one_of(shapes: impl IntoIterator<Item = Self>) -> Self {
        Self::new(ShapeKind::OneOf(shapes.into_iter().collect()))
    }

    /// `{ "status": true }`, which many endpoints answer.
    pub fn status() -> Self {
        Self::object([Field::boolean("status")])
    }

    /// `{ "success": true }`, which others answer.
    pub fn success() -> Self {
        Self::object([Field::boolean("success")])
    }

    #[must_use]
    pub fn or_null(mut self) -> Self {
        self.is_nullable = true;
        self
    }

    pub fn kind(&self) -> &ShapeKind {
        &self.kind
    }

    pub fn is_nullable(&self) -> bool {
        self.is_nullable
    }
}
