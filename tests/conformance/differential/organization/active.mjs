// Which organisation is active, in the copy that a cookie carries and after a sign-in.

import { session, signIn } from '../accounts.mjs';
import { scenario } from '../suite.mjs';
import { found, get, invite, join, organizations, people, plain, post } from './company.mjs';

const cached = organizations({}, { options: { session: { cookieCache: { enabled: true } } } });
const cachedTeams = organizations({ teams: { enabled: true } }, { options: { session: { cookieCache: { enabled: true } } } });

scenario('the copy in a cookie knows which organisation is active', cached, async (world) => {
  await people(world, 'Ada', 'Bob');
  const acme = await found(world);
  await session(world, 'Ada', 'founded');
  await post(world, 'chosen', 'set-active', { organizationId: acme });
  await session(world, 'Ada', 'chosen');
  const invitationId = await invite(world, 'Bob', { organizationId: acme });
  await post(world, 'accepted', 'accept-invitation', { invitationId }, 'Bob');
  await session(world, 'Bob', 'accepted');
  await post(world, 'left', 'leave', { organizationId: acme }, 'Bob');
  await session(world, 'Bob', 'left');
  await post(world, 'deleted', 'delete', { organizationId: acme });
  await session(world, 'Ada', 'deleted');
});

scenario('the copy in a cookie of somebody who removes themselves', cached, async (world) => {
  await people(world, 'Ada', 'Bob');
  const acme = await found(world);
  const bob = await join(world, 'Bob', { role: 'admin', organizationId: acme });
  await post(world, 'removed', 'remove-member', { memberIdOrEmail: bob, organizationId: acme }, 'Bob');
  await session(world, 'Bob', 'removed');
});

scenario('the copy in a cookie knows which team is active', cachedTeams, async (world) => {
  await people(world, 'Ada', 'Bob');
  const acme = await found(world);
  await session(world, 'Ada', 'founded');
  await post(world, 'chosen', 'set-active', { organizationId: acme });
  const teams = await get(world, 'the teams', 'list-teams');
  const teamId = (side) => teams[side].json?.[0]?.id;
  await post(world, 'none', 'set-active-team', { teamId: null });
  await session(world, 'Ada', 'none');
  await post(world, 'the first', 'set-active-team', { teamId });
  await session(world, 'Ada', 'the first');
  const invitationId = await invite(world, 'Bob', { teamId });
  await post(world, 'accepted', 'accept-invitation', { invitationId }, 'Bob');
  await session(world, 'Bob', 'accepted');
});

scenario('the organisation of before is active after a sign-in', plain, async (world) => {
  await people(world, 'Ada');
  const acme = await found(world);
  await world.send('out', { path: '/sign-out', json: {}, jar: 'Ada' });
  await signIn(world, 'Ada');
  await session(world, 'Ada', 'in again');
  await get(world, 'the active one', 'get-organization');
  await post(world, 'chosen', 'set-active', { organizationId: acme });
});

scenario('no organisation is active after a sign-in of somebody who has none', plain, async (world) => {
  await people(world, 'Ada', 'Bob');
  const acme = await found(world);
  const bob = await join(world, 'Bob');
  await world.send('out', { path: '/sign-out', json: {}, jar: 'Bob' });
  await post(world, 'removed', 'remove-member', { memberIdOrEmail: bob });
  await signIn(world, 'Bob');
  await session(world, 'Bob', 'in again');
  await post(world, 'none', 'set-active', { organizationId: null });
  await world.send('out', { path: '/sign-out', json: {}, jar: 'Ada' });
  await signIn(world, 'Ada');
  await session(world, 'Ada', 'none was chosen');
  await post(world, 'deleted', 'delete', { organizationId: acme });
});

scenario('two sessions have an active organisation each', plain, async (world) => {
  await people(world, 'Ada');
  await found(world);
  const other = await found(world, 'Other');
  await signIn(world, 'Ada', {}, 'phone');
  await post(world, 'on the phone', 'set-active', { organizationId: other }, 'phone');
  await post(world, 'on the laptop', 'set-active', { organizationSlug: 'acme' });
  await session(world, 'phone', 'the phone');
  await session(world, 'Ada', 'the laptop');
});

scenario('nobody chooses an organisation by a session’s own fields', plain, async (world) => {
  await people(world, 'Ada', 'Mallory');
  const acme = await found(world);
  for (const key of ['activeOrganizationId', 'activeTeamId']) {
    await world.send(`${key} at update-session`, (side) => ({ path: '/update-session', json: { [key]: acme(side) }, jar: 'Mallory' }));
    await world.send(`${key} at update-user`, (side) => ({ path: '/update-user', json: { [key]: acme(side) }, jar: 'Mallory' }));
  }
  await session(world, 'Mallory', 'none is');
});
