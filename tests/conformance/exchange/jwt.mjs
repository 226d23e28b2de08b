import assert from 'node:assert/strict';

import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';

import { send } from '../harness/wire.mjs';
import { ORIGIN } from '../harness/setup.mjs';
import { exchange, Jar } from './pair.mjs';

const kid = (token) => decodeProtectedHeader(token).kid;

/** Two browsers of the same person, one at each side: cookies of one hold at the other too, where both have one secret. */
async function people(writer, reader) {
  const [here, there] = [new Jar(), new Jar()];
  await writer.signUp(here);
  assert.equal((await reader.signIn(there)).status, 200);
  return { here, there };
}

/** An implementation that is neither's finds the token good with the keys of either side. */
async function holds(token, ...sides) {
  for (const side of sides) {
    const { payload } = await jwtVerify(token, createLocalJWKSet(await side.ok('/jwks')), { issuer: ORIGIN, audience: ORIGIN });
    assert.equal(payload.email, 'ada@example.com');
  }
}

/** Our verifier, which fetches the keys of a side over HTTP. */
async function verified(sides, token, at) {
  const ours = sides.find(({ side }) => side.name === 'ours').side;
  const keysAt = `${at.side.origin}/api/auth/jwks`;
  const { status, text } = await send(ours.origin, { method: 'POST', path: '/harness/verify', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token, issuer: ORIGIN, keysAt }) });
  return { status, json: JSON.parse(text) };
}

for (const alg of ['EdDSA', 'ES256', 'RS256', 'PS256']) {
  const crv = alg === 'EdDSA' ? { crv: 'Ed25519' } : {};
  exchange(`a key of ${alg}`, async ({ writer, reader, rows }) => {
    const { here, there } = await people(writer, reader);
    const { token: one } = await writer.ok('/token', undefined, here);
    const { token: other } = await reader.ok('/token', undefined, there);
    assert.equal(kid(other), kid(one), 'the same key signs');
    assert.deepEqual(rows('select id, alg from jwks'), [{ id: kid(one), alg }]);
    assert.deepEqual(await reader.ok('/jwks'), await writer.ok('/jwks'));
    for (const token of [one, other]) {
      await holds(token, writer, reader);
      for (const at of [writer, reader]) {
        const { status, json } = await verified([writer, reader], token, at);
        assert.equal(status, 200, JSON.stringify(json));
        assert.equal(json.email, 'ada@example.com');
      }
      const [header, claims] = token.split('.');
      const changed = `${header}.${claims}.${'A'.repeat(token.split('.')[2].length)}`;
      assert.deepEqual(await verified([writer, reader], changed, writer), { status: 401, json: { error: 'the token was not signed by the issuer' } });
    }
  }, { jwt: { jwks: { keyPairConfig: { alg, ...crv } } } });
}

exchange('a private key as it is', async ({ writer, reader, rows }) => {
  const { here, there } = await people(writer, reader);
  const { token: one } = await writer.ok('/token', undefined, here);
  const { token: other } = await reader.ok('/token', undefined, there);
  assert.equal(kid(other), kid(one));
  const [{ privateKey }] = rows('select "privateKey" from jwks');
  assert.equal(JSON.parse(privateKey).kty, 'OKP');
}, { jwt: { jwks: { disablePrivateKeyEncryption: true } } });

const [OLD, NEW] = ['the-first-secret-for-testing-0123456789-abcdef', 'the-second-secret-for-testing-0123456789-abcd'].map((value, index) => ({ version: index + 1, value }));

exchange('a key that an older secret sealed', async ({ writer, reader, rows }) => {
  const { here, there } = await people(writer, reader);
  const { token: one } = await writer.ok('/token', undefined, here);
  const { token: other } = await reader.ok('/token', undefined, there);
  assert.equal(kid(other), kid(one));
  const [{ privateKey }] = rows('select "privateKey" from jwks');
  assert.match(JSON.parse(privateKey), /^\$ba\$1\$[0-9a-f]+$/);
}, { options: { secrets: [OLD] }, jwt: {} }, { secrets: [NEW, OLD] });

exchange('a key that one replaces', async ({ writer, reader, advance, rows }) => {
  const { here, there } = await people(writer, reader);
  const { token: first } = await writer.ok('/token', undefined, here);
  await advance(3601);
  const { token: second } = await writer.ok('/token', undefined, here);
  assert.notEqual(kid(second), kid(first));
  await advance(1);
  const { token: third } = await reader.ok('/token', undefined, there);
  assert.equal(kid(third), kid(second), 'the other goes on with the new one');
  assert.equal(rows('select id from jwks').length, 2);
  assert.deepEqual((await reader.ok('/jwks')).keys.map((key) => key.kid).sort(), [kid(first), kid(second)].sort());
  await holds(third, writer, reader);
}, { jwt: { jwks: { rotationInterval: 3600 } } });
