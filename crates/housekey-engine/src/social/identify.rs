//! Who comes from a provider.

use serde_json::{Map, Value};

use super::id_token::{From, claims_of_stored};
use super::runtime::{ReadyProvider, Social};
use super::{Jwks, Profile, ProfileCall, ProfileSource, ProfileUser, ProviderRequest, SocialError, TokenSet};

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
                self.verify(ready, token, hints.nonce, From::Provider).await?
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
                    self.claims.filter(|claims| subject.is_some() && claims.get("email").is_some());
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
        let with_headers = |request: ProviderRequest| {
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
