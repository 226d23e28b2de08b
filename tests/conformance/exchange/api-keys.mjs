import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

import { exchange, Jar } from './pair.mjs';

// The same limits on both sides: ours has none unless it is told to.
const apiKey = { enableMetadata: true, rateLimit: { enabled: true, timeWindow: 86_400_000, maxRequests: 10 } };

exchange('API keys', async ({ writer, reader, rows }) => {
  const browser = new Jar();
  await writer.signUp(browser);
  const { key, ...made } = await writer.ok('/api-key/create', { name: 'laptop', prefix: 'shop_', metadata: { plan: ['pro'] } }, browser);
  const hash = createHash('sha256').update(key).digest('base64url');
  assert.deepEqual(rows('select key, start from apikey'), [{ key: hash, start: key.slice(0, 6) }]);

  assert.deepEqual(await reader.ok(`/api-key/get?id=${made.id}`, undefined, browser), made);
  const { apiKeys, total } = await reader.ok('/api-key/list', undefined, browser);
  assert.deepEqual([apiKeys, total], [[made], 1]);
  const used = await reader.side.verifyKey({ key });
  assert.deepEqual([used.valid, used.key.id, used.key.requestCount], [true, made.id, 1]);
  assert.deepEqual([(await writer.side.verifyKey({ key })).key.requestCount, (await reader.side.verifyKey({ key })).key.requestCount], [2, 3]);

  await reader.ok('/api-key/update', { keyId: made.id, enabled: false, name: 'desktop' }, browser);
  assert.equal((await writer.side.verifyKey({ key })).error.code, 'KEY_DISABLED');
  assert.equal((await writer.ok(`/api-key/get?id=${made.id}`, undefined, browser)).name, 'desktop');
  await reader.ok('/api-key/delete', { keyId: made.id }, browser);
  assert.equal((await writer.side.verifyKey({ key })).error.code, 'INVALID_API_KEY');
}, { apiKey });

exchange('permissions and uses of API keys', async ({ writer, reader, rows, advance }) => {
  const { user } = await writer.signUp();
  const { key } = await writer.side.createKey({ userId: user.id, permissions: { project: ['read', 'write'] }, remaining: 3 });
  const valid = async (side, more = {}) => (await side.side.verifyKey({ key, ...more })).valid;
  assert.equal(await valid(reader, { permissions: { project: ['read'] } }), true);
  assert.equal(await valid(reader, { permissions: { project: ['delete'] } }), false);
  assert.equal(await valid(writer, { permissions: { project: ['read', 'write'] } }), true);
  assert.deepEqual(rows('select remaining from apikey'), [{ remaining: 1 }]);
  assert.equal(await valid(reader), true);
  assert.equal((await writer.side.verifyKey({ key })).error.code, 'USAGE_EXCEEDED');
  assert.deepEqual(rows('select id from apikey'), []);

  const refilled = await writer.side.createKey({ userId: user.id, remaining: 1, refillAmount: 2, refillInterval: 60_000 });
  const left = async (side) => (await side.side.verifyKey({ key: refilled.key })).key?.remaining;
  assert.deepEqual([await left(reader), await left(writer)], [0, undefined]);
  await advance(61);
  assert.deepEqual([await left(reader), await left(writer), await left(reader)], [1, 0, undefined]);

  const short = await writer.side.createKey({ userId: user.id, expiresIn: 86_400 });
  await advance(86_401);
  assert.equal((await reader.side.verifyKey({ key: short.key })).error.code, 'KEY_EXPIRED');
  assert.deepEqual(rows('select id from apikey where id = ?', short.id), []);
}, { apiKey: { rateLimit: { enabled: false, timeWindow: 1000, maxRequests: 1 } } });
