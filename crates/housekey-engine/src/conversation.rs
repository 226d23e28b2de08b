use std::net::IpAddr;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, Response};

use crate::wire::Incoming;
use crate::{Api, Engine, Result};

/// Conversations that a framework leads on behalf of a request of its own.
///
/// The app's own pages are not endpoints of the engine, but the same plugins should know who is there: a bearer token
/// counts on a page of the app as it does here. So a conversation opens and ends with the hooks that requests have.
impl Engine {
    /// Opens a conversation with the client that sent these headers from that address; and says whether a hook refused
    /// it.
    pub async fn converse(&self, headers: HeaderMap, address: Option<IpAddr>) -> (Api, Result<()>) {
        let path = "/get-session".into();
        let incoming = Incoming { headers, path, socket: address, ..Incoming::default() };
        let mut api = Api::new(Arc::clone(&self.core), incoming);
        let opened = self.before(&mut api).await;
        (api, opened)
    }

    /// Ends a conversation: the headers that the answer must carry, cookies included. If the request `failed` halfway,
    /// cookies are only taken away: nothing is granted.
    pub async fn conclude(&self, mut api: Api, failed: bool) -> Result<HeaderMap> {
        if failed {
            api.withhold_cookies();
        }
        let mut response = Response::new(Bytes::new());
        self.after(&mut api, &mut response).await?;
        let mut headers = std::mem::take(response.headers_mut());
        let cookies = api.take_headers();
        for (name, value) in &cookies {
            headers.append(name.clone(), value.clone());
        }
        Ok(headers)
    }

    /// The name of the cookie that holds the session token.
    pub fn session_cookie(&self) -> &str {
        self.core.cookies.session_token.name()
    }
}
