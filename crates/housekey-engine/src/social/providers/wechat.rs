use serde_json::{Map, Value};

use super::reading::placeholder;
use crate::http_client::HttpRequest;
use crate::social::{
    AuthorizationParams, Grant, ParameterOrder, Pkce, Profile, ProfileCall, ProfileSource, ProfileUser,
    Provider, ProviderKind, ProviderSpec, SocialError, TokenCall, TokenSet,
};
use crate::{BoxFuture, Secret};

pub(crate) const WECHAT: ProviderKind = ProviderKind { id: "wechat", name: "WeChat", spec };

impl Provider {
    /// Sign in with WeChat, for web sites. Register the app at <https://open.weixin.qq.com>. The page that shows the code to
    /// scan is in Chinese, or with `.with("lang", "en")` in English.
    pub fn wechat(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&WECHAT, client_id, client_secret)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    let lang = provider.settings.text("lang").unwrap_or("cn");
    ProviderSpec {
        authorization_endpoint: "https://open.weixin.qq.com/connect/qrconnect".into(),
        token_endpoint: "https://api.weixin.qq.com/sns/oauth2/access_token".into(),
        user_info_endpoint: Some("https://api.weixin.qq.com/sns/userinfo".into()),
        scopes: vec!["snsapi_login".into()],
        scope_separator: ",",
        pkce: Pkce::Off,
        client_id_name: "appid",
        parameter_order: ParameterOrder::ScopeFirst,
        authorization: AuthorizationParams {
            extras: vec![("lang".into(), lang.to_owned())],
            fragment: Some("wechat_redirect"),
            ..AuthorizationParams::default()
        },
        exchange: Some(exchange),
        profile: ProfileSource::Custom(profile),
        ..ProviderSpec::default()
    }
}

/// WeChat takes code and secret in the address of a GET, under names of its own.
fn exchange(call: TokenCall<'_>) -> BoxFuture<'_, Result<TokenSet, SocialError>> {
    Box::pin(async move {
        let appid = call.provider.client_id();
        let secret = call.provider.client_secret.reveal();
        let url = match call.grant {
            Grant::Code { code, .. } => with_query(
                "https://api.weixin.qq.com/sns/oauth2/access_token",
                &[("appid", appid), ("secret", secret), ("code", code), ("grant_type", "authorization_code")],
            ),
            Grant::Refresh(token) => with_query(
                "https://api.weixin.qq.com/sns/oauth2/refresh_token",
                &[("appid", appid), ("grant_type", "refresh_token"), ("refresh_token", token.reveal())],
            ),
        };
        let response = call.client.send(HttpRequest::get(url)).await?;
        let raw: Map<String, Value> = response.json()?;
        if !response.status.is_success() || has_failed(raw.get("errcode")) {
            // The number says what is wrong; the text beside it may repeat what we sent.
            let number = raw.get("errcode").and_then(Value::as_i64).unwrap_or_default();
            return Err(SocialError::exchange(format!("WeChat did not give tokens: errcode {number}")));
        }
        let mut tokens = TokenSet::read(raw, call.now);
        tokens.scopes = tokens.scopes.iter().flat_map(|scope| scope.split(',')).map(str::to_owned).collect();
        Ok(tokens)
    })
}

/// The id of the person stands beside the access token, and the profile can only be asked for with both.
fn profile(call: ProfileCall<'_>) -> BoxFuture<'_, Result<Option<Profile>, SocialError>> {
    Box::pin(async move {
        let openid = call.tokens.raw.get("openid").and_then(Value::as_str);
        let (Some(token), Some(openid)) = (&call.tokens.access_token, openid) else { return Ok(None) };
        let url = with_query(
            "https://api.weixin.qq.com/sns/userinfo",
            &[("access_token", token.reveal()), ("openid", openid), ("lang", "zh_CN")],
        );
        let data = call.send(HttpRequest::get(url)).await?;
        if has_failed(data.get("errcode")) {
            return Ok(None);
        }
        // The union id is the person at all apps of one developer, the open id the person at this one.
        let user = ProfileUser::read(&data, "unionid").or_else(|| ProfileUser::read(&data, "openid"));
        let user = user.unwrap_or_else(|| ProfileUser { id: openid.to_owned(), ..ProfileUser::default() });
        let mut user = user.name(&data, &["nickname"]).email(&data, "email").image(&data, "headimgurl");
        user.email = user.email.or_else(|| Some(placeholder(WECHAT.id, &user.id)));
        Ok(Some(Profile::new(user, data)))
    })
}

/// WeChat answers with success whatever happens; a code that is not 0 says that it did not work.
fn has_failed(errcode: Option<&Value>) -> bool {
    errcode.is_some_and(|code| !code.is_null() && code.as_i64() != Some(0))
}

fn with_query(url: &str, pairs: &[(&str, &str)]) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    format!("{url}?{query}")
}
