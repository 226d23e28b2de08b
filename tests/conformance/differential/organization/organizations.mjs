// Founding, reading, choosing, changing and deleting organisations.

import { session } from '../accounts.mjs';
import { scenario } from '../suite.mjs';
import { each, found, get, join, organizations, people, plain, post } from './company.mjs';

scenario('somebody founds organisations', plain, async (world) => {
  const ids = await people(world, 'Ada', 'Bob');
  await each(world, post, [
    ['create', { name: '', slug: 'acme' }], ['create', { name: 'Acme', slug: '' }], ['create', { name: 'Acme' }], ['create', { slug: 'acme' }],
    ['create', { name: 5, slug: 'acme' }], ['create', { name: 'Acme', slug: 'acme', metadata: 'x' }], ['create', { name: 'Acme', slug: 'acme', logo: 5 }],
    ['create', { name: 'Acme', slug: 'acme', keepCurrentActiveOrganization: 'x' }],
  ]);
  await post(world, 'the first', 'create', { name: 'Acme', slug: 'acme', logo: 'https://example.com/logo.png', metadata: { plan: 'gold', seats: 5, nested: { a: [1] } } });
  await session(world, 'Ada', 'it is active');
  await post(world, 'the same slug', 'create', { name: 'Other', slug: 'acme' });
  await post(world, 'by somebody else', 'create', { name: 'Other', slug: 'acme' }, 'Bob');
  await post(world, 'a second', 'create', { name: 'Böse & Söhne ', slug: 'Acme' });
  await session(world, 'Ada', 'the second is active');
  await post(world, 'a third, in the background', 'create', { name: 'Third', slug: 'third', keepCurrentActiveOrganization: true, metadata: {} });
  await session(world, 'Ada', 'the second is still active');
  await post(world, 'in the name of somebody else', 'create', { name: 'Fourth', slug: 'fourth', userId: ids.Bob });
  await post(world, 'with what there is not', 'create', { name: 'Fifth', slug: 'fifth', unknown: 'x', id: 'mine', createdAt: '2020-01-01T00:00:00.000Z' });
  await get(world, 'all of hers', 'list');
  await get(world, 'all of his', 'list', {}, 'Bob');
  await world.rows('what is kept', 'organization', 'member', 'session');
});

scenario('whether a slug is free', plain, async (world) => {
  await people(world, 'Ada', 'Bob');
  await found(world);
  for (const jar of ['Ada', 'Bob']) await each(world, post, [['check-slug', { slug: 'acme' }], ['check-slug', { slug: 'free' }], ['check-slug', { slug: '' }], ['check-slug', { slug: 5 }]], jar);
});

scenario('organisations are read', plain, async (world) => {
  await people(world, 'Ada', 'Bob', 'Carl');
  await get(world, 'none yet', 'get-organization');
  await get(world, 'none in full', 'get-full-organization');
  const acme = await found(world, 'Acme', { metadata: { plan: 'gold' }, logo: 'x' });
  await join(world, 'Bob', { role: 'admin' });
  await join(world, 'Carl');
  const other = await found(world, 'Other');
  for (const route of ['get-organization', 'get-full-organization']) {
    await each(world, get, [
      [route, {}], [route, { organizationId: acme }, 'by id'], [route, { organizationSlug: 'acme' }], [route, { organizationId: other, organizationSlug: 'acme' }, 'by both'],
      [route, { organizationSlug: 'nothing' }], [route, { organizationId: 'nothing' }], [route, { organizationId: '' }],
    ]);
  }
  await each(world, get, ['1', '2', '0', '-1', 'x', ''].map((membersLimit) => ['get-full-organization', { organizationId: acme, membersLimit }, `with ${membersLimit} members`]));
  await get(world, 'by a member', 'get-full-organization', { organizationId: acme }, 'Carl');
  await get(world, 'a member’s', 'list', {}, 'Carl');
});

scenario('a reader who is no member', plain, async (world) => {
  await people(world, 'Ada', 'Bob');
  const acme = await found(world);
  await found(world, 'Other', {}, 'Bob');
  for (const route of ['get-organization', 'get-full-organization']) {
    await get(world, `${route} of a stranger`, route, { organizationId: acme }, 'Bob');
    await session(world, 'Bob', `${route}: what is active after that`);
    await get(world, `${route} by slug`, route, { organizationSlug: 'acme' }, 'Bob');
    await post(world, 'his own again', 'set-active', { organizationSlug: 'other' }, 'Bob');
  }
});

scenario('an organisation is chosen', plain, async (world) => {
  await people(world, 'Ada', 'Bob');
  const acme = await found(world, 'Acme', { metadata: { plan: 'gold' } });
  const other = await found(world, 'Other');
  await post(world, 'by id', 'set-active', { organizationId: acme });
  await session(world, 'Ada', 'the first');
  await post(world, 'by slug', 'set-active', { organizationSlug: 'other' });
  await session(world, 'Ada', 'the second');
  await post(world, 'by both', 'set-active', { organizationId: acme, organizationSlug: 'other' });
  await session(world, 'Ada', 'one of them');
  await post(world, 'by nothing', 'set-active', {});
  await post(world, 'an unknown slug', 'set-active', { organizationSlug: 'nothing' });
  await post(world, 'none', 'set-active', { organizationId: null });
  await session(world, 'Ada', 'none');
  await post(world, 'by nothing, where none is', 'set-active', {});
  await post(world, 'again', 'set-active', { organizationId: other });
  await post(world, 'an unknown id', 'set-active', { organizationId: 'nothing' });
  await session(world, 'Ada', 'after an unknown id');
  await found(world, 'His', {}, 'Bob');
  await post(world, 'of a stranger', 'set-active', { organizationId: acme }, 'Bob');
  await session(world, 'Bob', 'after that');
  await post(world, 'of a stranger, by slug', 'set-active', { organizationSlug: 'acme' }, 'Bob');
  await world.rows('what is kept', 'session');
});

scenario('an organisation is changed', plain, async (world) => {
  await people(world, 'Ada', 'Bob', 'Carl');
  const acme = await found(world, 'Acme', { metadata: { plan: 'gold' } });
  await join(world, 'Bob', { role: 'admin' });
  await join(world, 'Carl');
  await found(world, 'Other');
  const update = (what, data, jar) => post(world, what, 'update', { organizationId: acme, data }, jar);
  await update('a name', { name: 'Acme & Co' });
  await update('a slug', { slug: 'acme-co' });
  await update('its own slug', { slug: 'acme-co' });
  await update('a taken slug', { slug: 'other' });
  await update('a logo', { logo: 'https://example.com/logo.png' });
  await update('more to say', { metadata: { plan: 'silver', list: [1, 2] } });
  await update('nothing to say', { metadata: {} });
  await update('several', { name: 'Acme', slug: 'acme', logo: '', metadata: { a: null } });
  for (const data of [{ name: '' }, { slug: '' }, { name: 5 }, { slug: null }, { metadata: 'x' }, { logo: 5 }, 'x', []]) await update(`wrong: ${JSON.stringify(data)}`, data);
  await update('by an admin', { name: 'Bobs' }, 'Bob');
  await update('by a member', { name: 'Carls' }, 'Carl');
  await post(world, 'the active one', 'update', { data: { name: 'Other & Co' } });
  await get(world, 'read again', 'list');
  await world.rows('what is kept', 'organization');
});

scenario('an organisation is given nothing to change', plain, async (world) => {
  await people(world, 'Ada');
  await found(world);
  await post(world, 'nothing', 'update', { data: {} });
  await post(world, 'only what there is not', 'update', { data: { unknown: 1 } });
  await get(world, 'it is as it was', 'get-organization');
});

scenario('what nobody changes in an organisation', plain, async (world) => {
  await people(world, 'Ada');
  await found(world);
  await post(world, 'an id beside a name', 'update', { data: { name: 'Acme 2', id: 'mine', createdAt: '2020-01-01T00:00:00.000Z', unknown: 1 } });
  await get(world, 'it is as it was', 'get-organization');
});

scenario('an organisation is deleted', plain, async (world) => {
  await people(world, 'Ada', 'Bob', 'Carl');
  const acme = await found(world, 'Acme', { metadata: { plan: 'gold' } });
  await join(world, 'Bob', { role: 'admin' });
  await join(world, 'Carl');
  await post(world, 'an invitation', 'invite-member', { email: 'dora@example.com', role: 'member' });
  await post(world, 'by a member', 'delete', { organizationId: acme }, 'Carl');
  await post(world, 'by an admin', 'delete', { organizationId: acme }, 'Bob');
  await post(world, 'an unknown one', 'delete', { organizationId: 'nothing' });
  await post(world, 'by its owner', 'delete', { organizationId: acme });
  await session(world, 'Ada', 'none is active');
  await post(world, 'twice', 'delete', { organizationId: acme });
  await get(world, 'all of hers', 'list');
  await get(world, 'all of his', 'list', {}, 'Carl');
  await post(world, 'the slug is free', 'check-slug', { slug: 'acme' });
  await world.rows('what is left', 'organization', 'member', 'invitation');
});

scenario('what is left to a member of an organisation that was deleted', plain, async (world) => {
  await people(world, 'Ada', 'Carl');
  const acme = await found(world);
  await join(world, 'Carl');
  await post(world, 'deleted', 'delete', { organizationId: acme });
  await session(world, 'Carl', 'what is active');
  for (const route of ['get-organization', 'get-full-organization', 'get-active-member', 'list-members', 'get-active-member-role']) await get(world, route, route, {}, 'Carl');
  await world.rows('what is left', 'session');
});

scenario('organisations that cannot be deleted', organizations({ disableOrganizationDeletion: true }), async (world) => {
  await people(world, 'Ada', 'Bob');
  const acme = await found(world);
  await post(world, 'by its owner', 'delete', { organizationId: acme });
  await post(world, 'by a stranger', 'delete', { organizationId: acme }, 'Bob');
  await post(world, 'by nobody', 'delete', { organizationId: acme }, null);
});

scenario('organisations that nobody may found', organizations({ allowUserToCreateOrganization: false }), async (world) => {
  await people(world, 'Ada');
  await post(world, 'in vain', 'create', { name: 'Acme', slug: 'acme' });
});

scenario('a limit for organisations', organizations({ organizationLimit: 2 }), async (world) => {
  await people(world, 'Ada', 'Bob');
  await found(world);
  await found(world, 'Second');
  await post(world, 'one too many', 'create', { name: 'Third', slug: 'third' });
  await found(world, 'His', {}, 'Bob');
  await join(world, 'Bob');
  await post(world, 'those that he joined count', 'create', { name: 'Third', slug: 'third' }, 'Bob');
});

scenario('the founder has a role of another name', organizations({ creatorRole: 'admin' }), async (world) => {
  await people(world, 'Ada', 'Bob');
  const acme = await found(world);
  const bob = await join(world, 'Bob', { role: 'member' });
  await post(world, 'a role that is now the highest', 'update-member-role', { memberId: bob, role: 'admin' });
  await post(world, 'leaves', 'leave', { organizationId: acme });
  await post(world, 'leaves as well', 'leave', { organizationId: acme }, 'Bob');
});
