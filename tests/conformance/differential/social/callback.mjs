// The visitor comes back: where to, and what went wrong.

import assert from 'node:assert/strict';

import { everything } from '../../harness/setup.mjs';
import { session, signUp } from '../accounts.mjs';
import { scenario } from '../suite.mjs';
import { begin, CLIENT, comeBack, kept, location, OPENID, PLAIN, providers, search, signInWith } from './flow.mjs';

const TOKEN = { google: 'oauth2.googleapis.com/token', github: 'github.com/login/oauth/access_token', plain: 'plain.example.org/token' };
const home = { callbackURL: '/welcome', newUserCallbackURL: '/hello', errorCallbackURL: '/sorry?a=b#c' };

scenario('a new user is led where new users go, a known one where all go', providers(), async (world) => {
  await signInWith(world, 'google', home);
  await session(world, 'browser');
  await signInWith(world, 'google', { ...home, what: 'again', jar: 'phone' });
  await session(world, 'phone');
});

for (const callbackURL of [undefined, '/', '/a/b?c=d&e=%20f#g', 'http://localhost:3000/x', 'http://localhost:3000']) {
  scenario(`a visitor is led to ${callbackURL} as it was written`, providers(), async (world) => {
    await signInWith(world, 'google', { callbackURL });
  });
}

scenario('a provider that posts its answer', providers(), async (world) => {
  const fields = { code: 'x', state: 'y', id_token: 'z', user: '{"name":{"firstName":"Ada"}}', iss: 'https://id.example.com', device_id: 'd', error: 'e', error_description: 'f g', scope: 'h' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  await world.send('a form', { path: '/callback/google', body: search(fields), headers: form, jar: null });
  await world.send('JSON', { path: '/callback/google', json: fields, jar: null });
  await world.send('a form and a query', { path: '/callback/google?state=query', body: search(fields), headers: form, jar: null });
  await world.send('nothing', { path: '/callback/google', method: 'POST', jar: null });
  await world.send('from elsewhere', { path: '/callback/google', body: search(fields), headers: { ...form, origin: 'https://appleid.apple.com' }, jar: null });
  await signUp(world, 'Ada');
  await world.send('from elsewhere with cookies', { path: '/callback/google', body: search(fields), headers: { ...form, origin: 'https://appleid.apple.com' }, jar: 'Ada' });
  await world.send('fields twice', { path: '/callback/google?state=a&state=b&code=c', jar: null });
  await world.send('an unknown provider', { path: '/callback/nobody', body: search(fields), headers: form, jar: null });
  await world.send('an empty answer', { path: '/callback/google', jar: null });
});

scenario('a provider that posts its answer, to the end', everything({ options: { socialProviders: { apple: CLIENT } } }), async (world) => {
  const flow = await begin(world, 'apple', home);
  const user = JSON.stringify({ name: { firstName: 'Ada', lastName: 'Lovelace' }, email: 'ada@example.com' });
  const posted = await world.send('posts', (side) => ({
    path: '/callback/apple', body: search({ ...flow[side], user }), headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://appleid.apple.com' }, jar: null,
  }));
  await world.send('comes back', (side) => {
    const { pathname, search } = new URL(location(posted[side]));
    return { path: pathname.replace('/api/auth', '') + search };
  });
  world.asked('asked');
  await kept(world, 'afterwards');
});

/** What a provider can do wrong, and in which words the visitor hears of it. */
const refusals = {
  'the visitor says no': (world, flow) => comeBack(world, flow, { query: ({ state }) => ({ state, error: 'access_denied', error_description: 'The user said no & left' }) }),
  'the provider fails without words': (world, flow) => comeBack(world, flow, { query: (sent) => ({ ...sent, error: 'server_error' }) }),
  'no code': (world, flow) => comeBack(world, flow, { query: ({ state }) => ({ state }) }),
  'an empty code': (world, flow) => comeBack(world, flow, { query: ({ state }) => ({ state, code: '' }) }),
  'a code that is refused': async (world, flow) => {
    world.imitation.tell(TOKEN.google, { status: 400, json: { error: 'invalid_grant' } });
    await comeBack(world, flow);
  },
  'a code of another flow': (world, flow) => comeBack(world, flow, { query: (sent) => ({ ...sent, code: `code..${'x'.repeat(43)}` }) }),
  'a token endpoint that breaks': async (world, flow) => {
    world.imitation.tell(TOKEN.google, { status: 500, text: 'oh no', type: 'text/plain' });
    await comeBack(world, flow);
  },
  'a token endpoint that leads elsewhere': async (world, flow) => {
    world.imitation.tell(TOKEN.google, { status: 302, text: '', headers: { location: 'https://evil.test/token' } });
    await comeBack(world, flow);
  },
  'a token endpoint that answers garbage': async (world, flow) => {
    world.imitation.tell(TOKEN.google, { text: '<html>', type: 'text/html' });
    await comeBack(world, flow);
  },
  'an error with a 200': async (world, flow) => {
    world.imitation.tell(TOKEN.google, { json: { error: 'invalid_grant' } });
    await comeBack(world, flow);
  },
  'tokens without an id token': async (world, flow) => {
    world.imitation.tokens = { id_token: undefined };
    await comeBack(world, flow);
  },
  'an id token that is none': async (world, flow) => {
    world.imitation.tokens = { id_token: 'opaque' };
    await comeBack(world, flow);
  },
  'an id token without a subject': async (world, flow) => {
    world.imitation.claims = { sub: undefined };
    await comeBack(world, flow);
  },
  'nobody’s address': async (world, flow) => {
    world.imitation.claims = { email: undefined };
    await comeBack(world, flow);
  },
};

for (const [name, refuse] of Object.entries(refusals)) {
  scenario(`a refusal: ${name}`, providers(), async (world) => {
    const flow = await begin(world, 'google', { ...home, what: 'begins' });
    await refuse(world, flow);
    await kept(world, 'afterwards');
  });
}

/** What the code flow of a built-in provider believes: the reference looks at no signature. */
const forgeries = {
  'another key': { signing: { kid: 'first', key: 'stranger' } },
  'an unknown key': { signing: { kid: 'stranger' } },
  'no signature': { signing: { alg: 'none' } },
  'another audience': { claims: { aud: 'somebody-else' } },
  'another issuer': { claims: { iss: 'https://evil.test' } },
  'an end in the past': { claims: { exp: 1 } },
};

for (const [name, forgery] of Object.entries(forgeries)) {
  scenario(`a forged id token in a code flow: ${name}`, providers(), async (world) => {
    Object.assign(world.imitation, forgery);
    const { ours } = await signInWith(world, 'google', home);
    // Were it taken, it would be no difference.
    assert.match(location(ours), /error=unable_to_get_user_info/);
  });
}

scenario('a refusal goes to the error page of the house', providers({ options: { onAPIError: { errorURL: 'http://localhost:3000/oops?from=auth' } } }), async (world) => {
  await world.send('no state', { path: '/callback/google?code=x', jar: null });
  const flow = await begin(world, 'google');
  await comeBack(world, flow, { query: ({ state }) => ({ state, error: 'access_denied' }) });
});

scenario('a refusal without any error page', providers(), async (world) => {
  const flow = await begin(world, 'google');
  await comeBack(world, flow, { query: ({ state }) => ({ state, error: 'access_denied', error_description: 'No.' }) });
});

scenario('GitHub says errors with a 200', providers(), async (world) => {
  world.imitation.tell(TOKEN.github, { json: { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' } });
  await signInWith(world, 'github', home);
});

for (const [name, answer] of Object.entries({ 'breaks': { status: 500, json: {} }, 'refuses': { status: 401, json: { message: 'Bad credentials' } }, 'answers null': { json: null }, 'answers garbage': { text: '<html>', type: 'text/html' } })) {
  scenario(`a profile that ${name}`, everything({ options: { socialProviders: { github: CLIENT, discord: CLIENT } }, generic: [PLAIN] }), async (world) => {
    for (const [provider, address] of [['github', 'api.github.com/user'], ['discord', 'discord.com/api/users/@me'], ['plain', 'plain.example.org/me']]) {
      world.imitation.tell(address, answer);
      await signInWith(world, provider, home);
    }
  });
}

for (const setting of [{ disableSignUp: true }, { disableImplicitSignUp: true }]) {
  scenario(`nobody new with ${JSON.stringify(setting)}`, providers({ google: setting }), async (world) => {
    await signInWith(world, 'google', home);
    await signInWith(world, 'google', { ...home, what: 'asks to sign up', requestSignUp: true });
    await signInWith(world, 'google', { ...home, what: 'known by now or not' });
  });
}

scenario('an address that has to be proven first', providers({ google: { requireEmailVerification: true } }), async (world) => {
  world.imitation.who = { ...world.imitation.who, verified: false };
  await signInWith(world, 'google', home);
  await signInWith(world, 'google', { ...home, what: 'again' });
  world.imitation.who = { ...world.imitation.who, verified: true };
  await signInWith(world, 'google', { ...home, what: 'proven' });
});

scenario('an answer that says who it comes from', everything({ generic: [OPENID] }), async (world) => {
  const right = await begin(world, 'openid', home);
  await comeBack(world, right, { what: 'the right one', query: (sent) => ({ ...sent, iss: 'https://id.example.com' }) });
  const wrong = await begin(world, 'openid', { ...home, jar: 'phone' });
  await comeBack(world, wrong, { what: 'another', query: (sent) => ({ ...sent, iss: 'https://evil.test' }) });
});

scenario('a session that comes from a provider', providers({ bearer: {}, options: { session: { cookieCache: { enabled: true, strategy: 'compact' } } } }), async (world) => {
  await signInWith(world, 'google', home);
  await session(world, 'browser');
});

scenario('a second factor after a provider', providers({ twoFactor: { skipVerificationOnEnable: true } }), async (world) => {
  await signUp(world, 'Ada');
  await world.send('turns it on', { path: '/two-factor/enable', json: { password: 'correct horse battery' }, jar: 'Ada' });
  await world.send('links', { path: '/list-accounts', jar: 'Ada' });
  const link = await begin(world, 'google', { path: '/link-social', jar: 'Ada' });
  await comeBack(world, link);
  await signInWith(world, 'google', { ...home, jar: 'phone' });
  await session(world, 'phone');
});
