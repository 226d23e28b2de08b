//! Somebody with cookies, at an address that the proxy forwards.

use housekey::serde_json::{Value, from_str, json};

use crate::process::{Answer, Server};

pub(crate) const ORIGIN: &str = "https://shop.example";
const PASSWORD: &str = "correct horse battery";

/// A signed-in browser that keeps the cookies of its sign-in whatever it is answered later: what a thief of them does.
pub(crate) struct Browser {
    address: String,
    cookies: String,
    /// The session's token, as the database has it.
    pub(crate) token: String,
}

impl Browser {
    pub(crate) fn sign_up(server: &Server, address: &str, name: &str) -> Self {
        let body = json!({ "name": name, "email": email(name), "password": PASSWORD });
        Self::enter(server, address, "sign-up", &body)
    }

    pub(crate) fn sign_in(server: &Server, address: &str, name: &str) -> Self {
        Self::enter(server, address, "sign-in", &json!({ "email": email(name), "password": PASSWORD }))
    }

    fn enter(server: &Server, address: &str, how: &str, body: &Value) -> Self {
        let answer = post(server, &format!("{how}/email"), address, "", body);
        assert_eq!(answer.status, 200, "{answer:?}");
        let set = answer.head.lines().filter_map(|line| line.strip_prefix("set-cookie: "));
        let cookies: Vec<&str> = set.filter_map(|cookie| cookie.split(';').next()).collect();
        let token = from_str::<Value>(&answer.body).unwrap()["token"].as_str().unwrap().to_owned();
        Self { address: address.to_owned(), cookies: cookies.join("; "), token }
    }

    /// Whether a copy of the session is among the cookies.
    pub(crate) fn has_copy(&self) -> bool {
        self.cookies.contains("session_data=ey")
    }

    /// Who this is for a guarded route, if it lets anyone in.
    pub(crate) fn name_at(&self, server: &Server) -> Option<String> {
        let lines = format!("x-forwarded-for: {}\r\ncookie: {}\r\n", self.address, self.cookies);
        let answer = server.send("GET", "/me", &lines, "");
        match answer.status {
            200 => Some(answer.body),
            401 => None,
            _ => panic!("{answer:?}"),
        }
    }

    /// Ends all sessions of the same person but this one.
    pub(crate) fn revoke_others(&self, server: &Server) {
        let answer = post(server, "revoke-other-sessions", &self.address, &self.cookies, &json!({}));
        assert_eq!(answer.status, 200, "{answer:?}");
    }
}

/// Tries a wrong password.
pub(crate) fn guess(server: &Server, address: &str) -> u16 {
    let body = json!({ "email": email("ada"), "password": "a wrong password" });
    post(server, "sign-in/email", address, "", &body).status
}

fn post(server: &Server, path: &str, address: &str, cookies: &str, body: &Value) -> Answer {
    let cookies = if cookies.is_empty() { String::new() } else { format!("cookie: {cookies}\r\n") };
    let lines = format!(
        "x-forwarded-for: {address}\r\norigin: {ORIGIN}\r\ncontent-type: application/json\r\n{cookies}"
    );
    server.send("POST", &format!("/api/auth/{path}"), &lines, &body.to_string())
}

fn email(name: &str) -> String {
    format!("{name}@example.com")
}
