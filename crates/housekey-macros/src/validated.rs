//! `#[derive(Validated)]`: the fields of an input with the names that clients know, and the rules that stand on them.
//!
//! A rule is written as the method that it becomes, so this file knows only those that need more than their arguments: rules
//! that look at another field, and rules that go into lists and structs.

use proc_macro2::{Group, Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Attribute, Data, DeriveInput, Error, Fields, GenericArgument, LitStr, Path, PathArguments, Result, Token,
    Type,
};

use crate::attributes::Words;
use crate::casing::Casing;

pub(crate) fn expand(input: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(input)?;
    let options = Options::of(&input)?;
    let fields = InputFields::of(&input, &options.root)?;
    let (name, root) = (&input.ident, &options.root);
    let rules = Ident::new("rules", Span::mixed_site());
    let statements = fields.all.iter().map(|field| fields.statement(field, &rules));
    let statements: Vec<TokenStream> = statements.collect::<Result<_>>()?;
    let after = options.after.map(|check| {
        quote! {
            const HAS_AFTER: bool = true;

            fn after(
                &self,
                errors: &mut #root::derive::FieldErrors,
            ) -> impl ::core::future::Future<Output = #root::derive::Result<()>> + ::core::marker::Send {
                #check(self, errors)
            }
        }
    });
    Ok(quote! {
        #[automatically_derived]
        impl #root::Validated for #name {
            fn rules() -> &'static #root::derive::Rules {
                #[allow(unused_imports)]
                use #root::derive::AnyKind as _;
                let build = || {
                    let mut #rules = #root::derive::Rules::default();
                    #(#statements)*
                    #rules
                };
                // In a block of its own, where the names in the rules do not meet it.
                {
                    static RULES: ::std::sync::OnceLock<#root::derive::Rules> = ::std::sync::OnceLock::new();
                    RULES.get_or_init(build)
                }
            }

            #after
        }
    })
}

/// `#[validate(…)]` on the struct.
struct Options {
    /// The path to the validation module: apps reach it through `housekey`.
    root: TokenStream,
    after: Option<Path>,
}

impl Options {
    fn of(input: &DeriveInput) -> Result<Self> {
        let mut options = Self { root: quote! { ::housekey::validation }, after: None };
        for attribute in validate(&input.attrs) {
            attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("after") {
                    options.after = Some(meta.value()?.parse()?);
                } else if meta.path.is_ident("crate") {
                    let path: Path = meta.value()?.parse::<LitStr>()?.parse()?;
                    options.root = quote! { #path };
                } else {
                    return Err(meta
                        .error("`validate` on a struct takes `after = Self::…`; rules stand on the fields"));
                }
                Ok(())
            })?;
        }
        Ok(options)
    }
}

struct InputFields<'a> {
    owner: &'a Ident,
    root: &'a TokenStream,
    all: Vec<InputField<'a>>,
}

struct InputField<'a> {
    ident: &'a Ident,
    /// What clients call it.
    name: String,
    kind: &'a Type,
    /// Whether serde reads it by a function, so that its type does not tell what is sent.
    is_read_by_hand: bool,
    /// Whether serde fills it in where it was not sent.
    has_default: bool,
    rules: Vec<RuleCall>,
}

/// `required`, or `max(120)`.
struct RuleCall {
    name: Ident,
    arguments: Option<Group>,
}

/// Rules whose first argument is another field.
const LOOK_AT_ANOTHER: [&str; 4] = ["same", "different", "required_if", "required_with"];

impl<'a> InputFields<'a> {
    fn of(input: &'a DeriveInput, root: &'a TokenStream) -> Result<Self> {
        let fields = match &input.data {
            Data::Struct(data) => match &data.fields {
                Fields::Named(fields) => &fields.named,
                _ => return Err(Error::new_spanned(&input.ident, NEEDS_NAMES)),
            },
            _ => return Err(Error::new_spanned(&input.ident, NEEDS_NAMES)),
        };
        if !input.generics.params.is_empty() {
            return Err(Error::new_spanned(
                &input.generics,
                "Validated is for structs without generics: the rules are built once, for one type",
            ));
        }
        let known = Words::of("serde", &input.attrs)?;
        known.refuse(&["from", "remote", "transparent", "try_from"], |word| {
            format!(
                "with `{word}` other fields are read than stand here: derive Validated where they stand, and \
                 convert in the handler"
            )
        })?;
        // A spelling that serde does not know is its own error.
        let casing = known.value_to_read("rename_all").and_then(Casing::named).unwrap_or(Casing::AsWritten);
        let all_default = known.any(&["default"]);
        let mut all = Vec::new();
        for field in fields {
            let field = InputField::of(field, casing)?;
            all.extend(
                field.map(|field| InputField { has_default: field.has_default || all_default, ..field }),
            );
        }
        Ok(Self { owner: &input.ident, root, all })
    }

    /// The line that adds a field and its rules.
    fn statement(&self, field: &InputField<'_>, rules: &Ident) -> Result<TokenStream> {
        let (root, name, kind) = (self.root, &field.name, field.kind);
        let mut known = quote_spanned! { at(kind) => #root::derive::KindOf::<#kind>::KIND };
        if field.is_read_by_hand {
            known = quote! { #known.read_by_hand() };
        }
        let calls = self.calls(&field.rules, Some(kind))?;
        let add =
            Ident::new(if field.has_default { "field_with_default" } else { "field" }, Span::call_site());
        Ok(quote! { #rules.#add(#name, #known) #calls; })
    }

    fn calls(&self, rules: &[RuleCall], kind: Option<&Type>) -> Result<TokenStream> {
        let says_nothing = |rule: &&RuleCall| SAY_NO_RULE.contains(&rule.name.to_string().as_str());
        if let Some(first) = rules.iter().find(|rule| !says_nothing(rule))
            && first.name == "message"
        {
            let message =
                "`message` is the sentence for the rule before it, and there is none: write it after one";
            return Err(Error::new_spanned(&first.name, message));
        }
        rules.iter().map(|rule| self.call(rule, kind)).collect()
    }

    fn call(&self, rule: &RuleCall, kind: Option<&Type>) -> Result<TokenStream> {
        let name = &rule.name;
        let arguments = rule.arguments.as_ref().map(Group::stream).unwrap_or_default();
        match name.to_string().as_str() {
            "each" => {
                let rules = Punctuated::<RuleCall, Token![,]>::parse_terminated.parse2(arguments)?;
                let rules: Vec<RuleCall> = rules.into_iter().collect();
                let calls = self.calls(&rules, kind.and_then(item))?;
                let item = Ident::new("item", Span::mixed_site());
                Ok(quote! { .#name(|#item| { #item #calls; }) })
            }
            "nested" if arguments.is_empty() => {
                let kind = kind.map(within_option).ok_or_else(|| {
                    Error::new_spanned(name, "`nested` needs to see the type of the items: write `Vec<…>`")
                })?;
                let root = self.root;
                let message = "the `after` of a nested struct is not run: check it in that of the outer one";
                Ok(quote_spanned! { at(kind) => .#name({
                    const { ::core::assert!(!<#kind as #root::Validated>::HAS_AFTER, #message) }
                    <#kind as #root::Validated>::rules
                }) })
            }
            "nested" => Err(Error::new_spanned(
                arguments,
                "`nested` takes nothing: the rules are those of the field's own type",
            )),
            looks if LOOK_AT_ANOTHER.contains(&looks) => {
                let arguments = self.with_field_name(name, arguments)?;
                Ok(quote! { .#name(#arguments) })
            }
            // With the brackets that were written, because an error about the arguments points to them.
            _ => match &rule.arguments {
                Some(group) => Ok(quote! { .#name #group }),
                None => Ok(quote! { .#name() }),
            },
        }
    }

    /// Puts the name that clients know in the place of a field's.
    fn with_field_name(&self, rule: &Ident, arguments: TokenStream) -> Result<TokenStream> {
        let parse = |input: ParseStream<'_>| {
            if input.peek(LitStr) || input.is_empty() {
                let message = format!("name a field of `{}`, without quotes: `{rule}(field)`", self.owner);
                return Err(input.error(message));
            }
            Ok((input.call(Ident::parse_any)?, input.parse::<TokenStream>()?))
        };
        let (other, rest) = parse.parse2(arguments)?;
        let Some(field) = self.all.iter().find(|field| field.ident.unraw() == other.unraw()) else {
            let names: Vec<String> = self.all.iter().map(|field| format!("`{}`", field.ident)).collect();
            let message =
                format!("`{}` has no field `{other}` that is sent; it has {}", self.owner, names.join(", "));
            return Err(Error::new_spanned(other, message));
        };
        let name = LitStr::new(&field.name, other.span());
        Ok(quote! { #name #rest })
    }
}

/// What may stand among the rules and asks nothing of a value.
const SAY_NO_RULE: &[&str] = &["label", "nullable", "optional", "secret", "untrimmed"];

const NEEDS_NAMES: &str = "Validated is for structs with named fields: what is sent has names";

impl<'a> InputField<'a> {
    /// `None` for a field that is not sent.
    fn of(field: &'a syn::Field, casing: Casing) -> Result<Option<Self>> {
        let known = Words::of("serde", &field.attrs)?;
        known.refuse(&["flatten"], |_| {
            "`flatten` hides which fields are sent, and they would not be checked: write them out in this struct"
                .to_owned()
        })?;
        known.refuse(&["alias"], |_| {
            "rules look at one name only, and what is sent under an `alias` would not be checked".to_owned()
        })?;
        let mut rules = Vec::new();
        for attribute in validate(&field.attrs) {
            rules.extend(attribute.parse_args_with(Punctuated::<RuleCall, Token![,]>::parse_terminated)?);
        }
        if known.any(&["skip", "skip_deserializing"]) {
            return match rules.first() {
                Some(rule) => Err(Error::new_spanned(&rule.name, "nobody sends a field that serde skips")),
                None => Ok(None),
            };
        }
        let ident = field.ident.as_ref().ok_or_else(|| Error::new_spanned(field, NEEDS_NAMES))?;
        let renamed = known.value_to_read("rename").map(str::to_owned);
        let name = renamed.unwrap_or_else(|| casing.apply(&ident.unraw().to_string()));
        let is_read_by_hand = known.any(&["deserialize_with", "with"]);
        let has_default = known.any(&["default"]);
        Ok(Some(Self { ident, name, kind: &field.ty, is_read_by_hand, has_default, rules }))
    }
}

impl Parse for RuleCall {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.parse()?;
        let arguments = if input.peek(syn::token::Paren) { Some(input.parse()?) } else { None };
        Ok(Self { name, arguments })
    }
}

fn validate(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("validate"))
}

/// Where an error about a type points to. Lints know that what stands there was not written by hand.
fn at(kind: &Type) -> Span {
    kind.span().resolved_at(Span::mixed_site())
}

/// The `T` of an `Option<T>`, else the type itself.
fn within_option(kind: &Type) -> &Type {
    match kind {
        Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Option") => {
            argument(path.path.segments.last().map(|last| &last.arguments)).unwrap_or(kind)
        }
        _ => kind,
    }
}

/// The type of a list's items.
fn item(list: &Type) -> Option<&Type> {
    match within_option(list) {
        Type::Path(path) => argument(path.path.segments.last().map(|last| &last.arguments)),
        Type::Array(array) => Some(&array.elem),
        _ => None,
    }
}

fn argument(arguments: Option<&PathArguments>) -> Option<&Type> {
    let Some(PathArguments::AngleBracketed(arguments)) = arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(kind) => Some(kind),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(item: TokenStream) -> String {
        expand(item).unwrap().to_string().replace(' ', "")
    }

    fn refusal(item: TokenStream) -> String {
        expand(item).unwrap_err().to_string()
    }

    #[test]
    fn fields_have_the_names_that_clients_send() {
        let text = expanded(quote! {
            #[serde(rename_all = "camelCase")]
            struct Form {
                first_name: String,
                #[serde(rename = "mail")]
                #[validate(required, same(first_name))]
                email: String,
                #[serde(rename(serialize = "out", deserialize = "in"))]
                both_ways: String,
                r#type: String,
                #[serde(skip)]
                cache: u8,
            }
        });
        assert!(text.contains(r#".field("firstName","#), "{text}");
        assert!(text.contains(r#".field("mail","#), "{text}");
        assert!(text.contains(r#".required().same("firstName")"#), "{text}");
        assert!(text.contains(r#".field("in","#), "{text}");
        assert!(text.contains(r#".field("type","#), "{text}");
        assert!(!text.contains("cache"), "{text}");
    }

    #[test]
    fn rules_for_items_are_written_like_all_others() {
        let text = expanded(quote! {
            struct Form {
                #[validate(array, each(required, max(20)))]
                tags: Vec<String>,
                #[validate(each(nested))]
                lines: Option<Vec<Line>>,
            }
        });
        assert!(text.contains(".array().each(|item|{item.required().max(20);})"), "{text}");
        assert!(text.contains("<Lineas::housekey::validation::Validated>::rules"), "{text}");
    }

    #[test]
    fn a_field_that_is_not_there_is_named() {
        for rule in [quote! { same(emial) }, quote! { required_if(emial, "x") }, quote! { each(same(emial)) }]
        {
            let told = refusal(quote! { struct Form { name: String, #[validate(#rule)] email: String } });
            assert_eq!(told, "`Form` has no field `emial` that is sent; it has `name`, `email`");
        }
        let quoted = refusal(quote! { struct Form { #[validate(same("email"))] email: String } });
        assert_eq!(quoted, "name a field of `Form`, without quotes: `same(field)`");
    }

    #[test]
    fn what_cannot_be_checked_is_refused() {
        let flat = refusal(quote! { struct Form { #[serde(flatten)] rest: Rest } });
        assert!(flat.contains("write them out in this struct"), "{flat}");
        let alias = refusal(quote! { struct Form { #[serde(alias = "mail")] email: String } });
        assert!(alias.contains("would not be checked"), "{alias}");
        let other = refusal(quote! { #[serde(try_from = "Raw")] struct Form { email: String } });
        assert!(other.contains("`try_from`"), "{other}");
        let skipped = refusal(quote! { struct Form { #[serde(skip)] #[validate(required)] email: String } });
        assert_eq!(skipped, "nobody sends a field that serde skips");
        for item in [quote! { enum Form { A } }, quote! { struct Form(String); }, quote! { struct Form; }] {
            assert_eq!(refusal(item), NEEDS_NAMES);
        }
        assert!(refusal(quote! { struct Form<T> { it: T } }).contains("generics"));
        let on_struct = refusal(quote! { #[validate(required)] struct Form { it: u8 } });
        assert!(on_struct.contains("rules stand on the fields"), "{on_struct}");
        let nested = refusal(quote! { struct Form { #[validate(nested(Line))] line: Line } });
        assert!(nested.contains("takes nothing"), "{nested}");
    }
}
