//! The procedural macros of Housekey. Apps reach them through the `housekey` crate.

mod attributes;
mod casing;
mod config;
mod db_enum;
mod from_row;
mod migrations;
mod model;
mod place;
mod relation;
mod test;
mod typescript;
mod validated;

use proc_macro::TokenStream;

/// Turns every file of the app's `config/` folder into a module, and lists them.
///
/// `config/shop.rs` holds `pub fn shop() -> ShopConfig`. The macro declares `pub mod config` with `config::shop` in
/// it, and `config::files()`, which the app hands to `App::new`. There is no list to maintain. That a new file is seen
/// at once is the work of the app's `build.rs`: `println!("cargo::rerun-if-changed=config")`.
#[proc_macro]
pub fn config(input: TokenStream) -> TokenStream {
    config::expand(input.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// A test of the app: boots it for this test alone and hands it over.
///
/// ```ignore
/// #[housekey::test]
/// async fn the_health_route_answers(app: TestApp) {
///     app.get("/health").await.assert_ok();
/// }
/// ```
///
/// The app is `<package>::app()`; another one is named with `#[housekey::test(app = path::to::app)]`.
#[proc_macro_attribute]
pub fn test(arguments: TokenStream, item: TokenStream) -> TokenStream {
    test::expand(arguments.into(), item.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Reads a struct from a row: every field from the column of its name.
///
/// On the struct, `#[row(rename_all = "camelCase")]` reads `created_at` from `createdAt`. On a field:
/// `#[row(rename = "column")]`, `#[row(json)]` for a type of yours in a JSON column, `#[row(default)]` for a column that
/// some queries leave out, `#[row(skip)]` for a field that is no column. A field that holds rows of other models is none either.
#[proc_macro_derive(FromRow, attributes(row))]
pub fn from_row(input: TokenStream) -> TokenStream {
    from_row::expand(input.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Makes an enum the type of a column, which keeps a word for each variant: `SlightlyWorn` is `slightly_worn`.
///
/// On the enum, `#[row(rename_all = "kebab-case")]`; on a variant, `#[row(rename = "used")]`.
#[proc_macro_derive(DbEnum, attributes(row))]
pub fn db_enum(input: TokenStream) -> TokenStream {
    db_enum::expand(input.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Makes a struct stand for the rows of a table: `#[model(table = "posts")]`, beside `FromRow`.
///
/// Every column becomes a constant of the type (`Post::title`), and so does every field that holds rows of another model
/// (`Post::comments`, of the field `comments: HasMany<Comment>`).
#[proc_macro_derive(Model, attributes(row, model, relation))]
pub fn model(input: TokenStream) -> TokenStream {
    model::expand(input.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Turns every file of the app's `database/migrations` folder into a migration, and lists them.
///
/// `database/migrations/2026_01_31_090000_create_posts.rs` holds `pub fn up(schema: &mut Schema)` and
/// `pub fn down(schema: &mut Schema)`. The macro declares `pub mod migrations` with `migrations::all()`. That a new file
/// is seen at once is the work of the app's `build.rs`: `println!("cargo::rerun-if-changed=database/migrations")`.
#[proc_macro]
pub fn migrations(input: TokenStream) -> TokenStream {
    migrations::expand(input.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Gives a struct or an enum that travels as JSON its TypeScript form, for `housekey types`.
///
/// ```ignore
/// /// The profile form.
/// #[typescript]
/// #[derive(Deserialize)]
/// struct ProfileRequest {
///     name: String,
///     team: Option<String>, // team?: string | null
/// }
/// ```
///
/// It stands above the derives, because they tell who sends the type: what derives `Deserialize` comes from clients, so
/// an `Option` and a `#[serde(default)]` may be left out; in what only derives `Serialize` every field is there, an
/// `Option` as `null`. serde's own attributes count (`rename`, `rename_all`, `tag`, `flatten`, `skip…`). Doc comments come
/// along. The rest is said with `#[ts(…)]`: `#[ts(type = "string")]` on a field, `#[ts(rename = "Person")]` on the type.
///
/// In an app without the cargo feature `types` it does nothing.
#[proc_macro_attribute]
pub fn typescript(arguments: TokenStream, item: TokenStream) -> TokenStream {
    typescript::expand(&arguments.into(), item.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Says what a form, a JSON body or a query must look like: rules on the fields of the struct that it becomes.
///
/// ```ignore
/// #[derive(Deserialize, Validated)]
/// struct SignUpRequest {
///     #[validate(required, max(120))]
///     name: String,
///     #[validate(label("e-mail address"), required, email, max(254))]
///     email: String,
///     #[validate(required, min(8), confirmed)]
///     password: Secret,
/// }
/// ```
///
/// Every method of `FieldRules` is a rule, and what stands in its brackets is ordinary Rust. Rules that look at another field
/// take its name in the struct, without quotes: `same(email)`, `different(email)`, `required_with(email)`,
/// `required_if(kind, "business")`. `each(…)` takes the rules for the items of a list; `nested` checks a field by the rules of
/// its own type, and `each(nested)` a list of them.
///
/// On the struct, `#[validate(after = Self::check)]` names an `async fn check(&self, errors: &mut FieldErrors) -> Result<()>`,
/// which looks at the whole when every rule was met.
///
/// serde's `rename`, `rename_all` and `skip` are followed. What hides a field's name from here does not compile: `flatten`,
/// `alias`, `from` and their like.
#[proc_macro_derive(Validated, attributes(validate))]
pub fn validated(input: TokenStream) -> TokenStream {
    validated::expand(input.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}
