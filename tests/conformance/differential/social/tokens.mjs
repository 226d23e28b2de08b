// What someone may do with the tokens of their accounts.

import { ADA } from '../../harness/provider/imitation.mjs';
import { everything } from '../../harness/setup.mjs';
import { signUp } from '../accounts.mjs';
import { scenario } from '../suite.mjs';
import { accountIds, begin, CLIENT, comeBack, kept, OPENID, PLAIN, providers, signInWith } from './flow.mjs';

const TOKEN = 'oauth2.googleapis.com/token';

/** Asks all three, and looks at what was asked and kept. */
async function ask(world, what, json, jar = 'browser') {
  const body = (side) => (typeof json === 'function' ? json(side) : json);
  await world.send(`${what}: access token`, (side) => ({ path: '/get-access-token', json: body(side), jar }));
  world.asked(`${what}: access token`);
  await world.send(`${what}: refresh`, (side) => ({ path: '/refresh-token', json: body(side), jar }));
  world.asked(`${what}: refresh`);
  await world.send(`${what}: info`, (side) => ({ path: `/account-info?${new URLSearchParams(body(side))}`, jar }));
  world.asked(`${what}: info`);
  await kept(world, what);
}

for (const encryptOAuthTokens of [false, true]) {
  scenario(`tokens that are ${encryptOAuthTokens ? 'sealed' : 'kept as they are'}`, providers({ account: { encryptOAuthTokens } }), async (world) => {
    await signInWith(world, 'google');
    const ids = await accountIds(world, 'browser', 'google');
    const id = (side) => ({ accountId: ids[side] });
    await ask(world, 'fresh', id);
    await world.advance(3594);
    await ask(world, 'six seconds before the end', id);
    await world.advance(3598);
    await ask(world, 'at the end', id);
  });
}

scenario('whose tokens', providers(), async (world) => {
  await ask(world, 'nobody', { accountId: 'x' }, null);
  await signInWith(world, 'google');
  const ids = await accountIds(world, 'browser', 'google');
  await ask(world, 'not there', { accountId: 'x' });
  await ask(world, 'by provider', { providerId: 'google' });
  await ask(world, 'by both', (side) => ({ accountId: ids[side], providerId: 'google' }));
  await ask(world, 'by nothing', {});
  await ask(world, 'by a cookie that there is none of', { useAccountCookie: true });
  await ask(world, 'with a user', (side) => ({ accountId: ids[side], userId: 'x' }));
  await signUp(world, 'Eve');
  await ask(world, 'somebody else’s', (side) => ({ accountId: ids[side] }), 'Eve');
  const own = await accountIds(world, 'Eve', 'credential');
  await ask(world, 'of a password', (side) => ({ accountId: own[side] }), 'Eve');
});

scenario('a refresh that fails', providers(), async (world) => {
  await signInWith(world, 'google');
  const ids = await accountIds(world, 'browser', 'google');
  for (const [what, answer] of Object.entries({ refused: { status: 400, json: { error: 'invalid_grant' } }, broken: { status: 500, text: 'no', type: 'text/plain' }, led: { status: 302, text: '', headers: { location: 'https://evil.test/' } }, empty: { json: {} } })) {
    world.imitation.tell(TOKEN, answer);
    await world.advance(3600);
    await ask(world, what, (side) => ({ accountId: ids[side] }));
  }
});

scenario('a refresh that says less', providers(), async (world) => {
  await signInWith(world, 'google');
  const ids = await accountIds(world, 'browser', 'google');
  world.imitation.tokens = { refresh_token: undefined, scope: 'less', id_token: undefined, expires_in: undefined, refresh_token_expires_in: 60 };
  await world.advance(3600);
  await ask(world, 'less', (side) => ({ accountId: ids[side] }));
});

scenario('tokens that never end, or that cannot be renewed', providers({ options: { socialProviders: { github: CLIENT } } }), async (world) => {
  world.imitation.tokens = { expires_in: undefined };
  await signInWith(world, 'github');
  let ids = await accountIds(world, 'browser', 'github');
  await world.advance(86_000);
  await ask(world, 'without an end', (side) => ({ accountId: ids[side] }));
  world.imitation.tokens = { refresh_token: undefined };
  world.imitation.who = { ...ADA, id: '2', email: 'two@example.com' };
  await signInWith(world, 'google', { jar: 'two' });
  ids = await accountIds(world, 'two', 'google');
  await world.advance(3600);
  await ask(world, 'without a refresh token', (side) => ({ accountId: ids[side] }), 'two');
});

scenario('a profile that cannot be had', providers(), async (world) => {
  await signInWith(world, 'github');
  const ids = await accountIds(world, 'browser', 'github');
  world.imitation.tell('api.github.com/user', { status: 401, json: {} });
  await ask(world, 'refused', (side) => ({ accountId: ids[side] }));
});

for (const storeAccountCookie of [{ storeAccountCookie: true }, { storeAccountCookie: true, encryptOAuthTokens: true }]) {
  scenario(`an account in a cookie, ${JSON.stringify(storeAccountCookie)}`, providers({ account: storeAccountCookie }), async (world) => {
    await signInWith(world, 'google');
    await ask(world, 'by its cookie', { useAccountCookie: true });
    await ask(world, 'by a cookie that is not asked for', { useAccountCookie: false });
    await world.advance(250);
    await world.send('a session', { path: '/get-session' });
    await world.advance(3400);
    await ask(world, 'at the end', { useAccountCookie: true });
    await world.send('signs out', { path: '/sign-out', json: {} });
  });
}

scenario('every provider tells a profile and renews its tokens', everything({ options: { socialProviders: { discord: CLIENT, twitter: CLIENT, notion: CLIENT, microsoft: CLIENT, facebook: CLIENT } }, generic: [PLAIN, { ...OPENID, authentication: 'basic', refreshTokenParams: { audience: 'api' } }] }), async (world) => {
  for (const provider of ['discord', 'twitter', 'notion', 'microsoft', 'facebook', 'plain', 'openid']) {
    world.imitation.who = { ...ADA, email: `${provider}@example.com` };
    const flow = await begin(world, provider, { jar: provider });
    await comeBack(world, flow);
    const ids = await accountIds(world, provider, provider);
    await ask(world, provider, (side) => ({ accountId: ids[side] }), provider);
  }
});
