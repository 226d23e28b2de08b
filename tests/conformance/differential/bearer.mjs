import { everything } from '../harness/setup.mjs';
import { session, signIn, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const token = (answer) => answer.json.token;
const signed = (answer) => answer.headers.find(([name]) => name === 'set-auth-token')[1];
const get = (authorization) => ({ path: '/get-session', jar: null, headers: { authorization } });

for (const bearer of [{}, { requireSignature: true }]) {
  scenario(`tokens instead of cookies, ${JSON.stringify(bearer)}`, everything({ bearer }), async (world) => {
    const up = await signUp(world, 'Ada');
    const forms = {
      'the token': (a) => `Bearer ${token(a)}`,
      'signed': (a) => `Bearer ${signed(a)}`,
      'signed and encoded': (a) => `Bearer ${encodeURIComponent(signed(a))}`,
      'lower case': (a) => `bearer ${token(a)}`,
      'capitals': (a) => `BEARER ${signed(a)}`,
      'spaces': (a) => `Bearer   ${signed(a)}  `,
      'no scheme': (a) => token(a),
      'another scheme': (a) => `Basic ${token(a)}`,
      'nothing': () => 'Bearer ',
      'no space': (a) => `Bearer${token(a)}`,
      'a wrong signature': (a) => `Bearer ${token(a)}.${'A'.repeat(43)}=`,
      'a cut signature': (a) => `Bearer ${signed(a).slice(0, -1)}`,
      'an unknown token': () => 'Bearer unknown',
      'an unknown signed token': () => `Bearer unknown.${'A'.repeat(43)}=`,
      'nonsense': () => 'Bearer %E0%A4%A.x',
    };
    for (const [what, form] of Object.entries(forms)) await world.send(what, (side) => get(form(up[side])));
    await world.send('an update needs no origin', (side) => ({ path: '/update-user', json: { name: 'Countess' }, jar: null, headers: { authorization: `Bearer ${signed(up[side])}` } }));
    await world.send('sign out', (side) => ({ method: 'POST', path: '/sign-out', jar: null, headers: { authorization: `Bearer ${signed(up[side])}` } }));
    await world.send('out', (side) => get(`Bearer ${signed(up[side])}`));
  });
}

scenario('a token wins over a cookie', everything({ bearer: {} }), async (world) => {
  await signUp(world, 'Ada');
  const eve = await signUp(world, 'Eve');
  await world.send('both', (side) => ({ path: '/get-session', jar: 'Ada', headers: { authorization: `Bearer ${token(eve[side])}` } }));
  await session(world, 'Ada');
});

scenario('a new token is handed out with every new session', everything({ bearer: {}, twoFactor: {} }), async (world) => {
  const up = await signUp(world, 'Ada');
  await signIn(world, 'Ada');
  const headers = (side) => ({ authorization: `Bearer ${token(up[side])}` });
  await world.send('changes the password', (side) => ({ path: '/change-password', json: { currentPassword: 'correct horse battery', newPassword: 'another horse', revokeOtherSessions: true }, jar: null, headers: headers(side) }));
  const again = await signIn(world, 'Ada', { password: 'another horse' });
  await world.advance(86_401);
  await world.send('renewed', (side) => get(`Bearer ${token(again[side])}`));
});

scenario('tokens and the cookie cache', everything({ bearer: {}, options: { session: { cookieCache: { enabled: true } } } }), async (world) => {
  const up = await signUp(world, 'Ada');
  await world.send('read', (side) => get(`Bearer ${token(up[side])}`));
});
