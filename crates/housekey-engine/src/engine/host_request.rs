use std::net::IpAddr;

use bytes::Bytes;
use http::{HeaderMap, Response};

use super::Engine;
use crate::wire::Incoming;
use crate::{Api, Result};

/// Requests of a framework's own, around its own pages.
///
/// Those pages are no endpoints of the engine, but the same plugins should know who is there: a bearer token counts on a
/// page of the app as it does here. So such a request begins and ends with the hooks that requests have.
impl Engine {
    /// Begins a request that came with these headers from that address; and says whether a hook refused it.
    pub async fn begin_request(&self, headers: HeaderMap, address: Option<IpAddr>) -> (Api, Result<()>) {
        let path = "/get-session".into();
        let mut api = self.api_of(Incoming { headers, path, socket: address, ..Incoming::default() });
        let begun = self.before(&mut api).await;
        (api, begun)
    }

    /// Ends a request: the headers that its answer must carry, cookies included. If it `failed` halfway, cookies are only
    /// taken away: nothing is granted.
    pub async fn finish_request(&self, mut api: Api, failed: bool) -> Result<HeaderMap> {
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
