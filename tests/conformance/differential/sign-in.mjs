import { everything } from '../harness/setup.mjs';
import { PASSWORD, person, session, signIn, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const path = '/sign-in/email';

scenario('signing in and out', everything(), async (world) => {
  await signUp(world, 'Ada');
  await signIn(world, 'Ada', {}, 'phone');
  await session(world, 'phone');
  await world.send('signs out', { path: '/sign-out', json: {}, jar: 'phone' });
  await session(world, 'phone', 'nobody is there');
  await session(world, 'Ada', 'the other session lives');
});

scenario('signing out needs no session and no body', everything(), async (world) => {
  await world.send('no session, no body', { method: 'POST', path: '/sign-out', jar: null });
  await world.send('no session, a body', { path: '/sign-out', json: { callbackURL: '/bye', disableRedirect: true }, jar: null });
  await signUp(world, 'Ada', { rememberMe: false });
  await world.send('no body', { method: 'POST', path: '/sign-out', jar: 'Ada' });
  await world.send('GET is no way to sign out', { path: '/sign-out', jar: 'Ada' });
  for (const json of [[], 5, null, 'x', { callbackURL: 5 }, { disableRedirect: 'x' }, { state: 5 }]) {
    await world.send(`a body of ${JSON.stringify(json)}`, { path: '/sign-out', json, jar: null });
  }
});

scenario('a wrong password and an unknown address look the same', everything(), async (world) => {
  await signUp(world, 'Ada');
  await world.send('wrong password', { path, json: { email: 'ada@example.com', password: 'wrong horse battery' }, jar: null });
  await world.send('unknown address', { path, json: { email: 'eve@example.com', password: PASSWORD }, jar: null });
  await world.send('short password', { path, json: { email: 'ada@example.com', password: 'x' }, jar: null });
  await world.send('empty password', { path, json: { email: 'ada@example.com', password: '' }, jar: null });
  await world.send('long password', { path, json: { email: 'ada@example.com', password: 'x'.repeat(129) }, jar: null });
  await world.send('capital letters', { path, json: { email: 'ADA@EXAMPLE.COM', password: PASSWORD }, jar: null });
  await world.send('a space too much', { path, json: { email: 'ada@example.com', password: `${PASSWORD} ` }, jar: null });
});

scenario('sign-in says what is wrong with a body', everything(), async (world) => {
  const bodies = {
    'no field': {},
    'no address': { email: 'nobody', password: PASSWORD },
    'empty address': { email: '', password: PASSWORD },
    'numbers': { email: 1, password: 2 },
    'nulls': { email: null, password: null },
    'rememberMe is a text': { ...person('A'), rememberMe: 'no' },
    'rememberMe is null': { ...person('A'), rememberMe: null },
    'callbackURL is an object': { ...person('A'), callbackURL: {} },
    'callbackURL is empty': { ...person('A'), callbackURL: '' },
  };
  for (const [what, json] of Object.entries(bodies)) await world.send(what, { path, json, jar: null });
  for (const json of [[], 'text', 5, null]) await world.send(`a body of ${JSON.stringify(json)}`, { path, json, jar: null });
  await world.send('no body', { method: 'POST', path, jar: null });
});

scenario('sign-in can lead somewhere', everything(), async (world) => {
  await signUp(world, 'Ada');
  await signIn(world, 'Ada', { callbackURL: '/dashboard?x=1' });
  await signIn(world, 'Ada', { callbackURL: 'http://localhost:3000/dashboard' });
  await signIn(world, 'Ada', { rememberMe: false });
  await session(world, 'Ada');
  await signIn(world, 'Ada', { rememberMe: true });
  await signIn(world, 'Ada');
});

scenario('passwords are compared as people see them', everything(), async (world) => {
  await signUp(world, 'Ada', { password: 'pa\u0301ssword \ufb01ne' });
  await signIn(world, 'Ada', { password: 'p\u00e1ssword fine' });
});

const unproven = { emailAndPassword: { requireEmailVerification: true } };

scenario('an unproven address is refused after the password was right', everything({ options: unproven }), async (world) => {
  await signUp(world, 'Ada');
  await world.mails('a link');
  await signIn(world, 'Ada');
  await signIn(world, 'Ada', { password: 'wrong horse battery' });
  await world.mails('no link');
});

scenario('a refused sign-in sends a link when told to',
  everything({ options: { ...unproven, emailVerification: { sendOnSignIn: true } } }), async (world) => {
    await signUp(world, 'Ada');
    await world.mails('a link');
    await signIn(world, 'Ada', { callbackURL: '/welcome' });
    await world.mails('another link');
  });

scenario('client addresses and browsers are written into the session', everything(), async (world) => {
  await signUp(world, 'Ada');
  for (const headers of [
    { 'x-forwarded-for': '198.51.100.7' },
    { 'x-forwarded-for': ' 198.51.100.7 ' },
    { 'x-forwarded-for': '198.51.100.7, 10.0.0.1' },
    { 'x-forwarded-for': '2001:DB8:1:2:3:4:5:6' },
    { 'x-forwarded-for': '::ffff:198.51.100.7' },
    { 'x-forwarded-for': 'nonsense' },
    { 'x-forwarded-for': '198.51.100.7:4711' },
    { 'x-forwarded-for': null },
    { 'x-real-ip': '198.51.100.9', 'x-forwarded-for': null },
    { 'user-agent': null },
    { 'user-agent': 'Mozilla/5.0 (a "browser"; ü)' },
  ]) {
    const { email, password } = person('Ada');
    await world.send(`with ${JSON.stringify(headers)}`, { path, json: { email, password }, headers, jar: 'phone' });
    await session(world, 'phone');
  }
});

const behindProxies = { advanced: { ipAddress: { ipAddressHeaders: ['x-client', 'x-forwarded-for'], trustedProxies: ['10.0.0.0/8', '192.0.2.1'] } } };

scenario('addresses behind trusted proxies', everything({ options: behindProxies }), async (world) => {
  await signUp(world, 'Ada');
  for (const headers of [
    { 'x-forwarded-for': '198.51.100.7, 10.0.0.1' },
    { 'x-forwarded-for': '198.51.100.7, 198.51.100.8, 192.0.2.1, 10.1.2.3' },
    { 'x-forwarded-for': '10.0.0.1, 10.0.0.2' },
    { 'x-forwarded-for': 'nonsense, 10.0.0.2' },
    { 'x-client': '198.51.100.70' },
  ]) {
    const { email, password } = person('Ada');
    await world.send(`with ${JSON.stringify(headers)}`, { path, json: { email, password }, headers, jar: 'phone' });
    await session(world, 'phone');
  }
});
