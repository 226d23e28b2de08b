// What holds the two halves together.

import assert from 'node:assert/strict';

import { everything } from '../../harness/setup.mjs';
import { scenario } from '../suite.mjs';
import { begin, CLIENT, comeBack, kept, location, OPENID, providers, signInWith } from './flow.mjs';

for (const storeStateStrategy of ['database', 'cookie']) {
  const setup = (more = {}) => providers({ ...more, account: { storeStateStrategy } });
  const kind = `a state in a ${storeStateStrategy}`;

  scenario(`${kind} is good once`, setup(), async (world) => {
    const flow = await begin(world, 'google', { errorCallbackURL: '/sorry' });
    await comeBack(world, flow);
    await comeBack(world, flow, { what: 'comes back again' });
    await kept(world, 'afterwards');
  });

  scenario(`${kind} that nobody gave out`, setup(), async (world) => {
    await comeBack(world, { provider: 'google', jar: 'browser', reference: { code: 'x', state: 'y' }, ours: { code: 'x', state: 'y' } });
    const flow = await begin(world, 'google', { errorCallbackURL: '/sorry' });
    await comeBack(world, flow, { what: 'with another', query: (sent) => ({ ...sent, state: 'another' }) });
    await comeBack(world, flow, { what: 'with an empty one', query: (sent) => ({ ...sent, state: '' }) });
    await comeBack(world, flow, { what: 'with none', query: ({ code }) => ({ code }) });
    await comeBack(world, flow, { what: 'with the right one' });
  });

  scenario(`${kind} belongs to a browser`, setup(), async (world) => {
    const flow = await begin(world, 'google', { jar: 'Ada', errorCallbackURL: '/sorry' });
    await comeBack(world, flow, { what: 'in a browser without cookies', jar: 'Eve' });
    await begin(world, 'google', { jar: 'Eve' });
    await comeBack(world, flow, { what: 'in a browser with a state of its own', jar: 'Eve' });
    await world.rows('the states', 'verification');
    await comeBack(world, flow, { what: 'in the right browser' });
    await kept(world, 'afterwards');
  });

  scenario(`${kind} lives ten minutes`, setup(), async (world) => {
    const flow = await begin(world, 'google', { errorCallbackURL: '/sorry' });
    await world.advance(601);
    await comeBack(world, flow);
    const another = await begin(world, 'google');
    await world.advance(299);
    await comeBack(world, another, { what: 'comes back in time' });
  });

  scenario(`${kind} of a second tab`, setup(), async (world) => {
    const first = await begin(world, 'google', { what: 'the first tab', callbackURL: '/first' });
    const second = await begin(world, 'google', { what: 'the second tab', callbackURL: '/second' });
    await comeBack(world, second, { what: 'the second comes back' });
    const { ours } = await comeBack(world, first, { what: 'the first comes back' });
    assert.equal(location(ours), '/first');
  });

  scenario(`${kind} names its provider`, setup(), async (world) => {
    const flow = await begin(world, 'google', { errorCallbackURL: '/sorry' });
    const { ours } = await comeBack(world, flow, { what: 'at another provider', provider: 'github' });
    assert.equal(location(ours), '/sorry?error=state_mismatch');
    const another = await begin(world, 'google', { errorCallbackURL: '/sorry' });
    await comeBack(world, another, { what: 'at nobody', provider: 'nobody' });
    await world.rows('the states', 'verification');
  });

  scenario(`${kind} of a link carries its session`, setup(), async (world) => {
    await signInWith(world, 'google');
    world.imitation.who = { ...world.imitation.who, id: '2002' };
    const flow = await begin(world, 'github', { path: '/link-social' });
    await world.rows('the state', 'verification');
    await comeBack(world, flow);
    await kept(world, 'afterwards');
  });

  scenario(`${kind} with a nonce`, everything({ options: { account: { storeStateStrategy } }, generic: [OPENID] }), async (world) => {
    await signInWith(world, 'openid');
  });
}

scenario('a state cookie that nobody can read', providers({ account: { storeStateStrategy: 'cookie' } }), async (world) => {
  const flow = await begin(world, 'google', { errorCallbackURL: '/sorry' });
  for (const side of ['reference', 'ours']) {
    for (const name of world.jar(side).keys()) world.jar(side).set(name, 'ab'.repeat(60));
  }
  await comeBack(world, flow);
});

scenario('a state cookie with a wrong signature', providers(), async (world) => {
  const flow = await begin(world, 'google', { errorCallbackURL: '/sorry' });
  for (const side of ['reference', 'ours']) {
    for (const [name, value] of world.jar(side)) world.jar(side).set(name, value.replace(/\.[^.]*$/, `.${'A'.repeat(43)}%3D`));
  }
  await comeBack(world, flow);
});

scenario('a state cookie that nobody asks for', providers({ account: { skipStateCookieCheck: true } }), async (world) => {
  const flow = await begin(world, 'google', { jar: 'Ada' });
  await comeBack(world, flow, { what: 'in another browser', jar: 'Eve' });
});

scenario('a state cookie lives as long as its row', everything({ options: { socialProviders: { google: CLIENT } } }), async (world) => {
  const flow = await begin(world, 'google');
  await world.advance(420);
  // The jar keeps what a browser would have dropped after five minutes: that the lifetimes differ is in the cookie itself.
  await comeBack(world, flow, { what: 'after seven minutes' });
});

scenario('a state whose row has ended, but not what is in it', providers(), async (world) => {
  const flow = await begin(world, 'google', { errorCallbackURL: '/sorry' });
  world.change(`update verification set "expiresAt" = '2031-05-06T11:00:00.000Z'`);
  await comeBack(world, flow);
});
