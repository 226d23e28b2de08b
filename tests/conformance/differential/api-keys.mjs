import { everything } from '../harness/setup.mjs';
import { signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

// Limits that both sides are told: ours has none by itself.
const rateLimit = { enabled: true, timeWindow: 86_400_000, maxRequests: 10 };
const usual = everything({ apiKey: { rateLimit } });

/** A key and its beginning are random; what they look like is compared. */
const shape = ({ key, start, ...rest }) => ({
  ...rest,
  ...(key === undefined ? {} : { key: key.replace(/[A-Za-z]{64}$/, '<letters>') }),
  ...(start ? { start: `${start.length} characters, ${key === undefined || key.startsWith(start) ? 'of the key' : 'of something else'}` } : { start }),
});
const shapes = (body) => (body?.id ? shape(body) : body?.apiKeys ? { ...body, apiKeys: body.apiKeys.map(shape) } : body);

const make = (world, what, json = {}, jar = 'Ada') => world.send(what, { path: '/api-key/create', json, jar, read: shapes });
const get = (world, what, path, jar = 'Ada') => world.send(what, { path: `/api-key/${path}`, jar, read: shapes });
const post = (world, what, route, json, jar = 'Ada') =>
  world.send(what, (side) => ({ path: `/api-key/${route}`, json: typeof json === 'function' ? json(side) : json, jar, read: shapes }));

scenario('API keys are made', usual, async (world) => {
  await signUp(world, 'Ada');
  await make(world, 'with nothing');
  await make(world, 'with a name', { name: 'laptop' });
  await make(world, 'with a prefix', { prefix: 'shop_' });
  await make(world, 'with a long prefix', { prefix: 'a-prefix-that-is-long_' });
  await make(world, 'with an end', { expiresIn: 86_400 });
  await make(world, 'with the latest end', { expiresIn: 86_400 * 365 });
  await make(world, 'with no end', { expiresIn: null });
  await make(world, 'of an unknown kind', { configId: 'nothing' });
  await make(world, 'with uses that are none', { remaining: null });
});

scenario('API keys without a word about limits', everything({ apiKey: {} }), async (world) => {
  await signUp(world, 'Ada');
  await make(world, 'made');
  await world.send('in an address', { path: '/get-session?api_key=something', jar: null });
});

scenario('API keys that cannot be made', usual, async (world) => {
  await signUp(world, 'Ada');
  for (const json of [
    { name: 'n'.repeat(33) }, { prefix: 'p'.repeat(33) }, { prefix: 'a b' }, { prefix: '' }, { name: 5 }, { expiresIn: 0 }, { expiresIn: '5' },
    { expiresIn: 60 }, { expiresIn: 86_400 * 366 }, { metadata: { a: 1 } }, { metadata: 'text' }, { userId: 'somebody' },
    { permissions: { a: ['b'] } }, { remaining: 5 }, { refillAmount: 5, refillInterval: 5 }, { rateLimitEnabled: false }, { rateLimitMax: 5 }, { rateLimitTimeWindow: 5 },
  ]) {
    const what = JSON.stringify(json).slice(0, 40);
    await make(world, what, json);
    await make(world, `${what} of nobody`, json, null);
  }
  await make(world, 'of nobody', {}, null);
});

scenario('API keys are read, listed, changed and deleted', usual, async (world) => {
  await signUp(world, 'Ada');
  await signUp(world, 'Eve');
  const made = await make(world, 'made', { name: 'laptop' });
  const id = (side) => made[side].json.id;
  await world.advance(1);
  await make(world, 'another', { name: 'desktop' });
  for (const jar of ['Ada', 'Eve', null]) {
    const who = jar ?? 'nobody';
    await world.send(`read by ${who}`, (side) => ({ path: `/api-key/get?id=${id(side)}`, jar, read: shapes }));
    await get(world, `an unknown one by ${who}`, 'get?id=unknown', jar);
    await get(world, `without an id by ${who}`, 'get', jar);
    await get(world, `listed by ${who}`, 'list?sortBy=createdAt', jar);
  }
  for (const query of ['sortBy=name&sortDirection=desc', 'sortBy=createdAt&limit=1', 'sortBy=createdAt&limit=1&offset=1', 'sortBy=createdAt&limit=0', 'limit=x', 'limit=-1', 'limit=1.5', 'sortDirection=up', 'configId=default&sortBy=createdAt']) {
    await get(world, query, `list?${query}`);
  }
  for (const json of [{}, { name: '' }, { name: 'n'.repeat(33) }, { name: 'tablet' }, { enabled: false }, { enabled: 'no' }, { expiresIn: 86_400 }, { expiresIn: 60 }, { expiresIn: null }, { metadata: { a: 1 } }, { permissions: { a: ['b'] } }, { remaining: 5 }, { userId: 'somebody', name: 'a' }]) {
    await post(world, `change ${JSON.stringify(json).slice(0, 40)}`, 'update', (side) => ({ keyId: id(side), ...json }));
  }
  await post(world, 'change of an unknown one', 'update', { keyId: 'unknown', name: 'a' });
  await post(world, 'change of none', 'update', { name: 'a' });
  for (const jar of [null, 'Eve']) {
    await post(world, `change by ${jar ?? 'nobody'}`, 'update', (side) => ({ keyId: id(side), name: 'mine' }), jar);
    await post(world, `end by ${jar ?? 'nobody'}`, 'delete', (side) => ({ keyId: id(side) }), jar);
  }
  await post(world, 'end of none', 'delete', {});
  await post(world, 'end', 'delete', (side) => ({ keyId: id(side) }));
  await post(world, 'end again', 'delete', (side) => ({ keyId: id(side) }));
});

scenario('API keys of a strict configuration', everything({ apiKey: { rateLimit, requireName: true, enableMetadata: true, defaultPrefix: 'shop_', keyExpiration: { defaultExpiresIn: 3600, disableCustomExpiresTime: true }, permissions: { defaultPermissions: { project: ['read'] } } } }), async (world) => {
  await signUp(world, 'Ada');
  await make(world, 'without a name');
  await make(world, 'with an end', { name: 'a', expiresIn: 86_400 });
  await make(world, 'with a text', { name: 'a', metadata: 'text' });
  const made = await make(world, 'as it should be', { name: 'a', metadata: { plan: ['pro'] } });
  const id = (side) => made[side].json.id;
  await world.send('read', (side) => ({ path: `/api-key/get?id=${id(side)}`, jar: 'Ada', read: shapes }));
  for (const json of [{ expiresIn: null }, { expiresIn: 86_400 }, { metadata: { plan: 'free' } }, { metadata: 5 }]) {
    await post(world, `change ${JSON.stringify(json)}`, 'update', (side) => ({ keyId: id(side), ...json }));
  }
  await world.verified('allowed', (side) => ({ key: made[side].json.key, permissions: { project: ['read'] } }), ({ valid, error }) => ({ valid, error }));
  await world.verified('not allowed', (side) => ({ key: made[side].json.key, permissions: { project: ['write'] } }), ({ valid, error, key }) => ({ valid, error, key }));
  await world.advance(3601);
  await world.verified('too late', (side) => ({ key: made[side].json.key }));
  await world.verified('and gone', (side) => ({ key: made[side].json.key }));
});

scenario('API keys of organisations', everything({ organization: {}, apiKey: [{ configId: 'default', rateLimit }, { configId: 'house', references: 'organization', rateLimit }] }), async (world) => {
  await signUp(world, 'Ada');
  await signUp(world, 'Eve');
  const house = await world.send('founded', { path: '/organization/create', json: { name: 'Acme', slug: 'acme' }, jar: 'Ada' });
  const of = (side) => ({ configId: 'house', organizationId: house[side].json.id });
  const made = await post(world, 'made', 'create', of);
  const id = (side) => made[side].json.id;
  await post(world, 'without an organisation', 'create', { configId: 'house' });
  await post(world, 'for an unknown one', 'create', { configId: 'house', organizationId: 'unknown' });
  await post(world, 'by a stranger', 'create', of, 'Eve');
  await post(world, 'by nobody', 'create', of, null);
  for (const jar of ['Eve', 'Ada']) {
    await world.send(`listed by ${jar}`, (side) => ({ path: `/api-key/list?organizationId=${of(side).organizationId}`, jar, read: shapes }));
    await get(world, `those of ${jar}`, 'list', jar);
    await world.send(`read by ${jar}`, (side) => ({ path: `/api-key/get?configId=house&id=${id(side)}`, jar, read: shapes }));
    await world.send(`read as another kind by ${jar}`, (side) => ({ path: `/api-key/get?id=${id(side)}`, jar, read: shapes }));
    await post(world, `changed by ${jar}`, 'update', (side) => ({ keyId: id(side), configId: 'house', name: 'build' }), jar);
    await post(world, `ended by ${jar}`, 'delete', (side) => ({ keyId: id(side), configId: 'house' }), jar);
  }
});

scenario('an API key that nobody has', usual, async (world) => {
  await world.verified('unknown', () => ({ key: 'x'.repeat(64) }));
  await world.verified('short', () => ({ key: 'x' }));
  await world.verified('empty', () => ({ key: '' }));
  await world.send('as a session', { path: '/get-session', jar: null, headers: { 'x-api-key': 'x'.repeat(64) } });
});
