use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use http::{Method, StatusCode};

use crate::description::{Columns, Description, Field, Shape};
use crate::wire::Media;
use crate::{Api, BoxFuture, ErrorCode, Reply, Result};

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
///
/// It says about itself what clients should know, for [`Engine::openapi`](crate::Engine::openapi):
///
/// ```
/// # use housekey_engine::{Endpoint, Reply};
/// use housekey_engine::{Field, Shape};
///
/// # let endpoint = Endpoint::post("/notes/add", |_| Box::pin(async { Reply::json(&()) }));
/// let endpoint = endpoint
///     .about("Keeps a note.")
///     .takes([Field::text("title"), Field::text("text").optional()])
///     .answers(Shape::row("note"))
///     .needs_session();
/// assert_eq!(endpoint.description().body.len(), 2);
/// ```
#[derive(Clone)]
pub struct Endpoint {
    method: Method,
    path: Cow<'static, str>,
    media: Media,
    handler: Handler,
    description: Description,
}

impl Endpoint {
    /// An endpoint of any method. `:name` stands for one part of the path.
    pub fn new<F>(method: Method, path: impl Into<Cow<'static, str>>, handler: F) -> Self
    where
        F: for<'a> Fn(&'a mut Api) -> BoxFuture<'a, Result<Reply>> + Send + Sync + 'static,
    {
        let handler = Arc::new(handler);
        let description = Description::default();
        Self { method, path: path.into(), media: Media::Json, handler, description }
    }

    pub fn get<F>(path: impl Into<Cow<'static, str>>, handler: F) -> Self
    where
        F: for<'a> Fn(&'a mut Api) -> BoxFuture<'a, Result<Reply>> + Send + Sync + 'static,
    {
        Self::new(Method::GET, path, handler)
    }

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

    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The content types that it takes.
    pub(crate) fn media(&self) -> Media {
        self.media
    }

    pub(crate) async fn answer(&self, api: &mut Api) -> Result<Reply> {
        (self.handler)(api).await
    }
}

/// What an endpoint says about itself. None of it changes what it does.
impl Endpoint {
    /// What it is for: a sentence, and more of them where more has to be said.
    #[must_use]
    pub fn about(mut self, about: impl Into<Cow<'static, str>>) -> Self {
        self.description.about = about.into();
        self
    }

    /// What stands in the place of the path's parameter.
    #[must_use]
    pub fn parameter(mut self, about: impl Into<Cow<'static, str>>) -> Self {
        self.description.parameter = about.into();
        self
    }

    /// The fields of the body; of the query, where the method is GET.
    #[must_use]
    pub fn takes(mut self, fields: impl IntoIterator<Item = Field>) -> Self {
        let is_query = self.method == Method::GET;
        let taken = if is_query { &mut self.description.query } else { &mut self.description.body };
        taken.extend(fields);
        self
    }

    /// The fields of a body that may be missing altogether.
    #[must_use]
    pub fn may_take(mut self, fields: impl IntoIterator<Item = Field>) -> Self {
        self.description.is_body_optional = true;
        self.takes(fields)
    }

    /// The fields of the query, beside those of a body.
    #[must_use]
    pub fn takes_query(mut self, fields: impl IntoIterator<Item = Field>) -> Self {
        self.description.query.extend(fields);
        self
    }

    /// Beside its fields the body takes the columns that plugins and the app added to a table and that clients may set.
    #[must_use]
    pub fn takes_columns(mut self, table: impl Into<Cow<'static, str>>, how: Columns) -> Self {
        self.description.columns = Some((table.into(), how));
        self
    }

    /// The JSON that comes back with 200.
    #[must_use]
    pub fn answers(mut self, shape: Shape) -> Self {
        self.description.answer = Some(shape);
        self
    }

    /// Where it ends in [`Api::sign_in_user`]: a plugin may ask for more before there is a session.
    #[must_use]
    pub fn may_challenge(mut self) -> Self {
        self.description.may_challenge = true;
        self
    }

    /// It may send the browser elsewhere.
    #[must_use]
    pub fn redirects(mut self) -> Self {
        self.description.redirects = true;
        self
    }

    /// It may answer with a page.
    #[must_use]
    pub fn answers_page(mut self) -> Self {
        self.description.has_page = true;
        self
    }

    /// Only somebody who is signed in gets an answer.
    #[must_use]
    pub fn needs_session(mut self) -> Self {
        self.description.needs_session = true;
        self
    }

    /// A status and codes that it may refuse with, beside those that every endpoint has.
    #[must_use]
    pub fn refuses(mut self, status: StatusCode, codes: impl IntoIterator<Item = ErrorCode>) -> Self {
        self.description.refusals.extend(codes.into_iter().map(|code| (status, code)));
        self
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}
