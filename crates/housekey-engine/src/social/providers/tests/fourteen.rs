use serde_json::json;

use super::{Auth, Case, check};
use crate::social::Provider;

/// The claims of a person whose address is proved.
fn claims() -> serde_json::Value {
    json!({
        "sub": "s-1", "name": "Ada", "email": "ada@example.com", "email_verified": true,
        "picture": "https://example.com/ada.png",
    })
}

#[tokio::test]
// spec: SOC-8
async fn the_fourteen_are_asked_and_read_as_by_the_reference() {
    let (name, email, image) = (Some("Ada"), Some("ada@example.com"), Some("https://example.com/ada.png"));
    check(vec![
        Case {
            provider: Provider::google("id", "secret"),
            authorization: "https://accounts.google.com/o/oauth2/v2/auth?response_type=code&client_id=id\
                            &scope=email profile openid&include_granted_scopes=true",
            pkce: true,
            token: "https://oauth2.googleapis.com/token",
            auth: Auth::Post,
            claims: Some(claims()),
            answers: vec![],
            person: ("s-1", name, email, image, true),
        },
        Case {
            provider: Provider::github("id", "secret"),
            authorization: "https://github.com/login/oauth/authorize?response_type=code&client_id=id\
                            &scope=read:user user:email",
            pkce: true,
            token: "https://github.com/login/oauth/access_token",
            auth: Auth::Post,
            claims: None,
            answers: vec![
                (
                    "https://api.github.com/user",
                    json!({ "id": 7, "login": "ada", "name": null, "email": null, "avatar_url": image }),
                ),
                (
                    "https://api.github.com/user/emails",
                    json!([
                        { "email": "old@example.com", "primary": false, "verified": true },
                        { "email": "ada@example.com", "primary": true, "verified": true },
                    ]),
                ),
            ],
            person: ("7", Some("ada"), email, image, true),
        },
        Case {
            provider: Provider::apple("id", "secret"),
            authorization: "https://appleid.apple.com/auth/authorize?response_type=code id_token&client_id=id\
                            &scope=email name&response_mode=form_post",
            pkce: true,
            token: "https://appleid.apple.com/auth/token",
            auth: Auth::Post,
            claims: Some(json!({ "sub": "a.1", "email": "ada@example.com", "email_verified": "true" })),
            answers: vec![],
            person: ("a.1", None, email, None, true),
        },
        Case {
            provider: Provider::microsoft("id", "secret").with("disableProfilePhoto", true),
            authorization: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize?response_type=code\
                            &client_id=id&scope=openid profile email User.Read offline_access",
            pkce: true,
            token: "https://login.microsoftonline.com/common/oauth2/v2.0/token",
            auth: Auth::Post,
            claims: Some(json!({
                "sub": "s-1", "oid": "o-1", "name": "Ada", "email": "ada@example.com",
                "verified_secondary_email": ["ada@example.com"],
            })),
            answers: vec![],
            person: ("o-1", name, email, None, true),
        },
        Case {
            provider: Provider::gitlab("id", "secret").with("issuer", "https://gitlab.example.com//"),
            authorization: "https://gitlab.example.com/oauth/authorize?response_type=code&client_id=id&scope=read_user",
            pkce: true,
            token: "https://gitlab.example.com/oauth/token",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://gitlab.example.com/api/v4/user",
                json!({
                    "id": 8, "name": "Ada", "username": "ada", "state": "active", "locked": false,
                    "email": "ada@example.com", "avatar_url": image,
                }),
            )],
            person: ("8", name, email, image, false),
        },
        Case {
            provider: Provider::discord("id", "secret"),
            authorization: "https://discord.com/api/oauth2/authorize?response_type=code&client_id=id\
                            &scope=identify email&prompt=none",
            pkce: false,
            token: "https://discord.com/api/oauth2/token",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://discord.com/api/users/@me",
                json!({
                    "id": "80351110224678912", "username": "ada", "global_name": "Ada", "avatar": "a_1269e7",
                    "discriminator": "0", "verified": true, "email": "ada@example.com",
                }),
            )],
            person: (
                "80351110224678912",
                name,
                email,
                Some("https://cdn.discordapp.com/avatars/80351110224678912/a_1269e7.gif"),
                true,
            ),
        },
        Case {
            provider: Provider::facebook("id", "secret"),
            authorization: "https://www.facebook.com/v24.0/dialog/oauth?response_type=code&client_id=id\
                            &scope=email public_profile",
            pkce: false,
            token: "https://graph.facebook.com/v24.0/oauth/access_token",
            auth: Auth::Post,
            claims: Some(claims()),
            answers: vec![],
            person: ("s-1", name, email, image, false),
        },
        Case {
            provider: Provider::twitter("id", "secret"),
            authorization: "https://x.com/i/oauth2/authorize?response_type=code&client_id=id\
                            &scope=users.read tweet.read offline.access users.email",
            pkce: true,
            token: "https://api.x.com/2/oauth2/token",
            auth: Auth::Basic,
            claims: None,
            answers: vec![
                (
                    "https://api.x.com/2/users/me?user.fields=profile_image_url",
                    json!({ "data": { "id": "9", "name": "Ada", "username": "ada", "profile_image_url": image } }),
                ),
                (
                    "https://api.x.com/2/users/me?user.fields=confirmed_email",
                    json!({ "data": { "id": "9", "confirmed_email": "ada@example.com" } }),
                ),
            ],
            person: ("9", name, email, image, true),
        },
        Case {
            provider: Provider::linkedin("id", "secret"),
            authorization: "https://www.linkedin.com/oauth/v2/authorization?response_type=code&client_id=id\
                            &scope=profile email openid",
            pkce: false,
            token: "https://www.linkedin.com/oauth/v2/accessToken",
            auth: Auth::Post,
            claims: None,
            answers: vec![("https://api.linkedin.com/v2/userinfo", claims())],
            person: ("s-1", name, email, image, true),
        },
        Case {
            provider: Provider::slack("id", "secret"),
            authorization: "https://slack.com/openid/connect/authorize?response_type=code&client_id=id\
                            &scope=openid profile email",
            pkce: false,
            token: "https://slack.com/api/openid.connect.token",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://slack.com/api/openid.connect.userInfo",
                json!({
                    "ok": true, "sub": "s-1", "https://slack.com/user_id": "U1", "name": "Ada",
                    "email": "ada@example.com", "email_verified": true, "https://slack.com/user_image_512": image,
                }),
            )],
            person: ("U1", name, email, image, true),
        },
        Case {
            provider: Provider::twitch("id", "secret"),
            authorization: "https://id.twitch.tv/oauth2/authorize?response_type=code&client_id=id\
                            &scope=user:read:email openid&claims={\"id_token\":{\"email\":null,\
                            \"email_verified\":null,\"preferred_username\":null,\"picture\":null}}",
            pkce: false,
            token: "https://id.twitch.tv/oauth2/token",
            auth: Auth::Post,
            claims: Some(json!({
                "sub": "11", "preferred_username": "Ada", "email": "ada@example.com", "email_verified": true,
                "picture": image,
            })),
            answers: vec![],
            person: ("11", name, email, image, true),
        },
        Case {
            provider: Provider::spotify("id", "secret"),
            authorization: "https://accounts.spotify.com/authorize?response_type=code&client_id=id&scope=user-read-email",
            pkce: true,
            token: "https://accounts.spotify.com/api/token",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://api.spotify.com/v1/me",
                json!({ "id": "ada", "display_name": "Ada", "email": "ada@example.com", "images": [{ "url": image }] }),
            )],
            person: ("ada", name, email, image, false),
        },
        Case {
            provider: Provider::notion("id", "secret"),
            authorization: "https://api.notion.com/v1/oauth/authorize?response_type=code&client_id=id&owner=user",
            pkce: false,
            token: "https://api.notion.com/v1/oauth/token",
            auth: Auth::Basic,
            claims: None,
            answers: vec![(
                "https://api.notion.com/v1/users/me",
                json!({ "bot": { "owner": { "user": {
                    "id": "n-1", "name": "Ada", "avatar_url": image, "person": { "email": "ada@example.com" },
                } } } }),
            )],
            person: ("n-1", name, email, image, false),
        },
        Case {
            provider: Provider::zoom("id", "secret").scope("user:read"),
            authorization: "https://zoom.us/oauth/authorize?response_type=code&client_id=id",
            pkce: true,
            token: "https://zoom.us/oauth/token",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://api.zoom.us/v2/users/me",
                json!({ "id": "z-1", "display_name": "Ada", "email": "ada@example.com", "pic_url": image, "verified": 1 }),
            )],
            person: ("z-1", name, email, image, true),
        },
    ])
    .await;
}
