use housekey_core::{Error, Result};
use http::HeaderValue;

use super::{CspConfig, CspSources};

/// A content security policy, checked once and ready to be written.
#[derive(Debug)]
pub(super) struct Policy {
    directives: Vec<(String, Vec<String>)>,
    /// Without a nonce and further sources: what every other policy allows at least.
    plain: HeaderValue,
}

/// One directive of an answer: what is configured, and what the answer needs beyond it.
struct Directive<'a> {
    name: &'a str,
    configured: &'a [String],
    more: Vec<&'a str>,
}

const NONCE: &str = "'nonce'";
const NONE: &str = "'none'";

impl Policy {
    pub(super) fn new(config: &CspConfig) -> Result<Self> {
        let mut directives = directives(config);
        for (name, list) in &directives {
            check(name, list)?;
        }
        if let Some(uri) = &config.report_uri {
            check("report-uri", std::slice::from_ref(uri))?;
            directives.push(("report-uri".into(), vec![uri.clone()]));
        }
        let plain = HeaderValue::try_from(write(&as_configured(&directives), None))?;
        Ok(Self { directives, plain })
    }

    pub(super) fn header(&self, nonce: Option<&str>, more: Option<&CspSources>) -> HeaderValue {
        let directives = match (nonce, more) {
            (None, None) => return self.plain.clone(),
            (_, None) => as_configured(&self.directives),
            (_, Some(more)) => extended(&self.directives, more),
        };
        let policy = write(&directives, nonce);
        // Every part was checked; should one slip through, the plain policy is the stricter answer.
        HeaderValue::try_from(policy).unwrap_or_else(|_| self.plain.clone())
    }
}

fn directives(config: &CspConfig) -> Vec<(String, Vec<String>)> {
    let fixed = [
        ("default-src", &config.default_src),
        ("script-src", &config.script_src),
        ("style-src", &config.style_src),
        ("img-src", &config.img_src),
        ("font-src", &config.font_src),
        ("connect-src", &config.connect_src),
        ("media-src", &config.media_src),
        ("frame-src", &config.frame_src),
        ("worker-src", &config.worker_src),
        ("manifest-src", &config.manifest_src),
        ("object-src", &config.object_src),
        ("base-uri", &config.base_uri),
        ("form-action", &config.form_action),
        ("frame-ancestors", &config.frame_ancestors),
    ];
    let fixed = fixed.into_iter().filter(|(_, list)| !list.is_empty());
    let more = config.more.iter().map(|(name, list)| (name.clone(), list.clone()));
    fixed.map(|(name, list)| (name.to_owned(), list.clone())).chain(more).collect()
}

fn as_configured(directives: &[(String, Vec<String>)]) -> Vec<Directive<'_>> {
    directives.iter().map(|(name, configured)| Directive { name, configured, more: Vec::new() }).collect()
}

fn write(directives: &[Directive<'_>], nonce: Option<&str>) -> String {
    let mut policy = String::with_capacity(512);
    for Directive { name, configured, more } in directives {
        if !policy.is_empty() {
            policy.push_str("; ");
        }
        policy.push_str(name);
        let mut written = false;
        for source in configured.iter().map(String::as_str).chain(more.iter().copied()) {
            match (source, nonce) {
                (NONCE, None) => continue,
                (NONCE, Some(nonce)) => policy.extend([" 'nonce-", nonce, "'"]),
                // Beside a source that is allowed it would be a contradiction.
                (NONE, _) if !more.is_empty() => continue,
                (source, _) => policy.extend([" ", source]),
            }
            written = true;
        }
        // Only a nonce was allowed and nobody asked for one: bare, the directive would read as a typing error.
        if !written && !configured.is_empty() {
            policy.extend([" ", NONE]);
        }
    }
    policy
}

/// The directives with further sources. A directive that was absent starts from what applied in its place.
fn extended<'a>(configured: &'a [(String, Vec<String>)], more: &'a CspSources) -> Vec<Directive<'a>> {
    let mut directives = as_configured(configured);
    let additions = [
        ("script-src", &more.script),
        ("style-src", &more.style),
        ("connect-src", &more.connect),
        ("font-src", &more.font),
        ("img-src", &more.img),
        ("media-src", &more.media),
        ("worker-src", &more.worker),
        ("frame-src", &more.frame),
    ];
    for (name, sources) in additions {
        let more: Vec<_> = sources.iter().map(String::as_str).filter(|source| is_source(source)).collect();
        if more.is_empty() {
            continue;
        }
        if let Some(at) = position(&directives, name) {
            directives[at].more = more;
            continue;
        }
        let fallback = if name == "worker-src" { "script-src" } else { "default-src" };
        let inherited = position(&directives, fallback).or_else(|| position(&directives, "default-src"));
        let (configured, inherited) = match inherited.map(|at| &directives[at]) {
            Some(from) => (from.configured, from.more.clone()),
            None => (Default::default(), Vec::new()),
        };
        directives.push(Directive { name, configured, more: [inherited, more].concat() });
    }
    directives
}

fn position(directives: &[Directive<'_>], wanted: &str) -> Option<usize> {
    directives.iter().position(|directive| directive.name == wanted)
}

fn check(name: &str, list: &[String]) -> Result<()> {
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    if !is_name {
        return Err(Error::internal(format!(
            "config/security.rs: {name:?} is not the name of a CSP directive"
        )));
    }
    match list.iter().find(|source| !is_source(source)) {
        None => Ok(()),
        Some(source) => Err(Error::internal(format!(
            "config/security.rs: {source:?} in {name} is not one source; write each source as an item of its own, \
             without `;` or `,`"
        ))),
    }
}

/// One visible ASCII word: nothing that could end the directive, the policy or the header.
fn is_source(source: &str) -> bool {
    !source.is_empty() && source.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b';' | b','))
}

#[cfg(test)]
mod tests {
    use super::super::sources;
    use super::*;

    #[test]
    fn the_default_policy_is_strict_and_complete() {
        let policy = Policy::new(&CspConfig::default()).unwrap();
        assert_eq!(
            policy.header(Some("abc"), None),
            "default-src 'self'; script-src 'self' 'nonce-abc'; style-src 'self' 'nonce-abc'; img-src 'self' data:; \
             object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        );
        assert_eq!(
            policy.header(None, None),
            "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
             object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        );
    }

    #[test]
    fn further_sources_join_their_directive_or_what_stood_for_it() {
        let policy = Policy::new(&CspConfig::default()).unwrap();
        let more = CspSources {
            script: sources(["http://localhost:5173"]),
            connect: sources(["ws://localhost:5173", "https://evil.example; script-src *"]),
            frame: sources(["https://pay.example"]),
            ..Default::default()
        };
        let header = policy.header(None, Some(&more));
        let header = header.to_str().unwrap();
        assert!(header.contains("script-src 'self' http://localhost:5173;"), "{header}");
        assert!(header.contains("connect-src 'self' ws://localhost:5173;"), "{header}");
        assert!(header.ends_with("frame-src 'self' https://pay.example"), "{header}");
        assert!(!header.contains("evil"), "{header}");
    }

    #[test]
    fn every_answer_gets_the_policy_of_its_own_sources_and_nonce() {
        let policy = Policy::new(&CspConfig::default()).unwrap();
        let frames = |host: u32| CspSources {
            frame: sources([format!("https://{host}.example").as_str()]),
            ..Default::default()
        };
        for host in (0..50).chain(0..50) {
            let header = policy.header(None, Some(&frames(host)));
            assert!(header.to_str().unwrap().ends_with(&format!("frame-src 'self' https://{host}.example")));
            let nonce = format!("n{host}");
            let header = policy.header(Some(&nonce), Some(&frames(host)));
            assert!(header.to_str().unwrap().contains(&format!("script-src 'self' 'nonce-{nonce}';")));
        }
        assert!(!policy.header(None, None).to_str().unwrap().contains("example"));
    }

    #[test]
    fn a_directive_that_only_allowed_a_nonce_allows_nothing_without_one() {
        let config = CspConfig { script_src: sources(["'nonce'"]), ..Default::default() };
        let header = Policy::new(&config).unwrap().header(None, None);
        assert!(header.to_str().unwrap().contains("script-src 'none';"));
    }

    #[test]
    fn a_source_that_is_more_than_one_source_stops_the_boot() {
        for bad in ["'self' https://a.example", "a;b", "a,b", "", "a\nb", "ü"] {
            let config = CspConfig { img_src: sources([bad]), ..Default::default() };
            let error = Policy::new(&config).unwrap_err().to_string();
            assert!(error.contains("img-src") && error.contains("config/security.rs"), "{error}");
        }
    }
}
