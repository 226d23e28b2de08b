use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Data, DeriveInput, Error, Field, Fields, LitStr, Path, Result};

use crate::casing::Casing;
use crate::place::{at, place_of};
use crate::relation::Kind;

pub(crate) fn expand(input: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(input)?;
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(
            &input.ident,
            "FromRow is for structs: a row has one value per column",
        ));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new_spanned(
            &input.ident,
            "FromRow reads columns by name, so the fields need names",
        ));
    };
    let options = Options::of(&input)?;
    let (root, owner) = (&options.root, input.ident.to_string());

    let mut columns = Some(Vec::new());
    let mut original = None;
    let reads = fields.named.iter().map(|field| {
        let name = field.ident.as_ref().ok_or_else(|| Error::new_spanned(field, "a field without a name"))?;
        let field_options = FieldOptions::of(field)?;
        let kind = Kind::of(field);
        if kind == Some(Kind::Original) {
            original = Some(name);
        }
        if field_options.skip || kind.is_some() {
            return Ok(quote! { #name: ::core::default::Default::default() });
        }
        let shown = name.to_string();
        let shown = shown.trim_start_matches("r#");
        let column = field_options.rename.unwrap_or_else(|| options.casing.apply(shown));
        // A query that names the columns cannot leave one out.
        match &mut columns {
            Some(columns) if !field_options.default => columns.push(column.clone()),
            _ => columns = None,
        }
        let (place, root) = (place_of(field), at(root, place_of(field)));
        let read = quote_spanned! { place => #root::field(row, #owner, #shown, #column)? };
        let read = if field_options.json {
            quote! { { let #root::Json(value) = #read; value } }
        } else {
            read
        };
        Ok(if field_options.default {
            quote! { #name: if row.has(#column) { #read } else { ::core::default::Default::default() } }
        } else {
            quote! { #name: #read }
        })
    });
    let reads: Vec<TokenStream> = reads.collect::<Result<_>>()?;

    let columns = columns.unwrap_or_default();
    let name = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    // Columns are compared as the type writes them: engines keep some of them otherwise.
    let made = match original {
        Some(original) => quote! {
            let mut made = Self { #(#reads),* };
            made.#original = #root::Original::of(#root::Model::record(&made));
            ::core::result::Result::Ok(made)
        },
        None => quote! { ::core::result::Result::Ok(Self { #(#reads),* }) },
    };
    Ok(quote! {
        impl #generics #root::FromRow for #name #arguments #bounds {
            const COLUMNS: &'static [&'static str] = &[#(#columns),*];

            fn from_row(row: &#root::Row) -> #root::Result<Self> {
                #made
            }
        }
    })
}

/// `#[row(…)]` on the struct.
pub(crate) struct Options {
    /// The path to the database crate: apps reach it through `housekey`.
    pub(crate) root: TokenStream,
    pub(crate) casing: Casing,
}

impl Options {
    pub(crate) fn of(input: &DeriveInput) -> Result<Self> {
        let mut options = Self { root: quote! { ::housekey::database }, casing: Casing::AsWritten };
        for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("row")) {
            attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("rename_all") {
                    options.casing = casing(&meta.value()?.parse()?)?;
                } else if meta.path.is_ident("crate") {
                    let path: Path = meta.value()?.parse::<LitStr>()?.parse()?;
                    options.root = quote! { #path };
                } else {
                    return Err(meta.error("`row` on a struct takes rename_all = \"…\" and crate = \"…\""));
                }
                Ok(())
            })?;
        }
        Ok(options)
    }
}

/// `#[row(…)]` on a field.
#[derive(Default)]
pub(crate) struct FieldOptions {
    pub(crate) rename: Option<String>,
    pub(crate) json: bool,
    pub(crate) skip: bool,
    /// Read, and never written by `save`.
    pub(crate) read_only: bool,
    default: bool,
}

impl FieldOptions {
    pub(crate) fn of(field: &Field) -> Result<Self> {
        let mut options = Self::default();
        for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("row")) {
            attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("rename") {
                    options.rename = Some(meta.value()?.parse::<LitStr>()?.value());
                } else if meta.path.is_ident("json") {
                    options.json = true;
                } else if meta.path.is_ident("default") {
                    options.default = true;
                } else if meta.path.is_ident("skip") {
                    options.skip = true;
                } else if meta.path.is_ident("read_only") {
                    options.read_only = true;
                } else {
                    return Err(meta
                        .error("`row` on a field takes rename = \"…\", json, default, read_only and skip"));
                }
                Ok(())
            })?;
        }
        Ok(options)
    }
}

fn casing(text: &LitStr) -> Result<Casing> {
    match text.value().as_str() {
        "camelCase" => Ok(Casing::Camel),
        "snake_case" => Ok(Casing::AsWritten),
        _ => Err(Error::new_spanned(text, "columns are spelled camelCase or snake_case")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_option_is_an_error_that_names_the_known_ones() {
        let error = expand(quote! { struct Post { #[row(renamed = "x")] id: i64 } }).unwrap_err();
        assert!(error.to_string().contains("rename = "), "{error}");
        assert!(expand(quote! { enum Post { A } }).unwrap_err().to_string().contains("structs"));
    }
}
