use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use http::header::{HOST, USER_AGENT};
use http::response::Parts;
use http::{HeaderMap, HeaderValue, Method, Request};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use url::{Host, Url};

use crate::address::is_public;
use crate::body::{Connection, RequestBody, ResponseBody};
use crate::client::BoxFuture;
use crate::{HttpClient, HttpError, HttpRequest, HttpResponse};

const WHOLE_REQUEST: Duration = Duration::from_secs(10);
const ONE_ADDRESS: Duration = Duration::from_secs(4);
const LARGEST_ANSWER: usize = 1024 * 1024;
const LARGEST_HEAD: usize = 64 * 1024;

/// The client that speaks to real hosts: TLS only, to public addresses only, ten seconds and a mebibyte at most, and no
/// redirects.
///
/// Each request has a connection of its own: hosts are asked once or twice per sign-in, and a connection that was opened
/// to an address we checked cannot lead elsewhere.
#[derive(Clone)]
pub struct TlsClient {
    config: Arc<ClientConfig>,
    roots: RootCertStore,
    allow_private_addresses: bool,
    whole_request: Duration,
    largest_answer: usize,
}

impl TlsClient {
    /// A client that trusts the certificate authorities that browsers do. With `allow_private_addresses` it also asks hosts
    /// of one's own network, and without TLS: for a host inside a company, and for development.
    pub fn new(allow_private_addresses: bool) -> Self {
        let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        Self {
            config: config(roots.clone()),
            roots,
            allow_private_addresses,
            whole_request: WHOLE_REQUEST,
            largest_answer: LARGEST_ANSWER,
        }
    }

    /// Trusts these certificates, in PEM, as well: those of a company that signs for its own hosts.
    pub fn trusting(mut self, pem: &[u8]) -> Result<Self, HttpError> {
        for certificate in CertificateDer::pem_slice_iter(pem) {
            let certificate = certificate.map_err(|_| HttpError::refused("a certificate is no PEM"))?;
            let added = self.roots.add(certificate);
            added.map_err(|error| HttpError::refused(format!("a certificate cannot be trusted: {error}")))?;
        }
        self.config = config(self.roots.clone());
        Ok(self)
    }

    /// Waits for a whole request this long; ten seconds unless told.
    #[must_use]
    pub fn with_timeout(self, whole_request: Duration) -> Self {
        Self { whole_request, ..self }
    }

    /// Asks, and reads the head of the answer. Its body is still to come.
    pub(crate) async fn open(&self, outgoing: Outgoing<'_>) -> Result<(Parts, ResponseBody), HttpError> {
        let target = Target::parse(outgoing.url, outgoing.allow_private_addresses)?;
        let stream = connect(&target, outgoing.allow_private_addresses).await?;
        let request = target.request(outgoing)?;
        if !target.tls {
            return converse(stream, request, &target).await;
        }
        let name = ServerName::try_from(target.name.clone())
            .map_err(|_| HttpError::refused(format!("`{}` is no name of a host", target.name)))?;
        let connector = TlsConnector::from(Arc::clone(&self.config));
        let stream = connector.connect(name, stream).await.map_err(|error| target.unreachable(&error))?;
        converse(stream, request, &target).await
    }

    async fn exchange(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let outgoing = Outgoing {
            method: request.method,
            url: &request.url,
            headers: request.headers,
            body: RequestBody::Bytes(request.body),
            allow_private_addresses: self.allow_private_addresses,
        };
        let host = Target::parse(&request.url, self.allow_private_addresses)?.name;
        let (head, body) = self.open(outgoing).await?;
        let body = body.collect(&host, self.largest_answer).await?;
        Ok(HttpResponse { status: head.status, headers: head.headers, body })
    }
}

/// A request on its way.
pub(crate) struct Outgoing<'a> {
    pub(crate) method: Method,
    pub(crate) url: &'a str,
    pub(crate) headers: HeaderMap,
    pub(crate) body: RequestBody,
    pub(crate) allow_private_addresses: bool,
}

/// Refuses what can be refused without asking anybody what a name means. A fake does this too: a test sees what is refused in
/// earnest.
pub(crate) fn check_address(url: &str, allow_private_addresses: bool) -> Result<(), HttpError> {
    let target = Target::parse(url, allow_private_addresses)?;
    let address = match target.name.parse::<IpAddr>() {
        Ok(address) => address,
        Err(_) if target.name == "localhost" || target.name.ends_with(".localhost") => {
            IpAddr::V4(Ipv4Addr::LOCALHOST)
        }
        Err(_) => return Ok(()),
    };
    target.judge(vec![SocketAddr::new(address, target.port)], allow_private_addresses).map(drop)
}

/// Connects to an address that was looked at, never to a name: between a look at a name and a connection to it, it may
/// have come to mean another host.
async fn connect(target: &Target, allow_private_addresses: bool) -> Result<TcpStream, HttpError> {
    let addresses = target.judge(target.addresses().await?, allow_private_addresses)?;
    let mut last = HttpError::unreachable(format!("{} has no address", target.name));
    for address in addresses {
        match timeout(ONE_ADDRESS, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => {
                // Small messages, each of which is waited for.
                let _ = stream.set_nodelay(true);
                return Ok(stream);
            }
            Ok(Err(error)) => last = target.unreachable(&error),
            Err(_) => last = HttpError::timeout(format!("{} does not answer", target.name)),
        }
    }
    Err(last)
}

async fn converse<S: AsyncRead + AsyncWrite + Send + Unpin + 'static>(
    stream: S,
    request: Request<SentBody>,
    target: &Target,
) -> Result<(Parts, ResponseBody), HttpError> {
    let broken = |error: hyper::Error| target.unreachable(&error);
    let mut builder = http1::Builder::new();
    builder.max_buf_size(LARGEST_HEAD);
    let (mut sender, connection) = builder.handshake(TokioIo::new(stream)).await.map_err(broken)?;
    // What goes wrong there is told to whoever waits for the answer.
    let connection = Connection::drive(async { drop(connection.await) });
    let (head, incoming) = sender.send_request(request).await.map_err(broken)?.into_parts();
    Ok((head, ResponseBody { incoming, connection }))
}

impl HttpClient for TlsClient {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, HttpError>> {
        Box::pin(async move {
            let origin = request.origin();
            match timeout(self.whole_request, self.exchange(request)).await {
                Ok(answer) => answer,
                Err(_) => Err(too_slow(&origin, self.whole_request)),
            }
        })
    }
}

pub(crate) fn too_slow(origin: &str, time_limit: Duration) -> HttpError {
    HttpError::timeout(format!("{origin} did not answer within {} s", time_limit.as_secs_f32()))
}

impl fmt::Debug for TlsClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TlsClient")
            .field("allow_private_addresses", &self.allow_private_addresses)
            .finish_non_exhaustive()
    }
}

fn config(roots: RootCertStore) -> Arc<ClientConfig> {
    #[expect(clippy::expect_used, reason = "ring has TLS 1.2 and 1.3, which are the default versions")]
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring speaks the default versions of TLS")
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Arc::new(config)
}

type SentBody = http_body_util::combinators::UnsyncBoxBody<bytes::Bytes, std::io::Error>;

/// Where a request goes.
struct Target {
    url: Url,
    tls: bool,
    /// The host, without the brackets of IPv6.
    name: String,
    port: u16,
}

impl Target {
    fn parse(url: &str, allow_plain: bool) -> Result<Self, HttpError> {
        let url = Url::parse(url).map_err(|_| HttpError::refused("the address is none"))?;
        let tls = match url.scheme() {
            "https" => true,
            "http" if allow_plain => false,
            "http" => {
                return Err(HttpError::refused(
                    "the address starts with http://, and private addresses are not allowed",
                ));
            }
            _ => {
                return Err(HttpError::refused("the address does not start with https://"));
            }
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(HttpError::refused("the address has a name or a password in it"));
        }
        let name = match url.host() {
            Some(Host::Domain(name)) => name.to_owned(),
            Some(Host::Ipv4(address)) => address.to_string(),
            Some(Host::Ipv6(address)) => address.to_string(),
            None => return Err(HttpError::refused("the address names no host")),
        };
        let port = url.port_or_known_default().unwrap_or(443);
        Ok(Self { url, tls, name, port })
    }

    async fn addresses(&self) -> Result<Vec<SocketAddr>, HttpError> {
        if let Ok(address) = self.name.parse::<IpAddr>() {
            return Ok(vec![SocketAddr::new(address, self.port)]);
        }
        let found = tokio::net::lookup_host((self.name.as_str(), self.port)).await;
        let mut found: Vec<SocketAddr> = found.map_err(|error| self.unreachable(&error))?.collect();
        // A name with a thousand addresses would keep us busy.
        found.truncate(8);
        Ok(found)
    }

    /// Those of its addresses that may be asked.
    fn judge(
        &self,
        mut addresses: Vec<SocketAddr>,
        allow_private_addresses: bool,
    ) -> Result<Vec<SocketAddr>, HttpError> {
        if !allow_private_addresses {
            addresses.retain(|address| is_public(address.ip()));
        } else if !self.tls {
            // Without TLS only within one's own network: a secret on the internet would be everybody's.
            addresses.retain(|address| !is_public(address.ip()));
        }
        if addresses.is_empty() {
            return Err(HttpError::refused(if self.tls {
                format!("{} is at a private address, and private addresses are not allowed", self.name)
            } else {
                format!("{} is on the internet and is asked without TLS", self.name)
            }));
        }
        Ok(addresses)
    }

    fn request(&self, outgoing: Outgoing<'_>) -> Result<Request<SentBody>, HttpError> {
        let unfit = |_| HttpError::refused("the address cannot be sent");
        let path = match self.url.query() {
            Some(query) => format!("{}?{query}", self.url.path()),
            None => self.url.path().to_owned(),
        };
        // With its port if it is not the usual one, and with the brackets of IPv6.
        let host = self.url.host_str().unwrap_or_default();
        let host = self.url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        let mut made = Request::builder()
            .method(outgoing.method)
            .uri(path)
            .body(outgoing.body.into_body())
            .map_err(unfit)?;
        *made.headers_mut() = outgoing.headers;
        let host =
            HeaderValue::from_str(&host).map_err(|_| HttpError::refused("the address cannot be sent"))?;
        made.headers_mut().insert(HOST, host);
        // GitHub answers nobody who does not say who asks.
        made.headers_mut().entry(USER_AGENT).or_insert(HeaderValue::from_static("housekey"));
        Ok(made)
    }

    fn unreachable(&self, error: &(dyn std::error::Error + 'static)) -> HttpError {
        HttpError::unreachable(format!("could not speak to {}: {error}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use housekey_test_support::ClosedPort;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;
    use tokio_rustls::TlsAcceptor;
    use tokio_rustls::rustls::ServerConfig;
    use tokio_rustls::rustls::pki_types::PrivateKeyDer;

    use super::*;

    /// A host that sends this to whoever comes, again and again if asked to, and keeps the connection.
    async fn host(answer: &'static str, for_ever: bool) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let mut request = [0; 4096];
                    let _ = stream.read(&mut request).await;
                    let _ = stream.write_all(answer.as_bytes()).await;
                    while for_ever && stream.write_all(&[b'x'; 16 * 1024]).await.is_ok() {}
                    let _ = stream.read(&mut request).await;
                });
            }
        });
        format!("http://{address}")
    }

    fn patient() -> TlsClient {
        TlsClient::new(true).with_timeout(Duration::from_secs(5))
    }

    #[tokio::test]
    async fn an_answer_comes_as_it_was_sent() {
        let url = host(
            "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}",
            false,
        )
        .await;
        let response = patient().send(HttpRequest::get(format!("{url}/a?b=c"))).await.unwrap();
        assert_eq!((response.status.as_u16(), response.content_type()), (201, "application/json"));
        assert_eq!(response.body, "{}");
    }

    #[tokio::test]
    async fn an_answer_that_ends_with_the_connection_is_whole() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let _ = stream.read(&mut [0; 4096]).await;
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n{\"a\":1}").await.unwrap();
        });
        assert_eq!(patient().send(HttpRequest::get(url)).await.unwrap().body, r#"{"a":1}"#);
    }

    #[tokio::test]
    async fn a_host_is_believed_only_with_a_certificate_that_is_trusted() {
        const PEM: &[u8] = include_bytes!("../../housekey-mail/tests/mail/support/localhost.pem");
        const KEY: &[u8] = include_bytes!("../../housekey-mail/tests/mail/support/localhost.key");
        let certificate = CertificateDer::from_pem_slice(PEM).unwrap();
        let key = PrivateKeyDer::from_pem_slice(KEY).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let Ok(mut stream) = acceptor.accept(stream).await else { continue };
                let _ = stream.read(&mut [0; 4096]).await;
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").await;
                let _ = stream.shutdown().await;
            }
        });
        let request = |host: &str| HttpRequest::get(format!("https://{host}:{port}/token"));
        let error = patient().send(request("127.0.0.1")).await.unwrap_err();
        assert!(error.is_unreachable() && error.to_string().contains("certificate"), "{error}");
        let trusting = patient().trusting(PEM).unwrap();
        assert_eq!(trusting.send(request("127.0.0.1")).await.unwrap().body, "{}");
        assert_eq!(trusting.send(request("localhost")).await.unwrap().body, "{}");
        assert!(trusting.send(request("127.0.0.2")).await.is_err(), "it is for another host");
    }

    #[tokio::test]
    async fn a_redirect_is_an_answer_and_is_not_followed() {
        let url =
            host("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n", false)
                .await;
        assert_eq!(patient().send(HttpRequest::get(url)).await.unwrap().status, 302);
    }

    #[tokio::test]
    // spec: SOC-8
    async fn a_host_that_streams_for_ever_is_left() {
        let url = host("HTTP/1.1 200 OK\r\n\r\n", true).await;
        let error = patient().send(HttpRequest::get(url)).await.unwrap_err();
        assert!(error.to_string().contains("longer than 1048576 bytes"), "{error}");
        let url = host("HTTP/1.1 200 OK\r\nx: ", true).await;
        assert!(patient().send(HttpRequest::get(url)).await.is_err(), "its headers neither");
    }

    #[tokio::test]
    // spec: SOC-8
    async fn a_host_that_hangs_is_left() {
        for answer in ["", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"] {
            let url = host(answer, false).await;
            let client = TlsClient::new(true).with_timeout(Duration::from_millis(200));
            let error =
                client.send(HttpRequest::get(format!("{url}/secret?token=secret"))).await.unwrap_err();
            assert!(error.is_timeout() && !error.to_string().contains("secret"), "{error}");
        }
    }

    #[tokio::test]
    async fn a_host_that_says_nonsense_or_is_not_there_is_an_error() {
        let url = host("nonsense\r\n\r\n", false).await;
        assert!(patient().send(HttpRequest::get(url)).await.unwrap_err().is_unreachable());
        let gone = ClosedPort::take().unwrap();
        let gone = HttpRequest::get(format!("http://{}/", gone.address()));
        assert!(patient().send(gone).await.unwrap_err().is_unreachable());
        // Plain words where TLS is spoken.
        let url = host("HTTP/1.1 200 OK\r\n\r\n", false).await.replace("http:", "https:");
        assert!(patient().send(HttpRequest::get(url)).await.unwrap_err().is_unreachable());
    }

    #[tokio::test]
    // spec: SOC-8
    async fn private_addresses_are_asked_only_when_that_is_allowed() {
        let port = host("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", false).await;
        let port = port.rsplit(':').next().unwrap().to_owned();
        for place in [
            "https://127.0.0.1",
            "https://localhost",
            "https://[::1]",
            "https://[::ffff:127.0.0.1]",
            "https://[64:ff9b::7f00:1]",
            "https://2130706433",
            "https://0x7f.1",
            "https://0",
            "https://169.254.169.254",
            "https://10.0.0.1",
        ] {
            let url = format!("{place}:{port}/latest/meta-data");
            let error = TlsClient::new(false).send(HttpRequest::get(url)).await.unwrap_err();
            assert!(error.is_refused(), "{place}: {error}");
        }
        let url = format!("http://localhost:{port}/");
        assert!(patient().send(HttpRequest::get(url)).await.is_ok());
    }

    #[tokio::test]
    async fn a_request_without_tls_does_not_leave_the_house() {
        for url in
            ["http://example.com/", "http://127.0.0.1/", "ftp://example.com/", "file:///etc/passwd", "x"]
        {
            let error = TlsClient::new(false).send(HttpRequest::get(url)).await.unwrap_err();
            assert!(error.is_refused(), "{url}: {error}");
        }
        let error = TlsClient::new(true).send(HttpRequest::get("http://1.1.1.1/")).await.unwrap_err();
        assert!(error.is_refused(), "{error}");
        let error =
            TlsClient::new(false).send(HttpRequest::get("https://a:b@example.com/")).await.unwrap_err();
        assert!(error.is_refused(), "{error}");
    }
}
