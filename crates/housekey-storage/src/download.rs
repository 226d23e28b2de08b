use housekey_core::{Error, Result};
use housekey_http::axum::body::Body;
use housekey_http::response::attachment;
use housekey_http::{RequestContext, Response};
use housekey_static_files::{Range, content_type};
use http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, IF_RANGE,
    RANGE, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderValue, StatusCode};

use crate::Disk;

impl Disk {
    /// A file as an answer that the browser saves under a name, streamed, in the part that the request asks for. 404 if there
    /// is none.
    ///
    /// ```
    /// use housekey_core::Result;
    /// use housekey_http::Response;
    /// use housekey_storage::storage;
    ///
    /// async fn invoice() -> Result<Response> {
    ///     storage()?.disk("local")?.download("invoices/7.pdf", "Invoice 7.pdf").await
    /// }
    /// ```
    pub async fn download(&self, path: &str, file_name: &str) -> Result<Response> {
        let headers = RequestContext::current().map(|context| context.headers().clone()).unwrap_or_default();
        let mut response = self.answer(path, &headers).await?;
        if response.status().is_success() {
            response.headers_mut().insert(CONTENT_DISPOSITION, attachment(file_name));
        }
        Ok(response)
    }

    /// The file, or the part of it that a request asks for.
    pub(crate) async fn answer(&self, path: &str, asked: &HeaderMap) -> Result<Response> {
        let missing =
            || Error::not_found().context(format!("there is no file `{path}` on the disk `{}`", self.name()));
        // Nobody was given an ETag here, so no condition on a range can be met.
        let range =
            asked.get(RANGE).filter(|_| !asked.contains_key(IF_RANGE)).and_then(|range| range.to_str().ok());
        let (file, status) = match range {
            None => (self.read(path).await?, StatusCode::OK),
            Some(range) => {
                let size = self.size(path).await?.ok_or_else(missing)?;
                match Range::parse(range, size) {
                    Range::Whole => (self.read(path).await?, StatusCode::OK),
                    Range::Part { first, last } => {
                        (self.read_range(path, first..last + 1).await?, StatusCode::PARTIAL_CONTENT)
                    }
                    Range::Outside => return Ok(outside(size)),
                }
            }
        };
        let file = file.ok_or_else(missing)?;
        let (sent, size) = (file.range(), file.info().size);
        let mut response = Response::new(Body::from_stream(file));
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type(path)));
        headers.insert(CONTENT_LENGTH, (sent.end - sent.start).into());
        headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if status == StatusCode::PARTIAL_CONTENT {
            let range = format!("bytes {}-{}/{size}", sent.start, sent.end.saturating_sub(1));
            headers.insert(CONTENT_RANGE, HeaderValue::try_from(range)?);
        }
        Ok(response)
    }
}

fn outside(size: u64) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::RANGE_NOT_SATISFIABLE;
    if let Ok(range) = HeaderValue::try_from(format!("bytes */{size}")) {
        response.headers_mut().insert(CONTENT_RANGE, range);
    }
    response
}
