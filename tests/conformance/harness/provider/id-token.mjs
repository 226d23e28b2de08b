// Id tokens and the keys that they are signed with.

import { createHmac, generateKeyPairSync, sign } from 'node:crypto';

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
 * @param {{ kid?: string, alg?: string, key?: string, secret?: string }} [how] `key` signs, `kid` is said to have; with a secret, that signs
 */
export function idToken(claims, { secret, kid = 'first', alg = secret ? 'HS256' : 'RS256', key = kid } = {}) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signing = `${part({ alg, kid, typ: 'JWT' })}.${part(claims)}`;
  return `${signing}.${signature(signing, alg, secret, key)}`;
}

function signature(signing, alg, secret, key) {
  if (alg === 'none') return '';
  if (secret) return createHmac('sha256', secret).update(signing).digest('base64url');
  return sign('sha256', Buffer.from(signing), pair(key).privateKey).toString('base64url');
}
