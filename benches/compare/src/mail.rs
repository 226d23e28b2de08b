//! The link in a mail, as whoever asked for one opens it.

use std::io;
use std::net::SocketAddr;

/// Asks for the mail that a request led to: it names the address that it is for.
pub(crate) fn ask(address: SocketAddr, request: &str) -> io::Result<String> {
    let to = between(request, r#""email":""#).ok_or_else(|| io::Error::other("the body names no address"))?;
    Ok(get(&format!("/harness/mail?to={to}"), address))
}

/// Opens the link that the mail carries.
pub(crate) fn open(path: &str, address: SocketAddr, mail: &str) -> io::Result<String> {
    let token = between(mail, r#""token":""#).ok_or_else(|| io::Error::other("no mail was sent"))?;
    Ok(get(&format!("{path}?token={token}&callbackURL=%2Fdashboard"), address))
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

fn between<'a>(text: &'a str, before: &str) -> Option<&'a str> {
    text.split_once(before)?.1.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mail_to_the_address_is_asked_for_and_its_link_opened() {
        let address: SocketAddr = "127.0.0.1:80".parse().unwrap();
        let asked = ask(address, "POST / HTTP/1.1\r\n\r\n{\"email\":\"a@x\"}").unwrap();
        assert!(asked.starts_with("GET /harness/mail?to=a@x HTTP/1.1\r\n"), "{asked}");
        let open = open("/verify", address, r#"{"to":"a@x","token":"t0k"}"#).unwrap();
        assert!(open.starts_with("GET /verify?token=t0k&callbackURL=%2Fdashboard "), "{open}");
        assert!(ask(address, "{}").is_err() && super::open("/verify", address, "null").is_err());
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
