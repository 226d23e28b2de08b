use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, FnArg, ItemFn, MetaNameValue, Path, Result};

pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let app = app(arguments)?;
    let test: ItemFn = syn::parse2(item)?;
    if test.sig.asyncness.is_none() {
        return Err(Error::new_spanned(&test.sig, "a #[housekey::test] is an `async fn`"));
    }
    let parameter = match test.sig.inputs.iter().collect::<Vec<_>>()[..] {
        [] => quote! { _: ::housekey::testing::TestApp },
        [FnArg::Typed(parameter)] => quote! { #parameter },
        _ => {
            return Err(Error::new_spanned(
                &test.sig.inputs,
                "a #[housekey::test] takes `app: TestApp`, or nothing",
            ));
        }
    };
    let (attributes, visibility, name) = (&test.attrs, &test.vis, &test.sig.ident);
    let (output, body) = (&test.sig.output, &test.block);
    Ok(quote! {
        #[::core::prelude::v1::test]
        #(#attributes)*
        #visibility fn #name() #output {
            ::housekey::testing::run(#app, async |#parameter| #output #body)
        }
    })
}

/// `app = path`, or the `app` function of the package's library.
fn app(arguments: TokenStream) -> Result<TokenStream> {
    if arguments.is_empty() {
        let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default().replace('-', "_");
        let library: syn::Ident = syn::parse_str(&package)?;
        return Ok(quote! { ::#library::app });
    }
    let named: MetaNameValue = syn::parse2(arguments)?;
    if !named.path.is_ident("app") {
        return Err(Error::new_spanned(named.path, "the only argument is `app = path::to::function`"));
    }
    let value = &named.value;
    let path: Path = syn::parse2(quote! { #value })?;
    Ok(quote! { #path })
}
