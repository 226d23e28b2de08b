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

/// The types a web application serves. An unknown one is downloaded rather than guessed at.
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
        "mp4" | "m4v" => ("video/mp4", false),
        "webm" => ("video/webm", false),
        "ogv" => ("video/ogg", false),
        "mov" => ("video/quicktime", false),
        "pdf" => ("application/pdf", false),
        "zip" => ("application/zip", false),
        "gz" => ("application/gzip", false),
        "glb" => ("model/gltf-binary", true),
        "gltf" => ("model/gltf+json", true),
        _ => ("application/octet-stream", false),
    }
}
