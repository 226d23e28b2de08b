// Every route, with something that it would take.

/** A name that nobody has. */
const eve = { email: 'eve@example.com', role: 'member' };

/** What is there to be asked about; all of it belongs to one organisation. */
export const posts = ({ organizationId, memberId, invitationId }) => [
  ['create', { name: 'Other', slug: 'other' }],
  ['check-slug', { slug: 'free' }],
  ['set-active', { organizationId }],
  ['update', { organizationId, data: { name: 'Other' } }],
  ['invite-member', { organizationId, ...eve }],
  ['cancel-invitation', { invitationId }],
  ['accept-invitation', { invitationId }],
  ['reject-invitation', { invitationId }],
  ['update-member-role', { organizationId, memberId, role: 'admin' }],
  ['remove-member', { organizationId, memberIdOrEmail: memberId }],
  ['has-permission', { organizationId, permissions: { member: ['create'] } }],
  ['leave', { organizationId }],
  ['delete', { organizationId }],
];

export const gets = ({ organizationId, invitationId, userId }) => [
  ['list', {}],
  ['get-organization', { organizationId }],
  ['get-full-organization', { organizationId }],
  ['get-invitation', { id: invitationId }],
  ['list-invitations', { organizationId }],
  ['list-user-invitations', {}],
  ['get-active-member', {}],
  ['get-active-member-role', { organizationId, userId }],
  ['list-members', { organizationId }],
];

export const teamPosts = ({ organizationId, teamId, userId }) => [
  ['create-team', { organizationId, name: 'Other' }],
  ['update-team', { teamId, data: { organizationId, name: 'Other' } }],
  ['set-active-team', { teamId }],
  ['add-team-member', { organizationId, teamId, userId }],
  ['remove-team-member', { organizationId, teamId, userId }],
  ['remove-team', { organizationId, teamId }],
];

export const teamGets = ({ organizationId, teamId, userId }) => [
  ['list-teams', { organizationId }],
  ['list-user-teams', {}],
  ['list-user-teams', { organizationId, userId }],
  ['list-team-members', { teamId }],
];

export const rolePosts = ({ organizationId, roleId }) => [
  ['create-role', { organizationId, role: 'other', permission: { member: ['create'] } }],
  ['update-role', { organizationId, roleId, data: { permission: { member: ['create'] } } }],
  ['delete-role', { organizationId, roleId }],
];

export const roleGets = ({ organizationId, roleId }) => [
  ['list-roles', { organizationId }],
  ['get-role', { organizationId, roleId }],
];
