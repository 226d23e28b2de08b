use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// What the server does.
#[derive(Clone, Default)]
pub(crate) struct Manners {
    /// Offers STARTTLS, or speaks TLS from the start.
    pub(crate) offer: Offer,
    /// Wants this user name and password.
    pub(crate) sign_in: Option<(String, String)>,
    /// Answers this to every recipient.
    pub(crate) to_recipients: Option<String>,
    /// Takes the connection and says nothing.
    pub(crate) silent: bool,
    /// Goes silent after the mail's text.
    pub(crate) silent_at_the_end: bool,
    /// Hangs up after this many mails on one connection, without a word.
    pub(crate) hangs_up_after: Option<usize>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Offer {
    #[default]
    Plain,
    StartTls,
    TlsFromTheStart,
}

/// A mail that arrived.
#[derive(Clone, Debug)]
pub(crate) struct Arrived {
    pub(crate) from: String,
    pub(crate) to: Vec<String>,
    pub(crate) data: String,
    pub(crate) encrypted: bool,
}

/// A mail server on a port of this machine.
pub(crate) struct SmtpServer {
    port: u16,
    arrived: Arc<Mutex<Vec<Arrived>>>,
    connections: Arc<AtomicUsize>,
}

impl SmtpServer {
    pub(crate) async fn start(manners: Manners) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let server = Self {
            port: listener.local_addr().unwrap().port(),
            arrived: Arc::default(),
            connections: Arc::default(),
        };
        let (arrived, connections) = (server.arrived.clone(), server.connections.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                connections.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(stream, manners.clone(), arrived.clone()));
            }
        });
        server
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn arrived(&self) -> Vec<Arrived> {
        self.arrived.lock().unwrap().clone()
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

async fn serve(stream: TcpStream, manners: Manners, arrived: Arc<Mutex<Vec<Arrived>>>) {
    if manners.silent {
        std::future::pending::<()>().await;
    }
    if manners.offer == Offer::TlsFromTheStart {
        let Ok(stream) = acceptor().accept(stream).await else { return };
        Conversation::new(stream, manners, arrived, true).run(true).await;
        return;
    }
    let conversation = Conversation::new(stream, manners.clone(), arrived.clone(), false);
    if let Some(stream) = conversation.run(true).await {
        let Ok(stream) = acceptor().accept(stream).await else { return };
        Conversation::new(stream, manners, arrived, true).run(false).await;
    }
}

fn acceptor() -> TlsAcceptor {
    let certificate = CertificateDer::from_pem_slice(include_bytes!("localhost.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("localhost.key")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

struct Conversation<S> {
    stream: BufReader<S>,
    manners: Manners,
    arrived: Arc<Mutex<Vec<Arrived>>>,
    encrypted: bool,
    signed_in: bool,
    from: String,
    to: Vec<String>,
    taken: usize,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Conversation<S> {
    fn new(stream: S, manners: Manners, arrived: Arc<Mutex<Vec<Arrived>>>, encrypted: bool) -> Self {
        Self {
            stream: BufReader::new(stream),
            manners,
            arrived,
            encrypted,
            signed_in: false,
            from: String::new(),
            to: Vec::new(),
            taken: 0,
        }
    }

    /// Talks until the other side leaves; gives the stream back where it goes on encrypted.
    async fn run(mut self, greets: bool) -> Option<S> {
        if greets {
            self.say("220 post.example ready").await;
        }
        while let Some(line) = self.line().await {
            let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
            match verb.as_str() {
                "EHLO" => self.offers().await,
                "STARTTLS" => {
                    self.say("220 go ahead").await;
                    return Some(self.stream.into_inner());
                }
                "AUTH" => self.sign_in(&line).await,
                "MAIL" if self.manners.sign_in.is_some() && !self.signed_in => {
                    self.say("530 5.7.0 sign in first").await;
                }
                "MAIL" => {
                    self.from = between(&line);
                    self.say("250 ok").await;
                }
                "RCPT" => {
                    self.to.push(between(&line));
                    let answer = self.manners.to_recipients.clone().unwrap_or_else(|| "250 ok".into());
                    self.say(&answer).await;
                }
                "DATA" => {
                    self.data().await;
                    if self.manners.hangs_up_after == Some(self.taken) {
                        return None;
                    }
                }
                "QUIT" => {
                    self.say("221 bye").await;
                    return None;
                }
                _ => self.say("250 ok").await,
            }
        }
        None
    }

    async fn offers(&mut self) {
        let mut offers = vec!["post.example", "8BITMIME"];
        if self.manners.offer == Offer::StartTls && !self.encrypted {
            offers.push("STARTTLS");
        }
        if self.manners.sign_in.is_some() {
            offers.push("AUTH PLAIN LOGIN");
        }
        let last = offers.len() - 1;
        for (number, offer) in offers.into_iter().enumerate() {
            self.say(&format!("250{}{offer}", if number == last { ' ' } else { '-' })).await;
        }
    }

    async fn sign_in(&mut self, line: &str) {
        let given = line.strip_prefix("AUTH PLAIN ").unwrap_or_default();
        let given = data_encoding::BASE64.decode(given.trim().as_bytes()).unwrap_or_default();
        let given = String::from_utf8_lossy(&given).into_owned();
        let wanted = self.manners.sign_in.as_ref().map(|(name, password)| format!("\0{name}\0{password}"));
        self.signed_in = Some(&given) == wanted.as_ref();
        match self.signed_in {
            true => self.say("235 welcome").await,
            // Some servers repeat what they were told.
            false => self.say(&format!("535 5.7.8 bad credentials {}", given.replace('\0', " "))).await,
        }
    }

    async fn data(&mut self) {
        self.say("354 go on").await;
        let mut data = String::new();
        while let Some(line) = self.line().await {
            if line == "." {
                break;
            }
            data.push_str(line.strip_prefix('.').unwrap_or(&line));
            data.push_str("\r\n");
        }
        if self.manners.silent_at_the_end {
            std::future::pending::<()>().await;
        }
        self.arrived.lock().unwrap().push(Arrived {
            from: std::mem::take(&mut self.from),
            to: std::mem::take(&mut self.to),
            data,
            encrypted: self.encrypted,
        });
        self.taken += 1;
        self.say("250 taken").await;
    }

    async fn line(&mut self) -> Option<String> {
        let mut line = Vec::new();
        match self.stream.read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned()),
        }
    }

    async fn say(&mut self, line: &str) {
        let _ = self.stream.write_all(format!("{line}\r\n").as_bytes()).await;
        let _ = self.stream.flush().await;
    }
}

fn between(line: &str) -> String {
    let start = line.find('<').map_or(0, |at| at + 1);
    let end = line.find('>').unwrap_or(line.len());
    line[start..end].to_owned()
}
