use std::collections::VecDeque;
use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, Expected, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

use crate::formats;
use crate::input::{Input, Source};
use crate::messages::Messages;
use crate::rules::Rules;

/// Makes a `T` of the input. In a form everything is text, so there a text that reads as a number or as yes or no
/// will do where the type wants one, and an empty text is no value for an `Option`.
///
/// What does not fit is told of every field, in the order of the struct.
pub(crate) fn read<T: DeserializeOwned>(input: Input, rules: &Rules) -> Result<T, Vec<Problem>> {
    let needed = rules.fields.iter().filter(|field| !field.has_default).map(|field| field.name);
    let missing: Vec<&str> = needed.filter(|name| !input.values.contains_key(*name)).collect();
    let mut fields = Fields {
        left: input.values.into_iter().map(|(name, value)| (name, Some(value))).collect(),
        value: None,
        texts: input.source == Source::Form,
        problems: Vec::new(),
    };
    // As many as there are fields: who sends thousands that the struct denies gets no longer answer.
    let most = rules.fields.len();
    let mut problems = match input.files.at_hand(|| fields.read(&missing, most)) {
        Ok(value) => return Ok(value),
        Err(last) if fields.problems.is_empty() => vec![last],
        Err(_) => fields.problems,
    };
    let place = |problem: &Problem| rules.fields.iter().position(|field| field.name == problem.field());
    problems.sort_by_key(|problem| place(problem).unwrap_or(usize::MAX));
    Err(problems)
}

/// Which field does not fit its type, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    path: String,
    kind: ProblemKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum ProblemKind {
    Missing,
    Integer,
    Number,
    Boolean,
    Other,
}

impl Problem {
    fn new(kind: ProblemKind) -> Self {
        Self { path: String::new(), kind }
    }

    fn inside(mut self, key: &str) -> Self {
        self.path = if self.path.is_empty() { key.to_owned() } else { format!("{key}.{}", self.path) };
        self
    }

    /// The field of the struct that it is in.
    fn field(&self) -> &str {
        self.path.split('.').next().unwrap_or_default()
    }

    /// The field, and the sentence to say about it.
    pub(crate) fn describe(self, rules: &Rules, messages: &Messages) -> (String, String) {
        let sentence = match self.kind {
            ProblemKind::Missing => "The :field is required.",
            ProblemKind::Integer => "The :field must be a whole number.",
            ProblemKind::Number => "The :field must be a number.",
            ProblemKind::Boolean => "The :field must be yes or no.",
            ProblemKind::Other => "The :field is not valid.",
        };
        let label = messages.label(rules, &self.path);
        let message = messages.render(sentence, &[("field", &label)]);
        (self.path, message)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.path, self.kind)
    }
}

impl std::error::Error for Problem {}

impl serde::de::Error for Problem {
    // Words meant for programmers; a client learns only that the value does not fit.
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::new(ProblemKind::Other)
    }

    fn invalid_type(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Self::new(ProblemKind::Other)
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(ProblemKind::Missing).inside(field)
    }

    fn unknown_field(field: &str, _: &'static [&'static str]) -> Self {
        Self::new(ProblemKind::Other).inside(field)
    }
}

/// The fields of the input on their way into the struct. serde stops at the first that does not fit. It is recorded here, and
/// what is left behind it can still be read for what does not fit either.
struct Fields {
    /// A field without a value was not sent.
    left: VecDeque<(String, Option<Value>)>,
    /// The field whose name was read last.
    value: Option<(String, Option<Value>)>,
    texts: bool,
    problems: Vec<Problem>,
}

impl Fields {
    fn read<T: DeserializeOwned>(&mut self, missing: &[&str], most: usize) -> Result<T, Problem> {
        let first = T::deserialize(&mut *self);
        if first.is_err() {
            self.left.extend(missing.iter().map(|name| ((*name).to_owned(), None)));
            let mut before = usize::MAX;
            while !self.left.is_empty() && self.left.len() < before && self.problems.len() < most {
                before = self.left.len();
                // That the fields read before are missing now is no news.
                let _ = T::deserialize(&mut *self);
            }
        }
        first
    }

    fn note(&mut self, problem: Problem) -> Problem {
        self.problems.push(problem.clone());
        problem
    }
}

impl<'de> Deserializer<'de> for &mut Fields {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_map(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> MapAccess<'de> for Fields {
    type Error = Problem;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Problem> {
        self.value = self.left.pop_front();
        let Some((name, _)) = &self.value else { return Ok(None) };
        let name = Lenient { value: Value::String(name.clone()), texts: false };
        seed.deserialize(name).map(Some).map_err(|problem| self.note(problem))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Problem> {
        let (name, value) = self.value.take().ok_or_else(|| Problem::new(ProblemKind::Other))?;
        let is_empty =
            matches!(&value, None | Some(Value::Null)) || value == Some(Value::String(String::new()));
        let read = match value {
            Some(value) => seed.deserialize(Lenient { value, texts: self.texts }),
            None => seed.deserialize(NotSent),
        };
        read.map_err(|mut problem| {
            // A day, or one of an enum, that was left empty in a form.
            if is_empty && problem.kind == ProblemKind::Other {
                problem.kind = ProblemKind::Missing;
            }
            self.note(problem.inside(&name))
        })
    }
}

/// The value of a field that was not sent: nothing for an `Option`, and a problem for every other type.
struct NotSent;

impl<'de> Deserializer<'de> for NotSent {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Problem> {
        Err(Problem::new(ProblemKind::Missing))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct Lenient {
    value: Value,
    texts: bool,
}

impl Lenient {
    /// The text, where a text may stand for something else.
    fn text(&self) -> Option<&str> {
        self.value.as_str().filter(|_| self.texts)
    }
}

macro_rules! integers {
    ($($method:ident),+) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
            match self.text().map(|text| (text.parse(), text.parse())) {
                Some((Ok(number), _)) => visitor.visit_i64(number),
                Some((_, Ok(number))) => visitor.visit_u64(number),
                Some(_) if self.text() == Some("") => Err(Problem::new(ProblemKind::Missing)),
                Some(_) => Err(Problem::new(ProblemKind::Integer)),
                None if self.value.is_number() => self.deserialize_any(visitor),
                None => Err(Problem::new(ProblemKind::Integer)),
            }
        })+
    };
}

macro_rules! floats {
    ($($method:ident),+) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
            match self.text().map(formats::number) {
                Some(Some(number)) => visitor.visit_f64(number),
                None if self.value.is_number() => self.deserialize_any(visitor),
                _ if self.text() == Some("") => Err(Problem::new(ProblemKind::Missing)),
                _ => Err(Problem::new(ProblemKind::Number)),
            }
        })+
    };
}

impl<'de> Deserializer<'de> for Lenient {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let texts = self.texts;
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::String(value) => visitor.visit_string(value),
            Value::Array(items) => visitor.visit_seq(Items { items: items.into_iter().enumerate(), texts }),
            Value::Object(map) => visitor.visit_map(Entries { entries: map.into_iter(), next: None, texts }),
            Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
                (Some(number), _, _) => visitor.visit_i64(number),
                (_, Some(number), _) => visitor.visit_u64(number),
                (_, _, Some(number)) => visitor.visit_f64(number),
                (None, None, None) => Err(Problem::new(ProblemKind::Number)),
            },
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match (self.text().map(formats::boolean), &self.value) {
            (Some(Some(value)), _) => visitor.visit_bool(value),
            (None, Value::Bool(value)) => visitor.visit_bool(*value),
            _ => Err(Problem::new(ProblemKind::Boolean)),
        }
    }

    integers!(
        deserialize_i8,
        deserialize_i16,
        deserialize_i32,
        deserialize_i64,
        deserialize_i128,
        deserialize_u8,
        deserialize_u16,
        deserialize_u32,
        deserialize_u64,
        deserialize_u128
    );
    floats!(deserialize_f32, deserialize_f64);

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        if self.value.is_null() || self.text() == Some("") {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Problem> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        self.value.deserialize_enum(name, variants, visitor).map_err(serde::de::Error::custom)
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct Items {
    items: std::iter::Enumerate<std::vec::IntoIter<Value>>,
    texts: bool,
}

impl<'de> SeqAccess<'de> for Items {
    type Error = Problem;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Problem> {
        let Some((index, value)) = self.items.next() else { return Ok(None) };
        let item = seed.deserialize(Lenient { value, texts: self.texts });
        item.map(Some).map_err(|problem| problem.inside(&index.to_string()))
    }
}

struct Entries {
    entries: <Map<String, Value> as IntoIterator>::IntoIter,
    next: Option<(String, Value)>,
    texts: bool,
}

impl<'de> MapAccess<'de> for Entries {
    type Error = Problem;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Problem> {
        self.next = self.entries.next();
        let Some((key, _)) = &self.next else { return Ok(None) };
        seed.deserialize(Lenient { value: Value::String(key.clone()), texts: false }).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Problem> {
        let (key, value) = self.next.take().ok_or_else(|| Problem::new(ProblemKind::Other))?;
        seed.deserialize(Lenient { value, texts: self.texts }).map_err(|problem| problem.inside(&key))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;
    use crate::kind::Kind;

    #[derive(Debug, Deserialize, PartialEq)]
    struct Order {
        count: u8,
        price: Option<f64>,
        gift: bool,
        size: Size,
        notes: Option<String>,
        lines: Vec<i64>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "lowercase")]
    enum Size {
        Small,
        Large,
    }

    fn order(source: Source, value: Value) -> Result<Order, Vec<Problem>> {
        let Value::Object(values) = value else { panic!("an object") };
        let mut rules = Rules::default();
        for name in ["count", "price", "gift", "size", "notes", "lines"] {
            rules.field(name, Kind::Other);
        }
        read(Input { source, values, files: Default::default() }, &rules)
    }

    fn texts() -> Value {
        json!({ "count": "3", "price": "", "gift": "on", "size": "large", "notes": "", "lines": ["1", "-2"], "extra": "x" })
    }

    #[test]
    fn a_forms_texts_become_what_the_type_wants() {
        let expected =
            Order { count: 3, price: None, gift: true, size: Size::Large, notes: None, lines: vec![1, -2] };
        assert_eq!(order(Source::Form, texts()).unwrap(), expected);
    }

    #[test]
    fn json_is_taken_at_its_word() {
        let expected = [
            Problem::new(ProblemKind::Integer).inside("count"),
            Problem::new(ProblemKind::Number).inside("price"),
            Problem::new(ProblemKind::Boolean).inside("gift"),
            Problem::new(ProblemKind::Integer).inside("0").inside("lines"),
        ];
        assert_eq!(order(Source::Json, texts()).unwrap_err(), expected);
    }

    #[test]
    fn a_problem_names_its_place() {
        let path = |change: fn(&mut Value)| {
            let mut value = texts();
            change(&mut value);
            let problems = order(Source::Form, value).unwrap_err();
            assert_eq!(problems.len(), 1, "{problems:?}");
            problems[0].path.clone()
        };
        assert_eq!(path(|value| value["count"] = "300".into()), "count");
        assert_eq!(path(|value| value["lines"][1] = "x".into()), "lines.1");
        assert_eq!(path(|value| value["size"] = "huge".into()), "size");
        assert_eq!(path(|value| drop(value.as_object_mut().unwrap().remove("lines"))), "lines");
    }
    #[test]
    fn what_is_missing_is_told_of_every_field_that_an_order_needs() {
        let problems = order(Source::Form, json!({ "count": "x", "notes": "late" })).unwrap_err();
        let expected = [
            Problem::new(ProblemKind::Integer).inside("count"),
            Problem::new(ProblemKind::Missing).inside("gift"),
            Problem::new(ProblemKind::Missing).inside("size"),
            Problem::new(ProblemKind::Missing).inside("lines"),
        ];
        assert_eq!(problems, expected);
    }
}
