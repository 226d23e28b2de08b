use housekey_core::{AppConfig, Error, Result};
use http::header::{
    CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY_REPORT_ONLY, CONTENT_TYPE, Entry, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue};

use super::csp::Policy;
use super::{CspSources, HstsConfig, SecurityConfig};
use crate::Response;

/// The headers of `config/security.rs`, checked at boot.
#[derive(Debug)]
pub(crate) struct SecurityHeaders {
    /// On every answer.
    everywhere: HeaderMap,
    /// On answers to connections that are known to be encrypted.
    hsts: Option<HeaderValue>,
    csp: Option<(HeaderName, Policy)>,
}

/// How many headers most answers have.
const USUAL_HEADERS: usize = 16;

const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

impl SecurityHeaders {
    pub(crate) fn new(config: &SecurityConfig, app: &AppConfig) -> Result<Self> {
        let permissions = config.permissions_policy.join(", ");
        let chosen = [
            (X_CONTENT_TYPE_OPTIONS, config.nosniff.then_some("nosniff")),
            (X_FRAME_OPTIONS, config.frame_options.as_deref()),
            (REFERRER_POLICY, config.referrer_policy.as_deref()),
            (PERMISSIONS_POLICY, Some(permissions.as_str())),
            (OPENER_POLICY, config.cross_origin_opener_policy.as_deref()),
            (RESOURCE_POLICY, config.cross_origin_resource_policy.as_deref()),
        ];
        // With room for those of an answer.
        let mut everywhere = HeaderMap::with_capacity(USUAL_HEADERS);
        for (name, value) in chosen {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                let value = header(&name, value)?;
                everywhere.insert(name, value);
            }
        }
        let mut hsts = (config.hsts.enabled && app.env.is_production())
            .then(|| header(&STRICT_TRANSPORT_SECURITY, &hsts(&config.hsts)))
            .transpose()?;
        if app.is_secure() {
            // Also behind a proxy that nobody listed, which cannot tell us that it speaks https: the app's address does.
            everywhere.extend(hsts.take().map(|hsts| (STRICT_TRANSPORT_SECURITY, hsts)));
        }
        let csp_name = match config.csp.report_only {
            true => CONTENT_SECURITY_POLICY_REPORT_ONLY,
            false => CONTENT_SECURITY_POLICY,
        };
        let csp = config.csp.enabled.then(|| Policy::new(&config.csp)).transpose()?;
        Ok(Self { everywhere, hsts, csp: csp.map(|policy| (csp_name, policy)) })
    }

    /// Adds what the answer does not have yet. `nonce` is the one its page used, if any; `secure` says whether the
    /// visitor's connection is encrypted. spec: SHL-6
    pub(crate) fn apply(&self, response: &mut Response, nonce: Option<&str>, secure: bool) {
        // Together: to add one to the other by name costs more than a page's own handful of headers.
        let own = std::mem::replace(response.headers_mut(), self.everywhere.clone());
        let headers = response.headers_mut();
        headers.extend(own);
        if let Some(hsts) = self.hsts.as_ref().filter(|_| secure) {
            add(headers, &STRICT_TRANSPORT_SECURITY, || hsts.clone());
        }
        if let Some((name, policy)) = self.csp.as_ref().filter(|_| is_document(headers)) {
            add(headers, name, || policy.header(nonce, CspSources::current().as_deref()));
        }
    }
}

fn add(headers: &mut HeaderMap, name: &HeaderName, value: impl FnOnce() -> HeaderValue) {
    if let Entry::Vacant(entry) = headers.entry(name) {
        entry.insert(value());
    }
}

fn is_document(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE).is_some_and(|value| {
        let starts_with = |prefix: &[u8]| {
            value.as_bytes().get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
        };
        starts_with(b"text/html") || starts_with(b"application/xhtml+xml")
    })
}

fn hsts(config: &HstsConfig) -> String {
    let mut value = format!("max-age={}", config.max_age);
    if config.include_subdomains {
        value.push_str("; includeSubDomains");
    }
    if config.preload {
        value.push_str("; preload");
    }
    value
}

fn header(name: &HeaderName, value: &str) -> Result<HeaderValue> {
    HeaderValue::from_str(value)
        .map_err(|_| Error::internal(format!("config/security.rs: {value:?} cannot be sent as {name}")))
}
