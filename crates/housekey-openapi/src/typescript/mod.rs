//! The TypeScript that ts-rs writes for types, read again.
//!
//! One derive describes a type for both: what a client in TypeScript is told of it is what the document says. ts-rs writes a
//! small part of the language (objects, lists, tuples, unions, literals, names with arguments), which is read here.

mod parser;
mod tokens;

pub(crate) use parser::{parse_declaration, parse_type};

/// A type as TypeScript writes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Type {
    /// A name, and what stands between its `<` and `>`.
    Named(String, Vec<Type>),
    Literal(serde_json::Value),
    Object(Vec<Member>),
    /// An object with any names, values of one type.
    Map(Box<Type>),
    Tuple(Vec<Type>),
    Union(Vec<Type>),
    Intersection(Vec<Type>),
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) is_optional: bool,
    pub(crate) docs: String,
    pub(crate) of: Type,
}

/// `type Page<T> = { items: Array<T>, };`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) parameters: Vec<String>,
    pub(crate) of: Type,
}

impl Type {
    /// The type with others in the place of parameters.
    pub(crate) fn with(&self, arguments: &[(String, Self)]) -> Self {
        let each = |types: &[Self]| types.iter().map(|one| one.with(arguments)).collect::<Vec<_>>();
        match self {
            Self::Named(name, given) if given.is_empty() => {
                let argument = arguments.iter().find(|(parameter, _)| parameter == name);
                argument.map_or_else(|| self.clone(), |(_, argument)| argument.clone())
            }
            Self::Named(name, given) => Self::Named(name.clone(), each(given)),
            Self::Literal(_) => self.clone(),
            Self::Object(members) => {
                let member = |member: &Member| Member { of: member.of.with(arguments), ..member.clone() };
                Self::Object(members.iter().map(member).collect())
            }
            Self::Map(value) => Self::Map(Box::new(value.with(arguments))),
            Self::Tuple(items) => Self::Tuple(each(items)),
            Self::Union(types) => Self::Union(each(types)),
            Self::Intersection(types) => Self::Intersection(each(types)),
        }
    }
}
