// Someone who is signed in adds an account.

import { ADA } from '../../harness/provider/imitation.mjs';
import { signUp } from '../accounts.mjs';
import { scenario } from '../suite.mjs';
import { accountIds, begin, comeBack, kept, linkWith, providers, signInWith } from './flow.mjs';

const ways = { callbackURL: '/settings', errorCallbackURL: '/settings?tab=accounts' };

scenario('an account is linked, and again with more scopes', providers(), async (world) => {
  await signUp(world, 'Ada');
  await linkWith(world, 'google', { ...ways, jar: 'Ada' });
  world.imitation.tokens = { scope: 'second third', access_token: 'new-access', refresh_token: undefined };
  await world.advance(5);
  await linkWith(world, 'google', { ...ways, what: 'again', jar: 'Ada', scopes: ['third'] });
  await world.send('lists accounts', { path: '/list-accounts', jar: 'Ada' });
});

for (const [name, accountLinking] of Object.entries({
  'as it comes': {},
  'trusted': { trustedProviders: ['google'] },
  'linking off': { enabled: false },
  'implicit linking off': { disableImplicitLinking: true },
  'different addresses allowed': { allowDifferentEmails: true },
  'with the profile': { updateUserInfoOnLink: true },
})) {
  scenario(`linking on purpose, ${name}`, providers({ account: { accountLinking } }), async (world) => {
    for (const [at, who] of [{ verified: true }, { verified: false }, { email: 'other@example.com' }, { email: 'other@example.com', verified: false }, { email: null }].entries()) {
      await signUp(world, `P${at}`);
      world.imitation.who = { ...ADA, id: `${at}`, email: `p${at}@example.com`, ...who };
      await linkWith(world, 'google', { ...ways, what: JSON.stringify(who), jar: `P${at}` });
    }
  });
}

scenario('an account that somebody else has', providers(), async (world) => {
  await signInWith(world, 'google');
  await signUp(world, 'Eve');
  await linkWith(world, 'google', { ...ways, jar: 'Eve' });
});

scenario('a link whose session has ended', providers(), async (world) => {
  await signUp(world, 'Ada');
  const flow = await begin(world, 'google', { ...ways, path: '/link-social', jar: 'Ada' });
  const states = world.each(({ name }) => [...world.jar(name, 'Ada')].filter(([key]) => /state/.test(key)));
  await world.send('signs out', { path: '/sign-out', json: {}, jar: 'Ada' });
  for (const side of ['reference', 'ours']) for (const [name, value] of states[side]) world.jar(side, 'Ada').set(name, value);
  await comeBack(world, flow);
  await kept(world, 'afterwards');
});

scenario('a link that another user finishes', providers(), async (world) => {
  await signUp(world, 'Ada');
  const flow = await begin(world, 'google', { ...ways, path: '/link-social', jar: 'Ada' });
  await signUp(world, 'Eve', {});
  for (const side of ['reference', 'ours']) {
    for (const [name, value] of world.jar(side, 'Eve')) world.jar(side, 'Ada').set(name, value);
  }
  await comeBack(world, flow);
  await kept(world, 'afterwards');
});

scenario('an account is unlinked, but not the last', providers(), async (world) => {
  await world.send('nobody', { path: '/unlink-account', json: { accountId: 'x' }, jar: null });
  await signInWith(world, 'google');
  let ids = await accountIds(world, 'browser', 'google');
  await world.send('the only one', (side) => ({ path: '/unlink-account', json: { accountId: ids[side] } }));
  await world.send('the only one, by another name', { path: '/unlink-account', json: { accountId: 'x' } });
  world.imitation.who = { ...ADA, id: '77' };
  await linkWith(world, 'github', ways);
  await world.send('one that is not there', { path: '/unlink-account', json: { accountId: 'x' } });
  await world.send('by the provider', { path: '/unlink-account', json: { providerId: 'google' } });
  await world.send('without a name', { path: '/unlink-account', json: {} });
  await world.send('the first', (side) => ({ path: '/unlink-account', json: { accountId: ids[side] } }));
  await kept(world, 'afterwards');
  ids = await accountIds(world, 'browser', 'github');
  await world.send('the last', (side) => ({ path: '/unlink-account', json: { accountId: ids[side] } }));
  await world.advance(86_401);
  await world.send('with a session that is not fresh', (side) => ({ path: '/unlink-account', json: { accountId: ids[side] } }));
});

scenario('the last account may go when it is allowed', providers({ account: { accountLinking: { allowUnlinkingAll: true } } }), async (world) => {
  await signInWith(world, 'google');
  const ids = await accountIds(world, 'browser', 'google');
  await world.send('the only one', (side) => ({ path: '/unlink-account', json: { accountId: ids[side] } }));
  await kept(world, 'afterwards');
});

scenario('nobody unlinks somebody else’s account', providers(), async (world) => {
  await signInWith(world, 'google');
  const ids = await accountIds(world, 'browser', 'google');
  await signUp(world, 'Eve');
  await world.send('tries', (side) => ({ path: '/unlink-account', json: { accountId: ids[side] }, jar: 'Eve' }));
  await kept(world, 'afterwards');
});
