// A provider tells an address that a local user has: the measured matrix.

import { ADA } from '../../harness/provider/imitation.mjs';
import { session, signUp } from '../accounts.mjs';
import { scenario } from '../suite.mjs';
import { provenSignUp, providers, signInWith } from './flow.mjs';

const TRUSTED = { trustedProviders: ['google'] };
const LOOSE = { requireLocalEmailVerified: false };

const rules = {
  'as it comes': {},
  'a trusted provider': TRUSTED,
  'unproven local addresses allowed': LOOSE,
  'both': { ...TRUSTED, ...LOOSE },
  'another provider is trusted': { trustedProviders: ['github'], ...LOOSE },
  'linking off': { enabled: false, ...TRUSTED, ...LOOSE },
  'implicit linking off': { disableImplicitLinking: true, ...TRUSTED, ...LOOSE },
  'with the profile': { updateUserInfoOnLink: true, ...TRUSTED, ...LOOSE },
  'different addresses allowed': { allowDifferentEmails: true },
};

const cells = [
  { who: 'Ada', provider: true, local: true },
  { who: 'Bob', provider: true, local: false },
  { who: 'Cyd', provider: false, local: true },
  { who: 'Dan', provider: false, local: false },
];

for (const [rule, accountLinking] of Object.entries(rules)) {
  scenario(`linking by address, ${rule}`, providers({ account: { accountLinking } }), async (world) => {
    for (const [at, { who, provider, local }] of cells.entries()) {
      await (local ? provenSignUp : signUp)(world, who);
      await world.mails('mails');
      world.imitation.who = { ...ADA, id: `${at}`, name: `${who} elsewhere`, email: `${who.toLowerCase()}@example.com`, verified: provider };
      const what = `provider ${provider ? 'proven' : 'unproven'}, local ${local ? 'proven' : 'unproven'}`;
      await signInWith(world, 'google', { what, jar: `${who}’s phone`, errorCallbackURL: '/sorry' });
      await session(world, `${who}’s phone`, `${what}: session`);
    }
  });
}
