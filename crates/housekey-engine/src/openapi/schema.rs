//! Shapes and rows as JSON Schema.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json, json};

use crate::schema::{Column, ColumnKind, Table};
use crate::{Engine, Field, Shape, ShapeKind};

/// Where schemas stand in a document.
const PLACE: &str = "#/components/schemas/";

pub(super) const ERROR: &str = "AuthError";
pub(super) const CHALLENGE: &str = "AuthChallenge";

/// The schemas that endpoints name: rows without hidden columns, and what all of them share.
pub(super) fn components(engine: &Engine) -> Map<String, Json> {
    let mut named = BTreeSet::new();
    for endpoint in engine.endpoints() {
        let description = endpoint.description();
        description.answer.iter().for_each(|shape| name_rows(shape, &mut named));
        let fields = description.body.iter().chain(&description.query);
        fields.for_each(|field| name_rows(field.shape(), &mut named));
    }
    let tables = engine.schema().tables().iter().filter(|table| named.contains(table.key.as_str()));
    let mut schemas: Map<_, _> = tables.map(|table| (name_of(&table.key), row(table, &[]))).collect();
    schemas.insert(
        ERROR.into(),
        json!({
            "type": "object",
            "properties": {
                "message": { "type": "string", "description": "For people." },
                "code": { "type": "string", "description": "For programs." },
            },
        }),
    );
    schemas.insert(
        CHALLENGE.into(),
        json!({
            "type": "object",
            "description": "The credentials are right, and something more is asked for before there is a session.",
            "properties": {
                "twoFactorRedirect": { "type": "boolean", "description": "A code is asked for." },
                "twoFactorMethods": { "type": "array", "items": { "type": "string" } },
            },
        }),
    );
    schemas
}

/// A reference to a schema of the document.
pub(super) fn reference(name: &str) -> Json {
    json!({ "$ref": format!("{PLACE}{name}") })
}

/// The schema of an object with these fields.
pub(super) fn object<'a>(fields: impl IntoIterator<Item = &'a Field>, schema: &Engine) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in fields {
        properties.insert(field.name().to_owned(), of_field(field, schema));
        if field.is_required() {
            required.push(field.name());
        }
    }
    let mut object = json!({ "type": "object", "properties": properties });
    if let (Some(object), false) = (object.as_object_mut(), required.is_empty()) {
        object.insert("required".into(), json!(required));
    }
    object
}

pub(super) fn of_field(field: &Field, engine: &Engine) -> Json {
    let mut schema = of(field.shape(), engine);
    if let Some(schema) = schema.as_object_mut() {
        if !field.purpose().is_empty() {
            schema.insert("description".into(), field.purpose().into());
        }
        if let Some(example) = field.given_example() {
            schema.insert("examples".into(), json!([example]));
        }
    }
    schema
}

/// The schema of a column that clients may set.
pub(super) fn of_column(column: &Column) -> Json {
    let (kind, format) = match column.kind {
        ColumnKind::Id | ColumnKind::Text => ("string", None),
        ColumnKind::Boolean => ("boolean", None),
        ColumnKind::Integer | ColumnKind::BigInteger => ("integer", None),
        ColumnKind::Date => ("string", Some("date-time")),
        ColumnKind::Json => return json!({}),
    };
    let mut schema = Map::new();
    let kind = if column.nullable { json!([kind, "null"]) } else { json!(kind) };
    schema.insert("type".into(), kind);
    if let Some(format) = format {
        schema.insert("format".into(), format.into());
    }
    schema.into()
}

pub(super) fn of(shape: &Shape, engine: &Engine) -> Json {
    let schema = match shape.kind() {
        ShapeKind::Any => return json!({}),
        ShapeKind::Null => return json!({ "type": "null" }),
        ShapeKind::Boolean => json!({ "type": "boolean" }),
        ShapeKind::Integer => json!({ "type": "integer" }),
        ShapeKind::Number => json!({ "type": "number" }),
        ShapeKind::Text(None) => json!({ "type": "string" }),
        ShapeKind::Text(Some(format)) => json!({ "type": "string", "format": format }),
        ShapeKind::Choice(choices) => json!({ "type": "string", "enum": choices }),
        ShapeKind::List(item) => json!({ "type": "array", "items": of(item, engine) }),
        ShapeKind::Object(fields) => object(fields, engine),
        ShapeKind::Map(value) => json!({ "type": "object", "additionalProperties": of(value, engine) }),
        ShapeKind::Row(table) => match engine.schema().table(table) {
            Some(_) => reference(&name_of(table)),
            None => json!({ "type": "object" }),
        },
        ShapeKind::RowWith(table, fields) => match engine.schema().table(table) {
            Some(table) => with_fields(row(table, fields), fields, engine),
            None => object(fields, engine),
        },
        ShapeKind::OneOf(shapes) => {
            json!({ "anyOf": shapes.iter().map(|shape| of(shape, engine)).collect::<Vec<_>>() })
        }
    };
    if shape.is_nullable() { or_null(schema) } else { schema }
}

fn or_null(mut schema: Json) -> Json {
    match schema.get_mut("type") {
        // An enumeration would have to name it as well.
        Some(kind) if kind.is_string() => {
            *kind = json!([kind.take(), "null"]);
            if let Some(Json::Array(choices)) = schema.get_mut("enum") {
                choices.push(Json::Null);
            }
            schema
        }
        _ => json!({ "anyOf": [schema, { "type": "null" }] }),
    }
}

/// A row as clients see it, without the columns that some fields replace.
fn row(table: &Table, replaced: &[Field]) -> Json {
    let is_replaced = |column: &Column| replaced.iter().any(|field| field.name() == column.field);
    let columns = table.columns.iter().filter(|column| column.returned && !is_replaced(column));
    let (names, properties): (Vec<_>, Map<_, _>) =
        columns.map(|column| (&*column.field, (column.field.to_string(), of_column(column)))).unzip();
    json!({ "type": "object", "properties": properties, "required": names })
}

fn with_fields(mut row: Json, fields: &[Field], engine: &Engine) -> Json {
    let added = object(fields, engine);
    for part in ["properties", "required"] {
        match (row.get_mut(part), added.get(part)) {
            (Some(Json::Object(own)), Some(Json::Object(more))) => own.extend(more.clone()),
            (Some(Json::Array(own)), Some(Json::Array(more))) => own.extend(more.clone()),
            _ => {}
        }
    }
    row
}

/// `AuthUser`: a name that no type of the app is likely to have.
fn name_of(table: &str) -> String {
    let mut letters = table.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    format!("Auth{}{}", first.map(String::from).unwrap_or_default(), letters.as_str())
}

fn name_rows<'a>(shape: &'a Shape, named: &mut BTreeSet<&'a str>) {
    match shape.kind() {
        ShapeKind::Row(table) => drop(named.insert(table)),
        ShapeKind::List(inner) | ShapeKind::Map(inner) => name_rows(inner, named),
        ShapeKind::Object(fields) | ShapeKind::RowWith(_, fields) => {
            fields.iter().for_each(|field| name_rows(field.shape(), named));
        }
        ShapeKind::OneOf(shapes) => shapes.iter().for_each(|shape| name_rows(shape, named)),
        _ => {}
    }
}
