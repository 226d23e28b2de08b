// What an app is told, and in which order.

import { scenario } from '../suite.mjs';
import { found, get, invite, join, organizations, people, post } from './company.mjs';

const told = organizations({ teams: { enabled: true } }, { callbacks: ['organizationHooks'] });

scenario('an app hears of what happens to organisations', told, async (world) => {
  await people(world, 'Ada');
  const acme = await found(world);
  await world.mails('founded');
  await post(world, 'changed', 'update', { data: { name: 'Acme & Co' } });
  await world.mails('changed');
  await post(world, 'chosen', 'set-active', { organizationId: acme });
  await world.mails('chosen');
  await post(world, 'refused', 'update', { data: { name: '' } });
  await world.mails('refused');
  await post(world, 'deleted', 'delete', { organizationId: acme });
  await world.mails('deleted');
});

scenario('an app hears of what happens to invitations', told, async (world) => {
  await people(world, 'Ada', 'Bob', 'Carl');
  await found(world);
  await world.mails('founded');
  const first = await invite(world, 'Bob');
  await world.mails('invited');
  await post(world, 'sent again', 'invite-member', { email: 'bob@example.com', role: 'member', resend: true });
  await world.mails('sent again');
  await post(world, 'accepted', 'accept-invitation', { invitationId: first }, 'Bob');
  await world.mails('accepted');
  const second = await invite(world, 'Carl');
  await post(world, 'rejected', 'reject-invitation', { invitationId: second }, 'Carl');
  await world.mails('rejected');
  const third = await invite(world, 'Carl');
  await post(world, 'taken back', 'cancel-invitation', { invitationId: third });
  await world.mails('taken back');
});

scenario('an app hears of what happens to members', told, async (world) => {
  await people(world, 'Ada', 'Bob');
  await found(world);
  const bob = await join(world, 'Bob');
  await world.mails('joined');
  await post(world, 'a role', 'update-member-role', { memberId: bob, role: 'admin' });
  await world.mails('a role');
  await post(world, 'removed', 'remove-member', { memberIdOrEmail: bob });
  await world.mails('removed');
});

scenario('an app hears of somebody who leaves', told, async (world) => {
  await people(world, 'Ada', 'Bob');
  const acme = await found(world);
  await join(world, 'Bob');
  await world.mails('joined');
  await post(world, 'left', 'leave', { organizationId: acme }, 'Bob');
  await world.mails('left');
});

scenario('an app hears of what happens to teams', told, async (world) => {
  const users = await people(world, 'Ada', 'Bob');
  await found(world);
  await join(world, 'Bob');
  await world.mails('before');
  const red = await post(world, 'made', 'create-team', { name: 'Red' });
  const teamId = (side) => red[side].json?.id;
  await world.mails('made');
  await post(world, 'renamed', 'update-team', { teamId, data: { name: 'Crimson' } });
  await world.mails('renamed');
  await post(world, 'somebody in', 'add-team-member', { teamId, userId: users.Bob });
  await world.mails('somebody in');
  await post(world, 'somebody in again', 'add-team-member', { teamId, userId: users.Bob });
  await world.mails('somebody in again');
  await post(world, 'somebody out', 'remove-team-member', { teamId, userId: users.Bob });
  await world.mails('somebody out');
  await post(world, 'gone', 'remove-team', { teamId });
  await world.mails('gone');
  await get(world, 'what is left', 'list-teams');
});
