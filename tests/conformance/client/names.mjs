import assert from 'node:assert/strict';

import { flow, good, PASSWORD, refused } from './stage.mjs';

flow('a name signs in', { username: {} }, async (stage) => {
  const ada = stage.person();
  assert.equal(good(await ada.client.isUsernameAvailable({ username: 'Ada_L' })).available, true);
  const { user } = await ada.signUp({ username: 'Ada_L' });
  assert.deepEqual([user.username, user.displayUsername], ['ada_l', 'Ada_L']);
  const eve = stage.person('Eve');
  assert.equal(good(await eve.client.isUsernameAvailable({ username: 'ada_l' })).available, false);
  refused(await eve.client.signUp.email({ ...eve.card, username: 'ADA_L' }), 400, 'USERNAME_IS_ALREADY_TAKEN');
  const phone = stage.person();
  refused(await phone.client.signIn.username({ username: 'ada_l', password: 'wrong horse' }), 401, 'INVALID_USERNAME_OR_PASSWORD');
  refused(await phone.client.signIn.username({ username: 'a', password: PASSWORD }), 422, 'USERNAME_TOO_SHORT');
  assert.equal(good(await phone.client.signIn.username({ username: 'ADA_L', password: PASSWORD })).user.username, 'ada_l');
  good(await phone.client.updateUser({ username: 'countess' }));
  assert.equal((await phone.session()).user.username, 'countess');
});

flow('several people share a browser', { multiSession: {} }, async (stage) => {
  const browser = stage.person('Ada');
  const ada = await browser.signUp();
  await stage.advance(1);
  const eve = good(await browser.client.signUp.email({ ...stage.person('Eve').card }));
  const names = async () => good(await browser.client.multiSession.listDeviceSessions()).map(({ user }) => user.name);
  assert.deepEqual(await names(), ['Ada', 'Eve']);
  good(await browser.client.multiSession.setActive({ sessionToken: ada.token }));
  assert.equal((await browser.session()).user.name, 'Ada');
  refused(await browser.client.multiSession.setActive({ sessionToken: 'unknown' }), 401, 'INVALID_SESSION_TOKEN');
  good(await browser.client.multiSession.revoke({ sessionToken: ada.token }));
  assert.equal((await browser.session()).user.name, 'Eve');
  assert.deepEqual(await names(), ['Eve']);
  good(await browser.client.signOut());
  assert.deepEqual(await names(), []);
  refused(await browser.client.multiSession.setActive({ sessionToken: eve.token }), 401, 'INVALID_SESSION_TOKEN');
});

flow('a visitor becomes somebody', { anonymous: {} }, async (stage) => {
  const browser = stage.person();
  const visitor = good(await browser.client.signIn.anonymous());
  assert.equal(visitor.user.isAnonymous, true);
  refused(await browser.client.signIn.anonymous(), 400, 'ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY');
  await browser.signUp();
  const linked = (await stage.engine.mails()).filter(({ kind }) => kind === 'onLinkAccount');
  assert.deepEqual(linked.map(({ to }) => to), ['ada@example.com']);
  const other = stage.person();
  good(await other.client.signIn.anonymous());
  good(await other.client.deleteAnonymousUser());
  assert.equal(await other.session(), null);
  refused(await browser.client.deleteAnonymousUser(), 403, 'USER_IS_NOT_ANONYMOUS');
});

flow('a page can offer what was used last', { lastLoginMethod: {} }, async (stage) => {
  const ada = stage.person();
  await ada.signUp();
  // The client reads the cookies of its page.
  globalThis.document = { get cookie() { return ada.jar.header(); } };
  try {
    assert.equal(ada.client.getLastUsedLoginMethod(), 'email');
    assert.equal(ada.client.isLastUsedLoginMethod('google'), false);
  } finally {
    delete globalThis.document;
  }
});
