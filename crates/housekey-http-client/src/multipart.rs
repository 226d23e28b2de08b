use std::fmt;
use std::io;

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use housekey_base::random;

use crate::body::{Pieces, RequestBody};

/// A form with files, for [`HttpCall::with_multipart`](crate::HttpCall::with_multipart).
///
/// ```
/// use housekey_http_client::Multipart;
///
/// let form = Multipart::new().text("title", "Dune").file("cover", "dune.png", "image/png", b"\x89PNG".as_slice());
/// # drop(form);
/// ```
#[derive(Default)]
pub struct Multipart(Vec<Part>);

struct Part {
    head: String,
    body: RequestBody,
}

impl Multipart {
    pub fn new() -> Self {
        Self::default()
    }

    /// With a field.
    #[must_use]
    pub fn text(self, name: &str, value: impl Into<String>) -> Self {
        let value: String = value.into();
        self.part(format!("name=\"{}\"", quoted(name)), RequestBody::Bytes(value.into()))
    }

    /// Adds a file, with the content type that the other host is told.
    #[must_use]
    pub fn file(self, field: &str, file_name: &str, content_type: &str, bytes: impl Into<Bytes>) -> Self {
        self.part(head(field, file_name, content_type), RequestBody::Bytes(bytes.into()))
    }

    /// With a file that is read while it is sent. Such a form can be sent once: it is not tried again.
    #[must_use]
    pub fn file_stream(
        self,
        field: &str,
        file_name: &str,
        content_type: &str,
        pieces: impl Stream<Item = io::Result<Bytes>> + Send + 'static,
    ) -> Self {
        self.part(head(field, file_name, content_type), RequestBody::Stream(Box::pin(pieces)))
    }

    fn part(mut self, head: String, body: RequestBody) -> Self {
        self.0.push(Part { head, body });
        self
    }

    /// The content type, and the body.
    pub(crate) fn encode(self) -> (String, RequestBody) {
        let boundary = format!("----HousekeyForm{}", random::short_id());
        let content_type = format!("multipart/form-data; boundary={boundary}");
        let mut whole = Vec::new();
        let mut streams: Vec<Pieces<io::Error>> = Vec::new();
        for Part { head, body } in self.0 {
            whole.extend_from_slice(
                format!("--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n").as_bytes(),
            );
            match body {
                RequestBody::Bytes(bytes) => whole.extend_from_slice(&bytes),
                RequestBody::Stream(pieces) => {
                    streams.push(one(std::mem::take(&mut whole)));
                    streams.push(pieces);
                }
            }
            whole.extend_from_slice(b"\r\n");
        }
        whole.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
        if streams.is_empty() {
            return (content_type, RequestBody::Bytes(whole.into()));
        }
        streams.push(one(whole));
        (content_type, RequestBody::Stream(Box::pin(stream::iter(streams).flatten())))
    }
}

fn one(bytes: Vec<u8>) -> Pieces<io::Error> {
    Box::pin(stream::iter([Ok(Bytes::from(bytes))]))
}

fn head(field: &str, file_name: &str, content_type: &str) -> String {
    let content_type = content_type.replace(['\r', '\n'], "");
    format!("name=\"{}\"; filename=\"{}\"\r\nContent-Type: {content_type}", quoted(field), quoted(file_name))
}

/// What would end a name early, and begin a header of somebody's own, is written as browsers do.
fn quoted(name: &str) -> String {
    name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}

/// How many fields it has, and nothing of them.
impl fmt::Debug for Multipart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Multipart({} fields)", self.0.len())
    }
}
