import assert from 'node:assert/strict';

import { flow, good, refused } from './stage.mjs';

const withOrganizations = { organization: {}, callbacks: ['sendInvitationEmail', 'sendVerificationEmail'] };

/** Ada with an organisation, and Bob without one. */
async function adaAndBob(stage) {
  const [ada, bob] = [stage.person('Ada'), stage.person('Bob')];
  await ada.signUp();
  const { user } = await bob.signUp();
  const acme = good(await ada.client.organization.create({ name: 'Acme', slug: 'acme', metadata: { plan: 'gold' } }));
  return { ada, bob, acme, userId: user.id };
}

/** The same, and Bob came. */
async function acme(stage, role = 'member') {
  const company = await adaAndBob(stage);
  const { id: invitationId } = good(await company.ada.client.organization.inviteMember({ email: 'bob@example.com', role }));
  await stage.mail('sendInvitationEmail');
  await stage.advance(1);
  const { member } = good(await company.bob.client.organization.acceptInvitation({ invitationId }));
  return { ...company, memberId: member.id };
}

flow('somebody founds an organisation, changes it and deletes it', withOrganizations, async (stage) => {
  const { ada, bob, acme } = await adaAndBob(stage);
  const { organization } = ada.client;
  assert.deepEqual([acme.metadata, acme.members[0].role], [{ plan: 'gold' }, 'owner']);
  assert.equal((await ada.session()).session.activeOrganizationId, acme.id);
  refused(await bob.client.organization.create({ name: 'Other', slug: 'acme' }), 400, 'ORGANIZATION_ALREADY_EXISTS');
  refused(await organization.checkSlug({ slug: 'acme' }), 400, 'ORGANIZATION_SLUG_ALREADY_TAKEN');
  good(await organization.checkSlug({ slug: 'free' }));
  const changed = good(await organization.update({ data: { name: 'Acme & Co', metadata: { plan: 'silver' } } }));
  assert.deepEqual([changed.name, changed.metadata], ['Acme & Co', { plan: 'silver' }]);
  refused(await bob.client.organization.update({ organizationId: acme.id, data: { name: 'Bobs' } }), 400, 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION');
  assert.equal(good(await organization.delete({ organizationId: acme.id })).id, acme.id);
  assert.deepEqual(good(await organization.list()), []);
});

flow('somebody chooses among organisations', withOrganizations, async (stage) => {
  const { ada, bob, acme } = await adaAndBob(stage);
  const { organization } = ada.client;
  await stage.advance(1);
  const other = good(await organization.create({ name: 'Other', slug: 'other' }));
  assert.deepEqual(good(await organization.list()).map(({ slug }) => slug), ['acme', 'other']);
  assert.equal(good(await organization.getOrganization()).id, other.id);
  assert.equal(good(await organization.setActive({ organizationSlug: 'acme' })).id, acme.id);
  assert.equal(good(await organization.getFullOrganization()).members[0].user.email, 'ada@example.com');
  assert.equal(good(await organization.setActive({ organizationId: null })), null);
  assert.equal((await ada.session()).session.activeOrganizationId, null);
  refused(await bob.client.organization.setActive({ organizationId: acme.id }), 403, 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION');
});

flow('somebody is invited and comes', withOrganizations, async (stage) => {
  const { ada, bob, acme } = await adaAndBob(stage);
  const invited = good(await ada.client.organization.inviteMember({ email: 'bob@example.com', role: ['member', 'admin'] }));
  const mail = await stage.mail('sendInvitationEmail');
  assert.deepEqual([mail.id, mail.to, mail.role], [invited.id, 'bob@example.com', 'member,admin']);
  refused(await ada.client.organization.inviteMember({ email: 'bob@example.com', role: 'member' }), 400, 'USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION');
  const read = good(await bob.client.organization.getInvitation({ query: { id: mail.id } }));
  assert.deepEqual([read.organizationName, read.organizationSlug, read.inviterEmail], ['Acme', 'acme', 'ada@example.com']);
  refused(await stage.person('Bob').client.organization.getInvitation({ query: { id: mail.id } }), 401, undefined);
  const { member } = good(await bob.client.organization.acceptInvitation({ invitationId: mail.id }));
  assert.equal(member.role, 'member,admin');
  assert.equal((await bob.session()).session.activeOrganizationId, acme.id);
  assert.deepEqual(good(await ada.client.organization.listInvitations()).map(({ status }) => status), ['accepted']);
});

flow('somebody is invited and does not come', withOrganizations, async (stage) => {
  const { ada, bob } = await adaAndBob(stage);
  const invite = async () => good(await ada.client.organization.inviteMember({ email: 'bob@example.com', role: 'member' })).id;
  refused(await bob.client.organization.listUserInvitations(), 403, 'EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION');
  const invitationId = await invite();
  await stage.engine.mails();
  good(await bob.client.sendVerificationEmail({ email: 'bob@example.com' }));
  await bob.open((await stage.mail('sendVerificationEmail')).url);
  assert.deepEqual(good(await bob.client.organization.listUserInvitations()).map(({ id, organizationName }) => [id, organizationName]), [[invitationId, 'Acme']]);
  assert.equal(good(await bob.client.organization.rejectInvitation({ invitationId })).invitation.status, 'rejected');
  const second = await invite();
  assert.equal(good(await ada.client.organization.cancelInvitation({ invitationId: second })).status, 'canceled');
  refused(await bob.client.organization.acceptInvitation({ invitationId: second }), 400, 'INVITATION_NOT_FOUND');
});

flow('members have roles, and go', withOrganizations, async (stage) => {
  const { ada, bob, acme: { id: organizationId }, memberId, userId } = await acme(stage);
  const { organization } = ada.client;
  assert.equal(good(await bob.client.organization.getActiveMember()).user.email, 'bob@example.com');
  assert.equal(good(await organization.getActiveMemberRole({ query: { userId } })).role, 'member');
  const page = good(await organization.listMembers({ query: { limit: 1, offset: 1, sortBy: 'createdAt', sortDirection: 'asc' } }));
  assert.deepEqual([page.total, page.members.map(({ user }) => user.name)], [2, ['Bob']]);
  refused(await bob.client.organization.updateMemberRole({ memberId, role: 'owner' }), 403, 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER');
  assert.equal(good(await organization.updateMemberRole({ memberId, role: ['admin'] })).role, 'admin');
  refused(await organization.leave({ organizationId }), 400, 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER');
  assert.equal(good(await organization.removeMember({ memberIdOrEmail: 'bob@example.com' })).member.id, memberId);
  refused(await bob.client.organization.listMembers({ query: { organizationId } }), 403, 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION');
});

flow('a member leaves, and nothing of the organisation is left to them', withOrganizations, async (stage) => {
  const { bob, acme: { id: organizationId } } = await acme(stage);
  good(await bob.client.organization.leave({ organizationId }));
  assert.equal((await bob.session()).session.activeOrganizationId, null);
  assert.deepEqual(good(await bob.client.organization.list()), []);
});

flow('whoever asks learns what they may do in an organisation', withOrganizations, async (stage) => {
  const { ada, bob } = await acme(stage);
  const permissions = { member: ['create'], invitation: ['cancel'] };
  assert.equal(good(await ada.client.organization.hasPermission({ permissions })).success, true);
  assert.equal(good(await bob.client.organization.hasPermission({ permissions })).success, false);
  assert.equal(ada.client.organization.checkRolePermission({ role: 'member', permissions }), false);
  assert.equal(ada.client.organization.checkRolePermission({ role: 'admin', permissions }), true);
});

flow('the client follows which organisation is active', { ...withOrganizations, options: { session: { cookieCache: { enabled: true } } } }, async (stage) => {
  const { ada, bob, acme: { id } } = await acme(stage);
  assert.equal((await ada.session()).session.activeOrganizationId, id, 'founded');
  assert.equal((await bob.session()).session.activeOrganizationId, id, 'accepted');
  good(await ada.client.signOut());
  good(await ada.signIn());
  assert.equal((await ada.session()).session.activeOrganizationId, id, 'signed in again');
  good(await ada.client.organization.delete({ organizationId: id }));
  assert.equal((await ada.session()).session.activeOrganizationId, null, 'deleted');
});
