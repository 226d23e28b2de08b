import assert from 'node:assert/strict';

import { createLocalJWKSet, createRemoteJWKSet, jwtVerify } from 'jose';

import { flow, good } from './stage.mjs';

flow('a token of the client holds for another service', { jwt: {} }, async (stage) => {
  const ada = stage.person();
  await ada.signUp();
  const { token } = good(await ada.client.token());
  const set = good(await ada.client.jwks());
  const expected = { issuer: stage.engine.origin, audience: stage.engine.origin, currentDate: new Date(stage.now) };
  const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(set), expected);
  assert.equal(payload.email, 'ada@example.com');
  assert.deepEqual(protectedHeader, { alg: 'EdDSA', kid: set.keys[0].kid });
  // As a service would: by the address of the keys.
  await jwtVerify(token, createRemoteJWKSet(new URL(`${stage.engine.origin}/api/auth/jwks`)), expected);

  let carried;
  good(await ada.client.getSession({ fetchOptions: { onSuccess: ({ response }) => { carried = response.headers.get('set-auth-jwt'); } } }));
  await jwtVerify(carried, createLocalJWKSet(set), expected);

  await stage.advance(901);
  await assert.rejects(jwtVerify(token, createLocalJWKSet(set), { ...expected, currentDate: new Date(stage.now) }), { code: 'ERR_JWT_EXPIRED' });
  good(await ada.client.signOut());
  const { error } = await ada.client.token();
  assert.equal(error.status, 401);
});
