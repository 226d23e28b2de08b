// What an engine keeps under its secret, opened.

import { hkdfSync } from 'node:crypto';

import { symmetricDecrypt } from 'better-auth/crypto';

import { SECRET } from './setup.mjs';

/** The secret of one purpose. */
export function purposeKey(purpose) {
  const key = hkdfSync('sha256', SECRET, 'better-auth:oauth-encryption:v1', `better-auth:${purpose}:v1`, 32);
  return Buffer.from(key).toString('hex');
}

/** @param {string} text hex */
export function open(text, key = SECRET) {
  return symmetricDecrypt({ key, data: text });
}
