//! A code for tokens, and a refresh token for new ones.

use std::fmt;

use http::StatusCode;
use serde_json::{Map, Value};
use time::{Duration, OffsetDateTime};

use super::{Pkce, Provider, ProviderSpec, SocialError, TokenAuth, TokenSet};
use crate::http_client::{HttpClient, HttpRequest, HttpResponse};
use crate::{BoxError, Secret};

/// A token request, and what it is sent with.
#[derive(Clone, Copy)]
pub struct TokenCall<'a> {
    pub client: &'a dyn HttpClient,
    pub provider: &'a Provider,
    pub spec: &'a ProviderSpec,
    pub now: OffsetDateTime,
    pub grant: Grant<'a>,
}

/// What tokens are asked for with.
#[derive(Clone, Copy)]
pub enum Grant<'a> {
    /// The code of a callback.
    Code {
        code: &'a str,
        /// Of this flow; sent when the provider does PKCE.
        verifier: &'a str,
        redirect_uri: &'a str,
        /// VK sends one with the code and wants it back.
        device_id: Option<&'a str>,
    },
    /// A refresh token.
    Refresh(&'a Secret),
}

impl fmt::Debug for Grant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if matches!(self, Self::Code { .. }) { "Code" } else { "Refresh" })
    }
}

impl TokenCall<'_> {
    pub(super) async fn tokens(self) -> Result<TokenSet, SocialError> {
        let (provider, spec) = (self.provider, self.spec);
        if let (Grant::Refresh(token), true) = (self.grant, provider.settings.refresh_access_token.is_set()) {
            let answer = provider.settings.refresh_access_token.call(token.clone()).await;
            return answer.unwrap_or_else(|| Ok(TokenSet::default())).map_err(own_function);
        }
        let mut tokens = match spec.exchange {
            Some(exchange) => exchange(self).await?,
            None => self.read(&self.client.send(self.request()?).await?)?,
        };
        let default =
            provider.settings.access_token_expires_in.and_then(|seconds| i64::try_from(seconds).ok());
        if let (None, Some(seconds)) = (tokens.access_token_expires_at, default) {
            tokens.access_token_expires_at = self.now.checked_add(Duration::seconds(seconds));
        }
        Ok(tokens)
    }

    /// The token request.
    fn request(&self) -> Result<HttpRequest, SocialError> {
        let (provider, spec) = (self.provider, self.spec);
        let mut form: Vec<(&str, &str)> = Vec::new();
        let extras = match self.grant {
            Grant::Code { code, verifier, redirect_uri, device_id } => {
                form.extend([("grant_type", "authorization_code"), ("code", code)]);
                if spec.pkce != Pkce::Off {
                    form.push(("code_verifier", verifier));
                }
                form.extend(device_id.map(|id| ("device_id", id)));
                let redirect_uri = provider.settings.redirect_uri.as_deref().unwrap_or(redirect_uri);
                form.push(("redirect_uri", redirect_uri));
                &spec.token_params
            }
            Grant::Refresh(token) => {
                form.extend([("grant_type", "refresh_token"), ("refresh_token", token.reveal())]);
                &spec.refresh_params
            }
        };
        for (name, value) in extras {
            // They add, and replace nothing that the flow depends on.
            if !form.iter().any(|(other, _)| other == name) {
                form.push((name, value));
            }
        }
        let secret = match spec.client_secret {
            Some(make) if provider.client_secret.is_empty() => make(provider, self.now)?,
            _ => provider.client_secret.clone(),
        };
        let mut auth = spec.token_auth;
        if let (Grant::Refresh(_), Some(other)) = (self.grant, spec.refresh_auth) {
            auth = other;
        }
        if auth != TokenAuth::Basic {
            form.push((spec.client_id_name, provider.client_id()));
            if auth == TokenAuth::Post && !secret.is_empty() {
                form.push(("client_secret", secret.reveal()));
            }
        }
        let mut request = HttpRequest::post(spec.token_endpoint.clone(), &form);
        if auth == TokenAuth::Basic {
            request = request.basic(provider.client_id(), &secret);
        }
        for (name, value) in &spec.token_headers {
            request = request.header(name, value.reveal());
        }
        Ok(request)
    }

    fn read(&self, response: &HttpResponse) -> Result<TokenSet, SocialError> {
        let is_refresh = matches!(self.grant, Grant::Refresh(_));
        // A redirect is none of the successes: a secret is not carried elsewhere.
        if !response.status.is_success() {
            let word = response.json::<Map<String, Value>>().ok().and_then(|answer| error_word(&answer));
            return Err(refusal(response.status, word.as_deref()));
        }
        let answer: Map<String, Value> = response.json()?;
        let given_error = answer.get("error").is_some_and(|error| !error.is_null());
        let tokens = TokenSet::read(answer, self.now);
        if given_error {
            let word = error_word(&tokens.raw);
            let error = refusal(response.status, word.as_deref());
            // As in the reference: GitHub's is a code that was not taken, that of others a sign-in without a profile.
            return Err(if is_refresh || self.spec.refuses_with_success {
                error
            } else {
                SocialError::profile(error.to_string())
            });
        }
        if is_refresh && tokens.access_token.is_none() {
            return Err(SocialError::exchange("the provider answered a refresh without an access token"));
        }
        Ok(tokens)
    }
}

fn refusal(status: StatusCode, word: Option<&str>) -> SocialError {
    let status = status.as_u16();
    SocialError::exchange(match word {
        Some(word) => format!("the provider did not give tokens: {status}, {word}"),
        None => format!("the provider did not give tokens: {status}"),
    })
}

/// The provider's code for what is wrong (`invalid_grant`), if it looks like one: anything else might repeat what we sent.
fn error_word(answer: &Map<String, Value>) -> Option<String> {
    let word = answer.get("error")?.as_str()?;
    let is_code = word.len() <= 40 && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    is_code.then(|| word.to_owned())
}

/// A function of the app that failed. What its error says may hold anything, so nobody is told.
fn own_function(_: BoxError) -> SocialError {
    SocialError::exchange("the app's own function to refresh an access token failed")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::social::FakeProviders;

    const CODE: Grant<'static> = Grant::Code {
        code: "the code",
        verifier: "the verifier",
        redirect_uri: "http://localhost:3000/api/auth/callback/google",
        device_id: None,
    };

    async fn ask(
        provider: &Provider,
        grant: Grant<'_>,
        fakes: &FakeProviders,
    ) -> Result<TokenSet, SocialError> {
        let now = OffsetDateTime::UNIX_EPOCH;
        let spec = provider.spec();
        TokenCall { client: fakes, provider, spec: &spec, now, grant }.tokens().await
    }

    fn google(answer: Value) -> (Provider, FakeProviders) {
        let fakes = FakeProviders::new().json("https://oauth2.googleapis.com/token", answer);
        (Provider::google("id", "secret"), fakes)
    }

    #[tokio::test]
    async fn a_code_becomes_tokens() {
        let answer = json!({
            "access_token": "at", "refresh_token": "rt", "id_token": "it", "token_type": "Bearer",
            "expires_in": 3600, "refresh_token_expires_in": "60", "scope": "email  openid",
        });
        let (provider, fakes) = google(answer);
        let tokens = ask(&provider, CODE, &fakes).await.unwrap();
        assert_eq!(tokens.access_token.unwrap().reveal(), "at");
        assert_eq!(tokens.scopes, ["email", "openid"]);
        assert_eq!(tokens.access_token_expires_at.unwrap().unix_timestamp(), 3600);
        assert_eq!(tokens.refresh_token_expires_at.unwrap().unix_timestamp(), 60);
        let request = fakes.requests().pop().unwrap();
        let body = String::from_utf8(request.body.to_vec()).unwrap();
        assert_eq!(
            body,
            "grant_type=authorization_code&code=the+code&code_verifier=the+verifier\
             &redirect_uri=http%3A%2F%2Flocalhost%3A3000%2Fapi%2Fauth%2Fcallback%2Fgoogle\
             &client_id=id&client_secret=secret"
        );
        assert_eq!(request.headers["accept"], "application/json");
    }

    #[tokio::test]
    async fn basic_keeps_the_secret_out_of_the_form() {
        let (mut provider, fakes) = (Provider::new(&BASIC, "i d", "s:ü"), FakeProviders::new());
        provider.settings.access_token_expires_in = Some(90);
        let fakes = fakes.json("https://basic.example/token", json!({ "access_token": "at" }));
        let tokens = ask(&provider, CODE, &fakes).await.unwrap();
        assert_eq!(tokens.access_token_expires_at.unwrap().unix_timestamp(), 90);
        let request = fakes.requests().pop().unwrap();
        assert!(request.field("client_id").is_none() && request.field("client_secret").is_none());
        // base64("i+d:s%3A%C3%BC")
        assert_eq!(request.headers["authorization"], "Basic aStkOnMlM0ElQzMlQkM=");
        ask(&provider, Grant::Refresh(&"rt".into()), &fakes).await.unwrap();
        let refresh = fakes.requests().pop().unwrap();
        assert_eq!(refresh.field("client_secret").as_deref(), Some("s:ü"), "its refresh is by post");
    }

    const BASIC: crate::social::ProviderKind = crate::social::ProviderKind {
        id: "basic",
        name: "Basic",
        spec: |_| ProviderSpec {
            token_endpoint: "https://basic.example/token".into(),
            token_auth: TokenAuth::Basic,
            refresh_auth: Some(TokenAuth::Post),
            ..ProviderSpec::default()
        },
    };

    #[tokio::test]
    async fn an_error_with_status_200_gives_no_tokens() {
        let answer = json!({ "error": "bad_verification_code", "error_description": "the code" });
        let (provider, fakes) = google(answer.clone());
        let error = ask(&provider, CODE, &fakes).await.unwrap_err();
        assert!(error.is_profile(), "{error}");
        let fakes = FakeProviders::new().json("https://github.com/login/oauth/access_token", answer);
        let error = ask(&Provider::github("id", "s"), CODE, &fakes).await.unwrap_err();
        assert!(!error.is_profile(), "{error}");
        assert_eq!(error.to_string(), "the provider did not give tokens: 200, bad_verification_code");
    }

    #[tokio::test]
    async fn what_is_no_success_or_no_json_gives_no_tokens_and_no_hint_of_them() {
        for (status, body) in [
            (500, "the code"),
            (302, "{}"),
            (200, "<html>the code</html>"),
            (200, "[1]"),
            (200, ""),
            (400, r#"{"error":"the code secret"}"#),
        ] {
            let fakes = FakeProviders::new().answer("https://oauth2.googleapis.com/token", move |_| {
                Ok(HttpResponse {
                    status: StatusCode::from_u16(status).unwrap(),
                    headers: http::HeaderMap::new(),
                    body: body.into(),
                })
            });
            let error = ask(&Provider::google("id", "secret"), CODE, &fakes).await.unwrap_err();
            let text = format!("{error} {error:?}");
            assert!(!text.contains("the code") && !text.contains("secret"), "{text}");
        }
    }

    #[tokio::test]
    async fn a_refresh_without_an_access_token_is_none() {
        let (provider, fakes) = google(json!({ "access_token": 5 }));
        assert!(ask(&provider, Grant::Refresh(&"rt".into()), &fakes).await.is_err());
        let body = fakes.requests().pop().unwrap().form();
        let names: Vec<&str> = body.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["grant_type", "refresh_token", "client_id", "client_secret"]);
    }

    #[tokio::test]
    async fn a_lifetime_that_makes_no_sense_is_none() {
        for wrong in [json!(-1), json!(1e300), json!("soon"), json!(null), json!([3600])] {
            let (provider, fakes) = google(json!({ "access_token": "at", "expires_in": wrong }));
            assert_eq!(ask(&provider, CODE, &fakes).await.unwrap().access_token_expires_at, None);
        }
    }
}
