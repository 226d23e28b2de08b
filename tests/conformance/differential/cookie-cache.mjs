import { everything } from '../harness/setup.mjs';
import { session, signIn, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const cache = (more) => everything({ options: { session: { cookieCache: { enabled: true, ...more } } } });

for (const strategy of ['compact', 'jwt', 'jwe']) {
  scenario(`the cookie cache as ${strategy}`, cache({ strategy }), async (world) => {
    await signUp(world, 'Ada');
    await session(world, 'Ada', 'from the cookie');
    await world.send('from the database', { path: '/get-session?disableCookieCache=true', jar: 'Ada' });
    await world.send('update', { path: '/update-user', json: { name: 'Countess' }, jar: 'Ada' });
    await session(world, 'Ada', 'the new name');
    await world.advance(299);
    await session(world, 'Ada', 'almost old');
    await world.advance(301);
    await session(world, 'Ada', 'too old: read again');
    await world.send('sign out', { method: 'POST', path: '/sign-out', jar: 'Ada' });
  });

  scenario(`a session that is not remembered, cached as ${strategy}`, cache({ strategy }), async (world) => {
    await signUp(world, 'Ada', { rememberMe: false });
    await session(world, 'Ada');
    await world.advance(100);
    await session(world, 'Ada', 'later');
  });

  scenario(`what one engine caches as ${strategy} the other believes`, cache({ strategy }), async (world) => {
    await signUp(world, 'Ada');
    const other = { reference: 'ours', ours: 'reference' };
    await world.send('the other’s cookies', (side) => {
      const cookies = [...world.jar(other[side], 'Ada')].map(([name, value]) => `${name}=${value}`);
      return { path: '/get-session', jar: null, headers: { cookie: cookies.join('; ') } };
    });
  });

  scenario(`a cached copy that is not believed (${strategy})`, cache({ strategy }), async (world) => {
    await signUp(world, 'Ada');
    await signUp(world, 'Bob');
    const [token, data] = ['better-auth.session_token', 'better-auth.session_data'];
    const of = (side, name) => world.jar(side, name);
    const get = (cookie) => ({ path: '/get-session', jar: null, headers: { cookie } });
    await world.send('alone', (side) => get(`${data}=${of(side, 'Ada').get(data)}`));
    await world.send('of someone else', (side) => get(`${token}=${of(side, 'Ada').get(token)}; ${data}=${of(side, 'Bob').get(data)}`));
    await world.send('nonsense', (side) => get(`${token}=${of(side, 'Ada').get(token)}; ${data}=nonsense`));
    await world.send('cut short', (side) => get(`${token}=${of(side, 'Ada').get(token)}; ${data}=${of(side, 'Ada').get(data).slice(0, -5)}`));
    await world.send('none', (side) => get(`${token}=${of(side, 'Ada').get(token)}`));
  });
}

scenario('an ended session and the copy in its cookie', cache(), async (world) => {
  await signUp(world, 'Ada');
  await signIn(world, 'Ada', {}, 'phone');
  await world.send('ends the others', { method: 'POST', path: '/revoke-other-sessions', jar: 'Ada' });
  await session(world, 'phone', 'the copy is believed for a while');
  await world.send('but not where it matters', { path: '/change-password', json: { currentPassword: 'correct horse battery', newPassword: 'x'.repeat(9) }, jar: 'phone' });
});

scenario('an ended session cannot prolong its copy', cache(), async (world) => {
  await signUp(world, 'Ada');
  await signIn(world, 'Ada', {}, 'phone');
  await world.send('ends the others', { method: 'POST', path: '/revoke-other-sessions', jar: 'Ada' });
  await world.send('update with a copy', { path: '/update-user', json: { name: 'Mallory' }, jar: 'phone' });
});

scenario('a version of one’s own', cache({ version: '7', maxAge: 60 }), async (world) => {
  await signUp(world, 'Ada');
  await session(world, 'Ada');
  await world.advance(61);
  await session(world, 'Ada');
});

scenario('a copy that was left behind when the cache was turned off', everything(), async (world) => {
  await signUp(world, 'Ada');
  await world.send('with a copy', (side) => ({
    path: '/get-session', jar: null,
    headers: { cookie: `better-auth.session_token=${world.jar(side, 'Ada').get('better-auth.session_token')}; better-auth.session_data=x` },
  }));
});

scenario('a copy too long for one cookie', cache(), async (world) => {
  await signUp(world, 'Ada', { image: `https://example.com/${'x'.repeat(5000)}` });
  await session(world, 'Ada');
  await world.send('shorter', { path: '/update-user', json: { image: null }, jar: 'Ada' });
  await session(world, 'Ada');
  await world.send('sign out', { method: 'POST', path: '/sign-out', jar: 'Ada' });
});
