// Roles that an organisation makes for itself.

import { scenario } from '../suite.mjs';
import { each, found, get, join, organizations, people, post, withRoles } from './company.mjs';

const recruiting = { invitation: ['create', 'cancel'] };

/** Acme with Ada, who owns it, Bob, an admin, and Carl, a member. */
async function company(world) {
  await people(world, 'Ada', 'Bob', 'Carl');
  const acme = await found(world);
  const bob = await join(world, 'Bob', { role: 'admin' });
  return { acme, bob, carl: await join(world, 'Carl') };
}

/** A role of the organisation that is active. Gives its id on each side. */
async function role(world, name, permission, jar = 'Ada') {
  const answers = await post(world, `the role ${name}`, 'create-role', { role: name, permission }, jar);
  return (side) => answers[side].json?.roleData?.id;
}

scenario('roles are made', withRoles, async (world) => {
  const { acme } = await company(world);
  await post(world, 'one', 'create-role', { role: 'recruiter', permission: recruiting });
  await post(world, 'the same', 'create-role', { role: 'recruiter', permission: recruiting });
  await post(world, 'the same in capitals', 'create-role', { role: 'RECRUITER', permission: recruiting });
  await post(world, 'in capitals, by id', 'create-role', { role: 'Team Lead', permission: { team: ['create', 'update'] }, organizationId: acme });
  await each(world, post, [
    ['create-role', { role: 'owner', permission: recruiting }], ['create-role', { role: 'Member', permission: recruiting }],
    ['create-role', { role: 'x', permission: { house: ['enter'] } }], ['create-role', { role: 'y', permission: { member: ['fly'] } }],
    ['create-role', { role: 'z', permission: {} }], ['create-role', { role: 'w', permission: { member: [] } }], ['create-role', { role: 'v', permission: { member: 'create' } }],
    ['create-role', { role: 'u', permission: 'x' }], ['create-role', { role: 't' }], ['create-role', { permission: recruiting }],
  ]);
  await post(world, 'by an admin', 'create-role', { role: 'deputy', permission: { member: ['create'] } }, 'Bob');
  await post(world, 'more than an admin may', 'create-role', { role: 'boss', permission: { organization: ['update', 'delete'], member: ['create'] } }, 'Bob');
  await post(world, 'by a member', 'create-role', { role: 'mine', permission: { ac: ['read'] } }, 'Carl');
  await world.rows('what is kept', 'organizationRole');
});

scenario('roles of an organisation whose names are several or none', withRoles, async (world) => {
  await company(world);
  await post(world, 'none', 'create-role', { role: '', permission: recruiting });
  await post(world, 'several', 'create-role', { role: 'a,b', permission: recruiting });
});

scenario('roles are read', withRoles, async (world) => {
  const { acme } = await company(world);
  await get(world, 'none yet', 'list-roles');
  const recruiter = await role(world, 'recruiter', recruiting);
  await role(world, 'lead', { team: ['create'] });
  for (const jar of ['Ada', 'Bob', 'Carl']) {
    await get(world, `listed for ${jar}`, 'list-roles', {}, jar);
    await get(world, `by name for ${jar}`, 'get-role', { roleName: 'recruiter' }, jar);
  }
  await get(world, 'by id', 'get-role', { roleId: recruiter });
  await get(world, 'in capitals', 'get-role', { roleName: 'RECRUITER' });
  await get(world, 'with the organisation', 'get-role', { roleId: recruiter, organizationId: acme });
  await get(world, 'by both', 'get-role', { roleId: recruiter, roleName: 'lead' });
  await get(world, 'an unknown name', 'get-role', { roleName: 'king' });
  await get(world, 'an unknown id', 'get-role', { roleId: 'nothing' });
  await get(world, 'a built-in one', 'get-role', { roleName: 'owner' });
  await get(world, 'neither', 'get-role');
  await get(world, 'elsewhere', 'list-roles', { organizationId: 'nothing' });
});

scenario('roles are changed', withRoles, async (world) => {
  const { acme } = await company(world);
  const recruiter = await role(world, 'recruiter', recruiting);
  await role(world, 'lead', { team: ['create'] });
  const update = (what, given, data, jar) => post(world, what, 'update-role', { ...given, data }, jar);
  await update('what it allows', { roleName: 'recruiter' }, { permission: { invitation: ['create'] } });
  await world.advance(1);
  await update('by id', { roleId: recruiter, organizationId: acme }, { permission: { invitation: ['create', 'cancel'], member: ['create'] } });
  await update('its name', { roleId: recruiter }, { roleName: 'Scout' });
  await update('a name that is taken', { roleId: recruiter }, { roleName: 'lead' });
  await update('a name that is built in', { roleId: recruiter }, { roleName: 'owner' });
  await update('its own name', { roleId: recruiter }, { roleName: 'scout' });
  await update('both', { roleName: 'scout' }, { roleName: 'hunter', permission: { ac: ['read'] } });
  await update('an unknown resource', { roleName: 'hunter' }, { permission: { house: ['enter'] } });
  await update('an unknown action', { roleName: 'hunter' }, { permission: { member: ['fly'] } });
  await update('an unknown role', { roleName: 'king' }, { permission: recruiting });
  await update('a built-in one', { roleName: 'owner' }, { permission: recruiting });
  await update('neither', {}, { permission: recruiting });
  await update('a number', { roleName: 'hunter' }, { roleName: 5 });
  await update('by an admin', { roleName: 'hunter' }, { permission: { member: ['delete'] } }, 'Bob');
  await update('more than an admin may', { roleName: 'hunter' }, { permission: { organization: ['delete'] } }, 'Bob');
  await update('by a member', { roleName: 'hunter' }, { permission: { ac: ['read'] } }, 'Carl');
  await get(world, 'after all that', 'list-roles');
  await world.rows('what is kept', 'organizationRole');
});

scenario('a role is given nothing to change', withRoles, async (world) => {
  await company(world);
  await role(world, 'recruiter', recruiting);
  await post(world, 'nothing', 'update-role', { roleName: 'recruiter', data: {} });
  await post(world, 'an empty name', 'update-role', { roleName: 'recruiter', data: { roleName: '' } });
  await post(world, 'nothing allowed', 'update-role', { roleName: 'recruiter', data: { permission: {} } });
});

scenario('roles are deleted', withRoles, async (world) => {
  const { acme, carl } = await company(world);
  const recruiter = await role(world, 'recruiter', recruiting);
  await role(world, 'lead', { team: ['create'] });
  await post(world, 'given', 'update-member-role', { memberId: carl, role: ['member', 'recruiter'] });
  await post(world, 'one that somebody has', 'delete-role', { roleName: 'recruiter' });
  await post(world, 'by a member', 'delete-role', { roleName: 'lead' }, 'Carl');
  await post(world, 'by an admin', 'delete-role', { roleName: 'lead' }, 'Bob');
  await post(world, 'again', 'delete-role', { roleName: 'lead' });
  await post(world, 'a built-in one', 'delete-role', { roleName: 'owner' });
  await post(world, 'neither', 'delete-role', {});
  await post(world, 'taken', 'update-member-role', { memberId: carl, role: 'member' });
  await post(world, 'by id', 'delete-role', { roleId: recruiter, organizationId: acme });
  await get(world, 'none is left', 'list-roles');
});

scenario('a role that an organisation made is worth what it says', withRoles, async (world) => {
  const { carl } = await company(world);
  await role(world, 'recruiter', recruiting);
  const ask = (what, permissions) => post(world, what, 'has-permission', { permissions }, 'Carl');
  await ask('before', { invitation: ['create'] });
  await post(world, 'in vain', 'invite-member', { email: 'eve@example.com', role: 'member' }, 'Carl');
  await post(world, 'given', 'update-member-role', { memberId: carl, role: 'recruiter' });
  await ask('after', { invitation: ['create'] });
  await ask('not more', { member: ['delete'] });
  await post(world, 'invites', 'invite-member', { email: 'eve@example.com', role: 'member' }, 'Carl');
  await post(world, 'invites one like himself', 'invite-member', { email: 'dora@example.com', role: 'recruiter' }, 'Carl');
  await post(world, 'changed', 'update-role', { roleName: 'recruiter', data: { permission: { ac: ['read'] } } });
  await ask('no longer', { invitation: ['create'] });
  await post(world, 'a role elsewhere', 'invite-member', { email: 'fay@example.com', role: 'king' });
  await found(world, 'Other');
  await post(world, 'this one does not know it', 'invite-member', { email: 'gil@example.com', role: 'recruiter' });
});

scenario('a role with the name of a built-in one adds to it', organizations({ ac: { statements: { project: ['create'] } }, dynamicAccessControl: { enabled: true } }), async (world) => {
  await people(world, 'Ada', 'Carl');
  const acme = await found(world);
  await join(world, 'Carl');
  world.change(...[['a', 'member', { project: ['create'] }]].map(([id, name, permission]) => `insert into organizationRole (id, organizationId, role, permission, createdAt) select '${id}', id, '${name}', '${JSON.stringify(permission)}', '2031-05-06T12:00:00.000Z' from organization`));
  for (const permissions of [{ project: ['create'] }, { ac: ['read'] }, { project: ['create'], ac: ['read'] }]) await post(world, JSON.stringify(permissions), 'has-permission', { permissions, organizationId: acme }, 'Carl');
});

const shy = {
  owner: { organization: ['update', 'delete'], member: ['create', 'update', 'delete'], invitation: ['create', 'cancel'], ac: ['create', 'read', 'update', 'delete'] },
  guest: { organization: ['update'] },
};

scenario('roles are hidden from somebody who may not read them', organizations({ ac: { roles: shy }, dynamicAccessControl: { enabled: true } }), async (world) => {
  await people(world, 'Ada', 'Gus');
  await found(world);
  await join(world, 'Gus', { role: 'guest' });
  const recruiter = await role(world, 'recruiter', recruiting);
  await get(world, 'listed', 'list-roles', {}, 'Gus');
  await get(world, 'by name', 'get-role', { roleName: 'recruiter' }, 'Gus');
  await get(world, 'by id', 'get-role', { roleId: recruiter }, 'Gus');
  await get(world, 'one that there is not', 'get-role', { roleName: 'king' }, 'Gus');
  await post(world, 'changed', 'update-role', { roleName: 'recruiter', data: { roleName: 'scout' } }, 'Gus');
  await post(world, 'deleted', 'delete-role', { roleName: 'recruiter' }, 'Gus');
  await post(world, 'more than the owner may', 'create-role', { role: 'boss', permission: { team: ['create', 'delete'], member: ['create'] } });
});

scenario('a limit for roles', organizations({ ac: {}, dynamicAccessControl: { enabled: true, maximumRolesPerOrganization: 1 } }), async (world) => {
  await people(world, 'Ada');
  await found(world);
  await role(world, 'recruiter', recruiting);
  await post(world, 'one too many', 'create-role', { role: 'lead', permission: { team: ['create'] } });
  await found(world, 'Other');
  await role(world, 'recruiter', recruiting);
});

scenario('roles without an access control of the app', organizations({ dynamicAccessControl: { enabled: true } }), async (world) => {
  await people(world, 'Ada');
  await found(world);
  await post(world, 'made', 'create-role', { role: 'recruiter', permission: recruiting });
  await post(world, 'changed', 'update-role', { roleName: 'recruiter', data: { permission: recruiting } });
  await get(world, 'listed', 'list-roles');
  await get(world, 'read', 'get-role', { roleName: 'recruiter' });
  await post(world, 'deleted', 'delete-role', { roleName: 'recruiter' });
});
