//! A visitor who was sent to a provider, and comes back: the second half of a sign-in with one.

use std::io;
use std::net::SocketAddr;

/// The request with which they come back, made of the answer that sent them away: its state, and its cookies.
pub(crate) fn come_back(path: &str, address: SocketAddr, answer: &str) -> io::Result<String> {
    let (_, rest) = answer
        .split_once("&state=")
        .ok_or_else(|| io::Error::other("an answer sends nobody to a provider"))?;
    let state = rest.split(['&', '"', '\r']).next().unwrap_or_default();
    let cookies: Vec<&str> =
        headers(answer, "set-cookie").filter_map(|value| value.split(';').next()).collect();
    let cookies = cookies.join("; ");
    Ok(format!("GET {path}?code=code&state={state} HTTP/1.1\r\nhost: {address}\r\ncookie: {cookies}\r\n\r\n"))
}

/// Whether the answer leads in: a refusal is a redirect too.
pub(crate) fn check(answer: &str) -> io::Result<()> {
    match headers(answer, "location").next() {
        Some(location) if !location.contains("error=") => Ok(()),
        other => Err(io::Error::other(format!("coming back led to {other:?}"))),
    }
}

fn headers<'a>(answer: &'a str, wanted: &'a str) -> impl Iterator<Item = &'a str> {
    let head = answer.split("\r\n\r\n").next().unwrap_or_default();
    let pairs = head.lines().filter_map(|line| line.split_once(':'));
    pairs.filter(move |(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visitor_brings_back_the_state_and_every_cookie() {
        let answer = "HTTP/1.1 200 OK\r\nSet-Cookie: a.state=x.y; Path=/\r\nset-cookie: b=2; Max-Age=600\r\n\r\n\
                      {\"url\":\"https://id.test/?client_id=c&state=s-1&scope=email\"}";
        let request = come_back("/callback/google", "127.0.0.1:80".parse().unwrap(), answer).unwrap();
        let expected = "GET /callback/google?code=code&state=s-1 HTTP/1.1\r\nhost: 127.0.0.1:80\r\ncookie: a.state=x.y; b=2\r\n\r\n";
        assert_eq!(request, expected);
        assert!(come_back("/", "127.0.0.1:80".parse().unwrap(), "HTTP/1.1 200 OK\r\n\r\n{}").is_err());
    }

    #[test]
    fn a_redirect_to_an_error_is_no_sign_in() {
        assert!(check("HTTP/1.1 302 Found\r\nLocation: /dashboard\r\n\r\n").is_ok());
        assert!(check("HTTP/1.1 302 Found\r\nlocation: /error?error=state_mismatch\r\n\r\n").is_err());
        assert!(check("HTTP/1.1 302 Found\r\n\r\n").is_err());
    }
}
