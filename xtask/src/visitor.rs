//! Somebody with a browser and no patience for scripts: keeps cookies, reads a form's token, sends the form back.

use crate::http::{self, Answer};

/// A person at an app on loopback.
pub(crate) struct Visitor {
    port: u16,
    /// Name and value.
    cookies: Vec<(String, String)>,
}

impl Visitor {
    pub(crate) fn at(port: u16) -> Self {
        Self { port, cookies: Vec::new() }
    }

    /// With the value of a `cookie` header, as [`cookies`](Self::cookies) gives it.
    pub(crate) fn with_cookies(port: u16, cookies: &str) -> Self {
        let pairs = cookies.split("; ").filter_map(|cookie| cookie.split_once('='));
        Self { port, cookies: pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect() }
    }

    pub(crate) fn open(&mut self, path: &str) -> Result<Answer, String> {
        let answer = http::get_with(self.port, path, &self.cookies());
        Ok(self.keep(answer.map_err(|error| format!("GET {path}: {error}"))?))
    }

    /// Opens the sign-in page, fills its form in and follows to the dashboard.
    pub(crate) fn sign_in(&mut self, email: &str, password: &str) -> Result<(), String> {
        let page = self.open("/sign-in")?;
        let token = token(&page.body).ok_or_else(|| {
            format!("the sign-in page ({}) has no form with a token:\n{}", page.status, page.body)
        })?;
        let form =
            format!("_token={}&email={}&password={}", encoded(token), encoded(email), encoded(password));
        let answer = http::post_form(self.port, "/sign-in", &self.cookies(), &form);
        let answer = self.keep(answer.map_err(|error| format!("POST /sign-in: {error}"))?);
        let (status, place) = (answer.status, answer.header("location").unwrap_or_default().to_owned());
        if !place.ends_with("/dashboard") {
            return Err(format!("signing in as {email} was answered with {status} and leads to `{place}`"));
        }
        let dashboard = self.open("/dashboard")?;
        if dashboard.status == 200 {
            Ok(())
        } else {
            Err(format!("the dashboard answers {}", dashboard.status))
        }
    }

    /// The value of a `cookie` header.
    pub(crate) fn cookies(&self) -> String {
        let pairs: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join("; ")
    }

    fn keep(&mut self, answer: Answer) -> Answer {
        for (name, value) in answer.cookies.iter().filter_map(|cookie| cookie.split_once('=')) {
            self.cookies.retain(|(known, _)| known != name);
            // An empty value is how a server takes a cookie back.
            if !value.is_empty() {
                self.cookies.push((name.to_owned(), value.to_owned()));
            }
        }
        answer
    }
}

/// The token in the first form of a page.
fn token(page: &str) -> Option<&str> {
    let (_, field) = page.split_once("name=\"_token\"")?;
    let (field, _) = field.split_once('>')?;
    field.split_once("value=\"")?.1.split('"').next()
}

/// As a form sends it.
fn encoded(text: &str) -> String {
    text.bytes()
        .map(
            |byte| {
                if byte.is_ascii_alphanumeric() {
                    char::from(byte).to_string()
                } else {
                    format!("%{byte:02X}")
                }
            },
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_of_a_form_is_found() {
        let page =
            r#"<form><input type="hidden" name="_token" value="abc/+="><input name="x" value="1"></form>"#;
        assert_eq!(token(page), Some("abc/+="));
        assert_eq!(token("<form></form>"), None);
    }

    #[test]
    fn a_form_is_sent_without_a_letter_that_means_something() {
        assert_eq!(encoded("a b&c=ü"), "a%20b%26c%3D%C3%BC");
    }

    #[test]
    fn cookies_go_on_as_they_came() {
        let cookies = "token=abc.d%3D%3D; device=x=y";
        assert_eq!(Visitor::with_cookies(1, cookies).cookies(), cookies);
    }

    #[test]
    fn a_cookie_is_replaced_and_taken_back() {
        let answer = |cookie: &str| Answer {
            status: 200,
            headers: Vec::new(),
            cookies: vec![cookie.to_owned()],
            body: String::new(),
        };
        let mut visitor = Visitor::at(1);
        for cookie in ["a=1", "b=2", "a=3"] {
            visitor.keep(answer(cookie));
        }
        assert_eq!(visitor.cookies(), "b=2; a=3");
        visitor.keep(answer("b="));
        assert_eq!(visitor.cookies(), "a=3");
    }
}
