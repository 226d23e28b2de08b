import assert from 'node:assert/strict';

import { exchange, Jar, PASSWORD } from './pair.mjs';

const email = 'ada@example.com';

/** The path and query of a link. */
const pathOf = (url) => new URL(url).pathname.replace('/api/auth', '') + new URL(url).search;

/** The only mail that a deployment sent. */
async function mail({ side }) {
  const mails = await side.mails();
  assert.equal(mails.length, 1);
  return mails[0];
}

for (const storeToken of ['plain', 'hashed']) {
  exchange(`a link on its way, stored ${storeToken}`, async ({ writer, reader, rows }) => {
    await writer.ok('/sign-in/magic-link', { email, name: 'Ada', callbackURL: '/in' });
    const { url, token } = await mail(writer);
    assert.deepEqual(rows('select value from verification'), [{ value: '{"type":"magic-link","email":"ada@example.com","name":"Ada"}' }]);
    const browser = new Jar();
    assert.match((await reader.call(pathOf(url), undefined, browser)).location, /\/in$/);
    assert.deepEqual([(await writer.session(browser)).user.name, rows('select id from verification')], ['Ada', []]);
    assert.match((await writer.call(`/magic-link/verify?token=${token}&callbackURL=/in`)).location, /error=INVALID_TOKEN/);
  }, { magicLink: { storeToken } });
}

for (const storeOTP of ['plain', 'encrypted', 'hashed']) {
  exchange(`codes on their way, stored ${storeOTP}`, async ({ writer, reader, rows }) => {
    const send = async (type) => {
      await writer.ok('/email-otp/send-verification-otp', { email, type });
      return (await mail(writer)).otp;
    };
    const otp = await send('sign-in');
    assert.equal(rows('select identifier from verification')[0].identifier, 'sign-in-otp-ada@example.com');
    const guess = async (side, code, jar) => (await side.call('/sign-in/email-otp', { email, otp: code }, jar));
    // Tries are counted together.
    assert.equal((await guess(reader, 'wrong!')).json.code, 'INVALID_OTP');
    assert.equal((await guess(writer, 'wrong!')).json.code, 'INVALID_OTP');
    assert.match(rows('select value from verification')[0].value, /:2$/);
    const browser = new Jar();
    assert.equal((await guess(reader, otp, browser)).status, 200);
    assert.equal((await writer.session(browser)).user.email, email);
    assert.deepEqual(rows('select id from verification'), []);

    const reset = await send('forget-password');
    await reader.ok('/email-otp/reset-password', { email, otp: reset, password: PASSWORD });
    assert.equal((await writer.signIn()).status, 200);
    await Promise.all([writer, reader].map(({ side }) => side.mails()));

    const browserOfWriter = new Jar();
    await writer.signIn(browserOfWriter);
    await writer.ok('/email-otp/request-email-change', { newEmail: 'ada@new.example' }, browserOfWriter);
    await reader.ok('/email-otp/change-email', { newEmail: 'ada@new.example', otp: (await mail(writer)).otp }, browserOfWriter);
    assert.deepEqual(rows('select email, "emailVerified" from user'), [{ email: 'ada@new.example', emailVerified: 1 }]);
  }, { emailOtp: { storeOTP, changeEmail: { enabled: true } } });
}

exchange('tries that are used up', async ({ writer, reader }) => {
  await writer.ok('/email-otp/send-verification-otp', { email, type: 'sign-in' });
  const { otp } = await mail(writer);
  for (const side of [writer, reader, writer]) assert.equal((await side.call('/sign-in/email-otp', { email, otp: 'wrong!' })).json.code, 'INVALID_OTP');
  assert.equal((await reader.call('/sign-in/email-otp', { email, otp })).json.code, 'TOO_MANY_ATTEMPTS');
  assert.equal((await writer.call('/sign-in/email-otp', { email, otp })).json.code, 'INVALID_OTP');
}, { emailOtp: { storeOTP: 'hashed' } });
