//! From the files of a kit to the files of an app.

use std::collections::BTreeMap;

use super::destination::Destination;
use super::env_file;
use super::framework::Framework;
use crate::failure::Failure;
use crate::kits::Kit;
use crate::setup::{self, Setup};

/// Every file of the new app, by path.
pub(crate) fn app(
    kit: &Kit,
    destination: &Destination,
    framework: &Framework,
) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let words = placeholders(destination, framework);
    let mut files: BTreeMap<String, Vec<u8>> =
        kit.files().into_iter().map(|(path, content)| (path.to_owned(), fill(content, &words))).collect();

    if let Some(example) = files.get(".env.example") {
        let env = env_file::from_example(&String::from_utf8_lossy(example), kit.secrets)?;
        files.insert(".env".to_owned(), env.into_bytes());
    }
    if let Some(setup) = Setup::of(kit) {
        files.insert(setup::FILE.to_owned(), setup.text().into_bytes());
    }
    if let Some(lock) = framework.lock_file() {
        files.insert("Cargo.lock".to_owned(), lock);
    }
    if let Some(lines) = framework.cargo_config() {
        files.entry(".cargo/config.toml".to_owned()).or_default().extend(lines.into_bytes());
    }
    Ok(files)
}

/// What stands in the kits, and what it becomes. Those of the framework replace a whole key and value, or a whole
/// value, so that the kit's own files are valid TOML and JSON.
fn placeholders(destination: &Destination, framework: &Framework) -> Vec<(&'static str, String)> {
    let name = destination.name();
    vec![
        ("version = \"{{housekey}}\"", framework.dependency()),
        ("\"{{housekey-client}}\"", framework.npm_package("client")),
        ("\"{{housekey-vite}}\"", framework.npm_package("vite")),
        ("{{name}}", name.package().to_owned()),
        ("{{crate}}", name.library()),
        ("{{title}}", name.title()),
    ]
}

/// Fills a file in. What is not text (an image) is left alone, and so are braces that name nothing of ours.
fn fill(content: &[u8], words: &[(&str, String)]) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(content) else { return content.to_owned() };
    if !text.contains("{{") {
        return content.to_owned();
    }
    words.iter().fold(text.to_owned(), |text, (word, value)| text.replace(word, value)).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_in_and_other_braces_stay() {
        let words =
            [("{{name}}", "my-app".to_owned()), ("version = \"{{housekey}}\"", "path = \"x\"".to_owned())];
        assert_eq!(
            fill(b"{{name}} {{ other }} { version = \"{{housekey}}\" }", &words),
            b"my-app {{ other }} { path = \"x\" }"
        );
    }

    #[test]
    fn a_file_that_is_not_text_is_copied_as_it_is() {
        let image = b"\xff\xfe{{name}}";
        assert_eq!(fill(image, &[("{{name}}", "my-app".to_owned())]), image);
    }
}
