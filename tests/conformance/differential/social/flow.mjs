// A sign-in with a provider, in its two halves: the visitor is sent away, and comes back.

import { consent } from '../../harness/provider/imitation.mjs';
import { everything, merge } from '../../harness/setup.mjs';
import { linkIn, signUp } from '../accounts.mjs';

export const CLIENT = { clientId: 'client-id', clientSecret: 'client-secret' };

/** Plain OAuth 2 by its addresses, and OpenID Connect by discovery. */
export const PLAIN = {
  providerId: 'plain', ...CLIENT,
  authorizationUrl: 'https://plain.example.org/authorize', tokenUrl: 'https://plain.example.org/token', userInfoUrl: 'https://plain.example.org/me',
};
export const OPENID = { providerId: 'openid', ...CLIENT, discoveryUrl: 'https://id.example.com/.well-known/openid-configuration' };

/**
 * A setup with Google and GitHub.
 *
 * @param {{ google?: object, github?: object, account?: object, options?: object }} [more] options of the providers, of accounts, and others
 */
export function providers({ google = {}, github = {}, account = {}, options = {}, ...more } = {}) {
  const socialProviders = { google: { ...CLIENT, ...google }, github: { ...CLIENT, ...github } };
  return everything({ ...more, options: merge({ socialProviders, account }, options) });
}

/**
 * The first half.
 *
 * @param {{ what?: string, jar?: string | null, path?: string, [field: string]: unknown }} [more] fields of the body, and whose browser it is
 */
export async function begin(world, provider, { what = `begins with ${provider}`, jar = 'browser', path = '/sign-in/social', ...fields } = {}) {
  const answers = await world.send(what, { path, json: { provider, ...fields }, jar });
  return { provider, jar, ...world.each(({ name }) => consent(answers[name].json?.url)) };
}

/**
 * The second half.
 *
 * @param {{ what?: string, jar?: string | null, provider?: string, query?: (sent: object, side: string) => object }} [more]
 *   `query` changes what the provider sends back; undefined leaves a field out
 */
export async function comeBack(world, flow, { what = 'comes back', jar = flow.jar, provider = flow.provider, query = (sent) => sent } = {}) {
  const answers = await world.send(what, (side) => ({ path: `/callback/${provider}?${search(query(flow[side], side))}`, jar }));
  world.asked(`${what}: asked`);
  return answers;
}

/** Where an answer leads to. */
export function location({ headers }) {
  return headers.find(([name]) => name === 'location')?.[1];
}

/** Both halves, and what is kept afterwards. */
export async function signInWith(world, provider, { what = `signs in with ${provider}`, back = {}, ...more } = {}) {
  const flow = await begin(world, provider, { what: `${what}: begins`, ...more });
  const answers = await comeBack(world, flow, { what, ...back });
  await kept(world, what);
  return answers;
}

/** For someone who is signed in. */
export function linkWith(world, provider, more = {}) {
  return signInWith(world, provider, { what: `links ${provider}`, path: '/link-social', ...more });
}

/** Compares what is kept of people and their accounts. */
export function kept(world, what) {
  return world.rows(`${what}: kept`, 'user', 'account', 'verification');
}

/** Someone with a password, whose address is proven. */
export async function provenSignUp(world, name) {
  await signUp(world, name);
  await world.send('asks for a link', { path: '/send-verification-email', json: { email: `${name.toLowerCase()}@example.com` }, jar: name });
  const mails = await world.mails('the mail');
  await world.send('opens it', (side) => ({ path: linkIn(mails[side].at(-1)), jar: name }));
}

/** The row ids of someone's accounts at a provider, per side. */
export async function accountIds(world, jar, providerId) {
  const listed = await world.send('lists accounts', { path: '/list-accounts', jar });
  return world.each(({ name }) => listed[name].json?.find?.((account) => account.providerId === providerId)?.id ?? 'none');
}

export function search(fields) {
  return new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== undefined)).toString();
}
