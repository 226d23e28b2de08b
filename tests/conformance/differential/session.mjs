import { everything } from '../harness/setup.mjs';
import { person, session, signIn, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const path = '/get-session';
const DAY = 86_400;

scenario('without a session the answer is null', everything(), async (world) => {
  await world.send('no cookie', { path, jar: null });
  await world.send('POST needs an option', { method: 'POST', path, jar: null });
  await world.send('POST with a body', { path, json: {}, jar: null });
  await world.send('HEAD', { method: 'HEAD', path, jar: null });
});

scenario('a cookie that was tampered with is nobody’s', everything(), async (world) => {
  await signUp(world, 'Ada');
  await signUp(world, 'Bob');
  const cookie = (side, value) => ({ path, jar: null, headers: { cookie: `better-auth.session_token=${value(world.jar(side, 'Ada').get('better-auth.session_token'), side)}` } });
  const changes = {
    'as it is': (value) => value,
    'in quotes': (value) => `"${value}"`,
    'decoded': (value) => decodeURIComponent(value),
    'without its signature': (value) => value.split('.')[0],
    'with an empty signature': (value) => `${value.split('.')[0]}.`,
    'with another’s signature': (value, side) => `${value.split('.')[0]}.${world.jar(side, 'Bob').get('better-auth.session_token').split('.')[1]}`,
    'with a shorter signature': (value) => `${value.slice(0, -4)}%3D`,
    'with one character changed': (value) => (value[0] === 'a' ? 'b' : 'a') + value.slice(1),
    'twice in a row': (value) => `${value}.${value}`,
    'empty': () => '',
    'nonsense': () => '%E0%A4%A',
    'a dot': () => '.',
    'very long': () => 'x'.repeat(4000),
    'first nonsense, then right': (value) => `x; better-auth.session_token=${value}`,
    'first right, then nonsense': (value) => `${value}; better-auth.session_token=x`,
    'under the secure name': (value) => `x; __Secure-better-auth.session_token=${value}`,
  };
  for (const [what, change] of Object.entries(changes)) await world.send(what, (side) => cookie(side, change));
});

scenario('a session is renewed once a day and ends after a week', everything(), async (world) => {
  await signUp(world, 'Ada');
  await world.advance(DAY - 1);
  await session(world, 'Ada', 'a second before a day: not renewed');
  await world.advance(1);
  await session(world, 'Ada', 'after a day: renewed');
  await session(world, 'Ada', 'and not again');
  await world.advance(7 * DAY - 1);
  await world.send('a second before the end, left alone', { path: `${path}?disableRefresh=true`, jar: 'Ada' });
  await world.advance(2);
  await session(world, 'Ada', 'over');
});

scenario('a session that is not remembered is never renewed', everything(), async (world) => {
  await signUp(world, 'Ada', { rememberMe: false });
  await world.advance(DAY - 1);
  await session(world, 'Ada', 'still there');
  await world.send('update', { path: '/update-user', json: { name: 'Countess' }, jar: 'Ada' });
  await world.advance(2);
  await session(world, 'Ada', 'over after a day');
});

scenario('any route renews', everything(), async (world) => {
  await signUp(world, 'Ada');
  await world.advance(DAY + 5);
  await world.send('list accounts', { path: '/list-accounts', jar: 'Ada' });
  await session(world, 'Ada');
});

scenario('sessions that are never renewed', everything({ options: { session: { disableSessionRefresh: true } } }), async (world) => {
  await signUp(world, 'Ada');
  await world.advance(3 * DAY);
  await session(world, 'Ada');
});

scenario('a renewal that waits for a POST', everything({ options: { session: { deferSessionRefresh: true } } }), async (world) => {
  await signUp(world, 'Ada');
  await session(world, 'Ada', 'no need');
  await world.advance(DAY);
  await session(world, 'Ada', 'needed, not done');
  await world.send('done', { method: 'POST', path, jar: 'Ada' });
  await session(world, 'Ada', 'no need again');
  await world.send('signed out', { method: 'POST', path, jar: null });
});

scenario('lifetimes of one’s own', everything({ options: { session: { expiresIn: 3600, updateAge: 0, freshAge: 60 } } }), async (world) => {
  await signUp(world, 'Ada');
  await session(world, 'Ada', 'renewed at once');
  await world.advance(60);
  await world.send('no longer fresh', { path: '/list-sessions', jar: 'Ada' });
  await world.advance(3601);
  await session(world, 'Ada', 'over');
});

scenario('listing and ending sessions', everything(), async (world) => {
  await signUp(world, 'Ada');
  await signIn(world, 'Ada', {}, 'phone');
  const tablet = await signIn(world, 'Ada', {}, 'tablet');
  await signUp(world, 'Eve');
  await world.send('list', { path: '/list-sessions', jar: 'Ada' });
  await world.send('signed out', { path: '/list-sessions', jar: null });
  await world.send('no token', { path: '/revoke-session', json: {}, jar: 'Ada' });
  await world.send('token is a number', { path: '/revoke-session', json: { token: 5 }, jar: 'Ada' });
  await world.send('unknown token', { path: '/revoke-session', json: { token: 'unknown' }, jar: 'Ada' });
  await world.send('signed out', { path: '/revoke-session', json: { token: 'x' }, jar: null });
  await world.send('a bad body and signed out', { path: '/revoke-session', json: {}, jar: null });
  await world.send('Eve tries', (side) => ({ path: '/revoke-session', json: { token: tablet[side].json.token }, jar: 'Eve' }));
  await session(world, 'tablet', 'the tablet is still there');
  await world.send('Ada does', (side) => ({ path: '/revoke-session', json: { token: tablet[side].json.token }, jar: 'Ada' }));
  await session(world, 'tablet', 'the tablet is out');
  await world.send('others', { method: 'POST', path: '/revoke-other-sessions', jar: 'Ada' });
  await session(world, 'phone', 'the phone is out');
  await world.send('others, with a body', { path: '/revoke-other-sessions', json: {}, jar: 'Ada' });
  await world.send('others, signed out', { method: 'POST', path: '/revoke-other-sessions', jar: null });
  await world.send('all', { method: 'POST', path: '/revoke-sessions', jar: 'Ada' });
  await world.send('all, signed out', { method: 'POST', path: '/revoke-sessions', jar: null });
  await session(world, 'Ada', 'out too');
  await session(world, 'Eve', 'Eve is not');
});

scenario('a session that is not fresh', everything(), async (world) => {
  await signUp(world, 'Ada');
  await world.advance(DAY);
  await world.send('list', { path: '/list-sessions', jar: 'Ada' });
  await world.send('delete without a password', { path: '/delete-user', json: {}, jar: 'Ada' });
  await world.send('unlink', { path: '/unlink-account', json: { accountId: 'x' }, jar: 'Ada' });
  await world.send('change the password', { path: '/change-password', json: { currentPassword: person('Ada').password, newPassword: 'another horse' }, jar: 'Ada' });
});
