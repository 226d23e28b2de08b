// What an engine keeps under its secret, opened.

import { hkdfSync } from 'node:crypto';

import { symmetricDecrypt } from 'better-auth/crypto';

import { SECRET } from './setup.mjs';

/** The secret of one purpose. */
export function purposeKey(purpose) {
  const key = hkdfSync('sha256', SECRET, 'better-auth:oauth-encryption:v1', `better-auth:${purpose}:v1`, 32);
  return Buffer.from(key).toString('hex');
}

/** The tokens of an account, as somebody who may use them sees them. */
export async function openTokens(account) {
  const opened = { ...account };
  for (const field of ['accessToken', 'refreshToken']) {
    if (/^([0-9a-f]{2}){40,}$/.test(account[field])) opened[field] = `sealed(${await open(account[field])})`;
  }
  return opened;
}

/** What a flow keeps; of a link one field is sealed once more. */
export async function openFlow(flow) {
  if (!flow.link?.encryptedSessionToken) return flow;
  const token = await open(flow.link.encryptedSessionToken, purposeKey('oauth-link-session-token'));
  return { ...flow, link: { ...flow.link, encryptedSessionToken: `sealed(${token})` } };
}

/** @param {string} text hex */
export function open(text, key = SECRET) {
  return symmetricDecrypt({ key, data: text });
}
