import assert from 'node:assert/strict';

import { createLocalJWKSet, jwtVerify } from 'jose';

import { everything, ORIGIN } from '../harness/setup.mjs';
import { session, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const header = (answer) => answer.headers.find(([name]) => name === 'set-auth-jwt')?.[1];
const keys = (world, what = 'keys') => world.send(what, { path: '/jwks', jar: null });
const token = (world, what = 'a token') => world.send(what, { path: '/token', jar: 'Ada' });

/** Each side's token holds for an implementation that is neither's. */
async function holds(tokens, sets, expected = {}) {
  const claims = {};
  for (const side of ['reference', 'ours']) {
    const { payload, protectedHeader } = await jwtVerify(tokens[side], createLocalJWKSet(sets[side].json), { issuer: ORIGIN, audience: ORIGIN, ...expected });
    claims[side] = { ...protectedHeader, ...payload };
  }
  return claims;
}

const each = (answers, value) => ({ reference: value(answers.reference), ours: value(answers.ours) });

scenario('a token for whoever is signed in', everything({ jwt: {}, files: true }), async (world) => {
  await keys(world, 'the first who asks makes a key');
  await signUp(world, 'Ada');
  const given = await token(world);
  const read = await session(world, 'Ada');
  await token(world, 'and another');
  await world.send('for nobody', { path: '/token', jar: null });
  await world.send('for somebody who made a cookie up', { path: '/token', jar: null, headers: { cookie: 'better-auth.session_token=x.y', origin: ORIGIN } });
  await world.send('no session, no token', { path: '/get-session', jar: null });
  await world.send('not by POST', { path: '/token', json: {}, jar: 'Ada' });
  await world.send('keys not by POST', { path: '/jwks', json: {}, jar: 'Ada' });
  const sets = await keys(world);
  await world.rows('what is kept', 'jwks');
  const claims = await holds(each(given, ({ json }) => json.token), sets);
  assert.equal(claims.ours.alg, 'EdDSA');
  await holds(each(read, header), sets);
  await world.send('signs out', { method: 'POST', path: '/sign-out', jar: 'Ada' });
  await token(world, 'after signing out');
});

for (const alg of ['ES256', 'RS256', 'PS256']) {
  scenario(`tokens by ${alg}`, everything({ jwt: { jwks: { keyPairConfig: { alg } } } }), async (world) => {
    await signUp(world, 'Ada');
    const given = await token(world);
    const claims = await holds(each(given, ({ json }) => json.token), await keys(world), { algorithms: [alg] });
    for (const side of Object.values(claims)) assert.equal(side.alg, alg);
  });
}

scenario('what an app says that is in a token', everything({
  jwt: { jwt: { issuer: 'https://issuer.example', audience: ['https://one.example', 'https://two.example'], expirationTime: '5m' } },
  callbacks: ['definePayload', 'getSubject'],
}), async (world) => {
  await signUp(world, 'Ada');
  const given = await token(world);
  await session(world, 'Ada');
  await holds(each(given, ({ json }) => json.token), await keys(world), { issuer: 'https://issuer.example', audience: 'https://two.example' });
});

scenario('keys are replaced and published for a while', everything({ jwt: { jwks: { rotationInterval: 3600, gracePeriod: 7200 } }, files: true }), async (world) => {
  await signUp(world, 'Ada');
  await keys(world);
  const first = await token(world);
  await world.advance(3599);
  await token(world, 'by the same key');
  await world.advance(2);
  await keys(world, 'nobody signed yet');
  const second = await token(world, 'by another key');
  const both = await keys(world, 'both');
  await world.rows('two keys', 'jwks');
  await holds(each(second, ({ json }) => json.token), both);
  await holds(each(first, ({ json }) => json.token), both, { clockTolerance: 7200 });
  await world.advance(3000);
  await token(world, 'by the second still');
  await world.advance(4198);
  await keys(world, 'the last second of the first');
  await world.advance(2);
  await keys(world, 'without the first');
});

scenario('keys under another path', everything({ jwt: { jwks: { jwksPath: '/.well-known/jwks.json' } } }), async (world) => {
  await world.send('there', { path: '/.well-known/jwks.json', jar: null });
  await keys(world, 'not here');
});

scenario('a session without a token', everything({ jwt: { disableSettingJwtHeader: true } }), async (world) => {
  await signUp(world, 'Ada');
  await session(world, 'Ada');
  await token(world);
});

scenario('a token beside the session’s own', everything({ jwt: {}, bearer: {} }), async (world) => {
  const up = await signUp(world, 'Ada');
  const get = (path) => (side) => ({ path, jar: null, headers: { authorization: `Bearer ${up[side].json.token}` } });
  await world.send('a token for a token', get('/token'));
  await world.advance(86_401);
  await world.send('both in headers', get('/get-session'));
});

scenario('private keys as they are', everything({ jwt: { jwks: { disablePrivateKeyEncryption: true } }, files: true }), async (world) => {
  await keys(world);
  await world.rows('what is kept', 'jwks');
});

scenario('a key that nobody can open', everything({ jwt: {}, files: true }), async (world) => {
  await signUp(world, 'Ada');
  await token(world);
  world.change(`update jwks set "privateKey" = '"${'0'.repeat(200)}"'`);
  // Ours keeps a key in memory and looks once a minute.
  await world.advance(61);
  const { ours } = await token(world, 'a token all the same');
  assert.equal(ours.status, 200);
  await session(world, 'Ada', 'a session all the same');
  const sets = await keys(world, 'the old one is published');
  assert.equal(sets.ours.json.keys.length, 2);
  await jwtVerify(ours.json.token, createLocalJWKSet(sets.ours.json), { issuer: ORIGIN, audience: ORIGIN });
});
