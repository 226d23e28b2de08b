use http::HeaderValue;

/// What a file is, by its extension.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContentType {
    name: &'static str,
    /// Whether the bundler may have left compressed siblings of such files.
    pub(crate) compressible: bool,
}

impl ContentType {
    pub(crate) fn of(file_name: &str) -> Self {
        let extension = match file_name.rsplit_once('.') {
            Some((_, extension)) => extension.to_ascii_lowercase(),
            // The one extensionless file whose type its readers insist on.
            None if file_name == "apple-app-site-association" => "json".to_owned(),
            None => String::new(),
        };
        let (name, compressible) = by_extension(&extension);
        Self { name, compressible }
    }

    pub(crate) fn header(self) -> HeaderValue {
        HeaderValue::from_static(self.name)
    }
}

/// What a file is, by its name: `image/png`. An unknown one is `application/octet-stream`.
pub fn content_type(file_name: &str) -> &'static str {
    ContentType::of(file_name).name
}

/// The types that a web application serves, sends and takes. An unknown one is downloaded rather than guessed at. That is why
/// this is not a table of all there are (`mime_guess`): that one also has `shtml` and `xht`, and a browser would run what
/// somebody uploaded by such a name.
fn by_extension(extension: &str) -> (&'static str, bool) {
    match extension {
        "html" | "htm" => ("text/html; charset=utf-8", true),
        "css" => ("text/css; charset=utf-8", true),
        "js" | "mjs" | "cjs" => ("text/javascript; charset=utf-8", true),
        "json" | "map" => ("application/json", true),
        "jsonld" => ("application/ld+json", true),
        "webmanifest" => ("application/manifest+json", true),
        "txt" | "text" | "log" => ("text/plain; charset=utf-8", true),
        "md" | "markdown" => ("text/markdown; charset=utf-8", true),
        "csv" => ("text/csv; charset=utf-8", true),
        "ics" => ("text/calendar; charset=utf-8", true),
        "vtt" => ("text/vtt; charset=utf-8", true),
        "xml" => ("application/xml", true),
        "rss" => ("application/rss+xml", true),
        "atom" => ("application/atom+xml", true),
        "xhtml" => ("application/xhtml+xml", true),
        "wasm" => ("application/wasm", true),
        "svg" => ("image/svg+xml", true),
        "ico" => ("image/x-icon", true),
        "bmp" => ("image/bmp", true),
        "png" => ("image/png", false),
        "apng" => ("image/apng", false),
        "jpg" | "jpeg" => ("image/jpeg", false),
        "gif" => ("image/gif", false),
        "webp" => ("image/webp", false),
        "avif" => ("image/avif", false),
        "jxl" => ("image/jxl", false),
        "heic" => ("image/heic", false),
        "tif" | "tiff" => ("image/tiff", false),
        "woff" => ("font/woff", false),
        "woff2" => ("font/woff2", false),
        "ttf" => ("font/ttf", true),
        "otf" => ("font/otf", true),
        "eot" => ("application/vnd.ms-fontobject", true),
        "mp3" => ("audio/mpeg", false),
        "m4a" => ("audio/mp4", false),
        "ogg" | "oga" => ("audio/ogg", false),
        "opus" => ("audio/opus", false),
        "flac" => ("audio/flac", false),
        "wav" => ("audio/wav", false),
        "aac" => ("audio/aac", false),
        "mp4" | "m4v" => ("video/mp4", false),
        "webm" => ("video/webm", false),
        "ogv" => ("video/ogg", false),
        "mov" => ("video/quicktime", false),
        "pdf" => ("application/pdf", false),
        "epub" => ("application/epub+zip", false),
        "doc" => ("application/msword", false),
        "xls" => ("application/vnd.ms-excel", false),
        "ppt" => ("application/vnd.ms-powerpoint", false),
        "docx" => ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", false),
        "xlsx" => ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", false),
        "pptx" => ("application/vnd.openxmlformats-officedocument.presentationml.presentation", false),
        "odt" => ("application/vnd.oasis.opendocument.text", false),
        "ods" => ("application/vnd.oasis.opendocument.spreadsheet", false),
        "odp" => ("application/vnd.oasis.opendocument.presentation", false),
        "rtf" => ("application/rtf", false),
        "eml" => ("message/rfc822", false),
        "tar" => ("application/x-tar", false),
        "7z" => ("application/x-7z-compressed", false),
        "zip" => ("application/zip", false),
        "gz" => ("application/gzip", false),
        "glb" => ("model/gltf-binary", true),
        "gltf" => ("model/gltf+json", true),
        _ => ("application/octet-stream", false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_told_by_the_last_ending_in_any_case() {
        assert_eq!(
            content_type("report.2026.XLSX"),
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        );
        assert_eq!(content_type("page.html"), "text/html; charset=utf-8");
    }

    #[test]
    fn what_is_rarely_html_is_downloaded() {
        for name in ["x.shtml", "x.xht", "x.svgz", "x", ".html.bak"] {
            assert_eq!(content_type(name), "application/octet-stream", "{name}");
        }
    }
}
