use serde_json::{Value, json};

use super::generic::{existing, preset};
use super::reading::{full_name, placeholder};
use crate::social::provider::text;
use crate::social::{
    IdTokenSpec, Jwks, Profile, ProfileCall, ProfileSource, ProfileUser, Provider, ProviderKind,
    ProviderSpec, SocialError,
};
use crate::{BoxFuture, Secret};

pub(crate) const MICROSOFT_ENTRA_ID: ProviderKind =
    ProviderKind { id: "microsoft-entra-id", name: "Microsoft Entra ID", spec };

impl Provider {
    /// Sign in with one tenant of Microsoft Entra ID, named by its id. For more than one tenant, or personal accounts, take
    /// [`microsoft`](Self::microsoft).
    pub fn microsoft_entra_id(
        tenant_id: impl Into<String>,
        client_id: impl Into<String>,
        client_secret: impl Into<Secret>,
    ) -> Self {
        let tenant_id = tenant_id.into();
        existing(Self::new(&MICROSOFT_ENTRA_ID, client_id, client_secret), &tenant_id).tenant(tenant_id)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    let tenant = provider.settings.text("tenantId").unwrap_or_default().to_lowercase();
    if !is_guid(&tenant) {
        // `common` would let in everybody who has a Microsoft account. Without addresses nobody gets in.
        tracing::error!("the provider {} needs tenantId to be the id of a tenant, a GUID", provider.id);
        return ProviderSpec::default();
    }
    let base = format!("https://login.microsoftonline.com/{tenant}");
    ProviderSpec {
        authorization_endpoint: format!("{base}/oauth2/v2.0/authorize"),
        token_endpoint: format!("{base}/oauth2/v2.0/token"),
        user_info_endpoint: Some("https://graph.microsoft.com/oidc/userinfo".into()),
        end_session_endpoint: Some(format!("{base}/oauth2/v2.0/logout")),
        nonce: !provider.settings.disable_id_token_nonce_binding,
        id_token: Some(IdTokenSpec {
            keys: Jwks::Url(format!("{base}/discovery/v2.0/keys")),
            issuers: vec![format!("{base}/v2.0")],
            ..IdTokenSpec::default()
        }),
        profile: ProfileSource::Custom(profile),
        ..preset(provider, &["openid", "profile", "email"])
    }
}

fn is_guid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    lengths == [8, 4, 4, 4, 12] && groups.concat().bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Only a verified id token counts here: its `oid` is who it is. What it leaves out, the user info of the same person may have.
fn profile(call: ProfileCall<'_>) -> BoxFuture<'_, Result<Option<Profile>, SocialError>> {
    Box::pin(async move {
        let Some(claims) = call.claims else { return Ok(None) };
        let Some(id) = text(claims, "oid").filter(|id| !id.trim().is_empty()) else { return Ok(None) };
        let info = call.get("https://graph.microsoft.com/oidc/userinfo").await.ok();
        let info = info.filter(|info| text(info, "sub").is_some_and(|sub| Some(sub) == text(claims, "sub")));
        let find = |name: &str| text(claims, name).or_else(|| text(info.as_ref()?, name));
        let email = find("email");
        let verified = claims.get("email_verified").or_else(|| info.as_ref()?.get("email_verified"));
        let is_verified = verified.is_some_and(|said| *said == Value::Bool(true) || said == "true");
        let user = ProfileUser {
            name: name(claims).or_else(|| name(info.as_ref()?)),
            image: find("picture"),
            email_verified: is_verified && email.is_some(),
            email: email.or_else(|| Some(placeholder(MICROSOFT_ENTRA_ID.id, &id))),
            id,
            ..ProfileUser::default()
        };
        let mut data = info.unwrap_or_else(|| json!({}));
        if let (Some(all), Some(claims)) = (data.as_object_mut(), claims.as_object()) {
            all.extend(claims.clone());
        }
        Ok(Some(Profile::new(user, data)))
    })
}

fn name(profile: &Value) -> Option<String> {
    // The graph writes these two without an underscore.
    let either = |name: &str, graph: &str| text(profile, name).or_else(|| text(profile, graph));
    text(profile, "name")
        .or_else(|| full_name(either("given_name", "givenname"), either("family_name", "familyname")))
}
