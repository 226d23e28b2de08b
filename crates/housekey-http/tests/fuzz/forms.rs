use housekey_http::Routes;
use housekey_http::axum::body::Bytes;
use housekey_http::csrf::csrf_token;
use housekey_test_support::fuzz::fuzz;
use http::Method;

use crate::visitor::{Answer, Site, Visitor, request, site};

fn routes(route: &mut Routes) {
    route.get("/token", async || csrf_token());
    route.post("/note", async |body: Bytes| format!("post {}", body.len()));
    route.put("/note", async || "put");
    route.patch("/note", async || "patch");
    route.delete("/note", async || "delete");
}

struct Writer {
    runtime: tokio::runtime::Runtime,
    visitor: Visitor,
    token: String,
    _site: Site,
}

impl Writer {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let site = site(routes);
        let visitor = site.visitor();
        let token = runtime.block_on(visitor.text("/token"));
        Self { runtime, visitor, token, _site: site }
    }

    /// Sends a form; the token stands in a header, so that nothing but the form is tried.
    fn send(&self, kind: &str, body: &[u8]) -> Answer {
        let ask =
            request(Method::POST, "/note").header("content-type", kind).header("x-csrf-token", &self.token);
        let answer = self.runtime.block_on(self.visitor.send(ask.body(body)));
        assert!(!answer.status.is_server_error(), "{answer:?}");
        answer
    }
}

/// Whether the answer came from a handler of another method than the request's.
fn is_overridden(answer: &Answer) -> bool {
    answer.status == 405 || (answer.status == 200 && !answer.text().starts_with("post "))
}

// spec: SEC-7
#[test]
fn a_multipart_form_chooses_its_method_by_a_part_of_that_name_and_by_nothing_else() {
    let writer = Writer::new();
    fuzz(env!("CARGO_MANIFEST_DIR"), "multipart", <[u8]>::to_vec, |input| {
        let answer = writer.send("multipart/form-data; boundary=XX", input);
        if answer.status == 200 && answer.text().starts_with("post ") {
            assert_eq!(
                answer.text(),
                format!("post {}", input.len()),
                "the handler gets the form as it came"
            );
        }
        if is_overridden(&answer) {
            // Every part, and perhaps more: what stands before the first empty line of a piece between two marks.
            let heads = pieces(input, b"--XX").into_iter().map(|piece| before(piece, b"\r\n\r\n"));
            let mut heads = heads.map(|head| String::from_utf8_lossy(head).to_lowercase());
            assert!(
                heads.any(|head| head.contains("_method")),
                "the method came from inside a field: {answer:?}"
            );
        }
    });
}

// spec: SEC-7
#[test]
fn a_plain_form_chooses_its_method_by_a_field_of_that_name_and_by_nothing_else() {
    let writer = Writer::new();
    fuzz(env!("CARGO_MANIFEST_DIR"), "urlencoded", <[u8]>::to_vec, |input| {
        let answer = writer.send("application/x-www-form-urlencoded", input);
        let has_field = form_urlencoded::parse(input).any(|(name, _)| name == "_method");
        assert!(has_field || !is_overridden(&answer), "{answer:?}");
    });
}

fn pieces<'a>(bytes: &'a [u8], mark: &[u8]) -> Vec<&'a [u8]> {
    let (mut pieces, mut rest) = (Vec::new(), bytes);
    while let Some(at) = rest.windows(mark.len()).position(|window| window == mark) {
        pieces.push(&rest[..at]);
        rest = &rest[at + mark.len()..];
    }
    pieces.push(rest);
    pieces
}

fn before<'a>(bytes: &'a [u8], mark: &[u8]) -> &'a [u8] {
    let end = bytes.windows(mark.len()).position(|window| window == mark);
    &bytes[..end.unwrap_or(bytes.len())]
}
