//! What the engine knows about each provider: a file of data each, and its mapping.

mod apple;
mod atlassian;
mod auth0;
mod cloudflare;
mod cognito;
mod discord;
mod dropbox;
mod facebook;
mod figma;
pub(crate) mod generic;
mod github;
mod gitlab;
mod google;
mod gumroad;
mod hubspot;
mod huggingface;
mod kakao;
mod keycloak;
mod kick;
mod line;
mod linear;
mod linkedin;
mod microsoft;
mod microsoft_entra_id;
mod naver;
mod notion;
mod okta;
mod patreon;
mod paybin;
mod paypal;
mod polar;
mod railway;
mod reading;
mod reddit;
mod roblox;
mod salesforce;
mod slack;
mod spotify;
mod tiktok;
mod twitch;
mod twitter;
mod vercel;
mod vk;
mod wechat;
mod yandex;
mod zoom;

#[cfg(test)]
mod tests;

pub use apple::{AppleKey, AppleSecret};
pub use cognito::CognitoPool;
pub use generic::OAuth2Endpoints;

use super::ProviderKind;

/// All kinds, by the ids that they have by themselves.
pub(super) const ALL: &[&ProviderKind] = &[
    &apple::APPLE,
    &atlassian::ATLASSIAN,
    &auth0::AUTH0,
    &cloudflare::CLOUDFLARE,
    &cognito::COGNITO,
    &discord::DISCORD,
    &dropbox::DROPBOX,
    &facebook::FACEBOOK,
    &figma::FIGMA,
    &generic::GENERIC,
    &github::GITHUB,
    &gitlab::GITLAB,
    &google::GOOGLE,
    &gumroad::GUMROAD,
    &hubspot::HUBSPOT,
    &huggingface::HUGGINGFACE,
    &kakao::KAKAO,
    &keycloak::KEYCLOAK,
    &kick::KICK,
    &line::LINE,
    &linear::LINEAR,
    &linkedin::LINKEDIN,
    &microsoft::MICROSOFT,
    &microsoft_entra_id::MICROSOFT_ENTRA_ID,
    &naver::NAVER,
    &notion::NOTION,
    &okta::OKTA,
    &patreon::PATREON,
    &paybin::PAYBIN,
    &paypal::PAYPAL,
    &polar::POLAR,
    &railway::RAILWAY,
    &reddit::REDDIT,
    &roblox::ROBLOX,
    &salesforce::SALESFORCE,
    &slack::SLACK,
    &slack::SLACK_OPENID,
    &spotify::SPOTIFY,
    &tiktok::TIKTOK,
    &twitch::TWITCH,
    &twitter::TWITTER,
    &vercel::VERCEL,
    &vk::VK,
    &wechat::WECHAT,
    &yandex::YANDEX,
    &zoom::ZOOM,
];
