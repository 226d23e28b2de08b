// A native app brings the id token itself.

import { idToken } from '../../harness/provider/id-token.mjs';
import { ADA } from '../../harness/provider/imitation.mjs';
import { TENANT } from '../../harness/provider/answers.mjs';
import { everything, NOON } from '../../harness/setup.mjs';
import { session, signUp } from '../accounts.mjs';
import { scenario } from '../suite.mjs';
import { CLIENT, kept, OPENID, PLAIN, providers } from './flow.mjs';

const now = NOON / 1000;
const google = {
  iss: 'https://accounts.google.com', aud: 'client-id', sub: '1001', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace', picture: ADA.image, iat: now, exp: now + 3600,
};

function bring(world, what, provider, token, { path = '/sign-in/social', jar = 'browser', body = {}, ...more } = {}) {
  return world.send(what, { path, json: { provider, idToken: { token, ...more }, ...body }, jar });
}

scenario('an id token signs in', providers(), async (world) => {
  await bring(world, 'alone', 'google', idToken(google));
  await session(world, 'browser');
  await kept(world, 'alone');
  const all = { accessToken: 'brought-access', refreshToken: 'brought-refresh', expiresAt: now + 600, body: { callbackURL: '/welcome' } };
  await bring(world, 'with tokens', 'google', idToken({ ...google, sub: '2', email: 'two@example.com' }), { ...all, jar: 'two' });
  await kept(world, 'with tokens');
  await bring(world, 'again', 'google', idToken({ ...google, iat: now - 1 }), { ...all, jar: 'phone' });
  await kept(world, 'again');
  world.asked('asked');
});

/** Claims, and how they are signed. */
const tokens = {
  'another key': [{}, { kid: 'first', key: 'stranger' }],
  'an unknown key': [{}, { kid: 'stranger' }],
  'no signature': [{}, { alg: 'none' }],
  'another algorithm by name': [{}, { alg: 'HS256' }],
  'the other issuer of Google': [{ iss: 'accounts.google.com' }],
  'another issuer': [{ iss: 'https://evil.test' }],
  'no issuer': [{ iss: undefined }],
  'another audience': [{ aud: 'somebody-else' }],
  'two audiences': [{ aud: ['somebody-else', 'client-id'] }],
  'no audience': [{ aud: undefined }],
  'no subject': [{ sub: undefined }],
  'an end 29 seconds ago': [{ iat: now - 600, exp: now - 29 }],
  'an end 31 seconds ago': [{ iat: now - 600, exp: now - 31 }],
  'no end': [{ exp: undefined }],
  'no beginning': [{ iat: undefined }],
  'a beginning an hour ago': [{ iat: now - 3599 }],
  'a beginning more than an hour ago': [{ iat: now - 3700 }],
  'a beginning in the future': [{ iat: now + 300 }],
  'not yet': [{ nbf: now + 300 }],
  'no address': [{ email: undefined }],
  'an unproven address': [{ email_verified: false }],
  'no name': [{ name: undefined }],
};

scenario('an id token and what is wrong with it', providers(), async (world) => {
  for (const [at, [name, [claims, how]]] of Object.entries(tokens).entries()) {
    await bring(world, name, 'google', idToken({ ...google, sub: `s${at}`, email: `s${at}@example.com`, ...claims }, how), { jar: null });
  }
  for (const token of ['', 'opaque', 'a.b.c', `${idToken(google)}x`, idToken(google).slice(0, -4)]) await bring(world, `the text ${token.length}`, 'google', token, { jar: null });
  await kept(world, 'afterwards');
});

scenario('an id token and its nonce', providers({ options: { socialProviders: { apple: CLIENT } } }), async (world) => {
  const apple = { iss: 'https://appleid.apple.com', aud: 'client-id', sub: '5', email: 'five@example.com', email_verified: 'true', iat: now, exp: now + 3600 };
  const hashed = '5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9';
  for (const [provider, claims] of [['google', google], ['apple', apple]]) {
    await bring(world, `${provider}: the right one`, provider, idToken({ ...claims, nonce: '0' }), { nonce: '0', jar: null });
    await bring(world, `${provider}: another`, provider, idToken({ ...claims, nonce: '0' }), { nonce: '1', jar: null });
    await bring(world, `${provider}: none in the token`, provider, idToken(claims), { nonce: '1', jar: null });
    await bring(world, `${provider}: none in the body`, provider, idToken({ ...claims, nonce: '0' }), { jar: null });
    await bring(world, `${provider}: hashed`, provider, idToken({ ...claims, nonce: hashed }), { nonce: '0', jar: null });
  }
  await bring(world, 'a name beside the token', 'apple', idToken({ ...apple, sub: '6', email: 'six@example.com' }), { user: { name: { firstName: 'Six', lastName: 'Seven' }, email: 'ignored@example.com' }, jar: 'six' });
  await kept(world, 'afterwards');
});

scenario('providers that take id tokens, and those that do not', everything({
  options: { socialProviders: { google: { ...CLIENT, disableIdTokenSignIn: true }, github: CLIENT, apple: { ...CLIENT, appBundleIdentifier: 'com.example.app' }, microsoft: CLIENT, facebook: CLIENT, discord: CLIENT } },
  generic: [PLAIN, OPENID],
}), async (world) => {
  const more = { aud: 'client-id', email: 'ada@example.com', email_verified: true, name: 'Ada', iat: now, exp: now + 3600 };
  await bring(world, 'google, switched off', 'google', idToken(google), { jar: null });
  await bring(world, 'github', 'github', idToken(google), { jar: null });
  await bring(world, 'discord', 'discord', idToken(google), { jar: null });
  await bring(world, 'plain', 'plain', idToken(google), { jar: null });
  await bring(world, 'apple, for the app', 'apple', idToken({ ...more, iss: 'https://appleid.apple.com', aud: 'com.example.app', sub: 'a', email: 'a@example.com' }), { jar: null });
  const microsoft = { ...more, iss: `https://login.microsoftonline.com/${TENANT}/v2.0`, tid: TENANT, oid: 'o', sub: 'c', email: 'c@example.com' };
  await bring(world, 'microsoft', 'microsoft', idToken(microsoft), { jar: null });
  await bring(world, 'microsoft, of another tenant', 'microsoft', idToken({ ...microsoft, tid: '9188040d-6c67-4c5b-b112-36a304b66dad' }), { jar: null });
  await bring(world, 'microsoft, without oid', 'microsoft', idToken({ ...microsoft, oid: undefined }), { jar: null });
  await bring(world, 'facebook', 'facebook', idToken({ ...more, iss: 'https://www.facebook.com', sub: 'd', email: 'd@example.com' }), { jar: null });
  world.imitation.who = { ...ADA, id: 'e', email: 'e@example.com' };
  await bring(world, 'facebook, opaque', 'facebook', 'opaque', { accessToken: 'opaque', jar: null });
  await bring(world, 'openid', 'openid', idToken({ ...more, iss: 'https://id.example.com', sub: 'f', email: 'f@example.com' }), { jar: null });
  await bring(world, 'openid without an address', 'openid', idToken({ ...more, iss: 'https://id.example.com', sub: 'g', email: undefined }), { jar: null });
  await kept(world, 'afterwards');
});

scenario('an id token of Apple for the site, where there is an app too', everything({ options: { socialProviders: { apple: { ...CLIENT, appBundleIdentifier: 'com.example.app' } } } }), async (world) => {
  await bring(world, 'for the site', 'apple', idToken({ ...google, iss: 'https://appleid.apple.com' }), { jar: null });
  await bring(world, 'for another', 'apple', idToken({ ...google, iss: 'https://appleid.apple.com', aud: 'com.example.other' }), { jar: null });
});

scenario('an id token of someone who may not', providers({ google: { disableSignUp: true } }), async (world) => {
  await bring(world, 'nobody new', 'google', idToken(google), { jar: null });
  await signUp(world, 'Ada');
  await bring(world, 'an unproven local address', 'google', idToken(google), { jar: null });
});

scenario('an id token of an address that has to be proven', providers({ google: { requireEmailVerification: true } }), async (world) => {
  await bring(world, 'unproven', 'google', idToken({ ...google, email_verified: false }), { jar: null });
  await bring(world, 'proven', 'google', idToken({ ...google, sub: '2', email: 'two@example.com' }), { jar: 'two' });
  await kept(world, 'afterwards');
});

scenario('an id token that overrides nothing', providers({ google: { overrideUserInfoOnSignIn: true } }), async (world) => {
  await bring(world, 'first', 'google', idToken(google));
  await bring(world, 'another name', 'google', idToken({ ...google, name: 'Countess' }));
  await kept(world, 'afterwards');
});

for (const [name, accountLinking] of Object.entries({ 'as it comes': {}, 'different addresses allowed': { allowDifferentEmails: true }, 'linking off': { enabled: false } })) {
  scenario(`an id token links, ${name}`, providers({ account: { accountLinking } }), async (world) => {
    await signUp(world, 'Ada');
    const link = (what, claims, more = {}) => bring(world, what, 'google', idToken({ ...google, ...claims }), { path: '/link-social', jar: 'Ada', ...more });
    await link('another address', { sub: '9', email: 'other@example.com' });
    await link('an unproven address', { sub: '8', email_verified: false });
    await link('another audience', { aud: 'x' });
    await link('the right one', {}, { accessToken: 'brought-access', refreshToken: 'brought-refresh' });
    await link('again', {}, { accessToken: 'new-access' });
    await signUp(world, 'Eve');
    await bring(world, 'somebody else’s', 'google', idToken(google), { path: '/link-social', jar: 'Eve' });
    await bring(world, 'at a provider that takes none', 'github', idToken(google), { path: '/link-social', jar: 'Ada' });
    await kept(world, 'afterwards');
  });
}
