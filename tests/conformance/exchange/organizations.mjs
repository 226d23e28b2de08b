import assert from 'node:assert/strict';

import { exchange, Jar, PASSWORD } from './pair.mjs';

const setup = { organization: { ac: {}, teams: { enabled: true }, dynamicAccessControl: { enabled: true } } };

/** Ada with an organisation at the writer, and Bob. Of two that were made at the same moment neither is the first, so time goes on. */
async function adaAndBob({ writer, advance }) {
  const [ada, bob] = [new Jar(), new Jar()];
  await writer.signUp(ada);
  const { user } = await writer.ok('/sign-up/email', { name: 'Bob', email: 'bob@example.com', password: PASSWORD }, bob);
  const acme = await writer.ok('/organization/create', { name: 'Acme', slug: 'acme', metadata: { plan: 'gold', seats: [1, 2] } }, ada);
  await advance(1);
  return { ada, bob, acme, userId: user.id };
}

/** The same, and Bob came. */
async function company(pair) {
  const { writer, advance } = pair;
  const { ada, bob, ...rest } = await adaAndBob(pair);
  const { id: invitationId } = await writer.ok('/organization/invite-member', { email: 'bob@example.com', role: 'member' }, ada);
  const { member } = await writer.ok('/organization/accept-invitation', { invitationId }, bob);
  await advance(1);
  return { ada, bob, memberId: member.id, ...rest };
}

/** The reference lists members in the order of whichever index the database takes. */
async function full(side, jar) {
  const { members, ...rest } = await side.ok('/organization/get-full-organization', undefined, jar);
  return { ...rest, members: members.sort((one, other) => one.createdAt.localeCompare(other.createdAt)) };
}

exchange('an organisation and who is in it', async (pair) => {
  const { writer, reader, rows } = pair;
  const { ada, bob, acme } = await company(pair);
  const read = await full(reader, ada);
  assert.deepEqual(read, await full(writer, ada));
  assert.deepEqual(read.members.map(({ role, user }) => [role, user.email]), [['owner', 'ada@example.com'], ['member', 'bob@example.com']]);
  assert.deepEqual(rows('select metadata from organization'), [{ metadata: '{"plan":"gold","seats":[1,2]}' }]);
  assert.equal((await reader.session(bob)).session.activeOrganizationId, acme.id);
  assert.deepEqual(await reader.ok('/organization/list', undefined, bob), await writer.ok('/organization/list', undefined, bob));
  assert.equal((await reader.ok('/organization/update', { data: { name: 'Acme & Co', metadata: { plan: 'silver' } } }, ada)).name, 'Acme & Co');
  assert.equal((await writer.ok('/organization/get-organization', undefined, bob)).name, 'Acme & Co');
  assert.equal((await reader.call('/organization/create', { name: 'Other', slug: 'acme' }, bob)).json.code, 'ORGANIZATION_ALREADY_EXISTS');
}, setup);

exchange('an invitation', async (pair) => {
  const { writer, reader, rows } = pair;
  const { ada, bob, acme, userId } = await adaAndBob(pair);
  const invited = await writer.ok('/organization/invite-member', { email: 'Bob@Example.com', role: ['member', 'admin'] }, ada);
  assert.deepEqual(await reader.ok('/organization/list-invitations', undefined, ada), [invited]);
  assert.equal((await reader.call('/organization/invite-member', { email: 'bob@example.com', role: 'member' }, ada)).json.code, 'USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION');
  assert.equal((await reader.ok(`/organization/get-invitation?id=${invited.id}`, undefined, bob)).organizationSlug, 'acme');
  const { member } = await reader.ok('/organization/accept-invitation', { invitationId: invited.id }, bob);
  assert.deepEqual([member.userId, member.role, member.organizationId], [userId, 'member,admin', acme.id]);
  assert.deepEqual(rows('select status from invitation'), [{ status: 'accepted' }]);
  assert.equal((await writer.ok('/organization/get-active-member', undefined, bob)).role, 'member,admin');
  assert.equal((await writer.call('/organization/accept-invitation', { invitationId: invited.id }, bob)).json.code, 'INVITATION_NOT_FOUND');
}, setup);

exchange('an invitation that one takes back is over at the other', async (pair) => {
  const { writer, reader } = pair;
  const { ada, bob } = await adaAndBob(pair);
  const { id: invitationId } = await writer.ok('/organization/invite-member', { email: 'bob@example.com', role: 'member' }, ada);
  assert.equal((await reader.ok('/organization/cancel-invitation', { invitationId }, ada)).status, 'canceled');
  assert.equal((await writer.call('/organization/accept-invitation', { invitationId }, bob)).json.code, 'INVITATION_NOT_FOUND');
  const again = await writer.ok('/organization/invite-member', { email: 'bob@example.com', role: 'member' }, ada);
  await reader.ok('/organization/reject-invitation', { invitationId: again.id }, bob);
  const last = await writer.ok('/organization/invite-member', { email: 'bob@example.com', role: 'member' }, ada);
  const resent = await reader.ok('/organization/invite-member', { email: 'bob@example.com', role: 'member', resend: true }, ada);
  assert.equal(resent.id, last.id);
}, setup);

exchange('roles, and members who go', async (pair) => {
  const { writer, reader, rows } = pair;
  const { ada, bob, acme, memberId } = await company(pair);
  assert.equal((await reader.ok('/organization/update-member-role', { memberId, role: ['admin', 'owner'] }, ada)).role, 'admin,owner');
  await writer.ok('/organization/leave', { organizationId: acme.id }, ada);
  assert.equal((await reader.call('/organization/leave', { organizationId: acme.id }, bob)).json.code, 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER');
  assert.equal((await reader.call(`/organization/list-members?organizationId=${acme.id}`, undefined, ada)).status, 403);
  await reader.ok('/organization/delete', { organizationId: acme.id }, bob);
  assert.deepEqual([rows('select id from organization'), rows('select id from member'), rows('select id from invitation')], [[], [], []]);
  assert.deepEqual(await writer.ok('/organization/list', undefined, bob), []);
}, setup);

exchange('who was removed at one is out at the other', async (pair) => {
  const { writer, reader } = pair;
  const { ada, bob, memberId } = await company(pair);
  await reader.ok('/organization/remove-member', { memberIdOrEmail: memberId }, ada);
  assert.notEqual((await writer.call('/organization/list-members', undefined, bob)).status, 200);
  for (const side of [writer, reader]) {
    const again = new Jar();
    await side.ok('/sign-in/email', { email: 'bob@example.com', password: PASSWORD }, again);
    assert.equal((await side.session(again)).session.activeOrganizationId ?? null, null);
    assert.deepEqual(await side.ok('/organization/list', undefined, again), []);
  }
  const { id: invitationId } = await reader.ok('/organization/invite-member', { email: 'bob@example.com', role: 'admin' }, ada);
  assert.equal((await writer.ok('/organization/accept-invitation', { invitationId }, bob)).member.role, 'admin');
}, setup);

exchange('teams', async (pair) => {
  const { writer, reader, rows } = pair;
  const { ada, bob, userId } = await company(pair);
  const red = await writer.ok('/organization/create-team', { name: 'Red' }, ada);
  assert.deepEqual((await reader.ok('/organization/list-teams', undefined, ada)).map(({ name }) => name), ['Acme', 'Red']);
  await writer.ok('/organization/add-team-member', { teamId: red.id, userId }, ada);
  await reader.ok('/organization/add-team-member', { teamId: red.id, userId }, ada);
  assert.equal(rows('select id from teamMember where teamId = ?', red.id).length, 1, 'whoever is in is in once');
  assert.deepEqual(rows('select memberCount from team where id = ?', red.id), [{ memberCount: 1 }]);
  await reader.ok('/organization/set-active-team', { teamId: red.id }, bob);
  assert.equal((await writer.session(bob)).session.activeTeamId, red.id);
  await reader.ok('/organization/remove-team-member', { teamId: red.id, userId }, ada);
  assert.deepEqual(rows('select memberCount from team where id = ?', red.id), [{ memberCount: 0 }]);
  await reader.ok('/organization/remove-team', { teamId: red.id }, ada);
  assert.equal((await writer.ok('/organization/list-teams', undefined, ada)).length, 1);
}, setup);

exchange('roles that an organisation made', async (pair) => {
  const { writer, reader, rows } = pair;
  const { ada, bob, memberId } = await company(pair);
  const permissions = { invitation: ['create'] };
  await writer.ok('/organization/create-role', { role: 'recruiter', permission: permissions }, ada);
  assert.deepEqual(rows('select role, permission from organizationRole'), [{ role: 'recruiter', permission: '{"invitation":["create"]}' }]);
  await reader.ok('/organization/update-member-role', { memberId, role: 'recruiter' }, ada);
  for (const side of [writer, reader]) assert.equal((await side.ok('/organization/has-permission', { permissions }, bob)).success, true);
  await reader.ok('/organization/update-role', { roleName: 'recruiter', data: { permission: { ac: ['read'] } } }, ada);
  for (const side of [writer, reader]) assert.equal((await side.ok('/organization/has-permission', { permissions }, bob)).success, false);
  assert.deepEqual(await reader.ok('/organization/list-roles', undefined, ada), await writer.ok('/organization/list-roles', undefined, ada));
}, setup);
