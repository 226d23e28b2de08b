import { everything } from '../harness/setup.mjs';
import { linkIn, PASSWORD, session, signIn, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const NEW = 'a better horse';

scenario('resetting a password', everything({ options: { emailAndPassword: { revokeSessionsOnPasswordReset: true } } }), async (world) => {
  await signUp(world, 'Ada');
  await world.send('asks', { path: '/request-password-reset', json: { email: 'ada@example.com', redirectTo: '/reset?lang=en' }, jar: null });
  const mails = await world.mails('a link');
  await world.send('asks for a stranger', { path: '/request-password-reset', json: { email: 'eve@example.com' }, jar: null });
  await world.mails('none');
  await world.send('opens the link', (side) => ({ path: linkIn(mails[side][0]), jar: null }));
  const token = (side) => mails[side][0].token;
  const path = '/reset-password';
  await world.send('too short', (side) => ({ path, json: { token: token(side), newPassword: 'short' }, jar: null }));
  await world.send('too long', (side) => ({ path, json: { token: token(side), newPassword: 'x'.repeat(129) }, jar: null }));
  await world.send('resets', (side) => ({ path, json: { token: token(side), newPassword: NEW }, jar: null }));
  await world.mails('told of it');
  await world.send('again', (side) => ({ path, json: { token: token(side), newPassword: NEW }, jar: null }));
  await world.send('opens the link again', (side) => ({ path: linkIn(mails[side][0]), jar: null }));
  await session(world, 'Ada', 'the session is over');
  await signIn(world, 'Ada');
  await signIn(world, 'Ada', { password: NEW });
});

scenario('a reset ends every session unless told otherwise', everything(), async (world) => {
  await signUp(world, 'Ada');
  await world.send('asks', { path: '/request-password-reset', json: { email: 'ADA@example.com' }, jar: null });
  const mails = await world.mails('a link');
  await world.send('resets, token in the query', (side) => ({ path: `/reset-password?token=${mails[side][0].token}`, json: { newPassword: NEW }, jar: null }));
  await session(world, 'Ada', 'whether the session is over');
});

scenario('reset links end', everything({ options: { emailAndPassword: { resetPasswordTokenExpiresIn: 60 } } }), async (world) => {
  await signUp(world, 'Ada');
  await world.send('asks', { path: '/request-password-reset', json: { email: 'ada@example.com', redirectTo: 'http://localhost:3000/reset' }, jar: null });
  await world.send('asks again', { path: '/request-password-reset', json: { email: 'ada@example.com' }, jar: null });
  const mails = await world.mails('two links');
  await world.send('the second works', (side) => ({ path: '/reset-password', json: { token: mails[side][1].token, newPassword: NEW }, jar: null }));
  await world.send('the first is still open', (side) => ({ path: linkIn(mails[side][0]), jar: null }));
  await world.advance(61);
  await world.send('the first is over', (side) => ({ path: '/reset-password', json: { token: mails[side][0].token, newPassword: NEW }, jar: null }));
  await world.send('and its link', (side) => ({ path: linkIn(mails[side][0]), jar: null }));
});

scenario('bad reset requests', everything(), async (world) => {
  for (const json of [{}, { email: 'nobody' }, { email: 5 }, { email: 'a@example.com', redirectTo: 5 }, { email: 'a@example.com', redirectTo: 'https://evil.test' }, [], null]) {
    await world.send(`asks with ${JSON.stringify(json)}`, { path: '/request-password-reset', json, jar: null });
  }
  for (const json of [{}, { newPassword: NEW }, { newPassword: NEW, token: 'unknown' }, { token: 'x' }, { newPassword: 5, token: 5 }, { newPassword: '', token: 'x' }, { newPassword: NEW, token: '' }, null]) {
    await world.send(`resets with ${JSON.stringify(json)}`, { path: '/reset-password', json, jar: null });
  }
  for (const query of ['', '?callbackURL=', '?callbackURL=/x', '?callbackURL=%2Fx%3Fy%3D1%23z', '?callbackURL=https%3A%2F%2Fevil.test', '?callbackURL=x', '?callbackURL=//evil.test', '?callbackURL=/a&callbackURL=/b', '?callbackURL=http://localhost:3000/x']) {
    await world.send(`opens with ${query}`, { path: `/reset-password/unknown${query}`, jar: null });
  }
});

scenario('changing a password', everything(), async (world) => {
  const path = '/change-password';
  await signUp(world, 'Ada');
  await signIn(world, 'Ada', {}, 'phone');
  const bodies = [
    {}, { currentPassword: PASSWORD }, { currentPassword: 5, newPassword: 5 }, { currentPassword: PASSWORD, newPassword: 'short' },
    { currentPassword: PASSWORD, newPassword: 'x'.repeat(129) }, { currentPassword: 'wrong horse', newPassword: NEW }, { currentPassword: '', newPassword: NEW },
    { currentPassword: 'x'.repeat(200), newPassword: NEW }, { currentPassword: PASSWORD, newPassword: NEW, revokeOtherSessions: 'yes' }, null,
  ];
  for (const json of bodies) {
    await world.send(`with ${JSON.stringify(json).slice(0, 80)}`, { path, json, jar: 'Ada' });
    await world.send(`signed out, with ${JSON.stringify(json).slice(0, 80)}`, { path, json, jar: null });
  }
  await world.send('changes', { path, json: { currentPassword: PASSWORD, newPassword: NEW }, jar: 'Ada' });
  await session(world, 'phone', 'the phone stays in');
  await world.send('changes and ends the others', { path, json: { currentPassword: NEW, newPassword: PASSWORD, revokeOtherSessions: true }, jar: 'Ada' });
  await session(world, 'phone', 'the phone is out');
  await session(world, 'Ada', 'this one is in');
  await signIn(world, 'Ada');
});

scenario('verifying a password', everything(), async (world) => {
  const path = '/verify-password';
  await signUp(world, 'Ada');
  for (const json of [{}, { password: 5 }, { password: '' }, { password: 'wrong horse' }, { password: PASSWORD }, { password: 'x'.repeat(129) }]) {
    await world.send(`with ${JSON.stringify(json).slice(0, 80)}`, { path, json, jar: 'Ada' });
    await world.send(`signed out, with ${JSON.stringify(json).slice(0, 80)}`, { path, json, jar: null });
  }
});
