use serde_json::Value;

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
    let tenant = provider.settings.text("tenantId").unwrap_or_default();
    if !is_guid(tenant) {
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

/// Only a verified id token counts here: its `oid` is who it is. What it leaves out, the user info may have.
fn profile(call: ProfileCall<'_>) -> BoxFuture<'_, Result<Option<Profile>, SocialError>> {
    Box::pin(async move {
        let Some(claims) = call.claims else { return Ok(None) };
        let Some(user) = ProfileUser::read(claims, "oid") else { return Ok(None) };
        let info = match text(claims, "email") {
            Some(_) => Value::Null,
            None => call.get("https://graph.microsoft.com/oidc/userinfo").await.unwrap_or_default(),
        };
        let find = |name: &str| text(claims, name).or_else(|| text(&info, name));
        let email = find("email");
        let verified = user.clone().verified(claims, "email_verified").email_verified && email.is_some();
        let user = ProfileUser {
            name: find("name").or_else(|| full_name(find("given_name"), find("family_name"))),
            image: find("picture"),
            email_verified: verified,
            email: email.or_else(|| Some(placeholder(MICROSOFT_ENTRA_ID.id, &user.id))),
            ..user
        };
        Ok(Some(Profile::new(user, claims.clone())))
    })
}
