use serde_json::{Value, json};

use super::{Auth, Case, check};
use crate::social::{CognitoPool, Provider};

const IMAGE: &str = "https://example.com/ada.png";

fn standard() -> Value {
    json!({
        "sub": "s-1", "name": "Ada", "email": "ada@example.com", "email_verified": true, "picture": IMAGE,
    })
}

fn offline(mut provider: Provider) -> Provider {
    provider.settings.access_type = Some("offline".into());
    provider
}

#[tokio::test]
// spec: SOC-8
async fn the_other_named_ones_are_asked_and_read_as_by_the_reference() {
    let (name, email, image) = (Some("Ada"), Some("ada@example.com"), Some(IMAGE));
    let pool = CognitoPool {
        domain: "https://app.auth.us-east-1.amazoncognito.com".into(),
        region: "us-east-1".into(),
        user_pool_id: "us-east-1_A".into(),
    };
    check(vec![
        Case {
            provider: Provider::atlassian("id", "secret"),
            authorization: "https://auth.atlassian.com/authorize?response_type=code&client_id=id\
                            &scope=read:jira-user offline_access&audience=api.atlassian.com",
            pkce: true,
            token: "https://auth.atlassian.com/oauth/token",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://api.atlassian.com/me",
                json!({ "account_id": "a-1", "name": "Ada", "email": "ada@example.com", "picture": IMAGE }),
            )],
            person: ("a-1", name, email, image, false),
        },
        Case {
            provider: Provider::cloudflare("id", "secret"),
            authorization: "https://dash.cloudflare.com/oauth2/auth?response_type=code&client_id=id&scope=user-details.read",
            pkce: true,
            token: "https://dash.cloudflare.com/oauth2/token",
            auth: Auth::Basic,
            claims: None,
            answers: vec![(
                "https://api.cloudflare.com/client/v4/user",
                json!({ "success": true, "result": { "id": "c-1", "email": "ada@example.com", "first_name": null } }),
            )],
            person: ("c-1", email, email, None, false),
        },
        Case {
            provider: Provider::cognito(pool, "id", "secret").with("identityProvider", "Google"),
            authorization: "https://app.auth.us-east-1.amazoncognito.com/oauth2/authorize?response_type=code\
                            &client_id=id&identity_provider=Google&scope=openid profile email",
            pkce: true,
            token: "https://app.auth.us-east-1.amazoncognito.com/oauth2/token",
            auth: Auth::Post,
            claims: Some(standard()),
            answers: vec![],
            person: ("s-1", name, email, image, true),
        },
        Case {
            provider: offline(Provider::dropbox("id", "secret")),
            authorization: "https://www.dropbox.com/oauth2/authorize?response_type=code&client_id=id&scope=account_info.read\
                            &token_access_type=offline",
            pkce: true,
            token: "https://api.dropboxapi.com/oauth2/token",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://api.dropboxapi.com/2/users/get_current_account",
                json!({
                    "account_id": "dbid:1", "name": { "display_name": "Ada" }, "email": "ada@example.com",
                    "email_verified": true, "profile_photo_url": IMAGE,
                }),
            )],
            person: ("dbid:1", name, email, image, true),
        },
        Case {
            provider: Provider::figma("id", "secret"),
            authorization: "https://www.figma.com/oauth?response_type=code&client_id=id&scope=current_user:read",
            pkce: true,
            token: "https://api.figma.com/v1/oauth/token",
            auth: Auth::Basic,
            claims: None,
            answers: vec![(
                "https://api.figma.com/v1/me",
                json!({ "id": "f-1", "handle": "Ada", "email": "ada@example.com", "img_url": IMAGE }),
            )],
            person: ("f-1", name, email, image, false),
        },
        Case {
            provider: Provider::huggingface("id", "secret"),
            authorization: "https://huggingface.co/oauth/authorize?response_type=code&client_id=id\
                            &scope=openid profile email",
            pkce: true,
            token: "https://huggingface.co/oauth/token",
            auth: Auth::Post,
            claims: None,
            answers: vec![("https://huggingface.co/oauth/userinfo", standard())],
            person: ("s-1", name, email, image, true),
        },
        Case {
            provider: Provider::kakao("id", "secret"),
            authorization: "https://kauth.kakao.com/oauth/authorize?response_type=code&client_id=id\
                            &scope=account_email profile_image profile_nickname",
            pkce: false,
            token: "https://kauth.kakao.com/oauth/token",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://kapi.kakao.com/v2/user/me",
                json!({ "id": 12345678901_u64, "kakao_account": {
                    "profile": { "nickname": "Ada", "thumbnail_image_url": IMAGE }, "email": "ada@example.com",
                    "is_email_valid": true, "is_email_verified": true,
                } }),
            )],
            person: ("12345678901", name, email, image, true),
        },
        Case {
            provider: Provider::kick("id", "secret"),
            authorization: "https://id.kick.com/oauth/authorize?response_type=code&client_id=id&scope=user:read",
            pkce: true,
            token: "https://id.kick.com/oauth/token",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://api.kick.com/public/v1/users",
                json!({ "data": [{ "user_id": 5, "name": "Ada", "email": "ada@example.com", "profile_picture": IMAGE }] }),
            )],
            person: ("5", name, email, image, false),
        },
        Case {
            provider: Provider::line("id", "secret"),
            authorization: "https://access.line.me/oauth2/v2.1/authorize?response_type=code&client_id=id\
                            &scope=openid profile email",
            pkce: true,
            token: "https://api.line.me/oauth2/v2.1/token",
            auth: Auth::Post,
            claims: Some(standard()),
            answers: vec![],
            person: ("s-1", name, email, image, false),
        },
        Case {
            provider: Provider::linear("id", "secret"),
            authorization: "https://linear.app/oauth/authorize?response_type=code&client_id=id&scope=read",
            pkce: false,
            token: "https://api.linear.app/oauth/token",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://api.linear.app/graphql",
                json!({ "data": { "viewer": { "id": "l-1", "name": "Ada", "email": "ada@example.com", "avatarUrl": IMAGE } } }),
            )],
            person: ("l-1", name, email, image, false),
        },
        Case {
            provider: Provider::naver("id", "secret"),
            authorization: "https://nid.naver.com/oauth2.0/authorize?response_type=code&client_id=id&scope=profile email",
            pkce: false,
            token: "https://nid.naver.com/oauth2.0/token",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://openapi.naver.com/v1/nid/me",
                json!({ "resultcode": "00", "response": {
                    "id": "n-1", "nickname": "Ada", "email": "ada@example.com", "profile_image": IMAGE,
                } }),
            )],
            person: ("n-1", name, email, image, false),
        },
        Case {
            provider: Provider::paybin("id", "secret"),
            authorization: "https://idp.paybin.io/oauth2/authorize?response_type=code&client_id=id\
                            &scope=openid email profile",
            pkce: true,
            token: "https://idp.paybin.io/oauth2/token",
            auth: Auth::Post,
            claims: Some(standard()),
            answers: vec![],
            person: ("s-1", name, email, image, true),
        },
        Case {
            provider: Provider::paypal("id", "secret").with("environment", "live"),
            authorization: "https://www.paypal.com/signin/authorize?response_type=code&client_id=id",
            pkce: true,
            token: "https://api-m.paypal.com/v1/oauth2/token",
            auth: Auth::Basic,
            claims: None,
            answers: vec![(
                "https://api-m.paypal.com/v1/identity/oauth2/userinfo?schema=paypalv1.1",
                json!({ "user_id": "p-1", "name": "Ada", "email": "ada@example.com", "email_verified": "true", "picture": IMAGE }),
            )],
            person: ("p-1", name, email, image, true),
        },
        Case {
            provider: Provider::polar("id", "secret"),
            authorization: "https://polar.sh/oauth2/authorize?response_type=code&client_id=id&scope=openid profile email",
            pkce: true,
            token: "https://api.polar.sh/v1/oauth2/token",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://api.polar.sh/v1/oauth2/userinfo",
                json!({ "id": "po-1", "username": "Ada", "email": "ada@example.com", "avatar_url": IMAGE }),
            )],
            person: ("po-1", name, email, image, false),
        },
        Case {
            provider: Provider::railway("id", "secret"),
            authorization: "https://backboard.railway.com/oauth/auth?response_type=code&client_id=id\
                            &scope=openid email profile",
            pkce: true,
            token: "https://backboard.railway.com/oauth/token",
            auth: Auth::Basic,
            claims: None,
            answers: vec![("https://backboard.railway.com/oauth/me", standard())],
            person: ("s-1", name, email, image, false),
        },
        Case {
            provider: Provider::reddit("id", "secret").with("duration", "permanent"),
            authorization: "https://www.reddit.com/api/v1/authorize?response_type=code&client_id=id&scope=identity\
                            &duration=permanent",
            pkce: false,
            token: "https://www.reddit.com/api/v1/access_token",
            auth: Auth::Basic,
            claims: None,
            answers: vec![(
                "https://oauth.reddit.com/api/v1/me",
                json!({ "id": "r1", "name": "Ada", "icon_img": format!("{IMAGE}?s=1"), "has_verified_email": true }),
            )],
            person: ("r1", name, Some("r1@reddit.placeholder.invalid"), image, false),
        },
        Case {
            provider: Provider::roblox("id", "secret"),
            authorization: "https://apis.roblox.com/oauth/v1/authorize?response_type=code&client_id=id\
                            &scope=openid profile&prompt=select_account consent",
            pkce: false,
            token: "https://apis.roblox.com/oauth/v1/token",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://apis.roblox.com/oauth/v1/userinfo",
                json!({ "sub": "77", "nickname": "Ada", "preferred_username": "ada", "picture": IMAGE }),
            )],
            person: ("77", name, Some("77@roblox.placeholder.invalid"), image, false),
        },
        Case {
            provider: Provider::salesforce("id", "secret").with("environment", "sandbox"),
            authorization: "https://test.salesforce.com/services/oauth2/authorize?response_type=code&client_id=id\
                            &scope=openid email profile",
            pkce: true,
            token: "https://test.salesforce.com/services/oauth2/token",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://test.salesforce.com/services/oauth2/userinfo",
                json!({
                    "sub": "https://test.salesforce.com/id/1", "user_id": "005", "name": "Ada", "email": "ada@example.com",
                    "email_verified": true, "photos": { "thumbnail": IMAGE },
                }),
            )],
            person: ("005", name, email, image, true),
        },
        Case {
            provider: Provider::tiktok("id", "secret"),
            authorization: "https://www.tiktok.com/v2/auth/authorize?scope=user.info.profile&response_type=code&client_key=id",
            pkce: false,
            token: "https://open.tiktokapis.com/v2/oauth/token/",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://open.tiktokapis.com/v2/user/info/?fields=open_id,avatar_large_url,display_name,username",
                json!({ "data": { "user": { "open_id": "-000a", "display_name": "Ada", "avatar_large_url": IMAGE } } }),
            )],
            person: ("-000a", name, Some("-000a@tiktok.placeholder.invalid"), image, false),
        },
        Case {
            provider: Provider::vercel("id", "secret"),
            authorization: "https://vercel.com/oauth/authorize?response_type=code&client_id=id",
            pkce: true,
            token: "https://api.vercel.com/login/oauth/token",
            auth: Auth::Post,
            claims: None,
            answers: vec![("https://api.vercel.com/login/oauth/userinfo", standard())],
            person: ("s-1", name, email, image, true),
        },
        Case {
            provider: Provider::vk("id", "secret"),
            authorization: "https://id.vk.com/authorize?response_type=code&client_id=id&scope=email phone",
            pkce: true,
            token: "https://id.vk.com/oauth2/auth",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://id.vk.com/oauth2/user_info",
                json!({ "user": {
                    "user_id": 3, "first_name": "Ada", "last_name": "Lovelace", "email": "ada@example.com", "avatar": IMAGE,
                } }),
            )],
            person: ("3", Some("Ada Lovelace"), email, image, false),
        },
        Case {
            provider: Provider::wechat("id", "secret"),
            authorization: "https://open.weixin.qq.com/connect/qrconnect?scope=snsapi_login&response_type=code&appid=id\
                            &lang=cn#wechat_redirect",
            pkce: false,
            token: "https://api.weixin.qq.com/sns/oauth2/access_token",
            auth: Auth::Odd,
            claims: None,
            answers: vec![(
                "https://api.weixin.qq.com/sns/userinfo?access_token=the+access+token&openid=oA1&lang=zh_CN",
                json!({ "openid": "oA1", "nickname": "Ada", "headimgurl": IMAGE }),
            )],
            person: ("oA1", name, Some("oA1@wechat.placeholder.invalid"), image, false),
        },
    ])
    .await;
}
