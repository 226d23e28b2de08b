use std::fmt;
use std::net::IpAddr;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, Method, Request};
use serde_json::map::Entry;
use serde_json::{Map, Value};

use super::body::{Body, Media};
use super::reader::Reader;
use crate::Result;

/// A request as an endpoint sees it.
#[derive(Clone, Default)]
pub struct Incoming {
    pub(crate) method: Method,
    /// The path below the base path.
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) query: String,
    pub(crate) raw_body: Bytes,
    pub(crate) body: Body,
    /// Host and port as HTTP/2 carries them: in the address.
    pub(crate) authority: Option<String>,
    /// What `:name` in the endpoint's path stood for.
    pub(crate) parameter: Option<String>,
    /// The socket's other end, when whoever runs the server says so.
    pub(crate) socket: Option<IpAddr>,
}

/// The address at the other end of the socket. Put it into a request's extensions; the engine uses it when no
/// configured header names one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

/// Without what it says: cookies, keys, passwords and tokens are all over it.
impl fmt::Debug for Incoming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Incoming").field("method", &self.method).finish_non_exhaustive()
    }
}

impl Incoming {
    pub(crate) fn new(request: Request<Bytes>, path: String) -> Self {
        let (parts, raw_body) = request.into_parts();
        Self {
            method: parts.method,
            path,
            headers: parts.headers,
            query: parts.uri.query().unwrap_or_default().to_owned(),
            authority: parts.uri.authority().map(ToString::to_string),
            raw_body,
            body: Body::Absent,
            parameter: None,
            socket: parts.extensions.get::<ClientAddress>().map(|address| address.0),
        }
    }

    /// Reads the body in the form that its content type names.
    pub(crate) fn parse_body(&mut self, media: Media) -> Result<()> {
        if self.method != Method::GET {
            self.body = Body::parse(&self.raw_body, self.headers.get(CONTENT_TYPE), media)?;
        }
        Ok(())
    }

    pub fn method(&self) -> &Method {
        &self.method
    }

    /// The path, the base path left off.
    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The host, and the port if it is named, that the client wanted to reach.
    pub fn host(&self) -> Option<&str> {
        self.header("host").or(self.authority.as_deref())
    }

    /// What the endpoint's `:name` stood for.
    pub fn parameter(&self) -> Option<&str> {
        self.parameter.as_deref()
    }

    pub fn body(&self) -> &Body {
        &self.body
    }

    /// Every field of a form, as often as it was sent: [`body`](Self::body) has the last of each name. Empty for JSON.
    pub fn form_pairs(&self) -> Vec<(String, String)> {
        match &self.body {
            Body::Form(_) => form_urlencoded::parse(&self.raw_body).into_owned().collect(),
            Body::Json(_) | Body::Absent => Vec::new(),
        }
    }

    /// A field of the body.
    pub(crate) fn field(&self, name: &str) -> Option<&Value> {
        match &self.body {
            Body::Json(Value::Object(fields)) | Body::Form(fields) => fields.get(name),
            Body::Json(_) | Body::Absent => None,
        }
    }

    /// A parameter of the query; the first of several.
    pub fn query(&self, name: &str) -> Option<String> {
        form_urlencoded::parse(self.query.as_bytes())
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned())
    }

    /// Reads the body field by field and says everything that is wrong with it.
    pub fn read_body(&self) -> Reader<'_> {
        Reader::of_body(&self.body)
    }

    /// Reads the query in the same way.
    pub fn read_query(&self) -> Reader<'static> {
        let pairs = form_urlencoded::parse(self.query.as_bytes());
        let mut fields = Map::new();
        for (name, value) in pairs {
            let value = Value::String(value.into_owned());
            match fields.entry(name.into_owned()) {
                Entry::Vacant(vacant) => drop(vacant.insert(value)),
                // Said twice it is a list, and no text.
                Entry::Occupied(mut there) => match there.get_mut() {
                    Value::Array(values) => values.push(value),
                    first => *first = Value::Array(vec![first.take(), value]),
                },
            }
        }
        Reader::of_query(fields)
    }
}
