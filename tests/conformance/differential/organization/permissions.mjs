// What somebody may do in an organisation.

import { scenario } from '../suite.mjs';
import { found, get, join, organizations, people, plain, post } from './company.mjs';

const questions = [
  { organization: ['update'] }, { organization: ['delete'] }, { organization: ['update', 'delete'] }, { member: ['create', 'update', 'delete'] },
  { invitation: ['create', 'cancel'] }, { team: ['create'] }, { ac: ['read'] }, { ac: ['create'] }, { member: ['create'], invitation: ['cancel'] }, { member: ['create'], organization: ['delete'] },
  { member: ['fly'] }, { house: ['enter'] }, { member: [] }, {},
];

scenario('what somebody may do in an organisation', plain, async (world) => {
  await people(world, 'Ada', 'Bob', 'Carl', 'Mallory');
  const acme = await found(world);
  await join(world, 'Bob', { role: 'admin' });
  await join(world, 'Carl');
  for (const jar of ['Ada', 'Bob', 'Carl']) {
    for (const permissions of questions) await post(world, `${jar}: ${JSON.stringify(permissions)}`, 'has-permission', { permissions }, jar);
  }
  const ask = (what, json, jar) => post(world, what, 'has-permission', json, jar);
  await ask('the old name', { permission: { member: ['create'] } });
  await ask('both names', { permission: { member: ['create'] }, permissions: { member: ['create'] } });
  await ask('neither', {});
  await ask('texts', { permissions: { member: 'create' } });
  await ask('a list', { permissions: ['member'] });
  await ask('elsewhere', { permissions: { member: ['create'] }, organizationId: 'nothing' });
  await ask('a stranger', { permissions: { member: ['create'] }, organizationId: acme }, 'Mallory');
  await ask('a stranger without one', { permissions: { member: ['create'] } }, 'Mallory');
});

scenario('several roles do not add up', plain, async (world) => {
  await people(world, 'Ada', 'Bob');
  await found(world);
  await join(world, 'Bob', { role: ['member', 'admin'] });
  for (const permissions of [{ member: ['create'], ac: ['read'] }, { organization: ['delete'] }]) await post(world, JSON.stringify(permissions), 'has-permission', { permissions }, 'Bob');
});

const roles = {
  owner: { organization: ['update', 'delete'], member: ['create', 'update', 'delete'], invitation: ['create', 'cancel'], project: ['create', 'share', 'delete'] },
  recruiter: { invitation: ['create', 'cancel'] },
  steward: { member: ['update', 'delete'], project: ['share'] },
  janitor: { organization: ['update'] },
};

scenario('roles of organisations that an app defines', organizations({ ac: { statements: { project: ['create', 'share', 'delete'] }, roles } }), async (world) => {
  await people(world, 'Ada', 'Rita', 'Stu', 'Jan', 'Max');
  await found(world);
  const ids = {};
  for (const [name, role] of [['Rita', 'recruiter'], ['Stu', 'steward'], ['Jan', 'janitor'], ['Max', ['recruiter', 'steward']]]) ids[name] = await join(world, name, { role });
  for (const jar of ['Ada', 'Rita', 'Stu', 'Jan', 'Max']) {
    for (const permissions of [{ project: ['share'] }, { project: ['create'] }, { invitation: ['create'] }, { member: ['update'] }, { invitation: ['create'], member: ['update'] }]) {
      await post(world, `${jar}: ${JSON.stringify(permissions)}`, 'has-permission', { permissions }, jar);
    }
    await post(world, `${jar} invites`, 'invite-member', { email: `${jar.toLowerCase()}s-friend@example.com`, role: 'janitor' }, jar);
    await post(world, `${jar} updates`, 'update', { data: { name: `${jar}'s` } }, jar);
    await get(world, `${jar} lists invitations`, 'list-invitations', {}, jar);
    await post(world, `${jar} gives a role`, 'update-member-role', { memberId: ids.Jan, role: 'janitor' }, jar);
    await post(world, `${jar} gives a role that is none`, 'update-member-role', { memberId: ids.Jan, role: 'king' }, jar);
    await post(world, `${jar} removes`, 'remove-member', { memberIdOrEmail: 'nobody@example.com' }, jar);
  }
  await post(world, 'a built-in name', 'invite-member', { email: 'eve@example.com', role: 'member' });
  await post(world, 'another built-in name', 'invite-member', { email: 'eva@example.com', role: 'admin' });
  await post(world, 'a name that is none', 'invite-member', { email: 'eli@example.com', role: 'king' });
});
