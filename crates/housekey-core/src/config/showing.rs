//! A config value as JSON for somebody who looks at it. Unlike JSON to be read back, it is there whatever the value holds: a
//! part that refuses to be written down, as functions do, shows as a placeholder and the rest as it is.

use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};
use serde::{Serialize, Serializer};
use serde_json::value::Serializer as Json;
use serde_json::{Error, Map, Value};

use super::mode::{Mode, mode};

const FUNCTION: &str = "[function]";
const SECRET: &str = "[secret]";

pub(super) fn show<T: Serialize + ?Sized>(value: &T) -> Value {
    value.serialize(Showing).unwrap_or_else(|_| FUNCTION.into())
}

/// Secrets that are not ours are known by the name of their type.
fn hidden(value: Value) -> Value {
    match value {
        Value::String(text) if mode() == Mode::Show && !text.is_empty() => SECRET.into(),
        other => other,
    }
}

/// JSON that an app hands on to somebody else (`clientSecret` of a provider) has no types, so its names have to tell.
fn names_a_secret(key: &str) -> bool {
    let key = key.to_ascii_lowercase().replace('_', "");
    ["secret", "apikey", "privatekey", "password", "token"].iter().any(|end| key.ends_with(end))
}

struct Showing;

macro_rules! as_json {
    ($($method:ident: $type:ty),*) => {$(
        fn $method(self, value: $type) -> Result<Value, Error> {
            Json.$method(value)
        }
    )*};
}

impl Serializer for Showing {
    type Ok = Value;
    type Error = Error;
    type SerializeSeq = List;
    type SerializeTuple = List;
    type SerializeTupleStruct = List;
    type SerializeTupleVariant = List;
    type SerializeMap = Fields;
    type SerializeStruct = Fields;
    type SerializeStructVariant = Fields;

    as_json! {
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_i128: i128, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_u128: u128, serialize_f32: f32, serialize_f64: f64, serialize_char: char, serialize_str: &str,
        serialize_bytes: &[u8], serialize_unit_struct: &'static str
    }

    fn serialize_none(self) -> Result<Value, Error> {
        Ok(Value::Null)
    }

    fn serialize_unit(self) -> Result<Value, Error> {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, Error> {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, _: &str, _: u32, variant: &'static str) -> Result<Value, Error> {
        Ok(variant.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Value, Error> {
        let shown = value.serialize(self)?;
        Ok(if name == "Secret" { hidden(shown) } else { shown })
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value, Error> {
        Ok(Value::from_iter([(variant, show(value))]))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<List, Error> {
        Ok(List::default())
    }

    fn serialize_tuple(self, _: usize) -> Result<List, Error> {
        Ok(List::default())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<List, Error> {
        Ok(List::default())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<List, Error> {
        Ok(List { variant: Some(variant), ..List::default() })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Fields, Error> {
        Ok(Fields::default())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Fields, Error> {
        Ok(Fields::default())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Fields, Error> {
        Ok(Fields { variant: Some(variant), ..Fields::default() })
    }
}

fn under(variant: Option<&'static str>, value: Value) -> Value {
    match variant {
        Some(variant) => Value::from_iter([(variant, value)]),
        None => value,
    }
}

#[derive(Default)]
struct List {
    variant: Option<&'static str>,
    items: Vec<Value>,
}

impl List {
    fn finish(self) -> Value {
        under(self.variant, Value::Array(self.items))
    }
}

macro_rules! list {
    ($($trait:ident::$method:ident),*) => {$(
        impl $trait for List {
            type Ok = Value;
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.items.push(show(value));
                Ok(())
            }

            fn end(self) -> Result<Value, Error> {
                Ok(self.finish())
            }
        }
    )*};
}

list!(
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field
);

#[derive(Default)]
struct Fields {
    variant: Option<&'static str>,
    fields: Map<String, Value>,
    key: String,
}

impl Fields {
    fn put<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) {
        let shown = show(value);
        let shown = if names_a_secret(key) { hidden(shown) } else { shown };
        self.fields.insert(key.to_owned(), shown);
    }

    fn finish(self) -> Value {
        under(self.variant, Value::Object(self.fields))
    }
}

impl SerializeMap for Fields {
    type Ok = Value;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.key = match key.serialize(Json)? {
            Value::String(text) => text,
            other => other.to_string(),
        };
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let key = std::mem::take(&mut self.key);
        self.put(&key, value);
        Ok(())
    }

    fn end(self) -> Result<Value, Error> {
        Ok(self.finish())
    }
}

macro_rules! fields {
    ($($trait:ident),*) => {$(
        impl $trait for Fields {
            type Ok = Value;
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                self.put(key, value);
                Ok(())
            }

            fn end(self) -> Result<Value, Error> {
                Ok(self.finish())
            }
        }
    )*};
}

fields!(SerializeStruct, SerializeStructVariant);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::rendering::render;
    use super::*;

    /// As functions and secrets of a crate that knows nothing of this one.
    struct Refuses;

    impl Serialize for Refuses {
        fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("cannot be written down"))
        }
    }

    #[derive(Serialize)]
    struct Secret(&'static str);

    #[derive(Serialize)]
    enum Choice {
        Plain,
        One(u8),
        Two(u8, Refuses),
        Named { call: Refuses, size: u8 },
    }

    #[derive(Serialize)]
    struct Inner {
        key: Secret,
        unset: Secret,
        provider: Value,
    }

    #[derive(Serialize)]
    struct Outer {
        list: (Refuses, Option<Refuses>, Option<u8>, char),
        choices: [Choice; 4],
        #[serde(flatten)]
        inner: Inner,
    }

    fn outer() -> Outer {
        let provider = json!({ "clientId": "1", "clientSecret": "s3cret", "client_secret": "", "secretSize": 3, "authToken": "t" });
        Outer {
            list: (Refuses, Some(Refuses), None, 'x'),
            choices: [
                Choice::Plain,
                Choice::One(1),
                Choice::Two(2, Refuses),
                Choice::Named { call: Refuses, size: 3 },
            ],
            inner: Inner { key: Secret("hunter2"), unset: Secret(""), provider },
        }
    }

    #[test]
    fn what_refuses_shows_as_a_function_and_the_rest_as_json_would_have_it() {
        let shown = render(&outer(), Mode::Show).unwrap();
        assert_eq!(shown["list"], json!([FUNCTION, FUNCTION, null, "x"]));
        let named = json!({ "Named": { "call": FUNCTION, "size": 3 } });
        assert_eq!(shown["choices"], json!(["Plain", { "One": 1 }, { "Two": [2, FUNCTION] }, named]));
    }

    #[test]
    fn secrets_of_others_are_hidden_by_their_type_and_by_their_name() {
        let shown = render(&outer(), Mode::Show).unwrap();
        assert_eq!((&shown["key"], &shown["unset"]), (&json!(SECRET), &json!("")));
        let provider = json!({ "clientId": "1", "clientSecret": SECRET, "client_secret": "", "secretSize": 3, "authToken": SECRET });
        assert_eq!(shown["provider"], provider);
        let revealed = render(&outer(), Mode::ShowSecrets).unwrap();
        assert_eq!(
            (&revealed["key"], &revealed["provider"]["clientSecret"]),
            (&json!("hunter2"), &json!("s3cret"))
        );
    }

    #[test]
    fn to_be_read_back_a_value_must_be_whole() {
        assert_eq!(render(&outer(), Mode::Freeze).unwrap_err(), "list.0");
    }
}
