//! The address that a browser is sent to.

use data_encoding::BASE64URL_NOPAD;
use url::Url;

use super::runtime::ReadyProvider;
use super::{ParameterOrder, Pkce, ScopeOrder, SocialError};
use crate::crypto::sha256;

/// Parameters that belong to the flow itself: nobody may set them from outside.
pub(crate) const RESERVED: [&str; 8] = [
    "state",
    "client_id",
    "redirect_uri",
    "response_type",
    "code_challenge",
    "code_challenge_method",
    "nonce",
    "scope",
];

/// What one start has of its own.
#[derive(Clone, Copy, Default)]
pub(crate) struct Start<'a> {
    pub(crate) state: &'a str,
    /// The PKCE verifier.
    pub(crate) verifier: &'a str,
    pub(crate) nonce: Option<&'a str>,
    pub(crate) redirect_uri: &'a str,
    /// Scopes that this start asks for, besides those that are configured.
    pub(crate) scopes: &'a [String],
    pub(crate) login_hint: Option<&'a str>,
    /// More parameters. [`RESERVED`] ones are left out.
    pub(crate) additional: &'a [(String, String)],
}

impl ReadyProvider {
    /// The authorization address.
    pub(crate) fn authorization_url(&self, start: &Start<'_>) -> Result<String, SocialError> {
        let (provider, spec) = (&self.provider, &self.spec);
        if provider.lacks_secret(spec) {
            return Err(SocialError::refused(format!("the provider `{}` has no client secret", provider.id)));
        }
        let mut url = Url::parse(&spec.authorization_endpoint).map_err(|_| {
            SocialError::refused(format!("the authorization endpoint of `{}` is no address", provider.id))
        })?;
        let mut query = Query(url.query_pairs().into_owned().collect());
        let params = &spec.authorization;
        let scope = self.scopes(start.scopes).join(spec.scope_separator);
        let scope = Some(scope).filter(|scope| !scope.is_empty());
        let redirect_uri = provider.settings.redirect_uri.as_deref().unwrap_or(start.redirect_uri);
        if spec.parameter_order == ParameterOrder::ScopeFirst {
            query.set_some("scope", scope.as_deref());
            query.set("response_type", &params.response_type);
            query.set(spec.client_id_name, provider.client_id());
            query.set("redirect_uri", redirect_uri);
            query.set("state", start.state);
        } else {
            query.set("response_type", &params.response_type);
            query.set(spec.client_id_name, provider.client_id());
            query.set("state", start.state);
            if spec.parameter_order == ParameterOrder::Standard {
                query.set_some("scope", scope.as_deref());
            }
            query.set("redirect_uri", redirect_uri);
        }
        query.set_some("duration", params.duration.as_deref());
        query.set_some("display", params.display.as_deref());
        query.set_some("login_hint", start.login_hint.filter(|_| spec.login_hint));
        query.set_some("nonce", start.nonce);
        query.set_some("prompt", params.prompt.as_deref());
        query.set_some("hd", params.hd.as_deref());
        query.set_some("access_type", params.access_type.as_deref());
        query.set_some("response_mode", params.response_mode.as_deref());
        if spec.pkce == Pkce::S256 {
            query.set("code_challenge_method", "S256");
            query.set("code_challenge", &challenge(start.verifier));
        }
        query.set_some("claims", params.claims.as_deref());
        for (name, value) in params.extras.iter().chain(start.additional) {
            if !RESERVED.contains(&name.as_str()) {
                query.set(name, value);
            }
        }
        let mut query = query.written();
        if let Some(scope) = scope.filter(|_| spec.parameter_order == ParameterOrder::ScopeLast) {
            query = format!("{query}&scope={}", crate::url::component(&scope));
        }
        url.set_query(Some(&query));
        url.set_fragment(params.fragment);
        Ok(url.into())
    }

    /// All scopes to ask for. One that is asked for twice is sent twice, as the reference does.
    fn scopes(&self, asked: &[String]) -> Vec<String> {
        if !self.spec.sends_scopes {
            return Vec::new();
        }
        let (own, configured) = (self.spec.scopes.as_slice(), self.provider.settings.scope.as_slice());
        match self.spec.scope_order {
            ScopeOrder::Configured => [own, configured, asked].concat(),
            ScopeOrder::RequestBeforeSettings => [own, asked, configured].concat(),
            ScopeOrder::RequestFirst => [asked, own, configured].concat(),
        }
    }
}

/// What S256 makes of a PKCE verifier (RFC 7636): for whoever imitates a provider.
pub fn challenge(verifier: &str) -> String {
    BASE64URL_NOPAD.encode(&sha256(verifier.as_bytes()))
}

/// A query in which a later value replaces one of the same name, in its place.
struct Query(Vec<(String, String)>);

impl Query {
    fn set(&mut self, name: &str, value: &str) {
        match self.0.iter_mut().find(|(other, _)| other == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.0.push((name.to_owned(), value.to_owned())),
        }
    }

    /// An empty value is none.
    fn set_some(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            self.set(name, value);
        }
    }

    fn written(&self) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.0).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::social::Provider;

    fn url_of(provider: Provider, start: Start<'_>) -> String {
        let start = Start { state: "st", verifier: "ve", redirect_uri: "http://localhost:3000/cb", ..start };
        ReadyProvider::without_discovery(provider).authorization_url(&start).unwrap()
    }

    #[test]
    fn parameters_come_in_the_order_of_the_reference() {
        let asked = ["calendar".to_owned()];
        let start = Start { scopes: &asked, login_hint: Some("ada@example.com"), ..Start::default() };
        let mut provider = Provider::google("id", "secret").hosted_domain("example.com").scope("drive");
        provider.settings.prompt = Some("consent".into());
        provider.settings.access_type = Some("offline".into());
        assert_eq!(
            url_of(provider, start),
            format!(
                "https://accounts.google.com/o/oauth2/v2/auth?response_type=code&client_id=id&state=st\
                 &scope=email+profile+openid+drive+calendar&redirect_uri=http%3A%2F%2Flocalhost%3A3000%2Fcb\
                 &login_hint=ada%40example.com&prompt=consent&hd=example.com&access_type=offline\
                 &code_challenge_method=S256&code_challenge={}&include_granted_scopes=true",
                challenge("ve")
            )
        );
    }

    #[test]
    // RFC 7636, appendix B.
    fn the_challenge_is_that_of_the_standard() {
        assert_eq!(
            challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
    }

    #[test]
    fn a_parameter_of_the_flow_cannot_be_set_from_outside() {
        let additional = [("state", "evil"), ("redirect_uri", "https://evil.example"), ("theme", "dark")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        let url = url_of(Provider::github("id", "s"), Start { additional: &additional, ..Start::default() });
        assert!(!url.contains("evil") && url.ends_with("&theme=dark"), "{url}");
    }

    #[test]
    fn a_provider_without_its_secret_is_not_started() {
        let ready = ReadyProvider::without_discovery(Provider::google("id", ""));
        assert!(ready.authorization_url(&Start::default()).unwrap_err().is_refused());
    }
}
