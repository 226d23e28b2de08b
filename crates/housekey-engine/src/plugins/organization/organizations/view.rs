use super::super::{Organization, fields};
use crate::{Api, Field, Record, Result, Shape, Value};

/// An organisation as most endpoints show it: `metadata` is the text of the column.
pub(super) fn row(api: &Api, organization: &Organization) -> Result<Record> {
    fields::view(api, "organization", &organization.to_record())
}

/// An organisation as those show it that wrote it: `metadata` is an object, or not there.
pub(super) fn written(api: &Api, organization: &Organization) -> Result<Record> {
    let mut seen = row(api, organization)?;
    match &organization.metadata {
        Some(metadata) => seen.set("metadata", Value::Json(metadata.clone().into())),
        None => drop(seen.take("metadata")),
    }
    Ok(seen)
}

/// That object as it is described.
pub(super) fn metadata() -> Field {
    Field::new("metadata", Shape::map(Shape::any())).optional()
}
