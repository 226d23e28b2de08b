// Columns of an app's own, and other names for those that there are.

import { session } from '../accounts.mjs';
import { scenario } from '../suite.mjs';
import { found, get, organizations, people, post } from './company.mjs';

const columns = (more = {}) => ({
  additionalFields: {
    colour: { type: 'string', required: false }, seats: { type: 'number', required: false }, secret: { type: 'string', required: false, returned: false },
    rank: { type: 'string', required: false, input: false }, kind: { type: 'string', required: false, defaultValue: 'usual' }, ...more,
  },
});
const own = organizations({
  teams: { enabled: true }, ac: {}, dynamicAccessControl: { enabled: true },
  schema: { organization: columns(), invitation: columns(), team: columns(), organizationRole: columns(), member: columns() },
});

const given = { colour: 'red', seats: 5, secret: 'hush', rank: 'king' };

scenario('organisations with columns of an app’s own', own, async (world) => {
  await people(world, 'Ada', 'Bob');
  await post(world, 'founded', 'create', { name: 'Acme', slug: 'acme', ...given });
  await post(world, 'wrong', 'create', { name: 'Other', slug: 'other', seats: 'five' });
  await get(world, 'read', 'get-organization');
  await get(world, 'in full', 'get-full-organization');
  await get(world, 'listed', 'list');
  await post(world, 'changed', 'update', { data: { colour: 'blue', secret: 'psst', rank: 'queen' } });
  await post(world, 'changed wrongly', 'update', { data: { seats: 'five' } });
  await post(world, 'chosen', 'set-active', { organizationSlug: 'acme' });
  const invited = await post(world, 'invited', 'invite-member', { email: 'bob@example.com', role: 'member', ...given });
  await post(world, 'invited wrongly', 'invite-member', { email: 'eve@example.com', role: 'member', seats: 'five' });
  await get(world, 'invitations', 'list-invitations');
  const invitationId = (side) => invited[side].json?.id;
  await get(world, 'the invitation', 'get-invitation', { id: invitationId }, 'Bob');
  await post(world, 'accepted', 'accept-invitation', { invitationId }, 'Bob');
  await get(world, 'members', 'list-members');
  await post(world, 'a team', 'create-team', { name: 'Red', ...given });
  await get(world, 'teams', 'list-teams');
  await post(world, 'a role', 'create-role', { role: 'pilot', permission: { team: ['update'] }, additionalFields: given });
  await get(world, 'roles', 'list-roles');
  await world.rows('what is kept', 'organization', 'invitation', 'member', 'team', 'organizationRole');
});

scenario('a column that an app requires', organizations({ schema: { organization: columns({ vat: { type: 'string', required: true } }) } }), async (world) => {
  await people(world, 'Ada');
  await post(world, 'left out', 'create', { name: 'Acme', slug: 'acme' });
  await post(world, 'given', 'create', { name: 'Acme', slug: 'acme', vat: 'X1' });
  await post(world, 'changed without', 'update', { data: { name: 'Acme & Co' } });
});

const renamed = organizations({
  teams: { enabled: true },
  schema: {
    organization: { modelName: 'company', fields: { name: 'title', slug: 'handle' } },
    member: { modelName: 'employee', fields: { organizationId: 'company', userId: 'person' } },
    invitation: { modelName: 'offer', fields: { email: 'address', organizationId: 'company' } },
    team: { modelName: 'department', fields: { organizationId: 'company' } },
    session: { fields: { activeOrganizationId: 'company', activeTeamId: 'department' } },
  },
});

scenario('organisations with other names for tables and columns', renamed, async (world) => {
  await people(world, 'Ada', 'Bob');
  const acme = await found(world, 'Acme', { metadata: { a: 1 } });
  await session(world, 'Ada', 'it is active');
  const invited = await post(world, 'invited', 'invite-member', { email: 'bob@example.com', role: 'member' });
  await post(world, 'accepted', 'accept-invitation', { invitationId: (side) => invited[side].json?.id }, 'Bob');
  await get(world, 'in full', 'get-full-organization');
  await get(world, 'members', 'list-members', { filterField: 'role', filterValue: 'member' });
  await post(world, 'changed', 'update', { data: { name: 'Acme & Co' } });
  await post(world, 'left', 'leave', { organizationId: acme }, 'Bob');
  await world.rows('what is kept', 'company', 'employee', 'offer', 'department');
  await post(world, 'deleted', 'delete', { organizationId: acme });
});
