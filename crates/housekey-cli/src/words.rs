//! What stands in the kits' files in place of an app's name and of the framework's address, and what it becomes.

use serde_json::{Value, json};

use crate::framework::Framework;
use crate::layers::Files;
use crate::name::AppName;

/// The words of one app. They are kept with it: a layer that comes later is filled in with the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Words {
    name: AppName,
    /// Key and value inside a TOML table.
    housekey: String,
    /// JSON values.
    client: String,
    vite: String,
}

impl Words {
    pub(crate) fn new(name: &AppName, framework: &Framework) -> Self {
        Self {
            name: name.clone(),
            housekey: framework.dependency(),
            client: framework.npm_package("client"),
            vite: framework.npm_package("vite"),
        }
    }

    /// The same name with another framework.
    pub(crate) fn with(&self, framework: &Framework) -> Self {
        Self::new(&self.name, framework)
    }

    pub(crate) fn name(&self) -> &str {
        self.name.package()
    }

    /// Fills every file in.
    pub(crate) fn fill(&self, files: Files) -> Files {
        let words = self.placeholders();
        files.into_iter().map(|(path, content)| (path, fill(&content, &words))).collect()
    }

    /// Another crate of the framework: of the same version, or in the folder beside.
    fn beside(&self, name: &str) -> String {
        self.housekey.replace("/crates/housekey\"", &format!("/crates/{name}\""))
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({ "name": self.name.package(), "housekey": self.housekey, "client": self.client, "vite": self.vite })
    }

    pub(crate) fn from_json(value: &Value) -> Option<Self> {
        let word = |name: &str| value[name].as_str().map(str::to_owned);
        Some(Self {
            name: AppName::parse(&word("name")?).ok()?,
            housekey: word("housekey")?,
            client: word("client")?,
            vite: word("vite")?,
        })
    }

    /// Those of the framework replace a whole key and value, or a whole value, so that the kit's own files are valid
    /// TOML and JSON.
    fn placeholders(&self) -> [(&'static str, String); 7] {
        [
            ("version = \"{{housekey}}\"", self.housekey.clone()),
            ("version = \"{{housekey-build}}\"", self.beside("housekey-build")),
            ("\"{{housekey-client}}\"", self.client.clone()),
            ("\"{{housekey-vite}}\"", self.vite.clone()),
            ("{{name}}", self.name.package().to_owned()),
            ("{{crate}}", self.name.library()),
            ("{{title}}", self.name.title()),
        ]
    }
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

    #[test]
    fn a_crate_beside_the_framework_comes_from_where_the_framework_comes() {
        let name = AppName::parse("shop").unwrap();
        let filled = |framework: &Framework| {
            let line = b"{ version = \"{{housekey-build}}\" }".to_vec();
            let files = [("Cargo.toml".to_owned(), line)].into_iter().collect();
            let filled = Words::new(&name, framework).fill(files).remove("Cargo.toml").unwrap();
            String::from_utf8(filled).unwrap()
        };
        let checkout = Framework::Checkout("/src/crates/housekey".into());
        assert_eq!(filled(&checkout), "{ path = \"/src/crates/housekey/crates/housekey-build\" }");
        assert_eq!(
            filled(&Framework::Registry),
            format!("{{ version = \"{}\" }}", env!("CARGO_PKG_VERSION"))
        );
    }

    #[test]
    fn the_words_of_an_app_are_the_same_after_being_kept() {
        let words = Words::new(&AppName::parse("corner-shop").unwrap(), &Framework::Registry);
        assert_eq!(Words::from_json(&words.to_json()), Some(words));
        assert_eq!(
            Words::from_json(&json!({ "name": "../x", "housekey": "", "client": "", "vite": "" })),
            None
        );
    }
}
