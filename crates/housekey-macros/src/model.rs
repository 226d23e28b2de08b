use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Data, DeriveInput, Error, Fields, LitStr, Result, Type};

use crate::from_row::{FieldOptions, Options};
use crate::place::{at, place_of};
use crate::relation::{self, Kind};

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

    let own_name = table.rsplit('.').next().unwrap_or(table);
    let name = &input.ident;
    let shown_name = name.to_string();
    let (mut written, mut constants, mut fills, mut names) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut values = Vec::new();
    let (mut key_field, mut tenant, mut original) = (None, None, None);
    for field in fields {
        let options = FieldOptions::of(field)?;
        let Some(field_name) = field.ident.as_ref().filter(|_| !options.skip) else { continue };
        match Kind::of(field) {
            Some(Kind::Original) => {
                original = Some(field_name);
                continue;
            }
            Some(_) => {
                constants.push(relation::constant(root, name, field)?);
                continue;
            }
            None => {}
        }
        let (shown, place) = (field_name.to_string(), place_of(field));
        let shown = shown.trim_start_matches("r#");
        let column = options.rename.unwrap_or_else(|| row.casing.apply(shown));
        let value = if options.json {
            quote_spanned! { place => #root::Json(&row.#field_name) }
        } else {
            quote_spanned! { place => ::core::clone::Clone::clone(&row.#field_name) }
        };
        let (ty, seen, qualified) = (&field.ty, &field.vis, format!("{own_name}.{column}"));
        let doc = format!("The column `{column}`.");
        constants.push(quote! {
            #[doc = #doc]
            #seen const #field_name: #root::ModelColumn<Self, #ty> =
                #root::ModelColumn::<Self, #ty>::new(#qualified, #column, |row| ::core::convert::Into::into(#value));
        });
        let there = at(root, place);
        let read = quote_spanned! { place => #there::written(value, #shown_name, #shown)? };
        let read = if options.json {
            quote! { { let #root::Json(value) = #read; value } }
        } else {
            read
        };
        fills.push(quote! {
            if let ::core::option::Option::Some(value) = columns.get(#column) {
                self.#field_name = #read;
            }
        });
        if column == *key {
            key_field = Some((field_name, ty));
        }
        if model.belongs_to_organization && shown == "organization_id" {
            tenant = Some(column.clone());
        }
        let value = quote! { .with(#column, Self::#field_name.value(self)) };
        if !options.read_only {
            written.push(value.clone());
        }
        values.push(value);
        names.push((shown.to_owned(), column));
    }
    let column_of = |field: &str, what: &str| {
        let found = names.iter().find(|(name, _)| name == field).map(|(_, column)| column.clone());
        found.ok_or_else(|| Error::new_spanned(name, format!("{what} has a field `{field}`")))
    };
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
    let (key_field, key_type) = key_field;
    let key_name = match key_type {
        Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        _ => None,
    };
    let key_name = key_name.as_deref().unwrap_or_default();
    // What a key in an address can be: a number is none until it is read as one.
    let key_from_text = (NUMBERS.contains(&key_name) || key_name == UUID).then(|| {
        quote! {
            fn key_from_text(text: &str) -> ::core::option::Option<#root::Value> {
                text.parse::<#key_type>().ok().map(::core::convert::Into::into)
            }
        }
    });
    let new_key = (key_name == UUID).then(|| {
        quote! {
            fn new_key() -> ::core::option::Option<#root::Value> {
                ::core::option::Option::Some(::core::convert::Into::into(#root::Uuid::now_v7()))
            }
        }
    });
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
    let option = quote! { ::core::option::Option };
    let mut named = Vec::new();
    if model.version {
        let column = column_of("version", "a model with a version")?;
        named.push(quote! { const VERSION: #option<&'static str> = #option::Some(#column); });
    }
    if model.soft_deletes {
        let column = column_of("deleted_at", "a model with soft_deletes")?;
        named.push(quote! { const DELETED_AT: #option<&'static str> = #option::Some(#column); });
    }
    let keep = original.map(|field| {
        quote! { fn keep(&mut self, columns: &#root::Record) { self.#field.merge(columns); } }
    });
    let original = original.map(|field| {
        quote! { fn original(&self) -> #option<&#root::Record> { #option::Some(self.#field.columns()) } }
    });
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    let belongs = tenant.as_ref().map(|_| {
        quote! { impl #generics #root::BelongsToOrganization for #name #arguments #bounds {} }
    });
    let hooked = model.hooks.then(|| quote! { impl #generics #root::Hooked for #name #arguments #bounds {} });
    if model.hooks {
        named.push(quote! {
            const HOOKS: #option<#root::RunHooks<Self>> = #option::Some(#root::run_hooks::<Self>);
        });
    }
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
            #(#named)*

            fn key(&self) -> #root::Value {
                ::core::convert::Into::into(::core::clone::Clone::clone(&self.#key_field))
            }

            fn record(&self) -> #root::Record {
                #root::Record::new()#(#written)*
            }

            #key_from_text

            #new_key

            fn values(&self) -> #root::Record {
                #root::Record::new()#(#values)*
            }

            #original

            #keep

            fn fill(&mut self, columns: &#root::Record) -> #root::Result<()> {
                #(#fills)*
                ::core::result::Result::Ok(())
            }
        }

        #[allow(non_upper_case_globals, dead_code, reason = "constants that are spelled as the fields are")]
        impl #generics #name #arguments #bounds {
            #(#constants)*
        }

        #belongs

        #hooked
    })
}

const NUMBERS: [&str; 7] = ["i8", "i16", "i32", "i64", "u8", "u16", "u32"];

const UUID: &str = "Uuid";

/// `#[model(…)]`.
struct ModelOptions {
    table: String,
    key: String,
    connection: Option<String>,
    timestamps: bool,
    belongs_to_organization: bool,
    soft_deletes: bool,
    version: bool,
    hooks: bool,
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
            soft_deletes: false,
            version: false,
            hooks: false,
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
                } else if meta.path.is_ident("soft_deletes") {
                    options.soft_deletes = true;
                } else if meta.path.is_ident("version") {
                    options.version = true;
                } else if meta.path.is_ident("hooks") {
                    options.hooks = true;
                } else {
                    return Err(meta.error(
                        "`model` takes table = \"…\", key = \"…\", connection = \"…\", timestamps, version, soft_deletes, hooks and \
                         belongs_to_organization",
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
        let error =
            expand(quote! { #[model(table = "posts", version)] struct Post { id: i64 } }).unwrap_err();
        assert!(error.to_string().contains("has a field `version`"), "{error}");
        let error =
            expand(quote! { #[model(table = "posts", soft_deletes)] struct Post { id: i64 } }).unwrap_err();
        assert!(error.to_string().contains("has a field `deleted_at`"), "{error}");
    }
}
