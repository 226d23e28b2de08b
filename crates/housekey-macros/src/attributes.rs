//! What stands in `#[serde(…)]` and `#[ts(…)]`, for the macros that follow what serde does with a type.

use proc_macro2::Group;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Error, Expr, ExprLit, Ident, Lit, Meta, Path, Result, Token, parse_quote};

/// Names, and the text behind them.
pub(crate) struct Words(Vec<Word>);

struct Word {
    /// With `()` behind it when it has a list instead of a value.
    name: String,
    value: Option<String>,
    list: Option<Words>,
    at: Meta,
}

impl Words {
    pub(crate) fn of(family: &str, attributes: &[Attribute]) -> Result<Self> {
        let mut words = Vec::new();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(family)) {
            words.extend(attribute.parse_args_with(Self::parse)?.0);
        }
        Ok(Self(words))
    }

    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut words = Vec::new();
        while !input.is_empty() {
            words.push(Word::parse(input)?);
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(Self(words))
    }

    pub(crate) fn any(&self, names: &[&str]) -> bool {
        self.0.iter().any(|word| names.contains(&word.name.as_str()))
    }

    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|word| word.name == name).map(|word| word.value.as_deref().unwrap_or_default())
    }

    /// The same where serde may be told one value for reading and another for writing: the one for reading.
    pub(crate) fn value_to_read(&self, name: &str) -> Option<&str> {
        let lists = self.0.iter().filter(|word| word.name.strip_suffix("()") == Some(name));
        let mut apart = lists.filter_map(|word| word.list.as_ref()?.value("deserialize"));
        self.value(name).or_else(|| apart.next())
    }

    /// An error at the first of these names, if one is there.
    pub(crate) fn refuse(&self, names: &[&str], why: impl Fn(&str) -> String) -> Result<()> {
        match self.0.iter().find(|word| names.contains(&word.name.as_str())) {
            Some(word) => Err(Error::new_spanned(&word.at, why(word.name.trim_end_matches("()")))),
            None => Ok(()),
        }
    }
}

impl Word {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.call(Ident::parse_any)?;
        let shown = name.unraw().to_string();
        let path = Path::from(name);
        if input.peek(syn::token::Paren) {
            let group: Group = input.parse()?;
            // Not every list is one of words; only those of serde's are looked into.
            let list = Words::parse.parse2(group.stream()).ok();
            return Ok(Self {
                name: format!("{shown}()"),
                value: None,
                list,
                at: parse_quote! { #path #group },
            });
        }
        let value = match input.parse::<Option<Token![=]>>()? {
            Some(_) => text(&input.parse()?),
            None => None,
        };
        Ok(Self { name: shown, value, list: None, at: Meta::Path(path) })
    }
}

pub(crate) fn text(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}
