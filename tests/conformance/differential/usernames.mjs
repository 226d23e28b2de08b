// Names to sign in with.

import { everything, merge } from '../harness/setup.mjs';
import { totp } from '../harness/totp.mjs';
import { linkIn, PASSWORD, person, session, signIn, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const withNames = (more = {}) => everything({ username: {}, ...more });
const enter = (username, more = {}) => ({ path: '/sign-in/username', json: { username, password: PASSWORD, ...more }, jar: 'browser' });
const ask = (username) => ({ path: '/is-username-available', json: { username }, jar: null });
const update = (json, jar = 'Ada') => ({ path: '/update-user', json, jar });

/** What somebody might type for a name. */
const TYPED = {
  'a usual one': 'ada_l.1', 'capitals': 'ADA', 'the shortest': 'abc', 'the longest': 'a'.repeat(30), 'too short': 'ab', 'nothing': '',
  'too long': 'a'.repeat(31), 'a space': 'ada l', 'a hyphen': 'ada-l', 'an address': 'ada@example.com', 'other letters': 'josé', 'two units': '😀', 'a line': 'ada\n',
};

scenario('names at sign-up', withNames({ files: true }), async (world) => {
  let number = 0;
  for (const [what, username] of Object.entries(TYPED)) {
    number += 1;
    await world.send(what, { path: '/sign-up/email', json: { ...person(`P${number}`), username }, jar: null });
  }
  await world.send('a number', { path: '/sign-up/email', json: { ...person('Nummer'), username: 5 }, jar: null });
  await world.send('null', { path: '/sign-up/email', json: { ...person('Null'), username: null }, jar: null });
  await world.send('taken', { path: '/sign-up/email', json: { ...person('Eve'), username: 'Ada_L.1' }, jar: null });
  await world.send('none', { path: '/sign-up/email', json: person('Nameless'), jar: null });
  await world.send('one to show', { path: '/sign-up/email', json: { ...person('Shown'), displayUsername: 'The.Countess' }, jar: null });
  await world.send('both', { path: '/sign-up/email', json: { ...person('Both'), username: 'Both_1', displayUsername: 'BOTH_1' }, jar: null });
  await world.rows('kept', 'user');
});

scenario('showing another name than one’s own', withNames(), async (world) => {
  await signUp(world, 'Ada', { username: 'Ada' });
  await world.send('one that can be no name', { path: '/sign-up/email', json: { ...person('Wide'), displayUsername: 'The Countess of L.' }, jar: null });
  await world.send('another beside', { path: '/sign-up/email', json: { ...person('Both'), username: 'Both_1', displayUsername: 'Both of Them' }, jar: null });
  await world.send('another', update({ displayUsername: 'The Countess' }));
});

scenario('signing in by name', withNames(), async (world) => {
  await signUp(world, 'Ada', { username: 'Ada' });
  await world.send('as it is', enter('ada'));
  await session(world, 'browser');
  await world.send('in capitals', enter('ADA', { rememberMe: false }));
  await world.send('with a place to go', enter('ada', { callbackURL: '/home' }));
  await world.send('with a foreign place to go', enter('ada', { callbackURL: 'https://evil.example' }));
  await world.send('a wrong password', enter('ada', { password: 'wrong horse battery' }));
  await world.send('nobody', enter('nobody'));
  await world.send('no password', enter('ada', { password: '' }));
  await world.send('a long password', enter('ada', { password: 'a'.repeat(129) }));
  for (const [what, username] of Object.entries(TYPED).filter(([, typed]) => typed !== 'ADA')) await world.send(what, enter(username));
  await world.send('no body', { method: 'POST', path: '/sign-in/username', jar: null });
  await world.send('numbers', { path: '/sign-in/username', json: { username: 1, password: 2, rememberMe: 'yes' }, jar: null });
});

scenario('a name whose address is not proven', withNames({ options: { emailAndPassword: { requireEmailVerification: true }, emailVerification: { sendOnSignIn: true } } }), async (world) => {
  await signUp(world, 'Ada', { username: 'ada' });
  const [mails] = [await world.mails('the first link')];
  await world.send('not yet', enter('ada', { callbackURL: '/in' }));
  await world.mails('another link');
  await world.send('a wrong password', enter('ada', { password: 'wrong horse battery' }));
  await world.send('proves it', (side) => ({ path: linkIn(mails[side][0]), jar: null }));
  await world.send('now', enter('ada'));
});

scenario('a name and a second factor', withNames({ twoFactor: {} }), async (world) => {
  await signUp(world, 'Ada', { username: 'ada' });
  const given = await world.send('enables', { path: '/two-factor/enable', json: { password: PASSWORD }, jar: 'Ada' });
  const code = (jar) => (side) => ({ path: '/two-factor/verify-totp', json: { code: totp(given[side].json.totpURI) }, jar });
  await world.send('the first code', code('Ada'));
  await world.advance(60);
  await world.send('is asked', enter('ada'));
  await session(world, 'browser', 'not in yet');
  await world.send('shows it', code('browser'));
  await session(world, 'browser', 'in');
});

scenario('whether a name is free', withNames(), async (world) => {
  await signUp(world, 'Ada', { username: 'Ada' });
  for (const [what, username] of Object.entries(TYPED)) await world.send(what, ask(username));
  await world.send('taken', ask('ada'));
  await world.send('reserved', ask('admin'));
  await world.send('no name', { path: '/is-username-available', json: {}, jar: null });
});

scenario('changing a name', withNames(), async (world) => {
  await signUp(world, 'Ada', { username: 'Ada' });
  await signUp(world, 'Eve', { username: 'Eve' });
  await world.send('another', update({ username: 'Lovelace' }));
  await session(world, 'Ada', 'with the other');
  await world.send('the same', update({ username: 'LOVELACE' }));
  await world.send('what is shown', update({ displayUsername: 'LoveLace' }));
  await session(world, 'Ada', 'shown');
  await world.send('another’s', update({ username: 'eve' }));
  await world.send('too short', update({ username: 'e' }));
  await world.send('wrong', update({ username: 'e v e' }));
  await world.send('by the old one', enter('ada'));
  await world.send('by the new one', enter('lovelace'));
  await world.send('none', update({ username: null }));
  await session(world, 'Ada', 'without one');
  await signIn(world, 'Ada');
});

scenario('names that stay', withNames({ username: { immutableUsername: true } }), async (world) => {
  await signUp(world, 'Ada', { username: 'Ada' });
  await signUp(world, 'Eve');
  await world.send('another', update({ username: 'lovelace' }));
  await world.send('the same', update({ username: 'ADA' }));
  await world.send('a first one', update({ username: 'eve' }, 'Eve'));
  await world.send('and another', update({ username: 'eva' }, 'Eve'));
});

for (const username of [{ usernameNormalization: false }, { displayUsername: false }, { minUsernameLength: 5, maxUsernameLength: 8 }]) {
  scenario(`names with ${JSON.stringify(username)}`, withNames({ username }), async (world) => {
    await signUp(world, 'Ada', { username: 'Ada' });
    await signUp(world, 'Adalbert', { username: 'Adalbert' });
    await signUp(world, 'Adalbertine', { username: 'Adalbertine' });
    for (const name of ['Ada', 'ADALBERT', 'Adalbert', 'Adalbertine']) await world.send(`as ${name}`, enter(name));
    await session(world, 'browser');
  });
}

scenario('names and the cookie cache', withNames({ options: merge({}, { session: { cookieCache: { enabled: true } } }) }), async (world) => {
  await signUp(world, 'Ada', { username: 'Ada' });
  await world.send('another', update({ username: 'lovelace' }));
  await session(world, 'Ada');
});
