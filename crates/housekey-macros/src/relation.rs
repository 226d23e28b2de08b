//! The fields of a model that are no column: rows of other models, and what the row was when it was read.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Error, Field, GenericArgument, Ident, LitStr, PathArguments, PathSegment, Result, Type};

use crate::place::place_of;

/// What a field's type says that it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    BelongsTo,
    HasOne,
    HasMany,
    ManyToMany,
    /// The columns as they were read.
    Original,
}

impl Kind {
    /// By the type's name: there is no other way for a macro to see a type.
    pub(crate) fn of(field: &Field) -> Option<Self> {
        let kinds = [
            ("BelongsTo", Self::BelongsTo),
            ("HasOne", Self::HasOne),
            ("HasMany", Self::HasMany),
            ("ManyToMany", Self::ManyToMany),
            ("Original", Self::Original),
        ];
        let segment = last_segment(&field.ty)?;
        kinds.into_iter().find(|(name, _)| segment.ident == name).map(|(_, kind)| kind)
    }
}

/// The constant that stands for a relation: `Book::tags`.
pub(crate) fn constant(root: &TokenStream, model: &Ident, field: &Field) -> Result<TokenStream> {
    let options = RelationOptions::of(field)?;
    let (Some(name), Some(kind)) = (&field.ident, Kind::of(field)) else {
        return Err(Error::new_spanned(field, "no relation"));
    };
    let related = related(&field.ty)?;
    let (held, seen) = (&field.ty, &field.vis);
    let shown = format!("{model}.{}", name.unraw());
    let place = place_of(field);
    let named = |name: &str| Ident::new(&format!("{name}_id"), place);
    let model_key = named(&snake(&model.to_string()));
    let made = match kind {
        Kind::BelongsTo => {
            options.refuse_but(&["foreign_key"])?;
            let key = options.foreign_key.unwrap_or_else(|| named(&name.unraw().to_string()));
            quote_spanned! { place => belongs_to(#shown, Self::#key, |row| &mut row.#name) }
        }
        Kind::HasOne | Kind::HasMany => {
            options.refuse_but(if kind == Kind::HasOne {
                &["foreign_key", "latest"]
            } else {
                &["foreign_key"]
            })?;
            let key = options.foreign_key.unwrap_or(model_key);
            let word = if kind == Kind::HasOne { quote!(has_one) } else { quote!(has_many) };
            let latest = options.latest.then(|| quote! { .latest() });
            quote_spanned! { place => #word(#shown, <#related>::#key, |row| &mut row.#name)#latest }
        }
        Kind::ManyToMany => {
            options.refuse_but(&["table", "foreign_key", "related_key"])?;
            let other = last_segment(related).map(|segment| snake(&segment.ident.to_string()));
            let other =
                other.ok_or_else(|| Error::new_spanned(related, "a model's name is expected here"))?;
            let table = options.table.unwrap_or_else(|| {
                let mut names = [snake(&model.to_string()), other.clone()];
                names.sort();
                names.join("_")
            });
            let here = options.foreign_key.unwrap_or(model_key).unraw().to_string();
            let there = options.related_key.unwrap_or_else(|| format!("{other}_id"));
            quote_spanned! { place => many_to_many(#shown, #table, #here, #there, |row| &mut row.#name) }
        }
        Kind::Original => return Err(Error::new_spanned(field, "no relation")),
    };
    let doc = format!("The relation `{shown}`: for `with`, `load` and `where_has`.");
    Ok(quote! {
        #[doc = #doc]
        #seen const #name: #root::Relation<Self, #held> = #root::Relation::<Self, #held>::#made;
    })
}

/// `#[relation(…)]`.
#[derive(Default)]
struct RelationOptions {
    foreign_key: Option<Ident>,
    related_key: Option<String>,
    table: Option<String>,
    latest: bool,
    said: Vec<(&'static str, syn::Path)>,
}

impl RelationOptions {
    fn of(field: &Field) -> Result<Self> {
        let mut options = Self::default();
        for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("relation")) {
            attribute.parse_nested_meta(|meta| {
                let text = || meta.value()?.parse::<LitStr>();
                let known = ["foreign_key", "related_key", "table", "latest"];
                let Some(word) = known.into_iter().find(|word| meta.path.is_ident(word)) else {
                    return Err(meta.error(
                        "`relation` takes foreign_key = \"…\", latest (HasOne), table = \"…\" and related_key = \"…\" \
                         (ManyToMany)",
                    ));
                };
                match word {
                    "foreign_key" => options.foreign_key = Some(text()?.parse()?),
                    "related_key" => options.related_key = Some(text()?.value()),
                    "table" => options.table = Some(text()?.value()),
                    _ => options.latest = true,
                }
                options.said.push((word, meta.path.clone()));
                Ok(())
            })?;
        }
        Ok(options)
    }

    fn refuse_but(&self, known: &[&str]) -> Result<()> {
        match self.said.iter().find(|(word, _)| !known.contains(word)) {
            Some((word, at)) => Err(Error::new_spanned(
                at,
                format!("`{word}` says nothing about this kind of relation; it takes {}", known.join(", ")),
            )),
            None => Ok(()),
        }
    }
}

/// `Tag` of `ManyToMany<Tag>`.
fn related(ty: &Type) -> Result<&Type> {
    let arguments = last_segment(ty).map(|segment| &segment.arguments);
    if let Some(PathArguments::AngleBracketed(arguments)) = arguments
        && let Some(GenericArgument::Type(related)) = arguments.args.first()
    {
        return Ok(related);
    }
    Err(Error::new_spanned(ty, "of which model? Say it in brackets: `HasMany<Loan>`"))
}

fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match ty {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

/// `LibraryCard` as `library_card`.
pub(crate) fn snake(name: &str) -> String {
    let mut snake = String::new();
    for character in name.chars() {
        if character.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(character.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use quote::format_ident;
    use syn::parse_quote;

    use super::*;

    fn made(field: &Field) -> String {
        constant(&quote!(db), &format_ident!("LibraryBook"), field)
            .map_or_else(|error| error.to_string(), |tokens| tokens.to_string())
    }

    #[test]
    fn keys_and_tables_are_named_after_the_models() {
        assert!(made(&parse_quote!(author: BelongsTo<Author>)).contains("Self :: author_id"));
        assert!(
            made(&parse_quote!(loans: HasMany<models::Loan>))
                .contains("< models :: Loan > :: library_book_id")
        );
        let tags = made(&parse_quote!(tags: ManyToMany<Tag>));
        assert!(tags.contains(r#""library_book_tag" , "library_book_id" , "tag_id""#), "{tags}");
    }

    #[test]
    fn an_option_that_says_nothing_is_refused() {
        let said = made(&parse_quote!(#[relation(latest)] loans: HasMany<Loan>));
        assert!(said.contains("it takes foreign_key"), "{said}");
        let said = made(&parse_quote!(#[relation(newest)] loan: HasOne<Loan>));
        assert!(said.contains("foreign_key = "), "{said}");
        assert!(made(&parse_quote!(loans: HasMany)).contains("of which model?"));
    }
}
