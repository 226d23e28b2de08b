//! `#[typescript]`: gives a type that travels as JSON its TypeScript form. The form itself is the work of ts-rs; what is
//! added here is what ts-rs cannot know: whether the type is sent to the app or by it.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Error, Field, Fields, Meta, Path, Result, Token, parse_quote};

use crate::attributes::{Words, text};

pub(crate) fn expand(arguments: &TokenStream, item: TokenStream) -> Result<TokenStream> {
    if !arguments.is_empty() {
        return Err(Error::new_spanned(
            arguments,
            "#[typescript] takes nothing; `#[ts(…)]` on the type says more",
        ));
    }
    let mut input: DeriveInput = syn::parse2(item)?;
    let direction = Direction::of(&input)?;
    describe(&mut input, direction)?;
    if !cfg!(feature = "types") {
        strip(&mut input);
    }
    Ok(input.into_token_stream())
}

/// Who sends a type.
#[derive(Clone, Copy)]
struct Direction {
    /// Clients do: what may be missing may be left out.
    incoming: bool,
    /// The app does.
    outgoing: bool,
}

impl Direction {
    fn of(input: &DeriveInput) -> Result<Self> {
        let mut direction = Self { incoming: false, outgoing: false };
        for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("derive")) {
            let derives = attribute.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated)?;
            let has = |name: &str| {
                derives.iter().filter_map(|path| path.segments.last()).any(|last| last.ident == name)
            };
            direction.incoming |= has("Deserialize");
            direction.outgoing |= has("Serialize");
        }
        if direction.incoming || direction.outgoing {
            return Ok(direction);
        }
        Err(Error::new_spanned(
            &input.ident,
            "#[typescript] looks whether the type is sent or received: write it above \
             `#[derive(Serialize)]` or `#[derive(Deserialize)]`",
        ))
    }
}

fn describe(input: &mut DeriveInput, direction: Direction) -> Result<()> {
    let known = Words::of("serde", &input.attrs)?;
    let own = Words::of("ts", &input.attrs)?;
    expect_plain_docs(&input.attrs)?;
    if !own.any(&["type", "as"]) {
        refuse(&known, &["from", "into", "remote", "rename()", "rename_all()", "try_from"])?;
        if matches!(&input.data, Data::Struct(data) if matches!(data.fields, Fields::Named(_))) {
            refuse(&known, &["transparent"])?;
        }
    }
    let has_default = known.any(&["default"]);
    let mut has_names = false;
    for field in fields_mut(&mut input.data) {
        has_names |= field.ident.is_some();
        describe_field(field, direction, has_default)?;
    }
    let mut added: Vec<Attribute> = vec![
        parse_quote! { #[derive(::housekey::types::ts_rs::TS)] },
        parse_quote! { #[ts(crate = "::housekey::types::ts_rs")] },
    ];
    if direction.incoming && has_names && !own.any(&["optional_fields", "type", "as"]) {
        added.push(parse_quote! { #[ts(optional_fields = nullable)] });
    }
    // In front, because a derive has to stand before the attributes that only it knows.
    input.attrs.splice(0..0, added);
    Ok(())
}

fn describe_field(field: &mut Field, direction: Direction, has_default: bool) -> Result<()> {
    let known = Words::of("serde", &field.attrs)?;
    let own = Words::of("ts", &field.attrs)?;
    expect_plain_docs(&field.attrs)?;
    if own.any(&["skip"]) || known.any(&["skip"]) {
        return Ok(());
    }
    if !own.any(&["type", "as"]) {
        refuse(&known, &["deserialize_with", "getter", "rename()", "serialize_with", "with"])?;
    }
    let leaves = (!direction.incoming && known.any(&["skip_serializing"]))
        || (!direction.outgoing && known.any(&["skip_deserializing"]));
    if leaves {
        field.attrs.push(parse_quote! { #[ts(skip)] });
        return Ok(());
    }
    if own.any(&["optional"]) || known.any(&["flatten"]) || own.any(&["flatten"]) {
        return Ok(());
    }
    let may_be_missing = direction.incoming && (has_default || known.any(&["default"]));
    let omitted_if = known.value("skip_serializing_if").filter(|_| direction.outgoing);
    match omitted_if {
        // Only present with a value, so never `null`.
        Some(test) if test == "Option::is_none" && !direction.incoming => {
            field.attrs.push(parse_quote! { #[ts(optional)] });
        }
        None if !may_be_missing => {}
        _ if field.ident.is_some() => field.attrs.push(parse_quote! { #[ts(optional = nullable)] }),
        _ => {}
    }
    Ok(())
}

/// Words that change what is sent in a way that cannot be seen from here.
fn refuse(known: &Words, names: &[&str]) -> Result<()> {
    known.refuse(names, |name| {
        format!(
            "`{name}` changes what is sent, and how cannot be seen from here: add `#[ts(type = \"…\")]` with \
             the TypeScript, or `#[ts(as = \"…\")]` with a type of the same form"
        )
    })
}

fn fields_mut(data: &mut Data) -> Vec<&mut Field> {
    match data {
        Data::Struct(data) => data.fields.iter_mut().collect(),
        Data::Enum(data) => data.variants.iter_mut().flat_map(|variant| variant.fields.iter_mut()).collect(),
        Data::Union(_) => Vec::new(),
    }
}

/// Takes out all that is for TypeScript: the app was built without it.
fn strip(input: &mut DeriveInput) {
    let is_ours = |attribute: &Attribute| attribute.path().is_ident("ts");
    // The derive that was put in front.
    input.attrs.remove(0);
    input.attrs.retain(|attribute| !is_ours(attribute));
    if let Data::Enum(data) = &mut input.data {
        data.variants.iter_mut().for_each(|variant| variant.attrs.retain(|attribute| !is_ours(attribute)));
    }
    for field in fields_mut(&mut input.data) {
        field.attrs.retain(|attribute| !is_ours(attribute));
    }
}

/// A doc comment becomes a comment in TypeScript, which these two characters would end.
fn expect_plain_docs(attributes: &[Attribute]) -> Result<()> {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
        if let Meta::NameValue(meta) = &attribute.meta
            && text(&meta.value).is_some_and(|text| text.contains("*/"))
        {
            return Err(Error::new_spanned(
                attribute,
                "`*/` would end the comment that this becomes in TypeScript",
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    fn expanded(item: TokenStream) -> String {
        let mut input: DeriveInput = syn::parse2(item).unwrap();
        let direction = Direction::of(&input).unwrap();
        describe(&mut input, direction).unwrap();
        input.into_token_stream().to_string().replace(' ', "")
    }

    fn refusal(item: TokenStream) -> String {
        expand(&TokenStream::new(), item).unwrap_err().to_string()
    }

    #[test]
    fn what_a_client_may_leave_out_is_optional() {
        let text = expanded(quote! {
            #[derive(Deserialize)]
            struct SignIn { email: String, #[serde(default)] remember: bool, next: Option<String> }
        });
        assert!(text.contains("#[ts(optional_fields=nullable)]"), "{text}");
        assert!(text.contains("#[serde(default)]#[ts(optional=nullable)]remember:bool"), "{text}");
        assert!(text.contains("{email:String"), "{text}");
    }

    #[test]
    fn what_the_app_sends_is_always_there_unless_it_is_left_out() {
        let text = expanded(quote! {
            #[derive(Serialize)]
            struct Profile {
                image: Option<String>,
                #[serde(skip_serializing_if = "Option::is_none")]
                team: Option<String>,
                #[serde(skip_serializing)]
                hash: String,
            }
        });
        assert!(!text.contains("optional_fields"), "{text}");
        assert!(text.contains("{image:Option<String>"), "{text}");
        assert!(text.contains("#[ts(optional)]team"), "{text}");
        assert!(text.contains("#[ts(skip)]hash"), "{text}");
    }

    #[test]
    fn what_cannot_be_known_has_to_be_said() {
        let hidden = refusal(quote! {
            #[derive(Serialize)]
            struct Post { #[serde(serialize_with = "rfc3339")] at: OffsetDateTime }
        });
        assert!(hidden.contains("serialize_with"), "{hidden}");
        assert!(hidden.contains("#[ts(type"), "{hidden}");
        expanded(quote! {
            #[derive(Serialize)]
            struct Post { #[serde(serialize_with = "rfc3339")] #[ts(type = "string")] at: OffsetDateTime }
        });
        let two_names = refusal(quote! {
            #[derive(Serialize)]
            struct Post { #[serde(rename(serialize = "createdAt"))] at: String }
        });
        assert!(two_names.contains("rename"), "{two_names}");
        let blind = refusal(quote! { struct Post { at: String } });
        assert!(blind.contains("above"), "{blind}");
        let comment = refusal(quote! {
            #[derive(Serialize)]
            struct Post { #[doc = " a */ b"] at: String }
        });
        assert!(comment.contains("end the comment"), "{comment}");
    }

    #[test]
    fn without_the_feature_nothing_is_left_of_it() {
        let mut input: DeriveInput = parse_quote! {
            #[derive(Deserialize)]
            #[ts(rename = "Form")]
            enum Choice { #[ts(skip)] None, Some { #[ts(type = "string")] at: u8, #[serde(default)] on: bool } }
        };
        let direction = Direction::of(&input).unwrap();
        describe(&mut input, direction).unwrap();
        strip(&mut input);
        let text = input.into_token_stream().to_string();
        assert!(!text.contains("ts ("), "{text}");
        assert!(!text.contains("TS"), "{text}");
        assert!(text.contains("Deserialize"), "{text}");
    }
}
