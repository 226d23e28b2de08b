use std::path::{Path, PathBuf};

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Error, Result};

pub(crate) fn expand(input: TokenStream) -> Result<TokenStream> {
    if !input.is_empty() {
        return Err(Error::new_spanned(
            input,
            "migrations!() takes nothing: it reads database/migrations of the package",
        ));
    }
    let folder = package_folder()?.join("database").join("migrations");
    let files = files(&folder)?;
    // A file's name begins with a digit, which a module's cannot.
    let modules = files.iter().map(|(name, path)| {
        let module = format_ident!("m_{name}");
        quote! { #[path = #path] mod #module; }
    });
    let entries = files.iter().map(|(name, _)| {
        let module = format_ident!("m_{name}");
        quote! { .with(::housekey::database::Migration::new(#name, #module::up, #module::down)) }
    });
    Ok(quote! {
        /// The files of the `database/migrations` folder.
        pub mod migrations {
            #(#modules)*

            /// Every migration of this app.
            pub fn all() -> ::housekey::database::Migrations {
                ::housekey::database::Migrations::new() #(#entries)*
            }
        }
    })
}

fn package_folder() -> Result<PathBuf> {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    folder.ok_or_else(|| {
        Error::new(Span::call_site(), "migrations!() needs cargo: CARGO_MANIFEST_DIR is not set")
    })
}

/// Name and absolute path of each migration, in order. No folder is no migrations.
fn files(folder: &Path) -> Result<Vec<(String, String)>> {
    let cannot = |what: String| Error::new(Span::call_site(), what);
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(cannot(format!("migrations!() cannot read {}: {error}", folder.display()))),
    };
    let mut files = Vec::new();
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        if !is_migration_name(&name) {
            return Err(cannot(format!(
                "{} is no name for a migration: it should look like 2026_01_31_090000_create_posts.rs (`make:migration` makes one)",
                path.display()
            )));
        }
        files.push((name, path.to_string_lossy().into_owned()));
    }
    files.sort();
    Ok(files)
}

/// `YYYY_MM_DD_HHMMSS_what`: names sort by time, and make modules.
fn is_migration_name(name: &str) -> bool {
    let parts: Vec<&str> = name.splitn(5, '_').collect();
    let digits =
        |part: &str, length: usize| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
    match parts[..] {
        [year, month, day, time, what] => {
            digits(year, 4)
                && digits(month, 2)
                && digits(day, 2)
                && digits(time, 6)
                && !what.is_empty()
                && what.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_migrations_name_begins_with_its_time() {
        assert!(is_migration_name("2026_01_31_090000_create_posts"));
        for wrong in
            ["create_posts", "2026_1_31_090000_create_posts", "2026_01_31_090000_", "2026_01_31_090000_a-b"]
        {
            assert!(!is_migration_name(wrong), "{wrong}");
        }
    }

    #[test]
    fn the_folder_is_read_in_order_and_may_be_missing() {
        let folder = std::env::temp_dir().join(format!("housekey-migrations-{}", std::process::id()));
        assert!(files(&folder).unwrap().is_empty());
        std::fs::create_dir_all(&folder).unwrap();
        for name in ["2026_02_01_000000_b.rs", "2026_01_01_000000_a.rs", "notes.txt"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        let names: Vec<String> = files(&folder).unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["2026_01_01_000000_a", "2026_02_01_000000_b"]);
        std::fs::write(folder.join("helpers.rs"), "").unwrap();
        assert!(files(&folder).unwrap_err().to_string().contains("make:migration"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
