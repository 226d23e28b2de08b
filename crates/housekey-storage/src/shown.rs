use housekey_http::security::{CspSources, allow_sources};

/// Lets the present answer show what lies below an address that is not the app's own. The policy of an app names nothing but
/// itself: in a folder pictures would be seen, and in a bucket not.
// spec: DAT-5
pub(crate) fn allow_from(base: &str) {
    // Without a slash at its end it would be one file.
    let source = format!("{}/", base.trim_start_matches("//").trim_end_matches('/'));
    allow_sources(CspSources { img: vec![source.clone()], media: vec![source], ..CspSources::default() });
}
