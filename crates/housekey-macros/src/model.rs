use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Data, DeriveInput, Error, Fields, LitStr, Result};

use crate::from_row::{FieldOptions, Options, place_of};

pub(crate) fn expand(input: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(input)?;
    let fields = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => &fields.named,
            _ => return Err(Error::new_spanned(&input.ident, "a model's fields need names")),
        },
        _ => return Err(Error::new_spanned(&input.ident, "a model is a struct: one field per column")),
    };
    let row = Options::of(&input)?;
    let model = ModelOptions::of(&input)?;
    let (root, table, key) = (&row.root, &model.table, &model.key);

    let (mut columns, mut key_field, mut tenant) = (Vec::new(), None, None);
    for field in fields {
        let options = FieldOptions::of(field)?;
        let Some(name) = field.ident.as_ref().filter(|_| !options.skip) else { continue };
        let shown = name.to_string();
        let column = options.rename.unwrap_or_else(|| row.casing.apply(shown.trim_start_matches("r#")));
        let value = if options.json {
            quote_spanned! { place_of(field) => #root::Json(&self.#name) }
        } else {
            quote_spanned! { place_of(field) => ::core::clone::Clone::clone(&self.#name) }
        };
        if column == *key {
            key_field = Some(name);
        }
        if model.belongs_to_organization && shown == "organization_id" {
            tenant = Some(column.clone());
        }
        if !options.read_only {
            columns.push(quote! { .with(#column, #value) });
        }
    }
    let key_field = key_field.ok_or_else(|| {
        Error::new_spanned(
            &input.ident,
            format!("no field for the key `{key}`; name another with #[model(key = \"…\")]"),
        )
    })?;
    if model.belongs_to_organization && tenant.is_none() {
        return Err(Error::new_spanned(
            &input.ident,
            "a model that belongs to an organization has a field `organization_id: String`, whose column says to which",
        ));
    }
    let connection = model.connection.map(|name| {
        quote! { const CONNECTION: ::core::option::Option<&'static str> = ::core::option::Option::Some(#name); }
    });
    let timestamps = model.timestamps.then(|| {
        let (created, updated) = (row.casing.apply("created_at"), row.casing.apply("updated_at"));
        quote! {
            const TIMESTAMPS: ::core::option::Option<(&'static str, &'static str)> =
                ::core::option::Option::Some((#created, #updated));
        }
    });
    let name = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    let belongs = tenant.as_ref().map(|_| {
        quote! { impl #generics #root::BelongsToOrganization for #name #arguments #bounds {} }
    });
    let tenant = tenant.map(|column| {
        quote! { const TENANT: ::core::option::Option<&'static str> = ::core::option::Option::Some(#column); }
    });
    Ok(quote! {
        impl #generics #root::Model for #name #arguments #bounds {
            const TABLE: &'static str = #table;
            const KEY: &'static str = #key;
            #connection
            #timestamps
            #tenant

            fn key(&self) -> #root::Value {
                ::core::convert::Into::into(::core::clone::Clone::clone(&self.#key_field))
            }

            fn record(&self) -> #root::Record {
                #root::Record::new()#(#columns)*
            }
        }

        #belongs
    })
}

/// `#[model(…)]`.
struct ModelOptions {
    table: String,
    key: String,
    connection: Option<String>,
    timestamps: bool,
    belongs_to_organization: bool,
}

impl ModelOptions {
    fn of(input: &DeriveInput) -> Result<Self> {
        let mut table = None;
        let mut options = Self {
            table: String::new(),
            key: "id".into(),
            connection: None,
            timestamps: false,
            belongs_to_organization: false,
        };
        for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("model")) {
            attribute.parse_nested_meta(|meta| {
                let text = || Ok::<_, Error>(meta.value()?.parse::<LitStr>()?.value());
                if meta.path.is_ident("table") {
                    table = Some(text()?);
                } else if meta.path.is_ident("key") {
                    options.key = text()?;
                } else if meta.path.is_ident("connection") {
                    options.connection = Some(text()?);
                } else if meta.path.is_ident("timestamps") {
                    options.timestamps = true;
                } else if meta.path.is_ident("belongs_to_organization") {
                    options.belongs_to_organization = true;
                } else {
                    return Err(meta.error(
                        "`model` takes table = \"…\", key = \"…\", connection = \"…\", timestamps and belongs_to_organization",
                    ));
                }
                Ok(())
            })?;
        }
        options.table = table
            .ok_or_else(|| Error::new_spanned(&input.ident, "which table? Say #[model(table = \"…\")]"))?;
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_asked_for() {
        let error = expand(quote! { struct Post { id: i64 } }).unwrap_err();
        assert!(error.to_string().contains("which table?"), "{error}");
        let error = expand(quote! { #[model(table = "posts")] struct Post { slug: String } }).unwrap_err();
        assert!(error.to_string().contains("#[model(key"), "{error}");
        let tenant = quote! { #[model(table = "posts", belongs_to_organization)] struct Post { id: i64 } };
        let error = expand(tenant).unwrap_err();
        assert!(error.to_string().contains("`organization_id: String`"), "{error}");
    }
}
