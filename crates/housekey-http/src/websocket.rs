//! Websockets that still know the request they grew out of.
//!
//! A socket lives on after its request was answered, so nothing of the request is ambient in its callback: it gets a
//! [`SocketContext`] instead, and may [enter](SocketContext::enter) the request's scope on purpose.
//!
//! It counts as a connection of the server for as long as it is open. When the server stops, the client is told to close,
//! and has the server's grace to do so.

use std::fmt;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::extract::FromRequestParts;
use axum::extract::ws;
use axum::response::IntoResponse;
use futures_util::{Sink, SinkExt, Stream, StreamExt};
use housekey_core::{Error, Result, Scope, Services};
use housekey_session::Session;
use http::header::{HOST, ORIGIN};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Uri};

use crate::server::Connection;
use crate::{RequestContext, Response};

pub use axum::extract::ws::{CloseFrame, Message};

/// The extractor of a request that wants to become a websocket.
///
/// A browser sends its cookies along whichever page opens the socket, and no CSRF token protects it. So a request
/// from another origin is refused with 403, unless [`WebSocketUpgrade::allow_origins`] names it.
///
/// ```
/// use housekey_http::Response;
/// use housekey_http::websocket::{SocketContext, WebSocket, WebSocketUpgrade};
///
/// async fn echo(upgrade: WebSocketUpgrade) -> Response {
///     upgrade.on_upgrade(async |mut socket: WebSocket, context: SocketContext| {
///         tracing::info!(request_id = context.request_id(), "a socket opened");
///         while let Some(Ok(message)) = socket.recv().await {
///             if socket.send(message).await.is_err() {
///                 break;
///             }
///         }
///     })
/// }
/// ```
#[must_use]
pub struct WebSocketUpgrade {
    upgrade: ws::WebSocketUpgrade,
    context: SocketContext,
    is_same_origin: bool,
    /// Absent where no server serves the request.
    connection: Option<Connection>,
}

impl WebSocketUpgrade {
    /// Takes requests from these origins too: `https://app.example`.
    pub fn allow_origins<S: AsRef<str>>(mut self, origins: impl IntoIterator<Item = S>) -> Self {
        let origin = self.context.request.header("origin").unwrap_or_default().to_owned();
        self.is_same_origin |=
            origins.into_iter().any(|allowed| allowed.as_ref().eq_ignore_ascii_case(&origin));
        self
    }

    /// The largest message taken, in bytes.
    pub fn max_message_size(mut self, bytes: usize) -> Self {
        // A frame is a part of a message: what is longer need not be read to be refused.
        self.upgrade = self.upgrade.max_message_size(bytes).max_frame_size(bytes);
        self
    }

    /// The subprotocols spoken here, in order of preference.
    pub fn protocols<P: Into<std::borrow::Cow<'static, str>>>(
        mut self,
        protocols: impl IntoIterator<Item = P>,
    ) -> Self {
        self.upgrade = self.upgrade.protocols(protocols);
        self
    }

    /// The request the socket grows out of.
    pub fn context(&self) -> &SocketContext {
        &self.context
    }

    /// Answers the request, and runs `callback` once the connection has become a socket.
    pub fn on_upgrade<C, F>(self, callback: C) -> Response
    where
        C: FnOnce(WebSocket, SocketContext) -> F + Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        if !self.is_same_origin {
            return Error::forbidden("Sockets are not open to other sites.").into_response();
        }
        let (context, connection) = (self.context, self.connection);
        let request_id = context.request_id().to_owned();
        self.upgrade
            .on_failed_upgrade(
                move |error| tracing::warn!(request_id, %error, "a socket could not be opened"),
            )
            .on_upgrade(async move |socket| {
                let stopping =
                    connection.as_ref().map(|connection| Box::pin(connection.stopping()) as Stopping);
                let talking = callback(WebSocket { socket, stopping }, context);
                match connection {
                    Some(connection) => tokio::select! {
                        () = talking => {}
                        () = connection.stopped() => {}
                    },
                    None => talking.await,
                }
            })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for WebSocketUpgrade {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        let upgrade = ws::WebSocketUpgrade::from_request_parts(parts, state).await;
        let upgrade = upgrade.map_err(IntoResponse::into_response)?;
        let context = SocketContext::current().ok_or_else(|| {
            Error::internal("a websocket handler runs outside of the kernel's request scope").into_response()
        })?;
        let connection = parts.extensions.get().cloned();
        Ok(Self { upgrade, context, is_same_origin: is_same_origin(&parts.headers), connection })
    }
}

impl fmt::Debug for WebSocketUpgrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebSocketUpgrade").field("context", &self.context).finish_non_exhaustive()
    }
}

/// Whether a page of this site sent the request, or a program: no `origin` at all is not a browser that asks for another site.
pub fn is_same_origin(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let origin = origin.to_str().ok().and_then(|text| text.parse::<Uri>().ok());
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    match (origin.as_ref().and_then(Uri::authority), host) {
        (Some(authority), Some(host)) => authority.as_str().eq_ignore_ascii_case(host),
        _ => false,
    }
}

/// An open websocket: a [`Stream`] of messages in, a [`Sink`] for messages out.
///
/// When the server stops, the client gets a close frame (1001, "going away"). What it still says arrives until it has closed
/// too; nothing more can be sent.
pub struct WebSocket {
    socket: ws::WebSocket,
    /// `None` once the client was told.
    stopping: Option<Stopping>,
}

type Stopping = Pin<Box<dyn Future<Output = ()> + Send + Sync>>;

impl WebSocket {
    /// Waits for the next message; `None` when the socket is closed.
    pub async fn recv(&mut self) -> Option<Result<Message, axum::Error>> {
        self.next().await
    }

    pub async fn send(&mut self, message: Message) -> Result<(), axum::Error> {
        SinkExt::send(self, message).await
    }

    /// The subprotocol that was agreed on.
    pub fn protocol(&self) -> Option<&HeaderValue> {
        self.socket.protocol()
    }

    fn close_if_stopping(&mut self, cx: &mut Context<'_>) {
        let is_stopping =
            self.stopping.as_mut().is_some_and(|stopping| stopping.as_mut().poll(cx).is_ready());
        if is_stopping {
            self.stopping = None;
            let frame = CloseFrame { code: ws::close_code::AWAY, reason: "the server stops".into() };
            // A socket that cannot be written to is closing already.
            let _ = Pin::new(&mut self.socket).start_send(Message::Close(Some(frame)));
        }
    }
}

impl Stream for WebSocket {
    type Item = Result<Message, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.close_if_stopping(cx);
        Pin::new(&mut self.socket).poll_next(cx)
    }
}

impl Sink<Message> for WebSocket {
    type Error = axum::Error;

    fn poll_ready(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), axum::Error>> {
        self.close_if_stopping(cx);
        Pin::new(&mut self.socket).poll_ready(cx)
    }

    fn start_send(mut self: Pin<&mut Self>, message: Message) -> Result<(), axum::Error> {
        Pin::new(&mut self.socket).start_send(message)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), axum::Error>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_close(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), axum::Error>> {
        Pin::new(&mut self.socket).poll_close(cx)
    }
}

impl fmt::Debug for WebSocket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebSocket").finish_non_exhaustive()
    }
}

/// What a socket knows of the request it grew out of.
#[derive(Clone)]
pub struct SocketContext {
    request: Arc<RequestContext>,
    scope: Scope,
}

impl SocketContext {
    fn current() -> Option<Self> {
        let scope = Scope::current()?;
        Some(Self { request: scope.get()?, scope })
    }

    pub fn request(&self) -> &RequestContext {
        &self.request
    }

    /// The request's name in logs.
    pub fn request_id(&self) -> &str {
        self.request.request_id()
    }

    pub fn client_ip(&self) -> Option<IpAddr> {
        self.request.client_ip()
    }

    /// The visitor's session. What a socket changes in it is kept by [`SocketContext::save_session`].
    pub fn session(&self) -> &Session {
        self.request.session()
    }

    /// Keeps what was changed in the session. A socket cannot set cookies: a session that has none yet is lost.
    pub async fn save_session(&self) -> Result<()> {
        self.session().finish().await.map(drop)
    }

    pub fn services(&self) -> &Services {
        self.scope.services()
    }

    /// What a guard or the handler left for the socket under this type, the current user for example.
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.scope.get()
    }

    /// Leaves a value for later.
    pub fn set<T: Send + Sync + 'static>(&self, value: T) {
        self.scope.set(Arc::new(value));
    }

    /// Runs a future as if it belonged to the request: the ambient helpers answer inside it.
    pub async fn enter<F: Future>(&self, future: F) -> F::Output {
        self.scope.clone().enter(future).await
    }
}

impl fmt::Debug for SocketContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SocketContext").field(&self.request).finish()
    }
}
