use axum::body::Body;
use http::HeaderValue;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::Response;

/// What RFC 8187 lets stand as it is in `filename*`.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// An answer that the browser saves under a name. The content may be text, bytes, or a stream as it comes.
///
/// ```
/// use axum::body::Body;
/// use futures_util::stream;
/// use housekey_core::Result;
/// use housekey_http::Response;
/// use housekey_http::response::download;
///
/// async fn log() -> Response {
///     let lines = stream::iter((1..=3).map(|number| Ok::<_, std::io::Error>(format!("line {number}\n"))));
///     download("log.txt", Body::from_stream(lines))
/// }
/// ```
///
/// A stream that ends with an error breaks the connection: nobody takes half a file for a whole one.
pub fn download(file_name: &str, content: impl Into<Body>) -> Response {
    let mut response = Response::new(content.into());
    let headers = response.headers_mut();
    headers.insert(CONTENT_DISPOSITION, attachment(file_name));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// `Content-Disposition` for a file that is saved under this name, in any script.
pub fn attachment(file_name: &str) -> HeaderValue {
    let name: String = file_name.chars().filter(|letter| !letter.is_control()).collect();
    let plain: String = name
        .chars()
        .map(|letter| match letter {
            '"' | '\\' | '/' | '%' => '_',
            letter if letter.is_ascii() => letter,
            _ => '_',
        })
        .collect();
    let header =
        format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{}", utf8_percent_encode(&name, ENCODED));
    // Only ASCII without control characters is left.
    HeaderValue::try_from(header).unwrap_or(HeaderValue::from_static("attachment"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_any_script_is_written_so_that_nothing_breaks_out_of_it() {
        let header = |name| attachment(name).to_str().unwrap().to_owned();
        assert_eq!(header("a.csv"), "attachment; filename=\"a.csv\"; filename*=UTF-8''a.csv");
        assert_eq!(
            header("Grüße \"1\".csv\r\nx: y"),
            "attachment; filename=\"Gr__e _1_.csvx: y\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22.csvx%3A%20y"
        );
    }
}
