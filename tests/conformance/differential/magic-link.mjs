// Links by mail.

import { everything } from '../harness/setup.mjs';
import { linkIn, PASSWORD, session, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const withLinks = (magicLink = {}, more = {}) => everything({ magicLink: { storeToken: 'hashed', ...magicLink }, ...more });
const ADA = 'ada@example.com';
const ask = (json, jar = null) => ({ path: '/sign-in/magic-link', json: { email: ADA, ...json }, jar });
const verify = (query, jar = 'browser') => ({ path: `/magic-link/verify?${new URLSearchParams(query)}`, jar });

/** Asks for a link and takes it out of the postbox. */
async function link(world, json = {}) {
  await world.send('asks', ask(json));
  const mails = await world.mails('the link');
  return (side) => mails[side][0];
}

scenario('a link for somebody new', withLinks({}, { files: true }), async (world) => {
  const mail = await link(world, { name: 'Ada', callbackURL: '/in', newUserCallbackURL: '/new?a=b c', errorCallbackURL: '/oh-no', metadata: { a: [1], b: null } });
  await world.rows('asked', 'verification', 'user');
  await world.send('opens it', (side) => ({ path: linkIn(mail(side)), jar: 'browser' }));
  await session(world, 'browser');
  await world.rows('opened', 'user', 'account', 'session', 'verification');
  await world.send('opens it again', (side) => ({ path: linkIn(mail(side)), jar: 'thief' }));
});

scenario('a link for somebody known', withLinks(), async (world) => {
  for (const what of ['first', 'second']) {
    const mail = await link(world, { callbackURL: '/in', newUserCallbackURL: '/new' });
    await world.send(`opens the ${what}`, (side) => ({ path: linkIn(mail(side)), jar: what }));
    await session(world, what);
  }
});

scenario('a link whose address was not proven before', withLinks({}, { files: true }), async (world) => {
  await signUp(world, 'Ada');
  const mail = await link(world, { callbackURL: '/in' });
  await world.send('opens it', (side) => ({ path: linkIn(mail(side)), jar: 'browser' }));
  await session(world, 'browser');
  await session(world, 'Ada', 'whoever signed up');
  await world.send('the old password', { path: '/sign-in/email', json: { email: ADA, password: PASSWORD }, jar: null });
  await world.rows('opened', 'user', 'account', 'session', 'verification');
});

scenario('a link without an address to go to', withLinks({ storeToken: 'plain' }), async (world) => {
  const mail = await link(world);
  await world.send('opens it', (side) => verify({ token: mail(side).token }));
  await world.send('opens it again', (side) => verify({ token: mail(side).token }));
  await world.send('no token', verify({}));
  await world.send('an empty token', verify({ token: '' }));
  await world.send('two tokens', { path: '/magic-link/verify?token=a&token=b', jar: null });
  await world.send('an unknown token', verify({ token: 'nonsense' }));
  await world.send('an unknown token with an address', verify({ token: 'nonsense', callbackURL: '/in?a=1' }));
  await world.send('an unknown token with an address for errors', verify({ token: 'nonsense', callbackURL: '/in', errorCallbackURL: '/oh?error=x&b=2' }));
});

scenario('a link that is too old', withLinks({ expiresIn: 60 }), async (world) => {
  const [one, other] = [await link(world, { callbackURL: '/in' }), await link(world, { callbackURL: '/in' })];
  await world.advance(59);
  await world.send('in time', (side) => ({ path: linkIn(one(side)), jar: 'browser' }));
  await world.advance(2);
  await world.send('too late', (side) => ({ path: linkIn(other(side)), jar: 'other' }));
});

scenario('no new users by link', withLinks({ disableSignUp: true }), async (world) => {
  await signUp(world, 'Ada');
  const mail = await link(world, { callbackURL: '/in' });
  await world.send('opens it', (side) => ({ path: linkIn(mail(side)), jar: 'browser' }));
  await session(world, 'browser');
  await world.send('asks for somebody unknown', ask({ email: 'nobody@example.com' }));
  await world.mails('nothing to open');
});

scenario('what can be wrong when a link is asked for', withLinks(), async (world) => {
  for (const [what, json] of Object.entries({
    nothing: {}, 'no address': { email: 'ada' }, 'a number': { email: 5 }, 'a name that is none': { email: ADA, name: 5 }, 'data that is none': { email: ADA, metadata: 'x' },
    'a place that is none': { email: ADA, callbackURL: 5 }, 'a foreign place': { email: ADA, callbackURL: 'https://evil.test' },
    'a foreign place for new users': { email: ADA, newUserCallbackURL: 'https://evil.test' }, 'a foreign place for errors': { email: ADA, errorCallbackURL: '//evil.test' },
    'an empty place': { email: ADA, callbackURL: '' },
  })) await world.send(what, { path: '/sign-in/magic-link', json, jar: null });
  await world.send('no body', { method: 'POST', path: '/sign-in/magic-link', jar: null });
  await world.send('a form', { method: 'POST', path: '/sign-in/magic-link', body: 'email=ada%40example.com', headers: { 'content-type': 'application/x-www-form-urlencoded' }, jar: null });
  await world.send('a foreign page', { ...ask({}), headers: { origin: 'https://evil.test' } });
  await world.send('a foreign form', { ...ask({}), headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' } });
  await world.send('our own page', { ...ask({}), headers: { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' } });
  await world.mails('the links');
});

scenario('foreign places in a link', withLinks(), async (world) => {
  for (const name of ['callbackURL', 'newUserCallbackURL', 'errorCallbackURL']) {
    for (const target of ['https://evil.test', '//evil.test', '/\\evil.test', 'javascript:alert(1)']) {
      await world.send(`${name} ${target}`, verify({ token: 'nonsense', [name]: target }, null));
    }
  }
});

scenario('the spelling of an address in a link', withLinks(), async (world) => {
  await world.send('asks', ask({ email: 'Ada@Example.com', callbackURL: '/in' }));
  const mails = await world.mails('the link');
  await world.send('opens it', (side) => ({ path: linkIn(mails[side][0]), jar: 'browser' }));
  await session(world, 'browser');
});

scenario('links are limited', everything({ magicLink: {}, options: { rateLimit: { enabled: true } } }), async (world) => {
  for (let turn = 1; turn <= 6; turn += 1) await world.send(`asks ${turn}`, ask({ email: `a${turn}@example.com` }));
  for (let turn = 1; turn <= 6; turn += 1) await world.send(`opens ${turn}`, verify({ token: 'nonsense' }, null));
  await world.advance(61);
  await world.send('asks after a minute', ask({}));
});
