/// Whether what is of this type cannot act in a browser, and may be shown there.
pub(crate) fn is_harmless(kind: &str) -> bool {
    let is_picture = kind.starts_with("image/") && kind != "image/svg+xml";
    let is_heard_or_seen = kind.starts_with("audio/") || kind.starts_with("video/");
    is_picture || is_heard_or_seen || kind.starts_with("text/plain")
}
