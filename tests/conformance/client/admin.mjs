import assert from 'node:assert/strict';

import { flow, good, PASSWORD, refused } from './stage.mjs';

/** Alice, an admin, and Bob, who is none. */
async function aliceAndBob(stage) {
  const [alice, bob] = [stage.person('Alice'), stage.person('Bob')];
  await alice.signUp();
  const { user: { id: userId } } = await bob.signUp();
  good(await alice.client.admin.setRole({ userId, role: 'user' }));
  return { alice, bob, userId };
}

const withAdmin = { admin: { defaultRole: 'admin' } };

flow('an admin lists, makes, reads, changes and removes users', withAdmin, async (stage) => {
  const { alice, bob, userId } = await aliceAndBob(stage);
  const { admin } = alice.client;
  const listed = good(await admin.listUsers({ query: { searchValue: 'bob', limit: 10, sortBy: 'email' } }));
  assert.deepEqual([listed.total, listed.users[0].email, listed.users[0].role], [1, 'bob@example.com', 'user']);
  refused(await bob.client.admin.listUsers({ query: {} }), 403, 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS');
  const { user: eve } = good(await admin.createUser({ email: 'eve@example.com', name: 'Eve', password: PASSWORD, role: ['user', 'author'] }));
  assert.equal(eve.role, 'user,author');
  good(await stage.person('Eve').signIn());
  assert.equal(good(await admin.getUser({ query: { id: userId } })).name, 'Bob');
  assert.equal(good(await admin.updateUser({ userId, data: { name: 'Robert' } })).name, 'Robert');
  good(await admin.removeUser({ userId: eve.id }));
  refused(await admin.getUser({ query: { id: eve.id } }), 404, 'USER_NOT_FOUND');
});

flow('an admin bans, and takes it back', withAdmin, async (stage) => {
  const { alice, bob, userId } = await aliceAndBob(stage);
  const { user } = good(await alice.client.admin.banUser({ userId, banReason: 'spam', banExpiresIn: 60 }));
  assert.deepEqual([user.banned, user.banReason], [true, 'spam']);
  assert.equal(await bob.session(), null);
  refused(await bob.signIn(), 403, 'BANNED_USER');
  good(await alice.client.admin.unbanUser({ userId }));
  good(await bob.signIn());
});

flow('an admin ends sessions without knowing their tokens', withAdmin, async (stage) => {
  const { alice, bob, userId } = await aliceAndBob(stage);
  const { token } = (await bob.session()).session;
  const { sessions: [listed] } = good(await alice.client.admin.listUserSessions({ userId }));
  assert.notEqual(listed.token, token);
  good(await alice.client.admin.revokeUserSession({ sessionToken: listed.token }));
  assert.equal(await bob.session(), null);
  good(await bob.signIn());
  good(await alice.client.admin.revokeUserSessions({ userId }));
  assert.equal(await bob.session(), null);
});

flow('an admin sets a password', withAdmin, async (stage) => {
  const { alice, bob, userId } = await aliceAndBob(stage);
  refused(await alice.client.admin.setUserPassword({ userId, newPassword: 'short' }), 400, 'PASSWORD_TOO_SHORT');
  good(await alice.client.admin.setUserPassword({ userId, newPassword: 'another horse battery' }));
  assert.equal(await bob.session(), null);
  good(await bob.signIn({ password: 'another horse battery' }));
});

flow('an admin acts as somebody and comes back', withAdmin, async (stage) => {
  const { alice, userId } = await aliceAndBob(stage);
  const { session } = good(await alice.client.admin.impersonateUser({ userId }));
  assert.ok(session.impersonatedBy);
  assert.equal((await alice.session()).user.email, 'bob@example.com');
  good(await alice.client.admin.stopImpersonating());
  assert.equal((await alice.session()).user.email, 'alice@example.com');
});

flow('whoever asks learns what they may do', withAdmin, async (stage) => {
  const { alice, bob } = await aliceAndBob(stage);
  const permissions = { user: ['ban'] };
  assert.equal(good(await alice.client.admin.hasPermission({ permissions })).success, true);
  assert.equal(good(await bob.client.admin.hasPermission({ permissions })).success, false);
});
