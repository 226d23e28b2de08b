use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Columns of one's own on a core table, by field name.
pub type AdditionalFields = BTreeMap<String, AdditionalField>;

/// Other names for tables, by the name the engine uses: `{ "twoFactor": { "modelName": "second_factors" } }`.
pub type ModelNames = BTreeMap<String, TableNames>;

/// Other names for a table and its columns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TableNames {
    /// The table's name.
    pub model_name: Option<String>,
    /// Column names by field name.
    pub fields: BTreeMap<String, String>,
}

/// A column of one's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AdditionalField {
    #[serde(rename = "type")]
    pub kind: FieldKind,
    pub required: bool,
    /// The value it has when none is given.
    pub default_value: Option<serde_json::Value>,
    /// Whether a client may set it. Unset it may, as in the reference; the framework's layer takes that for a no.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<bool>,
    /// Whether a client may see it.
    pub returned: bool,
    /// Whether no two rows may share a value.
    pub unique: bool,
    /// Whether rows are looked up by it.
    pub index: bool,
    /// The column's name, if it is not the field's.
    pub field_name: Option<String>,
}

impl AdditionalField {
    /// Whether a client may set it.
    pub fn takes_input(&self) -> bool {
        self.input.unwrap_or(true)
    }
}

impl Default for AdditionalField {
    fn default() -> Self {
        Self {
            kind: FieldKind::String,
            required: false,
            default_value: None,
            input: None,
            returned: true,
            unique: false,
            index: false,
            field_name: None,
        }
    }
}

/// What a column of one's own holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FieldKind {
    #[default]
    String,
    Boolean,
    /// A whole number.
    Number,
    Date,
    /// Anything else.
    Json,
}
