// What scenarios about organisations begin with, and the ways in which they ask.

import { ALL_CALLBACKS, everything } from '../../harness/setup.mjs';
import { linkIn, signUp } from '../accounts.mjs';

/**
 * Everything, and organisations. Their rows are compared too, where a scenario asks for it.
 *
 * @param {object} [organization] the plugin's options
 * @param {object} [more] what else the setup has
 */
export function organizations(organization = {}, { callbacks = [], ...more } = {}) {
  return everything({ organization, files: true, callbacks: [...ALL_CALLBACKS, 'sendInvitationEmail', ...callbacks], ...more });
}

export const plain = organizations();
export const withTeams = organizations({ teams: { enabled: true } });
export const withRoles = organizations({ ac: {}, dynamicAccessControl: { enabled: true } });
export const withEverything = organizations({ ac: {}, teams: { enabled: true }, dynamicAccessControl: { enabled: true } });

/** Signs people up, a second apart. Gives the ids of each side by their names. */
export async function people(world, ...names) {
  const ids = {};
  for (const name of names) {
    const answers = await signUp(world, name);
    ids[name] = (side) => answers[side].json?.user?.id;
    await world.advance(1);
  }
  return ids;
}

/** Somebody founds an organisation, which is active from then on. Gives its id on each side. */
export async function found(world, name = 'Acme', more = {}, jar = 'Ada') {
  const answers = await post(world, `${jar} founds ${name}`, 'create', { name, slug: name.toLowerCase(), ...more }, jar);
  return (side) => answers[side].json?.id;
}

/** Somebody is invited into the organisation that is active. Gives the id of the invitation on each side. */
export async function invite(world, name, more = {}, jar = 'Ada') {
  const answers = await post(world, `${jar} invites ${name}`, 'invite-member', { email: `${name.toLowerCase()}@example.com`, role: 'member', ...more }, jar);
  return (side) => answers[side].json?.id;
}

/** Somebody is invited and comes. Gives the id of the member on each side. */
export async function join(world, name, more = {}, jar = 'Ada') {
  const invitationId = await invite(world, name, more, jar);
  const answers = await post(world, `${name} accepts`, 'accept-invitation', { invitationId }, name);
  return (side) => answers[side].json?.member?.id;
}

/** Somebody shows that an address is theirs. */
export async function prove(world, name) {
  await world.mails(`before ${name}'s link`);
  await world.send(`${name} asks for a link`, { path: '/send-verification-email', json: { email: `${name.toLowerCase()}@example.com` }, jar: name });
  const mails = await world.mails(`${name}'s link`);
  await world.send(`${name} opens it`, (side) => ({ path: linkIn(mails[side].at(-1)), jar: name }));
}

const MAKING = new Set(['create', 'invite-member', 'accept-invitation', 'create-team', 'add-team-member', 'create-role']);

/** Asks with a body. A value that is a function is one of each side's own. */
export async function post(world, what, route, json = {}, jar = 'Ada') {
  const answers = await world.send(what, (side) => ({ path: `/organization/${route}`, json: resolve(json, side), jar }));
  // Of two that were made at the same moment neither is the first.
  if (MAKING.has(route)) await world.advance(1);
  return answers;
}

/** Asks without one. */
export function get(world, what, route, query = {}, jar = 'Ada') {
  return world.send(what, (side) => {
    const given = Object.entries(resolve(query, side)).filter(([, value]) => value !== undefined);
    return { path: `/organization/${route}${given.length ? `?${new URLSearchParams(given)}` : ''}`, jar };
  });
}

/** Several questions, one after the other: `[route, what it is given, in a word]`. */
export async function each(world, ask, questions, jar = 'Ada') {
  for (const [route, given, why = JSON.stringify(given)] of questions) await ask(world, `${jar ?? 'nobody'}: ${route} ${why}`, route, given, jar);
}

function resolve(value, side) {
  if (typeof value === 'function') return value(side);
  if (Array.isArray(value)) return value.map((entry) => resolve(entry, side));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, resolve(entry, side)]));
}
