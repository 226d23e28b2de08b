import { everything } from '../harness/setup.mjs';
import { linkIn, session, signIn, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const ask = '/send-verification-email';
const change = '/change-email';

/** Proves an address the whole way. */
async function prove(world, name) {
  await world.send('asks for a link', { path: ask, json: { email: `${name.toLowerCase()}@example.com` }, jar: name });
  const mails = await world.mails('the link');
  await world.send('opens it', (side) => ({ path: linkIn(mails[side][0]), jar: name }));
}

scenario('proving an address', everything(), async (world) => {
  await signUp(world, 'Ada');
  await world.send('asks, signed in', { path: ask, json: { email: 'ada@example.com', callbackURL: '/welcome?a=1&b=2' }, jar: 'Ada' });
  await world.send('asks, signed out', { path: ask, json: { email: 'ADA@example.com' }, jar: null });
  await world.send('asks for a stranger', { path: ask, json: { email: 'eve@example.com' }, jar: null });
  await world.send('asks for a stranger, signed in', { path: ask, json: { email: 'eve@example.com' }, jar: 'Ada' });
  const mails = await world.mails('two links');
  await world.send('opens the first', (side) => ({ path: linkIn(mails[side][0]), jar: 'Ada' }));
  await session(world, 'Ada', 'proven');
  await world.send('opens it again', (side) => ({ path: linkIn(mails[side][0]), jar: 'Ada' }));
  await world.send('opens the second without a callback', (side) => ({ path: `/verify-email?token=${mails[side][1].token}`, jar: null }));
  await world.send('asks again, signed in', { path: ask, json: { email: 'ada@example.com' }, jar: 'Ada' });
  await world.send('asks again, signed out', { path: ask, json: { email: 'ada@example.com' }, jar: null });
  await world.mails('no link');
});

scenario('bad requests for a link', everything(), async (world) => {
  await signUp(world, 'Ada');
  for (const json of [{}, { email: 'nobody' }, { email: 5 }, { email: 'ada@example.com', callbackURL: 5 }, { email: 'ada@example.com', callbackURL: 'https://evil.test' }, null]) {
    await world.send(`asks with ${JSON.stringify(json)}`, { path: ask, json, jar: null });
    await world.send(`asks with ${JSON.stringify(json)}, signed in`, { path: ask, json, jar: 'Ada' });
  }
});

scenario('links that prove nothing', everything(), async (world) => {
  await signUp(world, 'Ada');
  await world.send('asks', { path: ask, json: { email: 'ada@example.com' }, jar: 'Ada' });
  const mails = await world.mails('a link');
  for (const query of ['', '?token=', '?token=nonsense', '?token=a.b.c', '?token=nonsense&callbackURL=/x', '?token=nonsense&callbackURL=/x?y=1', '?token=nonsense&callbackURL=https://evil.test', '?token=nonsense&callbackURL=http://localhost:3000/x', '?token=nonsense&callbackURL=', '?callbackURL=/x']) {
    await world.send(`opens ${query}`, { path: `/verify-email${query}`, jar: null });
  }
  const tampered = (side) => {
    const [header, claims, signature] = mails[side][0].token.split('.');
    return { path: `/verify-email?token=${header}.${claims}.${signature.split('').reverse().join('')}`, jar: null };
  };
  await world.send('a wrong signature', tampered);
  await world.send('no algorithm', (side) => {
    const [, claims] = mails[side][0].token.split('.');
    return { path: `/verify-email?token=${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`, jar: null };
  });
  await world.advance(3601);
  await world.send('too late', (side) => ({ path: `/verify-email?token=${mails[side][0].token}`, jar: null }));
  await world.send('too late, with a callback', (side) => ({ path: `/verify-email?token=${mails[side][0].token}&callbackURL=/x`, jar: null }));
});

scenario('proving an address signs in when told to',
  everything({ options: { emailVerification: { autoSignInAfterVerification: true, expiresIn: 60, sendOnSignUp: true } } }), async (world) => {
    await signUp(world, 'Ada');
    const mails = await world.mails('a link');
    await world.send('opens it elsewhere', (side) => ({ path: linkIn(mails[side][0]), jar: 'phone' }));
    await session(world, 'phone');
    await world.send('opens it again elsewhere', (side) => ({ path: linkIn(mails[side][0]), jar: 'tablet' }));
  });

scenario('changing an unproven address', everything(), async (world) => {
  await signUp(world, 'Ada');
  await signUp(world, 'Eve');
  await world.send('asks', { path: change, json: { newEmail: 'Countess@Example.com', callbackURL: '/changed' }, jar: 'Ada' });
  await world.send('asks for one that is taken', { path: change, json: { newEmail: 'eve@example.com' }, jar: 'Ada' });
  await world.send('asks for the same', { path: change, json: { newEmail: 'ADA@example.com' }, jar: 'Ada' });
  const mails = await world.mails('one link, to the new address');
  await world.send('opens it as someone else', (side) => ({ path: linkIn(mails[side][0]), jar: 'Eve' }));
  await world.send('opens it', (side) => ({ path: linkIn(mails[side][0]), jar: 'Ada' }));
  await world.mails('what follows');
  await session(world, 'Ada', 'the new address');
  await world.send('opens it again', (side) => ({ path: linkIn(mails[side][0]), jar: 'Ada' }));
  await signIn(world, 'Ada');
  await signIn(world, 'Ada', { email: 'countess@example.com' });
});

scenario('changing a proven address asks the old one first', everything(), async (world) => {
  await signUp(world, 'Ada');
  await prove(world, 'Ada');
  await world.send('asks', { path: change, json: { newEmail: 'countess@example.com', callbackURL: '/changed' }, jar: 'Ada' });
  const old = await world.mails('a link to the old address');
  await world.send('opens it', (side) => ({ path: linkIn(old[side][0]), jar: null }));
  const young = await world.mails('a link to the new address');
  await session(world, 'Ada', 'nothing has changed yet');
  await world.send('opens that without a callback', (side) => ({ path: `/verify-email?token=${young[side][0].token}`, jar: 'Ada' }));
  await session(world, 'Ada', 'the new address');
  await world.send('the old link again', (side) => ({ path: linkIn(old[side][0]), jar: null }));
  await world.mails('no mail');
});

const withoutOld = everything({ callbacks: ['sendVerificationEmail'] });

scenario('changing a proven address when nobody asks the old one', withoutOld, async (world) => {
  await signUp(world, 'Ada');
  await prove(world, 'Ada');
  await world.send('asks', { path: change, json: { newEmail: 'countess@example.com' }, jar: 'Ada' });
  const mails = await world.mails('a link to the new address');
  await world.send('opens it signed out', (side) => ({ path: linkIn(mails[side][0]), jar: null }));
  await session(world, 'Ada');
});

const atOnce = everything({ options: { user: { changeEmail: { updateEmailWithoutVerification: true } } } });

scenario('an unproven address can be replaced at once', atOnce, async (world) => {
  await signUp(world, 'Ada');
  await world.send('asks', { path: change, json: { newEmail: 'countess@example.com', callbackURL: '/changed' }, jar: 'Ada' });
  await world.mails('a link to prove the new one');
  await session(world, 'Ada', 'the new address');
});

scenario('an address cannot be changed when no mail can be sent', everything({ callbacks: [] }), async (world) => {
  await signUp(world, 'Ada');
  await world.send('asks', { path: change, json: { newEmail: 'countess@example.com' }, jar: 'Ada' });
});

scenario('bad requests to change an address', everything(), async (world) => {
  await signUp(world, 'Ada');
  for (const json of [{}, { newEmail: 'nobody' }, { newEmail: 5 }, { newEmail: 'x@example.com', callbackURL: 5 }, { newEmail: 'x@example.com', callbackURL: '//evil.test' }, null]) {
    await world.send(`with ${JSON.stringify(json)}`, { path: change, json, jar: 'Ada' });
    await world.send(`with ${JSON.stringify(json)}, signed out`, { path: change, json, jar: null });
  }
  await world.send('signed out', { path: change, json: { newEmail: 'x@example.com' }, jar: null });
});
