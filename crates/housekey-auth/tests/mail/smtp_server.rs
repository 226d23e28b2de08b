use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use housekey_mail::{Encryption, MailConfig, SmtpConfig, TransportConfig};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// A mail server that takes connections and says nothing until it opens.
pub(crate) struct SmtpServer {
    port: u16,
    open: watch::Sender<bool>,
    taken: Arc<Mutex<Vec<String>>>,
}

impl SmtpServer {
    pub(crate) async fn closed() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let (open, opens) = watch::channel(false);
        let server = Self { port: listener.local_addr().unwrap().port(), open, taken: Arc::default() };
        let taken = server.taken.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (mut opens, taken) = (opens.clone(), taken.clone());
                tokio::spawn(async move {
                    if opens.wait_for(|open| *open).await.is_ok() {
                        serve(stream, &taken).await;
                    }
                });
            }
        });
        server
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn open(&self) {
        self.open.send_replace(true);
    }

    /// To whom mails came, with their text, in the order in which they came.
    pub(crate) fn taken(&self) -> Vec<String> {
        self.taken.lock().unwrap().clone()
    }
}

/// Mail goes to the server on this port, which may take ten minutes.
pub(crate) fn by_smtp(mail: &mut MailConfig, port: u16) {
    let smtp = SmtpConfig {
        host: "127.0.0.1".into(),
        port,
        encryption: Encryption::None,
        timeout: 600,
        ..SmtpConfig::default()
    };
    mail.default = "smtp".into();
    mail.mailers.insert("smtp".into(), TransportConfig::Smtp(smtp));
}

async fn serve(stream: TcpStream, taken: &Mutex<Vec<String>>) {
    let mut stream = BufReader::new(stream);
    let mut mail = String::new();
    let mut is_text = false;
    say(&mut stream, "220 post.example").await;
    let mut line = String::new();
    while matches!(stream.read_line(&mut line).await, Ok(1..)) {
        let said = std::mem::take(&mut line);
        let said = said.trim_end();
        if is_text {
            is_text = said != ".";
            mail.push_str(said);
            mail.push('\n');
            if !is_text {
                taken.lock().unwrap().push(std::mem::take(&mut mail));
                say(&mut stream, "250 taken").await;
            }
            continue;
        }
        is_text = said == "DATA";
        say(&mut stream, if is_text { "354 go on" } else { "250 ok" }).await;
    }
}

async fn say(stream: &mut BufReader<TcpStream>, line: &str) {
    let _ = stream.write_all(format!("{line}\r\n").as_bytes()).await;
}
