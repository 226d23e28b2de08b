import { everything } from '../harness/setup.mjs';
import { session, signIn, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const hashed = { storeToken: 'hashed' };
/** A token is random: its length is compared. */
const measure = (body) => (body?.token ? { ...body, token: body.token.length } : body);
const generate = (world, jar, what = 'a token') => world.send(what, { path: '/one-time-token/generate', jar, read: measure });
const verify = (world, tokens, jar, what = 'brought') => world.send(what, (side) => ({ path: '/one-time-token/verify', json: { token: tokens[side].json.token }, jar }));

scenario('a session is handed over', everything({ oneTimeToken: hashed, files: true }), async (world) => {
  await signUp(world, 'Ada');
  const tokens = await generate(world, 'Ada');
  await generate(world, null, 'for nobody');
  await world.rows('one token', 'verification');
  await verify(world, tokens, 'phone');
  await session(world, 'phone');
  await verify(world, tokens, 'eve', 'twice');
  await world.rows('no token', 'verification', 'session');
});

scenario('tokens that work once, as they are', everything({ oneTimeToken: { storeToken: 'plain', expiresIn: 10 } }), async (world) => {
  await signUp(world, 'Ada');
  const tokens = await generate(world, 'Ada');
  await world.advance(599);
  await verify(world, tokens, 'phone');
});

scenario('tokens that work once and do not', everything({ oneTimeToken: hashed }), async (world) => {
  await signUp(world, 'Ada');
  const late = await generate(world, 'Ada');
  await world.advance(181);
  await verify(world, late, 'phone', 'too late');
  const ended = await generate(world, 'Ada');
  for (const json of [{}, { token: 5 }, { token: '' }, { token: 'x' }, []]) await world.send(`brings ${JSON.stringify(json)}`, { path: '/one-time-token/verify', json, jar: 'phone' });
  await world.send('signs out', { method: 'POST', path: '/sign-out', jar: 'Ada' });
  await verify(world, ended, 'phone', 'its session is over');
});

scenario('a session that ends with the browser is handed over', everything({ oneTimeToken: hashed }), async (world) => {
  await signUp(world, 'Ada');
  await signIn(world, 'Ada', { rememberMe: false }, 'laptop');
  const tokens = await generate(world, 'laptop');
  await verify(world, tokens, 'phone');
  await verify(world, await generate(world, 'laptop'), 'laptop', 'by the same browser');
});

scenario('tokens that work once are for the server', everything({ oneTimeToken: { ...hashed, disableClientRequest: true } }), async (world) => {
  await signUp(world, 'Ada');
  await generate(world, 'Ada');
  await generate(world, null, 'nobody');
});

scenario('tokens that work once and set no cookie', everything({ oneTimeToken: { ...hashed, disableSetSessionCookie: true } }), async (world) => {
  await signUp(world, 'Ada');
  await verify(world, await generate(world, 'Ada'), 'phone');
});

scenario('a token that works once with every sign-in', everything({ oneTimeToken: { ...hashed, setOttHeaderOnNewSession: true } }), async (world) => {
  const up = await signUp(world, 'Ada');
  const ott = (answer) => ({ json: { token: answer.headers.find(([name]) => name === 'set-ott')?.[1] } });
  await verify(world, { reference: ott(up.reference), ours: ott(up.ours) }, 'phone');
  await signIn(world, 'Ada');
  await signIn(world, 'Ada', { password: 'wrong horse' });
  await session(world, 'Ada');
});
