// Every route for those who may not: nobody, a stranger, a plain member, and whoever names what belongs to others.

import { scenario } from '../suite.mjs';
import { each, found, get, invite, join, people, plain, post, withEverything } from './company.mjs';
import { gets, posts, roleGets, rolePosts, teamGets, teamPosts } from './routes.mjs';

/** Acme: Ada, who owns it, Carl, a member, an invitation for Dora; and Mallory, who owns another one. */
async function company(world) {
  const users = await people(world, 'Ada', 'Carl', 'Mallory');
  const organizationId = await found(world);
  await join(world, 'Carl');
  const members = await get(world, 'the members', 'list-members');
  const evil = await found(world, 'Evil', {}, 'Mallory');
  const memberId = (side) => members[side].json?.members[0].id;
  return { organizationId, memberId, evil, invitationId: await invite(world, 'Dora'), userId: users.Ada, users };
}

/** The same, with a team and a role. */
async function largeCompany(world) {
  const company_ = await company(world);
  const team = await post(world, 'a team', 'create-team', { name: 'Rockets' });
  const role = await post(world, 'a role', 'create-role', { role: 'pilot', permission: { team: ['update'] } });
  return { ...company_, teamId: (side) => team[side].json?.id, roleId: (side) => role[side].json?.roleData?.id };
}

for (const [who, jar] of [['nobody', null], ['a stranger', 'Mallory'], ['a plain member', 'Carl']]) {
  scenario(`every route of organisations, asked by ${who}`, plain, async (world) => {
    const ids = await company(world);
    await each(world, get, gets(ids), jar);
    await each(world, post, posts(ids), jar);
    await world.rows('what is left', 'organization', 'member', 'session', 'invitation');
  });

  scenario(`every route of teams and roles, asked by ${who}`, withEverything, async (world) => {
    const ids = await largeCompany(world);
    await each(world, get, [...teamGets(ids), ...roleGets(ids)], jar);
    await each(world, post, [...teamPosts(ids), ...rolePosts(ids)], jar);
    await world.rows('what is left', 'team', 'teamMember', 'organizationRole', 'session');
  });
}

scenario('an owner who names what belongs to another organisation', withEverything, async (world) => {
  const ids = await largeCompany(world);
  const forged = { ...ids, organizationId: ids.evil };
  // Of these the organisation is hers, and what is in it is not.
  const aimed = (routes) => routes(forged).filter(([, given]) => Object.values(given).some((value) => typeof value === 'function' && value !== ids.evil));
  await each(world, get, [gets, teamGets, roleGets].flatMap(aimed), 'Mallory');
  await each(world, post, [posts, teamPosts, rolePosts].flatMap(aimed), 'Mallory');
  await post(world, 'a stranger in her team', 'invite-member', { email: 'eve@example.com', role: 'member', teamId: ids.teamId }, 'Mallory');
  await world.rows('what is left', 'organization', 'member', 'team', 'teamMember', 'organizationRole', 'session', 'invitation');
});

scenario('routes of organisations that are given nothing', withEverything, async (world) => {
  const ids = await largeCompany(world);
  for (const routes of [posts, teamPosts, rolePosts]) {
    await each(world, post, routes(ids).map(([route]) => [route, {}]));
  }
  for (const routes of [gets, teamGets, roleGets]) {
    await each(world, get, routes(ids).map(([route]) => [route, {}]));
  }
});

scenario('routes of organisations that are given something else', withEverything, async (world) => {
  const ids = await largeCompany(world);
  const wrong = (value) => (typeof value === 'object' && !Array.isArray(value) ? 'x' : 5);
  for (const routes of [posts, teamPosts, rolePosts]) {
    const bodies = routes(ids).map(([route, given]) => [route, Object.fromEntries(Object.entries(given).map(([key, value]) => [key, wrong(value)]))]);
    await each(world, post, bodies);
  }
});

scenario('routes that need an active organisation, where none is', withEverything, async (world) => {
  const ids = await largeCompany(world);
  await post(world, 'none is active', 'set-active', { organizationId: null });
  const { organizationId: _, ...rest } = ids;
  const unnamed = (routes) => routes(rest).map(([route, { organizationId: _, ...given }]) => [route, given]).filter(([route]) => !['create', 'delete', 'leave'].includes(route));
  await each(world, get, [gets, teamGets, roleGets].flatMap(unnamed));
  await each(world, post, [posts, teamPosts, rolePosts].flatMap(unnamed));
});

scenario('routes of organisations about what there is not', withEverything, async (world) => {
  const ids = await largeCompany(world);
  const nothing = { ...ids, memberId: 'nothing', invitationId: 'nothing', teamId: 'nothing', roleId: 'nothing', userId: 'nothing' };
  await each(world, get, [gets, teamGets, roleGets].flatMap((routes) => routes(nothing)));
  const keep = ([route]) => !['create', 'leave', 'delete'].includes(route);
  await each(world, post, [posts, teamPosts, rolePosts].flatMap((routes) => routes(nothing)).filter(keep));
  const nowhere = { ...ids, organizationId: 'nothing' };
  await each(world, get, [gets, teamGets, roleGets].flatMap((routes) => routes(nowhere)));
  await each(world, post, [posts, rolePosts].flatMap((routes) => routes(nowhere)).filter(([route]) => route !== 'create'));
});
