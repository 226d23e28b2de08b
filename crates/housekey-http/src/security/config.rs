use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// `config/security.rs`: the headers every answer carries unless its route set them itself.
///
/// ```
/// use housekey_http::security::{CspConfig, SecurityConfig, sources};
///
/// pub fn security() -> SecurityConfig {
///     SecurityConfig {
///         csp: CspConfig { img_src: sources(["'self'", "data:", "https://images.example"]), ..Default::default() },
///         ..Default::default()
///     }
/// }
/// # security();
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SecurityConfig {
    /// `Content-Security-Policy`, on documents.
    pub csp: CspConfig,
    /// `Strict-Transport-Security`, in production over https.
    pub hsts: HstsConfig,
    /// `X-Frame-Options`, for browsers that do not know `frame-ancestors`.
    pub frame_options: Option<String>,
    pub referrer_policy: Option<String>,
    /// `Permissions-Policy`, one feature each: `camera=()`.
    pub permissions_policy: Vec<String>,
    /// `Cross-Origin-Opener-Policy`. Sign-in in a popup of another site needs `same-origin-allow-popups`.
    pub cross_origin_opener_policy: Option<String>,
    /// `Cross-Origin-Resource-Policy`. Images that other sites embed need `cross-origin`.
    pub cross_origin_resource_policy: Option<String>,
    /// `X-Content-Type-Options: nosniff`.
    pub nosniff: bool,
}

impl Default for SecurityConfig {
    fn default() -> Self {
        Self {
            csp: CspConfig::default(),
            hsts: HstsConfig::default(),
            frame_options: Some("DENY".into()),
            referrer_policy: Some("strict-origin-when-cross-origin".into()),
            permissions_policy: sources([
                "camera=()",
                "geolocation=()",
                "microphone=()",
                "payment=()",
                "usb=()",
            ]),
            cross_origin_opener_policy: Some("same-origin".into()),
            cross_origin_resource_policy: Some("same-origin".into()),
            nosniff: true,
        }
    }
}

/// The content security policy, directive by directive. An empty list leaves the directive out, and the browser falls
/// back to `default_src`.
///
/// `'nonce'` stands for the nonce of the answer. It is written only where a page asked for one: a policy without a
/// nonce is the stricter one.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CspConfig {
    /// Whether the header is sent at all.
    pub enabled: bool,
    /// Reports violations without preventing them; use it with `report_uri` while tightening a policy.
    pub report_only: bool,
    /// Where browsers send their reports.
    pub report_uri: Option<String>,
    /// What applies where nothing more particular is said.
    pub default_src: Vec<String>,
    pub script_src: Vec<String>,
    pub style_src: Vec<String>,
    pub img_src: Vec<String>,
    pub font_src: Vec<String>,
    /// `fetch`, web sockets, event streams.
    pub connect_src: Vec<String>,
    /// Sound and video.
    pub media_src: Vec<String>,
    /// Frames in our pages.
    pub frame_src: Vec<String>,
    pub worker_src: Vec<String>,
    /// The application manifest.
    pub manifest_src: Vec<String>,
    /// Plug-ins.
    pub object_src: Vec<String>,
    /// What `<base>` may say.
    pub base_uri: Vec<String>,
    /// Where forms may go.
    pub form_action: Vec<String>,
    /// Who may frame our pages.
    pub frame_ancestors: Vec<String>,
    /// Any other directive by its name; one without sources is written bare (`upgrade-insecure-requests`).
    pub more: BTreeMap<String, Vec<String>>,
}

impl Default for CspConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            report_only: false,
            report_uri: None,
            default_src: sources(["'self'"]),
            script_src: sources(["'self'", "'nonce'"]),
            style_src: sources(["'self'", "'nonce'"]),
            img_src: sources(["'self'", "data:"]),
            font_src: Vec::new(),
            connect_src: Vec::new(),
            media_src: Vec::new(),
            frame_src: Vec::new(),
            worker_src: Vec::new(),
            manifest_src: Vec::new(),
            object_src: sources(["'none'"]),
            base_uri: sources(["'none'"]),
            form_action: sources(["'self'"]),
            frame_ancestors: sources(["'none'"]),
            more: BTreeMap::new(),
        }
    }
}

/// `Strict-Transport-Security`. It is sent in production and over https only: a browser that saw it once refuses plain
/// http for the whole of `max_age`, also on a developer's machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HstsConfig {
    pub enabled: bool,
    /// For how many seconds.
    pub max_age: u64,
    pub include_subdomains: bool,
    /// Whether browsers may ship it in their lists. Hard to take back.
    pub preload: bool,
}

impl Default for HstsConfig {
    fn default() -> Self {
        Self { enabled: true, max_age: 31_536_000, include_subdomains: true, preload: false }
    }
}

/// A list of sources from plain text: `sources(["'self'", "https://cdn.example"])`.
pub fn sources<const N: usize>(list: [&str; N]) -> Vec<String> {
    list.map(str::to_owned).into()
}
