// More than a hundred of everything: no list ends where nobody said so.

import { scenario } from '../suite.mjs';
import { found, get, organizations, people, post } from './company.mjs';

const roomy = organizations({ ac: {}, teams: { enabled: true }, dynamicAccessControl: { enabled: true }, membershipLimit: 1000, invitationLimit: 1000 });

const at = "printf('2031-05-06T12:%02d:%02d.000Z', 1 + n / 60, n % 60)";
const numbers = 'with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 120)';

/** A hundred and twenty of each, written behind the backs of both. */
const crowd = [
  `${numbers} insert into user (id, name, email, emailVerified, createdAt, updatedAt) select 'user' || n, 'User ' || n, 'user' || n || '@example.com', 1, ${at}, ${at} from numbers`,
  `${numbers} insert into member (id, organizationId, userId, role, createdAt) select 'member' || n, (select id from organization), 'user' || n, 'member', ${at} from numbers`,
  `${numbers} insert into invitation (id, organizationId, email, role, status, expiresAt, createdAt, inviterId) select 'invitation' || n, (select id from organization), 'guest' || n || '@example.com', 'member', 'pending', '2031-06-06T12:00:00.000Z', ${at}, (select id from user where email = 'ada@example.com') from numbers`,
  `${numbers} insert into team (id, name, memberCount, organizationId, createdAt) select 'team' || n, 'Team ' || n, 1, (select id from organization), ${at} from numbers`,
  `${numbers} insert into teamMember (id, teamId, userId, createdAt) select 'seat' || n, 'team' || n, (select id from user where email = 'ada@example.com'), ${at} from numbers`,
  `${numbers} insert into teamMember (id, teamId, userId, createdAt) select 'chair' || n, 'team1', 'user' || n, ${at.replace('1 + n', '9 + n')} from numbers`,
  `${numbers} insert into organizationRole (id, organizationId, role, permission, createdAt) select 'role' || n, (select id from organization), 'role' || n, '{"ac":["read"]}', ${at} from numbers`,
  `${numbers} insert into organization (id, name, slug, createdAt) select 'organization' || n, 'Organization ' || n, 'organization' || n, ${at} from numbers`,
  `${numbers} insert into member (id, organizationId, userId, role, createdAt) select 'own' || n, 'organization' || n, (select id from user where email = 'ada@example.com'), 'owner', ${at} from numbers`,
];

scenario('more than a hundred of everything', roomy, async (world) => {
  await people(world, 'Ada');
  await found(world);
  world.change(...crowd);
  const asked = [
    ['list', {}], ['list-members', {}], ['list-members', { limit: 110 }], ['list-members', { limit: 50, offset: 100 }], ['get-full-organization', {}], ['get-full-organization', { membersLimit: 110 }],
    ['list-invitations', {}], ['list-teams', {}], ['list-user-teams', {}], ['list-team-members', { teamId: 'team1' }], ['list-roles', {}],
  ];
  for (const [route, query] of asked) await get(world, `${route} ${JSON.stringify(query)}`, route, query);
});

scenario('the hundredth and first owner may leave', roomy, async (world) => {
  await people(world, 'Ada');
  const acme = await found(world);
  world.change(crowd[0], crowd[1].replace("'member', printf", "'owner', printf"));
  await post(world, 'one of many', 'leave', { organizationId: acme });
});

scenario('the usual limit for members', organizations(), async (world) => {
  await people(world, 'Ada', 'Bob');
  await found(world);
  const invited = await post(world, 'invited', 'invite-member', { email: 'bob@example.com', role: 'member' });
  world.change(crowd[0], crowd[1]);
  await post(world, 'too many', 'accept-invitation', { invitationId: (side) => invited[side].json?.id }, 'Bob');
});
