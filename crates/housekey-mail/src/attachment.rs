use std::fmt;

use data_encoding::BASE64;
use housekey_static_files::content_type;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::address::one_line;

/// A file that travels with a mail.
///
/// ```
/// use housekey_mail::{Attachment, Message};
///
/// let invoice = Attachment::new("invoice.pdf", b"%PDF-1.7 ...".as_slice());
/// assert_eq!(invoice.content_type(), "application/pdf");
/// let message = Message::new().subject("Your invoice").attach(invoice);
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    name: String,
    content_type: String,
    #[serde(serialize_with = "to_base64", deserialize_with = "from_base64")]
    content: Vec<u8>,
}

impl Attachment {
    /// A file by its name and its bytes. The kind is guessed by the ending of the name.
    pub fn new(name: impl Into<String>, content: impl Into<Vec<u8>>) -> Self {
        let name = file_name(&name.into());
        let content_type = content_type(&name).to_owned();
        Self { name, content_type, content: content.into() }
    }

    /// Says what kind of file it is: `application/pdf`.
    pub fn with_content_type(mut self, content_type: impl Into<String>) -> Self {
        self.content_type = content_type.into();
        self
    }

    /// The name the recipient sees.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn content_type(&self) -> &str {
        &self.content_type
    }

    pub fn content(&self) -> &[u8] {
        &self.content
    }
}

/// A name of one line without folders: it ends up in a header, and then on somebody's disk.
fn file_name(name: &str) -> String {
    let name = one_line(name);
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default().replace('"', "'");
    match name.trim_matches(['.', ' ']) {
        "" => "attachment".into(),
        _ => name,
    }
}

fn to_base64<S: Serializer>(content: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&BASE64.encode(content))
}

fn from_base64<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(deserializer)?;
    BASE64.decode(text.as_bytes()).map_err(serde::de::Error::custom)
}

impl fmt::Debug for Attachment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Attachment({:?}, {} bytes)", self.name, self.content.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_never_a_path_and_never_a_header() {
        assert_eq!(Attachment::new("../../etc/passwd", *b"x").name(), "passwd");
        assert_eq!(Attachment::new("C:\\evil\\a.png\r\nX: y", *b"x").name(), "a.png X: y");
        assert_eq!(Attachment::new("..", *b"x").name(), "attachment");
        assert_eq!(Attachment::new("a\"; x=\".pdf", *b"x").name(), "a'; x='.pdf");
    }

    #[test]
    fn it_survives_being_queued() {
        let before = Attachment::new("a.bin", vec![0, 159, 146, 150]);
        let after: Attachment = serde_json::from_str(&serde_json::to_string(&before).unwrap()).unwrap();
        assert_eq!(before, after);
    }
}
