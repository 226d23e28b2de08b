//! What the proxy itself answers: the progress page, the error page, and their plain forms for programs.

use std::fmt::Write as _;

use data_encoding::BASE64URL_NOPAD;
use serde_json::{Value, json};

use super::head::Head;
use super::state::{Phase, Problem, Progress};

const TEMPLATE: &str = include_str!("page.html");

#[derive(Debug)]
pub(crate) struct Response {
    status: &'static str,
    content_type: &'static str,
    headers: String,
    body: String,
}

impl Response {
    pub(crate) fn bytes(&self, head_only: bool) -> Vec<u8> {
        let Self { status, content_type, headers, body } = self;
        format!(
            "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
             X-Content-Type-Options: nosniff\r\n{headers}Connection: close\r\n\r\n{}",
            body.len(),
            if head_only { "" } else { body }
        )
        .into_bytes()
    }
}

/// The answer when there is no app to answer, or when the person should see why the last build failed.
pub(crate) fn in_place_of_app(phase: &Phase, head: &Head) -> Response {
    let (status, message) = match phase {
        Phase::Failed(problem) => ("500 Internal Server Error", problem.title.as_str()),
        Phase::Building(_) => ("503 Service Unavailable", "The app is being built."),
        Phase::SettingUp(_) => ("503 Service Unavailable", "The app is being set up."),
        Phase::Starting | Phase::Ready => ("503 Service Unavailable", "The app is starting."),
    };
    if head.opens_a_page() {
        return page(status, phase);
    }
    // A program gets 503 in every case: trying again later is the right thing to do.
    let status = "503 Service Unavailable";
    let headers = "Retry-After: 1\r\n".to_owned();
    if head.wants_json() {
        let body = json!({ "message": message, "code": "app_not_ready" }).to_string();
        Response { status, content_type: "application/json", headers, body }
    } else {
        Response { status, content_type: "text/plain; charset=utf-8", headers, body: format!("{message}\n") }
    }
}

/// The app took the request and hung up.
pub(crate) fn no_answer(head: &Head) -> Response {
    let message = "The app ended the connection without an answer. Its own output says why.";
    let mut response = plain("502 Bad Gateway", &format!("{message}\n"));
    if head.wants_json() {
        response.content_type = "application/json";
        response.body = json!({ "message": message, "code": "app_gave_no_answer" }).to_string();
    }
    response
}

pub(crate) fn status(status: &Value) -> Response {
    Response {
        status: "200 OK",
        content_type: "application/json",
        headers: String::new(),
        body: status.to_string(),
    }
}

pub(crate) fn malformed() -> Response {
    plain("400 Bad Request", "This is not an HTTP/1.1 request. `housekey dev` speaks http, not https.\n")
}

pub(crate) fn head_too_large() -> Response {
    plain("431 Request Header Fields Too Large", "The request's headers are larger than 64 KiB.\n")
}

fn plain(status: &'static str, body: &str) -> Response {
    Response {
        status,
        content_type: "text/plain; charset=utf-8",
        headers: String::new(),
        body: body.to_owned(),
    }
}

fn page(status: &'static str, phase: &Phase) -> Response {
    let nonce = nonce();
    let (state, title, content) = match phase {
        Phase::Failed(problem) => ("failed", problem.title.as_str(), failure(problem)),
        Phase::Building(progress) => ("waiting", "Building your app", waiting(BUILDING, progress)),
        Phase::SettingUp(progress) => ("waiting", "Setting up your app", waiting(SETTING_UP, progress)),
        Phase::Starting | Phase::Ready => {
            ("waiting", "Starting your app", waiting(BUILDING, &Progress::default()))
        }
    };
    let body = TEMPLATE
        .replace("{nonce}", &nonce)
        .replace("{state}", state)
        .replace("{title}", &escaped(title))
        .replace("{content}", &content);
    let headers = format!(
        "Retry-After: 1\r\nContent-Security-Policy: default-src 'none'; style-src 'nonce-{nonce}'; \
         script-src 'nonce-{nonce}'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'self'\r\n"
    );
    Response { status, content_type: "text/html; charset=utf-8", headers, body }
}

const BUILDING: &str = "The first build compiles every dependency once. After that, a change takes seconds.";
const SETTING_UP: &str =
    "It is built. What a new app needs once is being made: its tables and its first rows.";

fn waiting(lead: &str, progress: &Progress) -> String {
    let (value, count) = match progress.total {
        0 => (String::new(), String::new()),
        total => {
            (format!(" value=\"{}\" max=\"{total}\"", progress.done), format!("{} of {total}", progress.done))
        }
    };
    format!(
        "<p class=\"lead\">{lead}</p>\n\
         <progress id=\"bar\" aria-label=\"Build progress\"{value}></progress>\n\
         <p class=\"status\" role=\"status\"><span id=\"current\">{}</span> <span id=\"count\">{count}</span></p>",
        escaped(&progress.current)
    )
}

fn failure(problem: &Problem) -> String {
    let mut lines = String::new();
    for line in without_colours(&problem.detail).trim_end().lines() {
        let class = match line.trim_start() {
            text if text.starts_with("error") => "error",
            text if text.starts_with("warning") => "warning",
            text if text.starts_with("-->") || text.starts_with("= ") => "where",
            text if text.contains(" ^") || text.contains("| ^") => "mark",
            _ => "",
        };
        let text = escaped(line);
        // Writing to a string cannot fail.
        let _ = if class.is_empty() {
            writeln!(lines, "{text}")
        } else {
            writeln!(lines, "<span class=\"{class}\">{text}</span>")
        };
    }
    format!(
        "<p class=\"lead\">Fix it and save: this page follows by itself. Until then scripts and programs \
         reach the app as it was before.</p>\n<pre tabindex=\"0\" aria-label=\"What went wrong\">{lines}</pre>\n\
         <p class=\"status\" role=\"status\" id=\"current\"></p>"
    )
}

/// Text as HTML, without the control characters that a terminal would understand.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len() + text.len() / 8);
    for character in without_colours(text).chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            '{' => html.push_str("&#123;"),
            '\n' | '\t' => html.push(character),
            control if control.is_control() => {}
            other => html.push(other),
        }
    }
    html
}

fn without_colours(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

fn nonce() -> String {
    let mut bytes = [0; 16];
    // Without random numbers the page still shows; only its style and script, which then do not match, stay out.
    let _ = getrandom::fill(&mut bytes);
    BASE64URL_NOPAD.encode(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(headers: &str) -> Head {
        Head::read(&mut format!("GET / HTTP/1.1\r\n{headers}\r\n").as_bytes()).unwrap()
    }

    fn answer(phase: &Phase, headers: &str) -> String {
        String::from_utf8(in_place_of_app(phase, &head(headers)).bytes(false)).unwrap()
    }

    #[test]
    fn a_browser_sees_progress_and_a_program_is_told_to_come_back() {
        let phase = Phase::Building(Progress { done: 3, total: 9, current: "serde".into() });

        let page = answer(&phase, "Accept: text/html\r\n");
        assert!(page.starts_with("HTTP/1.1 503 ") && page.contains("Retry-After: 1"));
        assert!(page.contains("value=\"3\" max=\"9\"") && page.contains("serde"));

        let json = answer(&phase, "Accept: application/json\r\n");
        assert!(json.starts_with("HTTP/1.1 503 ") && json.contains("Retry-After: 1"));
        assert!(json.contains("\"message\":\"The app is being built.\""));

        assert!(answer(&phase, "Accept: */*\r\n").ends_with("The app is being built.\n"));
    }

    #[test]
    fn a_compiler_message_is_shown_as_text_whatever_it_holds() {
        let phase = Phase::Failed(Problem {
            title: "The app does not compile".into(),
            detail:
                "\x1b[1;31merror[E0308]\x1b[0m: expected `Vec<u8>`\u{7}\n  --> src/lib.rs:1\n{nonce}<script>"
                    .into(),
        });

        let page = answer(&phase, "Accept: text/html\r\n");

        assert!(page.starts_with("HTTP/1.1 500 "));
        assert!(
            page.contains("<span class=\"error\">error[E0308]: expected `Vec&lt;u8&gt;`</span>"),
            "{page}"
        );
        assert!(page.contains("&#123;nonce}&lt;script&gt;"), "{page}");
        assert!(!page.contains('\x1b') && !page.contains('\x07'));
    }

    #[test]
    fn every_placeholder_of_the_page_is_filled() {
        let page = answer(&Phase::Starting, "Accept: text/html\r\n");
        for placeholder in ["{nonce}", "{state}", "{title}", "{content}"] {
            assert!(!page.contains(placeholder), "{placeholder}");
        }
    }

    #[test]
    fn an_answer_to_head_has_the_length_and_no_body() {
        let response = status(&json!({ "phase": "ready" }));
        let bytes = String::from_utf8(response.bytes(true)).unwrap();
        assert!(bytes.contains("Content-Length: 17\r\n") && bytes.ends_with("\r\n\r\n"));
    }
}
