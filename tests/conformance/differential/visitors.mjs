// Visitors who have an account before they say who they are, and by what people signed in last.

import { everything } from '../harness/setup.mjs';
import { totp } from '../harness/totp.mjs';
import { PASSWORD, person, session, signIn, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const visitors = (more = {}) => everything({ anonymous: {}, callbacks: [...everything().callbacks, 'onLinkAccount'], ...more });
const JAR = 'browser';
const come = { path: '/sign-in/anonymous', json: {}, jar: JAR };

scenario('a visitor signs up', visitors({ files: true }), async (world) => {
  await world.send('comes', come);
  await session(world, JAR, 'is somebody');
  await world.send('again', come);
  await world.send('signs up', { path: '/sign-up/email', json: person('Ada'), jar: JAR });
  await world.mails('is linked');
  await session(world, JAR, 'is Ada');
  await world.rows('is gone', 'user', 'session');
  await world.send('comes again', come);
});

scenario('a visitor signs in', visitors(), async (world) => {
  await signUp(world, 'Ada');
  await world.send('comes', come);
  await signIn(world, 'Ada', { password: 'wrong horse battery' }, JAR);
  await session(world, JAR, 'is still a visitor');
  await signIn(world, 'Ada', {}, JAR);
  await world.mails('is linked');
  await session(world, JAR, 'is Ada');
});

scenario('a visitor who is kept', visitors({ anonymous: { disableDeleteAnonymousUser: true, emailDomainName: 'example.org' }, files: true }), async (world) => {
  await world.send('comes', come);
  await world.send('cannot go', { path: '/delete-anonymous-user', json: {}, jar: JAR });
  await world.send('signs up', { path: '/sign-up/email', json: person('Ada'), jar: JAR });
  await world.mails('is linked');
  await world.rows('is kept', 'user');
});

scenario('a visitor goes', visitors({ files: true }), async (world) => {
  await world.send('nobody', { path: '/delete-anonymous-user', json: {}, jar: JAR });
  await world.send('comes', come);
  await world.send('goes', { path: '/delete-anonymous-user', json: {}, jar: JAR });
  await session(world, JAR, 'is gone');
  await world.rows('is gone', 'user', 'session');
  await signUp(world, 'Ada');
  await world.send('no visitor', { path: '/delete-anonymous-user', json: {}, jar: 'Ada' });
  await world.send('says to be one', { path: '/update-user', json: { isAnonymous: true }, jar: 'Ada' });
});

scenario('by what somebody signed in last', everything({ lastLoginMethod: {} }), async (world) => {
  await signUp(world, 'Ada');
  await signIn(world, 'Ada');
  await signIn(world, 'Ada', { password: 'wrong horse battery' });
  await session(world, 'Ada');
  await world.send('signs out', { path: '/sign-out', json: {}, jar: 'Ada' });
});

scenario('by what somebody signed in last, kept with them', everything({ lastLoginMethod: { storeInDatabase: true, cookieName: 'last', maxAge: 60 } }), async (world) => {
  await signUp(world, 'Ada');
  await signIn(world, 'Ada');
  await session(world, 'Ada');
});

scenario('by what somebody signed in last, with a second factor', everything({ lastLoginMethod: {}, twoFactor: {} }), async (world) => {
  await signUp(world, 'Ada');
  const given = await world.send('enables', { path: '/two-factor/enable', json: { password: PASSWORD }, jar: 'Ada' });
  const code = (side) => ({ path: '/two-factor/verify-totp', json: { code: totp(given[side].json.totpURI) }, jar: 'Ada' });
  await world.send('the first code', code);
  await world.advance(60);
  await signIn(world, 'Ada');
  await world.send('the second factor', code);
});
