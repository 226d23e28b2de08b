use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, LitStr, Path, Result, Variant};

use crate::casing::Casing;
use crate::relation::snake;

pub(crate) fn expand(input: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(input)?;
    let Data::Enum(data) = &input.data else {
        return Err(Error::new_spanned(
            &input.ident,
            "DbEnum is for enums: a column with one of several words",
        ));
    };
    let (root, casing) = options(&input)?;
    let (mut variants, mut words) = (Vec::new(), Vec::new());
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            return Err(Error::new_spanned(
                variant,
                "a column holds a word, and no fields: keep this type as JSON with #[row(json)]",
            ));
        }
        let word = word(variant, casing)?;
        if words.contains(&word) {
            return Err(Error::new_spanned(variant, format!("two variants are `{word}` in the column")));
        }
        variants.push(&variant.ident);
        words.push(word);
    }
    if variants.is_empty() {
        return Err(Error::new_spanned(&input.ident, "an enum without variants has no value to keep"));
    }
    let name = &input.ident;
    let expected =
        format!("one of {}", words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "));
    Ok(quote! {
        impl #root::DbEnum for #name {
            const ALL: &'static [Self] = &[#(Self::#variants),*];

            fn as_str(&self) -> &'static str {
                match self {
                    #(Self::#variants => #words,)*
                }
            }
        }

        impl #root::FromValue for #name {
            fn from_value(value: #root::Value) -> ::core::result::Result<Self, #root::Mismatch> {
                let found = value.kind();
                let word = <::std::string::String as #root::FromValue>::from_value(value);
                match word.as_deref() {
                    #(::core::result::Result::Ok(#words) => ::core::result::Result::Ok(Self::#variants),)*
                    ::core::result::Result::Ok(_) => {
                        ::core::result::Result::Err(#root::Mismatch { expected: #expected, found: "another word" })
                    }
                    ::core::result::Result::Err(_) => {
                        ::core::result::Result::Err(#root::Mismatch { expected: #expected, found })
                    }
                }
            }
        }

        impl ::core::convert::From<#name> for #root::Value {
            fn from(value: #name) -> Self {
                Self::Text(::std::borrow::ToOwned::to_owned(#root::DbEnum::as_str(&value)))
            }
        }
    })
}

/// `#[row(…)]` on the enum.
fn options(input: &DeriveInput) -> Result<(TokenStream, Casing)> {
    let (mut root, mut casing) = (quote! { ::housekey::database }, Casing::AsWritten);
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("row")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("rename_all") {
                let text: LitStr = meta.value()?.parse()?;
                casing = Casing::named(&text.value()).ok_or_else(|| {
                    Error::new_spanned(&text, "snake_case, camelCase, kebab-case, PascalCase, UPPERCASE?")
                })?;
            } else if meta.path.is_ident("crate") {
                let path: Path = meta.value()?.parse::<LitStr>()?.parse()?;
                root = quote! { #path };
            } else {
                return Err(meta.error("`row` on an enum takes rename_all = \"…\" and crate = \"…\""));
            }
            Ok(())
        })?;
    }
    Ok((root, casing))
}

/// What stands in the column: the variant's name, or what `#[row(rename = "…")]` says.
fn word(variant: &Variant, casing: Casing) -> Result<String> {
    let mut word = casing.apply(&snake(&variant.ident.to_string()));
    for attribute in variant.attrs.iter().filter(|attribute| attribute.path().is_ident("row")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("rename") {
                return Err(meta.error("`row` on a variant takes rename = \"…\""));
            }
            word = meta.value()?.parse::<LitStr>()?.value();
            Ok(())
        })?;
    }
    Ok(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_column_cannot_hold_is_refused_with_advice() {
        let said = |input: TokenStream| expand(input).unwrap_err().to_string();
        assert!(said(quote! { struct Status; }).contains("for enums"));
        assert!(said(quote! { enum Status { Late { days: u8 } } }).contains("#[row(json)]"));
        assert!(said(quote! { enum Status { A, #[row(rename = "a")] B } }).contains("two variants are `a`"));
        assert!(said(quote! { enum Status {} }).contains("without variants"));
        assert!(said(quote! { #[row(rename_all = "Title Case")] enum Status { A } }).contains("snake_case"));
    }
}
