import { Authenticator } from '../harness/authenticator.mjs';
import { everything, ORIGIN } from '../harness/setup.mjs';
import { totp } from '../harness/totp.mjs';
import { PASSWORD, session, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const withPasskeys = everything({ passkey: {} });
const [ask, register] = ['/passkey/generate-register-options', '/passkey/verify-registration'];
const [askIn, signIn] = ['/passkey/generate-authenticate-options', '/passkey/verify-authentication'];
const origin = { origin: ORIGIN };

/** A key for each side. */
const keys = () => ({ reference: new Authenticator(), ours: new Authenticator() });

async function add(world, name, key, { lie, from = ORIGIN, headers = {}, ...body } = {}) {
  const options = await world.send('asks to register', { path: ask, jar: name });
  return world.send('registers', (side) => ({ path: register, json: { response: key[side].register(options[side].json, from, lie), ...body }, headers, jar: name }));
}

async function enter(world, jar, key, { lie = {}, from = ORIGIN, headers = origin, change = (response) => response } = {}) {
  const options = await world.send('asks to sign in', { path: askIn, jar });
  return world.send(`signs in, ${JSON.stringify(lie)}`, (side) => ({ path: signIn, json: { response: change(key[side].authenticate(options[side].json, from, lie)) }, headers, jar }));
}

scenario('a passkey is registered and signs in', withPasskeys, async (world) => {
  const key = keys();
  await signUp(world, 'Ada');
  await add(world, 'Ada', key, { name: 'My key' });
  await world.send('lists', { path: '/passkey/list-user-passkeys', jar: 'Ada' });
  await world.send('asks again: the first is excluded', { path: ask, jar: 'Ada' });
  await world.send('asks to sign in while signed in', { path: askIn, jar: 'Ada' });
  await enter(world, 'phone', key);
  await session(world, 'phone');
  await enter(world, 'phone', key);
  await world.send('lists', { path: '/passkey/list-user-passkeys', jar: 'phone' });
});

scenario('what a registration is asked with', withPasskeys, async (world) => {
  await world.send('signed out', { path: ask, jar: null });
  await signUp(world, 'Ada');
  for (const query of ['?name=Work', '?authenticatorAttachment=platform', '?authenticatorAttachment=cross-platform', '?authenticatorAttachment=x', '?name=', '?context=x']) {
    await world.send(`with ${query}`, { path: `${ask}${query}`, jar: 'Ada' });
  }
  await world.advance(86_401);
  await world.send('not fresh', { path: ask, jar: 'Ada' });
});

scenario('names of one’s own', everything({ passkey: { rpID: 'example.com', rpName: 'Acme', origin: ['https://app.example.com'] } }), async (world) => {
  const key = keys();
  await signUp(world, 'Ada');
  await add(world, 'Ada', key, { from: 'https://app.example.com' });
  await enter(world, 'phone', key, { from: 'https://app.example.com' });
});

const lies = {
  'another challenge': { lie: { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' } },
  'another origin': { from: 'https://evil.test' },
  'another rp id': { lie: { rpId: 'evil.test' } },
  'nobody present': { lie: { flags: 0 } },
};

for (const [what, how] of Object.entries(lies)) {
  scenario(`a registration with ${what}`, withPasskeys, async (world) => {
    await signUp(world, 'Ada');
    await add(world, 'Ada', keys(), how);
    await world.send('none was kept', { path: '/passkey/list-user-passkeys', jar: 'Ada' });
  });

  scenario(`an authentication with ${what}`, withPasskeys, async (world) => {
    const key = keys();
    await signUp(world, 'Ada');
    await add(world, 'Ada', key);
    await enter(world, 'phone', key, how);
    await session(world, 'phone', 'nobody');
  });
}

scenario('bad registrations', withPasskeys, async (world) => {
  await signUp(world, 'Ada');
  await world.send('without a challenge', { path: register, json: { response: {} }, jar: 'Ada' });
  for (const json of [{}, { response: 5 }, { response: {} }, { response: { id: 'x' }, name: 5 }, null]) {
    await world.send('asks', { path: ask, jar: 'Ada' });
    await world.send(`with ${JSON.stringify(json)}`, { path: register, json, jar: 'Ada' });
    await world.send(`signed out, with ${JSON.stringify(json)}`, { path: register, json, jar: null });
  }
});

scenario('a challenge is good once and for a while', withPasskeys, async (world) => {
  const key = keys();
  await signUp(world, 'Ada');
  const options = await world.send('asks', { path: ask, jar: 'Ada' });
  const answers = world.each((side) => key[side.name].register(options[side.name].json, ORIGIN));
  await world.send('registers', (side) => ({ path: register, json: { response: answers[side] }, jar: 'Ada' }));
  await world.send('again', (side) => ({ path: register, json: { response: answers[side] }, jar: 'Ada' }));
  const late = await world.send('asks', { path: ask, jar: 'Ada' });
  await world.advance(301);
  await world.send('too late', (side) => ({ path: register, json: { response: key[side].register(late[side].json, ORIGIN) }, jar: 'Ada' }));
  const entry = await world.send('asks to sign in', { path: askIn, jar: 'phone' });
  const proofs = world.each((side) => key[side.name].authenticate(entry[side.name].json, ORIGIN, { passkey: 0 }));
  await world.send('signs in', (side) => ({ path: signIn, json: { response: proofs[side] }, headers: origin, jar: 'phone' }));
  await world.send('again', (side) => ({ path: signIn, json: { response: proofs[side] }, headers: origin, jar: 'phone' }));
});

scenario('a challenge of one ceremony is none of the other', withPasskeys, async (world) => {
  const key = keys();
  await signUp(world, 'Ada');
  await add(world, 'Ada', key);
  const options = await world.send('asks to register', { path: ask, jar: 'Ada' });
  await world.send('signs in with it', (side) => ({ path: signIn, json: { response: key[side].authenticate({ ...options[side].json, rpId: 'localhost' }, ORIGIN) }, jar: 'Ada' }));
});

scenario('a counter that goes back', withPasskeys, async (world) => {
  const key = keys();
  await signUp(world, 'Ada');
  await add(world, 'Ada', key);
  await enter(world, 'phone', key, { lie: { counter: 5 } });
  await enter(world, 'tablet', key, { lie: { counter: 5 } });
  await enter(world, 'tablet', key, { lie: { counter: 4 } });
  await enter(world, 'tablet', key, { lie: { counter: 0 } });
  await enter(world, 'tablet', key, { lie: { counter: 6 } });
});

scenario('a counter that is never used', withPasskeys, async (world) => {
  const key = keys();
  await signUp(world, 'Ada');
  await add(world, 'Ada', key);
  await enter(world, 'phone', key, { lie: { counter: 0 } });
  await enter(world, 'phone', key, { lie: { counter: 0 } });
});

scenario('signatures and keys that are not right', withPasskeys, async (world) => {
  const key = keys();
  await signUp(world, 'Ada');
  await add(world, 'Ada', key);
  const bend = (field, value) => (answer) => ({ ...answer, response: { ...answer.response, [field]: value(answer.response[field]) } });
  await enter(world, 'a', key, { change: bend('signature', (text) => `${text.slice(0, -6)}AAAAAA`) });
  await enter(world, 'b', key, { change: bend('authenticatorData', (text) => text.slice(0, -2)) });
  await enter(world, 'c', key, { change: bend('clientDataJSON', () => 'nonsense') });
  await enter(world, 'd', key, { change: (answer) => ({ ...answer, id: 'unknown', rawId: 'unknown' }) });
  await enter(world, 'e', key, { headers: { origin: null, referer: `${ORIGIN}/` } });
  await enter(world, 'f', key, { headers: { origin: 'https://evil.test' } });
  await world.send('no challenge', { path: signIn, json: { response: { id: 'x' } }, headers: origin, jar: null });
  await world.send('no challenge, no origin', { path: signIn, json: { response: { id: 'x' } }, jar: null });
  for (const json of [{}, { response: 5 }, { response: null }, null]) await world.send(`with ${JSON.stringify(json)}`, { path: signIn, json, headers: origin, jar: null });
});

scenario('passkeys are renamed and deleted by their owner', withPasskeys, async (world) => {
  const key = keys();
  await signUp(world, 'Ada');
  await signUp(world, 'Eve');
  const added = await add(world, 'Ada', key);
  const id = (side) => added[side].json.id;
  for (const [path, rest] of [['/passkey/update-passkey', { name: 'X' }], ['/passkey/delete-passkey', {}]]) {
    await world.send('nothing', { path, json: {}, jar: 'Ada' });
    await world.send('a number', { path, json: { id: 5, name: 5 }, jar: 'Ada' });
    await world.send('unknown', { path, json: { id: 'unknown', ...rest }, jar: 'Ada' });
    await world.send('someone else’s', (side) => ({ path, json: { id: id(side), ...rest }, jar: 'Eve' }));
    await world.send('signed out', (side) => ({ path, json: { id: id(side), ...rest }, jar: null }));
    await world.send('one’s own', (side) => ({ path, json: { id: id(side), ...rest }, jar: 'Ada' }));
    await world.send('again', (side) => ({ path, json: { id: id(side), ...rest }, jar: 'Ada' }));
  }
  await world.send('lists', { path: '/passkey/list-user-passkeys', jar: 'Ada' });
  await world.send('lists, signed out', { path: '/passkey/list-user-passkeys', jar: null });
  await enter(world, 'phone', key);
});

scenario('a passkey is two factors', everything({ passkey: {}, twoFactor: {} }), async (world) => {
  const key = keys();
  await signUp(world, 'Ada');
  await add(world, 'Ada', key);
  const given = await world.send('enables', { path: '/two-factor/enable', json: { password: PASSWORD }, jar: 'Ada' });
  await world.send('the first code', (side) => ({ path: '/two-factor/verify-totp', json: { code: totp(given[side].json.totpURI) }, jar: 'Ada' }));
  await enter(world, 'phone', key);
  await session(world, 'phone', 'in');
});

scenario('a registration can begin a session', withPasskeys, async (world) => {
  await signUp(world, 'Ada');
  await add(world, 'Ada', keys(), { createSession: true });
  await session(world, 'Ada');
});
