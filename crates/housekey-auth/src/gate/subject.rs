use std::any::{Any, TypeId, type_name};
use std::fmt;
use std::marker::PhantomData;

/// What a question to the gate is about: `()` for nothing in particular, `&post` for one thing, [`model`]`::<Post>()`
/// for the kind of thing (may this user create posts?).
#[diagnostic::on_unimplemented(
    message = "a question to the gate is about `()`, a reference, or `model::<T>()`, not `{Self}`"
)]
pub trait Subject<'a> {
    #[doc(hidden)]
    fn about(self) -> About<'a>;
}

/// The kind of thing, when there is no single one yet.
///
/// ```
/// use housekey_auth::gate::{can, model};
///
/// struct Post;
///
/// assert!(!can("create", model::<Post>()), "outside an app nobody may do anything");
/// ```
pub fn model<T: 'static>() -> ModelKind<T> {
    ModelKind(PhantomData)
}

/// Names the kind of thing that a question to the gate is about, without a value of it.
pub struct ModelKind<T>(PhantomData<fn() -> T>);

impl<T> fmt::Debug for ModelKind<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ModelKind({})", type_name::<T>())
    }
}

/// A thing whose type has been forgotten.
pub(crate) type AnySubject = dyn Any + Send + Sync;

#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct About<'a> {
    pub(crate) target: Target,
    pub(crate) thing: Option<&'a AnySubject>,
}

/// A question about no single thing.
impl From<Target> for About<'_> {
    fn from(target: Target) -> Self {
        Self { target, thing: None }
    }
}

impl fmt::Debug for About<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.target.fmt(f)
    }
}

/// Which abilities of a name are meant: `update` of a post is another one than `update` of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Nothing,
    Kind(Type),
    One(Type),
}

impl Target {
    pub(crate) fn kind<T: 'static>() -> Self {
        Self::Kind(Type::of::<T>())
    }

    pub(crate) fn one<T: 'static>() -> Self {
        Self::One(Type::of::<T>())
    }

    /// The model it is about.
    pub(crate) fn model(self) -> Option<Type> {
        match self {
            Self::Nothing => None,
            Self::Kind(model) | Self::One(model) => Some(model),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("about nothing in particular"),
            Self::Kind(model) => write!(f, "about the model {}", model.name),
            Self::One(model) => write!(f, "about a {}", model.name),
        }
    }
}

/// A type and what it is called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Type {
    id: TypeId,
    pub(crate) name: &'static str,
}

impl Type {
    pub(crate) fn of<T: 'static>() -> Self {
        Self { id: TypeId::of::<T>(), name: type_name::<T>() }
    }

    /// `shop::models::BlogPost` → `blog_post`: how a route names it.
    pub(crate) fn route_name(self) -> String {
        let bare = self.name.split('<').next().unwrap_or(self.name);
        let last = bare.rsplit("::").next().unwrap_or(bare);
        let mut name = String::new();
        for letter in last.chars() {
            if letter.is_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.extend(letter.to_lowercase());
        }
        name
    }
}

/// The names of two types may be the same; the types are not.
impl PartialEq for Type {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Type {}

impl Subject<'_> for () {
    fn about(self) -> About<'static> {
        About { target: Target::Nothing, thing: None }
    }
}

impl<'a, T: Send + Sync + 'static> Subject<'a> for &'a T {
    fn about(self) -> About<'a> {
        About { target: Target::one::<T>(), thing: Some(self) }
    }
}

impl<'a, T: 'static> Subject<'a> for ModelKind<T> {
    fn about(self) -> About<'a> {
        About { target: Target::kind::<T>(), thing: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct BlogPost;

    #[test]
    fn a_route_names_a_model_in_snake_case() {
        assert_eq!(Type::of::<BlogPost>().route_name(), "blog_post");
        assert_eq!(Type::of::<Option<BlogPost>>().route_name(), "option");
    }
}
