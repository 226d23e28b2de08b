// Codes by mail.

import { everything } from '../harness/setup.mjs';
import { PASSWORD, session, signIn, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const withCodes = (emailOtp = {}, more = {}) => everything({ emailOtp: { storeOTP: 'hashed', ...emailOtp }, ...more });
const ADA = 'ada@example.com';
const SEND = '/email-otp/send-verification-otp';
const send = (type, email = ADA) => ({ path: SEND, json: { email, type }, jar: null });
const enter = (otp, more = {}, jar = 'browser') => ({ path: '/sign-in/email-otp', json: { email: ADA, otp, ...more }, jar });
const wrong = (otp) => otp.slice(0, -1) + (otp.endsWith('0') ? '1' : '0');

/** Asks for a code and takes it out of the postbox. */
async function code(world, step) {
  await world.send('asks', step);
  const mails = await world.mails('the code');
  return (side) => mails[side][0].otp;
}

scenario('a code for somebody new', withCodes({}, { files: true }), async (world) => {
  const otp = await code(world, send('sign-in', 'Ada@Example.com'));
  await world.rows('asked', 'verification', 'user');
  await world.send('a wrong one', (side) => enter(wrong(otp(side))));
  await world.send('signs in', (side) => enter(otp(side), { email: 'ADA@example.com', name: 'Ada', image: '/ada.png' }));
  await session(world, 'browser');
  await world.rows('signed in', 'user', 'account', 'session', 'verification');
  await world.send('the same again', (side) => enter(otp(side), {}, 'thief'));
});

scenario('a code for somebody known', withCodes({ storeOTP: 'encrypted' }), async (world) => {
  for (const what of ['first', 'second']) {
    const otp = await code(world, send('sign-in'));
    await world.send(`signs in with the ${what}`, (side) => enter(otp(side), {}, what));
    await session(world, what);
  }
});

scenario('a code whose address was not proven before', withCodes({}, { files: true }), async (world) => {
  await signUp(world, 'Ada');
  const otp = await code(world, send('sign-in'));
  await world.send('signs in', (side) => enter(otp(side)));
  await session(world, 'browser');
  await session(world, 'Ada', 'whoever signed up');
  await world.send('the old password', { path: '/sign-in/email', json: { email: ADA, password: PASSWORD }, jar: null });
  await world.rows('signed in', 'user', 'account', 'session', 'verification');
});

scenario('three wrong codes end a code', withCodes({ storeOTP: 'plain' }), async (world) => {
  const otp = await code(world, send('sign-in'));
  for (let turn = 1; turn <= 3; turn += 1) await world.send(`wrong ${turn}`, (side) => enter(wrong(otp(side))));
  await world.send('the right one', (side) => enter(otp(side)));
  await world.send('and again', (side) => enter(otp(side)));
  const fresh = await code(world, send('sign-in'));
  await world.send('a new one', (side) => enter(fresh(side)));
});

scenario('a code that is too old', withCodes({ expiresIn: 60 }), async (world) => {
  const one = await code(world, send('sign-in'));
  await world.advance(59);
  await world.send('in time', (side) => enter(one(side)));
  const other = await code(world, send('sign-in'));
  await world.advance(61);
  await world.send('too late', (side) => enter(other(side), {}, 'other'));
  await world.send('and again', (side) => enter(other(side), {}, 'other'));
});

scenario('looking at a code', withCodes(), async (world) => {
  const check = (otp, type = 'email-verification', email = ADA) => ({ path: '/email-otp/check-verification-otp', json: { email, type, otp }, jar: null });
  await signUp(world, 'Ada');
  const otp = await code(world, send('email-verification'));
  await world.send('a wrong one', (side) => check(wrong(otp(side))));
  await world.send('right', (side) => check(otp(side)));
  await world.send('still right', (side) => check(otp(side)));
  await world.send('of another kind', (side) => check(otp(side), 'sign-in'));
  await world.send('no such kind', (side) => check(otp(side), 'nonsense'));
  await world.send('no address', (side) => check(otp(side), 'sign-in', 'ada'));
  await world.send('nothing', { path: '/email-otp/check-verification-otp', json: {}, jar: null });
  const unknown = await code(world, send('sign-in', 'nobody@example.com'));
  await world.send('of nobody', (side) => check(unknown(side), 'sign-in', 'nobody@example.com'));
});

scenario('proving an address with a code', withCodes(), async (world) => {
  const verify = (otp, email = ADA, jar = 'Ada') => ({ path: '/email-otp/verify-email', json: { email, otp }, jar });
  await signUp(world, 'Ada');
  const otp = await code(world, send('email-verification'));
  await world.send('a wrong one', (side) => verify(wrong(otp(side))));
  await world.send('proves it', (side) => verify(otp(side), 'ADA@example.com'));
  await session(world, 'Ada');
  await world.send('again', (side) => verify(otp(side)));
  await world.send('no address', verify('000000', 'ada'));
  await world.send('nothing', { path: '/email-otp/verify-email', json: {}, jar: null });
});

scenario('proving an address signs in', withCodes({}, { options: { emailVerification: { autoSignInAfterVerification: true } } }), async (world) => {
  await signUp(world, 'Ada');
  const otp = await code(world, send('email-verification'));
  await world.send('proves it', (side) => ({ path: '/email-otp/verify-email', json: { email: ADA, otp: otp(side) }, jar: 'phone' }));
  await session(world, 'phone');
});

for (const path of ['/email-otp/request-password-reset', '/forget-password/email-otp']) {
  scenario(`a new password with a code from ${path}`, withCodes({}, { files: true }), async (world) => {
    const reset = (otp, password = 'a new password', email = ADA) => ({ path: '/email-otp/reset-password', json: { email, otp, password }, jar: null });
    await signUp(world, 'Ada');
    const proof = await code(world, send('email-verification'));
    await world.send('proves it', (side) => ({ path: '/email-otp/verify-email', json: { email: ADA, otp: proof(side) }, jar: null }));
    const otp = await code(world, { path, json: { email: 'Ada@example.com' }, jar: null });
    await world.send('too short', (side) => reset(otp(side), 'short'));
    await world.send('too long', (side) => reset(otp(side), 'x'.repeat(129)));
    await world.send('a wrong one', (side) => reset(wrong(otp(side))));
    await world.send('sets it', (side) => reset(otp(side)));
    await world.mails('told');
    await world.send('again', (side) => reset(otp(side)));
    await signIn(world, 'Ada', {}, 'old');
    await signIn(world, 'Ada', { password: 'a new password' }, 'new');
    await world.send('no address', reset('000000', 'a new password', 'ada'));
    await world.send('of nobody', reset('000000', 'a new password', 'nobody@example.com'));
    await world.send('asks for nobody', { path, json: { email: 'nobody@example.com' }, jar: null });
    await world.send('asks for no address', { path, json: { email: 'ada' }, jar: null });
    await world.send('asks for nothing', { path, json: {}, jar: null });
    await world.mails('none');
    await world.rows('reset', 'user', 'account');
  });
}

const NEW = 'ada@new.example';
const request = (json, jar = 'Ada') => ({ path: '/email-otp/request-email-change', json: { newEmail: NEW, ...json }, jar });
const move = (otp, newEmail = NEW, jar = 'Ada') => ({ path: '/email-otp/change-email', json: { newEmail, otp }, jar });

scenario('another address with a code', withCodes({ changeEmail: { enabled: true } }, { files: true }), async (world) => {
  await signUp(world, 'Ada');
  await signUp(world, 'Eve');
  const otp = await code(world, request({ newEmail: 'Ada@New.example' }));
  await world.rows('asked', 'verification');
  await world.send('a wrong one', (side) => move(wrong(otp(side))));
  await world.send('by somebody else', (side) => move(otp(side), NEW, 'Eve'));
  await world.send('signed out', (side) => move(otp(side), NEW, null));
  await world.send('moves', (side) => move(otp(side)));
  await session(world, 'Ada');
  await world.send('again', (side) => move(otp(side)));
  await world.send('to an address that is taken', request({ newEmail: 'eve@example.com' }));
  await world.send('to the same', request({}));
  await world.send('to none', request({ newEmail: 'ada' }));
  await world.send('to nothing', { path: '/email-otp/request-email-change', json: {}, jar: 'Ada' });
  await world.send('asks signed out', request({}, null));
  await world.mails('none');
  await world.rows('moved', 'user');
});

scenario('another address with a code from both', withCodes({ changeEmail: { enabled: true, verifyCurrentEmail: true } }), async (world) => {
  await signUp(world, 'Ada');
  await world.send('without', request({}));
  const old = await code(world, send('email-verification'));
  await world.send('a wrong one', (side) => request({ otp: wrong(old(side)) }));
  const otp = await code(world, (side) => request({ otp: old(side) }));
  await world.send('moves', (side) => move(otp(side)));
  await session(world, 'Ada');
});

scenario('another address with a code, turned off', withCodes(), async (world) => {
  await signUp(world, 'Ada');
  await world.send('asks', request({}));
  await world.send('moves', move('000000'));
});

scenario('no new users by code', withCodes({ disableSignUp: true }), async (world) => {
  await world.send('asks for somebody unknown', send('sign-in'));
  await world.mails('no code');
  await world.send('guesses', enter('000000'));
  await signUp(world, 'Ada');
  const otp = await code(world, send('sign-in'));
  await world.send('signs in', (side) => enter(otp(side)));
});

scenario('the same code again', withCodes({ storeOTP: 'encrypted', resendStrategy: 'reuse' }), async (world) => {
  const first = await code(world, send('sign-in'));
  await world.advance(200);
  await code(world, send('sign-in'));
  await world.advance(200);
  await world.send('signs in', (side) => enter(first(side)));
});

scenario('a code for whoever signs up', withCodes({ sendVerificationOnSignUp: true }), async (world) => {
  await signUp(world, 'Ada');
  const mails = await world.mails('the code');
  await world.send('proves it', (side) => ({ path: '/email-otp/verify-email', json: { email: ADA, otp: mails[side][0].otp }, jar: 'Ada' }));
});

scenario('what can be wrong when a code is asked for', withCodes(), async (world) => {
  for (const [what, json] of Object.entries({
    nothing: {}, 'no address': { email: 'ada', type: 'sign-in' }, 'a number': { email: 5, type: 'sign-in' }, 'no kind': { email: ADA }, 'no such kind': { email: ADA, type: 'x' },
    'a kind that is a number': { email: ADA, type: 5 }, 'another address': { email: ADA, type: 'change-email' },
    'for nobody': { email: 'nobody@example.com', type: 'email-verification' }, 'for nobody’s password': { email: 'nobody@example.com', type: 'forget-password' },
  })) await world.send(what, { path: SEND, json, jar: null });
  await world.send('a foreign page', { ...send('sign-in'), headers: { origin: 'https://evil.test' } });
  await world.send('a foreign form', { ...send('sign-in'), headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' } });
  await world.mails('none');
  for (const [what, json] of Object.entries({ nothing: {}, 'no code': { email: ADA }, 'a number': { email: ADA, otp: 5 }, 'a name that is none': { email: ADA, otp: 'x', name: 5 }, 'a list': [] })) {
    await world.send(`signs in with ${what}`, { path: '/sign-in/email-otp', json, jar: null });
  }
  await world.send('no body', { method: 'POST', path: '/sign-in/email-otp', jar: null });
});

scenario('codes are limited', everything({ emailOtp: {}, options: { rateLimit: { enabled: true } } }), async (world) => {
  for (const [path, json] of [
    [SEND, { email: ADA, type: 'sign-in' }], ['/sign-in/email-otp', {}], ['/email-otp/check-verification-otp', {}], ['/email-otp/verify-email', {}], ['/email-otp/request-password-reset', {}],
    ['/forget-password/email-otp', {}], ['/email-otp/reset-password', {}], ['/email-otp/request-email-change', {}], ['/email-otp/change-email', {}],
  ]) for (let turn = 1; turn <= 4; turn += 1) await world.send(`${path} ${turn}`, { path, json, jar: null });
  await world.advance(61);
  await world.send('after a minute', send('sign-in'));
});

scenario('wrong codes for somebody unknown', withCodes({ disableSignUp: true }), async (world) => {
  const check = { path: '/email-otp/check-verification-otp', json: { email: 'nobody@example.com', type: 'forget-password', otp: 'x' }, jar: null };
  await world.send('asks', send('forget-password', 'nobody@example.com'));
  for (let turn = 1; turn <= 5; turn += 1) await world.send(`wrong ${turn}`, check);
});

scenario('a second factor after a code', withCodes({}, { twoFactor: { skipVerificationOnEnable: true } }), async (world) => {
  await signUp(world, 'Ada');
  const proof = await code(world, send('email-verification'));
  await world.send('proves it', (side) => ({ path: '/email-otp/verify-email', json: { email: ADA, otp: proof(side) }, jar: 'Ada' }));
  await world.send('turns it on', { path: '/two-factor/enable', json: { password: PASSWORD }, jar: 'Ada' });
  const otp = await code(world, send('sign-in'));
  await world.send('the code', (side) => enter(otp(side)));
});

scenario('a code from a foreign page', withCodes(), async (world) => {
  const otp = await code(world, send('sign-in'));
  await world.send('signs in', (side) => ({ ...enter(otp(side), {}, null), headers: { origin: 'https://evil.test' } }));
});
