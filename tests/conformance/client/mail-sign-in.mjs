import assert from 'node:assert/strict';

import { flow, good, PASSWORD, refused } from './stage.mjs';

const email = 'ada@example.com';

flow('a link by mail signs in', { magicLink: {} }, async (stage) => {
  const ada = stage.person();
  assert.deepEqual(good(await ada.client.signIn.magicLink({ email, name: 'Ada', callbackURL: '/in', newUserCallbackURL: '/new', metadata: { a: 1 } })), { status: true });
  const { url, metadata } = await stage.mail('sendMagicLink');
  assert.deepEqual(metadata, { a: 1 });
  assert.equal((await ada.open(url)).headers.get('location'), `${stage.engine.origin}/new`);
  assert.equal((await ada.session()).user.name, 'Ada');
  const thief = stage.person();
  assert.match((await thief.open(url)).headers.get('location'), /\/in\?error=INVALID_TOKEN$/);
  assert.equal(await thief.session(), null);

  const phone = stage.person();
  good(await phone.client.signIn.magicLink({ email }));
  const { token } = await stage.mail('sendMagicLink');
  const signedIn = good(await phone.client.magicLink.verify({ query: { token } }));
  assert.deepEqual([signedIn.user.email, signedIn.session.token], [email, signedIn.token]);
});

flow('a link by mail shows a page first', { magicLink: { confirmURL: '/link' } }, async (stage) => {
  const ada = stage.person();
  good(await ada.client.signIn.magicLink({ email }));
  const { url, token } = await stage.mail('sendMagicLink');
  for (let turn = 0; turn < 2; turn += 1) assert.equal((await stage.person().open(url)).headers.get('location'), `/link?token=${token}&callbackURL=%2F`);
  assert.equal(good(await ada.client.magicLink.verify({ token })).user.email, email);
  assert.equal((await ada.session()).user.email, email);
  refused(await stage.person().client.magicLink.verify({ token }), 400, 'INVALID_TOKEN');
});

flow('a second factor is asked for after a link and after a code', { magicLink: {}, emailOtp: {}, twoFactor: {} }, async (stage) => {
  const ada = stage.person();
  good(await ada.client.emailOtp.sendVerificationOtp({ email, type: 'sign-in' }));
  good(await ada.client.signIn.emailOtp({ email, otp: (await stage.mail('sendVerificationOTP')).otp }));
  good(await ada.client.emailOtp.requestPasswordReset({ email }));
  good(await ada.client.emailOtp.resetPassword({ email, otp: (await stage.mail('sendVerificationOTP')).otp, password: PASSWORD }));
  await stage.engine.mails();
  good(await ada.signIn());
  const { totpURI } = good(await ada.client.twoFactor.enable({ password: PASSWORD }));
  good(await ada.client.twoFactor.verifyTotp({ code: stage.code(totpURI) }));
  await stage.advance(60);

  const phone = stage.person();
  good(await phone.client.emailOtp.sendVerificationOtp({ email, type: 'sign-in' }));
  assert.equal(good(await phone.client.signIn.emailOtp({ email, otp: (await stage.mail('sendVerificationOTP')).otp })).twoFactorRedirect, true);
  assert.equal(await phone.session(), null);
  good(await phone.client.twoFactor.verifyTotp({ code: stage.code(totpURI) }));
  assert.equal((await phone.session()).user.email, email);

  const tablet = stage.person();
  good(await tablet.client.signIn.magicLink({ email, callbackURL: '/in' }));
  assert.match((await tablet.open((await stage.mail('sendMagicLink')).url)).headers.get('location'), /\/in\?twoFactorRedirect=true$/);
  assert.equal(await tablet.session(), null);
});

flow('codes by mail', { emailOtp: { changeEmail: { enabled: true, verifyCurrentEmail: true } } }, async (stage) => {
  const ada = stage.person();
  const code = async () => (await stage.mail('sendVerificationOTP')).otp;
  const send = async (type) => good(await ada.client.emailOtp.sendVerificationOtp({ email, type }));
  await send('sign-in');
  const otp = await code();
  refused(await ada.client.signIn.emailOtp({ email, otp: 'wrong!' }), 400, 'INVALID_OTP');
  const { user } = good(await ada.client.signIn.emailOtp({ email, otp, name: 'Ada' }));
  assert.deepEqual([user.name, user.emailVerified], ['Ada', true]);
  assert.equal((await ada.session()).user.id, user.id);

  await send('email-verification');
  const proof = await code();
  good(await ada.client.emailOtp.checkVerificationOtp({ email, type: 'email-verification', otp: proof }));
  assert.equal(good(await ada.client.emailOtp.verifyEmail({ email, otp: proof })).status, true);

  good(await ada.client.forgetPassword.emailOtp({ email }));
  await code();
  good(await ada.client.emailOtp.requestPasswordReset({ email }));
  const reset = await code();
  refused(await ada.client.emailOtp.resetPassword({ email, otp: reset, password: 'short' }), 400, 'PASSWORD_TOO_SHORT');
  good(await ada.client.emailOtp.resetPassword({ email, otp: reset, password: PASSWORD }));
  await stage.engine.mails();
  good(await ada.signIn());

  await send('email-verification');
  good(await ada.client.emailOtp.requestEmailChange({ newEmail: 'ada@new.example', otp: await code() }));
  good(await ada.client.emailOtp.changeEmail({ newEmail: 'ada@new.example', otp: await code() }));
  assert.equal((await ada.session()).user.email, 'ada@new.example');
});

flow('wrong codes end a code', { emailOtp: {} }, async (stage) => {
  const ada = stage.person();
  good(await ada.client.emailOtp.sendVerificationOtp({ email, type: 'sign-in' }));
  const { otp } = await stage.mail('sendVerificationOTP');
  for (let guess = 0; guess < 3; guess += 1) refused(await ada.client.signIn.emailOtp({ email, otp: `wrong${guess}` }), 400, 'INVALID_OTP');
  refused(await ada.client.signIn.emailOtp({ email, otp }), 403, 'TOO_MANY_ATTEMPTS');
});
