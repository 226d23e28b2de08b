// What is stored in other places, under other names or with other secrets answers all the same.

import { everything, merge, SECRET } from '../harness/setup.mjs';
import { totp } from '../harness/totp.mjs';
import { linkIn, PASSWORD, session, signIn, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const NEW = 'a better horse';

const base = { emailAndPassword: { revokeSessionsOnPasswordReset: true } };

const ways = {
  'hashed identifiers': { verification: { storeIdentifier: 'hashed' } },
  'several secrets': { secrets: [{ version: 2, value: SECRET }, { version: 1, value: 'an-older-secret-for-testing-0123456789-abcdef' }] },
  'other names for tables and columns': {
    user: { modelName: 'people', fields: { email: 'mail', name: 'full_name', emailVerified: 'proven' } },
    session: { modelName: 'visits', fields: { token: 'ticket', userId: 'person', expiresAt: 'ends' } },
    account: { modelName: 'logins', fields: { userId: 'person', password: 'hash', providerId: 'provider' } },
    verification: { modelName: 'proofs', fields: { identifier: 'key', value: 'content', expiresAt: 'ends' } },
  },
};

for (const [what, options] of Object.entries(ways)) {
  scenario(`with ${what}`, everything({ twoFactor: {}, options: merge(base, options) }), async (world) => {
    await signUp(world, 'Ada');
    await world.send('renames', { path: '/update-user', json: { name: 'Countess' }, jar: 'Ada' });
    await session(world, 'Ada', 'renamed');
    await world.send('lists sessions', { path: '/list-sessions', jar: 'Ada' });
    await world.send('lists accounts', { path: '/list-accounts', jar: 'Ada' });

    await world.send('asks for a link', { path: '/request-password-reset', json: { email: 'ada@example.com' }, jar: null });
    const mails = await world.mails('a link');
    await world.send('opens the link', (side) => ({ path: linkIn(mails[side][0]), jar: null }));
    const reset = (side) => ({ path: '/reset-password', json: { token: mails[side][0].token, newPassword: NEW }, jar: null });
    await world.send('resets', reset);
    await world.mails('told of it');
    await world.send('again', reset);
    await signIn(world, 'Ada', { password: PASSWORD });
    await signIn(world, 'Ada', { password: NEW });

    const given = await world.send('enables', { path: '/two-factor/enable', json: { password: NEW }, jar: 'Ada' });
    const code = (side) => ({ path: '/two-factor/verify-totp', json: { code: totp(given[side].json.totpURI) }, jar: 'Ada' });
    await world.send('the first code', code);
    await world.advance(60);
    await signIn(world, 'Ada', { password: NEW });
    await world.send('the second factor', code);
    await world.send('deletes', { path: '/delete-user', json: { password: NEW }, jar: 'Ada' });
  });
}
