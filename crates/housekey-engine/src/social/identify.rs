//! Who comes from a provider.

use serde_json::{Map, Value};

use super::id_token::{Sender, claims_of_stored};
use super::provider::text;
use super::runtime::{ReadyProvider, Social};
use super::{Jwks, Profile, ProfileCall, ProfileSource, ProfileUser, SocialError, TokenSet};
use crate::http_client::HttpRequest;

/// What a callback knows besides tokens.
#[derive(Clone, Copy, Default)]
pub(crate) struct ProfileHints<'a> {
    /// What the id token has to bring back.
    pub(crate) nonce: Option<&'a str>,
    /// The form field `user` (Apple, at the first sign-in).
    pub(crate) form_user: Option<&'a Value>,
    /// The tokens come from our own table. The id token was verified when it came, and may have expired since.
    pub(crate) stored: bool,
}

impl Social {
    /// The profile of whoever the tokens of a code are about. An id token that came along has to hold.
    // spec: SOC-4
    pub(crate) async fn profile(
        &self,
        ready: &ReadyProvider,
        tokens: &TokenSet,
        hints: ProfileHints<'_>,
    ) -> Result<Profile, SocialError> {
        if hints.stored {
            let claims = tokens.id_token.as_ref().and_then(claims_of_stored);
            return self.profile_of_verified(ready, tokens, claims.as_ref(), None).await;
        }
        let verifiable = ready.spec.id_token.as_ref().is_some_and(|spec| spec.keys != Jwks::None);
        let claims = match &tokens.id_token {
            Some(token) if ready.spec.id_token.is_some() => {
                self.verify(ready, token, hints.nonce, Sender::Provider).await?
            }
            _ => None,
        };
        if claims.is_none() && hints.nonce.is_some() {
            return Err(SocialError::id_token("the provider sent no id token to compare the nonce with"));
        }
        if ready.provider.settings.require_id_token_verification && (claims.is_none() || !verifiable) {
            return Err(SocialError::id_token("the provider sent no id token that can be verified"));
        }
        self.profile_of_verified(ready, tokens, claims.as_ref(), hints.form_user).await
    }

    /// The profile of whoever tokens are about, the claims of the id token being verified already.
    pub(crate) async fn profile_of_verified(
        &self,
        ready: &ReadyProvider,
        tokens: &TokenSet,
        claims: Option<&Value>,
        form_user: Option<&Value>,
    ) -> Result<Profile, SocialError> {
        let (provider, spec) = (&ready.provider, &ready.spec);
        let call = ProfileCall { client: &*self.client, provider, spec, tokens, claims, form_user };
        let own = &provider.settings.get_user_info;
        // A token that says nothing by itself may be one that another app got: the provider's own way of asking finds that out.
        if claims.is_none() && own.is_set() && spec.id_token.as_ref().is_some_and(|spec| spec.opaque) {
            call.profile().await?.ok_or(SocialError::profile("the provider's profile was not taken"))?;
        }
        let found = match own.call(tokens.clone()).await {
            Some(found) => found.map_err(|_| SocialError::profile("the app's own getUserInfo failed"))?,
            None => call.profile().await?,
        };
        let mut profile = found.ok_or(SocialError::profile("the provider's profile was not taken"))?;
        if profile.user.id.is_empty() {
            return Err(SocialError::profile("the provider's profile has no id"));
        }
        if let Some(mapped) = provider.settings.map_profile_to_user.call(profile.data.clone()).await {
            let mapped = mapped.map_err(|_| SocialError::profile("the app's own mapProfileToUser failed"))?;
            profile.user.take_over(mapped);
        }
        Ok(profile)
    }
}

impl ProfileCall<'_> {
    async fn profile(self) -> Result<Option<Profile>, SocialError> {
        let mapped = |map: super::MapProfile, data: Value| {
            map(self.provider, &data).map(|user| Profile::new(user, data))
        };
        match &self.spec.profile {
            ProfileSource::IdToken(map) => {
                let claims = self.claims.ok_or(SocialError::profile("the provider sent no id token"))?;
                Ok(mapped(*map, claims.clone()))
            }
            ProfileSource::UserInfo { headers, map } => Ok(mapped(*map, self.user_info(headers).await?)),
            ProfileSource::Claims(map) => {
                let subject = self.claims.and_then(|claims| claims.get("sub")?.as_str());
                let complete =
                    self.claims.filter(|claims| subject.is_some() && text(claims, "email").is_some());
                let data = match complete {
                    Some(claims) => claims.clone(),
                    None => self.user_info(&[]).await?,
                };
                // A user info of somebody else: tokens were swapped (OpenID Connect Core 5.3.2).
                let is_verified = self.spec.id_token.as_ref().is_some_and(|spec| spec.keys != Jwks::None);
                if is_verified && subject.is_some() && data.get("sub").and_then(Value::as_str) != subject {
                    return Err(SocialError::profile(
                        "the user info is about somebody else than the id token",
                    ));
                }
                let mut profile = mapped(*map, data);
                if let (Some(profile), Some(subject)) = (&mut profile, subject)
                    && (is_verified || complete.is_some())
                {
                    subject.clone_into(&mut profile.user.id);
                }
                Ok(profile)
            }
            ProfileSource::Custom(fetch) => fetch(self).await,
        }
    }

    async fn user_info(&self, headers: &[(String, String)]) -> Result<Value, SocialError> {
        let Some(endpoint) = &self.spec.user_info_endpoint else {
            return Err(SocialError::profile("the provider has no user info to ask for"));
        };
        let with_headers = |request: HttpRequest| {
            headers.iter().fold(request, |request, (name, value)| request.header(name, value))
        };
        self.send(with_headers(self.request(endpoint)?)).await
    }
}

impl ProfileUser {
    /// Takes over what the app made of the profile. The id is not the app's to change: with it, it could take over accounts.
    fn take_over(&mut self, mapped: Map<String, Value>) {
        for (name, value) in mapped {
            let text = || value.as_str().map(str::to_owned);
            match name.as_str() {
                "id" => {}
                "name" => self.name = text(),
                "email" => self.email = text(),
                "image" => self.image = text(),
                "emailVerified" => self.email_verified = value == Value::Bool(true),
                _ => {
                    self.extra.insert(name, value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::http_client::HttpError;
    use crate::options::{EngineOptions, Shared, SocialOptions};
    use crate::social::providers::generic::GENERIC;
    use crate::social::{FakeKey, FakePerson, FakeProviders, Grant, Provider, Start};
    use crate::{Callback, Clock};

    const REDIRECT: &str = "http://localhost:3000/api/auth/callback/x";

    fn openid() -> Provider {
        let mut provider = Provider::new(&GENERIC, "id", "secret").with_id("example");
        provider.settings.discovery_url = Some("https://id.example/.well-known/openid-configuration".into());
        provider
    }

    fn plain() -> Provider {
        let mut provider = Provider::new(&GENERIC, "id", "secret").with_id("plain");
        provider.settings.authorization_endpoint = Some("https://plain.example/authorize".into());
        provider.settings.token_url = Some("https://plain.example/token".into());
        provider.settings.user_info_url = Some("https://plain.example/me".into());
        provider
    }

    fn social(fakes: &FakeProviders, provider: &Provider) -> Social {
        let options = EngineOptions {
            social_providers: [provider.clone()].into(),
            social: SocialOptions { http_client: Shared::new(Arc::new(fakes.clone())), ..Default::default() },
            ..EngineOptions::default()
        };
        Social::new(&options, Clock::system())
    }

    /// A whole sign-in: start, click, code, profile.
    async fn sign_in(fakes: &FakeProviders, provider: &Provider) -> Result<Profile, SocialError> {
        let social = social(fakes, provider);
        let ready = social.ready(&provider.id).await.unwrap();
        let nonce = ready.sends_nonce().then_some("the nonce");
        let verifier = "v".repeat(64);
        let start =
            Start { state: "s", verifier: &verifier, nonce, redirect_uri: REDIRECT, ..Start::default() };
        let back = fakes.approve(&ready.authorization_url(&start)?);
        let code = back.split_once("code=").unwrap().1.split('&').next().unwrap();
        let grant = Grant::Code { code, verifier: &verifier, redirect_uri: REDIRECT, device_id: None };
        let tokens = social.exchange(&ready, grant).await?;
        social.profile(&ready, &tokens, ProfileHints { nonce, ..ProfileHints::default() }).await
    }

    fn ada() -> FakePerson {
        FakePerson::new("7", "Ada", "ada@example.com")
    }

    #[tokio::test]
    // spec: SOC-8
    async fn google_github_and_any_openid_provider_say_who_this_is() {
        for provider in [Provider::google("id", "secret"), Provider::github("id", "secret"), openid()] {
            let fakes = FakeProviders::new().person(&provider, ada());
            let user = sign_in(&fakes, &provider).await.unwrap().user;
            assert_eq!((user.id.as_str(), user.name.as_deref()), ("7", Some("Ada")), "{}", provider.id);
            assert_eq!(user.email.as_deref(), Some("ada@example.com"), "{}", provider.id);
            assert!(user.email_verified, "{}", provider.id);
            let fakes = fakes.person(&provider, ada().unverified());
            assert!(!sign_in(&fakes, &provider).await.unwrap().user.email_verified, "{}", provider.id);
        }
    }

    #[tokio::test]
    // spec: SOC-4
    async fn an_id_token_is_verified_in_the_code_flow_too() {
        for provider in [Provider::google("id", "secret"), openid()] {
            for wrong in [
                json!({ "aud": "another app" }),
                json!({ "iss": "https://evil.example" }),
                json!({ "exp": 5 }),
            ] {
                let person = FakePerson { profile: wrong.as_object().unwrap().clone(), ..ada() };
                let fakes = FakeProviders::new().person(&provider, person);
                let error = sign_in(&fakes, &provider).await.unwrap_err();
                assert!(error.is_id_token(), "{}: {error} for {wrong}", provider.id);
            }
        }
        // A token endpoint that somebody else speaks for.
        let another = FakeKey::generate("fake");
        let google = Provider::google("id", "secret");
        let fakes = FakeProviders::new()
            .person(&google, ada())
            .json("https://www.googleapis.com/oauth2/v3/certs", FakeKey::set(&[&another]));
        assert!(sign_in(&fakes, &google).await.unwrap_err().is_id_token());
    }

    #[tokio::test]
    // spec: SOC-3
    async fn an_id_token_of_another_sign_in_is_refused() {
        let nonce = json!({ "nonce": "that of another sign-in" });
        let person = FakePerson { profile: nonce.as_object().unwrap().clone(), ..ada() };
        let fakes = FakeProviders::new().person(&openid(), person);
        assert!(sign_in(&fakes, &openid()).await.unwrap_err().to_string().contains("nonce"));
    }

    #[tokio::test]
    async fn user_info_of_somebody_else_is_refused() {
        let mut person = ada();
        person.profile.insert("email".into(), Value::Null);
        let fakes = FakeProviders::new().person(&openid(), person);
        let about = |sub: &str| json!({ "sub": sub, "id": "another", "email": "ada@example.com" });
        let fakes = fakes.json("https://id.example/userinfo", about("7"));
        let user = sign_in(&fakes, &openid()).await.unwrap().user;
        assert_eq!((user.id.as_str(), user.email.as_deref()), ("7", Some("ada@example.com")));
        let fakes = fakes.json("https://id.example/userinfo", about("8"));
        assert!(sign_in(&fakes, &openid()).await.unwrap_err().to_string().contains("somebody else"));
    }

    #[tokio::test]
    async fn a_plain_provider_is_asked_for_its_user_info() {
        let provider = plain();
        let me = json!({ "id": 12, "sub": "other", "name": "Ada", "email": "ada@example.com", "email_verified": "true" });
        let fakes = FakeProviders::new()
            .json("https://plain.example/token", json!({ "access_token": "at" }))
            .json("https://plain.example/me", me);
        let user = sign_in(&fakes, &provider).await.unwrap().user;
        assert_eq!((user.id.as_str(), user.email_verified), ("12", true));
        assert_eq!(fakes.requests().pop().unwrap().headers["authorization"], "Bearer at");
    }

    #[tokio::test]
    // spec: SOC-8
    async fn a_profile_without_an_id_or_no_profile_at_all_is_refused() {
        let provider = plain();
        let tokens = json!({ "access_token": "at" });
        let token = "https://plain.example/token";
        for me in
            [json!({ "name": "Ada" }), json!({ "id": "" }), json!({ "id": null }), json!([]), json!("x")]
        {
            let fakes = FakeProviders::new().json(token, tokens.clone()).json("https://plain.example/me", me);
            assert!(sign_in(&fakes, &provider).await.is_err());
        }
        let fakes = FakeProviders::new().json(token, json!({}));
        assert!(sign_in(&fakes, &provider).await.unwrap_err().is_profile(), "no token to ask with");
        let fakes = FakeProviders::new().json(token, tokens);
        assert!(sign_in(&fakes, &provider).await.unwrap_err().is_unreachable());
    }

    #[tokio::test]
    async fn an_app_maps_the_profile_but_not_the_id() {
        let mut google = Provider::google("id", "secret");
        google.settings.map_profile_to_user = Callback::new(|profile: Value| async move {
            let mapped =
                json!({ "id": "8", "name": profile["email"], "emailVerified": false, "team": "red" });
            Ok::<_, std::io::Error>(mapped.as_object().unwrap().clone())
        });
        let fakes = FakeProviders::new().person(&google, ada());
        let user = sign_in(&fakes, &google).await.unwrap().user;
        assert_eq!((user.id.as_str(), user.name.as_deref()), ("7", Some("ada@example.com")));
        assert!(!user.email_verified);
        assert_eq!(user.extra["team"], "red");
        assert!(!user.extra.contains_key("id"));
    }

    #[tokio::test]
    async fn an_app_fetches_the_profile_itself() {
        let mut github = Provider::github("id", "secret");
        github.settings.get_user_info = Callback::new(|_| async {
            let user = ProfileUser { id: "own".into(), ..ProfileUser::default() };
            Ok::<_, std::io::Error>(Some(Profile::new(user, Value::Null)))
        });
        let fakes = FakeProviders::new().person(&github, ada());
        assert_eq!(sign_in(&fakes, &github).await.unwrap().user.id, "own");
        github.settings.get_user_info = Callback::new(|_| async { Ok::<_, std::io::Error>(None) });
        assert!(sign_in(&fakes, &github).await.unwrap_err().is_profile());
    }

    #[tokio::test]
    // spec: SOC-5
    async fn an_app_that_fetches_the_profile_itself_is_given_no_token_of_another_app() {
        let mut facebook = Provider::facebook("id", "secret");
        facebook.settings.get_user_info = Callback::new(|_| async {
            let user = ProfileUser { id: "own".into(), ..ProfileUser::default() };
            Ok::<_, std::io::Error>(Some(Profile::new(user, Value::Null)))
        });
        let tokens = TokenSet { access_token: Some("at".into()), ..TokenSet::default() };
        for (app, is_taken) in [("id", true), ("another", false)] {
            let debug = json!({ "data": { "app_id": app, "is_valid": true, "user_id": "7" } });
            let fakes = FakeProviders::new()
                .json("https://graph.facebook.com/debug_token", debug)
                .json("https://graph.facebook.com/me", json!({ "id": "7" }));
            let social = social(&fakes, &facebook);
            let ready = social.ready("facebook").await.unwrap();
            let found = social.profile_of_verified(&ready, &tokens, None, None).await;
            assert_eq!(
                found.map(|profile| profile.user.id).ok().as_deref(),
                is_taken.then_some("own"),
                "{app}"
            );
        }
    }

    #[tokio::test]
    async fn a_stored_id_token_is_read_although_it_has_expired() {
        let google = Provider::google("id", "secret");
        let fakes = FakeProviders::new();
        let social = social(&fakes, &google);
        let ready = social.ready("google").await.unwrap();
        let token = FakeKey::rsa().sign(&json!({ "sub": "7", "exp": 5 }));
        let tokens = TokenSet { id_token: Some(token.into()), ..TokenSet::default() };
        assert!(social.profile(&ready, &tokens, ProfileHints::default()).await.is_err());
        let hints = ProfileHints { stored: true, ..ProfileHints::default() };
        assert_eq!(social.profile(&ready, &tokens, hints).await.unwrap().user.id, "7");
    }

    #[tokio::test]
    async fn github_without_its_addresses_has_no_proved_one() {
        let github = Provider::github("id", "secret");
        let fakes = FakeProviders::new()
            .person(&github, ada())
            .answer("https://api.github.com/user/emails", |_| Err(HttpError::unreachable("down")));
        let user = sign_in(&fakes, &github).await.unwrap().user;
        assert_eq!((user.email.as_deref(), user.email_verified), (Some("ada@example.com"), false));
    }
}
