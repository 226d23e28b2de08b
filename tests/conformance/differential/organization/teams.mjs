// Teams within an organisation.

import { session } from '../accounts.mjs';
import { scenario } from '../suite.mjs';
import { each, found, get, invite, join, organizations, people, plain, post, withTeams } from './company.mjs';

/** A team of the organisation that is active. Gives its id on each side. */
async function team(world, name, more = {}, jar = 'Ada') {
  const answers = await post(world, `the team ${name}`, 'create-team', { name, ...more }, jar);
  return (side) => answers[side].json?.id;
}

/** Acme with Ada, who owns it, Bob, an admin, and Carl, a member; and two teams besides the first. */
async function company(world) {
  const users = await people(world, 'Ada', 'Bob', 'Carl');
  const acme = await found(world);
  await join(world, 'Bob', { role: 'admin' });
  await join(world, 'Carl');
  return { acme, users, red: await team(world, 'Red'), blue: await team(world, 'Blue') };
}

scenario('an organisation begins with a team', withTeams, async (world) => {
  await people(world, 'Ada');
  await found(world);
  await session(world, 'Ada', 'both are active');
  await get(world, 'its teams', 'list-teams');
  await get(world, 'in full', 'get-full-organization');
  await get(world, 'its people', 'list-team-members');
  await world.rows('what is kept', 'team', 'teamMember', 'session');
});

scenario('an organisation begins without a team', organizations({ teams: { enabled: true, defaultTeam: { enabled: false } } }), async (world) => {
  await people(world, 'Ada');
  await found(world);
  await session(world, 'Ada', 'no team is active');
  await get(world, 'its teams', 'list-teams');
  await get(world, 'no people', 'list-team-members');
  const red = await team(world, 'Red');
  await post(world, 'not one of them', 'set-active-team', { teamId: red });
  await world.rows('what is kept', 'team', 'teamMember', 'session');
});

scenario('teams where there are none', plain, async (world) => {
  await people(world, 'Ada');
  await found(world);
  await session(world, 'Ada', 'no word of teams');
  await post(world, 'an invitation into a team', 'invite-member', { email: 'eve@example.com', role: 'member', teamId: 'x' });
  await world.rows('what is kept', 'session');
});

scenario('teams are made, listed and renamed', withTeams, async (world) => {
  const { acme, red } = await company(world);
  await each(world, post, [
    ['create-team', { name: 'Green' }], ['create-team', { name: 'Green' }], ['create-team', { name: '' }], ['create-team', { name: 5 }], ['create-team', {}],
    ['create-team', { name: 'X', organizationId: 'nothing' }],
  ]);
  await team(world, 'Named', { organizationId: acme });
  await team(world, 'Bobs', {}, 'Bob');
  await team(world, 'Carls', {}, 'Carl');
  for (const jar of ['Ada', 'Carl']) await get(world, `listed for ${jar}`, 'list-teams', {}, jar);
  await get(world, 'listed by id', 'list-teams', { organizationId: acme });
  await get(world, 'listed elsewhere', 'list-teams', { organizationId: 'nothing' });
  const update = (what, data, jar, teamId = red) => post(world, what, 'update-team', { teamId, data }, jar);
  await update('a name', { name: 'Crimson' });
  await update('by an admin', { name: 'Scarlet' }, 'Bob');
  await update('by a member', { name: 'Pink' }, 'Carl');
  await update('an unknown one', { name: 'Pink' }, 'Ada', 'nothing');
  await update('an empty name', { name: '' });
  await update('a number', { name: 5 });
  await update('what nobody changes', { name: 'Ruby', id: 'mine', createdAt: '2020-01-01T00:00:00.000Z', memberCount: 50 });
  await get(world, 'in full', 'get-full-organization');
  await world.rows('what is kept', 'team');
});

scenario('a team is given nothing to change', withTeams, async (world) => {
  const { red } = await company(world);
  await post(world, 'nothing', 'update-team', { teamId: red, data: {} });
});

scenario('a team does not move to another organisation', withTeams, async (world) => {
  const { red } = await company(world);
  const other = await found(world, 'Other');
  await post(world, 'moved', 'update-team', { teamId: red, data: { name: 'Moved', organizationId: other } });
  await get(world, 'the teams of the other', 'list-teams', { organizationId: other });
});

scenario('teams are removed', withTeams, async (world) => {
  const { acme, users, red, blue } = await company(world);
  await post(world, 'somebody in it', 'add-team-member', { teamId: red, userId: users.Carl });
  await post(world, 'active', 'set-active-team', { teamId: red }, 'Carl');
  await invite(world, 'Eve', { teamId: red });
  await invite(world, 'Fay', { teamId: [red, blue] });
  await post(world, 'by a member', 'remove-team', { teamId: red }, 'Carl');
  await post(world, 'an unknown one', 'remove-team', { teamId: 'nothing' });
  await post(world, 'by an admin', 'remove-team', { teamId: red, organizationId: acme }, 'Bob');
  await post(world, 'again', 'remove-team', { teamId: red });
  await get(world, 'invitations lost it', 'list-invitations');
  const teams = await get(world, 'what is left', 'list-teams');
  const first = (side) => teams[side].json?.[0]?.id;
  await post(world, 'her active one', 'remove-team', { teamId: first });
  await post(world, 'the other', 'remove-team', { teamId: blue });
  await post(world, 'none is active', 'set-active-team', { teamId: null });
  await post(world, 'the last one', 'remove-team', { teamId: first });
  await world.rows('what is left', 'team', 'teamMember', 'invitation');
});

scenario('what is left to a member of a team that was removed', withTeams, async (world) => {
  const { users, red } = await company(world);
  await post(world, 'somebody in it', 'add-team-member', { teamId: red, userId: users.Carl });
  await post(world, 'active', 'set-active-team', { teamId: red }, 'Carl');
  await post(world, 'removed', 'remove-team', { teamId: red });
  await session(world, 'Carl', 'what is active');
  await get(world, 'its people', 'list-team-members', {}, 'Carl');
  await world.rows('what is left', 'session');
});

scenario('the last team can go where it may', organizations({ teams: { enabled: true, allowRemovingAllTeams: true } }), async (world) => {
  await people(world, 'Ada');
  await found(world);
  const teams = await get(world, 'the first', 'list-teams');
  await post(world, 'none is active', 'set-active-team', { teamId: null });
  await post(world, 'the last one', 'remove-team', { teamId: (side) => teams[side].json?.[0]?.id });
  await get(world, 'none is left', 'list-teams');
});

scenario('a team is chosen', withTeams, async (world) => {
  const { users, red, blue } = await company(world);
  await post(world, 'not one of them', 'set-active-team', { teamId: red });
  await post(world, 'in', 'add-team-member', { teamId: red, userId: users.Ada });
  await post(world, 'one of them', 'set-active-team', { teamId: red });
  await session(world, 'Ada', 'it is active');
  await post(world, 'an unknown one', 'set-active-team', { teamId: 'nothing' });
  await post(world, 'nothing said', 'set-active-team', {});
  await post(world, 'none', 'set-active-team', { teamId: null });
  await session(world, 'Ada', 'none is active');
  await post(world, 'nothing said, where none is', 'set-active-team', {});
  await post(world, 'a stranger’s', 'set-active-team', { teamId: blue }, 'Carl');
  await world.rows('what is kept', 'session');
});

scenario('a team of another organisation is not active', withTeams, async (world) => {
  await people(world, 'Ada');
  const acme = await found(world);
  await session(world, 'Ada', 'hers');
  await found(world, 'Other', { keepCurrentActiveOrganization: true });
  await session(world, 'Ada', 'still hers');
  const teams = await get(world, 'all of hers', 'list-user-teams');
  await post(world, 'one of the other', 'set-active-team', { teamId: (side) => teams[side].json?.[1]?.id });
  await post(world, 'the other', 'set-active', { organizationSlug: 'other' });
  await session(world, 'Ada', 'the team of before is not');
  await post(world, 'back', 'set-active', { organizationId: acme });
  await session(world, 'Ada', 'the organisation of before');
  await post(world, 'none', 'set-active', { organizationId: null });
  await session(world, 'Ada', 'nothing is');
});

scenario('people in teams', withTeams, async (world) => {
  const { acme, users, red, blue } = await company(world);
  Object.assign(users, await people(world, 'Mallory'));
  const add = (what, json, jar) => post(world, what, 'add-team-member', { teamId: red, ...json }, jar);
  await add('by an owner', { userId: users.Carl });
  await add('again', { userId: users.Carl });
  await add('by an admin', { userId: users.Bob, organizationId: acme }, 'Bob');
  await add('by a member', { userId: users.Carl, teamId: blue }, 'Carl');
  await add('a stranger', { userId: users.Mallory });
  await add('nobody', { userId: 'nobody' });
  await add('into nothing', { userId: users.Carl, teamId: 'nothing' });
  await add('by a stranger', { userId: users.Mallory, organizationId: acme }, 'Mallory');
  for (const jar of ['Carl', 'Bob', 'Ada']) await get(world, `the people of red for ${jar}`, 'list-team-members', { teamId: red }, jar);
  await get(world, 'the people of nothing', 'list-team-members', { teamId: 'nothing' });
  await get(world, 'none is active', 'list-team-members', {}, 'Carl');
  await post(world, 'active', 'set-active-team', { teamId: red }, 'Carl');
  await get(world, 'of the active one', 'list-team-members', {}, 'Carl');
  for (const jar of ['Ada', 'Carl']) {
    await get(world, `the teams of ${jar}`, 'list-user-teams', {}, jar);
    await get(world, `the teams of Bob for ${jar}`, 'list-user-teams', { userId: users.Bob }, jar);
    await get(world, `the teams of ${jar} by name`, 'list-user-teams', { userId: users[jar] }, jar);
  }
  await get(world, 'the teams of Carl, here', 'list-user-teams', { userId: users.Carl, organizationId: acme });
  await get(world, 'the teams of a stranger', 'list-user-teams', { userId: users.Mallory });
  const remove = (what, json, jar) => post(world, what, 'remove-team-member', { teamId: red, ...json }, jar);
  await remove('by a member', { userId: users.Bob }, 'Carl');
  await remove('one who is not in', { userId: users.Ada });
  await remove('a stranger', { userId: users.Mallory });
  await remove('from nothing', { userId: users.Carl, teamId: 'nothing' });
  await remove('by an admin', { userId: users.Carl }, 'Bob');
  await remove('again', { userId: users.Carl });
  await get(world, 'in full', 'get-full-organization');
  await world.rows('what is kept', 'team', 'teamMember');
});

scenario('what is left to somebody who was taken out of a team', withTeams, async (world) => {
  const { users, red } = await company(world);
  await post(world, 'in', 'add-team-member', { teamId: red, userId: users.Carl });
  await post(world, 'active', 'set-active-team', { teamId: red }, 'Carl');
  await post(world, 'out', 'remove-team-member', { teamId: red, userId: users.Carl });
  await session(world, 'Carl', 'what is active');
  await get(world, 'its people', 'list-team-members', {}, 'Carl');
});

scenario('who leaves an organisation leaves its teams', withTeams, async (world) => {
  const { acme, users, red, blue } = await company(world);
  for (const [teamId, name] of [[red, 'Carl'], [blue, 'Carl'], [red, 'Bob']]) await post(world, `${name} in a team`, 'add-team-member', { teamId, userId: users[name] });
  await post(world, 'active', 'set-active-team', { teamId: red }, 'Bob');
  await post(world, 'active', 'set-active-team', { teamId: red }, 'Carl');
  await post(world, 'one leaves', 'leave', { organizationId: acme }, 'Carl');
  await session(world, 'Carl', 'what is active for him');
  await post(world, 'one is removed', 'remove-member', { memberIdOrEmail: 'bob@example.com' });
  await world.rows('what is left', 'team', 'teamMember');
});

scenario('invitations into teams', withTeams, async (world) => {
  const { red, blue } = await company(world);
  await people(world, 'Dora', 'Eve', 'Fay');
  await each(world, post, [
    ['invite-member', { email: 'x@example.com', role: 'member', teamId: 'nothing' }], ['invite-member', { email: 'x@example.com', role: 'member', teamId: 'a,b' }],
    ['invite-member', { email: 'x@example.com', role: 'member', teamId: ['nothing', 'nowhere'] }], ['invite-member', { email: 'x@example.com', role: 'member', teamId: 5 }],
    ['invite-member', { email: 'y@example.com', role: 'member', teamId: [] }],
  ]);
  const one = await invite(world, 'Dora', { teamId: red });
  const two = await invite(world, 'Eve', { teamId: [red, blue] });
  const none = await invite(world, 'Fay');
  for (const [name, invitationId] of [['Dora', one], ['Eve', two], ['Fay', none]]) {
    await get(world, `${name} reads`, 'get-invitation', { id: invitationId }, name);
    await post(world, `${name} accepts`, 'accept-invitation', { invitationId }, name);
    await session(world, name, `what is active for ${name}`);
    // Eve came into two at one moment, of which neither is the first.
    if (name !== 'Eve') await get(world, `the teams of ${name}`, 'list-user-teams', {}, name);
  }
  await get(world, 'in full', 'get-full-organization');
  await world.rows('what is kept', 'team', 'invitation');
});

scenario('an invitation into a team without a name', withTeams, async (world) => {
  await company(world);
  await post(world, 'invited', 'invite-member', { email: 'x@example.com', role: 'member', teamId: '' });
});

scenario('an invitation into a team that is gone', withTeams, async (world) => {
  const { red } = await company(world);
  await people(world, 'Dora');
  const invitationId = await invite(world, 'Dora', { teamId: red });
  await post(world, 'gone', 'remove-team', { teamId: red });
  await post(world, 'accepts', 'accept-invitation', { invitationId }, 'Dora');
  await session(world, 'Dora', 'what is active for her');
});

scenario('a limit for teams', organizations({ teams: { enabled: true, maximumTeams: 2 } }), async (world) => {
  await people(world, 'Ada');
  await found(world);
  await team(world, 'Second');
  await post(world, 'one too many', 'create-team', { name: 'Third' });
});

scenario('a limit for the people of a team', organizations({ teams: { enabled: true, maximumMembersPerTeam: 2 } }), async (world) => {
  const { users, red } = await company(world);
  await people(world, 'Dora', 'Eve');
  const invitationId = await invite(world, 'Dora', { teamId: red });
  await post(world, 'one', 'add-team-member', { teamId: red, userId: users.Bob });
  await post(world, 'two', 'add-team-member', { teamId: red, userId: users.Carl });
  await post(world, 'three', 'add-team-member', { teamId: red, userId: users.Ada });
  await post(world, 'one who is in', 'add-team-member', { teamId: red, userId: users.Carl });
  await post(world, 'an invitation into it', 'invite-member', { email: 'eve@example.com', role: 'member', teamId: red });
  await post(world, 'an invitation from before', 'accept-invitation', { invitationId }, 'Dora');
  await world.rows('what is kept', 'team', 'teamMember', 'member', 'invitation');
});
