use std::net::Ipv4Addr;

use url::Url;

use crate::core::Core;
use crate::options::OriginRequest;

/// The origins that may call us and that links may lead to: our own, the configured ones, those of this request.
pub(crate) struct Origins {
    patterns: Vec<String>,
}

impl Origins {
    pub(crate) async fn of(core: &Core, request: impl FnOnce() -> OriginRequest) -> Self {
        let mut patterns = vec![core.base.origin().to_owned()];
        patterns.extend(core.options.trusted_origins.iter().cloned());
        if core.options.trusted_origins_for.is_set() {
            match core.options.trusted_origins_for.call(request()).await {
                Some(Ok(more)) => patterns.extend(more),
                Some(Err(error)) => tracing::error!(%error, "the function for trusted origins failed"),
                None => {}
            }
        }
        Self { patterns }
    }

    #[cfg(test)]
    fn new<const N: usize>(base: &crate::url::BaseUrl, patterns: [&str; N]) -> Self {
        let own = std::iter::once(base.origin().to_owned());
        Self { patterns: own.chain(patterns.map(str::to_owned)).collect() }
    }

    /// Whether an absolute address (an `Origin` header, a link) is trusted.
    pub(crate) fn trust(&self, address: &str) -> bool {
        let Ok(url) = Url::parse(address) else { return false };
        // A name and password in front of the host make one address look like another.
        if !url.username().is_empty() || url.password().is_some() {
            return false;
        }
        self.patterns.iter().any(|pattern| matches(pattern.trim(), &url, address))
    }

    /// Whether a link may lead there: a trusted address, or a path of our own.
    pub(crate) fn trust_link(&self, target: &str) -> bool {
        if target.chars().any(char::is_control) {
            return false;
        }
        if target.starts_with('/') { is_safe_path(target) } else { self.trust(target) }
    }
}

/// One leading slash, and nothing that a browser could take for a second one.
fn is_safe_path(target: &str) -> bool {
    let path = target.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    !path.starts_with("//") && !path.contains('\\') && !path.contains("%2f") && !path.contains("%5c")
}

fn matches(pattern: &str, url: &Url, address: &str) -> bool {
    let is_web = matches!(url.scheme(), "http" | "https");
    let origin = url.origin().ascii_serialization();
    if !pattern.contains(['*', '?']) {
        return if is_web {
            pattern.trim_end_matches('/') == origin
        } else {
            // `myapp://` trusts any authority of that scheme; a longer pattern must end where a part ends.
            pattern.contains("://")
                && address.strip_prefix(pattern).is_some_and(|rest| {
                    pattern.ends_with('/') || rest.is_empty() || rest.starts_with(['/', '?', '#'])
                })
        };
    }
    if pattern.contains("://") {
        return if is_web { glob(pattern, &origin) } else { glob(pattern, address) };
    }
    let Some(host) = url.host_str().filter(|_| is_web) else { return false };
    if pattern.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'*') {
        // An address range must not match a name such as 192.168.evil.example.
        return host.parse::<Ipv4Addr>().is_ok() && url.port().is_none() && glob(pattern, host);
    }
    let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
    glob(pattern, &host)
}

/// `*` stands for any characters but a slash, `?` for one of them.
fn glob(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(&byte) = text.get(t) {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&wanted) if wanted == byte || (wanted == b'?' && byte != b'/') => {
                p += 1;
                t += 1;
            }
            _ => {
                let Some((at, from)) = star else { return false };
                if text.get(from) == Some(&b'/') {
                    return false;
                }
                star = Some((at, from + 1));
                (p, t) = (at + 1, from + 1);
            }
        }
    }
    pattern.get(p..).is_none_or(|rest| rest.iter().all(|&byte| byte == b'*'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::EngineOptions;
    use crate::url::BaseUrl;

    fn origins<const N: usize>(patterns: [&str; N]) -> Origins {
        let options =
            EngineOptions { base_url: "https://app.example.com".into(), ..EngineOptions::default() };
        Origins::new(&BaseUrl::parse(&options).unwrap(), patterns)
    }

    #[test]
    fn our_own_origin_is_trusted_and_what_looks_like_it_is_not() {
        let origins = origins([]);
        assert!(origins.trust("https://app.example.com"));
        assert!(origins.trust("https://app.example.com/anything?x=1"));
        for foreign in [
            "http://app.example.com",
            "https://app.example.com:8443",
            "https://app.example.com.evil.test",
            "https://evil.test",
            "https://app.example.com@evil.test",
            "https://user@app.example.com",
            "null",
            "",
            "javascript:alert(1)",
            "//app.example.com",
        ] {
            assert!(!origins.trust(foreign), "{foreign}");
        }
    }

    #[test]
    fn patterns_match_what_the_reference_s_do() {
        let origins =
            origins(["https://*.example.org", "*.example.net", "myapp://", "other://pinned", "192.168.*.*"]);
        for good in [
            "https://a.example.org",
            "https://a.b.example.org",
            "https://x.example.net",
            "http://x.example.net",
            "myapp://anything/at/all",
            "other://pinned",
            "other://pinned/path",
            "http://192.168.1.7",
        ] {
            assert!(origins.trust(good), "{good}");
        }
        for bad in [
            "http://a.example.org",
            "https://example.org",
            "https://a.example.org.evil.test",
            "http://x.example.net:8080",
            "other://pinnedmore",
            "http://192.168.evil.test",
            "https://evil.test/a.example.org",
        ] {
            assert!(!origins.trust(bad), "{bad}");
        }
    }

    #[test]
    fn paths_of_our_own_are_trusted_and_those_that_lead_away_are_not() {
        let origins = origins([]);
        for good in ["/", "/dashboard", "/a/b?next=https%3A%2F%2Fx", "/a#b", "https://app.example.com/x"] {
            assert!(origins.trust_link(good), "{good}");
        }
        for bad in [
            "",
            "dash",
            "//evil.test",
            "/\\evil.test",
            "/%2fevil.test",
            "/%5Cevil.test",
            "/a\n",
            "https://evil.test",
            "\\\\evil",
        ] {
            assert!(!origins.trust_link(bad), "{bad}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_link_that_is_trusted_leaves_our_origin(target in "[/\\\\a-z:@.?#%25f ]{0,30}") {
            let origins = origins([]);
            if origins.trust_link(&target) {
                let base = Url::parse("https://app.example.com/page").unwrap();
                let resolved = base.join(&target).unwrap();
                proptest::prop_assert_eq!(resolved.origin(), base.origin());
            }
        }
    }
}
