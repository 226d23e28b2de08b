import assert from 'node:assert/strict';

import { flow, good, refused } from './stage.mjs';

flow('somebody makes, lists, reads, changes and deletes API keys', { apiKey: { enableMetadata: true } }, async (stage) => {
  const ada = stage.person();
  await ada.signUp();
  const { apiKey } = ada.client;
  const made = good(await apiKey.create({ name: 'laptop', prefix: 'shop_', expiresIn: 86_400, metadata: { plan: 'pro' } }));
  assert.match(made.key, /^shop_[A-Za-z]{64}$/);
  assert.deepEqual([made.start, made.name, made.metadata], ['shop_' + made.key[5], 'laptop', { plan: 'pro' }]);

  const listed = good(await apiKey.list({ query: { limit: 10, sortBy: 'createdAt', sortDirection: 'desc' } }));
  assert.deepEqual([listed.total, listed.limit, listed.apiKeys[0].id], [1, 10, made.id]);
  assert.equal('key' in listed.apiKeys[0], false);
  const { key: _, ...shown } = made;
  assert.deepEqual(good(await apiKey.get({ query: { id: made.id } })), shown);

  const changed = good(await apiKey.update({ keyId: made.id, name: 'desktop', enabled: false, expiresIn: null }));
  assert.deepEqual([changed.name, changed.enabled, changed.expiresAt], ['desktop', false, null]);
  refused(await apiKey.update({ keyId: made.id, permissions: { project: ['delete'] } }), 400, 'SERVER_ONLY_PROPERTY');
  const eve = stage.person('Eve');
  await eve.signUp();
  refused(await eve.client.apiKey.get({ query: { id: made.id } }), 404, 'KEY_NOT_FOUND');
  refused(await eve.client.apiKey.delete({ keyId: made.id }), 404, 'KEY_NOT_FOUND');
  assert.deepEqual(good(await apiKey.delete({ keyId: made.id })), { success: true });
  assert.equal(good(await apiKey.list()).total, 0);
});

flow('an API key is no session', { apiKey: {} }, async (stage) => {
  const ada = stage.person();
  await ada.signUp();
  const { key } = good(await ada.client.apiKey.create({}));
  const script = stage.person('Script');
  const headers = { 'x-api-key': key };
  assert.equal(good(await script.client.getSession({ fetchOptions: { headers } })), null);
  refused(await script.client.updateUser({ name: 'Eve', fetchOptions: { headers } }), 401, 'UNAUTHORIZED');
  assert.equal(script.jar.header() ?? '', '');
  assert.equal((await stage.engine.verifyKey({ key })).valid, true);
});
