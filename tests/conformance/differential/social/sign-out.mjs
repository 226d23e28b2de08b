// Who signs out here is signed out at the provider too, where it has an address for that.

import { everything } from '../../harness/setup.mjs';
import { signUp } from '../accounts.mjs';
import { scenario } from '../suite.mjs';
import { begin, comeBack, OPENID, providers, signInWith } from './flow.mjs';

const several = [
  {},
  { endSessionEndpoint: 'https://id.example.com/bye?now=1' },
  { postLogoutRedirectURI: '/goodbye' },
  { disableProviderLogout: true },
];

for (const setting of several) {
  scenario(`signing out at a provider with ${JSON.stringify(setting)}`, everything({ generic: [{ ...OPENID, ...setting }] }), async (world) => {
    for (const json of [{}, { callbackURL: '/bye' }, { callbackURL: 'http://localhost:3000/bye' }, { callbackURL: 'https://evil.test' }, { callbackURL: '/bye', state: 'back' }, { disableRedirect: true }, { callbackURL: '/bye', disableRedirect: true }]) {
      const flow = await begin(world, 'openid', { jar: 'browser' });
      await comeBack(world, flow);
      await world.send(`signs out with ${JSON.stringify(json)}`, { path: '/sign-out', json });
    }
  });
}

scenario('signing out where there is nothing to sign out of', providers({ generic: [OPENID] }), async (world) => {
  await world.send('nobody', { path: '/sign-out', json: {}, jar: null });
  await signUp(world, 'Ada');
  await world.send('with a password only', { path: '/sign-out', json: { callbackURL: '/bye' }, jar: 'Ada' });
  await signInWith(world, 'google', { jar: 'phone' });
  await world.send('at a provider without an address for it', { path: '/sign-out', json: { callbackURL: '/bye' }, jar: 'phone' });
});
