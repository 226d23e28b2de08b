// What providers answer, by the address that is asked. Each speaks as its model does: the same names, the same oddities.

import { MORE_ANSWERS } from './more-answers.mjs';
import { keys, openid, profile, tokens } from './speak.mjs';

/** Microsoft's tenant of this imitation. */
export const TENANT = '11111111-2222-3333-4444-555555555555';

const anIssuer = ({ host, path }) => `https://${host}${path.replace(/\/[^/]+$/, '')}`;
const numbered = ({ id }) => Number(id);

/** Providers by discovery: whatever stands below `example.com`. */
export const DISCOVERED = {
  '/.well-known/openid-configuration': Object.assign(
    ({ host, path }) => {
      const issuer = `https://${host}${path.replace('/.well-known/openid-configuration', '')}`;
      return {
        json: {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          end_session_endpoint: `${issuer}/end-session`,
          jwks_uri: `${issuer}/keys`,
          id_token_signing_alg_values_supported: ['RS256'],
        },
      };
    },
    { isAboutKeys: true },
  ),
  '/token': tokens(anIssuer, openid),
  '/userinfo': profile((who) => ({ sub: who.id, ...openid(who) })),
  '/keys': keys,
};

/** @type {Record<string, (request: import('./request.mjs').ProviderRequest, provider: import('./imitation.mjs').Imitation) => object>} */
export const ANSWERS = {
  // Plain OAuth 2, as someone describes it by its addresses.
  'plain.example.org/token': tokens(),
  'plain.example.org/me': profile(({ id, ...who }) => ({ id, ...openid(who) })),

  'oauth2.googleapis.com/token': tokens('https://accounts.google.com', openid),
  'www.googleapis.com/oauth2/v3/certs': keys,

  'github.com/login/oauth/access_token': tokens(),
  'api.github.com/user': profile((who) => ({ id: numbered(who), login: 'ada', name: who.name, email: null, avatar_url: who.image })),
  'api.github.com/user/emails': profile(({ email, verified }) => [
    { email: 'other@example.com', primary: false, verified: true },
    { email, primary: true, verified },
  ]),

  'appleid.apple.com/auth/token': tokens('https://appleid.apple.com', ({ email, verified }) => ({ email, email_verified: String(verified) })),
  'appleid.apple.com/auth/keys': keys,

  'login.microsoftonline.com/common/oauth2/v2.0/token': tokens(`https://login.microsoftonline.com/${TENANT}/v2.0`, microsoft),
  'login.microsoftonline.com/common/discovery/v2.0/keys': keys,
  [`login.microsoftonline.com/${TENANT}/oauth2/v2.0/token`]: tokens(`https://login.microsoftonline.com/${TENANT}/v2.0`, (who) => ({ ...microsoft(who), email_verified: who.verified })),
  [`login.microsoftonline.com/${TENANT}/discovery/v2.0/keys`]: keys,
  [`login.microsoftonline.com/${TENANT}/v2.0/.well-known/openid-configuration`]: Object.assign(
    () => ({
      json: {
        issuer: `https://login.microsoftonline.com/${TENANT}/v2.0`,
        authorization_endpoint: `https://login.microsoftonline.com/${TENANT}/oauth2/v2.0/authorize`,
        token_endpoint: `https://login.microsoftonline.com/${TENANT}/oauth2/v2.0/token`,
        userinfo_endpoint: 'https://graph.microsoft.com/oidc/userinfo',
        jwks_uri: `https://login.microsoftonline.com/${TENANT}/discovery/v2.0/keys`,
        id_token_signing_alg_values_supported: ['RS256'],
      },
    }),
    { isAboutKeys: true },
  ),
  'graph.microsoft.com/oidc/userinfo': profile(({ id, name, email, image }) => ({ sub: `sub-${id}`, name, email, picture: image })),
  'graph.microsoft.com/v1.0/me/photos/48x48/$value': () => ({ text: 'a photo', type: 'image/jpeg' }),

  'gitlab.com/oauth/token': tokens(),
  'gitlab.com/api/v4/user': profile((who) => ({
    id: numbered(who), username: 'ada', name: who.name, email: who.email, avatar_url: who.image, email_verified: who.verified, state: 'active', locked: false,
  })),

  'discord.com/api/oauth2/token': tokens(),
  'discord.com/api/users/@me': profile(({ id, name, email, verified }) => ({
    id, username: 'ada', global_name: name, discriminator: '0', avatar: null, email, verified,
  })),

  'graph.facebook.com/v24.0/oauth/access_token': tokens(),
  'graph.facebook.com/debug_token': (request, { who }) => ({
    json: { data: { is_valid: true, app_id: request.query.get('access_token').split('|')[0], user_id: who.id } },
  }),
  'graph.facebook.com/me': profile(({ id, name, email, image }) => ({ id, name, email, picture: { data: { url: image } } })),
  'limited.facebook.com/.well-known/oauth/openid/jwks/': keys,

  'api.x.com/2/oauth2/token': tokens(),
  'api.x.com/2/users/me': profile(({ id, name, email, image }, { query }) => ({
    data: {
      id, name, username: 'ada', ...(query.get('user.fields') === 'confirmed_email' ? { confirmed_email: email ?? undefined } : { profile_image_url: image }),
    },
  })),

  'www.linkedin.com/oauth/v2/accessToken': tokens('https://www.linkedin.com/oauth', openid),
  'www.linkedin.com/oauth/openid/jwks': keys,
  'api.linkedin.com/v2/userinfo': profile((who) => ({ sub: who.id, ...openid(who) })),

  'slack.com/api/openid.connect.token': tokens('https://slack.com', openid),
  'slack.com/openid/connect/keys': keys,
  'slack.com/api/openid.connect.userInfo': profile((who) => ({ sub: who.id, ...openid(who), 'https://slack.com/user_id': `U${who.id}`, 'https://slack.com/user_image_512': `${who.image}?512` })),

  'id.twitch.tv/oauth2/token': tokens('https://id.twitch.tv/oauth2', ({ name, ...who }) => ({ ...openid(who), preferred_username: name })),
  'id.twitch.tv/oauth2/keys': keys,

  'accounts.spotify.com/api/token': tokens(),
  'api.spotify.com/v1/me': profile(({ id, name, email, image }) => ({ id, display_name: name, email, images: [{ url: image }] })),

  'api.notion.com/v1/oauth/token': tokens(),
  'api.notion.com/v1/users/me': profile(({ id, name, email, image }) => ({
    object: 'user', type: 'bot', bot: { owner: { type: 'user', user: { object: 'user', id, name, avatar_url: image, type: 'person', person: { email } } } },
  })),

  'zoom.us/oauth/token': tokens(),
  'api.zoom.us/v2/users/me': profile(({ id, name, email, image, verified }) => ({ id, display_name: name, email, pic_url: image, verified: verified ? 1 : 0 })),

  'api.hubapi.com/oauth/v1/token': tokens(),
  'api.hubapi.com/oauth/v1/access-tokens/access-1': profile(({ id, email }) => ({ user_id: id, user: email })),
  'www.patreon.com/api/oauth2/token': tokens(),
  'www.patreon.com/api/oauth2/v2/identity': profile(({ id, name, email, image, verified }) => ({
    data: { id, attributes: { full_name: name, email, image_url: image, is_email_verified: verified } },
  })),
  'api.gumroad.com/oauth/token': tokens(),
  'api.gumroad.com/v2/user': profile(({ id, name, email, image }) => ({ success: true, user: { user_id: id, name, email, profile_url: image } })),
  'oauth.yandex.com/token': tokens(),
  'login.yandex.ru/info': profile(({ id, name, email }) => ({ id, display_name: name, default_email: email, default_avatar_id: '7/ada', is_avatar_empty: false })),

  ...MORE_ANSWERS,
};

function microsoft({ id, name, email, verified }) {
  return { sub: `sub-${id}`, oid: id, tid: TENANT, name, email, verified_primary_email: verified ? [email] : [] };
}
