// Where a sign-in with a provider begins.

import { everything } from '../../harness/setup.mjs';
import { signUp } from '../accounts.mjs';
import { scenario } from '../suite.mjs';
import { begin, CLIENT, OPENID, PLAIN, providers } from './flow.mjs';

scenario('where a sign-in with a provider leads', providers(), async (world) => {
  const bodies = [
    {},
    { disableRedirect: true },
    { disableRedirect: false },
    { callbackURL: '/welcome', errorCallbackURL: '/sorry', newUserCallbackURL: '/hello' },
    { callbackURL: 'http://localhost:3000/welcome?a=b#c' },
    { scopes: ['calendar', 'contacts read'] },
    { scopes: [] },
    { loginHint: 'ada@example.com' },
    // The order among them means nothing.
    { additionalParams: { hd: 'example.com', 'odd name': 'ä & b', prompt: 'consent' } },
    { additionalData: { team: 'blue', callbackURL: 'https://evil.test', expiresAt: 1, nested: { deep: [1, null] } } },
    { requestSignUp: true },
    { requestSignUp: false },
  ];
  for (const body of bodies) {
    for (const provider of ['google', 'github']) await begin(world, provider, { what: `${provider} ${JSON.stringify(body)}`, ...body });
  }
  await world.rows('the states', 'verification');
});

scenario('what a start refuses', providers(), async (world) => {
  const google = { provider: 'google' };
  const bodies = [
    {},
    { provider: 7 },
    { provider: null },
    { provider: '' },
    { provider: 'nobody' },
    { provider: 'credential' },
    { ...google, callbackURL: 'https://evil.test/' },
    { ...google, callbackURL: '//evil.test/' },
    { ...google, callbackURL: 7 },
    { ...google, errorCallbackURL: 'https://evil.test/' },
    { ...google, newUserCallbackURL: 'https://evil.test/' },
    { ...google, scopes: 'email' },
    { ...google, scopes: [1] },
    { ...google, loginHint: 1 },
    { ...google, requestSignUp: 'yes' },
    { ...google, disableRedirect: 'yes' },
    { ...google, additionalData: 'x' },
    { ...google, additionalParams: 'x' },
    { ...google, additionalParams: { a: 1 } },
    ...['state', 'client_id', 'redirect_uri', 'response_type', 'code_challenge', 'code_challenge_method', 'nonce', 'scope'].map((name) => ({ ...google, additionalParams: { [name]: 'x', fine: 'y' } })),
    { ...google, additionalParams: { state: 'x', scope: 'y' } },
  ];
  for (const json of bodies) await world.send(JSON.stringify(json), { path: '/sign-in/social', json, jar: null });
  await world.send('no body', { path: '/sign-in/social', method: 'POST', jar: null });
  await world.rows('nothing is kept', 'verification');
});

scenario('what a link refuses to begin with', providers(), async (world) => {
  await world.send('nobody', { path: '/link-social', json: { provider: 'google' }, jar: null });
  await signUp(world, 'Ada');
  const bodies = [{}, { provider: 'nobody' }, { provider: 'google', callbackURL: 'https://evil.test/' }, { provider: 'google', errorCallbackURL: 'https://evil.test/' }, { provider: 'google', additionalParams: { state: 'x' } }];
  for (const json of bodies) await world.send(JSON.stringify(json), { path: '/link-social', json, jar: 'Ada' });
  await begin(world, 'google', { what: 'links', path: '/link-social', jar: 'Ada', scopes: ['calendar'], loginHint: 'ada@example.com', callbackURL: '/settings' });
  await begin(world, 'google', { what: 'links without being led', path: '/link-social', jar: 'Ada', disableRedirect: true });
  await world.rows('the states', 'verification');
});

scenario('a start from elsewhere', providers(), async (world) => {
  const json = { provider: 'google' };
  const origin = 'https://evil.test';
  await world.send('without cookies', { path: '/sign-in/social', json, jar: null, headers: { origin } });
  await world.send('without cookies, navigated', { path: '/sign-in/social', json, jar: null, headers: { origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' } });
  await signUp(world, 'Ada');
  await world.send('with cookies', { path: '/sign-in/social', json, jar: 'Ada', headers: { origin } });
  await world.send('with cookies and no origin', { path: '/sign-in/social', json, jar: 'Ada', headers: { origin: null } });
});

scenario('many starts in a short time', providers({ options: { rateLimit: { enabled: true } } }), async (world) => {
  for (let at = 1; at <= 4; at += 1) await world.send(`start ${at}`, { path: '/sign-in/social', json: { provider: 'google' }, jar: null });
  for (let at = 1; at <= 4; at += 1) await world.send(`callback ${at}`, { path: '/callback/google?state=x', jar: null });
});

/** One option at a time, and the address that it leads to. */
const settings = {
  google: [
    { scope: ['calendar'] },
    { scope: ['calendar'], disableDefaultScope: true },
    { disableDefaultScope: true },
    { redirectURI: 'https://app.example.com/back' },
    { authorizationEndpoint: 'https://accounts.example.com/auth' },
    { prompt: 'select_account consent' },
    { accessType: 'offline' },
    { hd: 'example.com' },
    { display: 'popup' },
    { includeGrantedScopes: false },
    { clientId: ['first-client', 'second-client'] },
    { responseMode: 'form_post' },
  ],
  github: [{ scope: ['repo'] }, { prompt: 'select_account' }, { redirectURI: 'https://app.example.com/back' }],
  discord: [{ prompt: 'consent' }, { scope: ['guilds'] }, { scope: ['bot'], permissions: 8 }],
  microsoft: [{ tenantId: 'organizations' }, { authority: 'https://login.example.com/' }, { prompt: 'login' }],
  gitlab: [{ issuer: 'https://git.example.com/' }],
  facebook: [{ configId: '42' }, { scope: ['pages'] }],
  slack: [{ scope: ['channels'] }],
  twitch: [{ claims: ['email'] }],
  zoom: [{ pkce: false }],
  notion: [{ scope: ['read'] }],
  apple: [{ scope: ['more'] }],
};

for (const [id, several] of Object.entries(settings)) {
  for (const setting of several) {
    scenario(`a start at ${id} with ${JSON.stringify(setting)}`, everything({ options: { socialProviders: { [id]: { ...CLIENT, ...setting } } } }), async (world) => {
      await begin(world, id, { scopes: ['extra'], loginHint: 'ada@example.com' });
    });
  }
}

scenario('a provider without its secret', everything({ options: { socialProviders: { google: { clientId: 'client-id' }, github: { clientId: 'client-id' }, microsoft: { clientId: 'client-id' } } } }), async (world) => {
  for (const provider of ['google', 'microsoft', 'github']) await begin(world, provider);
});

scenario('a provider that is switched off', everything({ options: { socialProviders: { google: { ...CLIENT, enabled: false }, github: CLIENT } } }), async (world) => {
  await begin(world, 'google');
  await begin(world, 'github');
});

for (const setting of [{}, { scopes: ['a', 'b'] }, { scopes: ['openid', 'a'] }, { pkce: false }, { prompt: 'login' }, { accessType: 'offline' }, { responseMode: 'form_post' }, { responseType: 'code' },
  { redirectURI: 'https://app.example.com/back' }, { authorizationUrlParams: { audience: 'api', state: 'x' } }, { disableIdTokenNonceBinding: true }]) {
  scenario(`a start at a described provider with ${JSON.stringify(setting)}`, everything({ generic: [{ ...PLAIN, ...setting }, { ...OPENID, ...setting }] }), async (world) => {
    for (const provider of ['plain', 'openid']) await begin(world, provider, { loginHint: 'ada@example.com', additionalParams: { more: '1' } });
    await begin(world, 'plain', { what: 'asks for more', scopes: ['extra'] });
    await world.rows('the states', 'verification');
  });
}

scenario('parameters in another order', everything({ options: { socialProviders: { atlassian: CLIENT, notion: CLIENT } }, generic: [OPENID] }), async (world) => {
  for (const provider of ['atlassian', 'notion', 'openid']) await begin(world, provider, { scopes: ['extra'], additionalParams: { more: '1' } });
});
