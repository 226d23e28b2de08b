// Names, several accounts in one browser, and visitors, from one deployment to the other.

import assert from 'node:assert/strict';

import { exchange, Jar, PASSWORD } from './pair.mjs';

const card = (name) => ({ name, email: `${name.toLowerCase()}@example.com`, password: PASSWORD });

exchange('a name', async ({ writer, reader, rows }) => {
  const { user } = await writer.ok('/sign-up/email', { ...card('Ada'), username: 'Ada_L' });
  assert.deepEqual(rows('select username, "displayUsername" from user'), [{ username: 'ada_l', displayUsername: 'Ada_L' }]);
  const entered = await reader.ok('/sign-in/username', { username: 'ADA_L', password: PASSWORD });
  assert.deepEqual(entered.user, user);
  assert.deepEqual(await reader.ok('/is-username-available', { username: 'ada_l' }), { available: false });
  const taken = await reader.call('/sign-up/email', { ...card('Eve'), username: 'ada_l' });
  assert.equal(taken.json.code, 'USERNAME_IS_ALREADY_TAKEN');
}, { username: {} });

exchange('several accounts of a browser', async ({ writer, reader, advance, rows }) => {
  const browser = new Jar();
  const ada = await writer.ok('/sign-up/email', card('Ada'), browser);
  await advance(1);
  const eve = await reader.ok('/sign-up/email', card('Eve'), browser);
  const names = async (side) => (await side.ok('/multi-session/list-device-sessions', undefined, browser)).map(({ user }) => user.name).sort();
  assert.deepEqual([await names(writer), await names(reader)], [['Ada', 'Eve'], ['Ada', 'Eve']]);
  await reader.ok('/multi-session/set-active', { sessionToken: ada.token }, browser);
  assert.equal((await writer.session(browser)).user.name, 'Ada');
  await reader.ok('/multi-session/revoke', { sessionToken: ada.token }, browser);
  assert.equal((await writer.session(browser)).user.name, 'Eve');
  await reader.ok('/multi-session/set-active', { sessionToken: eve.token }, browser);
  await writer.ok('/sign-out', {}, browser);
  assert.deepEqual(rows('select id from session'), []);
}, { multiSession: {} });

exchange('a visitor', async ({ writer, reader, rows }) => {
  const browser = new Jar();
  const { user } = await writer.ok('/sign-in/anonymous', {}, browser);
  assert.deepEqual(rows('select "isAnonymous" from user'), [{ isAnonymous: 1 }]);
  assert.equal((await reader.session(browser)).user.isAnonymous, true);
  await reader.ok('/sign-up/email', card('Ada'), browser);
  assert.deepEqual(rows('select id from user where id = ?', user.id), []);
  assert.deepEqual(rows('select email from user'), [{ email: 'ada@example.com' }]);
}, { anonymous: {} });

exchange('by what somebody signed in last', async ({ writer, reader, rows }) => {
  const browser = new Jar();
  await writer.ok('/sign-up/email', card('Ada'), browser);
  assert.deepEqual(rows('select "lastLoginMethod" from user'), [{ lastLoginMethod: 'email' }]);
  assert.equal((await reader.session(browser)).user.lastLoginMethod, 'email');
  assert.equal(browser.cookies.get('better-auth.last_used_login_method'), 'email');
}, { lastLoginMethod: { storeInDatabase: true } });
