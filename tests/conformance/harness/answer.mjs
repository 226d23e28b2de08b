// An answer with everything in it that differs from run to run replaced by a name.

import { createHmac } from 'node:crypto';

import { symmetricDecodeJWT } from 'better-auth/crypto';

import { parseSetCookie } from './jar.mjs';
import { SECRET } from './setup.mjs';

/** Headers of the connection and of its length: not the engine's. */
const TRANSPORT = new Set(['connection', 'content-length', 'date', 'keep-alive', 'set-cookie', 'transfer-encoding']);

/**
 * Gives random values names in the order in which they appear. Two engines that do the same give out the same names, and
 * a value that is not the one it should be (an old token, another user's id) gets another name.
 */
export class Names {
  #known = new Map();
  #counts = new Map();

  /** @param {string} text */
  hide(text) {
    return text
      .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]{43}(?![\w-])/g, (token) => describeJwt(token))
      .replace(/\b(2fa|trust-device)-([\w-]{32}|[\w-]{20})(?![\w-])/g, (all, kind) => this.#name(kind, all))
      .replace(/(?<![\w-])[A-Za-z0-9]{5}-[A-Za-z0-9]{5}(?![\w-])/g, (code) => this.#name('backup', code))
      .replace(/(?<=secret=)[A-Z2-7]{52}(?![A-Z2-7])/g, (secret) => this.#name('totp', secret))
      .replace(/(?<![\w-])(?=[\w-]*[a-z])[\w-]{43}(?![\w-])/g, (challenge) => this.#name('43', challenge))
      .replace(/(?<![\w-])([A-Za-z0-9]{32}|[A-Za-z0-9]{24})(?![\w-])/g, (all) => {
        const alphabet = /[A-Z]/.test(all) ? 'mixed' : 'lower';
        return this.#name(`${alphabet}${all.length}`, all);
      });
  }

  /** The same for every text in a value. Keys are taken in their order in the alphabet, so that their order means nothing. */
  hideAll(value) {
    if (typeof value === 'string') return this.hide(value);
    if (Array.isArray(value)) return value.map((entry) => this.hideAll(entry));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.keys(value).sort().map((key) => [key, this.hideAll(value[key])]));
  }

  #name(kind, value) {
    if (!this.#known.has(value)) {
      const count = (this.#counts.get(kind) ?? 0) + 1;
      this.#counts.set(kind, count);
      this.#known.set(value, `<${kind} ${count}>`);
    }
    return this.#known.get(value);
  }
}

/**
 * @param {import('./wire.mjs').RawAnswer} raw
 * @param {Names} names
 */
export async function describe(raw, names) {
  const body = names.hideAll(parse(raw.text));
  const headers = {};
  for (const [name, value] of raw.headers) {
    if (!TRANSPORT.has(name)) headers[name] = names.hideAll(name === 'set-auth-token' ? describeSigned(value) : value);
  }
  const set = raw.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => parseSetCookie(value));
  const cookies = {};
  // As a browser reads them: of two with the same name the last one counts.
  for (const { name, ...cookie } of joinChunks(set)) cookies[name] = names.hideAll({ ...cookie, value: await describeValue(name, cookie.value) });
  return { status: raw.status, headers, cookies, body };
}

/** A value that was cut into `name.0`, `name.1`, … becomes one again. */
function joinChunks(cookies) {
  const part = /^(.*\.session_data)\.(\d+)$/;
  const parts = cookies.filter(({ name, value }) => part.test(name) && value !== '');
  if (!parts.length) return cookies;
  const value = parts.map(({ value }) => value).join('');
  const joined = { name: parts[0].name.replace(part, '$1.*'), value, attributes: `${parts.length} × ${parts[0].attributes}` };
  return [...cookies.filter((cookie) => !parts.includes(cookie)), joined];
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function describeValue(name, value) {
  if (value === '') return '';
  if (/passkey$/.test(name)) return describeSigned(decodeURIComponent(value)).replace(/\([\w-]{32}\)/, '(<challenge>)');
  if (!/\.session_data(\.[\d*]+)?$/.test(name)) return describeSigned(decodeURIComponent(value));
  return await describeCache(decodeURIComponent(value));
}

/** `value.signature`, with what the signature is worth. */
function describeSigned(text) {
  const at = text.lastIndexOf('.');
  const [value, signature] = [text.slice(0, at), text.slice(at + 1)];
  const right = createHmac('sha256', SECRET).update(value).digest('base64');
  return signature === right ? `signed(${value.replace(/^[\w-]{43}!/, '<mac>!')})` : `unsigned(${text})`;
}

/** The three forms of the cookie cache. */
async function describeCache(text) {
  if (text.split('.').length === 5) {
    const { jti, ...claims } = (await symmetricDecodeJWT(text, SECRET, 'better-auth-session')) ?? {};
    return { jwe: JSON.parse(Buffer.from(text.split('.')[0], 'base64url')), claims, jti: typeof jti };
  }
  if (text.split('.').length === 3) return describeJwt(text);
  const { session, expiresAt, signature } = JSON.parse(Buffer.from(text, 'base64url'));
  const right = createHmac('sha256', SECRET).update(JSON.stringify({ ...session, expiresAt })).digest('base64url');
  return { compact: session, expiresAt, signature: signature === right ? 'right' : 'wrong' };
}

function describeJwt(token) {
  const [header, claims, signature] = token.split('.');
  const right = createHmac('sha256', SECRET).update(`${header}.${claims}`).digest('base64url');
  const read = (part) => JSON.stringify(sorted(JSON.parse(Buffer.from(part, 'base64url')))).replaceAll('"', "'");
  return `jwt(${read(header)} ${read(claims)} ${signature === right ? 'right' : 'wrong'})`;
}

function sorted(value) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}
