//! A host on a port of this machine that plays somebody else's service.

use std::sync::{Arc, Mutex};

use housekey_engine::BoxFuture;
use housekey_engine::http_client::{HttpClient, HttpError, HttpRequest, HttpResponse};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// What it answers, and what it was asked.
#[derive(Clone)]
pub(crate) struct Host {
    address: String,
    answer: Arc<Mutex<Vec<u8>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Host {
    /// A host that answers 200 with a body.
    pub(crate) async fn answering(body: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let host = Self { address, answer: Arc::default(), asked: Arc::default() };
        host.say(200, body);
        let serving = host.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let host = serving.clone();
                tokio::spawn(async move {
                    let mut request = Vec::new();
                    while !is_whole(&request) {
                        match stream.read_buf(&mut request).await {
                            Ok(0) | Err(_) => return,
                            Ok(_) => {}
                        }
                    }
                    host.asked.lock().unwrap().push(String::from_utf8_lossy(&request).into_owned());
                    let answer = host.answer.lock().unwrap().clone();
                    let _ = stream.write_all(&answer).await;
                    // A host that says nothing keeps the connection.
                    if answer.is_empty() {
                        let _ = stream.read(&mut [0; 1]).await;
                    }
                });
            }
        });
        host
    }

    /// Answers this from now on.
    pub(crate) fn say(&self, status: u16, body: &str) {
        self.send(&format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n\r\n{body}", body.len()));
    }

    /// Sends exactly this from now on; nothing, and it hangs.
    pub(crate) fn send(&self, bytes: &str) {
        *self.answer.lock().unwrap() = bytes.as_bytes().to_vec();
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    /// What it was asked since the last look.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head
        .lines()
        .find_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
    body.len() >= length.unwrap_or(0)
}

/// A client of an app's own that never comes back.
pub(crate) struct Silent;

impl HttpClient for Silent {
    fn send(&self, _: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, HttpError>> {
        Box::pin(std::future::pending())
    }
}
