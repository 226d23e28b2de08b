use std::path::{Path, PathBuf};

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Error, Ident, Result};

pub(crate) fn expand(input: TokenStream) -> Result<TokenStream> {
    if !input.is_empty() {
        return Err(Error::new_spanned(
            input,
            "config!() takes nothing: it reads the config/ folder of the package",
        ));
    }
    let folder = package_folder()?.join("config");
    let files = files(&folder)?;
    let modules = files.iter().map(|(name, path)| {
        let module = Ident::new(name, Span::call_site());
        quote! { #[path = #path] pub mod #module; }
    });
    let entries = files.iter().map(|(name, _)| {
        let module = Ident::new(name, Span::call_site());
        let place = format!("config/{name}.rs");
        quote! { .with(::housekey::ConfigFile::new(#name, #place, self::#module::#module)) }
    });
    Ok(quote! {
        // First under its own name: the compiler calls a crate by the first of its names in all its messages.
        #[doc(hidden)]
        extern crate housekey;

        // The view macros name the crate they expand to, which an app does not depend on.
        #[doc(hidden)]
        extern crate housekey as hypertext;

        /// The files of the `config/` folder.
        pub mod config {
            #(#modules)*

            /// Every config file of this app.
            pub fn files() -> ::housekey::ConfigFiles {
                ::housekey::ConfigFiles::new() #(#entries)*
            }
        }
    })
}

fn package_folder() -> Result<PathBuf> {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    folder
        .ok_or_else(|| Error::new(Span::call_site(), "config!() needs cargo: CARGO_MANIFEST_DIR is not set"))
}

/// Module name and absolute path of each file, in a stable order.
fn files(folder: &Path) -> Result<Vec<(String, String)>> {
    let cannot = |what: String| Error::new(Span::call_site(), what);
    let entries = std::fs::read_dir(folder)
        .map_err(|error| cannot(format!("config!() cannot read {}: {error}", folder.display())))?;
    let mut files = Vec::new();
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        syn::parse_str::<Ident>(&name)
            .map_err(|_| cannot(format!("{} cannot be a module: rename it in snake_case", path.display())))?;
        files.push((name, path.to_string_lossy().into_owned()));
    }
    files.sort();
    Ok(files)
}
