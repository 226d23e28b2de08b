//! The mails that a server sent, and the links in them as whoever asked for one opens it.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use tokio::sync::Notify;

/// Where a server hands over what it sent since the last time.
const MAILS: &str = "/harness/mails";

/// How long a mail may take. Only one that never comes takes longer.
const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// Mails that have arrived. They are fetched for everybody at once: what a look into a mailbox costs a server is no part of what
/// is measured, since a mail of an app goes to a server of somebody else.
#[derive(Default)]
pub(crate) struct Mailbox {
    /// By the address that they are for: the tokens of their links.
    tokens: Mutex<HashMap<String, String>>,
    filled: Notify,
}

#[derive(Deserialize)]
struct Mail {
    to: String,
    token: String,
}

impl Mailbox {
    /// The request for everything that has arrived.
    pub(crate) fn request(address: SocketAddr) -> String {
        get(MAILS, address)
    }

    /// Takes in what a server answered to that.
    pub(crate) fn fill(&self, answer: &str) -> io::Result<()> {
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        let mails: Vec<Mail> = serde_json::from_str(body)?;
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.extend(mails.into_iter().map(|mail| (mail.to, mail.token)));
        self.filled.notify_waiters();
        Ok(())
    }

    /// Waits for the mail that a request led to, and gives the request that opens its link.
    pub(crate) async fn open(&self, path: &str, address: SocketAddr, request: &str) -> io::Result<String> {
        let to = email(request).ok_or_else(|| io::Error::other("the body names no address"))?;
        let token = tokio::time::timeout(LONGEST_WAIT, self.token(to));
        let token = token.await.map_err(|_| io::Error::other(format!("no mail came to {to}")))?;
        Ok(get(&format!("{path}?token={token}&callbackURL=%2Fdashboard"), address))
    }

    async fn token(&self, to: &str) -> String {
        loop {
            let mut filled = pin!(self.filled.notified());
            filled.as_mut().enable();
            let token = self.tokens.lock().unwrap_or_else(PoisonError::into_inner).remove(to);
            match token {
                Some(token) => return token,
                None => filled.await,
            }
        }
    }
}

/// Whether the link let somebody in.
pub(crate) fn check(answer: &str) -> io::Result<()> {
    let head = answer.split("\r\n\r\n").next().unwrap_or_default().to_ascii_lowercase();
    let failed = head.lines().any(|line| line.starts_with("location:") && line.contains("error="));
    match !failed && head.contains("session_token=") {
        true => Ok(()),
        false => Err(io::Error::other(format!("a link let nobody in:\n{head}"))),
    }
}

fn get(path: &str, address: SocketAddr) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n\r\n")
}

fn email(request: &str) -> Option<&str> {
    request.split_once(r#""email":""#)?.1.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAILS: &str = "HTTP/1.1 200 OK\r\n\r\n[{\"to\":\"a@x\",\"token\":\"ta\"},{\"to\":\"b@x\",\"token\":\"tb\",\"url\":\"u\"}]";

    #[tokio::test]
    async fn everybody_opens_the_link_that_was_sent_to_them() {
        let (mailbox, address) = (Mailbox::default(), "127.0.0.1:80".parse().unwrap());
        let open = async |to: &str| {
            let request = format!("POST / HTTP/1.1\r\n\r\n{{\"email\":\"{to}\"}}");
            mailbox.open("/verify", address, &request).await.unwrap()
        };
        let fill = async {
            tokio::task::yield_now().await;
            mailbox.fill(MAILS).unwrap();
        };
        let (early, ()) = tokio::join!(open("b@x"), fill);
        assert!(early.starts_with("GET /verify?token=tb&callbackURL=%2Fdashboard HTTP/1.1\r\n"), "{early}");
        assert!(open("a@x").await.contains("token=ta"));
        assert!(mailbox.open("/verify", address, "{}").await.is_err());
    }

    #[test]
    fn only_a_link_that_signs_in_counts() {
        let moved = "HTTP/1.1 302 Found\r\nLocation: /dashboard\r\n";
        assert!(check(&format!("{moved}Set-Cookie: better-auth.session_token=x\r\n\r\n")).is_ok());
        assert!(check(&format!("{moved}\r\n")).is_err());
        let refused =
            "HTTP/1.1 302 Found\r\nlocation: /x?error=INVALID_TOKEN\r\nset-cookie: session_token=x\r\n\r\n";
        assert!(check(refused).is_err());
    }
}
