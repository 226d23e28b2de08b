import { everything } from '../harness/setup.mjs';
import { PASSWORD, person, session, signIn, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

// Whoever signs up is an admin, so that there is one; the others are made users by her.
const plain = everything({ admin: { defaultRole: 'admin' } });

/** Alice, an admin, and others, who are users. Gives each side's ids. */
async function people(world, ...names) {
  const ids = {};
  for (const name of ['Alice', ...names]) {
    const answers = await signUp(world, name);
    ids[name] = (side) => answers[side].json.user.id;
    await world.advance(1);
  }
  for (const name of names) await act(world, `${name} is made a user`, 'set-role', ids[name], { role: 'user' });
  return ids;
}

/** Somebody does something to somebody. */
function act(world, what, route, id, more = {}, jar = 'Alice') {
  return world.send(what, (side) => ({ path: `/admin/${route}`, json: { userId: id?.(side), ...more }, jar }));
}

const list = (query) => `/admin/list-users?${new URLSearchParams(query)}`;

scenario('no admin route without a session or a right', plain, async (world) => {
  const ids = await people(world, 'Bob');
  const routes = {
    'create-user': { email: 'eve@example.com', name: 'Eve' }, 'update-user': { data: { name: 'Eve' } }, 'set-role': { role: 'admin' }, 'ban-user': {},
    'unban-user': {}, 'set-user-password': { newPassword: PASSWORD }, 'remove-user': {}, 'list-user-sessions': {},
    'revoke-user-session': { sessionToken: 'x' }, 'revoke-user-sessions': {}, 'impersonate-user': {}, 'stop-impersonating': {},
    'has-permission': { permissions: { user: ['list'] } },
  };
  for (const [route, more] of Object.entries(routes)) {
    await act(world, `${route}, signed out`, route, ids.Alice, more, null);
    await act(world, `${route}, without the right`, route, ids.Alice, more, 'Bob');
  }
  for (const path of ['/admin/list-users', '/admin/get-user?id=x', '/admin/get-user']) {
    for (const jar of [null, 'Bob']) await world.send(`${path} of ${jar ?? 'nobody'}`, { path, jar });
  }
});

scenario('admin routes about nobody, and without what they need', plain, async (world) => {
  await people(world);
  for (const [route, more] of Object.entries({
    'update-user': { data: { name: 'Eve' } }, 'set-role': { role: 'user' }, 'ban-user': {}, 'unban-user': {}, 'set-user-password': { newPassword: PASSWORD },
    'remove-user': {}, 'list-user-sessions': {}, 'revoke-user-sessions': {}, 'impersonate-user': {},
  })) {
    await act(world, `${route} of nobody`, route, () => 'nobody', more);
    await act(world, `${route} of a number`, route, () => 5, more);
  }
  await world.send('get-user of nobody', { path: '/admin/get-user?id=nobody', jar: 'Alice' });
  await world.send('revoke of an unknown session', { path: '/admin/revoke-user-session', json: { sessionToken: 'x' }, jar: 'Alice' });
  await world.send('stop without a start', { path: '/admin/stop-impersonating', json: {}, jar: 'Alice' });
});

scenario('an admin makes users', plain, async (world) => {
  await people(world, 'Bob');
  const make = (what, json) => world.send(what, { path: '/admin/create-user', json: { email: 'eve@example.com', name: 'Eve', ...json }, jar: 'Alice' });
  await make('no address', { email: 'nobody' });
  await make('a taken one', { email: 'BOB@example.com' });
  await make('a role that is none', { data: { role: 5 } });
  await make('with everything', { email: 'Eve@Example.com', password: PASSWORD, role: ['user', 'author'], data: { emailVerified: true, unknown: 1 } });
  await signIn(world, 'Eve');
  await make('without a password', { email: 'mallory@example.com', role: 'user' });
  await signIn(world, 'Mallory');
  await make('with the usual role', { email: 'trent@example.com', name: 'Trent' });
});

scenario('an admin sets a password that is too short', plain, async (world) => {
  const ids = await people(world, 'Bob');
  await world.send('a new user', { path: '/admin/create-user', json: { email: 'eve@example.com', name: 'Eve', password: 'short' }, jar: 'Alice' });
  await act(world, 'too short', 'set-user-password', ids.Bob, { newPassword: 'short' });
  await act(world, 'too long', 'set-user-password', ids.Bob, { newPassword: 'x'.repeat(200) });
  await act(world, 'empty', 'set-user-password', ids.Bob, { newPassword: '' });
});

scenario('an admin sets a password', plain, async (world) => {
  const ids = await people(world, 'Bob');
  await act(world, 'another', 'set-user-password', ids.Bob, { newPassword: 'another horse battery' });
  await signIn(world, 'Bob', {}, 'phone');
  await signIn(world, 'Bob', { password: 'another horse battery' }, 'phone');
  await session(world, 'Bob', 'the session from before');
});

scenario('an admin reads and changes users', plain, async (world) => {
  const ids = await people(world, 'Bob');
  await world.send('read', (side) => ({ path: `/admin/get-user?id=${ids.Bob(side)}`, jar: 'Alice' }));
  const update = (what, data, id = ids.Bob) => act(world, what, 'update-user', id, { data });
  await update('nothing', {});
  await update('a password', { password: 'x' });
  await update('an id', { id: 'x' });
  await update('a role that is none', { role: 5 });
  await update('no address', { email: 'nobody' });
  await update('a taken address', { email: 'ALICE@example.com' });
  await update('herself banned', { banned: true }, ids.Alice);
  await update('a name', { name: 'Robert' });
  await update('an address', { email: 'ROBERT@example.com', emailVerified: true });
  await update('a role', { role: ['user', 'author'] });
  await session(world, 'Bob', 'he sees it');
  await update('a ban', { banned: true, banReason: 'spam' });
  await session(world, 'Bob', 'he is out');
  await act(world, 'a role for herself', 'set-role', ids.Bob, { role: ['admin', 'user'] });
  await act(world, 'no role', 'set-role', ids.Bob, {});
  await act(world, 'a number', 'set-role', ids.Bob, { role: 5 });
});

scenario('role names that are several or none', plain, async (world) => {
  const ids = await people(world, 'Bob');
  await act(world, 'two in one', 'set-role', ids.Bob, { role: 'user,admin' });
  await act(world, 'none', 'set-role', ids.Bob, { role: [] });
});

scenario('an admin lists users', plain, async (world) => {
  await people(world, 'Bob', 'Carol', 'Dave');
  for (const query of [
    {}, { limit: 2 }, { limit: 2, offset: 1 }, { limit: 'x' }, { searchValue: 'bob' }, { searchValue: 'a', searchField: 'name' },
    { searchValue: 'a', searchOperator: 'starts_with' }, { searchValue: '.com', searchOperator: 'ends_with' }, { sortBy: 'email', sortDirection: 'desc' },
    { sortBy: 'name' }, { filterField: 'role', filterValue: 'admin' }, { filterField: 'email', filterOperator: 'ne', filterValue: 'bob@example.com' },
    { filterField: 'name', filterOperator: 'contains', filterValue: 'aro' }, { searchOperator: 'like' }, { sortDirection: 'up' }, { searchField: 'role', searchValue: 'x' },
  ]) {
    await world.send(`with ${JSON.stringify(query)}`, { path: list(query), jar: 'Alice' });
  }
});

scenario('a list of users by what there is not', plain, async (world) => {
  await people(world, 'Bob');
  await world.send('an unknown filter', { path: list({ filterField: 'nothing', filterValue: 'x' }), jar: 'Alice' });
  await world.send('an unknown order', { path: list({ sortBy: 'nothing' }), jar: 'Alice' });
});

scenario('a search for a character that means something to a database', plain, async (world) => {
  await people(world, 'Bob');
  await world.send('a percent sign', { path: list({ searchValue: '%' }), jar: 'Alice' });
});

scenario('an admin bans users', plain, async (world) => {
  const ids = await people(world, 'Bob', 'Carol');
  await act(world, 'herself', 'ban-user', ids.Alice);
  await act(world, 'for good', 'ban-user', ids.Bob);
  await session(world, 'Bob', 'he is out');
  await signIn(world, 'Bob');
  await signIn(world, 'Bob', { password: 'wrong horse battery' });
  await act(world, 'and not', 'unban-user', ids.Bob);
  await signIn(world, 'Bob');
  await act(world, 'for an hour', 'ban-user', ids.Carol, { banReason: 'spam', banExpiresIn: 3600 });
  await signIn(world, 'Carol');
  await world.advance(3601);
  await signIn(world, 'Carol');
  await session(world, 'Carol', 'the ban is gone');
  await act(world, 'a text for a time', 'ban-user', ids.Carol, { banExpiresIn: '5' });
});

scenario('bans as the options say', everything({ admin: { defaultRole: 'admin', defaultBanReason: 'house rules', defaultBanExpiresIn: 60, bannedUserMessage: 'Not you' } }), async (world) => {
  const ids = await people(world, 'Bob');
  await act(world, 'banned', 'ban-user', ids.Bob);
  await signIn(world, 'Bob');
  await world.advance(61);
  await signIn(world, 'Bob');
});

scenario('an admin sees and ends sessions', plain, async (world) => {
  const ids = await people(world, 'Bob');
  const listed = await act(world, 'listed', 'list-user-sessions', ids.Bob);
  await world.send('one ends', (side) => ({ path: '/admin/revoke-user-session', json: { sessionToken: listed[side].json.sessions[0].token }, jar: 'Alice' }));
  await session(world, 'Bob', 'it is over');
  await signIn(world, 'Bob');
  await act(world, 'all end', 'revoke-user-sessions', ids.Bob);
  await session(world, 'Bob', 'they are over');
});

scenario('an admin removes users', plain, async (world) => {
  const ids = await people(world, 'Bob');
  await act(world, 'herself', 'remove-user', ids.Alice);
  await act(world, 'him', 'remove-user', ids.Bob);
  await session(world, 'Bob', 'he is gone');
  await signIn(world, 'Bob');
  await act(world, 'again', 'remove-user', ids.Bob);
});

scenario('an admin acts as somebody', plain, async (world) => {
  const ids = await people(world, 'Bob', 'Carol');
  await act(world, 'an admin', 'impersonate-user', ids.Alice);
  await act(world, 'him', 'impersonate-user', ids.Bob);
  await session(world, 'Alice', 'she is him');
  await world.send('with his rights', { path: '/admin/list-users', jar: 'Alice' });
  await world.send('he does not see it', { path: '/list-sessions', jar: 'Bob' });
  await world.send('back', { path: '/admin/stop-impersonating', json: {}, jar: 'Alice' });
  await session(world, 'Alice', 'she is herself');
  await world.send('twice', { path: '/admin/stop-impersonating', json: {}, jar: 'Alice' });
  await act(world, 'a ban', 'ban-user', ids.Carol);
  await act(world, 'somebody banned', 'impersonate-user', ids.Carol);
});

scenario('acting as somebody from a session that is not remembered', plain, async (world) => {
  const ids = await people(world, 'Bob');
  await signIn(world, 'Alice', { rememberMe: false });
  await act(world, 'him', 'impersonate-user', ids.Bob);
  await world.send('back', { path: '/admin/stop-impersonating', json: {}, jar: 'Alice' });
  await session(world, 'Alice', 'she is herself');
});

scenario('acting as somebody ends by itself', plain, async (world) => {
  const ids = await people(world, 'Bob');
  await act(world, 'him', 'impersonate-user', ids.Bob);
  await world.advance(3599);
  await session(world, 'Alice', 'still him');
  await world.advance(2);
  await session(world, 'Alice', 'nobody');
});

scenario('a forged way back', plain, async (world) => {
  const ids = await people(world, 'Bob');
  await act(world, 'him', 'impersonate-user', ids.Bob);
  for (const side of ['reference', 'ours']) world.jar(side, 'Alice').set('better-auth.admin_session', 'x.y');
  await world.send('back', { path: '/admin/stop-impersonating', json: {}, jar: 'Alice' });
});

scenario('signing out while acting as somebody', plain, async (world) => {
  const ids = await people(world, 'Bob');
  await act(world, 'him', 'impersonate-user', ids.Bob);
  await world.send('out', { path: '/sign-out', json: {}, jar: 'Alice' });
  await session(world, 'Alice', 'nobody');
});

scenario('the last admin', plain, async (world) => {
  const ids = await people(world, 'Bob');
  await act(world, 'leaves', 'set-role', ids.Alice, { role: 'user' });
});

scenario('what somebody may do', plain, async (world) => {
  await people(world, 'Bob');
  const ask = (what, json, jar) => world.send(what, { path: '/admin/has-permission', json, jar });
  for (const permissions of [{ user: ['list', 'ban'], session: ['revoke'] }, { user: ['impersonate-admins'] }, { user: [] }, {}, { house: ['enter'] }]) {
    await ask(`Alice: ${JSON.stringify(permissions)}`, { permissions }, 'Alice');
    await ask(`Bob: ${JSON.stringify(permissions)}`, { permissions, role: 'admin' }, 'Bob');
  }
  await ask('the old name', { permission: { user: ['list'] } }, 'Alice');
});

const roles = {
  admin: { user: ['create', 'list', 'set-role', 'ban', 'impersonate', 'delete', 'set-password', 'set-email', 'get', 'update'], session: ['list', 'revoke'] },
  editor: { user: ['update', 'get'], session: [] },
  user: { user: [], session: [] },
};

scenario('roles that an app defines', everything({ admin: { defaultRole: 'admin', roles } }), async (world) => {
  const ids = await people(world, 'Bob', 'Carol');
  await act(world, 'a role', 'set-role', ids.Bob, { role: 'editor' });
  await act(world, 'a role that there is not', 'set-role', ids.Bob, { role: 'king' });
  await act(world, 'two in one', 'set-role', ids.Bob, { role: 'user,editor' });
  await act(world, 'a role that there is not, by update', 'update-user', ids.Bob, { data: { role: 'king' } });
  for (const data of [{ name: 'C' }, { role: 'editor' }, { banned: true }, { email: 'c@example.com' }, { emailVerified: true }, { phoneNumber: '1' }]) {
    await act(world, `an editor sets ${Object.keys(data)}`, 'update-user', ids.Carol, { data }, 'Bob');
  }
  await act(world, 'an editor bans', 'ban-user', ids.Carol, {}, 'Bob');
});
