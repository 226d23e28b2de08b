use std::error::Error as _;
use std::iter;
use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{DefaultBodyLimit, FromRequest, Multipart};
use futures_util::{StreamExt, stream};
use housekey_core::{Error, Result};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue};
use http_body_util::{BodyExt, LengthLimitError};

use super::memory_limit::MemoryLimit;
use super::pairs::{self, MOST, Malformed};
use super::upload::UploadedFile;
use crate::{Request, uploads};

/// The form in a request's body: read and parsed once, and kept in the request for all who ask. Those are the method
/// override, the CSRF check and [`Valid`](super::Valid).
#[derive(Clone)]
pub(crate) struct FormBody(Arc<Vec<(String, Field)>>);

#[derive(Clone)]
pub(super) enum Field {
    Text(String),
    File(UploadedFile),
}

/// What a request keeps of its form.
type Parsed = Result<FormBody, Malformed>;

/// Multipart forms up to this size are read into memory at once; others as they come.
const IN_MEMORY: u64 = 256 * 1024;

impl FormBody {
    /// Whether a request says that its body is a form.
    pub(crate) fn is_in(headers: &HeaderMap) -> bool {
        Encoding::of(headers).is_some()
    }

    /// The form of a request; `None` if its body is none. One that cannot be parsed is 400.
    pub(crate) async fn of(request: &mut Request) -> Result<Option<Self>> {
        Ok(Self::read(request).await?.transpose()?)
    }

    /// The same, where a form that cannot be parsed is no error yet: a handler may know what to do with it. The body stays
    /// in the request as it was sent.
    pub(crate) async fn read(request: &mut Request) -> Result<Option<Parsed>> {
        if let Some(parsed) = request.extensions().get::<Parsed>() {
            return Ok(Some(parsed.clone()));
        }
        let Some(encoding) = Encoding::of(request.headers()) else { return Ok(None) };
        let body = std::mem::take(request.body_mut());
        let bytes = body.collect().await.map_err(|error| unreadable(&error))?.to_bytes();
        let fields = match encoding {
            Encoding::Url => parse_url_encoded(&bytes),
            Encoding::Multipart(header) => parse_multipart(header, bytes.clone()).await,
        };
        *request.body_mut() = Body::from(bytes);
        let parsed = fields.map(|fields| Self(Arc::new(fields)));
        request.extensions_mut().insert(parsed.clone());
        Ok(Some(parsed))
    }

    /// As much of the form as is needed to know whom it is from. Of a small one that is all of it. Of a large one with files,
    /// it is the texts in front of the first file, of another large one what may be in memory: the rest is read by whoever
    /// knows what to do with it.
    pub(crate) async fn start(request: &mut Request) -> Result<Option<Parsed>> {
        let is_small = request.body().size_hint().exact().is_some_and(|size| size <= IN_MEMORY);
        if is_small || Self::is_read(request) || !Self::is_in(request.headers()) {
            return Self::read(request).await;
        }
        if !Self::is_multipart_in(request.headers()) {
            return Self::start_of_url_encoded(request).await;
        }
        let texts = uploads::read_start(request).await?;
        let fields = texts.into_iter().map(|(name, text)| (name, Field::Text(text))).collect();
        Ok(Some(Ok(Self(Arc::new(fields)))))
    }

    /// A route may take plain forms that are longer than this, but not before its guards know who sends them.
    async fn start_of_url_encoded(request: &mut Request) -> Result<Option<Parsed>> {
        let most = MemoryLimit::of(request);
        if request.body().size_hint().upper().is_some_and(|size| size <= most as u64) {
            return Self::read(request).await;
        }
        let mut body = std::mem::take(request.body_mut()).into_data_stream();
        let mut start = Vec::new();
        while start.len() <= most {
            let Some(piece) = body.next().await else {
                *request.body_mut() = Body::from(start);
                return Self::read(request).await;
            };
            start.extend_from_slice(&piece.map_err(|error| unreadable(&error))?);
        }
        // The last field may go on in what is still to come.
        let whole = start.iter().rposition(|byte| *byte == b'&').unwrap_or(0);
        let fields = parse_url_encoded(&start[..whole]);
        *request.body_mut() = Body::from_stream(stream::iter([Ok(Bytes::from(start))]).chain(body));
        Ok(Some(fields.map(|fields| Self(Arc::new(fields)))))
    }

    /// A text of a form, wherever it stands. A large form is looked through only if it is not in front of the files; a plain
    /// one only as far as it may be in memory.
    pub(crate) async fn text_in(request: &mut Request, name: &str) -> Result<Option<String>> {
        let Some(form) = Self::start(request).await?.transpose()? else { return Ok(None) };
        if let Some(text) = form.text(name) {
            return Ok(Some(text.to_owned()));
        }
        if Self::is_read(request) {
            return Ok(None);
        }
        if !Self::is_multipart_in(request.headers()) {
            return Err(Error::payload_too_large());
        }
        let texts = uploads::read_texts(request).await?;
        Ok(texts.into_iter().find(|(own, _)| own == name).map(|(_, text)| text))
    }

    /// Whether somebody has read all of it.
    pub(super) fn is_read(request: &Request) -> bool {
        request.extensions().get::<Parsed>().is_some()
    }

    pub(super) fn is_multipart_in(headers: &HeaderMap) -> bool {
        matches!(Encoding::of(headers), Some(Encoding::Multipart(_)))
    }

    /// The form of a request that was read already.
    pub(crate) fn parsed(request: &Request) -> Option<Self> {
        request.extensions().get::<Parsed>()?.clone().ok()
    }

    /// The first text of a name. A file is none, whatever is in it.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find_map(|(own, field)| match field {
            Field::Text(text) if own == name => Some(text.as_str()),
            _ => None,
        })
    }

    pub(super) fn into_fields(self) -> Vec<(String, Field)> {
        Arc::unwrap_or_clone(self.0)
    }
}

/// The first text of a name in the form that a request brings: for a guard that asks for something beside what the handler takes.
/// `None` if there is none, or the body is no form. The handler gets the body as it was sent.
pub async fn form_text(request: &mut Request, name: &str) -> Result<Option<String>> {
    FormBody::text_in(request, name).await
}

enum Encoding {
    Url,
    /// With the header, which names the boundary.
    Multipart(HeaderValue),
}

impl Encoding {
    fn of(headers: &HeaderMap) -> Option<Self> {
        let header = headers.get(CONTENT_TYPE)?;
        let kind = header.to_str().ok()?.split(';').next()?.trim();
        if kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Some(Self::Url);
        }
        kind.eq_ignore_ascii_case("multipart/form-data").then(|| Self::Multipart(header.clone()))
    }
}

fn parse_url_encoded(body: &[u8]) -> Result<Vec<(String, Field)>, Malformed> {
    let pairs = pairs::parse(body)?;
    Ok(pairs.into_iter().map(|(name, value)| (name, Field::Text(value))).collect())
}

async fn parse_multipart(header: HeaderValue, body: Bytes) -> Result<Vec<(String, Field)>, Malformed> {
    let mut request = Request::new(Body::from(body));
    request.headers_mut().insert(CONTENT_TYPE, header);
    // It was read within the route's limit; axum's own would stop at 2 MB.
    DefaultBodyLimit::disable().apply(&mut request);
    let mut form = Multipart::from_request(request, &())
        .await
        .map_err(|_| Malformed("The form has no boundary between its fields."))?;
    let broken = |_| Malformed("The form is malformed.");
    let mut fields = Vec::new();
    while let Some(field) = form.next_field().await.map_err(broken)? {
        let Some(name) = field.name().map(str::to_owned) else { continue };
        let file_name = field.file_name().map(str::to_owned);
        let content_type = field.content_type().map(str::to_owned);
        let bytes = field.bytes().await.map_err(broken)?;
        match file_name {
            // A file field that was left empty.
            Some(file) if file.is_empty() && bytes.is_empty() => continue,
            Some(file) => {
                fields.push((name, Field::File(UploadedFile { name: file, content_type, bytes })));
            }
            None => fields.push((name, Field::Text(pairs::utf8(bytes.into())?))),
        }
        if fields.len() > MOST {
            return Err(pairs::TOO_MANY);
        }
    }
    Ok(fields)
}

fn unreadable(error: &axum::Error) -> Error {
    let mut causes = iter::successors(error.source(), |error| (*error).source());
    if causes.any(<dyn std::error::Error>::is::<LengthLimitError>) {
        return Error::payload_too_large();
    }
    Error::bad_request("The request's body could not be read to its end.").context(error.to_string())
}
