//! A body that an endpoint takes, to begin with.

use serde_json::{Map, Value as Json, json};

use crate::{Field, Shape, ShapeKind};

/// The fields that have to be there.
pub(super) fn of_fields(fields: &[Field]) -> Json {
    let required = fields.iter().filter(|field| field.is_required());
    required.map(|field| (field.name().to_owned(), of_field(field))).collect::<Map<_, _>>().into()
}

pub(super) fn of_field(field: &Field) -> Json {
    let is_id = field.name() == "id" || field.name().ends_with("Id");
    match (field.given_example(), field.shape().kind()) {
        (Some(example), _) => example.clone(),
        (None, ShapeKind::Text(None)) if is_id => json!("cW8Vd3nQ0Zr5mTkA1xYb7uHsLgE2jPfN"),
        (None, _) => of(field.shape()),
    }
}

fn of(shape: &Shape) -> Json {
    match shape.kind() {
        ShapeKind::Null => Json::Null,
        ShapeKind::Boolean => json!(true),
        ShapeKind::Integer | ShapeKind::Number => json!(1),
        ShapeKind::Text(Some("email")) => json!("ada@example.com"),
        ShapeKind::Text(Some("password")) => json!("correct horse battery staple"),
        ShapeKind::Text(Some("uri-reference")) => json!("/welcome"),
        ShapeKind::Text(Some("date-time")) => json!("2026-01-02T03:04:05.678Z"),
        ShapeKind::Text(_) => json!("text"),
        ShapeKind::Choice(choices) => json!(choices.first()),
        ShapeKind::List(item) => json!([of(item)]),
        ShapeKind::Object(fields) => of_fields(fields),
        ShapeKind::OneOf(shapes) => shapes.first().map_or(Json::Null, of),
        ShapeKind::Any | ShapeKind::Map(_) | ShapeKind::Row(_) | ShapeKind::RowWith(..) => json!({}),
    }
}
