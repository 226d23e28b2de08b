use std::io::{Read, Seek, SeekFrom};

use axum_core::body::Body;
use axum_core::response::Response;
use bytes::Bytes;
use futures_util::stream;
use http::header::{
    ACCEPT_ENCODING, ACCEPT_RANGES, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE,
    CONTENT_TYPE, ETAG, LAST_MODIFIED, VARY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderName, HeaderValue, StatusCode};
use tokio::io::AsyncReadExt;

use crate::conditions::{self, Verdict};
use crate::content_type::ContentType;
use crate::file_request::FileRequest;
use crate::folder::OpenedFile;
use crate::path::FilePath;
use crate::range::Range;

/// How long a browser may use a file without asking again.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Caching {
    /// Named by its content: for ever.
    Immutable,
    /// Keep it, ask before each use.
    Revalidate,
    /// Like [`Revalidate`](Self::Revalidate), and allowed to control the whole site. spec: CFG-17
    ServiceWorker,
}

/// Files up to this size are sent in one piece, larger ones as they are read.
const WHOLE: u64 = 256 * 1024;
const CHUNK: usize = 64 * 1024;

const SERVICE_WORKER_ALLOWED: HeaderName = HeaderName::from_static("service-worker-allowed");

/// The answer for a file that was found; `None` if it vanished or cannot be read after all.
pub(crate) fn answer(
    found: OpenedFile,
    path: &FilePath,
    request: &FileRequest,
    caching: Caching,
) -> Option<Response> {
    let content_type = ContentType::of(path.name());
    let mut response = Response::new(Body::empty());
    common_headers(&mut response, &found, content_type, caching);
    match conditions::verdict(request, &found) {
        Verdict::NotModified => {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return Some(response);
        }
        Verdict::PreconditionFailed => return Some(refusal(StatusCode::PRECONDITION_FAILED)),
        Verdict::Send => {}
    }
    let range = match &request.range {
        Some(header) if conditions::range_applies(request, &found) => Range::parse(header, found.length),
        _ => Range::Whole,
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, content_type.header());
    if let Some(encoding) = found.encoding {
        headers.insert(CONTENT_ENCODING, encoding.header());
    }
    let (start, length) = match range {
        Range::Whole => (0, found.length),
        Range::Part { first, last } => {
            headers.insert(CONTENT_RANGE, text(format!("bytes {first}-{last}/{}", found.length))?);
            *response.status_mut() = StatusCode::PARTIAL_CONTENT;
            (first, last - first + 1)
        }
        Range::Outside => {
            let mut response = refusal(StatusCode::RANGE_NOT_SATISFIABLE);
            response.headers_mut().insert(CONTENT_RANGE, text(format!("bytes */{}", found.length))?);
            return Some(response);
        }
    };
    response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(length));
    if !request.head {
        *response.body_mut() = body(found, start, length)?;
    }
    Some(response)
}

/// An answer that is not about the file's bytes, and that nobody may keep in their place.
fn refusal(status: StatusCode) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn common_headers(response: &mut Response, found: &OpenedFile, content_type: ContentType, caching: Caching) {
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    let cache_control = match caching {
        Caching::Immutable => "public, max-age=31536000, immutable",
        Caching::Revalidate => "public, max-age=0, must-revalidate",
        Caching::ServiceWorker => "no-cache",
    };
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache_control));
    if matches!(caching, Caching::ServiceWorker) {
        headers.insert(SERVICE_WORKER_ALLOWED, HeaderValue::from_static("/"));
    }
    if content_type.compressible {
        headers.insert(VARY, HeaderValue::from_name(ACCEPT_ENCODING));
    }
    if let Some(etag) = text(found.etag.clone()) {
        headers.insert(ETAG, etag);
    }
    if let Some(date) = found.modified.map(httpdate::fmt_http_date).and_then(text) {
        headers.insert(LAST_MODIFIED, date);
    }
}

fn body(mut found: OpenedFile, start: u64, length: u64) -> Option<Body> {
    found.file.seek(SeekFrom::Start(start)).ok()?;
    if length > WHOLE {
        return Some(streamed(tokio::fs::File::from_std(found.file), length));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).ok()?);
    found.file.take(length).read_to_end(&mut bytes).ok()?;
    // Cut short between measuring and reading: the length that was promised would be a lie.
    (bytes.len() as u64 == length).then(|| Body::from(bytes))
}

/// Exactly `length` bytes, or a broken connection: a file that shrinks meanwhile must not look complete.
fn streamed(file: tokio::fs::File, length: u64) -> Body {
    Body::from_stream(stream::try_unfold((file, length), |(mut file, left)| async move {
        if left == 0 {
            return Ok(None);
        }
        let mut chunk = vec![0; CHUNK.min(usize::try_from(left).unwrap_or(CHUNK))];
        match file.read(&mut chunk).await? {
            0 => Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof)),
            read => {
                chunk.truncate(read);
                Ok(Some((Bytes::from(chunk), (file, left - read as u64))))
            }
        }
    }))
}

fn text(value: String) -> Option<HeaderValue> {
    HeaderValue::try_from(value).ok()
}
