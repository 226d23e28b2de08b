use bytes::Bytes;
use housekey_core::random;
use housekey_static_files::content_type;

/// What a request sends.
#[derive(Clone)]
pub(super) enum Content {
    /// These bytes.
    Bytes(Bytes),
    /// What a browser's form sends, in the form's order: texts, then files.
    Form { fields: Vec<(String, String)>, files: Vec<File> },
}

pub(super) type FormParts = (Vec<(String, String)>, Vec<File>);

#[derive(Clone)]
pub(super) struct File {
    pub(super) field: String,
    pub(super) name: String,
    pub(super) bytes: Bytes,
}

impl Content {
    pub(super) fn none() -> Self {
        Self::Bytes(Bytes::new())
    }

    /// The fields and files so far; none when it was no form.
    pub(super) fn into_form(self) -> FormParts {
        match self {
            Self::Bytes(_) => (Vec::new(), Vec::new()),
            Self::Form { fields, files } => (fields, files),
        }
    }

    /// As it travels, with the type that a form brings along. The token is a field of a form, in front of the files.
    pub(super) fn encode(&self, token: Option<(&str, &str)>) -> (Option<String>, Bytes) {
        match self {
            Self::Bytes(bytes) => (None, bytes.clone()),
            Self::Form { fields, files } => {
                let texts = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).chain(token);
                if files.is_empty() {
                    let text = form_urlencoded::Serializer::new(String::new()).extend_pairs(texts).finish();
                    (Some("application/x-www-form-urlencoded".into()), text.into())
                } else {
                    multipart(texts, files)
                }
            }
        }
    }
}

/// RFC 7578, the way browsers write it.
fn multipart<'a>(texts: impl Iterator<Item = (&'a str, &'a str)>, files: &[File]) -> (Option<String>, Bytes) {
    let boundary = format!("----HousekeyForm{}", random::short_id());
    let mut body = Vec::new();
    let mut part = |head: String, bytes: &[u8]| {
        body.extend_from_slice(
            format!("--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n").as_bytes(),
        );
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    };
    for (name, value) in texts {
        part(format!("name=\"{}\"", quoted(name)), value.as_bytes());
    }
    for File { field, name, bytes } in files {
        let kind = content_type(name);
        let head =
            format!("name=\"{}\"; filename=\"{}\"\r\nContent-Type: {kind}", quoted(field), quoted(name));
        part(head, bytes);
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    (Some(format!("multipart/form-data; boundary={boundary}")), body.into())
}

/// What would end a name early is written as browsers do.
fn quoted(name: &str) -> String {
    name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_cannot_end_its_header() {
        let file = File { field: "a".into(), name: "x\"\r\ny.png".into(), bytes: Bytes::from_static(b"1") };
        let form = Content::Form { fields: Vec::new(), files: vec![file] };
        let (_, body) = form.encode(Some(("_token", "t")));
        let text = String::from_utf8(body.to_vec()).unwrap();
        assert!(
            text.contains("filename=\"x%22%0D%0Ay.png\"\r\nContent-Type: image/png\r\n\r\n1\r\n"),
            "{text}"
        );
        assert!(text.find("_token").unwrap() < text.find("filename").unwrap(), "{text}");
    }
}
