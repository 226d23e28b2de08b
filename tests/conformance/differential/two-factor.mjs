import { everything } from '../harness/setup.mjs';
import { totp } from '../harness/totp.mjs';
import { PASSWORD, session, signIn, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const plain = everything({ twoFactor: {} });
const withOtp = everything({ twoFactor: {}, callbacks: ['sendOTP'] });

/** Turns the second factor on; gives each side's URI and codes. */
async function enable(world, name = 'Ada') {
  await signUp(world, name);
  const given = await world.send('enables', { path: '/two-factor/enable', json: { password: PASSWORD }, jar: name });
  await world.send('the first code', (side) => ({ path: '/two-factor/verify-totp', json: { code: totp(given[side].json.totpURI) }, jar: name }));
  // The code that was just used is not accepted twice by ours.
  await world.advance(60);
  return { uri: (side) => given[side].json.totpURI, codes: (side) => given[side].json.backupCodes };
}

const verify = (code, more = {}, jar = 'phone') => ({ path: '/two-factor/verify-totp', json: { code, ...more }, jar });

scenario('turning a second factor on', plain, async (world) => {
  await signUp(world, 'Ada');
  const path = '/two-factor/enable';
  for (const json of [{}, { password: 'wrong horse' }, { password: 5 }, { password: PASSWORD, method: 'sms' }, { password: PASSWORD, method: 'otp' }, { password: PASSWORD, issuer: 5 }, null]) {
    await world.send(`with ${JSON.stringify(json)}`, { path, json, jar: 'Ada' });
    await world.send(`with ${JSON.stringify(json)}, signed out`, { path, json, jar: null });
  }
  await world.send('with an issuer', { path, json: { password: PASSWORD, issuer: 'Ada & Söhne' }, jar: 'Ada' });
  const given = await world.send('again', { path, json: { password: PASSWORD }, jar: 'Ada' });
  await world.send('the uri', { path: '/two-factor/get-totp-uri', json: { password: PASSWORD }, jar: 'Ada' });
  await signIn(world, 'Ada', {}, 'phone');
  await world.send('a wrong code', verify('000000', {}, 'Ada'));
  await world.send('no code', verify(undefined, {}, 'Ada'));
  await world.send('a number', verify(5, {}, 'Ada'));
  await world.send('an empty code', verify('', {}, 'Ada'));
  await session(world, 'Ada', 'not on yet');
  await world.send('the code before the last', (side) => verify(totp(given[side].json.totpURI, { step: -2 }), {}, 'Ada'));
  await world.send('the right code', (side) => verify(totp(given[side].json.totpURI), {}, 'Ada'));
  await session(world, 'Ada', 'on');
  await world.send('enabling again', { path, json: { password: PASSWORD }, jar: 'Ada' });
});

scenario('signing in with a second factor', plain, async (world) => {
  const { uri } = await enable(world);
  await signIn(world, 'Ada', { password: 'wrong horse battery' }, 'phone');
  await signIn(world, 'Ada', {}, 'phone');
  await session(world, 'phone', 'nobody yet');
  await world.send('a wrong code', verify('000000'));
  await world.send('the right code', (side) => verify(totp(uri(side))));
  await session(world, 'phone', 'in');
  await world.send('without a challenge', { ...verify('000000'), jar: 'nobody' });
  await world.send('with a made-up challenge', { ...verify('000000'), jar: null, headers: { cookie: 'better-auth.two_factor=x.y', origin: 'http://localhost:3000' } });
});

scenario('a code for a sign-in that is not remembered', plain, async (world) => {
  const { uri } = await enable(world);
  await signIn(world, 'Ada', { rememberMe: false, callbackURL: '/dashboard' }, 'phone');
  await world.send('the code', (side) => verify(totp(uri(side))));
  await session(world, 'phone');
});

scenario('codes are good for a step before and after', plain, async (world) => {
  const { uri } = await enable(world);
  for (const step of [-2, 2, -1]) {
    await signIn(world, 'Ada', {}, `phone ${step}`);
    await world.send(`step ${step}`, (side) => verify(totp(uri(side), { step }), {}, `phone ${step}`));
  }
  await world.advance(300);
  await signIn(world, 'Ada', {}, 'tablet');
  await world.send('step 1', (side) => verify(totp(uri(side), { step: 1 }), {}, 'tablet'));
});

scenario('a code is good once', plain, async (world) => {
  const { uri } = await enable(world);
  await signIn(world, 'Ada', {}, 'phone');
  await world.send('the code', (side) => verify(totp(uri(side))));
  await signIn(world, 'Ada', {}, 'thief');
  await world.send('the same code', (side) => verify(totp(uri(side)), {}, 'thief'));
});

scenario('a challenge ends', plain, async (world) => {
  const { uri } = await enable(world);
  await signIn(world, 'Ada', {}, 'phone');
  await world.advance(601);
  await world.send('too late', (side) => verify(totp(uri(side))));
});

scenario('five wrong codes end a challenge', plain, async (world) => {
  const { uri } = await enable(world);
  await signIn(world, 'Ada', {}, 'phone');
  for (const code of ['000000', '000001', '000002', '000003', '000004']) await world.send(`the wrong code ${code}`, verify(code));
  await world.send('the right one', (side) => verify(totp(uri(side))));
  await world.send('and again', (side) => verify(totp(uri(side))));
  await signIn(world, 'Ada', {}, 'phone');
  await world.send('a new challenge', (side) => verify(totp(uri(side))));
});

scenario('ten wrong codes lock the account for a while', plain, async (world) => {
  const { uri, codes } = await enable(world);
  for (let challenge = 0; challenge < 2; challenge += 1) {
    await signIn(world, 'Ada', {}, 'thief');
    for (let code = 0; code < 5; code += 1) await world.send('a wrong code', verify(`00000${code}`, {}, 'thief'));
  }
  await signIn(world, 'Ada', {}, 'phone');
  await world.send('locked', (side) => verify(totp(uri(side))));
  await world.send('backup codes too', (side) => ({ path: '/two-factor/verify-backup-code', json: { code: codes(side)[0] }, jar: 'phone' }));
  await world.advance(901);
  await signIn(world, 'Ada', {}, 'phone');
  await world.send('open again', (side) => verify(totp(uri(side))));
});

scenario('backup codes', plain, async (world) => {
  const { uri, codes } = await enable(world);
  const path = '/two-factor/verify-backup-code';
  await signIn(world, 'Ada', {}, 'phone');
  await world.send('a wrong one', { path, json: { code: 'aaaaa-aaaaa' }, jar: 'phone' });
  await world.send('no code', { path, json: {}, jar: 'phone' });
  await world.send('without its hyphen', (side) => ({ path, json: { code: codes(side)[0].replace('-', '') }, jar: 'phone' }));
  await world.send('a right one', (side) => ({ path, json: { code: codes(side)[0] }, jar: 'phone' }));
  await session(world, 'phone', 'in');
  await signIn(world, 'Ada', {}, 'tablet');
  await world.send('the same again', (side) => ({ path, json: { code: codes(side)[0] }, jar: 'tablet' }));
  await world.send('without a session', (side) => ({ path, json: { code: codes(side)[1], disableSession: true }, jar: 'tablet' }));
  await world.send('the challenge is spent', (side) => verify(totp(uri(side)), {}, 'tablet'));
  await world.send('while signed in', (side) => ({ path, json: { code: codes(side)[2] }, jar: 'phone' }));
  await world.send('signed out', { path, json: { code: 'x' }, jar: null });
  const generate = '/two-factor/generate-backup-codes';
  await world.send('new ones, wrong password', { path: generate, json: { password: 'wrong horse' }, jar: 'phone' });
  await world.send('new ones, no password', { path: generate, json: {}, jar: 'phone' });
  await world.send('new ones, signed out', { path: generate, json: { password: PASSWORD }, jar: null });
  const fresh = await world.send('new ones', { path: generate, json: { password: PASSWORD }, jar: 'phone' });
  await signIn(world, 'Ada', {}, 'tablet');
  await world.send('an old one', (side) => ({ path, json: { code: codes(side)[3] }, jar: 'tablet' }));
  await world.send('a new one', (side) => ({ path, json: { code: fresh[side].json.backupCodes[0], trustDevice: true }, jar: 'tablet' }));
});

scenario('a device that is trusted is not asked again', plain, async (world) => {
  const { uri } = await enable(world);
  await signIn(world, 'Ada', {}, 'phone');
  await world.send('trusts', (side) => verify(totp(uri(side)), { trustDevice: true }));
  await world.send('signs out', { method: 'POST', path: '/sign-out', jar: 'phone' });
  await signIn(world, 'Ada', {}, 'phone');
  await session(world, 'phone', 'in without a code');
  await world.send('signs out', { method: 'POST', path: '/sign-out', jar: 'phone' });
  await world.advance(31 * 86_400);
  await signIn(world, 'Ada', {}, 'phone');
});

scenario('trusting a device of a sign-in that is not remembered', plain, async (world) => {
  const { uri } = await enable(world);
  await signIn(world, 'Ada', { rememberMe: false }, 'phone');
  await world.send('trusts', (side) => verify(totp(uri(side)), { trustDevice: true }));
  await session(world, 'phone');
});

scenario('a device that someone else trusted', plain, async (world) => {
  const { uri } = await enable(world);
  await enable(world, 'Eve');
  await signIn(world, 'Ada', {}, 'phone');
  await world.send('trusts', (side) => verify(totp(uri(side)), { trustDevice: true }));
  await world.send('signs out', { method: 'POST', path: '/sign-out', jar: 'phone' });
  await signIn(world, 'Eve', {}, 'phone');
});

scenario('turning it off', plain, async (world) => {
  await enable(world);
  const path = '/two-factor/disable';
  for (const json of [{}, { password: 'wrong horse' }, { password: 5 }]) {
    await world.send(`with ${JSON.stringify(json)}`, { path, json, jar: 'Ada' });
    await world.send(`with ${JSON.stringify(json)}, signed out`, { path, json, jar: null });
  }
  await world.send('off', { path, json: { password: PASSWORD }, jar: 'Ada' });
  await session(world, 'Ada', 'off');
  await world.send('off again', { path, json: { password: PASSWORD }, jar: 'Ada' });
  await signIn(world, 'Ada', {}, 'phone');
  for (const [name, json] of [['get-totp-uri', { password: PASSWORD }], ['generate-backup-codes', { password: PASSWORD }], ['verify-totp', { code: '000000' }], ['verify-backup-code', { code: 'x' }], ['get-totp-uri', {}], ['get-totp-uri', { password: 'wrong horse' }]]) {
    await world.send(`${name} without one`, { path: `/two-factor/${name}`, json, jar: 'Ada' });
    await world.send(`${name}, signed out`, { path: `/two-factor/${name}`, json, jar: null });
  }
});

scenario('codes by mail', withOtp, async (world) => {
  const { uri } = await enable(world);
  await signIn(world, 'Ada', {}, 'phone');
  await world.send('none was sent', { path: '/two-factor/verify-otp', json: { code: '000000' }, jar: 'phone' });
  await world.send('sends', { method: 'POST', path: '/two-factor/send-otp', jar: 'phone' });
  const mails = await mailed(world);
  await world.send('a wrong one', (side) => ({ path: '/two-factor/verify-otp', json: { code: other(mails[side]) }, jar: 'phone' }));
  await world.send('no code', { path: '/two-factor/verify-otp', json: {}, jar: 'phone' });
  await world.send('the right one', (side) => ({ path: '/two-factor/verify-otp', json: { code: mails[side] }, jar: 'phone' }));
  await session(world, 'phone', 'in');
  await signIn(world, 'Ada', {}, 'tablet');
  await world.send('sends', { path: '/two-factor/send-otp', json: { trustDevice: true }, jar: 'tablet' });
  const late = await mailed(world);
  await world.advance(181);
  await world.send('too late', (side) => ({ path: '/two-factor/verify-otp', json: { code: late[side] }, jar: 'tablet' }));
  await world.send('signed out', { method: 'POST', path: '/two-factor/send-otp', jar: null });
  await world.send('the app works too', (side) => verify(totp(uri(side)), {}, 'tablet'));
});

scenario('wrong codes by mail', withOtp, async (world) => {
  await enable(world);
  await signIn(world, 'Ada', {}, 'phone');
  await world.send('sends', { method: 'POST', path: '/two-factor/send-otp', jar: 'phone' });
  const mails = await mailed(world);
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    await world.send(`wrong ${attempt}`, (side) => ({ path: '/two-factor/verify-otp', json: { code: other(mails[side]) }, jar: 'phone' }));
  }
  await world.send('right, too late', (side) => ({ path: '/two-factor/verify-otp', json: { code: mails[side] }, jar: 'phone' }));
});

scenario('codes by mail alone', withOtp, async (world) => {
  await signUp(world, 'Ada');
  await world.send('enables', { path: '/two-factor/enable', json: { password: PASSWORD, method: 'otp' }, jar: 'Ada' });
  await session(world, 'Ada', 'on at once');
  await signIn(world, 'Ada', {}, 'phone');
  await world.send('sends', { method: 'POST', path: '/two-factor/send-otp', jar: 'phone' });
  const mails = await mailed(world);
  await world.send('the code', (side) => ({ path: '/two-factor/verify-otp', json: { code: mails[side] }, jar: 'phone' }));
  await session(world, 'phone', 'in');
  await world.send('no app', { path: '/two-factor/get-totp-uri', json: { password: PASSWORD }, jar: 'phone' });
  await world.send('no backup codes', { path: '/two-factor/generate-backup-codes', json: { password: PASSWORD }, jar: 'phone' });
});

scenario('codes by mail that nobody can send', plain, async (world) => {
  await enable(world);
  await signIn(world, 'Ada', {}, 'phone');
  await world.send('sends', { method: 'POST', path: '/two-factor/send-otp', jar: 'phone' });
  await world.send('verifies', { path: '/two-factor/verify-otp', json: { code: '000000' }, jar: 'phone' });
});

scenario('a second factor without a first code', everything({ twoFactor: { skipVerificationOnEnable: true, issuer: 'Acme' } }), async (world) => {
  await signUp(world, 'Ada');
  await world.send('enables', { path: '/two-factor/enable', json: { password: PASSWORD }, jar: 'Ada' });
  await session(world, 'Ada', 'on at once');
});

/** The code of each side's only mail. Codes are random, so the mails are compared without them. */
async function mailed(world) {
  const codes = {};
  for (const side of world.sides) {
    const [mail] = await side.mails();
    codes[side.name] = mail.otp;
  }
  return codes;
}

const other = (code) => (code === '000000' ? '111111' : '000000');
