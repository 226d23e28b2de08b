// Providers that are described by their addresses.

import { ADA } from '../../harness/provider/imitation.mjs';
import { TENANT } from '../../harness/provider/answers.mjs';
import { everything } from '../../harness/setup.mjs';
import { scenario } from '../suite.mjs';
import { begin, CLIENT, comeBack, OPENID, PLAIN, signInWith } from './flow.mjs';

const settings = [
  {},
  { authentication: 'basic' },
  { tokenEndpointAuth: { method: 'client_secret_basic' } },
  { tokenEndpointAuth: { method: 'none' }, clientSecret: undefined },
  { clientSecret: undefined },
  { clientId: 'id with / odd:signs', clientSecret: 'se cret+/%', authentication: 'basic' },
  { pkce: false },
  { redirectURI: 'https://app.example.com/back' },
  { tokenUrlParams: { audience: 'api', grant_type: 'x' } },
  { authorizationHeaders: { 'notion-version': 'of-today' } },
  { accessTokenExpiresIn: 90 },
  { disableSignUp: true },
  { disableImplicitSignUp: true },
  { requireEmailVerification: true },
];

for (const setting of settings) {
  scenario(`a described provider with ${JSON.stringify(setting)}`, everything({ generic: [{ ...PLAIN, ...setting }, { ...OPENID, ...setting }] }), async (world) => {
    for (const provider of ['plain', 'openid']) {
      world.imitation.who = { ...ADA, email: `${provider}@example.com` };
      world.imitation.tokens = 'accessTokenExpiresIn' in setting ? { expires_in: undefined } : {};
      await signInWith(world, provider, { jar: provider, errorCallbackURL: '/sorry' });
    }
  });
}

/** What an id token says, and how. */
const tokens = {
  'the right one': {},
  'another key': { signing: { kid: 'first', key: 'stranger' } },
  'an unknown key': { signing: { kid: 'stranger' } },
  'no signature': { signing: { alg: 'none' } },
  'another audience': { claims: { aud: 'somebody-else' } },
  'another issuer': { claims: { iss: 'https://evil.test' } },
  'another nonce': { claims: { nonce: 'another' } },
  'no nonce': { claims: { nonce: undefined } },
  'an end in the past': { claims: { exp: 1 } },
  'no address, so that the profile is asked': { claims: { email: undefined } },
  'another subject than the profile': { claims: { email: undefined, sub: 'another' } },
  'proven as a text': { claims: { email_verified: 'true' } },
  'not proven as a text': { claims: { email_verified: 'false' } },
  'no id token at all': { tokens: { id_token: undefined } },
};

for (const [name, told] of Object.entries(tokens)) {
  scenario(`an id token of a discovered provider: ${name}`, everything({ generic: [OPENID] }), async (world) => {
    Object.assign(world.imitation, told);
    await signInWith(world, 'openid', { errorCallbackURL: '/sorry' });
  });
}

scenario('an id token of a plain provider is only read', everything({ generic: [PLAIN] }), async (world) => {
  const { idToken } = await import('../../harness/provider/id-token.mjs');
  world.imitation.tokens = { id_token: idToken({ sub: 'subject', email: 'ada@example.com', email_verified: true, name: 'Ada', picture: ADA.image }, { kid: 'stranger' }) };
  await signInWith(world, 'plain', { errorCallbackURL: '/sorry' });
});

scenario('keys that change in between', everything({ generic: [OPENID] }), async (world) => {
  await signInWith(world, 'openid');
  Object.assign(world.imitation, { kids: ['second'], signing: { kid: 'second' } });
  await world.advance(60);
  await signInWith(world, 'openid', { what: 'with the new key' });
});

scenario('discovery that is down at first', everything({
  generic: [OPENID], before: (imitation) => imitation.tell('id.example.com/.well-known/openid-configuration', { status: 503, json: {} }),
}), async (world) => {
  await begin(world, 'openid', { what: 'while it is down' });
  world.imitation.tell('id.example.com/.well-known/openid-configuration');
  // Ours asks a provider that is down every ten seconds, not with every request.
  await world.advance(10);
  await signInWith(world, 'openid', { what: 'when it is back' });
});

scenario('discovery whose addresses are overridden', everything({ generic: [{ ...OPENID, authorizationUrl: 'https://id.example.com/elsewhere', scopes: ['openid', 'email'] }] }), async (world) => {
  await signInWith(world, 'openid');
});

scenario('a sign-in that the provider begins', everything({ generic: [{ ...PLAIN, allowIdpInitiated: true }, { ...OPENID, providerId: 'strict' }] }), async (world) => {
  for (const provider of ['plain', 'strict']) {
    const flow = { provider, jar: 'browser', reference: { code: 'x' }, ours: { code: 'x' } };
    await comeBack(world, flow, { what: `${provider} without a state` });
  }
});

scenario('a described provider in place of a built-in one', everything({ options: { socialProviders: { discord: CLIENT } }, generic: [{ ...PLAIN, providerId: 'discord' }], ours: { socialProviders: {} } }), async (world) => {
  await begin(world, 'discord');
});

const presets = [
  { preset: 'auth0', domain: 'tenant.example.com' },
  { preset: 'okta', issuer: 'https://okta.example.com/oauth2/default' },
  { preset: 'keycloak', issuer: 'https://keycloak.example.com/realms/main/' },
  { preset: 'microsoft-entra-id', tenantId: TENANT },
  { preset: 'hubspot' },
  { preset: 'patreon' },
  { preset: 'gumroad' },
  { preset: 'yandex' },
  { preset: 'slack', ours: { socialProviders: { slack: { kind: 'slack-openid' } } } },
  // The reference has it twice, and asks for scopes in another order here; ours has it once.
  { preset: 'line', scopes: [] },
];

for (const { preset, ours = {}, scopes = ['extra'], ...config } of presets) {
  scenario(`the preset ${preset}`, everything({ ours, generic: [{ ...CLIENT, preset, ...config }] }), async (world) => {
    await signInWith(world, preset, { scopes });
    await signInWith(world, preset, { what: 'again', jar: 'phone' });
    await world.send('lists accounts', { path: '/list-accounts', jar: 'phone' });
  });
}
