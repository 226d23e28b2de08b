// Who it is that comes back, and what is written down about them.

import { ADA } from '../../harness/provider/imitation.mjs';
import { everything } from '../../harness/setup.mjs';
import { session, signUp } from '../accounts.mjs';
import { scenario } from '../suite.mjs';
import { PLAIN, provenSignUp, providers, signInWith } from './flow.mjs';

scenario('a known account gets new tokens and keeps its scopes', providers(), async (world) => {
  await signInWith(world, 'google');
  world.imitation.tokens = { access_token: 'new-access', refresh_token: undefined, scope: 'other', expires_in: 60 };
  await world.advance(5);
  await signInWith(world, 'google', { what: 'again' });
  world.imitation.tokens = { expires_in: undefined, scope: undefined, id_token: undefined };
  await signInWith(world, 'github', { what: 'another', jar: 'phone' });
});

scenario('a known account that is left as it is', providers({ account: { updateAccountOnSignIn: false } }), async (world) => {
  await signInWith(world, 'google');
  world.imitation.tokens = { access_token: 'new-access' };
  await world.advance(5);
  await signInWith(world, 'google', { what: 'again' });
});

scenario('a provider proves an address later', providers(), async (world) => {
  world.imitation.who = { ...ADA, verified: false };
  await signInWith(world, 'google');
  world.imitation.who = ADA;
  await signInWith(world, 'google', { what: 'proven' });
  world.imitation.who = { ...ADA, email: 'countess@example.com', verified: false };
  await signInWith(world, 'google', { what: 'another address' });
});

scenario('addresses are compared in small letters', providers(), async (world) => {
  world.imitation.who = { ...ADA, email: 'ADA@Example.COM' };
  await signInWith(world, 'google');
  await session(world, 'browser');
});

for (const [name, who] of Object.entries({ 'no name': { name: null }, 'no image': { image: null }, 'an odd name': { name: 'Zoë <b>“Ada”</b> 🦀' }, 'an address that is none': { email: 'ada' } })) {
  scenario(`a profile with ${name}`, providers({ generic: [PLAIN] }), async (world) => {
    world.imitation.who = { ...ADA, ...who };
    for (const provider of ['google', 'github', 'plain']) {
      await signInWith(world, provider, { jar: provider });
      world.imitation.who = { ...world.imitation.who, id: '2002', email: world.imitation.who.email === 'ada' ? 'eve' : `${provider}@example.com` };
    }
  });
}

for (const [name, setup] of Object.entries({
  'a built-in provider': providers({ google: { overrideUserInfoOnSignIn: true } }),
  'a described provider': everything({ generic: [{ ...PLAIN, overrideUserInfo: true }] }),
})) {
  scenario(`a profile that overrides: ${name}`, setup, async (world) => {
    const provider = name === 'a built-in provider' ? 'google' : 'plain';
    await signInWith(world, provider);
    world.imitation.who = { ...ADA, name: 'Countess', image: 'https://images.test/countess.png', verified: false };
    await signInWith(world, provider, { what: 'another name' });
    world.imitation.who = { ...ADA, email: 'countess@example.com', verified: false };
    await signInWith(world, provider, { what: 'another address' });
    world.imitation.who = { ...ADA, email: 'countess@example.com' };
    await signInWith(world, provider, { what: 'a proven one' });
  });
}

scenario('two accounts of one provider', providers({ account: { accountLinking: { enabled: true } } }), async (world) => {
  await provenSignUp(world, 'Ada');
  await signInWith(world, 'google', { jar: 'Ada' });
  world.imitation.who = { ...ADA, id: '2002' };
  await signInWith(world, 'google', { what: 'the second', jar: 'phone' });
  await world.send('lists accounts', { path: '/list-accounts', jar: 'phone' });
});

scenario('scopes as a provider tells them', providers(), async (world) => {
  for (const [at, scope] of ['a b', 'a,b', '', ['x', 'y'], ' a  b ', null].entries()) {
    world.imitation.who = { ...ADA, id: `${at}`, email: `p${at}@example.com` };
    world.imitation.tokens = { scope };
    await signInWith(world, 'google', { what: JSON.stringify(scope), jar: `p${at}` });
    await world.send('lists accounts', { path: '/list-accounts', jar: `p${at}` });
  }
});

scenario('lifetimes as a provider tells them', providers(), async (world) => {
  const told = [{ expires_in: 60 }, { expires_in: '60' }, { expires_in: 0 }, { expires_in: undefined }, { refresh_token_expires_in: 600 }, { refresh_token: undefined }];
  for (const [at, tokens] of told.entries()) {
    world.imitation.who = { ...ADA, id: `${at}`, email: `p${at}@example.com` };
    world.imitation.tokens = tokens;
    await signInWith(world, 'google', { what: JSON.stringify(tokens), jar: `p${at}` });
  }
});

scenario('a password signs in beside a provider', providers(), async (world) => {
  await provenSignUp(world, 'Ada');
  await signInWith(world, 'google', { jar: 'phone' });
  await world.send('with the password', { path: '/sign-in/email', json: { email: 'ada@example.com', password: 'correct horse battery' }, jar: 'laptop' });
  await signUp(world, 'Eve');
  world.imitation.who = { ...ADA, id: '3003', email: 'eve@example.com' };
  await signInWith(world, 'google', { what: 'Eve, who is unproven', jar: 'tablet' });
});

scenario('an account whose user is gone', providers(), async (world) => {
  await signInWith(world, 'google');
  world.change('pragma foreign_keys = off', 'delete from "user"');
  await signInWith(world, 'google', { what: 'again', jar: 'phone', errorCallbackURL: '/sorry' });
});
