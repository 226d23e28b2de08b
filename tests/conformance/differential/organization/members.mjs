// Members: who they are, what their roles are, and how they go.

import { session } from '../accounts.mjs';
import { scenario } from '../suite.mjs';
import { each, found, get, join, people, plain, post } from './company.mjs';

/** Acme with Ada, who owns it, Bob, an admin, Carl and Dora, members. */
async function company(world) {
  const users = await people(world, 'Ada', 'Bob', 'Carl', 'Dora');
  const acme = await found(world);
  const ada = await get(world, 'Ada herself', 'get-active-member');
  const ids = { Ada: (side) => ada[side].json?.id, Bob: await join(world, 'Bob', { role: 'admin' }), Carl: await join(world, 'Carl'), Dora: await join(world, 'Dora', { role: ['member', 'admin'] }) };
  return { acme, users, ids };
}

scenario('members are listed', plain, async (world) => {
  const { acme, users } = await company(world);
  await each(world, get, [
    {}, { limit: 2 }, { limit: 2, offset: 1 }, { offset: 1 }, { offset: 10 }, { limit: 0 }, { limit: 'x' }, { limit: -1 }, { offset: 'x' }, { sortBy: 'createdAt' },
    { sortBy: 'createdAt', sortDirection: 'desc' }, { sortBy: 'role', sortDirection: 'asc' }, { sortDirection: 'up' },
    { filterField: 'role', filterValue: 'owner' }, { filterField: 'role', filterOperator: 'ne', filterValue: 'owner' }, { filterField: 'role', filterOperator: 'contains', filterValue: 'mem' },
    { filterField: 'role', filterOperator: 'starts_with', filterValue: 'mem' }, { filterField: 'role', filterOperator: 'ends_with', filterValue: 'min' },
    { filterField: 'role', filterOperator: 'like', filterValue: 'x' }, { filterField: 'role' }, { filterValue: 'admin' }, { organizationSlug: 'acme' }, { organizationSlug: 'nothing' }, { organizationId: 'nothing' },
  ].map((query) => ['list-members', query]));
  await each(world, get, ['eq', 'ne', 'contains'].map((filterOperator) => ['list-members', { filterField: 'userId', filterOperator, filterValue: users.Bob }, `${filterOperator} Bob`]));
  for (const filterOperator of ['lt', 'lte', 'gt', 'gte']) await get(world, `${filterOperator} a date`, 'list-members', { filterField: 'createdAt', filterOperator, filterValue: '2031-05-06T12:00:05.000Z' });
  await get(world, 'by a member', 'list-members', { organizationId: acme }, 'Carl');
});

scenario('a list of members where the reference fails or does not listen', plain, async (world) => {
  await company(world);
  await get(world, 'half a member', 'list-members', { limit: '1.5' });
  await get(world, 'half a member in full', 'get-full-organization', { membersLimit: '1.5' });
  await get(world, 'one of several', 'list-members', { filterField: 'role', filterOperator: 'in', filterValue: 'admin' });
  await get(world, 'backwards', 'list-members', { sortDirection: 'desc' });
  await get(world, 'one of several roles', 'list-members', { filterField: 'role', filterValue: 'admin' });
});

scenario('a list of members by what there is not', plain, async (world) => {
  await company(world);
  await get(world, 'an unknown filter', 'list-members', { filterField: 'nothing', filterValue: 'x' });
  await get(world, 'an unknown order', 'list-members', { sortBy: 'nothing' });
});

scenario('who somebody is in an organisation', plain, async (world) => {
  const { acme, users } = await company(world);
  Object.assign(users, await people(world, 'Mallory'));
  await get(world, 'none is active', 'get-active-member', {}, 'Mallory');
  await get(world, 'no role without one', 'get-active-member-role', {}, 'Mallory');
  await get(world, 'no role of a stranger', 'get-active-member-role', { organizationId: acme }, 'Mallory');
  for (const jar of ['Ada', 'Carl', 'Dora']) {
    await get(world, `${jar}, a member`, 'get-active-member', {}, jar);
    await get(world, `${jar}'s role`, 'get-active-member-role', {}, jar);
    await get(world, `${jar}'s role by slug`, 'get-active-member-role', { organizationSlug: 'acme' }, jar);
    await get(world, `Bob's role for ${jar}`, 'get-active-member-role', { userId: users.Bob }, jar);
  }
  await get(world, 'the role of a stranger', 'get-active-member-role', { userId: users.Mallory });
  await get(world, 'the role of nobody', 'get-active-member-role', { userId: 'nobody' });
  await get(world, 'of an unknown slug', 'get-active-member-role', { organizationSlug: 'nothing' });
});

scenario('roles are given and taken', plain, async (world) => {
  const { acme, ids } = await company(world);
  const role = (what, memberId, given, jar, more = {}) => post(world, what, 'update-member-role', { memberId, role: given, ...more }, jar);
  await role('an admin', ids.Carl, 'admin');
  await role('several', ids.Carl, ['member', 'admin']);
  await role('several in one', ids.Carl, 'member,admin');
  await role('padded', ids.Carl, ' member ');
  await role('twice the same', ids.Carl, ['member', 'member']);
  await role('none', ids.Carl, '');
  await role('an empty list', ids.Carl, []);
  await role('unknown', ids.Carl, 'king');
  await role('unknown among others', ids.Carl, ['member', 'king']);
  await role('a number', ids.Carl, 5);
  await role('of nobody', 'nobody', 'admin');
  await role('by id of the organisation', ids.Carl, 'member', 'Ada', { organizationId: acme });
  await role('elsewhere', ids.Carl, 'member', 'Ada', { organizationId: 'nothing' });
  await role('by a member', ids.Dora, 'member', 'Carl');
  await role('by a member, of himself', ids.Carl, 'owner', 'Carl');
  await role('by an admin', ids.Carl, 'admin', 'Bob');
  await role('an owner by an admin', ids.Carl, 'owner', 'Bob');
  await role('an owner among others by an admin', ids.Carl, ['member', 'owner'], 'Bob');
  await role('of an owner by an admin', ids.Ada, 'member', 'Bob');
  await role('of himself by an admin', ids.Bob, 'owner', 'Bob');
  await role('of the only owner by herself', ids.Ada, 'member');
  await role('of the only owner, who stays one', ids.Ada, ['owner', 'member']);
  await role('a second owner', ids.Bob, 'owner');
  await role('of one of two owners', ids.Ada, 'admin');
  await role('by one who was an owner', ids.Bob, 'member');
  await role('of the only owner by himself', ids.Bob, 'admin', 'Bob');
  await world.rows('what is kept', 'member');
});

scenario('members are removed', plain, async (world) => {
  const { acme, ids } = await company(world);
  const remove = (what, memberIdOrEmail, jar, more = {}) => post(world, what, 'remove-member', { memberIdOrEmail, ...more }, jar);
  await remove('by a member', ids.Dora, 'Carl');
  await remove('himself, by a member', ids.Carl, 'Carl');
  await remove('nobody', 'nobody');
  await remove('no address', 'nobody@example.com');
  await remove('elsewhere', ids.Carl, 'Ada', { organizationId: 'nothing' });
  await remove('an owner by an admin', ids.Ada, 'Bob');
  await remove('the only owner by herself', ids.Ada);
  await remove('by id', ids.Dora, 'Bob', { organizationId: acme });
  await remove('again', ids.Dora, 'Bob');
  await remove('by address', 'CARL@example.com');
  await get(world, 'who is left', 'list-members');
  await post(world, 'one who can come back', 'invite-member', { email: 'carl@example.com', role: 'member' });
  await remove('himself, by an admin', ids.Bob, 'Bob');
  await session(world, 'Bob', 'what is active for him');
  await world.rows('what is left', 'member');
});

scenario('what is left to a member who was removed', plain, async (world) => {
  const { ids } = await company(world);
  await post(world, 'removed', 'remove-member', { memberIdOrEmail: ids.Carl });
  await session(world, 'Carl', 'what is active');
  for (const route of ['get-organization', 'get-full-organization', 'get-active-member', 'list-members', 'get-active-member-role', 'list-invitations']) await get(world, route, route, {}, 'Carl');
  await post(world, 'what he may', 'has-permission', { permissions: { ac: ['read'] } }, 'Carl');
  await world.rows('what is left', 'session');
});

scenario('members leave', plain, async (world) => {
  const { acme, ids } = await company(world);
  await post(world, 'a member', 'leave', { organizationId: acme }, 'Carl');
  await session(world, 'Carl', 'what is active for him');
  await post(world, 'twice', 'leave', { organizationId: acme }, 'Carl');
  await post(world, 'the only owner', 'leave', { organizationId: acme });
  await post(world, 'what there is not', 'leave', { organizationId: 'nothing' });
  await post(world, 'a second owner', 'update-member-role', { memberId: ids.Bob, role: ['admin', 'owner'] });
  await post(world, 'one of two owners', 'leave', { organizationId: acme });
  await session(world, 'Ada', 'what is active for her');
  await post(world, 'the last one', 'leave', { organizationId: acme }, 'Bob');
  await get(world, 'who is left', 'list-members', {}, 'Bob');
  await world.rows('what is left', 'member', 'session');
});

scenario('an owner whose account is deleted', plain, async (world) => {
  await people(world, 'Ada', 'Bob');
  await found(world);
  await join(world, 'Bob');
  await world.send('gone', { path: '/delete-user', json: { password: 'correct horse battery' }, jar: 'Bob' });
  await world.mails('told of it');
  await get(world, 'who is left', 'list-members');
  await world.rows('what is left', 'member');
});
