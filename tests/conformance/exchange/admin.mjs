import assert from 'node:assert/strict';

import { exchange, Jar, PASSWORD } from './pair.mjs';

const withAdmin = { admin: { defaultRole: 'admin' } };

/** An admin, and somebody whom she made a user at the writer. */
async function two(writer) {
  const alice = new Jar();
  await writer.signUp(alice);
  const { user } = await writer.ok('/admin/create-user', { email: 'bob@example.com', name: 'Bob', password: PASSWORD, role: ['user', 'author'] }, alice);
  return { alice, user };
}

const bob = { email: 'bob@example.com', password: PASSWORD };

exchange('roles and users whom an admin made', async ({ writer, reader, rows }) => {
  const { alice, user } = await two(writer);
  assert.deepEqual(rows('select role, banned from user where id = ?', user.id), [{ role: 'user,author', banned: 0 }]);
  assert.deepEqual(await reader.ok(`/admin/get-user?id=${user.id}`, undefined, alice), user);
  await reader.ok('/admin/set-role', { userId: user.id, role: 'user' }, alice);
  assert.equal((await writer.ok(`/admin/get-user?id=${user.id}`, undefined, alice)).role, 'user');
}, withAdmin);

exchange('a ban, and its end', async ({ writer, reader, advance, rows }) => {
  const { alice, user } = await two(writer);
  await writer.ok('/admin/ban-user', { userId: user.id, banReason: 'spam', banExpiresIn: 60 }, alice);
  assert.equal((await reader.call('/sign-in/email', bob, new Jar())).json.code, 'BANNED_USER');
  await advance(61);
  await reader.ok('/sign-in/email', bob, new Jar());
  const cleared = { banned: 0, banReason: null, banExpires: null };
  assert.deepEqual(rows('select banned, banReason, banExpires from user where id = ?', user.id), [cleared]);
}, withAdmin);

exchange('acting as somebody, and the way back', async ({ writer, reader }) => {
  const { alice, user } = await two(writer);
  await writer.ok('/admin/impersonate-user', { userId: user.id }, alice);
  const acting = await reader.session(alice);
  assert.equal(acting.user.email, 'bob@example.com');
  assert.ok(acting.session.impersonatedBy);
  await reader.ok('/admin/stop-impersonating', {}, alice);
  assert.notEqual((await writer.session(alice)).user.email, 'bob@example.com');
}, withAdmin);
