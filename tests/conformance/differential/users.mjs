import { everything } from '../harness/setup.mjs';
import { linkIn, PASSWORD, session, signIn, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

scenario('updating oneself', everything(), async (world) => {
  const path = '/update-user';
  await signUp(world, 'Ada');
  await world.send('name and image', { path, json: { name: 'Countess', image: 'https://example.com/c.png' }, jar: 'Ada' });
  await session(world, 'Ada');
  await world.advance(5);
  for (const json of [
    { image: null }, { name: '' }, {}, { email: 'x@example.com' }, { email: '' }, { email: '', name: 'Again' }, { emailVerified: true }, { emailVerified: true, name: 'Sly' },
    { id: 'mine' }, { createdAt: '2020-01-01T00:00:00.000Z' }, { unknown: 1 }, { unknown: 1, name: 'Known' }, [], null, 'text',
  ]) {
    await world.send(`with ${JSON.stringify(json)}`, { path, json, jar: 'Ada' });
    await session(world, 'Ada', `after ${JSON.stringify(json)}`);
  }
  await world.send('no body', { method: 'POST', path, jar: 'Ada' });
  await world.send('signed out', { path, json: { name: 'X' }, jar: null });
  await world.send('signed out, bad body', { path, json: null, jar: null });
});

for (const json of [{ name: 5 }, { name: null }, { image: 5 }]) {
  scenario(`an update with ${JSON.stringify(json)}`, everything(), async (world) => {
    await signUp(world, 'Ada');
    await world.send('updates', { path: '/update-user', json, jar: 'Ada' });
  });
}

const fields = {
  user: {
    additionalFields: {
      nickname: { type: 'string', required: false },
      age: { type: 'number', required: false },
      role: { type: 'string', required: false, input: false, defaultValue: 'guest' },
      secret: { type: 'string', required: false, returned: false },
      wantsMail: { type: 'boolean', required: false, defaultValue: true },
    },
  },
  session: { additionalFields: { theme: { type: 'string', required: false } } },
};

scenario('columns of one’s own', everything({ options: fields }), async (world) => {
  await signUp(world, 'Bob', { nickname: 'B', age: 3, secret: 'hush' });
  await session(world, 'Bob');
  await world.send('updates', { path: '/update-user', json: { nickname: 'C', age: 37, wantsMail: false }, jar: 'Bob' });
  await session(world, 'Bob');
  await world.send('updates a hidden one', { path: '/update-user', json: { secret: 'x' }, jar: 'Bob' });
  await world.send('updates a closed one', { path: '/update-user', json: { role: 'admin' }, jar: 'Bob' });
  await world.send('the session', { path: '/update-session', json: { theme: 'dark' }, jar: 'Bob' });
  await session(world, 'Bob');
  await world.send('the session, nothing known', { path: '/update-session', json: { x: 1 }, jar: 'Bob' });
  await world.send('the session, nothing', { path: '/update-session', json: {}, jar: 'Bob' });
  await world.send('the session, its token', { path: '/update-session', json: { token: 'mine', userId: 'x' }, jar: 'Bob' });
  await world.send('the session, signed out', { path: '/update-session', json: { theme: 'dark' }, jar: null });
  await world.send('signs out', { method: 'POST', path: '/sign-out', jar: 'Bob' });
});

scenario('a closed column at sign-up', everything({ options: fields }), async (world) => {
  await signUp(world, 'Ada', { role: 'admin' });
});

scenario('a column of the wrong kind at sign-up', everything({ options: fields }), async (world) => {
  await signUp(world, 'Ada', { age: 'many' });
});

scenario('a column of the wrong kind in an update', everything({ options: fields }), async (world) => {
  await signUp(world, 'Ada');
  await world.send('a text for a number', { path: '/update-user', json: { age: 'many' }, jar: 'Ada' });
});

const silent = ['sendResetPassword', 'sendVerificationEmail'];

scenario('deleting oneself', everything({ callbacks: silent }), async (world) => {
  const path = '/delete-user';
  await signUp(world, 'Ada');
  await signIn(world, 'Ada', {}, 'phone');
  for (const json of [{ password: 'wrong horse' }, { password: 5 }, { token: 'unknown' }, { callbackURL: 'https://evil.test' }, null, []]) {
    await world.send(`with ${JSON.stringify(json)}`, { path, json, jar: 'Ada' });
    await world.send(`signed out, with ${JSON.stringify(json)}`, { path, json, jar: null });
  }
  await world.send('no body', { method: 'POST', path, jar: 'Ada' });
  await world.send('deletes', { path, json: { password: PASSWORD }, jar: 'Ada' });
  await session(world, 'Ada', 'gone');
  await session(world, 'phone', 'gone everywhere');
  await signIn(world, 'Ada');
});

scenario('a fresh session needs no password to delete', everything({ callbacks: silent }), async (world) => {
  await signUp(world, 'Ada');
  await world.send('deletes', { path: '/delete-user', json: {}, jar: 'Ada' });
  await signUp(world, 'Ada');
});

scenario('deleting oneself by mail', everything(), async (world) => {
  const callback = '/delete-user/callback';
  await signUp(world, 'Ada');
  await signUp(world, 'Eve');
  await world.send('asks', { path: '/delete-user', json: { callbackURL: '/bye' }, jar: 'Ada' });
  await world.send('asks with a password', { path: '/delete-user', json: { password: PASSWORD }, jar: 'Ada' });
  const mails = await world.mails('two links');
  await world.send('signed out', (side) => ({ path: linkIn(mails[side][0]), jar: null }));
  await world.send('no token', { path: callback, jar: 'Ada' });
  await world.send('an unknown token', { path: `${callback}?token=unknown`, jar: 'Ada' });
  await world.send('a foreign callback', { path: `${callback}?token=unknown&callbackURL=https://evil.test`, jar: 'Ada' });
  await world.send('opens it', (side) => ({ path: linkIn(mails[side][0]), jar: 'Ada' }));
  await session(world, 'Ada', 'gone');
  await world.send('the second is of no use to someone else', (side) => ({ path: linkIn(mails[side][1]), jar: 'Eve' }));
});

scenario('a link to delete that someone else opens', everything(), async (world) => {
  await signUp(world, 'Ada');
  await signUp(world, 'Eve');
  await world.send('asks', { path: '/delete-user', json: {}, jar: 'Ada' });
  const mails = await world.mails('a link');
  await world.send('as someone else', (side) => ({ path: linkIn(mails[side][0]), jar: 'Eve' }));
  await world.send('as oneself', (side) => ({ path: linkIn(mails[side][0]), jar: 'Ada' }));
});

scenario('deleting oneself with the token of the mail', everything(), async (world) => {
  await signUp(world, 'Ada');
  await world.send('asks', { path: '/delete-user', json: {}, jar: 'Ada' });
  const mails = await world.mails('a link');
  await world.send('deletes', (side) => ({ path: '/delete-user', json: { token: mails[side][0].token }, jar: 'Ada' }));
  await session(world, 'Ada', 'gone');
});

scenario('accounts', everything(), async (world) => {
  await signUp(world, 'Ada');
  const listed = await world.send('list', { path: '/list-accounts', jar: 'Ada' });
  await world.send('list, signed out', { path: '/list-accounts', jar: null });
  await world.send('unlink the last', (side) => ({ path: '/unlink-account', json: { accountId: listed[side].json[0].id }, jar: 'Ada' }));
  for (const json of [{}, { accountId: 5 }, { accountId: 'unknown' }, { providerId: 'credential' }]) {
    await world.send(`unlink with ${JSON.stringify(json)}`, { path: '/unlink-account', json, jar: 'Ada' });
    await world.send(`unlink with ${JSON.stringify(json)}, signed out`, { path: '/unlink-account', json, jar: null });
  }
});

const all = { account: { accountLinking: { allowUnlinkingAll: true } } };

scenario('unlinking the last account', everything({ options: all }), async (world) => {
  await signUp(world, 'Ada');
  const listed = await world.send('list', { path: '/list-accounts', jar: 'Ada' });
  await world.send('an unknown one', { path: '/unlink-account', json: { accountId: 'unknown' }, jar: 'Ada' });
  await world.send('unlink the last', (side) => ({ path: '/unlink-account', json: { accountId: listed[side].json[0].id }, jar: 'Ada' }));
  await world.send('no password is right now', { path: '/verify-password', json: { password: PASSWORD }, jar: 'Ada' });
  await world.send('none to change', { path: '/change-password', json: { currentPassword: PASSWORD, newPassword: PASSWORD }, jar: 'Ada' });
  await signIn(world, 'Ada');
});
