use axum_core::extract::Request;
use http::header::{IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE, RANGE};
use http::{HeaderMap, HeaderName, Method};

use crate::encoding::{self, Encoding};

/// The parts of a request that decide how a file is sent.
#[derive(Debug, Default)]
pub(crate) struct FileRequest {
    pub(crate) head: bool,
    pub(crate) range: Option<String>,
    pub(crate) if_range: Option<String>,
    pub(crate) if_match: Option<String>,
    pub(crate) if_none_match: Option<String>,
    pub(crate) if_modified_since: Option<String>,
    pub(crate) if_unmodified_since: Option<String>,
    encodings: Vec<Encoding>,
}

impl FileRequest {
    pub(crate) fn of(request: &Request) -> Self {
        let headers = request.headers();
        let head = request.method() == Method::HEAD;
        Self {
            head,
            // A range is only defined for GET.
            range: text(headers, &RANGE).filter(|_| !head),
            if_range: text(headers, &IF_RANGE),
            if_match: text(headers, &IF_MATCH),
            if_none_match: text(headers, &IF_NONE_MATCH),
            if_modified_since: text(headers, &IF_MODIFIED_SINCE),
            if_unmodified_since: text(headers, &IF_UNMODIFIED_SINCE),
            encodings: encoding::accepted(headers),
        }
    }

    /// The same for the file itself, without a compressed one beside it. Only of a bundler's files is it known that the two
    /// belong together.
    pub(crate) fn of_this_file(self) -> Self {
        Self { encodings: Vec::new(), ..self }
    }

    /// Pieces are always cut from the plain file, so that they fit together whoever compressed the rest.
    pub(crate) fn encodings(&self) -> &[Encoding] {
        if self.range.is_some() { &[] } else { &self.encodings }
    }
}

/// All values of a header as one list.
fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let values: Vec<&str> = headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
    (!values.is_empty()).then(|| values.join(", "))
}
