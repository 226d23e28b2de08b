//! The document as the page shows it.

use serde_json::{Map, Value};

const PLACE: &str = "#/components/schemas/";

pub(super) struct Reader<'a> {
    document: &'a Value,
}

/// Operations under one heading.
pub(super) struct Heading<'a> {
    pub(super) name: &'a str,
    pub(super) operations: Vec<Operation<'a>>,
}

/// One method of one path.
pub(super) struct Operation<'a> {
    pub(super) id: &'a str,
    pub(super) method: String,
    pub(super) path: &'a str,
    pub(super) summary: &'a str,
    pub(super) about: &'a str,
    /// The ways to say who is asking, any of which will do; none where anybody may.
    pub(super) ways: Vec<String>,
    pub(super) parameters: Vec<Field<'a>>,
    pub(super) body: Option<Content<'a>>,
    pub(super) answers: Vec<Answer<'a>>,
}

/// What stands in a body.
pub(super) struct Content<'a> {
    pub(super) media: Vec<&'a str>,
    pub(super) fields: Vec<Field<'a>>,
    pub(super) kind: Vec<Word<'a>>,
    pub(super) example: Option<String>,
}

pub(super) struct Answer<'a> {
    pub(super) status: &'a str,
    pub(super) about: &'a str,
    pub(super) content: Option<Content<'a>>,
}

pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    /// `path` or `query`, for a parameter.
    pub(super) place: &'a str,
    pub(super) is_required: bool,
    pub(super) kind: Vec<Word<'a>>,
    pub(super) about: &'a str,
}

/// A part of what a value is called; a type of the document is a link to it.
pub(super) enum Word<'a> {
    Plain(String),
    Type(&'a str),
}

pub(super) struct Named<'a> {
    pub(super) name: &'a str,
    pub(super) about: &'a str,
    pub(super) fields: Vec<Field<'a>>,
    pub(super) kind: Vec<Word<'a>>,
}

/// A way to say who sends a request.
pub(super) struct Way<'a> {
    pub(super) shown: String,
    pub(super) about: &'a str,
}

impl Heading<'_> {
    /// As people read it: a plugin is called `api-key`.
    pub(super) fn title(&self) -> String {
        self.name.replace('-', " ")
    }

    pub(super) fn anchor(&self) -> String {
        let letters =
            self.name.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
        format!("tag-{}", letters.collect::<String>())
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(document: &'a Value) -> Self {
        Self { document }
    }

    /// Title, version and description.
    pub(super) fn info(&self) -> (&'a str, &'a str, &'a str) {
        let info = &self.document["info"];
        (text(&info["title"]), text(&info["version"]), text(&info["description"]))
    }

    pub(super) fn headings(&self) -> Vec<Heading<'a>> {
        let tags = self.document["tags"].as_array().into_iter().flatten();
        let heading = |tag: &'a Value| {
            let name = text(&tag["name"]);
            Heading { name, operations: self.operations(name) }
        };
        tags.map(heading).collect()
    }

    pub(super) fn types(&self) -> Vec<Named<'a>> {
        let schemas = entries(&self.document["components"]["schemas"]);
        let named = |(name, schema): (&'a String, &'a Value)| Named {
            name,
            about: text(&schema["description"]),
            fields: fields(schema),
            kind: kind(schema),
        };
        schemas.map(named).collect()
    }

    pub(super) fn security_schemes(&self) -> Vec<Way<'a>> {
        let schemes = entries(&self.document["components"]["securitySchemes"]);
        let way = |(_, scheme): (&'a String, &'a Value)| Way {
            shown: shown(scheme),
            about: text(&scheme["description"]),
        };
        schemes.map(way).collect()
    }

    fn ways(&self, operation: &Value) -> Vec<String> {
        let schemes = &self.document["components"]["securitySchemes"];
        let names = operation["security"].as_array().into_iter().flatten().flat_map(entries);
        names.map(|(name, _)| shown(&schemes[name])).collect()
    }

    fn operations(&self, tag: &str) -> Vec<Operation<'a>> {
        let paths = entries(&self.document["paths"]);
        let all = paths.flat_map(|(path, methods)| {
            entries(methods).map(move |(method, operation)| (path, method, operation))
        });
        let own = all.filter(|(_, _, operation)| text(&operation["tags"][0]) == tag);
        own.map(|(path, method, operation)| self.operation(path, method, operation)).collect()
    }

    fn operation(&self, path: &'a str, method: &str, operation: &'a Value) -> Operation<'a> {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let parameter = |parameter: &'a Value| Field {
            name: text(&parameter["name"]),
            place: text(&parameter["in"]),
            is_required: parameter["required"] == true,
            kind: kind(&parameter["schema"]),
            about: text(&parameter["description"]),
        };
        let answers = entries(&operation["responses"]).map(|(status, answer)| Answer {
            status,
            about: text(&answer["description"]),
            content: self.content(&answer["content"]),
        });
        Operation {
            id: text(&operation["operationId"]),
            method: method.to_uppercase(),
            path,
            summary: text(&operation["summary"]),
            about: text(&operation["description"]),
            ways: self.ways(operation),
            parameters: parameters.map(parameter).collect(),
            body: self.content(&operation["requestBody"]["content"]),
            answers: answers.collect(),
        }
    }

    fn content(&self, content: &'a Value) -> Option<Content<'a>> {
        let media: Vec<_> = entries(content).map(|(name, _)| name.as_str()).collect();
        let (_, first) = entries(content).next()?;
        let schema = &first["schema"];
        // Errors are the same everywhere: their type says it once.
        let shown = self.resolved(schema);
        let example = first.get("example").filter(|example| !is_empty(example));
        Some(Content {
            media,
            fields: if schema.get("$ref").is_some() && example.is_none() {
                Vec::new()
            } else {
                fields(shown)
            },
            kind: kind(schema),
            example: example.and_then(|example| serde_json::to_string_pretty(example).ok()),
        })
    }

    fn resolved(&self, schema: &'a Value) -> &'a Value {
        match reference(schema) {
            Some(name) => &self.document["components"]["schemas"][name],
            None => schema,
        }
    }
}

/// A way to say who is asking, as the header that says it.
fn shown(scheme: &Value) -> String {
    match (text(&scheme["type"]), text(&scheme["in"])) {
        ("http", _) => "authorization: Bearer …".to_owned(),
        (_, "cookie") => format!("cookie: {}=…", text(&scheme["name"])),
        _ => format!("{}: …", text(&scheme["name"])),
    }
}

fn fields(schema: &Value) -> Vec<Field<'_>> {
    let required = schema["required"].as_array();
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|other| other == name));
    entries(&schema["properties"])
        .map(|(name, schema)| Field {
            name,
            place: "",
            is_required: is_required(name),
            kind: kind(schema),
            about: text(&schema["description"]),
        })
        .collect()
}

/// What a value is called: `text`, `list of User`, `number or null`.
fn kind(schema: &Value) -> Vec<Word<'_>> {
    if let Some(name) = reference(schema) {
        return vec![Word::Type(name)];
    }
    for word in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[word].as_array() {
            return joined(choices.iter().map(kind), " or ");
        }
    }
    if let Some(parts) = schema["allOf"].as_array() {
        return joined(parts.iter().map(kind), " and ");
    }
    if let Some(choices) = schema["enum"].as_array() {
        let choices: Vec<_> = choices.iter().map(Value::to_string).collect();
        return plain(choices.join(" or "));
    }
    if let Some(value) = schema.get("const") {
        return plain(value.to_string());
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        kind => kind.as_str().into_iter().collect(),
    };
    joined(kinds.into_iter().map(|kind| of_type(kind, schema)), " or ")
}

fn of_type<'a>(kind_of: &str, schema: &'a Value) -> Vec<Word<'a>> {
    let of =
        |what: &str, words: Vec<Word<'a>>| plain(format!("{what} of ")).into_iter().chain(words).collect();
    match kind_of {
        "string" => plain(match text(&schema["format"]) {
            "" => format!("text{}", lengths(schema)),
            format => format!("text ({format}){}", lengths(schema)),
        }),
        "array" => of("list", kind(&schema["items"])),
        "object" if !kind(&schema["additionalProperties"]).is_empty() => {
            of("object", kind(&schema["additionalProperties"]))
        }
        other => plain(other.to_owned()),
    }
}

fn lengths(schema: &Value) -> String {
    match (schema["minLength"].as_u64().filter(|least| *least > 1), schema["maxLength"].as_u64()) {
        (Some(least), Some(most)) => format!(", {least} to {most} letters"),
        (Some(least), None) => format!(", at least {least} letters"),
        (None, Some(most)) => format!(", at most {most} letters"),
        (None, None) => String::new(),
    }
}

fn plain<'a>(text: String) -> Vec<Word<'a>> {
    vec![Word::Plain(text)]
}

fn joined<'a>(parts: impl Iterator<Item = Vec<Word<'a>>>, between: &str) -> Vec<Word<'a>> {
    let mut words = Vec::new();
    for part in parts {
        if !words.is_empty() {
            words.push(Word::Plain(between.to_owned()));
        }
        words.extend(part);
    }
    words
}

fn reference(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix(PLACE)
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn is_empty(value: &Value) -> bool {
    value.as_object().is_some_and(Map::is_empty)
}
