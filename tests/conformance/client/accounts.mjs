import assert from 'node:assert/strict';

import { flow, good, PASSWORD, refused } from './stage.mjs';

flow('the client signs up, asks who is there, signs out and in again', {}, async (stage) => {
  const ada = stage.person();
  const up = await ada.signUp();
  assert.equal(up.user.email, 'ada@example.com');
  assert.match(up.token, /^[A-Za-z0-9]{32}$/);
  const { session, user } = await ada.session();
  assert.equal(session.token, up.token);
  assert.ok(session.expiresAt instanceof Date, 'the client makes dates of dates');
  assert.equal(user.createdAt.getTime(), stage.now);
  assert.deepEqual(good(await ada.client.signOut()), { success: true });
  assert.equal(await ada.session(), null);
  const back = good(await ada.signIn());
  assert.equal(back.redirect, false);
  assert.equal((await ada.session()).user.id, up.user.id);
});

flow('the client knows every refusal by its code', {}, async (stage) => {
  const ada = stage.person();
  await ada.signUp();
  const wrong = refused(await stage.person().signIn({ password: 'wrong horse' }), 401, 'INVALID_EMAIL_OR_PASSWORD');
  assert.equal(wrong.message, 'Invalid email or password');
  assert.equal(wrong.statusText, 'Unauthorized');
  refused(await stage.person().client.signUp.email(ada.card), 422, 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL');
  refused(await stage.person().client.signUp.email({ ...ada.card, password: 'short' }), 400, 'PASSWORD_TOO_SHORT');
  refused(await stage.person().client.signUp.email({ ...ada.card, email: 'nobody' }), 400, 'VALIDATION_ERROR');
  refused(await stage.person().client.updateUser({ name: 'X' }), 401, 'UNAUTHORIZED');
});

flow('a sign-in leads where it was told to', {}, async (stage) => {
  const ada = stage.person();
  await ada.signUp();
  const { redirect, url } = good(await ada.signIn({ callbackURL: '/dashboard' }));
  assert.deepEqual({ redirect, url }, { redirect: true, url: '/dashboard' });
  refused(await ada.signIn({ callbackURL: 'https://evil.test' }), 403, 'INVALID_CALLBACK_URL');
});

flow('a forgotten password is reset through the mail', {}, async (stage) => {
  const ada = stage.person();
  await ada.signUp();
  const asked = good(await ada.client.requestPasswordReset({ email: ada.card.email, redirectTo: '/reset' }));
  assert.equal(asked.status, true);
  const mail = await stage.mail('sendResetPassword');
  const opened = await stage.person().open(mail.url);
  assert.equal(opened.status, 302);
  const token = new URL(opened.headers.get('location')).searchParams.get('token');
  assert.equal(token, mail.token);
  const elsewhere = stage.person();
  good(await elsewhere.client.resetPassword({ newPassword: 'a better horse', token }));
  await stage.mail('onPasswordReset');
  refused(await elsewhere.client.resetPassword({ newPassword: 'a third horse', token }), 400, 'INVALID_TOKEN');
  assert.equal(await ada.session(), null, 'every session is over');
  refused(await ada.signIn(), 401, 'INVALID_EMAIL_OR_PASSWORD');
  good(await ada.signIn({ password: 'a better horse' }));
});

flow('an address is proven through the mail', { options: { emailAndPassword: { requireEmailVerification: true } } }, async (stage) => {
  const ada = stage.person();
  assert.equal((await ada.signUp()).token, null);
  await stage.mail('sendVerificationEmail');
  refused(await ada.signIn(), 403, 'EMAIL_NOT_VERIFIED');
  good(await ada.client.sendVerificationEmail({ email: ada.card.email, callbackURL: '/welcome' }));
  const mail = await stage.mail('sendVerificationEmail');
  assert.equal((await ada.open(mail.url)).headers.get('location'), '/welcome');
  good(await ada.signIn());
  assert.equal((await ada.session()).user.emailVerified, true);
  assert.equal(good(await ada.client.verifyEmail({ query: { token: mail.token } })).status, true);
  refused(await ada.client.verifyEmail({ query: { token: 'nonsense' } }), 401, 'INVALID_TOKEN');
});

flow('an address is changed through two mails', {}, async (stage) => {
  const ada = stage.person();
  await ada.signUp();
  good(await ada.client.sendVerificationEmail({ email: ada.card.email }));
  good(await ada.client.verifyEmail({ query: { token: (await stage.mail('sendVerificationEmail')).token } }));
  good(await ada.client.changeEmail({ newEmail: 'countess@example.com', callbackURL: '/changed' }));
  const old = await stage.mail('sendChangeEmailConfirmation');
  assert.deepEqual([old.to, old.newEmail], ['ada@example.com', 'countess@example.com']);
  await ada.open(old.url);
  const young = await stage.mail('sendVerificationEmail');
  assert.equal(young.to, 'countess@example.com');
  assert.equal((await ada.session()).user.email, 'ada@example.com');
  assert.equal((await ada.open(young.url)).headers.get('location'), '/changed');
  assert.equal((await ada.session()).user.email, 'countess@example.com');
});

flow('a password is changed and the other sessions end', {}, async (stage) => {
  const [ada, phone] = [stage.person(), stage.person()];
  await ada.signUp();
  good(await phone.signIn());
  refused(await ada.client.changePassword({ currentPassword: 'wrong horse', newPassword: 'a better horse' }), 400, 'INVALID_PASSWORD');
  const changed = good(await ada.client.changePassword({ currentPassword: PASSWORD, newPassword: 'a better horse', revokeOtherSessions: true }));
  assert.equal((await ada.session()).session.token, changed.token);
  assert.equal(await phone.session(), null);
  good(await phone.signIn({ password: 'a better horse' }));
});

flow('a user updates themselves', { options: { session: { additionalFields: { theme: { type: 'string', required: false } } } } }, async (stage) => {
  const ada = stage.person();
  await ada.signUp();
  good(await ada.client.updateUser({ name: 'Countess', image: 'https://example.com/c.png' }));
  assert.equal((await ada.session()).user.name, 'Countess');
  refused(await ada.client.updateUser({ email: 'x@example.com' }), 400, 'EMAIL_CAN_NOT_BE_UPDATED');
  good(await ada.client.updateSession({ theme: 'dark' }));
  assert.equal((await ada.session()).session.theme, 'dark');
});

flow('sessions are listed and ended', {}, async (stage) => {
  const [ada, phone, tablet, laptop] = Array.from({ length: 4 }, () => stage.person());
  await ada.signUp();
  for (const other of [phone, tablet, laptop]) good(await other.signIn());
  const listed = good(await ada.client.listSessions());
  assert.equal(listed.length, 4);
  good(await ada.client.revokeSession({ token: (await phone.session()).session.token }));
  assert.equal(await phone.session(), null);
  assert.ok(await tablet.session());
  good(await ada.client.revokeOtherSessions());
  assert.equal(await tablet.session(), null);
  assert.ok(await ada.session());
  good(await ada.client.revokeSessions());
  assert.equal(await ada.session(), null);
});

flow('accounts are listed, and the last one stays', {}, async (stage) => {
  const ada = stage.person();
  await ada.signUp();
  const [account] = good(await ada.client.listAccounts());
  assert.equal(account.providerId, 'credential');
  assert.equal('password' in account, false);
  refused(await ada.client.unlinkAccount({ accountId: account.id }), 400, 'FAILED_TO_UNLINK_LAST_ACCOUNT');
});

flow('a user deletes themselves with their password', { callbacks: [] }, async (stage) => {
  const ada = stage.person();
  await ada.signUp();
  refused(await ada.client.deleteUser({ password: 'wrong horse' }), 400, 'INVALID_PASSWORD');
  assert.equal(good(await ada.client.deleteUser({ password: PASSWORD })).message, 'User deleted');
  assert.equal(await ada.session(), null);
  refused(await ada.signIn(), 401, 'INVALID_EMAIL_OR_PASSWORD');
});

flow('a user deletes themselves through a mail', {}, async (stage) => {
  const ada = stage.person();
  await ada.signUp();
  assert.equal(good(await ada.client.deleteUser({ callbackURL: '/bye' })).message, 'Verification email sent');
  const mail = await stage.mail('sendDeleteAccountVerification');
  assert.equal((await ada.open(mail.url)).headers.get('location'), '/bye');
  assert.equal(await ada.session(), null);
});

flow('a session is renewed by a POST when a GET may not write', { options: { session: { deferSessionRefresh: true } } }, async (stage) => {
  const ada = stage.person();
  await ada.signUp();
  await stage.advance(86_400);
  const before = await ada.session();
  assert.equal(before.needsRefresh, true);
  good(await ada.client.$fetch('/get-session', { method: 'POST' }));
  const { session } = await ada.session();
  assert.ok(session.expiresAt > before.session.expiresAt);
});

flow('the engine is there, and its error page leads home', {}, async (stage) => {
  const ada = stage.person();
  assert.deepEqual(good(await ada.client.$fetch('/ok')), { ok: true });
  const page = await ada.open(`${stage.engine.origin}/api/auth/error?error=access_denied`);
  assert.equal(page.headers.get('location'), '/?error=access_denied');
});
