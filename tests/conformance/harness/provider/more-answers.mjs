// The answers of the providers that few ask for.

import { keys, openid, profile, tokens } from './speak.mjs';

const POOL = 'pool.auth.eu-west-1.amazoncognito.com';

/** What some of them have to be told besides a client. */
export const MORE = {
  atlassian: {}, cloudflare: {}, cognito: { domain: POOL, region: 'eu-west-1', userPoolId: 'eu-west-1_pool' }, dropbox: {}, figma: {}, huggingface: {}, kakao: {}, kick: {}, line: {}, linear: {},
  naver: {}, paybin: {}, paypal: {}, polar: {}, railway: {}, reddit: {}, roblox: {}, salesforce: {}, tiktok: { clientId: undefined, clientKey: 'client-key' }, vercel: {}, vk: {}, wechat: {},
};

const claimed = profile((who) => ({ sub: who.id, ...openid(who) }));

export const MORE_ANSWERS = {
  'auth.atlassian.com/oauth/token': tokens(),
  'api.atlassian.com/me': profile(({ id, name, email, image }) => ({ account_id: id, name, email, picture: image })),

  'dash.cloudflare.com/oauth2/token': tokens(),
  'api.cloudflare.com/client/v4/user': profile(({ id, email }) => ({ success: true, result: { id, email, first_name: 'Ada', last_name: 'Lovelace' } })),

  [`${POOL}/oauth2/token`]: tokens('https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_pool', openid),
  [`${POOL}/oauth2/userinfo`]: claimed,
  'cognito-idp.eu-west-1.amazonaws.com/eu-west-1_pool/.well-known/jwks.json': keys,

  'api.dropboxapi.com/oauth2/token': tokens(),
  'api.dropboxapi.com/2/users/get_current_account': profile(({ id, name, email, verified, image }) => ({ account_id: id, name: { display_name: name }, email, email_verified: verified, profile_photo_url: image })),

  'api.figma.com/v1/oauth/token': tokens(),
  'api.figma.com/v1/me': profile(({ id, name, email, image }) => ({ id, handle: name, email, img_url: image })),

  'huggingface.co/oauth/token': tokens(),
  'huggingface.co/oauth/userinfo': claimed,

  'kauth.kakao.com/oauth/token': tokens(),
  'kapi.kakao.com/v2/user/me': profile(({ id, name, email, verified, image }) => ({
    id: Number(id), kakao_account: { email, is_email_valid: true, is_email_verified: verified, profile: { nickname: name, profile_image_url: image } },
  })),

  'id.kick.com/oauth/token': tokens(),
  'api.kick.com/public/v1/users': profile(({ id, name, email, image }) => ({ data: [{ user_id: Number(id), name, email, profile_picture: image }] })),

  // What a browser gets is signed with the secret of the channel.
  'api.line.me/oauth2/v2.1/token': tokens('https://access.line.me', openid, { secret: 'client-secret' }),
  'api.line.me/oauth2/v2.1/certs': keys,
  'api.line.me/oauth2/v2.1/userinfo': claimed,
  'api.line.me/oauth2/v2.1/verify': ({ form }, { who }) => ({ json: { iss: 'https://access.line.me', sub: who.id, aud: form.get('client_id') } }),

  'api.linear.app/oauth/token': tokens(),
  'api.linear.app/graphql': profile(({ id, name, email, image }) => ({ data: { viewer: { id, name, email, avatarUrl: image, active: true } } })),

  'nid.naver.com/oauth2.0/token': tokens(),
  'openapi.naver.com/v1/nid/me': profile(({ id, name, email, image }) => ({ resultcode: '00', message: 'success', response: { id, name, email, profile_image: image } })),

  'idp.paybin.io/oauth2/token': tokens('https://idp.paybin.io', openid),
  'idp.paybin.io/oauth2/jwks': keys,

  'api-m.sandbox.paypal.com/v1/oauth2/token': tokens(),
  'api-m.sandbox.paypal.com/v1/identity/oauth2/userinfo': profile((who) => ({ user_id: who.id, ...openid(who) })),

  'api.polar.sh/v1/oauth2/token': tokens(),
  'api.polar.sh/v1/oauth2/userinfo': profile(({ id, name, email, verified, image }) => ({ id, public_name: name, username: 'ada', email, email_verified: verified, avatar_url: image })),

  'backboard.railway.com/oauth/token': tokens(),
  'backboard.railway.com/oauth/me': claimed,

  'www.reddit.com/api/v1/access_token': tokens(),
  'oauth.reddit.com/api/v1/me': profile(({ id, name, image }) => ({ id, name, icon_img: `${image}?width=256` })),

  'apis.roblox.com/oauth/v1/token': tokens(),
  'apis.roblox.com/oauth/v1/userinfo': profile(({ id, name, image }) => ({ sub: id, nickname: name, picture: image })),

  'login.salesforce.com/services/oauth2/token': tokens(),
  'login.salesforce.com/services/oauth2/userinfo': profile(({ id, name, email, verified, image }) => ({ user_id: id, name, email, email_verified: verified, photos: { picture: image } })),

  'open.tiktokapis.com/v2/oauth/token/': tokens(),
  'open.tiktokapis.com/v2/user/info/': profile(({ id, name, image }) => ({ data: { user: { open_id: id, display_name: name, avatar_large_url: image } } })),

  'api.vercel.com/login/oauth/token': tokens(),
  'api.vercel.com/login/oauth/userinfo': claimed,

  'id.vk.com/oauth2/auth': tokens(),
  'id.vk.com/oauth2/user_info': profile(({ id, email, image }) => ({ user: { user_id: id, first_name: 'Ada', last_name: 'Lovelace', email, avatar: image } })),

  // Its tokens come with a GET, and say who it is.
  'api.weixin.qq.com/sns/oauth2/access_token': (_, { who }) => ({
    json: { access_token: 'access-1', refresh_token: 'refresh-1', expires_in: 7200, openid: who.id, scope: 'snsapi_login', unionid: `union-${who.id}` },
  }),
  'api.weixin.qq.com/sns/oauth2/refresh_token': (_, { who }) => ({
    json: { access_token: 'access-2', refresh_token: 'refresh-2', expires_in: 7200, openid: who.id, scope: 'snsapi_login' },
  }),
  'api.weixin.qq.com/sns/userinfo': profile(({ id, name, image }) => ({ openid: id, unionid: `union-${id}`, nickname: name, headimgurl: image })),
};
