use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use serde::Deserializer;
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;

/// The fields of a struct and their types, found out by asking its `Deserialize` what it would like to read.
///
/// So that a query schema is the struct itself: `ids: Vec<String>` makes a repeated `ids` a list, `page: u32` makes
/// `page` a number, and nobody has to say it twice. A type that hides its fields from serde (`flatten`) has an empty
/// shape; rules say it then.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    fields: Vec<Field>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// Whether it is an `Option`.
    pub(super) is_optional: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    Integer,
    Float,
    List,
    /// A [`housekey_core::Secret`].
    Secret,
    Other,
}

impl Shape {
    /// The shape of a type, found out once.
    pub(super) fn of<T: DeserializeOwned + 'static>() -> Arc<Self> {
        static KNOWN: LazyLock<RwLock<HashMap<TypeId, Arc<Shape>>>> = LazyLock::new(RwLock::default);
        let id = TypeId::of::<T>();
        if let Some(shape) = KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(&id) {
            return shape.clone();
        }
        let shape = Arc::new(Self::probe::<T>());
        KNOWN.write().unwrap_or_else(PoisonError::into_inner).insert(id, shape.clone());
        shape
    }

    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    pub(super) fn kind(&self, name: &str) -> Option<Kind> {
        self.field(name).map(|field| field.kind)
    }

    pub(super) fn fields(&self) -> &[Field] {
        &self.fields
    }

    fn probe<T: DeserializeOwned>() -> Self {
        let names = RefCell::new(&[][..]);
        let _ = T::deserialize(Struct { names: &names, ask: None });
        let fields = names.borrow().iter().map(|name| {
            let answer = Cell::new(Answer::default());
            let _ = T::deserialize(Struct { names: &names, ask: Some((name, &answer)) });
            let Answer { kind, is_optional } = answer.get();
            Field { name, kind: kind.unwrap_or(Kind::Other), is_optional }
        });
        Self { fields: fields.collect() }
    }
}

#[derive(Clone, Copy, Default)]
struct Answer {
    kind: Option<Kind>,
    is_optional: bool,
}

/// Ends a probe: it has seen what it wanted, or will see nothing.
#[derive(Debug)]
struct Stop;

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the probe stops here")
    }
}

impl std::error::Error for Stop {}

impl serde::de::Error for Stop {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// Stands in for the input: first to learn the names of the fields, then once for each field to learn its type.
struct Struct<'p> {
    names: &'p RefCell<&'static [&'static str]>,
    ask: Option<(&'static str, &'p Cell<Answer>)>,
}

impl<'de> Deserializer<'de> for Struct<'_> {
    type Error = Stop;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Stop> {
        Err(Stop)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        match self.ask {
            None => {
                *self.names.borrow_mut() = fields;
                Err(Stop)
            }
            Some((name, answer)) => visitor.visit_map(OneField { name: Some(name), answer }),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Stop> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// A map with a single key, whose value is the question.
struct OneField<'p> {
    name: Option<&'static str>,
    answer: &'p Cell<Answer>,
}

impl<'de> MapAccess<'de> for OneField<'_> {
    type Error = Stop;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Stop> {
        let Some(name) = self.name.take() else { return Ok(None) };
        let name: StrDeserializer<'_, Stop> = name.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Stop> {
        seed.deserialize(Question { answer: self.answer })
    }
}

/// Notes what a field's type asks for.
struct Question<'p> {
    answer: &'p Cell<Answer>,
}

impl Question<'_> {
    fn is<T>(&self, kind: Kind) -> Result<T, Stop> {
        self.answer.set(Answer { kind: Some(kind), ..self.answer.get() });
        Err(Stop)
    }
}

macro_rules! answers {
    ($($method:ident: $kind:ident),+ $(,)?) => {
        $(fn $method<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Stop> {
            self.is(Kind::$kind)
        })+
    };
}

impl<'de> Deserializer<'de> for Question<'_> {
    type Error = Stop;

    answers! {
        deserialize_any: Other,
        deserialize_bool: Bool,
        deserialize_i8: Integer, deserialize_i16: Integer, deserialize_i32: Integer, deserialize_i64: Integer,
        deserialize_i128: Integer,
        deserialize_u8: Integer, deserialize_u16: Integer, deserialize_u32: Integer, deserialize_u64: Integer,
        deserialize_u128: Integer,
        deserialize_f32: Float, deserialize_f64: Float,
        deserialize_seq: List,
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Stop> {
        self.is(Kind::List)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        self.answer.set(Answer { is_optional: true, ..self.answer.get() });
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Stop> {
        if name == "Secret" { self.is(Kind::Secret) } else { visitor.visit_newtype_struct(self) }
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct tuple_struct map struct enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use housekey_core::Secret;
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its shape is looked at")]
    #[serde(rename_all = "camelCase")]
    struct Search {
        query: String,
        page: Option<u32>,
        ratio: f64,
        tag_names: Vec<String>,
        #[serde(default)]
        exact: bool,
        wrapped: Wrapped,
        code: Option<Secret>,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its shape is looked at")]
    struct Wrapped(i64);

    #[test]
    fn a_struct_tells_the_kinds_of_its_fields() {
        let shape = Shape::of::<Search>();
        let told: Vec<_> =
            shape.fields().iter().map(|field| (field.name, field.kind, field.is_optional)).collect();
        assert_eq!(
            told,
            [
                ("query", Kind::Other, false),
                ("page", Kind::Integer, true),
                ("ratio", Kind::Float, false),
                ("tagNames", Kind::List, false),
                ("exact", Kind::Bool, false),
                ("wrapped", Kind::Integer, false),
                ("code", Kind::Secret, true),
            ]
        );
    }

    #[test]
    fn a_type_without_named_fields_has_no_shape() {
        assert_eq!(*Shape::of::<HashMap<String, String>>(), Shape::default());
        assert_eq!(*Shape::of::<Vec<u8>>(), Shape::default());
    }
}
