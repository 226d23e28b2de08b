import { createHash } from 'node:crypto';

import { everything } from '../harness/setup.mjs';
import { PASSWORD, person, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const KNOWN = 'password known to thieves';

const sha1 = (password) => createHash('sha1').update(password).digest('hex').toUpperCase();
const range = (password) => `api.pwnedpasswords.com/range/${sha1(password).slice(0, 5)}`;
const PADDING = `${'0'.repeat(34)}1:0`;

/** The service knows one password. */
function know(world, password, count = 7) {
  world.imitation.tell(range(password), { type: 'text/plain', text: [PADDING, `${sha1(password).slice(5)}:${count}`, `${'F'.repeat(35)}:2`].join('\r\n') });
}

/** And never heard of others. */
function forget(world, ...passwords) {
  for (const password of passwords) world.imitation.tell(range(password), { type: 'text/plain', text: [PADDING, `${'E'.repeat(35)}:3`].join('\r\n') });
}

scenario('passwords known to thieves', everything({ haveIBeenPwned: {}, admin: {}, files: true }), async (world) => {
  know(world, KNOWN);
  forget(world, PASSWORD, 'another horse battery');
  await world.send('sign-up', { path: '/sign-up/email', json: { ...person('Ada'), password: KNOWN }, jar: null });
  await signUp(world, 'Ada');
  await world.send('change', { path: '/change-password', json: { currentPassword: PASSWORD, newPassword: KNOWN }, jar: 'Ada' });
  await world.send('asks for a link', { path: '/request-password-reset', json: { email: 'ada@example.com' }, jar: null });
  const mails = await world.mails('a link');
  const reset = (what, newPassword) => world.send(what, (side) => ({ path: '/reset-password', json: { newPassword, token: mails[side][0].token }, jar: null }));
  await reset('reset', KNOWN);
  world.change(`update user set role = 'admin'`);
  await world.send('created', { path: '/admin/create-user', json: { ...person('Eve'), password: KNOWN }, jar: 'Ada' });
  await world.send('signing in is not asked about', { path: '/sign-in/email', json: person('Ada'), jar: null });
});

scenario('passwords that thieves do not know', everything({ haveIBeenPwned: {} }), async (world) => {
  know(world, PASSWORD, 0);
  await signUp(world, 'Ada');
  world.asked('with five letters');
});

scenario('passwords known to thieves, in an app’s words', everything({ haveIBeenPwned: { customPasswordCompromisedMessage: 'Not this one' } }), async (world) => {
  know(world, KNOWN);
  await world.send('sign-up', { path: '/sign-up/email', json: { ...person('Ada'), password: KNOWN }, jar: null });
});

scenario('the list of breached passwords is out of order', everything({ haveIBeenPwned: {} }), async (world) => {
  for (const answer of [{ status: 503, text: 'no' }, { status: 429, text: 'slowly' }, { type: 'text/plain', text: `${sha1(PASSWORD).slice(5)}:many` }]) {
    world.imitation.tell(range(PASSWORD), answer);
    await world.send(`answers ${JSON.stringify(answer)}`, { path: '/sign-up/email', json: person('Ada'), jar: null });
  }
});
