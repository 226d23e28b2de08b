//! What an app may be called.

use crate::failure::Failure;

/// A name that is a good cargo package, a valid Rust crate and a safe folder on every system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AppName(String);

const KEYWORDS: [&str; 52] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "union", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Crates of the standard library: an app of that name could not use them.
const STANDARD: [&str; 6] = ["alloc", "core", "proc-macro", "std", "test", "proc_macro"];

/// Folders cargo keeps beside the binary it builds.
const CARGO_FOLDERS: [&str; 4] = ["build", "deps", "examples", "incremental"];

const DEVICES: [&str; 4] = ["aux", "con", "nul", "prn"];

impl AppName {
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        match objection(text) {
            None => Ok(Self(text.to_owned())),
            Some(why) => {
                let refused = Failure::usage(format!("`{text}` cannot be an app's name: {why}"));
                let better = tidied(text);
                Err(if better != text && objection(&better).is_none() {
                    refused.help(format!("`{better}` would do."))
                } else {
                    refused.help("Use lower-case letters, digits and dashes, for example `my-app`.")
                })
            }
        }
    }

    /// The package's name, as typed.
    pub(crate) fn package(&self) -> &str {
        &self.0
    }

    /// The crate's name in Rust code.
    pub(crate) fn library(&self) -> String {
        self.0.replace('-', "_")
    }

    /// The name for people: `my-app` is "My App".
    pub(crate) fn title(&self) -> String {
        let words = self.0.split(['-', '_']).filter(|word| !word.is_empty());
        let capitalised: Vec<String> =
            words.map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect();
        capitalised.join(" ")
    }
}

fn objection(text: &str) -> Option<&'static str> {
    let reserved = |list: &[&str]| list.contains(&text);
    if text.is_empty() {
        Some("it is empty")
    } else if text.len() > 64 {
        Some("it is longer than 64 characters")
    } else if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Some("Rust packages are written in lower case")
    } else if !text
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte))
    {
        Some("only letters of a to z, digits, `-` and `_` are allowed")
    } else if !text.starts_with(|first: char| first.is_ascii_lowercase()) {
        Some("it must begin with a letter")
    } else if text.ends_with(['-', '_']) {
        Some("it must end with a letter or a digit")
    } else if reserved(&KEYWORDS) {
        Some("it is a keyword of Rust")
    } else if reserved(&STANDARD) {
        Some("a crate of Rust's standard library has that name")
    } else if reserved(&CARGO_FOLDERS) {
        Some("cargo uses that name for a folder of its own")
    } else if reserved(&DEVICES) || is_numbered_device(text) {
        Some("Windows reserves it for a device")
    } else if text == "xtask"
        || text == "housekey"
        || text.starts_with("housekey-")
        || text.starts_with("housekey_")
    {
        Some("it belongs to the framework")
    } else {
        None
    }
}

fn is_numbered_device(text: &str) -> bool {
    text.len() == 4
        && (text.starts_with("com") || text.starts_with("lpt"))
        && text.ends_with(|c: char| c.is_ascii_digit())
}

/// The nearest name that follows the rules of spelling.
fn tidied(text: &str) -> String {
    let dashed: String = text
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c.to_ascii_lowercase() } else { '-' })
        .collect();
    let mut words = dashed.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
    if words.starts_with(|c: char| c.is_ascii_digit()) {
        words.insert_str(0, "app-");
    }
    words.trim_matches(['-', '_']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_good_name_has_three_forms() {
        let name = AppName::parse("my-2nd_app").unwrap();
        assert_eq!(name.package(), "my-2nd_app");
        assert_eq!(name.library(), "my_2nd_app");
        assert_eq!(name.title(), "My 2nd App");
    }

    #[test]
    fn names_that_cargo_or_a_file_system_would_choke_on_are_refused() {
        let long = "a".repeat(65);
        for name in [
            "",
            "-app",
            "1app",
            "app-",
            "my app",
            "my.app",
            "naïve",
            "App",
            "match",
            "gen",
            "test",
            "core",
            "deps",
            "con",
            "com1",
            "housekey",
            "housekey-http",
            "xtask",
            "a/b",
            "..",
            "a\0b",
            &long,
        ] {
            assert!(AppName::parse(name).is_err(), "{name:?} was accepted");
        }
    }

    #[test]
    fn a_refusal_offers_the_nearest_good_name() {
        for (typed, better) in [("My App", "my-app"), ("2048", "app-2048"), ("shop.example", "shop-example")]
        {
            assert!(
                AppName::parse(typed).unwrap_err().to_string().contains(&format!("`{better}` would do")),
                "{typed}"
            );
        }
    }
}
