import assert from 'node:assert/strict';

import { flow, good, PASSWORD, refused } from './stage.mjs';

/** Someone whose second factor is on. */
async function enrolled(stage) {
  const ada = stage.person();
  await ada.signUp();
  const { totpURI, backupCodes } = good(await ada.client.twoFactor.enable({ password: PASSWORD }));
  const verified = good(await ada.client.twoFactor.verifyTotp({ code: stage.code(totpURI) }));
  assert.equal(verified.token, (await ada.session()).session.token, 'the token in the answer is the one that lives');
  await stage.advance(60);
  return { ada, totpURI, backupCodes };
}

flow('a second factor is turned on and asked for', {}, async (stage) => {
  const { ada, totpURI, backupCodes } = await enrolled(stage);
  assert.equal((await ada.session()).user.twoFactorEnabled, true);
  assert.equal(backupCodes.length, 10);
  const phone = stage.person();
  const challenge = good(await phone.signIn());
  assert.deepEqual([challenge.twoFactorRedirect, challenge.twoFactorMethods], [true, ['totp', 'otp']]);
  assert.equal(phone.redirected, true, 'the client plugin saw the challenge');
  assert.equal(await phone.session(), null);
  refused(await phone.client.twoFactor.verifyTotp({ code: '000000' }), 401, 'INVALID_CODE');
  good(await phone.client.twoFactor.verifyTotp({ code: stage.code(totpURI) }));
  assert.equal((await phone.session()).user.email, 'ada@example.com');
  const thief = stage.person();
  good(await thief.signIn());
  refused(await thief.client.twoFactor.verifyTotp({ code: stage.code(totpURI) }), 401, 'INVALID_CODE');
});

flow('a trusted device is not asked again', {}, async (stage) => {
  const { totpURI } = await enrolled(stage);
  const phone = stage.person();
  good(await phone.signIn());
  good(await phone.client.twoFactor.verifyTotp({ code: stage.code(totpURI), trustDevice: true }));
  good(await phone.client.signOut());
  phone.redirected = false;
  assert.ok(good(await phone.signIn()).token);
  assert.equal(phone.redirected, false);
});

flow('a backup code is good once', {}, async (stage) => {
  const { ada, backupCodes } = await enrolled(stage);
  const [phone, tablet] = [stage.person(), stage.person()];
  good(await phone.signIn());
  good(await phone.client.twoFactor.verifyBackupCode({ code: backupCodes[0] }));
  assert.ok(await phone.session());
  good(await tablet.signIn());
  refused(await tablet.client.twoFactor.verifyBackupCode({ code: backupCodes[0] }), 401, 'INVALID_BACKUP_CODE');
  const fresh = good(await ada.client.twoFactor.generateBackupCodes({ password: PASSWORD })).backupCodes;
  refused(await tablet.client.twoFactor.verifyBackupCode({ code: backupCodes[1] }), 401, 'INVALID_BACKUP_CODE');
  good(await tablet.client.twoFactor.verifyBackupCode({ code: fresh[0] }));
});

flow('a code comes by mail', {}, async (stage) => {
  await enrolled(stage);
  const phone = stage.person();
  good(await phone.signIn());
  good(await phone.client.twoFactor.sendOtp());
  const { otp } = await stage.mail('sendOTP');
  good(await phone.client.twoFactor.verifyOtp({ code: otp }));
  assert.ok(await phone.session());
});

flow('wrong codes lock the second factor', {}, async (stage) => {
  const { totpURI } = await enrolled(stage);
  const thief = stage.person();
  for (let challenge = 0; challenge < 2; challenge += 1) {
    good(await thief.signIn());
    for (let guess = 0; guess < 5; guess += 1) await thief.client.twoFactor.verifyTotp({ code: `00000${guess}` });
  }
  const phone = stage.person();
  good(await phone.signIn());
  refused(await phone.client.twoFactor.verifyTotp({ code: stage.code(totpURI) }), 429, 'ACCOUNT_TEMPORARILY_LOCKED');
});

flow('a second factor is shown again and turned off', {}, async (stage) => {
  const { ada, totpURI } = await enrolled(stage);
  assert.equal(good(await ada.client.twoFactor.getTotpUri({ password: PASSWORD })).totpURI, totpURI);
  refused(await ada.client.twoFactor.disable({ password: 'wrong horse' }), 400, 'INVALID_PASSWORD');
  good(await ada.client.twoFactor.disable({ password: PASSWORD }));
  assert.ok(good(await stage.person().signIn()).token);
});
