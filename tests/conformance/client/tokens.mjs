import assert from 'node:assert/strict';

import { createAuthClient } from 'better-auth/client';

import { flow, good, PASSWORD } from './stage.mjs';

flow('a client without cookies carries a token', {}, async (stage) => {
  let token = '';
  const client = createAuthClient({
    baseURL: stage.engine.origin,
    fetchOptions: {
      auth: { type: 'Bearer', token: () => token },
      onSuccess: ({ response }) => { token = response.headers.get('set-auth-token') ?? token; },
      customFetchImpl: (url, init) => {
        const headers = new Headers(init.headers);
        headers.set('origin', stage.engine.origin);
        return fetch(url, { ...init, headers });
      },
    },
  });
  good(await client.signUp.email({ name: 'Ada', email: 'ada@example.com', password: PASSWORD }));
  assert.match(token, /^[A-Za-z0-9]{32}\.[A-Za-z0-9+/]{43}=$/);
  assert.equal(good(await client.getSession()).user.email, 'ada@example.com');
  const before = token;
  good(await client.changePassword({ currentPassword: PASSWORD, newPassword: 'a better horse', revokeOtherSessions: true }));
  assert.notEqual(token, before);
  assert.ok(good(await client.getSession()));
  good(await client.signOut());
  assert.equal(good(await client.getSession()), null);
});

for (const strategy of ['compact', 'jwt', 'jwe']) {
  flow(`the client does not notice a cookie cache (${strategy})`, { options: { session: { cookieCache: { enabled: true, strategy } } } }, async (stage) => {
    const ada = stage.person();
    await ada.signUp();
    const cached = await ada.session();
    const read = good(await ada.client.getSession({ query: { disableCookieCache: true } }));
    assert.deepEqual(cached, read);
    good(await ada.client.updateUser({ name: 'Countess' }));
    assert.equal((await ada.session()).user.name, 'Countess');
    good(await ada.client.signOut());
    assert.equal(await ada.session(), null);
  });
}
