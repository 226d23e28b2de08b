use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use http::Method;

use crate::wire::Media;
use crate::{Api, BoxFuture, Reply, Result};

/// What answers a request.
pub type Handler = Arc<dyn for<'a> Fn(&'a mut Api) -> BoxFuture<'a, Result<Reply>> + Send + Sync>;

/// A method and a path below the base path, and what answers there.
///
/// ```
/// use housekey_engine::{Endpoint, Reply};
///
/// let endpoint = Endpoint::get("/who", |api| {
///     Box::pin(async move {
///         let signed_in = api.require_session().await?;
///         Reply::json(&serde_json::json!({ "name": signed_in.user.name }))
///     })
/// });
/// assert_eq!(endpoint.path(), "/who");
/// ```
#[derive(Clone)]
pub struct Endpoint {
    method: Method,
    path: Cow<'static, str>,
    media: Media,
    handler: Handler,
}

impl Endpoint {
    /// An endpoint of any method. `:name` stands for one part of the path.
    pub fn new<F>(method: Method, path: impl Into<Cow<'static, str>>, handler: F) -> Self
    where
        F: for<'a> Fn(&'a mut Api) -> BoxFuture<'a, Result<Reply>> + Send + Sync + 'static,
    {
        let handler = Arc::new(handler);
        Self { method, path: path.into(), media: Media::Json, handler }
    }

    /// A GET endpoint.
    pub fn get<F>(path: impl Into<Cow<'static, str>>, handler: F) -> Self
    where
        F: for<'a> Fn(&'a mut Api) -> BoxFuture<'a, Result<Reply>> + Send + Sync + 'static,
    {
        Self::new(Method::GET, path, handler)
    }

    /// A POST endpoint.
    pub fn post<F>(path: impl Into<Cow<'static, str>>, handler: F) -> Self
    where
        F: for<'a> Fn(&'a mut Api) -> BoxFuture<'a, Result<Reply>> + Send + Sync + 'static,
    {
        Self::new(Method::POST, path, handler)
    }

    /// The same endpoint, taking what an HTML form sends too.
    #[must_use]
    pub fn accepting(mut self, media: Media) -> Self {
        self.media = media;
        self
    }

    pub fn method(&self) -> &Method {
        &self.method
    }

    /// Its path below the base path.
    pub fn path(&self) -> &str {
        &self.path
    }

    pub(crate) fn media(&self) -> Media {
        self.media
    }

    pub(crate) async fn answer(&self, api: &mut Api) -> Result<Reply> {
        (self.handler)(api).await
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}
