// What one engine writes into a database, the other one reads.

import assert from 'node:assert/strict';

import { Authenticator } from '../harness/authenticator.mjs';
import { ORIGIN } from '../harness/setup.mjs';
import { exchange, Jar, PASSWORD, totp } from './pair.mjs';
import './social.mjs';
import './admin.mjs';
import './api-keys.mjs';
import './mail-sign-in.mjs';
import './names.mjs';
import './jwt.mjs';
import './devices.mjs';
import './organizations.mjs';

exchange('a user and the hash of a password', async ({ writer, reader, rows }) => {
  const { user } = await writer.signUp();
  const [{ password }] = rows('select password from account where "userId" = ?', user.id);
  assert.match(password, /^[0-9a-f]{32}:[0-9a-f]{128}$/);
  const { status, json } = await reader.signIn();
  assert.equal(status, 200, JSON.stringify(json));
  assert.deepEqual(json.user, user);
  assert.equal((await reader.signIn(undefined, { password: 'wrong horse' })).status, 401);
  assert.deepEqual(rows('select password from account'), [{ password }], 'the hash is not replaced');
  const taken = await reader.call('/sign-up/email', { name: 'Eve', email: 'ADA@example.com', password: PASSWORD });
  assert.equal(taken.json.code, 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL');
});

exchange('a session cookie', async ({ writer, reader, rows }) => {
  const browser = new Jar();
  const { user } = await writer.signUp(browser);
  const here = await writer.session(browser);
  assert.deepEqual(await reader.session(browser), here);
  await reader.ok('/update-user', { name: 'Countess' }, browser);
  assert.equal((await writer.session(browser)).user.name, 'Countess');
  await reader.ok('/sign-out', {}, browser);
  assert.deepEqual(rows('select id from session where "userId" = ?', user.id), []);
});

exchange('a session that one ends is over at the other', async ({ writer, reader }) => {
  const [phone, laptop] = [new Jar(), new Jar()];
  await writer.signUp(phone);
  await reader.signIn(laptop);
  assert.equal((await writer.ok('/list-sessions', undefined, phone)).length, 2);
  await reader.ok('/revoke-other-sessions', {}, laptop);
  assert.equal(await writer.session(phone), null);
  assert.ok(await writer.session(laptop));
});

exchange('a session is renewed by the other', async ({ writer, reader, advance, rows }) => {
  const browser = new Jar();
  await writer.signUp(browser);
  await advance(86_400);
  const renewed = await reader.session(browser);
  assert.equal((await writer.session(browser)).session.expiresAt, renewed.session.expiresAt);
  const [{ expiresAt }] = rows('select "expiresAt" from session');
  assert.equal(expiresAt, renewed.session.expiresAt, 'dates are kept as the same text');
  await advance(8 * 86_400);
  assert.equal(await reader.session(browser), null);
  assert.deepEqual(rows('select id from session'), []);
});

for (const strategy of ['compact', 'jwt', 'jwe']) {
  exchange(`a cached session as ${strategy}`, async ({ writer, reader }) => {
    const browser = new Jar();
    const { user } = await writer.signUp(browser);
    const [name] = [...browser.cookies.keys()].filter((key) => key.endsWith('session_data'));
    const copy = browser.cookies.get(name);
    assert.deepEqual((await reader.session(browser)).user, user);
    assert.equal(browser.cookies.get(name), copy, 'the copy was believed, not made anew');
  }, { options: { session: { cookieCache: { enabled: true, strategy } } } });
}

/** Turns the second factor on at the writer. */
async function enrol(writer, advance) {
  const browser = new Jar();
  await writer.signUp(browser);
  const { totpURI, backupCodes } = await writer.ok('/two-factor/enable', { password: PASSWORD }, browser);
  await writer.ok('/two-factor/verify-totp', { code: totp(totpURI) }, browser);
  await advance(60);
  return { browser, totpURI, backupCodes };
}

exchange('the secret of an authenticator app', async ({ writer, reader, advance, rows }) => {
  const { browser, totpURI } = await enrol(writer, advance);
  const phone = new Jar();
  assert.equal((await reader.signIn(phone)).json.twoFactorRedirect, true);
  assert.equal((await reader.call('/two-factor/verify-totp', { code: '000000' }, phone)).status, 401);
  await reader.ok('/two-factor/verify-totp', { code: totp(totpURI) }, phone);
  assert.equal((await writer.session(phone)).user.twoFactorEnabled, true);
  assert.equal((await reader.ok('/two-factor/get-totp-uri', { password: PASSWORD }, browser)).totpURI, totpURI);
  const [{ secret }] = rows('select secret from "twoFactor"');
  assert.match(secret, /^[0-9a-f]{144}$/);
});

exchange('an enrolment that one begins and the other ends', async ({ writer, reader }) => {
  const browser = new Jar();
  await writer.signUp(browser);
  const { totpURI } = await writer.ok('/two-factor/enable', { password: PASSWORD }, browser);
  await reader.ok('/two-factor/verify-totp', { code: totp(totpURI) }, browser);
  assert.equal((await writer.signIn()).json.twoFactorRedirect, true);
});

exchange('backup codes', async ({ writer, reader, advance }) => {
  const { backupCodes } = await enrol(writer, advance);
  const [phone, tablet, laptop] = [new Jar(), new Jar(), new Jar()];
  await reader.signIn(phone);
  await reader.ok('/two-factor/verify-backup-code', { code: backupCodes[0] }, phone);
  await writer.signIn(tablet);
  assert.equal((await writer.call('/two-factor/verify-backup-code', { code: backupCodes[0] }, tablet)).status, 401, 'it was spent');
  await writer.ok('/two-factor/verify-backup-code', { code: backupCodes[1] }, tablet);
  await reader.signIn(laptop);
  assert.equal((await reader.call('/two-factor/verify-backup-code', { code: backupCodes[1] }, laptop)).status, 401, 'so was this one');
});

const [OLD, NEW] = ['the-first-secret-for-testing-0123456789-abcdef', 'the-second-secret-for-testing-0123456789-abcd'].map((value, index) => ({ version: index + 1, value }));

const rotated = async ({ writer, reader, advance, rows }) => {
  const { browser, totpURI, backupCodes } = await enrol(writer, advance);
  const [{ secret }] = rows('select secret from "twoFactor"');
  assert.match(secret, /^\$ba\$1\$[0-9a-f]{144}$/, 'it says which secret opens it');
  // The reference believes the newest secret only. Ours signs with it and believes the ones before: a rotation signs nobody out.
  assert.equal(await reader.session(browser) === null, reader.side.name === 'reference');
  const [phone, tablet] = [new Jar(), new Jar()];
  await reader.signIn(phone);
  await reader.ok('/two-factor/verify-totp', { code: totp(totpURI) }, phone);
  await reader.signIn(tablet);
  await reader.ok('/two-factor/verify-backup-code', { code: backupCodes[0] }, tablet);
  const [{ backupCodes: kept }] = rows('select "backupCodes" from "twoFactor"');
  assert.match(kept, /^\$ba\$2\$/, 'what is written anew is sealed with the newest secret');
};

exchange('what an older secret sealed', rotated, { options: { secrets: [OLD] } }, { secrets: [NEW, OLD] });

exchange('a challenge', async ({ writer, reader, advance }) => {
  const { totpURI } = await enrol(writer, advance);
  const phone = new Jar();
  await writer.signIn(phone);
  await reader.ok('/two-factor/verify-totp', { code: totp(totpURI), trustDevice: true }, phone);
  await reader.ok('/sign-out', {}, phone);
  assert.ok((await writer.signIn(phone)).json.token, 'the device is trusted at the other too');
});

exchange('wrong codes are counted together', async ({ writer, reader, advance }) => {
  const { totpURI } = await enrol(writer, advance);
  for (const side of [writer, reader]) {
    const thief = new Jar();
    await side.signIn(thief);
    for (let guess = 0; guess < 5; guess += 1) await side.call('/two-factor/verify-totp', { code: `00000${guess}` }, thief);
  }
  for (const side of [writer, reader]) {
    const phone = new Jar();
    await side.signIn(phone);
    assert.equal((await side.call('/two-factor/verify-totp', { code: totp(totpURI) }, phone)).json.code, 'ACCOUNT_TEMPORARILY_LOCKED');
  }
});

exchange('a passkey', async ({ writer, reader, rows }) => {
  const [browser, phone, key] = [new Jar(), new Jar(), new Authenticator()];
  const { user } = await writer.signUp(browser);
  const options = await writer.ok('/passkey/generate-register-options', undefined, browser);
  await writer.ok('/passkey/verify-registration', { response: key.register(options, ORIGIN), name: 'My key' }, browser);
  const listed = await writer.ok('/passkey/list-user-passkeys', undefined, browser);
  assert.deepEqual(await reader.ok('/passkey/list-user-passkeys', undefined, browser), listed);
  const asked = await reader.ok('/passkey/generate-authenticate-options', undefined, phone);
  const { session } = await reader.ok('/passkey/verify-authentication', { response: key.authenticate(asked, ORIGIN) }, phone);
  assert.equal(session.userId, user.id);
  assert.deepEqual(rows('select counter from passkey'), [{ counter: 1 }]);
}, { passkey: {} });

exchange('links in mails', async ({ writer, reader }) => {
  await writer.signUp();
  await writer.ok('/request-password-reset', { email: 'ada@example.com' });
  await writer.ok('/send-verification-email', { email: 'ada@example.com' });
  const [reset, proof] = await writer.side.mails();
  await reader.ok(`/verify-email?token=${proof.token}`);
  await reader.ok('/reset-password', { token: reset.token, newPassword: 'a better horse' });
  assert.equal((await writer.signIn(undefined, { password: 'a better horse' })).json.user.emailVerified, true);
  assert.equal((await writer.call('/reset-password', { token: reset.token, newPassword: 'a third horse' })).json.code, 'INVALID_TOKEN');
});

exchange('a user who is deleted', async ({ writer, reader, rows, advance }) => {
  const { browser } = await enrol(writer, advance);
  await reader.ok('/delete-user', { password: PASSWORD }, browser);
  for (const table of ['user', 'session', 'account', 'twoFactor']) assert.deepEqual(rows(`select id from "${table}"`), [], table);
  assert.equal((await writer.signIn()).status, 401);
}, { callbacks: [] });

exchange('counters of a rate limit', async ({ writer, reader, advance }) => {
  const guess = (side) => side.call('/sign-in/email', { email: 'eve@example.com', password: 'wrong horse' });
  const statuses = [];
  for (const side of [writer, reader, writer, reader, writer]) statuses.push((await guess(side)).status);
  assert.deepEqual(statuses, [401, 401, 401, 429, 429]);
  await advance(61);
  assert.equal((await guess(reader)).status, 401);
}, { options: { rateLimit: { enabled: true, storage: 'database' } } });
