use std::any::{TypeId, type_name};

use ts_rs::{Config, TS, TypeVisitor};

/// A type with a TypeScript form: `#[typescript]` gives it to a struct or an enum of yours, numbers, text, lists and the
/// like have one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no TypeScript form",
    label = "no TypeScript form",
    note = "put `#[typescript]` above the derives of `{Self}` (it is in the prelude)"
)]
pub trait Described: TS + 'static {}

#[diagnostic::do_not_recommend]
impl<T: TS + 'static> Described for T {}

/// What ts-rs says about a type.
#[derive(Clone, Debug)]
pub struct TypeForm {
    pub id: TypeId,
    /// How it is mentioned: `Array<Post>`.
    pub name: String,
    /// What has to stand in a file for that, if the type is not one that TypeScript has.
    pub declaration: Option<Declaration>,
    /// The types between its `<` and `>`, or those of a tuple.
    pub generics: Vec<fn() -> Self>,
    /// The types that its declaration mentions.
    pub dependencies: Vec<fn() -> Self>,
}

/// A type as it is declared.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The Rust type.
    pub origin: &'static str,
    pub name: String,
    /// The comment above it.
    pub docs: Option<String>,
    /// On one line: `type Post = { id: number, };`.
    pub text: String,
    pub has_fields: bool,
}

impl TypeForm {
    /// That of a Rust type.
    pub fn of<T: TS + 'static + ?Sized>() -> Self {
        // JSON has one kind of number, and `JSON.parse` gives no `bigint`.
        let config = Config::new().with_large_int("number");
        let declaration = T::output_path().map(|_| Declaration {
            origin: type_name::<T>(),
            name: T::ident(&config),
            docs: T::docs(),
            text: T::decl(&config),
            has_fields: T::inline(&config).starts_with('{'),
        });
        let (mut generics, mut dependencies) = (Visited::default(), Visited::default());
        T::visit_generics(&mut generics);
        T::visit_dependencies(&mut dependencies);
        Self {
            id: TypeId::of::<T>(),
            name: T::name(&config),
            declaration,
            generics: generics.0,
            dependencies: dependencies.0,
        }
    }
}

#[derive(Default)]
struct Visited(Vec<fn() -> TypeForm>);

impl TypeVisitor for Visited {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        self.0.push(TypeForm::of::<T>);
    }
}
