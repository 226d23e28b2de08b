//! Types as JSON Schema, each under its name in the document.

use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};

use housekey_core::{Error, Result};
use housekey_http::types::{ClientType, ConfirmedField, RuledField, TypeForm};
use serde_json::{Map, Value, json};

use crate::typescript::{Declared, Member, Type, parse_declaration, parse_type};

/// Where schemas stand in a document.
const PLACE: &str = "#/components/schemas/";

/// The types that routes mention, and those that these mention.
#[derive(Debug, Default)]
pub(crate) struct Schemas {
    declared: BTreeMap<String, (Declared, String)>,
    seen: HashSet<TypeId>,
    confirmed: Vec<ConfirmedField>,
    rules: Vec<RuledField>,
    /// What the document holds, by name.
    written: BTreeMap<String, Value>,
}

impl Schemas {
    /// Notes what the rules of a type add to what its fields say.
    pub(crate) fn note(&mut self, confirmed: Vec<ConfirmedField>, rules: Vec<RuledField>) {
        self.confirmed.extend(confirmed);
        self.rules.extend(rules);
    }

    /// The schema of a type.
    pub(crate) fn of_form(&mut self, form: &TypeForm) -> Result<Value> {
        self.declare(form)?;
        self.of_text(&form.name)
    }

    /// The schema of what a client is told of.
    pub(crate) fn of_client_type(&mut self, of: &ClientType) -> Result<Value> {
        match of {
            ClientType::Text(text) => self.of_text(text),
            ClientType::Of(form) => self.of_form(form),
        }
    }

    /// The fields of a type that is an object: name, schema, and whether it has to be there.
    pub(crate) fn fields_of(&mut self, form: &TypeForm) -> Result<Vec<(String, Value, bool)>> {
        let schema = self.of_form(form)?;
        let schema = self.resolved(&schema);
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let fields = schema["properties"].as_object().cloned().unwrap_or_default();
        Ok(fields
            .into_iter()
            .map(|(name, schema)| {
                let is_required = required.iter().any(|other| *other == name.as_str());
                (name, schema, is_required)
            })
            .collect())
    }

    /// The items of a tuple, or the type itself.
    pub(crate) fn items_of(&mut self, form: &TypeForm) -> Result<Vec<Value>> {
        self.declare(form)?;
        match self.parsed(&form.name)? {
            Type::Tuple(items) => items.iter().map(|item| self.of(item)).collect(),
            one => Ok(vec![self.of(&one)?]),
        }
    }

    /// A schema with a reference followed.
    pub(crate) fn resolved(&self, schema: &Value) -> Value {
        let name = schema["$ref"].as_str().and_then(|reference| reference.strip_prefix(PLACE));
        name.and_then(|name| self.written.get(name)).unwrap_or(schema).clone()
    }

    /// All of them, by name.
    pub(crate) fn into_written(self) -> BTreeMap<String, Value> {
        self.written
    }

    fn declare(&mut self, form: &TypeForm) -> Result<()> {
        if !self.seen.insert(form.id) {
            return Ok(());
        }
        if let Some(declaration) = &form.declaration {
            let declared = parse_declaration(&declaration.text)
                .map_err(|problem| unreadable(&declaration.text, &problem))?;
            let docs = declaration.docs.as_deref().map(plain).unwrap_or_default();
            match self.declared.get(&declared.name) {
                // The same type with other type arguments.
                Some((known, _)) if *known == declared => {}
                Some(_) => {
                    return Err(Error::internal(format!(
                        "two types are called {} in the description of the API, one of them {}\n\
                         Give one of them another name: #[ts(rename = \"…\")] below its #[typescript].",
                        declared.name, declaration.origin
                    )));
                }
                None => drop(self.declared.insert(declared.name.clone(), (declared, docs))),
            }
        }
        for form in form.dependencies.iter().chain(&form.generics) {
            self.declare(&form())?;
        }
        Ok(())
    }

    fn parsed(&self, text: &str) -> Result<Type> {
        parse_type(text).map_err(|problem| unreadable(text, &problem))
    }

    fn of_text(&mut self, text: &str) -> Result<Value> {
        let parsed = self.parsed(text)?;
        self.of(&parsed)
    }

    fn of(&mut self, of: &Type) -> Result<Value> {
        Ok(match of {
            Type::Named(name, arguments) => return self.named(name, arguments),
            Type::Literal(value) => json!({ "const": value }),
            Type::Object(members) => self.object(members)?,
            Type::Map(value) => json!({ "type": "object", "additionalProperties": self.of(value)? }),
            Type::Tuple(items) => {
                let items = items.iter().map(|item| self.of(item)).collect::<Result<Vec<_>>>()?;
                json!({ "type": "array", "prefixItems": items, "minItems": items.len(), "items": false })
            }
            Type::Union(types) => self.union(types)?,
            Type::Intersection(types) => {
                json!({ "allOf": types.iter().map(|one| self.of(one)).collect::<Result<Vec<_>>>()? })
            }
        })
    }

    fn named(&mut self, name: &str, arguments: &[Type]) -> Result<Value> {
        Ok(match (name, arguments) {
            ("string", []) => json!({ "type": "string" }),
            ("number", []) => json!({ "type": "number" }),
            ("bigint", []) => json!({ "type": "integer" }),
            ("boolean", []) => json!({ "type": "boolean" }),
            ("null" | "undefined" | "void", []) => json!({ "type": "null" }),
            ("never", []) => json!({ "not": {} }),
            ("Array", [item]) => json!({ "type": "array", "items": self.of(item)? }),
            ("Record", [_, value]) => json!({ "type": "object", "additionalProperties": self.of(value)? }),
            _ if self.declared.contains_key(name) => return self.component(name, arguments),
            // `unknown`, `any`, and what a `#[ts(type = "…")]` names without declaring it.
            _ => json!({}),
        })
    }

    /// A reference to a declared type, which is written down with its arguments in place.
    fn component(&mut self, name: &str, arguments: &[Type]) -> Result<Value> {
        let key = key_of(name, arguments);
        let reference = json!({ "$ref": format!("{PLACE}{key}") });
        if self.written.contains_key(&key) {
            return Ok(reference);
        }
        let Some((declared, docs)) = self.declared.get(name).cloned() else { return Ok(json!({})) };
        // A type that holds itself finds its place taken.
        self.written.insert(key.clone(), Value::Null);
        let arguments: Vec<_> = declared.parameters.into_iter().zip(arguments.iter().cloned()).collect();
        let mut schema = self.of(&declared.of.with(&arguments))?;
        self.add_rules(name, &mut schema);
        if let (Some(schema), false) = (schema.as_object_mut(), docs.is_empty()) {
            schema.insert("description".into(), docs.into());
        }
        self.written.insert(key, schema);
        Ok(reference)
    }

    fn object(&mut self, members: &[Member]) -> Result<Value> {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for member in members {
            let mut schema = self.of(&member.of)?;
            if let (Some(schema), false) = (schema.as_object_mut(), member.docs.is_empty()) {
                schema.insert("description".into(), member.docs.clone().into());
            }
            properties.insert(member.name.clone(), schema);
            if !member.is_optional {
                required.push(member.name.clone());
            }
        }
        let mut object = json!({ "type": "object", "properties": properties });
        if !required.is_empty() {
            object["required"] = json!(required);
        }
        Ok(object)
    }

    fn union(&mut self, types: &[Type]) -> Result<Value> {
        let literals: Vec<_> = types
            .iter()
            .filter_map(|one| match one {
                Type::Literal(value) => Some(value.clone()),
                _ => None,
            })
            .collect();
        if literals.len() == types.len() {
            return Ok(json!({ "enum": literals }));
        }
        let schemas = types.iter().map(|one| self.of(one)).collect::<Result<Vec<_>>>()?;
        if let [schema, null] = schemas.as_slice()
            && *null == json!({ "type": "null" })
            && let Some(kind) = schema["type"].as_str()
        {
            let mut schema = schema.clone();
            schema["type"] = json!([kind, "null"]);
            return Ok(schema);
        }
        Ok(json!({ "anyOf": schemas }))
    }

    /// Adds to the fields of a type what its rules say, and those that have to be sent twice.
    fn add_rules(&self, name: &str, schema: &mut Value) {
        let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
        for ruled in self.rules.iter().filter(|ruled| ruled.of == name) {
            if let Some(Value::Object(field)) = properties.get_mut(&ruled.field) {
                add_keywords(field, &ruled.keywords);
            }
        }
        for confirmed in self.confirmed.iter().filter(|confirmed| confirmed.of == name) {
            let mut twin = schema["properties"][&confirmed.field].clone();
            twin["description"] = format!("The same as `{}`.", confirmed.field).into();
            schema["properties"][&confirmed.twin] = twin;
            if let Some(required) = schema["required"].as_array_mut()
                && required.contains(&confirmed.field.as_str().into())
                && !required.contains(&confirmed.twin.as_str().into())
            {
                required.push(confirmed.twin.clone().into());
            }
        }
    }
}

fn add_keywords(field: &mut Map<String, Value>, keywords: &Map<String, Value>) {
    for (name, value) in keywords {
        // Null stays allowed where it was.
        let is_nullable = name == "type" && field.get("type").is_some_and(Value::is_array);
        let value = if is_nullable { json!([value, "null"]) } else { value.clone() };
        field.insert(name.clone(), value);
    }
}

/// `Page<Post>` as a name of the document: `Page.Post`.
fn key_of(name: &str, arguments: &[Type]) -> String {
    let mut key = name.to_owned();
    for argument in arguments {
        let text = match argument {
            Type::Named(name, inner) => key_of(name, inner),
            other => format!("{other:?}").chars().filter(char::is_ascii_alphanumeric).collect(),
        };
        key.push('.');
        key.push_str(&text);
    }
    key
}

/// A comment without its stars.
fn plain(docs: &str) -> String {
    let lines = docs.lines().map(|line| line.trim().trim_matches(['/', '*']).trim());
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

fn unreadable(text: &str, problem: &str) -> Error {
    Error::internal(format!(
        "the TypeScript `{text}` cannot be read for the description of the API: {problem}"
    ))
}
