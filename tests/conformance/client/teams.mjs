import assert from 'node:assert/strict';

import { flow, good, refused } from './stage.mjs';

const withEverything = { organization: { ac: {}, teams: { enabled: true }, dynamicAccessControl: { enabled: true } }, callbacks: ['sendInvitationEmail'] };

/** Ada, who owns Acme, and Bob, who is a member of it. */
async function acme(stage) {
  const [ada, bob] = [stage.person('Ada'), stage.person('Bob')];
  await ada.signUp();
  const { user } = await bob.signUp();
  const organization = good(await ada.client.organization.create({ name: 'Acme', slug: 'acme' }));
  const { id: invitationId } = good(await ada.client.organization.inviteMember({ email: 'bob@example.com', role: 'member' }));
  const { member } = good(await bob.client.organization.acceptInvitation({ invitationId }));
  return { ada, bob, userId: user.id, memberId: member.id, organizationId: organization.id };
}

flow('teams are made, renamed, chosen and removed', withEverything, async (stage) => {
  const { ada, bob, userId, organizationId } = await acme(stage);
  const { organization } = ada.client;
  assert.ok((await ada.session()).session.activeTeamId);
  await stage.advance(1);
  const { id: teamId } = good(await organization.createTeam({ name: 'Red' }));
  refused(await bob.client.organization.createTeam({ name: 'Blue' }), 403, 'YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION');
  assert.equal(good(await organization.updateTeam({ teamId, data: { name: 'Crimson' } })).name, 'Crimson');
  assert.deepEqual(good(await organization.listTeams({ query: { organizationId } })).map(({ name }) => name), ['Acme', 'Crimson']);
  refused(await bob.client.organization.setActiveTeam({ teamId }), 403, 'USER_IS_NOT_A_MEMBER_OF_THE_TEAM');
  assert.equal(good(await organization.addTeamMember({ teamId, userId })).userId, userId);
  assert.equal(good(await bob.client.organization.setActiveTeam({ teamId })).id, teamId);
  assert.equal((await bob.session()).session.activeTeamId, teamId);
  assert.deepEqual(good(await bob.client.organization.listTeamMembers()).map((member) => member.userId), [userId]);
  assert.deepEqual(good(await bob.client.organization.listUserTeams()).map(({ name }) => name), ['Crimson']);
  good(await organization.removeTeamMember({ teamId, userId }));
  assert.deepEqual(good(await bob.client.organization.listUserTeams()), []);
  good(await organization.removeTeam({ teamId }));
  refused(await organization.removeTeam({ teamId }), 400, 'TEAM_NOT_FOUND');
});

flow('an organisation makes roles of its own', withEverything, async (stage) => {
  const { ada, bob, memberId } = await acme(stage);
  const { organization } = ada.client;
  const permissions = { invitation: ['create'] };
  const { roleData } = good(await organization.createRole({ role: 'Recruiter', permission: permissions }));
  assert.deepEqual([roleData.role, roleData.permission], ['recruiter', permissions]);
  refused(await bob.client.organization.createRole({ role: 'mine', permission: permissions }), 403, 'YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE');
  assert.equal(good(await bob.client.organization.hasPermission({ permissions })).success, false);
  good(await organization.updateMemberRole({ memberId, role: 'recruiter' }));
  assert.equal(good(await bob.client.organization.hasPermission({ permissions })).success, true);
  assert.deepEqual(good(await organization.listRoles()).map(({ role }) => role), ['recruiter']);
  assert.equal(good(await organization.getRole({ query: { roleName: 'recruiter' } })).id, roleData.id);
  good(await organization.updateRole({ roleName: 'recruiter', data: { permission: { ac: ['read'] } } }));
  assert.equal(good(await bob.client.organization.hasPermission({ permissions })).success, false);
  refused(await organization.deleteRole({ roleName: 'recruiter' }), 400, 'ROLE_IS_ASSIGNED_TO_MEMBERS');
  good(await organization.updateMemberRole({ memberId, role: 'member' }));
  good(await organization.deleteRole({ roleId: roleData.id }));
  refused(await organization.getRole({ query: { roleName: 'recruiter' } }), 400, 'ROLE_NOT_FOUND');
});
