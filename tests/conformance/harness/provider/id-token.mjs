// Id tokens and the keys that they are signed with.

import { generateKeyPairSync, sign } from 'node:crypto';

const pairs = new Map();

function pair(kid) {
  if (!pairs.has(kid)) pairs.set(kid, generateKeyPairSync('rsa', { modulusLength: 2048 }));
  return pairs.get(kid);
}

/** What a provider publishes of its keys. */
export function jwks(...kids) {
  return { keys: kids.map((kid) => ({ ...pair(kid).publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' })) };
}

/**
 * @param {object} claims
 * @param {{ kid?: string, alg?: string, key?: string }} [how] `key` signs, `kid` is said to have
 */
export function idToken(claims, { kid = 'first', alg = 'RS256', key = kid } = {}) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signing = `${part({ alg, kid, typ: 'JWT' })}.${part(claims)}`;
  const signature = alg === 'none' ? '' : sign('sha256', Buffer.from(signing), pair(key).privateKey).toString('base64url');
  return `${signing}.${signature}`;
}
