use std::any::{TypeId, type_name};
use std::collections::{BTreeMap, HashSet};

use ts_rs::{Config, TS, TypeVisitor};

use super::layout;

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

/// The types that routes mention, and those that these mention.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    types: BTreeMap<String, Declaration>,
    seen: HashSet<TypeId>,
    clashes: Vec<String>,
}

#[derive(Debug)]
struct Declaration {
    /// The Rust type.
    origin: &'static str,
    docs: Option<String>,
    /// As ts-rs writes it: `type Post = { id: number, };`.
    text: String,
    /// Fields that have to be sent twice, with the names of their twins.
    twins: Vec<(String, String)>,
}

/// What a client gets in place of a redirect.
const REDIRECTED: &str = "Redirected";

impl Declarations {
    /// How the type is mentioned.
    pub(super) fn reference<T: TS + 'static + ?Sized>(&mut self) -> String {
        self.declare::<T>();
        layout::line(&T::name(&config()))
    }

    /// How the type is mentioned, if it is one with fields.
    pub(super) fn object<T: TS + 'static>(&mut self) -> Option<String> {
        let has_fields = T::output_path().is_some() && T::inline(&config()).starts_with('{');
        has_fields.then(|| self.reference::<T>())
    }

    /// The items of a tuple, or the type itself. Empty for a collection, whose items have no fixed number.
    pub(super) fn items<T: TS + 'static>(&mut self) -> Vec<String> {
        let name = T::name(&config());
        if name.starts_with('[') {
            let mut items = Items { declarations: self, names: Vec::new() };
            T::visit_generics(&mut items);
            return items.names;
        }
        if name.starts_with('{') || name.starts_with("Array<") {
            return Vec::new();
        }
        vec![self.reference::<T>()]
    }

    pub(super) fn redirected(&mut self) -> String {
        let declaration = Declaration {
            origin: "housekey::Redirect",
            docs: Some(
                "/** Where a browser would be sent now, and what the server has to say beside it. */".into(),
            ),
            text: format!(
                "type {REDIRECTED} = {{ redirect: string, status?: string, [flashed: string]: unknown }};"
            ),
            twins: Vec::new(),
        };
        self.insert(REDIRECTED.into(), declaration);
        REDIRECTED.into()
    }

    /// Says that a field of the type is to be sent a second time under another name.
    pub(super) fn add_twin<T: TS + 'static>(&mut self, field: &str, twin: &str) {
        let Some(declaration) = self.types.get_mut(&T::ident(&config())) else { return };
        if !declaration.twins.iter().any(|(_, known)| known == twin) {
            declaration.twins.push((field.to_owned(), twin.to_owned()));
        }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.types.keys().map(String::as_str)
    }

    /// Why the types cannot be written.
    pub(super) fn clash(&self) -> Option<&str> {
        self.clashes.first().map(String::as_str)
    }

    /// Each type as it stands in the file, by name.
    pub(super) fn render(&self) -> Vec<String> {
        let render = |declaration: &Declaration| {
            layout::declaration(declaration.docs.as_deref(), &declaration.text, &declaration.twins)
        };
        self.types.values().map(render).collect()
    }

    fn declare<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        if T::output_path().is_some() {
            let config = config();
            let declaration = Declaration {
                origin: type_name::<T>(),
                docs: T::docs(),
                text: T::decl(&config),
                twins: Vec::new(),
            };
            self.insert(T::ident(&config), declaration);
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }

    fn insert(&mut self, name: String, declaration: Declaration) {
        match self.types.get(&name) {
            // The same type with other type arguments.
            Some(known) if known.text == declaration.text => {}
            Some(known) => self.clashes.push(format!(
                "two types are called {name} in TypeScript: {} and {}\n\
                 Give one of them another name: #[ts(rename = \"…\")] below its #[typescript].",
                known.origin, declaration.origin
            )),
            None => drop(self.types.insert(name, declaration)),
        }
    }
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        self.declare::<T>();
    }
}

struct Items<'d> {
    declarations: &'d mut Declarations,
    names: Vec<String>,
}

impl TypeVisitor for Items<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        let name = self.declarations.reference::<T>();
        self.names.push(name);
    }
}

/// JSON has one kind of number, and `JSON.parse` gives no `bigint`.
fn config() -> Config {
    Config::new().with_large_int("number")
}
