// Inviting, and what becomes of invitations.

import { session } from '../accounts.mjs';
import { scenario } from '../suite.mjs';
import { each, found, get, invite, join, organizations, people, plain, post, prove } from './company.mjs';

scenario('somebody invites', plain, async (world) => {
  await people(world, 'Ada', 'Bob');
  const acme = await found(world);
  await each(world, post, [
    ['invite-member', { email: 'nobody', role: 'member' }], ['invite-member', { email: '', role: 'member' }], ['invite-member', { email: 'eve@example.com', role: '' }],
    ['invite-member', { email: 'eve@example.com', role: [] }], ['invite-member', { email: 'eve@example.com', role: ['member', ''] }],
    ['invite-member', { email: 'eve@example.com', role: 'king' }], ['invite-member', { email: 'eve@example.com', role: ['member', 'king'] }],
    ['invite-member', { email: 'eve@example.com', role: 5 }], ['invite-member', { email: 'eve@example.com', role: 'member', organizationId: 'nothing' }],
    ['invite-member', { email: 'ada@example.com', role: 'member' }], ['invite-member', { email: 'ADA@example.com', role: 'member' }],
  ]);
  await world.mails('nobody was told');
  await post(world, 'a member', 'invite-member', { email: 'Eve@Example.com', role: 'member' });
  await world.mails('she is told');
  await post(world, 'the same again', 'invite-member', { email: 'eve@example.com', role: 'admin' });
  await post(world, 'several roles', 'invite-member', { email: 'dora@example.com', role: ['member', 'admin'] });
  await post(world, 'several roles in one', 'invite-member', { email: 'fay@example.com', role: 'member,admin' });
  await post(world, 'padded', 'invite-member', { email: 'gil@example.com', role: ' member ' });
  await post(world, 'twice the same', 'invite-member', { email: 'hal@example.com', role: ['member', 'member'] });
  await post(world, 'an owner', 'invite-member', { email: 'ida@example.com', role: 'owner' });
  await world.mails('they are told');
  await join(world, 'Bob', { role: 'admin' });
  await post(world, 'a member already', 'invite-member', { email: 'bob@example.com', role: 'member' });
  await post(world, 'by an admin', 'invite-member', { email: 'jim@example.com', role: 'admin' }, 'Bob');
  await post(world, 'an owner, by an admin', 'invite-member', { email: 'kim@example.com', role: 'owner' }, 'Bob');
  await post(world, 'an owner among others, by an admin', 'invite-member', { email: 'kim@example.com', role: ['member', 'owner'] }, 'Bob');
  await get(world, 'what an owner sees', 'list-invitations', { organizationId: acme });
  await get(world, 'what an admin sees', 'list-invitations', {}, 'Bob');
  await get(world, 'what an admin sees of it all', 'get-full-organization', {}, 'Bob');
  await world.rows('what is kept', 'invitation');
});

scenario('an invitation is sent again', plain, async (world) => {
  await people(world, 'Ada');
  await found(world);
  await post(world, 'sent', 'invite-member', { email: 'eve@example.com', role: 'member' });
  await world.advance(3600);
  await post(world, 'sent again', 'invite-member', { email: 'eve@example.com', role: 'admin', resend: true });
  await world.mails('two mails');
  await post(world, 'sent for the first time as if again', 'invite-member', { email: 'dora@example.com', role: 'member', resend: true });
  await post(world, 'not again', 'invite-member', { email: 'dora@example.com', role: 'member', resend: false });
  await post(world, 'a text for a yes', 'invite-member', { email: 'dora@example.com', role: 'member', resend: 'yes' });
  await world.mails('one mail');
  await world.rows('what is kept', 'invitation');
});

scenario('an invitation takes the place of another', organizations({ cancelPendingInvitationsOnReInvite: true }), async (world) => {
  await people(world, 'Ada');
  await found(world);
  await invite(world, 'Eve');
  await post(world, 'again', 'invite-member', { email: 'eve@example.com', role: 'admin' });
  await post(world, 'sent again', 'invite-member', { email: 'eve@example.com', role: 'admin', resend: true });
  await get(world, 'listed', 'list-invitations');
  await world.mails('mails');
});

scenario('an invitation is accepted', plain, async (world) => {
  await people(world, 'Ada', 'Bob', 'Mallory');
  await found(world);
  const invitationId = await invite(world, 'Bob', { role: ['member', 'admin'] });
  await get(world, 'read by whom it is for', 'get-invitation', { id: invitationId }, 'Bob');
  await get(world, 'read by another', 'get-invitation', { id: invitationId }, 'Mallory');
  await get(world, 'read by whom it is from', 'get-invitation', { id: invitationId });
  await post(world, 'by another', 'accept-invitation', { invitationId }, 'Mallory');
  await post(world, 'by whom it is from', 'accept-invitation', { invitationId });
  await post(world, 'by whom it is for', 'accept-invitation', { invitationId }, 'Bob');
  await session(world, 'Bob', 'it is active');
  await post(world, 'twice', 'accept-invitation', { invitationId }, 'Bob');
  await post(world, 'rejected after that', 'reject-invitation', { invitationId }, 'Bob');
  await get(world, 'read after that', 'get-invitation', { id: invitationId }, 'Bob');
  await get(world, 'he is a member', 'get-active-member', {}, 'Bob');
  await get(world, 'in full', 'get-full-organization');
  await world.rows('what is kept', 'invitation', 'member', 'session');
});

scenario('an invitation is rejected', plain, async (world) => {
  await people(world, 'Ada', 'Bob', 'Mallory');
  await found(world);
  const invitationId = await invite(world, 'Bob');
  await post(world, 'by another', 'reject-invitation', { invitationId }, 'Mallory');
  await post(world, 'by whom it is for', 'reject-invitation', { invitationId }, 'Bob');
  await post(world, 'twice', 'reject-invitation', { invitationId }, 'Bob');
  await post(world, 'accepted after that', 'accept-invitation', { invitationId }, 'Bob');
  await get(world, 'read after that', 'get-invitation', { id: invitationId }, 'Bob');
  await post(world, 'invited anew', 'invite-member', { email: 'bob@example.com', role: 'member' });
  await get(world, 'listed', 'list-invitations');
  await world.rows('what is kept', 'invitation', 'member');
});

scenario('an invitation is taken back', plain, async (world) => {
  await people(world, 'Ada', 'Bob', 'Carl', 'Mallory');
  await found(world);
  await found(world, 'Evil', {}, 'Mallory');
  const admin = await invite(world, 'Bob', { role: 'admin' });
  await post(world, 'he accepts', 'accept-invitation', { invitationId: admin }, 'Bob');
  await join(world, 'Carl');
  const invitationId = await invite(world, 'Eve');
  const owner = await invite(world, 'Ida', { role: 'owner' });
  await post(world, 'by a stranger', 'cancel-invitation', { invitationId }, 'Mallory');
  await post(world, 'by a member', 'cancel-invitation', { invitationId }, 'Carl');
  await post(world, 'by an admin', 'cancel-invitation', { invitationId }, 'Bob');
  await post(world, 'again', 'cancel-invitation', { invitationId });
  await post(world, 'an unknown one', 'cancel-invitation', { invitationId: 'nothing' });
  await post(world, 'an owner’s by an admin', 'cancel-invitation', { invitationId: owner }, 'Bob');
  await post(world, 'invited anew', 'invite-member', { email: 'eve@example.com', role: 'member' });
  await get(world, 'listed', 'list-invitations');
  await world.rows('what is kept', 'invitation');
});

scenario('an invitation that was accepted is taken back', plain, async (world) => {
  await people(world, 'Ada', 'Bob');
  await found(world);
  const invitationId = await invite(world, 'Bob');
  await post(world, 'he accepts', 'accept-invitation', { invitationId }, 'Bob');
  await post(world, 'taken back', 'cancel-invitation', { invitationId });
  await get(world, 'he is a member', 'get-active-member', {}, 'Bob');
});

scenario('an invitation ends', plain, async (world) => {
  await people(world, 'Ada', 'Bob', 'Carl');
  await found(world);
  const invitationId = await invite(world, 'Bob');
  const second = await invite(world, 'Carl');
  await world.advance(172_797);
  await get(world, 'almost over', 'get-invitation', { id: invitationId }, 'Bob');
  await world.advance(3);
  await get(world, 'over', 'get-invitation', { id: invitationId }, 'Bob');
  await post(world, 'accepted too late', 'accept-invitation', { invitationId }, 'Bob');
  await post(world, 'rejected too late', 'reject-invitation', { invitationId }, 'Bob');
  await post(world, 'invited anew', 'invite-member', { email: 'carl@example.com', role: 'member' });
  await post(world, 'sent again', 'invite-member', { email: 'bob@example.com', role: 'member', resend: true });
  await post(world, 'the one that is over', 'accept-invitation', { invitationId: second }, 'Carl');
  await get(world, 'listed', 'list-invitations');
});

scenario('how long an invitation lives', organizations({ invitationExpiresIn: 60 }), async (world) => {
  await people(world, 'Ada', 'Bob');
  await found(world);
  const invitationId = await invite(world, 'Bob');
  await world.advance(61);
  await post(world, 'too late', 'accept-invitation', { invitationId }, 'Bob');
});

scenario('an invitation from somebody who is gone', plain, async (world) => {
  await people(world, 'Ada', 'Bob', 'Carl');
  const acme = await found(world);
  await join(world, 'Bob', { role: 'admin' });
  const invitationId = await invite(world, 'Carl', {}, 'Bob');
  await post(world, 'he leaves', 'leave', { organizationId: acme }, 'Bob');
  await get(world, 'read', 'get-invitation', { id: invitationId }, 'Carl');
  await post(world, 'accepted', 'accept-invitation', { invitationId }, 'Carl');
});

scenario('an invitation to what was deleted', plain, async (world) => {
  await people(world, 'Ada', 'Bob');
  const acme = await found(world);
  const invitationId = await invite(world, 'Bob');
  await post(world, 'deleted', 'delete', { organizationId: acme });
  await get(world, 'read', 'get-invitation', { id: invitationId }, 'Bob');
  await post(world, 'accepted', 'accept-invitation', { invitationId }, 'Bob');
});

scenario('the invitations that somebody has', plain, async (world) => {
  await people(world, 'Ada', 'Bob');
  await found(world);
  await invite(world, 'Bob');
  await found(world, 'Other');
  const other = await invite(world, 'Bob', { role: 'admin' });
  await get(world, 'not proven', 'list-user-invitations', {}, 'Bob');
  await prove(world, 'Bob');
  await get(world, 'proven', 'list-user-invitations', {}, 'Bob');
  await get(world, 'those of another', 'list-user-invitations', { email: 'ada@example.com' }, 'Bob');
  await get(world, 'his own by name', 'list-user-invitations', { email: 'bob@example.com' }, 'Bob');
  await post(world, 'rejects one', 'reject-invitation', { invitationId: other }, 'Bob');
  await get(world, 'one is left', 'list-user-invitations', {}, 'Bob');
  await get(world, 'nobody', 'list-user-invitations', {}, null);
  await world.advance(172_800);
  await get(world, 'after their end', 'list-user-invitations', {}, 'Bob');
});

scenario('invitations for addresses that are proven', organizations({ requireEmailVerificationOnInvitation: true }), async (world) => {
  await people(world, 'Ada', 'Bob', 'Carl');
  await found(world);
  const [invitationId, second] = [await invite(world, 'Bob'), await invite(world, 'Carl')];
  await get(world, 'read', 'get-invitation', { id: invitationId }, 'Bob');
  await post(world, 'accepted', 'accept-invitation', { invitationId }, 'Bob');
  await post(world, 'rejected', 'reject-invitation', { invitationId: second }, 'Carl');
  await prove(world, 'Bob');
  await prove(world, 'Carl');
  await get(world, 'read, proven', 'get-invitation', { id: invitationId }, 'Bob');
  await post(world, 'accepted, proven', 'accept-invitation', { invitationId }, 'Bob');
  await post(world, 'rejected, proven', 'reject-invitation', { invitationId: second }, 'Carl');
});

scenario('a limit for invitations', organizations({ invitationLimit: 2 }), async (world) => {
  await people(world, 'Ada', 'Bob');
  await found(world);
  const invitationId = await invite(world, 'Bob');
  await invite(world, 'Carl');
  await post(world, 'one too many', 'invite-member', { email: 'dora@example.com', role: 'member' });
  await post(world, 'sent again', 'invite-member', { email: 'carl@example.com', role: 'member', resend: true });
  await post(world, 'one is accepted', 'accept-invitation', { invitationId }, 'Bob');
  await post(world, 'there is a place', 'invite-member', { email: 'dora@example.com', role: 'member' });
  await world.advance(172_801);
  await post(world, 'those that are over do not count', 'invite-member', { email: 'eve@example.com', role: 'member' });
});

scenario('a limit for members', organizations({ membershipLimit: 2 }), async (world) => {
  await people(world, 'Ada', 'Bob', 'Carl');
  await found(world);
  const second = await invite(world, 'Carl');
  await join(world, 'Bob');
  await post(world, 'one too many', 'accept-invitation', { invitationId: second }, 'Carl');
  await get(world, 'it is still there', 'list-invitations');
  await post(world, 'there is a place again', 'remove-member', { memberIdOrEmail: 'bob@example.com' });
  await post(world, 'for her', 'accept-invitation', { invitationId: second }, 'Carl');
});
