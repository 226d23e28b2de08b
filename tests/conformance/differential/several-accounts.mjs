// Several accounts in one browser.

import { everything } from '../harness/setup.mjs';
import { totp } from '../harness/totp.mjs';
import { PASSWORD, person, session, signIn, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const several = (more = {}) => everything({ multiSession: {}, ...more });
const JAR = 'browser';
const tokenOf = (answer, side) => answer[side].json.token;
/** Whoever stores decides the order; who is in it is what is compared. */
const byAddress = (accounts) => (Array.isArray(accounts) ? accounts.toSorted((one, other) => one.user.email.localeCompare(other.user.email)) : accounts);
const list = (world, what) => world.send(what, { path: '/multi-session/list-device-sessions', jar: JAR, read: byAddress });
const join = (world, name) => world.send(`${name} signs up`, { path: '/sign-up/email', json: person(name), jar: JAR });
const turnTo = (answer, jar = JAR) => (side) => ({ path: '/multi-session/set-active', json: { sessionToken: tokenOf(answer, side) }, jar });
const end = (answer, jar = JAR) => (side) => ({ path: '/multi-session/revoke', json: { sessionToken: tokenOf(answer, side) }, jar });

scenario('several accounts in one browser', several(), async (world) => {
  await list(world, 'nobody');
  const ada = await join(world, 'Ada');
  await list(world, 'one');
  await world.advance(1);
  const eve = await join(world, 'Eve');
  await list(world, 'two');
  await session(world, JAR, 'the newest is active');
  await world.send('turns to Ada', turnTo(ada));
  await session(world, JAR, 'Ada is active');
  await world.send('turns to Eve', turnTo(eve));
  await world.send('in a browser without cookies', turnTo(ada, null));
  await world.send('an unknown token', { path: '/multi-session/set-active', json: { sessionToken: 'unknown' }, jar: JAR });
  await world.send('no token', { path: '/multi-session/set-active', json: {}, jar: JAR });
  await world.send('a number', { path: '/multi-session/revoke', json: { sessionToken: 1 }, jar: JAR });
  await world.send('signs out', { path: '/sign-out', json: {}, jar: JAR });
  await list(world, 'nobody is left');
  await world.send('turns to whom?', turnTo(ada));
});

scenario('signing one of several accounts out', several(), async (world) => {
  const ada = await join(world, 'Ada');
  await world.advance(1);
  const eve = await join(world, 'Eve');
  await world.send('in a browser without cookies', end(ada, null));
  await world.send('an unknown token', { path: '/multi-session/revoke', json: { sessionToken: 'unknown' }, jar: JAR });
  await world.send('the active one', end(eve));
  await session(world, JAR, 'the other is active');
  await list(world, 'one is left');
  await world.advance(1);
  const again = await signIn(world, 'Eve', {}, JAR);
  await world.send('the one that is not active', end(ada));
  await session(world, JAR, 'still the same');
  await world.send('the last one', end(again));
  await session(world, JAR, 'nobody');
  await list(world, 'none');
});

scenario('the same person again', several(), async (world) => {
  const first = await join(world, 'Ada');
  await world.advance(1);
  await signIn(world, 'Ada', {}, JAR);
  await list(world, 'one session');
  await world.send('the old one', turnTo(first));
});

scenario('one account too many', several({ multiSession: { maximumSessions: 2 } }), async (world) => {
  await join(world, 'Ada');
  await world.advance(1);
  await join(world, 'Eve');
  await world.advance(1);
  const mallory = await join(world, 'Mallory');
  await session(world, JAR, 'is signed in');
  await list(world, 'is not kept');
  await world.send('cannot be turned to', turnTo(mallory));
});

scenario('accounts whose sessions ended', several(), async (world) => {
  const ada = await join(world, 'Ada');
  await world.advance(1);
  await join(world, 'Eve');
  await signIn(world, 'Ada', {}, 'elsewhere');
  await world.send('ended elsewhere', { path: '/revoke-other-sessions', json: {}, jar: 'elsewhere' });
  await list(world, 'is not in the list');
  await world.send('cannot be turned to', turnTo(ada));
  await world.advance(8 * 86_400);
  await list(world, 'all ran out');
});

scenario('an account that is not remembered', several(), async (world) => {
  await signUp(world, 'Ada');
  await signIn(world, 'Ada', { rememberMe: false }, JAR);
  await list(world, 'one');
});

scenario('several accounts and a second factor', several({ twoFactor: {} }), async (world) => {
  await signUp(world, 'Ada');
  const given = await world.send('enables', { path: '/two-factor/enable', json: { password: PASSWORD }, jar: 'Ada' });
  const code = (jar) => (side) => ({ path: '/two-factor/verify-totp', json: { code: totp(given[side].json.totpURI) }, jar });
  await world.send('the first code', code('Ada'));
  await world.advance(60);
  await join(world, 'Eve');
  await signIn(world, 'Ada', {}, JAR);
  await list(world, 'is not in the list yet');
  await world.send('shows the code', code(JAR));
  await list(world, 'is now');
});

scenario('several accounts and the cookie cache', several({ options: { session: { cookieCache: { enabled: true } } } }), async (world) => {
  const ada = await join(world, 'Ada');
  await world.advance(1);
  await join(world, 'Eve');
  await world.send('turns to Ada', turnTo(ada));
  await session(world, JAR, 'Ada at once');
});
